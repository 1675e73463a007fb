/*
 * Two locks of four bytes each, and the annotations with which Clang proves their use.
 *
 * `rl_lock` spins for a moment and then sleeps in the kernel: it guards loops and items.
 * `rl_spinlock` never sleeps: it guards the table of loops, where nothing but a look-up happens,
 * so that whoever has to wait yields the processor at most. All operations are sequentially
 * consistent, as waking relies on it, see wake.c, but for `rl_unlock_quickly`.
 *
 * Tests/Models/lock.pml is a model of rl_lock, in which no thread sleeps for ever: change both together.
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

/*
 * Whether it is held and how many threads sleep are apart, so that a plain store can free it, and
 * one word, on which they sleep.
 */
struct RL_CAPABILITY rl_lock {
    union {
        atomic_uint word;
        struct {
            atomic_uchar is_held;
            unsigned char unused;
            atomic_ushort sleepers;
        };
    };
};

/* In the word. */
#define RL_LOCK_HELD 1u
#define RL_LOCK_SLEEPER (1u << 16)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the word's lowest byte comes first");

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
    unsigned char expected = 0;
    if (!atomic_compare_exchange_strong(&lock->is_held, &expected, 1)) rl_lock_slow(lock);
}

static inline bool rl_try_lock(struct rl_lock *lock) RL_TRIES(*lock) RL_UNCHECKED_LOCKING
{
    unsigned char expected = 0;
    return atomic_compare_exchange_strong(&lock->is_held, &expected, 1);
}

static inline void rl_unlock(struct rl_lock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    if (atomic_fetch_sub(&lock->word, RL_LOCK_HELD) >= RL_LOCK_SLEEPER) rl_unlock_slow(lock);
}

/*
 * The same without a locked instruction, which would have to wait for all writes before it. Reads
 * that follow may come before the unlocking. The lock is looked at once more, so whatever it is in
 * must be kept alive by the caller.
 *
 * Why nobody sleeps on: see lock.c.
 */
static inline void rl_unlock_quickly(struct rl_lock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    atomic_store_explicit(&lock->is_held, 0, memory_order_release);
    /* Only the processor may change the order: that, a barrier of the sleeper undoes. */
    atomic_signal_fence(memory_order_seq_cst);
    bool has_sleepers = atomic_load_explicit(&lock->sleepers, memory_order_relaxed) > 0;
    if (has_sleepers) rl_unlock_slow(lock);
}

/* For a lock that is held in a process that forking left with one thread: nobody sleeps. */
static inline void rl_lock_forget_sleepers(struct rl_lock *lock)
{
    atomic_store(&lock->sleepers, 0);
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
