/*
 * One interface to all event loops that are compared, and the workloads that are run on it.
 *
 * An engine is a table of functions; what it cannot do is null, and workloads that need it are left
 * out. Unless stated otherwise, functions are called by the loop's own thread.
 */

#ifndef ENGINES_H
#define ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*engine_call)(void *info);

/* A call with its argument. */
struct thunk {
    engine_call call;
    void *info;
};

struct engine {
    /* A loop for the calling thread. */
    void *(*open)(void);
    void (*close)(void *loop);

    /* Serves until `stop` is called by something that it serves. */
    void (*run)(void *loop);
    void (*stop)(void *loop);
    /* One pass that does not sleep. */
    void (*poll)(void *loop);
    /* Serves once, sleeping so long at most. Null: `run_once`, with a timer for the limit. */
    void (*run_for)(void *loop, double seconds);
    void (*run_once)(void *loop);
    /* Reads the clock, for loops that keep the time of their last pass. May be null. */
    void (*refresh)(void *loop);

    /* What other threads ring; `ring` may be called by any thread. */
    void *(*add_bell)(void *loop, engine_call call, void *info);
    void (*ring)(void *loop, void *bell);
    void (*remove_bell)(void *loop, void *bell);

    /* What the loop's own thread signals. Null: bells do that. */
    void *(*add_source)(void *loop, engine_call call, void *info);
    void (*signal)(void *loop, void *source);
    void (*remove_source)(void *loop, void *source);
    /* A source that signals itself is called again in the same pass: nothing to compare with. */
    bool joins_pass;

    /* Fires once if the interval is 0, and is removed in any case. The workload keeps the thunk. */
    void *(*add_timer)(void *loop, int64_t delay_ns, int64_t interval_ns,
                       const struct thunk *thunk);
    void (*move_timer)(void *loop, void *timer, int64_t delay_ns);
    void (*remove_timer)(void *loop, void *timer);

    /* Calls while the descriptor, an eventfd, is readable. */
    void *(*add_descriptor)(void *loop, int fd, engine_call call, void *info);
    void (*remove_descriptor)(void *loop, void *descriptor);
    /* The engine empties eventfds itself. */
    bool empties_descriptors;

    /* Queues a call and wakes the loop; any thread. Null: a queue of ours with a bell. */
    void (*post)(void *loop, engine_call call, void *info);

    /* Has the loop look for so long before it sleeps. Null: it cannot. */
    void (*look_before_sleeping)(void *loop, double seconds);

    /*
     * Whether workloads run on the calling thread, the main one, where loops serve the main
     * dispatch queue too. Else they run on a thread of their own.
     */
    bool is_on_main;

    /*
     * Whether the process measures more when a workload has ended, so that the workload must leave
     * nothing in the loop and no descriptor open.
     */
    bool is_used_again;
    /* The numbers of sources, timers and observers of a loop. Null if unknown. */
    size_t (*count_items)(void *loop);
};

extern const struct engine engine_ours, engine_floor;

/* The peers; all null where the library is not installed. */
extern const struct engine engine_cf, engine_glib, engine_libuv, engine_libev, engine_libevent,
    engine_sd_event;

/* What a workload found: one figure, or many to be made a distribution of. */
struct samples {
    double *values;
    size_t count;
    size_t capacity;
};

void samples_add(struct samples *samples, double value);
void samples_free(struct samples *samples);

struct workload {
    const char *name;
    const char *unit;
    /* Whether the samples are a distribution. */
    bool is_distribution;
    enum workload_need {
        NEEDS_NOTHING,
        NEEDS_DESCRIPTORS,
        /* Off in a loop unless asked for, so that its figures stand apart from the others. */
        NEEDS_LOOKING
    } need;
    /* The sizes at which it is run; 0 ends the list. */
    size_t sizes[6];
    /* On the calling thread, which has no loop yet. */
    void (*run)(const struct engine *engine, size_t size, struct samples *samples);
};

/* The workload at an index, or null past the last one. */
const struct workload *workload_at(size_t index);

/* Whether an engine has what a workload needs. */
bool workload_fits(const struct workload *workload, const struct engine *engine);

/* How many descriptors the process has open while a workload runs, those that it has included. */
size_t workload_descriptors(const struct workload *workload, size_t size);

/* Lets the process open as many descriptors as it may, and returns how many. */
size_t raise_descriptor_limit(void);

/* Runs a workload on a thread of its own, or on this one if the engine is on main. */
void workload_run(const struct workload *workload, const struct engine *engine, size_t size,
                  struct samples *samples);

/*
 * The time for which the process has run, all threads together. Where a loop has work all the time,
 * it is what its work takes, whatever else the machine does, and whichever threads the loop has do
 * it. Where threads wait for each other, the time that passes is measured.
 */
int64_t processor_ns(void);

/* How many processors the calling thread may use; workloads for two have no figure with one. */
int processor_count(void);

/* Binds the calling thread to the first or second of them. */
void bind_to_processor(int number);

/* What the process has now: bytes from malloc, and descriptors. */
double bytes_in_use(void);
int open_descriptors(void);

/* An eventfd that does not block, and making it readable. */
int make_event_descriptor(void);
void ring_event_descriptor(int fd);

#endif
