/*
 * Waking and stopping: one atomic word per loop, so that both are lock-free and may be called in
 * a signal handler.
 */

#ifndef RL_WAKE_H
#define RL_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    /* A run is under way; without it a stop is not remembered. */
    RL_WAKE_RUNNING = 1u << 0,
    /* Wake-ups count: a run is under way, but see rl_wake_ignore; else they are dropped. */
    RL_WAKE_LISTENING = 1u << 1,
    /* A wake-up has come and has not been used. Only one is kept. */
    RL_WAKE_PENDING = 1u << 2,
    /* The loop is in the kernel, or on its way there: a wake-up has to write to the port. */
    RL_WAKE_ASLEEP = 1u << 3,
    /* The innermost run is to stop. */
    RL_WAKE_STOPPED = 1u << 4,
    /* Another event loop waits for this one: every wake-up calls it. */
    RL_WAKE_HOSTED = 1u << 5,
    /* The host has been called and has not come yet; once is enough. */
    RL_WAKE_CALLED = 1u << 6,
    /* From here up: the loop's count of timer placements when the wake-up came. */
    RL_WAKE_STAMP_SHIFT = 8
};

struct rl_wake {
    atomic_uint_fast64_t word;
    /* The eventfd; -1 until the loop first sleeps. */
    atomic_int fd;
    /* Wake-ups are ignored. Only the loop's thread writes it. */
    atomic_bool is_ignoring;
    /* The count of timer placements, which orders wake-ups among timers. */
    atomic_uint_fast64_t placements;
};

void rl_wake_init(struct rl_wake *wake);

/* Any thread, any signal handler. */
void rl_wake_up(struct rl_wake *wake);
void rl_wake_stop(struct rl_wake *wake);

/*
 * The first of them for who has just made his work visible by an exchange: who uses up a wake-up that is
 * pending looks for work after it, and so finds this. Nothing is written to the word then, which would
 * take it away from the loop's processor and those of other clients.
 */
static inline void rl_wake_up_for_pushed(struct rl_wake *wake)
{
    uint64_t word = atomic_load(&wake->word);
    if (!(word & RL_WAKE_PENDING) || (word & RL_WAKE_HOSTED)) rl_wake_up(wake);
}

/* Without any order: a guess. */
static inline bool rl_wake_seems_pending(const struct rl_wake *wake)
{
    return atomic_load_explicit(&wake->word, memory_order_relaxed) & RL_WAKE_PENDING;
}

/*
 * The rest is for the loop's own thread. Small and inline: an empty pass consists of them.
 */

/* Announces a sleep; false if a wake-up has come already. */
bool rl_wake_fall_asleep(struct rl_wake *wake);

/* Ends a sleep that no wake-up has ended. */
static inline void rl_wake_get_up(struct rl_wake *wake)
{
    if (atomic_load_explicit(&wake->word, memory_order_relaxed) & RL_WAKE_ASLEEP) {
        atomic_fetch_and(&wake->word, ~(uint64_t)RL_WAKE_ASLEEP);
    }
}

#define RL_WAKE_OF_A_RUN ((uint64_t)(RL_WAKE_RUNNING | RL_WAKE_LISTENING | RL_WAKE_STOPPED))

static inline bool rl_wake_is_ignoring(const struct rl_wake *wake)
{
    return atomic_load(&wake->is_ignoring);
}

/*
 * To be called before client code runs that must not wake the loop, which will look at everything anyway.
 * Nothing is written to the word, which would take a locked instruction here and one to listen again: a
 * wake-up by who has not seen this yet is taken back by rl_wake_listen, or when the run ends. One that is
 * pending is not, and those that follow are one with it.
 */
static inline void rl_wake_ignore(struct rl_wake *wake)
{
    if (!(atomic_load(&wake->word) & RL_WAKE_PENDING)) {
        atomic_store_explicit(&wake->is_ignoring, true, memory_order_relaxed);
    }
}

/* Takes a wake-up back that has come while they were ignored, unless it came with a stop. */
void rl_wake_take_back_ignored(struct rl_wake *wake);

/* To be called before a look at everything. */
static inline void rl_wake_listen(struct rl_wake *wake)
{
    if (rl_wake_is_ignoring(wake)) rl_wake_take_back_ignored(wake);
}

/* Replaces the bits of a run, and takes others off; returns what it replaced. */
static inline uint64_t rl_wake_swap_run(struct rl_wake *wake, uint64_t bits, uint64_t others)
{
    uint64_t gone = RL_WAKE_OF_A_RUN | others, word = atomic_load(&wake->word);
    while (!atomic_compare_exchange_weak(&wake->word, &word, (word & ~gone) | bits)) {}
    return word & RL_WAKE_OF_A_RUN;
}

/* A run begins, in which wake-ups count: returns what the outer one is to get back from rl_wake_end_run. */
static inline uint64_t rl_wake_begin_run(struct rl_wake *wake)
{
    return rl_wake_swap_run(wake, RL_WAKE_RUNNING | RL_WAKE_LISTENING, 0);
}

/* A run ends, and with it the wake-ups that it ignored. If the outer one ignores them, that goes on. */
static inline void rl_wake_end_run(struct rl_wake *wake, uint64_t outer, bool outer_ignores)
{
    bool was_ignoring = rl_wake_is_ignoring(wake);
    if (outer_ignores) {
        rl_wake_ignore(wake);
    } else if (was_ignoring) {
        atomic_store(&wake->is_ignoring, false);
    }
    rl_wake_swap_run(wake, outer, was_ignoring ? RL_WAKE_PENDING : 0);
}

static inline bool rl_wake_is_pending(const struct rl_wake *wake, uint64_t *ret_stamp)
{
    uint64_t word = atomic_load(&wake->word);
    *ret_stamp = word >> RL_WAKE_STAMP_SHIFT;
    return word & RL_WAKE_PENDING;
}

/*
 * Uses the wake-up, if one is pending; the sleep that it ended is over. To ignore those that follow is
 * for when somebody is about to be told of the end: for many wake-ups at once he is told once.
 */
static inline bool rl_wake_consume(struct rl_wake *wake, bool ignores_others)
{
    const uint64_t gone = RL_WAKE_PENDING | RL_WAKE_ASLEEP;
    bool was_pending = atomic_fetch_and(&wake->word, ~gone) & RL_WAKE_PENDING;
    /* One that has come since then is another: it is taken back, too. */
    if (ignores_others) atomic_store_explicit(&wake->is_ignoring, true, memory_order_relaxed);
    return was_pending;
}

static inline bool rl_wake_is_stopped(const struct rl_wake *wake)
{
    return atomic_load(&wake->word) & RL_WAKE_STOPPED;
}

static inline bool rl_wake_consume_stop(struct rl_wake *wake)
{
    if (!rl_wake_is_stopped(wake)) return false;
    atomic_fetch_and(&wake->word, ~(uint64_t)RL_WAKE_STOPPED);
    return true;
}

/* From now on wake-ups call a host, or no longer. */
void rl_wake_begin_hosting(struct rl_wake *wake);
void rl_wake_end_hosting(struct rl_wake *wake);

static inline bool rl_wake_is_hosted(const struct rl_wake *wake)
{
    return atomic_load_explicit(&wake->word, memory_order_relaxed) & RL_WAKE_HOSTED;
}

/* Calls the host, unless it has been called. */
void rl_wake_call_host(struct rl_wake *wake);

/* The call has been seen in the host's set: the next wake-up is another. */
void rl_wake_answer(struct rl_wake *wake);

/* Takes a call back that nobody has seen. */
void rl_wake_take_back(struct rl_wake *wake);

#endif
