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
    /** It does not run. */
    kRLRunLoopPhaseIdle = 0,
    /** It runs, between callbacks. */
    kRLRunLoopPhaseRunning = 1,
    /** It sleeps. */
    kRLRunLoopPhaseWaiting = 2,
    /** It is in an observer's callback. */
    kRLRunLoopPhaseObserver = 3,
    /** It is in a block. */
    kRLRunLoopPhaseBlock = 4,
    /** It is in the callback of a version-0 source. */
    kRLRunLoopPhaseSource0 = 5,
    /** It is in the callback of a version-1 or version-2 source. */
    kRLRunLoopPhaseSource1 = 6,
    /** It is in a timer's callback. */
    kRLRunLoopPhaseTimer = 7,
    /** It serves the main dispatch queue. */
    kRLRunLoopPhaseMainQueue = 8
};

/** The counters of a loop since it was created; they are not read at one instant. */
typedef struct {
    /** Runs begun, nested ones included. */
    UInt64 runs;
    /** Passes begun. */
    UInt64 passes;
    /** Sleeps, including those that a ready descriptor ends at once. */
    UInt64 sleeps;
    /** Sleeps and polls that ended with a wake-up (RLRunLoopWakeUp, RLRunLoopStop). */
    UInt64 wakeUpsByToken;
    /** Sleeps and polls that ended with due timers. */
    UInt64 wakeUpsByTimer;
    /** Sleeps and polls that ended with a port or descriptor. */
    UInt64 wakeUpsByDescriptor;
    /** Sleeps and polls that ended with the main dispatch queue. */
    UInt64 wakeUpsByMainQueue;
    /** Sleeps that ended at the time limit of the run. */
    UInt64 wakeUpsByTimeout;
    /** Calls of observers. */
    UInt64 observerCallouts;
    /** Blocks run. */
    UInt64 blockCallouts;
    /** Calls of version-0 sources. */
    UInt64 source0Callouts;
    /** Calls of version-1 and version-2 sources. */
    UInt64 source1Callouts;
    /** Calls of timers. */
    UInt64 timerCallouts;
    /** Times the main dispatch queue was served. */
    UInt64 mainQueueCallouts;
    /** Nanoseconds spent asleep. */
    UInt64 nanosecondsAsleep;
    /** Nanoseconds spent in runs but not asleep; the current run counts from its start. */
    UInt64 nanosecondsRunning;
    /** The current phase of the loop. */
    RLRunLoopPhase phase;
    /** Nanoseconds in this phase, accurate to a tick of the kernel's clock (1 to 10 ms). */
    UInt64 nanosecondsInPhase;
    /** The address of the function that the loop is calling, or null. */
    const void *callout;
    /** The Linux thread id of the loop's thread. */
    SInt32 threadID;
} RLRunLoopStatistics;

/** Copies the counters of a loop. Ours, no CF counterpart. */
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
    /** The source, observer or timer; borrowed. */
    RLTypeRef item;
    /** Its kind. */
    RLRunLoopItemKind kind;
    /** The descriptor that the mode polls for a source of version 1 or 2; -1 if there is none. */
    int descriptor;
    /** The polled events of the descriptor: reading, writing, priority data. */
    RLRunLoopDescriptorEvents events;
    /** Whether it is a source that was signaled and has not been called since. */
    Boolean isSignalled;
    /**
     * The number of calls of a source or timer, in all modes and loops; wraps around. Calls of a
     * source on several threads at once may count as one. 0 for observers.
     */
    UInt32 callouts;
    /** The address of the function that is called, or null. */
    const void *callout;
} RLRunLoopItemState;

/**
 * The number of items of a kind in a mode; 0 if the loop has no such mode. Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLRunLoopCountItems(RLRunLoopRef loop, RLRunLoopMode mode,
                                      RLRunLoopItemKind kind);

/**
 * Visits the items of a mode: sources and timers in the order of addition, observers in that of
 * calling. Ours, no CF counterpart.
 *
 * - Parameters:
 *   - loop: The loop, of any thread.
 *   - mode: The mode. Nothing is visited if the loop has no such mode, or for
 *     kRLRunLoopCommonModes.
 *   - visit: Called for each item, with no lock held. The item is retained during the call, so that
 *     its last reference may be released here, on the calling thread.
 *   - info: Passed to `visit`.
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
