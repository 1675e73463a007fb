/*
 * A lock of four bytes, and the annotations for Clang's check of its use.
 *
 * It is the mutex with three states of Ulrich Drepper's "Futexes Are Tricky" (mutex 2), which spins
 * for a moment before it sleeps in the kernel, so that a holder of lower priority can run. Taking
 * it is an acquire and freeing it a release, no more: code that needs a stronger order makes it
 * itself, see wake.c.
 *
 *     lock:    if the state is FREE, set it to HELD
 *              else, until an exchange with CONTENDED returns FREE: sleep while it is CONTENDED
 *     unlock:  exchange with FREE; if that returns CONTENDED: wake one thread
 *
 * Exclusion: a thread takes the lock by one atomic operation that reads FREE and writes another
 * state, and only the holder writes FREE. So a state other than FREE has a holder.
 *
 * No thread sleeps for ever: while one sleeps, the state is CONTENDED, or there is a successor. A
 * successor is a thread whose unlock has returned CONTENDED, until it has woken one; and a thread
 * that has woken up, until its next exchange. Each step keeps this true:
 * - A thread falls asleep only while the state is CONTENDED, as the kernel compares and sleeps in
 *   one step.
 * - An unlock of CONTENDED makes its thread a successor. An unlock of HELD, and taking a FREE lock,
 *   find another one there, as the state was not CONTENDED.
 * - A successor that wakes a thread makes that the successor. If it finds none, no thread sleeps.
 * - A successor's exchange leaves CONTENDED, whether it took the lock or not. So does any other.
 * A successor runs, and the holder of a CONTENDED lock frees it, which makes the next successor.
 *
 * A spurious wake-up costs one exchange, and may leave CONTENDED where no thread sleeps: the next
 * unlock makes one system call too many.
 *
 * The lock's memory may be freed by the next holder, before the thread that freed the lock has
 * woken one. The kernel only uses the address. If another futex has the address by then, its
 * sleeper wakes up spuriously, which every call of futex(2) must expect.
 *
 * In a forked child, every held lock was locked by the fork, and no other thread sleeps: at worst
 * the child's unlock wakes no thread.
 *
 * Tests/Models/Explorer runs this file and lock.c in every order with few preemptions.
 *
 * Order: tracers, table, loop, item, then signals or a watch; mutable strings last. Only a fork
 * takes other locks while it holds the table's. No lock is held while client code runs, except for
 * the queries that a source answers.
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

/* Builds for size share one copy of rl_unlock, which has many callers. */
#if defined(__OPTIMIZE_SIZE__)
#define RL_INLINE_FOR_SPEED static inline __attribute__((noinline))
#else
#define RL_INLINE_FOR_SPEED static inline
#endif

/* The states. FREE is 0: zeroed memory is a free lock. */
enum {
    RL_LOCK_FREE,
    /* Held, and no thread sleeps on the state. */
    RL_LOCK_HELD,
    /* Held, and threads may sleep on the state. */
    RL_LOCK_CONTENDED,
};

struct RL_CAPABILITY rl_lock {
    atomic_uint state;
};

/* Yields the core to its other hardware thread while this one spins. */
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
    unsigned expected = RL_LOCK_FREE;
    return atomic_compare_exchange_strong(&lock->state, &expected, RL_LOCK_HELD);
}

static inline void rl_lock(struct rl_lock *lock) RL_ACQUIRES(*lock) RL_UNCHECKED_LOCKING
{
    if (!rl_try_lock(lock)) rl_lock_slow(lock);
}

static inline bool rl_lock_is_held(const struct rl_lock *lock)
{
    return atomic_load_explicit(&lock->state, memory_order_relaxed) != RL_LOCK_FREE;
}

RL_INLINE_FOR_SPEED void rl_unlock(struct rl_lock *lock) RL_RELEASES(*lock) RL_UNCHECKED_LOCKING
{
    unsigned before = atomic_exchange_explicit(&lock->state, RL_LOCK_FREE, memory_order_release);
    if (before == RL_LOCK_CONTENDED) rl_unlock_slow(lock);
}

#endif
