#include "base/lock.h"

#include "base/kernel.h"

/* A lock is held for well under a microsecond, so a short spin usually takes it. */
enum { SPINS_BEFORE_SLEEP = 64 };

/* Spinning is useless if other threads already sleep for the lock. */
static bool spin_for_lock(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    for (int count = 0; count < SPINS_BEFORE_SLEEP; count++) {
        if (rl_try_lock(lock)) return true;
        if (atomic_load_explicit(&lock->state, memory_order_relaxed) == RL_LOCK_CONTENDED) break;
        rl_pause();
    }
    return false;
}

void rl_lock_slow(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    if (spin_for_lock(lock)) return;
    while (atomic_exchange_explicit(&lock->state, RL_LOCK_CONTENDED, memory_order_acquire) !=
           RL_LOCK_FREE) {
        rl_kernel_futex_wait(&lock->state, RL_LOCK_CONTENDED);
    }
}

/* The lock's memory may have been freed. The kernel only uses its address. */
void rl_unlock_slow(struct rl_lock *lock)
{
    rl_kernel_futex_wake_one(&lock->state);
}
