/*
 * Two locks of four bytes each, and the annotations with which Clang proves their use.
 *
 * `rl_lock` spins for a moment and then sleeps in the kernel: it guards loops and items.
 * `rl_spinlock` never sleeps: it guards the table of loops, where nothing but a look-up happens,
 * so that whoever has to wait yields the processor at most. All operations are sequentially
 * consistent: waking relies on it, see wake.c.
 *
 * Order: tracers, table, loop, item, signals. Only fork takes others while it holds the table's. Nothing
 * here is held while client code runs.
 */

#ifndef RL_LOCK_H
#define RL_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#if defined(__clang__)
#define RL_CAPABILITY __attribute__((capability("lock")))
#define RL_ACQUIRES(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define RL_TRIES(...) __attribute__((try_acquire_capability(true, __VA_ARGS__)))
#define RL_RELEASES(...) __attribute__((release_capability(__VA_ARGS__)))
#define RL_REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define RL_EXCLUDES(...) __attribute__((locks_excluded(__VA_ARGS__)))
#define RL_UNCHECKED_LOCKING __attribute__((no_thread_safety_analysis))
#else
#define RL_CAPABILITY
#define RL_ACQUIRES(...)
#define RL_TRIES(...)
#define RL_RELEASES(...)
#define RL_REQUIRES(...)
#define RL_EXCLUDES(...)
#define RL_UNCHECKED_LOCKING
#endif

struct RL_CAPABILITY rl_lock {
    /* 0 free, 1 held, 2 held and somebody sleeps. */
    atomic_uint state;
};

struct RL_CAPABILITY rl_spinlock {
    atomic_uint held;
};

/* Tells the processor that this is a loop that waits for another one. */
static inline void rl_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void rl_lock_slow(struct rl_lock *lock);
void rl_unlock_slow(struct rl_lock *lock);
void rl_spin_slow(struct rl_spinlock *lock);

static inline void rl_lock(struct rl_lock *lock) RL_ACQUIRES(*lock) RL_UNCHECKED_LOCKING
{
    unsigned expected = 0;
    if (!atomic_compare_exchange_strong(&lock->state, &expected, 1)) rl_lock_slow(lock);
}

static inline bool rl_try_lock(struct rl_lock *lock) RL_TRIES(*lock) RL_UNCHECKED_LOCKING
{
    unsigned expected = 0;
    return atomic_compare_exchange_strong(&lock->state, &expected, 1);
}

static inline void rl_unlock(struct rl_lock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    if (atomic_exchange(&lock->state, 0) == 2) rl_unlock_slow(lock);
}

static inline void rl_spin_lock(struct rl_spinlock *lock) RL_ACQUIRES(*lock) RL_UNCHECKED_LOCKING
{
    if (atomic_exchange(&lock->held, 1) != 0) rl_spin_slow(lock);
}

static inline void rl_spin_unlock(struct rl_spinlock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    atomic_store(&lock->held, 0);
}

#endif
