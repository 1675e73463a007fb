/*
 * Statistics of loops, for monitors, dumps and tests. Ours, no CF counterpart.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPSTATISTICS_H
#define CRUNLOOP_RLRUNLOOPSTATISTICS_H

#include <CRunLoop/RLRunLoop.h>
#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

/** The phases of a loop. */
RL_ENUM(SInt32, RLRunLoopPhase) {
    /** The loop does not run. */
    kRLRunLoopPhaseIdle = 0,
    /** The loop runs, between callbacks. */
    kRLRunLoopPhaseRunning = 1,
    /** The loop sleeps. */
    kRLRunLoopPhaseWaiting = 2,
    /** The loop is in an observer's callback. */
    kRLRunLoopPhaseObserver = 3,
    /** The loop is in a block. */
    kRLRunLoopPhaseBlock = 4,
    /** The loop is in the callback of a version-0 source. */
    kRLRunLoopPhaseSource0 = 5,
    /** The loop is in the callback of a version-1 or version-2 source. */
    kRLRunLoopPhaseSource1 = 6,
    /** The loop is in a timer's callback. */
    kRLRunLoopPhaseTimer = 7,
    /** The loop serves the main dispatch queue. */
    kRLRunLoopPhaseMainQueue = 8
};

/**
 * The statistics of a loop since its creation. The fields are not read at one instant, and need not
 * agree with each other.
 */
typedef struct {
    /** The number of runs that have begun, including nested runs. */
    UInt64 runs;
    /** The number of passes that have begun. */
    UInt64 passes;
    /** The number of sleeps, including sleeps that end at once because a descriptor is ready. */
    UInt64 sleeps;
    /** The number of sleeps and polls that a wake-up ended (RLRunLoopWakeUp, RLRunLoopStop). */
    UInt64 wakeUpsByToken;
    /** The number of sleeps and polls that due timers ended. */
    UInt64 wakeUpsByTimer;
    /** The number of sleeps and polls that a port or a descriptor ended. */
    UInt64 wakeUpsByDescriptor;
    /** The number of sleeps and polls that the main dispatch queue ended. */
    UInt64 wakeUpsByMainQueue;
    /** The number of sleeps that ended at the time limit of the run. */
    UInt64 wakeUpsByTimeout;
    /** The number of calls of observers. */
    UInt64 observerCallouts;
    /** The number of calls of blocks. */
    UInt64 blockCallouts;
    /** The number of calls of version-0 sources. */
    UInt64 source0Callouts;
    /** The number of calls of version-1 and version-2 sources. */
    UInt64 source1Callouts;
    /** The number of calls of timers. */
    UInt64 timerCallouts;
    /** The number of times that the loop has served the main dispatch queue. */
    UInt64 mainQueueCallouts;
    /** The nanoseconds that the loop was asleep. */
    UInt64 nanosecondsAsleep;
    /** The nanoseconds that the loop ran and was not asleep, including the current run. */
    UInt64 nanosecondsRunning;
    /** The current phase of the loop. */
    RLRunLoopPhase phase;
    /**
     * The nanoseconds since the phase began, accurate to a tick of the kernel's clock (1 to 10 ms).
     */
    UInt64 nanosecondsInPhase;
    /** The address of the function that the loop is calling, or null. */
    const void *callout;
    /** The kernel's ID of the loop's thread. */
    SInt32 threadID;
} RLRunLoopStatistics;

/** Copies the statistics of a loop. Ours, no CF counterpart. */
RL_EXPORT void RLRunLoopGetStatistics(RLRunLoopRef loop, RLRunLoopStatistics *statistics);

/** The kind of an item of a mode. */
RL_ENUM(SInt32, RLRunLoopItemKind) {
    /** A source of version 0. */
    kRLRunLoopItemSource0 = 0,
    /** A source of version 1: a port. */
    kRLRunLoopItemSource1 = 1,
    /** A source of version 2: a descriptor. */
    kRLRunLoopItemSource2 = 2,
    /** An observer. */
    kRLRunLoopItemObserver = 3,
    /** A timer. */
    kRLRunLoopItemTimer = 4
};

/** A snapshot of an item of a mode. */
typedef struct {
    /** The source, observer or timer; not retained. */
    RLTypeRef item;
    /** The kind of the item. */
    RLRunLoopItemKind kind;
    /** The descriptor that the mode polls for a source of version 1 or 2; -1 if there is none. */
    int descriptor;
    /** The polled events of the descriptor: reading, writing, priority data. */
    RLRunLoopDescriptorEvents events;
    /** Whether the item is a source that is signaled. */
    Boolean isSignalled;
    /**
     * The number of calls of a source or timer, in all modes and loops; wraps around. Concurrent
     * calls of a source on several threads may count as one call. The number is 0 for observers.
     */
    UInt32 callouts;
    /** The address of the item's callback, or null. */
    const void *callout;
} RLRunLoopItemState;

/**
 * Returns the number of items of a kind in a mode; 0 if the loop has no such mode.
 * Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLRunLoopCountItems(RLRunLoopRef loop, RLRunLoopMode mode,
                                      RLRunLoopItemKind kind);

/**
 * Calls a function for each item of a mode: sources and timers in the order of addition, observers
 * in the order in which they are called. Ours, no CF counterpart.
 *
 * - Parameters:
 *  - loop: The loop, of any thread.
 *  - mode: The mode. For kRLRunLoopCommonModes, and for a mode that the loop does not have, `visit`
 *    is not called.
 *  - visit: Called for each item, with no lock held. The item is retained during the call. If the
 *    release after the call is the last, it destroys the item on the calling thread.
 *  - info: Passed to `visit`.
 */
RL_EXPORT void RLRunLoopVisitItems(RLRunLoopRef loop, RLRunLoopMode mode,
                                   void (*visit)(const RLRunLoopItemState *state, void *info),
                                   void *info);

/**
 * Returns the loops of all living threads of the process, in no particular order; the caller owns
 * the array. Ours, no CF counterpart.
 */
RL_EXPORT RLArrayRef RLRunLoopCopyAllLoops(void) RL_RETURNS_RETAINED;

RL_EXTERN_C_END

#endif
