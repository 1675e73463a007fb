/*
 * Tracers record the activity of loops: passes, callbacks, sleeps, and the reasons of wake-ups.
 * Ours, no CF counterpart.
 *
 * A tracer keeps one recording for each period in which it traces a loop. A recording is a ring
 * buffer of entries: the loop's thread writes entries while any thread reads them, without locks.
 * When the buffer is full, new entries overwrite the oldest entries; gaps in the numbers of the
 * entries show how many are lost. Each entry is read atomically.
 *
 * At most one tracer traces a loop at a time. A loop that is not traced makes one comparison with
 * null in each callback and each sleep.
 *
 * All functions may be called from any thread, including in callbacks of the traced loop.
 */

#ifndef CRUNLOOP_RLRUNLOOPTRACER_H
#define CRUNLOOP_RLRUNLOOPTRACER_H

#include <CRunLoop/RLRunLoopStatistics.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A tracer, which records the activity of loops. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_tracer, rl_swift_release_tracer)
    RL_SWIFT_NAME(RLRunLoopTracerRef) RLOpaqueRunLoopTracer {
    uintptr_t _reserved;
};

/** A recording of the activity of one loop. */
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
    /** The innermost run ended; `duration` is the duration of the run. */
    kRLRunLoopTraceRunEnd = 2,
    /** The loop reached an activity, with or without observers. */
    kRLRunLoopTraceActivity = 3,
    /** A callback began. */
    kRLRunLoopTraceCalloutBegin = 4,
    /** The innermost callback ended; `duration` is the duration of the callback. */
    kRLRunLoopTraceCalloutEnd = 5,
    /** The innermost callback belongs to a library, and calls the client's `function`. */
    kRLRunLoopTraceCalloutFunction = 6,
    /** The loop began to sleep. If a descriptor is ready, the sleep ends at once. */
    kRLRunLoopTraceSleep = 7,
    /** A wait of the loop ended; `duration` is the duration of the sleep, or 0 after a poll. */
    kRLRunLoopTraceWakeUp = 8,
    /** The loop's thread ended, and with it all open runs and callbacks. */
    kRLRunLoopTraceThreadEnd = 9
};

/** The reason why a wait of a loop ended. */
RL_ENUM(SInt32, RLRunLoopWakeReason) {
    /** The time limit of the run was reached. */
    kRLRunLoopWakeReasonTimeout = 0,
    /** RLRunLoopWakeUp or RLRunLoopStop was called. */
    kRLRunLoopWakeReasonToken = 1,
    /** A timer is due. */
    kRLRunLoopWakeReasonTimer = 2,
    /** The main dispatch queue has work. */
    kRLRunLoopWakeReasonMainQueue = 3,
    /** A descriptor or a port is ready. */
    kRLRunLoopWakeReasonDescriptor = 4,
    /** The host of the loop, another event loop, served the loop (RLRunLoopBeginHosting). */
    kRLRunLoopWakeReasonHost = 5
};

/** An entry of a recording. Fields that do not belong to the entry's kind are 0. */
typedef struct {
    /** The number of the entry in the recording, from 0. */
    UInt64 number;
    /**
     * The time in nanoseconds of CLOCK_MONOTONIC. Never earlier than the time of the previous
     * entry.
     */
    UInt64 time;
    /**
     * The duration in nanoseconds; 0 if tracing began after the run, callback or sleep had begun.
     */
    UInt64 duration;
    /** The kind of the entry. */
    RLRunLoopTraceKind kind;
    /** For callbacks: the kind of the called item, as a phase such as kRLRunLoopPhaseTimer. */
    RLRunLoopPhase phase;
    /** For wake-ups: the reason. */
    RLRunLoopWakeReason reason;
    /** For wake-ups by a descriptor: the descriptor. */
    SInt32 descriptor;
    /** The number of the mode for RLRunLoopRecordingCopyModeName; 0 outside of runs. */
    SInt32 mode;
    /** For activities: the activity. */
    RLRunLoopActivity activity;
    /** For callbacks: the address of the function. */
    const void *function;
    /**
     * For beginnings of callbacks: the address of the observer, timer, source or block. The address
     * only identifies the object, which may have been destroyed.
     */
    const void *object;
    /**
     * For blocks: the first captured value. In a Swift closure that was passed as a block, this
     * value is the closure's function. For queued functions and closures: the argument.
     */
    const void *captured;
} RLRunLoopTraceEntry;

/** Information about a recording. */
typedef struct {
    /** The kernel's ID of the loop's thread. */
    SInt32 threadID;
    /** Whether the loop is the main loop. */
    Boolean isMain;
    /**
     * The kernel's name of the thread at its end, terminated by NUL; empty while the thread runs.
     */
    char threadName[16];
    /** The time at which the recording began, in nanoseconds of CLOCK_MONOTONIC. */
    UInt64 began;
    /** The time at which the recording ended; 0 while the loop is traced. */
    UInt64 ended;
    /** The number of entries written, including overwritten entries. */
    UInt64 entryCount;
    /** The number of entries that the ring buffer holds. */
    RLIndex capacity;
} RLRunLoopRecordingInfo;

