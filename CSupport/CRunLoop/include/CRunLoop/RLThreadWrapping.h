/*
 * Threads for libraries that wrap run loops, and their waits for each other. Programs do not need
 * it.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLTHREADWRAPPING_H
#define CRUNLOOP_RLTHREADWRAPPING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * Makes a thread as `pthread_create` does, which blocks all signals but those of its own faults,
 * SIGPIPE and SIGPROF, as libdispatch's threads do. Programs that it executes inherit the mask,
 * unless `posix_spawnattr_setsigmask` sets another.
 *
 * - Parameters:
 *   - ret_thread: Receives a `pthread_t`.
 *   - attributes: A `pthread_attr_t`, or null.
 *   - function: The function of the thread.
 *   - info: The argument of the function.
 * - Returns: 0, or an `errno` value.
 * - CF: none.
 */
RL_EXPORT int RLThreadCreate(void *ret_thread, const void *attributes,
                             void *(*function)(void *info), void *info);

/**
 * Joins a thread if it has ended, without blocking.
 *
 * - Parameter thread: A `pthread_t`, of a thread that no other thread joins.
 * - Returns: Whether the thread is joined.
 * - CF: none.
 */
RL_EXPORT Boolean RLThreadTryJoin(const void *thread);

/**
 * Unblocks one signal, of a library that handles it, in threads that RLThreadCreate makes from now
 * on. CF: none.
 */
RL_EXPORT void RLThreadKeepUnblocked(int signal);

/** The kernel's id of the calling thread, as in RLRunLoopStatistics. CF: none. */
RL_EXPORT SInt32 RLThreadGetNumber(void);

/**
 * A number of the calling thread that is unique in the process and never reused, unlike the
 * kernel's id. Makes no system call. CF: none.
 */
RL_EXPORT UInt64 RLThreadGetSerialNumber(void);

/** A wait of the calling thread, for the hint about deadlocks. CF: none. */
typedef struct rl_mutual_wait *RLMutualWaitRef;

/** The other side of a wait. CF: none. */
typedef struct {
    /** The kernel's id of the awaited thread, or 0 for a queue. */
    SInt32 thread;
    /** The number of the awaited serial queue; 0 for none, or a concurrent one. */
    uintptr_t queue;
    /** Whether the calling thread serves the main queue while it waits. */
    Boolean servesMainQueue;
} RLMutualWaitParties;

/**
 * Records that the calling thread begins to wait. If waits of this process have formed a cycle for
 * half a second, a debug build logs a line; release builds do nothing.
 *
 * - Parameters:
 *   - call: The name of the function that waits; must stay valid forever.
 *   - parties: The other side.
 * - Returns: The wait, for RLMutualWaitEnd; null in release builds.
 * - CF: none.
 */
RL_EXPORT RLMutualWaitRef RLMutualWaitBegin(const char *call, RLMutualWaitParties parties);

/**
 * Records that the other side has begun the awaited work inside the waits that exist now, which
 * therefore do not block it. Null is ignored. CF: none.
 */
RL_EXPORT void RLMutualWaitServe(RLMutualWaitRef wait);

/** Records the end of a wait, and frees it. Null is ignored. CF: none. */
RL_EXPORT void RLMutualWaitEnd(RLMutualWaitRef wait);

RL_EXTERN_C_END

#endif
