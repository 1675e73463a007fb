/*
 * The lock in 32 bits by which libkern/OSAtomic.h and os/lock.h work: 0, or a number of its owner's
 * choice; the highest bit says that threads sleep until it is 0. Not for programs.
 */

#ifndef CRUNLOOP_APPLE_LOCK_WORD_H
#define CRUNLOOP_APPLE_LOCK_WORD_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define RL_LOCK_WORD_HAS_SLEEPERS 0x80000000u

#if defined(__cplusplus)
extern "C" {
#endif
/* `syscall`, which strict modes of C hide, under a name of its own. */
extern long rl_apple_syscall(long number, ...) __asm__("syscall");
#if defined(__cplusplus)
}
#endif

/** Takes the lock if it is free. */
__attribute__((unused)) static inline bool rl_lock_word_try(uint32_t *word, uint32_t owner)
{
    uint32_t seen = 0;
    return __atomic_compare_exchange_n(word, &seen, owner, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/** Takes the lock, and sleeps until it can. The word may be in memory that processes share. */
__attribute__((unused)) static inline void rl_lock_word_take(uint32_t *word, uint32_t owner)
{
    if (rl_lock_word_try(word, owner)) return;
    int error = errno;
    for (;;) {
        uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        uint32_t with_sleepers = seen | RL_LOCK_WORD_HAS_SLEEPERS;
        /* Other threads may still sleep, so an awakened thread sets the mark too. */
        uint32_t wanted = seen == 0 ? owner | RL_LOCK_WORD_HAS_SLEEPERS : with_sleepers;
        if (seen != with_sleepers &&
            !__atomic_compare_exchange_n(word, &seen, wanted, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED)) {
            continue;
        }
        if (seen == 0) break;
        rl_apple_syscall(SYS_futex, word, FUTEX_WAIT, with_sleepers, NULL, NULL, 0);
    }
    errno = error;
}

/** Gives the lock up, and wakes a thread that sleeps for it. */
__attribute__((unused)) static inline void rl_lock_word_give_up(uint32_t *word)
{
    uint32_t seen = __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
    if (!(seen & RL_LOCK_WORD_HAS_SLEEPERS)) return;
    int error = errno;
    rl_apple_syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    errno = error;
}

#endif
