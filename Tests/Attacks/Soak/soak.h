/*
 * The soak: loads that run for minutes, each of which counts its requests and their service by the
 * loops, so that a lost wake-up, block or signal is detected; and which leak no byte and no
 * descriptor.
 *
 * A load lives for a slice of a round: it starts threads, lets them work, waits until all requests
 * are served and the loops are quiet, and ends the threads.
 */

#ifndef SOAK_H
#define SOAK_H

#include <CHarness.h>
#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLTesting.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* --- What is asked and what is done ----------------------------------------------------------- */

/** A number that only grows, for which threads can wait. */
struct progress {
    atomic_uint value;
    atomic_uint waiting;
};

void progress_add(struct progress *progress, unsigned amount);

/** Raises it to the value; does nothing if it is there already. */
void progress_raise(struct progress *progress, unsigned value);

bool progress_has_reached(struct progress *progress, unsigned value);

/** Waits for the value. If it is never reached, prints `what` and the state of the loop. */
void progress_await(struct progress *progress, unsigned value, const char *what, RLRunLoopRef loop);

/** How long something may take until it counts as lost. */
enum { LOST_AFTER_S = 200 };

/** The contexts of items that have not been released. */
extern atomic_int contexts_alive;

/** The `retain` and the `release` of a context, which count these. */
const void *retain_context(const void *info);
void release_context(const void *info);

/* --- Threads with loops ----------------------------------------------------------------------- */

enum style {
    /** One run after the other. */
    RUNS_PLAINLY,
    /** Runs follow each other, and callbacks run the loop nested. */
    RUNS_NESTED,
    /** Callbacks run the loop nested, and a host, which sleeps in poll, makes the outer runs. */
    RUNS_HOSTED,
    STYLES
};

struct loop_thread {
    pthread_t thread;
    enum style style;
    RLRunLoopRef loop;
    /** Only its own thread uses what follows. */
    struct random random;
    RLRunLoopSourceRef keepers[2];
    atomic_bool is_over;
    atomic_uint depth;
    sem_t is_ready;
};

/** The second mode of all loops, a common one. */
extern const RLRunLoopMode second_mode;

/** Starts a thread that runs its loop until loop_thread_end. */
void loop_thread_start(struct loop_thread *self, enum style style, uint64_t seed);
void loop_thread_end(struct loop_thread *self);

/** The two ends of being such a thread, for the main thread. */
void loop_thread_run(struct loop_thread *self);
void loop_thread_stop(struct loop_thread *self);

/** To be called in callbacks: runs the loop of the calling thread nested now and then. */
void run_nested_perhaps(void);

/** Waits until no callback is under way, when there is nothing left to do. */
void loop_thread_await_quiet(struct loop_thread *self);

/** That the thread sleeps, once other loads have left its loop alone. */
void loop_thread_check_idle(struct loop_thread *self);

/** A thread without a loop. */
pthread_t start_thread(void *(*body)(void *), void *argument);
void join_thread(pthread_t thread, const char *who);

/* --- Loads ------------------------------------------------------------------------------------ */

/** Its part of a round. */
struct slice {
    uint64_t seed;
    int64_t end_ns;
    /** How many threads ask: 1, 2, 4, 8, 16, round by round. */
    unsigned askers;
    /** The requests. */
    atomic_ullong operations;
};

struct load {
    const char *name;
    /** What its operations are. */
    const char *unit;
    void (*body)(struct slice *slice);
};

extern const struct load posting_load, main_load, waking_load, stopping_load, changing_load,
    forking_load, ending_load;

/** The main thread's loop, which all rounds share. */
extern struct loop_thread main_loop_thread;

/* --- Races ------------------------------------------------------------------------------------ */

/** Blocks the signals of event sources, before there are threads. */
void block_signals(void);

/** Races for objects of all kinds, or of the one with the name: see races.h. */
void race_for(double seconds, uint64_t seed, const char *kind);

/** The signals whose handlers wake and stop the loop that they come with. */
void install_signal_handlers(void);

#endif
