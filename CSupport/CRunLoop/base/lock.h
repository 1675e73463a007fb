/*
 * A lock of four bytes, and the annotations for Clang's thread safety analysis.
 *
 * The lock is mutex 2 of Ulrich Drepper's "Futexes Are Tricky". A thread spins only for a moment
 * and then sleeps, so a holder of lower priority can run. Locking is an acquire operation,
 * unlocking a release operation. Code that needs a stronger order adds it: see wake.c.
 *     lock:    if the state is FREE, set it to HELD
 *              else, until an exchange with CONTENDED returns FREE: sleep while CONTENDED
 *     unlock:  exchange with FREE; if that returns CONTENDED: wake one thread
 *
 * Exclusion: a thread takes the lock by one atomic operation that reads FREE and writes another
 * state, and only the holder writes FREE. So a state other than FREE has exactly one holder.
 *
 * No thread sleeps forever. The invariant: while a thread sleeps, the state is CONTENDED, or there
 * is a successor. A successor is a thread whose unlock has returned CONTENDED, until it has woken a
 * thread; or a thread that has woken up, until its next exchange. Each step keeps the invariant:
 * - A thread falls asleep only while the state is CONTENDED, as the kernel compares and sleeps in
 *   one step.
 * - A thread that unlocks a CONTENDED lock becomes a successor. If a thread unlocks a HELD lock or
 *   takes a FREE lock, the state was not CONTENDED. So if any thread sleeps, there is another
 *   successor.
 * - If a successor wakes a thread, that thread becomes the successor. If there is no thread to
 *   wake, no thread sleeps.
 * - An exchange in the lock loop leaves the state CONTENDED, whether it took the lock or not. Every
 *   successor makes progress: it runs, and when the holder of a CONTENDED lock unlocks the lock,
 *   the holder becomes the next successor.
 *
 * A spurious wake-up costs one exchange. It may leave the state CONTENDED although no thread
 * sleeps: then the next unlock makes one needless system call.
 *
 * A thread unlocks the lock before it wakes another thread. In between, the next holder may free
 * the lock's memory. This is harmless: the kernel only uses the address, and a wake-up of another
 * futex at this address is spurious, which every caller of futex(2) must expect.
 *
 * In a forked child, only the atfork handlers hold locks, and no other thread exists. At worst the
 * child's unlock wakes no thread.
 *
 * Tests/Models/Explorer runs this file and lock.c in every order with few preemptions.
 *
 * Lock order: tracers, loop table, loop or message port, item, then signals or a stream and its
 * watch; mutable strings last. Only
 * a fork takes other locks while it holds the loop table's lock. No lock is held while client code
 * runs, except for a source's callbacks that return a value.
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

/* If the compiler optimizes for size, the many callers of rl_unlock share one copy. */
#if defined(__OPTIMIZE_SIZE__)
#define RL_INLINE_FOR_SPEED static inline __attribute__((noinline))
#else
#define RL_INLINE_FOR_SPEED static inline
#endif

/* FREE is 0, so zeroed memory is a free lock. */
enum {
    RL_LOCK_FREE,
    /* A thread holds the lock, and no other thread sleeps for it. */
    RL_LOCK_HELD,
    /* A thread holds the lock, and other threads may sleep for it. */
    RL_LOCK_CONTENDED,
};

struct RL_CAPABILITY rl_lock {
    atomic_uint state;
};

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
