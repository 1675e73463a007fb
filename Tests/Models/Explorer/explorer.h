/* The data that the parts of the explorer share: its threads, and memory. */

#ifndef EXPLORER_H
#define EXPLORER_H

#include "explore.h"

#include <ucontext.h>

enum { STACK_BYTES = 1 << 17, LOCALS_BYTES = 256, MOST_STORES = 16, MOST_KEYS = 4 };

struct late_store {
    volatile void *to;
    uint64_t value;
    size_t size;
    /* It overtakes no other. */
    bool is_release;
    /*
     * The number of the thread's release fences: stores overtake only stores with the same number.
     */
    int fences;
};

struct thread {
    ucontext_t context;
    char stack[STACK_BYTES] __attribute__((aligned(16)));
    char locals[LOCALS_BYTES];
    void *values[MOST_KEYS];
    struct late_store stores[MOST_STORES];
    int store_count, fences;
    /* The number of changes that its loads must have seen, now and after its next acquire fence. */
    int seen, read;
    bool (*is_over)(void *info);
    void *info;
    bool has_ended, is_pausing;
};

extern struct thread threads[EXPLORE_MOST_THREADS];
extern const struct explore_scenario *scenario;
extern int thread_count, running, preemptions;
/* False while a scenario is set up, and when its threads have ended. */
extern bool is_exploring;

/* Adds a step, which a failure prints. */
void explorer_note(int thread, const char *what, const char *file, int line);

/* Commits all stores of a thread. */
void memory_drain(struct thread *thread);

/* Forgets old values: a thread sees current ones. */
void memory_forget(void);

/* The running thread sees all changes. */
void memory_see_all(struct thread *thread);

#endif
