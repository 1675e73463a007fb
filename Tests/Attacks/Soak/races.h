/*
 * Two threads, one object: for each kind of object a maker and a table of calls, and races.c, which
 * has three threads make random calls of the table on one object at the same time, while a fourth
 * one and two dispatch queues serve it. Callbacks make such calls too. Nothing is counted: crashes,
 * sanitizers, the clock and leaks decide.
 *
 * A table has the calls that the headers allow on any thread. Before a call that is allowed on one
 * thread at a time, such as reading a stream, a thread takes a claim.
 */

#ifndef RACES_H
#define RACES_H

#include "soak.h"

enum { RACERS = 3, LOOPS = RACERS + 1, MOST_OBJECTS = 4 };

struct dispatch_queue_s;

/* A round: one object, or a few that belong together. */
struct race {
    const struct kind *kind;
    RLTypeRef objects[MOST_OBJECTS];
    /* An object without a type: a test clock, a process id. */
    void *other;
    /* The descriptors of the objects, if not negative; closed with the race. */
    int fds[2];
    /* For choices of the maker. */
    struct random random;
    /* The users: the driver, and each object with this info. */
    atomic_uint references;
    /* An object is in a loop or has a queue, and so has to be ended. */
    atomic_bool is_served;
    /* A claim on calls that one thread at a time may make on an object. */
    atomic_flag claims[MOST_OBJECTS];
};

/* A caller: a thread, or a callback. */
struct racer {
    struct race *race;
    struct random random;
    /* The next call is on this object. */
    void *object;
    unsigned index;
};

struct call {
    const char *name;
    void (*function)(struct racer *self);
    /* It may wait for what others do, and so is not for callbacks. */
    bool waits;
};

/* Tables of calls end with one without a name. */
struct kind {
    const char *name;
    /* Makes the objects, each with one reference. */
    void (*make)(struct race *race);
    const struct call *calls;
    /* Ends an object, so that no call waits for it any more. Any thread may call it, repeatedly. */
    void (*end)(struct racer *self);
    /* The object's source, retained; null if it has none. */
    RLRunLoopSourceRef (*copy_source)(void *object);
    /* Ends the race's other resources, when no call is made any more. */
    void (*finish)(struct race *race);
    /* Ends the resources of running callbacks, with the last context. */
    void (*dispose)(struct race *race);
    /* The calls for everything that is in loops are left out: they would not do. */
    bool is_apart;
};

/* Each list ends with null. */
extern const struct kind *const timer_kinds[],
    *const source_kinds[], *const loop_kinds[], *const descriptor_kinds[], *const stream_kinds[];

/* The calls for everything that is in loops. */
extern const struct call common_calls[];

/* The loops of the racers, and the loop of the thread that always runs. */
extern RLRunLoopRef loops[LOOPS];
/* A serial queue and a concurrent one. */
extern struct dispatch_queue_s *queues[2];
/* A folder for files. */
extern char folder[];

/* The context's info is the race. */
const void *retain_race(const void *race);
void release_race(const void *race);
static inline void *retain_info(void *race)
{
    return (void *)(uintptr_t)retain_race(race);
}
static inline void release_info(void *race)
{
    release_race(race);
}

/* Callbacks make a call. */
void be_called(struct race *race, const void *object);

bool flip(struct racer *self);
RLRunLoopRef some_loop(struct racer *self);
RLRunLoopMode some_mode(struct racer *self);
/* A few at most, in seconds. */
double some_milliseconds(struct racer *self);

/* Whether this thread has the claim; releases it. */
bool claim(struct racer *self);
void give_up(struct racer *self);

/* Returns the argument. Fails if it is null, or a negative descriptor. */
void *needed(const void *value);
int needed_fd(int fd);

#endif
