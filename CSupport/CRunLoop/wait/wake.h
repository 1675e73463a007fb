/*
 * Waking and stopping: one atomic word per loop, so that both are lock-free and may be called in a
 * signal handler. wake.c explains why no wake-up is lost. Tests/Models/wake.pml is a model of the
 * word and of how loops and hosts use it: change them together.
 *
 * The states of a loop without a host, by its bits:
 *
 * - idle (no bit): a wake-up and a stop are dropped; ends with rl_wake_begin_run.
 * - in Entry observers, and in a pass until the end of its wait (running, listening): a wake-up
 *   sets `pending` and writes to the port, whose event ends the wait; rl_wake_consume uses both.
 * - the same, with a pending wake-up: another wake-up has no effect.
 * - in client code after the wait, and in Exit observers (running): a wake-up sets `dropped`, and a
 *   stop is kept until the decision or the next wait; ends with rl_wake_listen or
 *   rl_wake_end_run.
 */

#ifndef RL_WAKE_H
#define RL_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    /* A run has begun; without this bit a stop is dropped. */
    RL_WAKE_RUNNING = 1u << 0,
    /* Wake-ups count; else they are dropped (WAKE-2). */
    RL_WAKE_LISTENING = 1u << 1,
    /* A wake-up has not been used. Further wake-ups are merged with it. */
    RL_WAKE_PENDING = 1u << 2,
    /* The innermost run must stop. */
    RL_WAKE_STOPPED = 1u << 3,
    /* The loop is hosted: every wake-up calls the host. */
    RL_WAKE_HOSTED = 1u << 4,
    /* The host has been called and has not served the loop yet; further calls are merged. */
    RL_WAKE_CALLED = 1u << 5,
    /* The run under way has dropped a wake-up that an outer run may have needed (RUN-31). */
    RL_WAKE_DROPPED = 1u << 6
};

struct rl_wake {
    atomic_uint word;
    /* The eventfd; -1 until the first wait set of the loop is made. */
    atomic_int fd;
    /* A futex: 1 while the loop naps, or is about to. */
    atomic_uint nap;
};

void rl_wake_init(struct rl_wake *wake);

/* Returns the wake-up port, made at the first call, or a negative errno value. Loop locked. */
int rl_wake_open(struct rl_wake *wake);

/*
 * Writes to the port of a sleeping loop, or ends its nap. Without a pending wake-up the loop only
 * compares its timers with the clock, and sleeps again. Loop locked.
 */
void rl_wake_write_port(struct rl_wake *wake);

/* Async-signal-safe; any thread. */
void rl_wake_up(struct rl_wake *wake);

/*
 * Like rl_wake_up, for a source that this thread has just signalled. If a wake-up is pending, the
 * word need not be written: the signal alone publishes what this thread has stored.
 */
static inline void rl_wake_up_for_signal(struct rl_wake *wake)
{
    unsigned word = atomic_load(&wake->word);
    if (!(word & RL_WAKE_PENDING) || (word & RL_WAKE_HOSTED)) rl_wake_up(wake);
}

void rl_wake_stop(struct rl_wake *wake);

/*
 * Only the loop's own thread calls the functions below, except rl_wake_end_nap and
 * rl_wake_is_pending. Functions of an empty pass are inline.
 */

/*
 * A nap is a sleep without a port, when the kernel has no descriptors left. The first function
 * begins it; the second lasts until the deadline, or until a write to the port would end the sleep;
 * it returns at once if a wake-up is pending. Any thread may end a nap.
 */
void rl_wake_begin_nap(struct rl_wake *wake);
void rl_wake_nap(struct rl_wake *wake, int64_t deadline_ns);
void rl_wake_end_nap(struct rl_wake *wake);

/* The bits that belong to one run; a nested run replaces them, and its end restores them. */
#define RL_WAKE_OF_A_RUN                                                                           \
    ((unsigned)(RL_WAKE_RUNNING | RL_WAKE_LISTENING | RL_WAKE_STOPPED | RL_WAKE_DROPPED))

/*
 * Drops wake-ups from here on. Call this before client code that need not wake the loop, as the
 * loop checks for all work after it. A pending wake-up stays.
 */
static inline void rl_wake_ignore(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(unsigned)RL_WAKE_LISTENING);
}

/* Counts wake-ups from here on. Call this before the loop checks for all work. */
static inline void rl_wake_listen(struct rl_wake *wake)
{
    atomic_fetch_or(&wake->word, RL_WAKE_LISTENING);
}

/* Begins a run, in which wake-ups count. Returns the state for rl_wake_end_run to restore. */
static inline unsigned rl_wake_begin_run(struct rl_wake *wake)
{
    const unsigned bits = RL_WAKE_RUNNING | RL_WAKE_LISTENING;
    unsigned word = atomic_load(&wake->word);
    while (!atomic_compare_exchange_weak(&wake->word, &word, (word & ~RL_WAKE_OF_A_RUN) | bits)) {}
    return word & RL_WAKE_OF_A_RUN;
}

/* Ends a run, and clears an unused stop. Returns whether the run has dropped a wake-up. */
static inline bool rl_wake_end_run(struct rl_wake *wake, unsigned outer)
{
    unsigned word = atomic_load(&wake->word), wanted;
    do {
        /* A dropped wake-up may have been for any of the outer runs. */
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
 * Uses the pending wake-up, if there is one; later wake-ups are dropped, as the loop is about to
 * check for all work. Returns whether one was pending.
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

/* Uses the stop. Returns whether there was one. */
static inline bool rl_wake_consume_stop(struct rl_wake *wake)
{
    if (!rl_wake_is_stopped(wake)) return false;
    atomic_fetch_and(&wake->word, ~(unsigned)RL_WAKE_STOPPED);
    return true;
}

/* Make wake-ups call a host, and end that. */
void rl_wake_begin_hosting(struct rl_wake *wake);
void rl_wake_end_hosting(struct rl_wake *wake);

static inline bool rl_wake_is_hosted(const struct rl_wake *wake)
{
    return atomic_load_explicit(&wake->word, memory_order_relaxed) & RL_WAKE_HOSTED;
}

/* Calls the host, unless it has been called. */
void rl_wake_call_host(struct rl_wake *wake);

/* Call this when the host has seen its call, so that the next wake-up calls again. */
void rl_wake_answer(struct rl_wake *wake);

/* Takes back a call that the host has not seen. */
void rl_wake_take_back(struct rl_wake *wake);

/*
 * Removes a late call: its client set the mark in time, but wrote to the port only after the call
 * was taken back. Returns whether there was one.
 */
bool rl_wake_take_late_call(struct rl_wake *wake);

#endif
