/*
 * os_unfair_lock: a 32-bit lock that records its owner; waiting threads sleep. If the owner takes
 * the lock again, or another thread releases it, the process stops with a message. Zeroed memory is
 * a free lock.
 */

#ifndef CRUNLOOP_APPLE_OS_LOCK_H
#define CRUNLOOP_APPLE_OS_LOCK_H

#include <CRunLoopLockWord.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/** The lock. Do not copy it: its identity is its address. */
typedef struct os_unfair_lock_s {
    /** Private to the functions below. */
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

/** The initial value of a lock. */
#if defined(__cplusplus)
#define OS_UNFAIR_LOCK_INIT (os_unfair_lock())
#else
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
#endif

#if defined(__cplusplus)
extern "C" {
#endif
/*
 * The number of the calling thread. All files of the program share this variable. A forked child
 * keeps its parent's number, so all files use the same number in the child as well.
 */
extern __thread uint32_t rl_apple_thread_number;
__attribute__((weak, visibility("default"))) __thread uint32_t rl_apple_thread_number = 0;
#if defined(__cplusplus)
}
#endif

/** Returns the kernel's id of the calling thread, which is queried once per thread. */
__attribute__((unused)) static inline uint32_t rl_apple_thread(void)
{
    if (rl_apple_thread_number == 0) {
        rl_apple_thread_number = (uint32_t)rl_apple_syscall(SYS_gettid);
    }
    return rl_apple_thread_number;
}

/** Returns the id of the owner, or 0 if the lock is free. */
__attribute__((unused)) static inline uint32_t rl_apple_owner(os_unfair_lock_t lock)
{
    return __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) &
           ~RL_LOCK_WORD_HAS_SLEEPERS;
}

/** Stops the process with a message if a condition is false. */
__attribute__((unused)) static inline void rl_apple_require(bool condition, const char *text)
{
    if (condition) return;
    fprintf(stderr, "os_unfair_lock: %s\n", text);
    abort();
}

/** Takes the lock. Blocks until the lock is free. */
__attribute__((unused)) static inline void os_unfair_lock_lock(os_unfair_lock_t lock)
{
    uint32_t thread = rl_apple_thread();
    if (rl_lock_word_try(&lock->_os_unfair_lock_opaque, thread)) return;
    rl_apple_require(rl_apple_owner(lock) != thread, "the thread has taken this lock already");
    rl_lock_word_take(&lock->_os_unfair_lock_opaque, thread);
}

/**
 * Takes the lock if it is free. Returns whether the lock was taken. Do not call this in a loop to
 * wait for the lock.
 */
__attribute__((unused, warn_unused_result)) static inline bool
os_unfair_lock_trylock(os_unfair_lock_t lock)
{
    return rl_lock_word_try(&lock->_os_unfair_lock_opaque, rl_apple_thread());
}

/** Releases the lock. */
__attribute__((unused)) static inline void os_unfair_lock_unlock(os_unfair_lock_t lock)
{
    rl_apple_require(rl_apple_owner(lock) == rl_apple_thread(),
                     "the thread has not taken this lock");
    rl_lock_word_give_up(&lock->_os_unfair_lock_opaque);
}

/** Stops the process unless the calling thread owns the lock. */
__attribute__((unused)) static inline void os_unfair_lock_assert_owner(os_unfair_lock_t lock)
{
    rl_apple_require(rl_apple_owner(lock) == rl_apple_thread(),
                     "asserted to be taken by the thread");
}

/** Stops the process if the calling thread owns the lock. */
__attribute__((unused)) static inline void os_unfair_lock_assert_not_owner(os_unfair_lock_t lock)
{
    rl_apple_require(rl_apple_owner(lock) != rl_apple_thread(),
                     "asserted not to be taken by the thread");
}

#if defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

#endif