/** Returns the type ID of tracers. CF: none. */
RL_EXPORT RLTypeID RLRunLoopTracerGetTypeID(void);

/** Returns the type ID of recordings. CF: none. */
RL_EXPORT RLTypeID RLRunLoopRecordingGetTypeID(void);

/**
 * Creates a tracer that traces no loop yet. The release of its last reference stops the tracer.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The number of entries in each recording; an entry takes 48 bytes. Rounded up to a
 *     power of two from 64 to 2^24. A pass with a sleep makes six entries, and a callback makes
 *     two, or three if an adaptor calls it (kRLRunLoopTraceCalloutFunction).
 * - Returns: A new tracer that the caller owns.
 * - CF: none.
 */
RL_EXPORT RLRunLoopTracerRef RLRunLoopTracerCreate(RLAllocatorRef allocator,
                                                   RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * Creates a tracer like RLRunLoopTracerCreate() that records only callbacks and runs: no
 * activities, sleeps and wake-ups. A traced pass writes only two or three entries for each
 * callback. CF: none.
 */
RL_EXPORT RLRunLoopTracerRef RLRunLoopTracerCreateForCallouts(RLAllocatorRef allocator,
                                                              RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * Begins to trace a loop in a new recording. A current run or callback is recorded from this call
 * on.
 *
 * - Returns: Whether this tracer now traces the loop. False if another tracer traces the loop, or
 *   if the loop's thread has ended.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTracerStart(RLRunLoopTracerRef tracer, RLRunLoopRef loop);

/**
 * Begins to trace all loops: loops that exist, unless another tracer traces them, and loops that
 * are created later.
 *
 * - Returns: Whether this tracer traces all loops now. False, without effect, if another tracer
 *   traces all loops.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTracerStartAll(RLRunLoopTracerRef tracer);

/**
 * Stops tracing a loop. The recording is kept. Does nothing if this tracer does not trace the loop.
 * Waits for an entry that is being written: after the call, the loop writes no more entries.
 * CF: none.
 */
RL_EXPORT void RLRunLoopTracerStop(RLRunLoopTracerRef tracer, RLRunLoopRef loop);

/**
 * Stops tracing all loops, including loops that are created later. The recordings are kept.
 * CF: none.
 */
RL_EXPORT void RLRunLoopTracerStopAll(RLRunLoopTracerRef tracer);

/**
 * Returns the recordings (RLRunLoopRecordingRef) in the order in which they began, in an array that
 * the caller owns. The recording of a loop that is being traced still grows. The last 256 ended
 * recordings are kept. CF: none.
 */
RL_EXPORT RLArrayRef RLRunLoopTracerCopyRecordings(RLRunLoopTracerRef tracer) RL_RETURNS_RETAINED;

/**
 * Returns the number of ended recordings that were discarded, because only 256 are kept. CF: none.
 */
RL_EXPORT UInt64 RLRunLoopTracerGetDroppedCount(RLRunLoopTracerRef tracer);

/** Copies the current information about a recording. CF: none. */
RL_EXPORT void RLRunLoopRecordingGetInfo(RLRunLoopRecordingRef recording,
                                         RLRunLoopRecordingInfo *info);

/**
 * Copies up to `capacity` entries in order, from the number `first` on, and skips overwritten
 * entries. Returns the number of copied entries; 0 if the recording has none from `first` on. Never
 * waits for the loop. CF: none.
 */
RL_EXPORT RLIndex RLRunLoopRecordingGetEntries(RLRunLoopRecordingRef recording, UInt64 first,
                                               RLRunLoopTraceEntry *entries, RLIndex capacity);

/**
 * Returns the name of a mode, which the caller owns, by the mode's number in the entries of a
 * recording; null if the recording has no mode of that number. CF: none.
 */
RL_EXPORT RLStringRef RLRunLoopRecordingCopyModeName(RLRunLoopRecordingRef recording,
                                                     SInt32 mode) RL_RETURNS_RETAINED;

/**
 * Records the client function that the current callback of the calling thread's loop calls, for
 * libraries that call their clients through an adaptor. Costs one comparison while no loop is
 * traced. CF: none.
 */
RL_EXPORT void RLRunLoopNoteCalloutFunction(const void *function);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_tracer(RLRunLoopTracerRef tracer);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_tracer(RLRunLoopTracerRef tracer);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_recording(RLRunLoopRecordingRef recording);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_recording(RLRunLoopRecordingRef recording);

RL_EXTERN_C_END

#endif
