/*
 * The 32-bit lock that libkern/OSAtomic.h and os/lock.h use. Its value is 0 if it is free,
 * otherwise a number that the owner has chosen. If the highest bit is set, threads may be sleeping
 * until the lock is free. Private to these headers.
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
/* `syscall` under another name, because strict C modes hide its declaration. */
extern long rl_apple_syscall(long number, ...) __asm__("syscall");
#if defined(__cplusplus)
}
#endif

/** Takes the lock if it is free. Returns whether it was free. */
__attribute__((unused)) static inline bool rl_lock_word_try(uint32_t *word, uint32_t owner)
{
    uint32_t seen = 0;
    return __atomic_compare_exchange_n(word, &seen, owner, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/** Takes the lock, and sleeps until it is free. Processes may share the word. */
__attribute__((unused)) static inline void rl_lock_word_take(uint32_t *word, uint32_t owner)
{
    if (rl_lock_word_try(word, owner)) return;
    int error = errno;
    for (;;) {
        uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        uint32_t with_sleepers = seen | RL_LOCK_WORD_HAS_SLEEPERS;
        /* Sets the bit even when taking the lock, because other threads may still be sleeping. */
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

/** Releases the lock, and wakes one sleeping thread. */
__attribute__((unused)) static inline void rl_lock_word_give_up(uint32_t *word)
{
    uint32_t seen = __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
    if (!(seen & RL_LOCK_WORD_HAS_SLEEPERS)) return;
    int error = errno;
    rl_apple_syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    errno = error;
}

#endif
