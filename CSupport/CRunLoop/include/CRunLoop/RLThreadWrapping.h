/*
 * Functions for libraries that wrap run loops: threads, and waits of threads for each other.
 * Programs do not need these functions.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLTHREADWRAPPING_H
#define CRUNLOOP_RLTHREADWRAPPING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * Creates a thread like `pthread_create`. `ret_thread` points to a `pthread_t`; `attributes` points
 * to a `pthread_attr_t` or is null. Returns 0, or an `errno` value. The thread blocks all signals
 * except signals of its own faults, SIGPIPE and SIGPROF, like libdispatch's threads. Programs that
 * the thread executes inherit the signal mask, unless `posix_spawnattr_setsigmask` sets another
 * mask. CF: none.
 */
RL_EXPORT int RLThreadCreate(void *ret_thread, const void *attributes,
                             void *(*function)(void *info), void *info);

/**
 * Joins a thread if it has ended, without blocking.
 *
 * - Parameter thread: A pointer to the `pthread_t` of a thread that no other thread joins.
 * - Returns: Whether the thread was joined.
 * - CF: none.
 */
RL_EXPORT Boolean RLThreadTryJoin(const void *thread);

/**
 * Leaves a signal unblocked in threads that RLThreadCreate creates from now on, for a library that
 * handles the signal. CF: none.
 */
RL_EXPORT void RLThreadKeepUnblocked(int signal);

/** Returns the kernel's ID of the calling thread, as in RLRunLoopStatistics. CF: none. */
RL_EXPORT SInt32 RLThreadGetNumber(void);

/**
 * Returns a number of the calling thread that is unique in the process and never reused, unlike the
 * kernel's ID. Makes no system call. CF: none.
 */
RL_EXPORT UInt64 RLThreadGetSerialNumber(void);

/** A wait of a thread, for the hint about deadlocks. CF: none. */
typedef struct rl_mutual_wait *RLMutualWaitRef;

/** The other side of a wait. CF: none. */
typedef struct {
    /** The kernel's ID of the awaited thread; 0 for a queue. */
    SInt32 thread;
    /** The number of the awaited serial queue; 0 for no queue or a concurrent queue. */
    uintptr_t queue;
    /** Whether the calling thread serves the main queue while it waits. */
    Boolean servesMainQueue;
} RLMutualWaitParties;

/**
 * Records that the calling thread begins to wait for the other side, `parties`. If waits of this
 * process have formed a cycle for half a second, a debug build logs a line; release builds do
 * nothing, and return null. `call`, the name of the function that waits, must stay valid forever.
 * Returns the wait, for RLMutualWaitEnd. CF: none.
 */
RL_EXPORT RLMutualWaitRef RLMutualWaitBegin(const char *call, RLMutualWaitParties parties);

/**
 * Records that the other side has begun the awaited work. Waits that exist at this time do not
 * block this work, so they form no cycle with this wait. Null is ignored. CF: none.
 */
RL_EXPORT void RLMutualWaitServe(RLMutualWaitRef wait);

/** Records the end of a wait, and frees it. Null is ignored. CF: none. */
RL_EXPORT void RLMutualWaitEnd(RLMutualWaitRef wait);

RL_EXTERN_C_END

#endif
