/*
 * Recording the activity of loops: passes, callbacks, sleeps, and the reasons of wake-ups.
 * Ours, no CF counterpart.
 *
 * A tracer keeps one recording for each time that a loop was traced: a ring of entries, which the
 * loop's thread writes and any thread reads while it does, without a lock on either side. When the
 * ring is full, the oldest entries are overwritten; the numbers of entries show how many are lost.
 * Entries are read atomically.
 *
 * A loop is traced by one tracer at a time. A loop that is not traced makes one comparison with
 * null in each callback and each sleep.
 *
 * All functions may be called from any thread, callbacks of the traced loop included.
 */

#ifndef CRUNLOOP_RLRUNLOOPTRACER_H
#define CRUNLOOP_RLRUNLOOPTRACER_H

#include <CRunLoop/RLRunLoopStatistics.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A set of recordings, and the loops to record. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_tracer, rl_swift_release_tracer)
    RL_SWIFT_NAME(RLRunLoopTracerRef) RLOpaqueRunLoopTracer {
    uintptr_t _reserved;
};

/** The recording of one loop while it was traced. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_recording, rl_swift_release_recording)
    RL_SWIFT_NAME(RLRunLoopRecordingRef) RLOpaqueRunLoopRecording {
    uintptr_t _reserved;
};

#define RLRunLoopTracerRef struct RLOpaqueRunLoopTracer *
#define RLRunLoopRecordingRef struct RLOpaqueRunLoopRecording *
#else
/** A reference to a tracer. */
typedef struct RLOpaqueRunLoopTracer *RLRunLoopTracerRef;
/** A reference to a recording. */
typedef struct RLOpaqueRunLoopRecording *RLRunLoopRecordingRef;
#endif

/** The kinds of entries of a recording. */
RL_ENUM(SInt32, RLRunLoopTraceKind) {
    /** A run began in the mode. */
    kRLRunLoopTraceRunBegin = 1,
    /** The run ended; `duration` is that of the run. */
    kRLRunLoopTraceRunEnd = 2,
    /** The loop reached an activity, whether it has an observer or not. */
    kRLRunLoopTraceActivity = 3,
    /** A callback began. */
    kRLRunLoopTraceCalloutBegin = 4,
    /** The innermost callback ended; `duration` is that of the callback. */
    kRLRunLoopTraceCalloutEnd = 5,
    /**
     * The innermost callback is a library's adaptor, which calls `function`.
     */
    kRLRunLoopTraceCalloutFunction = 6,
    /** The loop fell asleep. A descriptor that is ready ends the sleep at once. */
    kRLRunLoopTraceSleep = 7,
    /** The loop found an event; `duration` is that of the sleep, 0 after a poll. */
    kRLRunLoopTraceWakeUp = 8,
    /** The loop's thread ended, and with it all open runs and callbacks. */
    kRLRunLoopTraceThreadEnd = 9
};

/** The reason for a wake-up of a loop. */
RL_ENUM(SInt32, RLRunLoopWakeReason) {
    /** The time limit of the run. */
    kRLRunLoopWakeReasonTimeout = 0,
    /** RLRunLoopWakeUp or RLRunLoopStop. */
    kRLRunLoopWakeReasonToken = 1,
    /** Timers that are due. */
    kRLRunLoopWakeReasonTimer = 2,
    /** Work on the main dispatch queue. */
    kRLRunLoopWakeReasonMainQueue = 3,
    /** A descriptor or a port. */
    kRLRunLoopWakeReasonDescriptor = 4,
    /** Its host: another event loop, in which it waited (RLRunLoopBeginHosting). */
    kRLRunLoopWakeReasonHost = 5
};

/** One entry of a recording. Fields of other kinds are 0. */
typedef struct {
    /** The place in the recording, counted from 0. */
    UInt64 number;
    /** The time in nanoseconds of CLOCK_MONOTONIC. Never less than that of the entry before. */
    UInt64 time;
    /** The duration in nanoseconds; 0 if tracing began in between. */
    UInt64 duration;
    /** The kind of the entry. */
    RLRunLoopTraceKind kind;
    /** Callbacks: the kind of item that is called, from kRLRunLoopPhaseObserver on. */
    RLRunLoopPhase phase;
    /** Wake-ups: the reason. */
    RLRunLoopWakeReason reason;
    /** Wake-ups by a descriptor: the descriptor. */
    SInt32 descriptor;
    /** The number of the mode for RLRunLoopRecordingCopyModeName; 0 outside of runs. */
    SInt32 mode;
    /** Activities: the activity. */
    RLRunLoopActivity activity;
    /** Callbacks: the address of the function. */
    const void *function;
    /**
     * Beginnings of callbacks: the address of the observer, timer, source or block. It only
     * identifies the object, which may have been destroyed.
     */
    const void *object;
    /**
     * Blocks: their first capture, which for Swift's closures passed as blocks is the function.
     * Queued functions and closures: their argument.
     */
    const void *captured;
} RLRunLoopTraceEntry;

