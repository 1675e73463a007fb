/*
 * The contended halves of the locks.
 */

#include "base/lock.h"

#include "base/kernel.h"

#include <sched.h>

/* Holders keep a lock for well under a microsecond, so a short spin usually gets it. */
enum { SPINS_BEFORE_SLEEP = 64, MOST_SLEEPERS = 30000 };

static bool spin(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    for (int count = 0; count < SPINS_BEFORE_SLEEP; count++) {
        if (rl_try_lock(lock)) return true;
        if (atomic_load(&lock->sleepers) > 0) break;
        rl_pause();
    }
    return false;
}

/*
 * A thread that is going to sleep first counts itself, then has all threads pass a barrier, then looks
 * at the lock. Whoever has taken the lock after the count sees it when he frees the lock. Whoever held
 * it before passes the barrier either before his look for sleepers, and sees the count, or after it:
 * then the lock has been seen to be free here. If the kernel has no such barrier, sleep is short.
 */
static void sleep_until_locked(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    enum { NAP_NS = 200000 };
    atomic_fetch_add(&lock->word, RL_LOCK_SLEEPER);
    bool is_seen = rl_kernel_pass_barrier();
    while (!rl_try_lock(lock)) {
        unsigned word = atomic_load(&lock->word);
        if (!(word & RL_LOCK_HELD)) continue;
        if (is_seen) {
            rl_kernel_futex_wait(&lock->word, word);
        } else {
            rl_kernel_futex_wait_for(&lock->word, word, NAP_NS);
        }
    }
    atomic_fetch_sub(&lock->word, RL_LOCK_SLEEPER);
}

void rl_lock_slow(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    /* So many cannot be counted, nor would they make sense. */
    while (atomic_load(&lock->sleepers) > MOST_SLEEPERS) {
        if (rl_try_lock(lock)) return;
        sched_yield();
    }
    if (!spin(lock)) sleep_until_locked(lock);
}

void rl_unlock_slow(struct rl_lock *lock)
{
    rl_kernel_futex_wake_one(&lock->word);
}

void rl_spin_slow(struct rl_spinlock *lock)
{
    for (int spin = 0; atomic_exchange(&lock->held, 1) != 0; spin++) {
        /* With fewer processors than threads the holder may need ours. */
        if (spin % SPINS_BEFORE_SLEEP == SPINS_BEFORE_SLEEP - 1) sched_yield();
        rl_pause();
    }
}
