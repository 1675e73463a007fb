/*
 * A lock of four bytes, and the annotations with which Clang checks its use.
 *
 * It spins for a moment and then sleeps in the kernel, so that a holder of lower priority can run.
 * Taking it is an acquire and freeing it a release, no more: code that needs a stronger order makes
 * it itself, see wake.c.
 *
 * Tests/Models/lock.pml is a model of rl_lock, in which no thread sleeps for ever: change both
 * together.
 *
 * Order: tracers, table, loop, item, then signals or a watch; mutable strings last. Only fork takes
 * others while it holds the table's. None is held while client code runs, but for what a source
 * answers.
 */

#ifndef RL_LOCK_H
#define RL_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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

/* Builds for size have one copy of rl_unlock, which has many callers. */
#if defined(__OPTIMIZE_SIZE__)
#define RL_INLINE_FOR_SPEED static inline __attribute__((noinline))
#else
#define RL_INLINE_FOR_SPEED static inline
#endif

struct RL_CAPABILITY rl_lock {
    /* 1 while it is held. Threads sleep on it. */
    atomic_uint is_held;
};

/*
 * The number of threads that sleep for locks, or are about to, by address of the lock. Not part
 * of the lock, whose memory may be freed as soon as no thread holds it.
 */
enum { RL_LOCK_BUCKETS = 256 };
extern atomic_uint rl_lock_sleepers[RL_LOCK_BUCKETS];

static inline atomic_uint *rl_lock_sleepers_of(const struct rl_lock *lock)
{
    return &rl_lock_sleepers[((uintptr_t)lock >> 4) % RL_LOCK_BUCKETS];
}

/* Tells the processor that this loop waits for another processor. */
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

static inline bool rl_try_lock(struct rl_lock *lock) RL_TRIES(*lock) RL_UNCHECKED_LOCKING
{
    unsigned expected = 0;
    return atomic_compare_exchange_strong(&lock->is_held, &expected, 1);
}

static inline void rl_lock(struct rl_lock *lock) RL_ACQUIRES(*lock) RL_UNCHECKED_LOCKING
{
    if (!rl_try_lock(lock)) rl_lock_slow(lock);
}

/* Returns whether some thread holds the lock. */
static inline bool rl_lock_is_held(const struct rl_lock *lock)
{
    return atomic_load_explicit(&lock->is_held, memory_order_relaxed);
}

/*
 * Frees the lock by a plain store: an atomic read-modify-write would have to wait for all writes
 * before it. The processor may look for sleepers before that store. lock.c tells why no thread
 * sleeps for ever.
 */
RL_INLINE_FOR_SPEED void rl_unlock(struct rl_lock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    const atomic_uint *sleepers = rl_lock_sleepers_of(lock);
    atomic_store_explicit(&lock->is_held, 0, memory_order_release);
    /*
     * The compiler must not change the order. The processor may: the sleeper's barrier makes up for
     * that.
     */
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(sleepers, memory_order_relaxed) > 0) rl_unlock_slow(lock);
}

/* Sets the counts of sleepers to zero in a forked child, whose only thread does not sleep. */
void rl_lock_forget_sleepers(void);

#endif