/** The extent of a recording. */
typedef struct {
    /** The Linux thread id of the loop's thread. */
    SInt32 threadID;
    /** Whether it is the main loop. */
    Boolean isMain;
    /** The kernel's name of the thread when it ended, and a zero byte; empty before that. */
    char threadName[16];
    /** The time of its beginning, in nanoseconds of CLOCK_MONOTONIC. */
    UInt64 began;
    /** The time of its end; 0 while it is recorded. */
    UInt64 ended;
    /** The number of entries written, overwritten ones included. */
    UInt64 entryCount;
    /** The number of entries kept. */
    RLIndex capacity;
} RLRunLoopRecordingInfo;

/**
 * The number of the type of tracers.
 *
 * - CF: none.
 */
RL_EXPORT RLTypeID RLRunLoopTracerGetTypeID(void);

/**
 * The number of the type of recordings.
 *
 * - CF: none.
 */
RL_EXPORT RLTypeID RLRunLoopRecordingGetTypeID(void);

/**
 * Makes a tracer that records nothing yet. It stops when its last reference is released.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The number of entries in each recording, of 48 bytes each. Rounded up to a power of
 *     two from 64 to 2^24. A pass with a sleep makes six, a callback two.
 * - Returns: A new tracer that the caller owns.
 * - CF: none.
 */
RL_EXPORT RLRunLoopTracerRef RLRunLoopTracerCreate(RLAllocatorRef allocator,
                                                   RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * Makes a tracer like RLRunLoopTracerCreate() that records only callbacks and runs, and not
 * activities, sleeps and wake-ups. That costs a traced pass a fraction: two entries for each
 * callback.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: As for RLRunLoopTracerCreate().
 * - Returns: A new tracer that the caller owns.
 * - CF: none.
 */
RL_EXPORT RLRunLoopTracerRef RLRunLoopTracerCreateForCallouts(RLAllocatorRef allocator,
                                                              RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * Begins to trace a loop in a new recording. A current run or callback is recorded from here on.
 *
 * - Returns: Whether this tracer traces it now. False if another one traces it, or if its thread
 *   has ended.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTracerStart(RLRunLoopTracerRef tracer, RLRunLoopRef loop);

/**
 * Begins to trace all loops: the existing ones, except those that another tracer traces, and those
 * made from now on.
 *
 * - Returns: Whether this tracer traces all loops now. False, with no effect, if another one does.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTracerStartAll(RLRunLoopTracerRef tracer);

/**
 * Stops tracing a loop. Its recording is kept. Does nothing if this tracer does not trace it. Waits
 * for an entry that is being written, so that the loop writes none after the function returns.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTracerStop(RLRunLoopTracerRef tracer, RLRunLoopRef loop);

/**
 * Stops tracing all loops, and does not trace new ones. The recordings are kept.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTracerStopAll(RLRunLoopTracerRef tracer);

/**
 * The recordings, in the order in which they began: of type RLRunLoopRecordingRef, still growing if
 * their loops are traced. The last 256 that have ended are kept.
 *
 * - Returns: A new array that the caller owns.
 * - CF: none.
 */
RL_EXPORT RLArrayRef RLRunLoopTracerCopyRecordings(RLRunLoopTracerRef tracer) RL_RETURNS_RETAINED;

/**
 * The number of ended recordings that were discarded, because only 256 are kept.
 *
 * - CF: none.
 */
RL_EXPORT UInt64 RLRunLoopTracerGetDroppedCount(RLRunLoopTracerRef tracer);

/**
 * Copies the current extent of a recording.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopRecordingGetInfo(RLRunLoopRecordingRef recording,
                                         RLRunLoopRecordingInfo *info);

/**
 * Copies entries in their order, without overwritten ones. Never waits for the loop.
 *
 * - Parameters:
 *   - recording: The recording.
 *   - first: The number of the first entry.
 *   - entries: Receives them.
 *   - capacity: The number of entries that fit.
 * - Returns: The number of copied entries; 0 if there are none from that number on.
 * - CF: none.
 */
RL_EXPORT RLIndex RLRunLoopRecordingGetEntries(RLRunLoopRecordingRef recording, UInt64 first,
                                               RLRunLoopTraceEntry *entries, RLIndex capacity);

/**
 * The name of a mode by its number in an entry.
 *
 * - Returns: A string that the caller owns, or null if the recording has no mode of that number.
 * - CF: none.
 */
RL_EXPORT RLStringRef RLRunLoopRecordingCopyModeName(RLRunLoopRecordingRef recording,
                                                     SInt32 mode) RL_RETURNS_RETAINED;

/**
 * Records the client function that the current callback of the calling thread's loop calls, for
 * libraries that call their clients through an adaptor. Costs a comparison while nothing is traced.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopNoteCalloutFunction(const void *function);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 *
 * - CF: none.
 */
RL_EXPORT void rl_swift_retain_tracer(RLRunLoopTracerRef tracer);
/**
 * @see rl_swift_retain_tracer
 *
 * - CF: none.
 */
RL_EXPORT void rl_swift_release_tracer(RLRunLoopTracerRef tracer);
/**
 * @see rl_swift_retain_tracer
 *
 * - CF: none.
 */
RL_EXPORT void rl_swift_retain_recording(RLRunLoopRecordingRef recording);
/**
 * @see rl_swift_retain_tracer
 *
 * - CF: none.
 */
RL_EXPORT void rl_swift_release_recording(RLRunLoopRecordingRef recording);

RL_EXTERN_C_END

#endif
