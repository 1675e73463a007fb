/*
 * The contended halves of the locks.
 */

#include "lock.h"

#include "kernel.h"

#include <sched.h>

/* Holders keep a lock for well under a microsecond, so a short spin usually gets it. */
enum { SPINS_BEFORE_SLEEP = 64 };

void rl_lock_slow(struct rl_lock *lock)
{
    for (int spin = 0; spin < SPINS_BEFORE_SLEEP; spin++) {
        unsigned expected = 0;
        if (atomic_compare_exchange_weak(&lock->state, &expected, 1)) return;
        if (expected == 2) break;
        rl_pause();
    }
    /* From here on the lock is taken as 2: others may sleep too, which nobody counts. */
    while (atomic_exchange(&lock->state, 2) != 0) {
        rl_kernel_futex_wait(&lock->state, 2);
    }
}

void rl_unlock_slow(struct rl_lock *lock)
{
    rl_kernel_futex_wake_one(&lock->state);
}

void rl_spin_slow(struct rl_spinlock *lock)
{
    for (int spin = 0; atomic_exchange(&lock->held, 1) != 0; spin++) {
        /* With fewer processors than threads the holder may need ours. */
        if (spin % SPINS_BEFORE_SLEEP == SPINS_BEFORE_SLEEP - 1) sched_yield();
        rl_pause();
    }
}
