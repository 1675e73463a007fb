/*
 * The contended half of the lock.
 */

#include "base/lock.h"

#include "base/kernel.h"

/* Holders keep a lock for well under a microsecond, so a short spin usually gets it. */
enum { SPINS_BEFORE_SLEEP = 64 };

atomic_uint rl_lock_sleepers[RL_LOCK_BUCKETS];

static bool spin_for_lock(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    for (int count = 0; count < SPINS_BEFORE_SLEEP; count++) {
        if (rl_try_lock(lock)) return true;
        if (atomic_load(rl_lock_sleepers_of(lock)) > 0) break;
        rl_pause();
    }
    return false;
}

/*
 * The thread that frees the lock stores that it is free, and then looks for sleepers, with no
 * barrier between the two. A thread that is about to sleep makes up for that: it counts itself as a
 * sleeper, has the kernel issue a barrier in all threads, and only then looks at the lock. That
 * barrier comes to the thread that frees the lock
 * - after it has looked for sleepers: then the barrier makes its store visible, and this thread
 *   finds the lock free;
 * - or before it looks: then it sees the count, and wakes this thread.
 * If the kernel has no such barrier, this thread sleeps for a short time only, and looks again.
 */
static void sleep_until_locked(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    enum { NAP_NS = 200000 };
    atomic_fetch_add(rl_lock_sleepers_of(lock), 1);
    bool has_barrier = rl_kernel_pass_barrier();
    while (!rl_try_lock(lock)) {
        if (has_barrier) {
            rl_kernel_futex_wait(&lock->is_held, 1);
        } else {
            rl_kernel_futex_wait_for(&lock->is_held, 1, NAP_NS);
        }
    }
    atomic_fetch_sub(rl_lock_sleepers_of(lock), 1);
}

void rl_lock_slow(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    if (!spin_for_lock(lock)) sleep_until_locked(lock);
}

/* The lock's memory may be freed by now: the kernel looks only at its address. */
void rl_unlock_slow(struct rl_lock *lock)
{
    rl_kernel_futex_wake_one(&lock->is_held);
}

void rl_lock_forget_sleepers(void)
{
    for (int i = 0; i < RL_LOCK_BUCKETS; i++) atomic_store(&rl_lock_sleepers[i], 0);
}
