/*
 * Each loop has one atomic word, so waking and stopping it are lock-free and async-signal-safe.
 * wake.c explains why no wake-up is lost. Tests/Models/wake.pml is a model of the word and of its
 * use by loops and hosts: change model and code together.
 *
 * The states of a loop without a host, by the bits of the word:
 *
 * - Idle (no bit): a wake-up or a stop is dropped. rl_wake_begin_run ends this state.
 * - In Entry observers, and in a pass until the end of its wait (running, listening): a wake-up
 *   sets `pending` and writes to the port. The port's event ends the wait, and rl_wake_consume
 *   clears `pending`.
 * - The same with a pending wake-up: further wake-ups have no effect.
 * - In client code after the wait, and in Exit observers (running): a wake-up sets `dropped`, and a
 *   stop is kept until the decision or the next wait. rl_wake_listen or rl_wake_end_run ends this
 *   state.
 */

#ifndef RL_WAKE_H
#define RL_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    /* A run is in progress. Without this bit, a stop is dropped. */
    RL_WAKE_RUNNING = 1u << 0,
    /* Without this bit, wake-ups are dropped (WAKE-2). */
    RL_WAKE_LISTENING = 1u << 1,
    /* A wake-up is pending. Further wake-ups are merged. */
    RL_WAKE_PENDING = 1u << 2,
    /* The innermost run must stop. */
    RL_WAKE_STOPPED = 1u << 3,
    /* Every wake-up calls the host. */
    RL_WAKE_HOSTED = 1u << 4,
    /* The host has not served the loop yet. Further calls are merged. */
    RL_WAKE_CALLED = 1u << 5,
    /* The current run has dropped a wake-up that an outer run may need (RUN-31). */
    RL_WAKE_DROPPED = 1u << 6
};

struct rl_wake {
    atomic_uint word;
    /* An eventfd, or -1 until the loop makes its first wait set. */
    atomic_int fd;
    /* The futex of a sleep without descriptors: 1 while the loop sleeps or is about to. */
    atomic_uint nap;
};

void rl_wake_init(struct rl_wake *wake);

/* Returns the port, created on demand, or a negative errno value. Call with the loop locked. */
int rl_wake_open(struct rl_wake *wake);

/*
 * Wakes the loop by the port, or ends its nap. If no wake-up is pending, the loop only checks its
 * timers and sleeps again. Call this with the loop locked.
 */
void rl_wake_write_port(struct rl_wake *wake);

/* Thread-safe and async-signal-safe. */
void rl_wake_up(struct rl_wake *wake);

/*
 * Wakes the loop for a source that this thread has just signalled. The signal has published the
 * thread's stores, so if a wake-up is pending, the word need not be written.
 */
static inline void rl_wake_up_for_signal(struct rl_wake *wake)
{
    unsigned word = atomic_load(&wake->word);
    if (!(word & RL_WAKE_PENDING) || (word & RL_WAKE_HOSTED)) rl_wake_up(wake);
}

void rl_wake_stop(struct rl_wake *wake);

/* The functions below are for the loop's thread, except rl_wake_end_nap and rl_wake_is_pending. */

/*
 * A nap is a sleep without a port, for a process that has no free descriptors. Another thread ends
 * the nap by rl_wake_end_nap or a write to the port. rl_wake_nap returns at once if a wake-up is
 * pending.
 */
void rl_wake_begin_nap(struct rl_wake *wake);
void rl_wake_nap(struct rl_wake *wake, int64_t deadline_ns);
void rl_wake_end_nap(struct rl_wake *wake);

/* The bits of a run. A nested run replaces them, and its end restores them. */
#define RL_WAKE_OF_A_RUN                                                                           \
    ((unsigned)(RL_WAKE_RUNNING | RL_WAKE_LISTENING | RL_WAKE_STOPPED | RL_WAKE_DROPPED))

/*
 * After this call, wake-ups are dropped. Call this before client code whose wake-ups are not
 * needed, because the loop checks for all work afterwards. A pending wake-up remains.
 */
static inline void rl_wake_ignore(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(unsigned)RL_WAKE_LISTENING);
}

/* After this call, wake-ups count. Call this before the loop checks for all work. */
static inline void rl_wake_listen(struct rl_wake *wake)
{
    atomic_fetch_or(&wake->word, RL_WAKE_LISTENING);
}

/* Begins a run, in which wake-ups count. Returns the outer run's bits, for rl_wake_end_run. */
static inline unsigned rl_wake_begin_run(struct rl_wake *wake)
{
    const unsigned bits = RL_WAKE_RUNNING | RL_WAKE_LISTENING;
    unsigned word = atomic_load(&wake->word);
    while (!atomic_compare_exchange_weak(&wake->word, &word, (word & ~RL_WAKE_OF_A_RUN) | bits)) {}
    return word & RL_WAKE_OF_A_RUN;
}

/*
 * Ends a run: drops an unused stop, and restores the outer run's bits. Returns whether the run
 * dropped a wake-up.
 */
static inline bool rl_wake_end_run(struct rl_wake *wake, unsigned outer)
{
    unsigned word = atomic_load(&wake->word), wanted;
    do {
        /* Any outer run may need the dropped wake-up. */
        unsigned dropped = outer & RL_WAKE_RUNNING ? word & RL_WAKE_DROPPED : 0;
        wanted = (word & ~RL_WAKE_OF_A_RUN) | outer | dropped;
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));
    return word & RL_WAKE_DROPPED;
}

static inline bool rl_wake_is_pending(const struct rl_wake *wake)
{
    return atomic_load(&wake->word) & RL_WAKE_PENDING;
}

/*
 * Uses a pending wake-up, and returns whether there was one. If so, later wake-ups are dropped,
 * because the loop is about to check for all work.
 */
static inline bool rl_wake_consume(struct rl_wake *wake)
{
    if (!rl_wake_is_pending(wake)) return false;
    atomic_fetch_and(&wake->word, ~(unsigned)(RL_WAKE_PENDING | RL_WAKE_LISTENING));
    return true;
}

static inline bool rl_wake_is_stopped(const struct rl_wake *wake)
{
    return atomic_load(&wake->word) & RL_WAKE_STOPPED;
}

/* Uses a pending stop, and returns whether there was one. */
static inline bool rl_wake_consume_stop(struct rl_wake *wake)
{
    if (!rl_wake_is_stopped(wake)) return false;
    atomic_fetch_and(&wake->word, ~(unsigned)RL_WAKE_STOPPED);
    return true;
}

/* Between these two calls, every wake-up calls the host. */
void rl_wake_begin_hosting(struct rl_wake *wake);
void rl_wake_end_hosting(struct rl_wake *wake);

static inline bool rl_wake_is_hosted(const struct rl_wake *wake)
{
    return atomic_load_explicit(&wake->word, memory_order_relaxed) & RL_WAKE_HOSTED;
}

/* Calls the host. Does nothing if an earlier call is pending. */
void rl_wake_call_host(struct rl_wake *wake);

/* Call this when the host has served its call: the next wake-up calls the host again. */
void rl_wake_answer(struct rl_wake *wake);

/* Takes back a call that the host has not served yet. */
void rl_wake_take_back(struct rl_wake *wake);

/* Takes a call that came after the previous call was taken back. Returns false if none came. */
bool rl_wake_take_late_call(struct rl_wake *wake);

#endif
