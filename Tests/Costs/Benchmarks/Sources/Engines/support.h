/*
 * What workloads and engines share: time, memory, and a queue of calls for engines without one.
 */

#ifndef SUPPORT_H
#define SUPPORT_H

#include "include/Engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Callbacks need few of the parameters that they get. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The number of calls by thunks on this thread; a run that should end after one call reads it. */
extern _Thread_local unsigned calls_served;

static inline void thunk_call(const struct thunk *thunk)
{
    calls_served++;
    thunk->call(thunk->info);
}

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static inline void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) abort();
    return memory;
}

/* Stops with a line if a function of the system or of an engine failed. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "benchmarks: %s:%d: %s\n", __FILE__, __LINE__, #condition);            \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The functions that have the same names in the files of all engines. */
#define ENGINE_FUNCTIONS                                                                           \
    .open = open_loop, .close = close_loop, .run = run, .stop = stop, .poll = poll_once,           \
    .add_bell = add_bell, .ring = ring, .add_timer = add_timer, .move_timer = move_timer,          \
    .add_descriptor = add_descriptor

/* The functions that remove items, in two cases: each has its own, or they have one. */
#define REMOVE_FUNCTIONS                                                                           \
    .remove_bell = remove_bell, .remove_timer = remove_timer, .remove_descriptor = remove_descriptor
#define ONE_REMOVE_FUNCTION(remove)                                                                \
    .remove_bell = remove, .remove_timer = remove, .remove_descriptor = remove

/* A function of a file that has a loop as its parameter and makes one call. */
#define LOOP_CALL(name, call)                                                                      \
    static void name(void *loop)                                                                   \
    {                                                                                              \
        call;                                                                                      \
    }

/* Calls posted to a loop: the engine's own way, or a locked list with a bell. */
struct post_office;

struct post_office *post_office_open(const struct engine *engine, void *loop);
void post_office_post(struct post_office *office, engine_call call, void *info);
void post_office_close(struct post_office *office);

#endif
