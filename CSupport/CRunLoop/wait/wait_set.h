/*
 * The wait set of a mode: an epoll set with the loop's wake-up port, the mode's timer port, the
 * descriptors of the mode's sources, and the main dispatch queue's port. wait_slots.c has the
 * descriptors.
 *
 * The epoll set is created for the first descriptor or the first sleep, and the timer port for the
 * first sleep that needs it. The loop's lock guards the wait set. Only the loop's thread waits; it
 * uses the fetched events without the lock.
 */

#ifndef RL_WAIT_SET_H
#define RL_WAIT_SET_H

#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "wait/wake.h"

#include <stdatomic.h>
#include <stddef.h>

/* The slot of a source without a descriptor. */
#define RL_NO_SLOT UINT32_MAX

/* The interval of retries after the kernel had no room for a registration. */
enum { RL_WAIT_RETRY_NS = 5000000 };

/* Determines which code reads a descriptor, and which code detects stale events. */
enum rl_wait_reader {
    /* The client reads. In blocking mode, the engine checks for stale events. */
    RL_READ_BY_CLIENT,
    /* For version-1 sources: the client reads, but the loop resets counters. */
    RL_READ_AS_PORT,
    /* The client reads, and an object of the engine handles EOF and errors. */
    RL_READ_THROUGH_ENGINE,
    /* An object of the engine reads without blocking, and handles EOF and errors. */
    RL_READ_BY_ENGINE
};

enum rl_event_kind {
    RL_EVENT_NONE,
    RL_EVENT_WAKE_UP,
    RL_EVENT_TIMER,
    RL_EVENT_MAIN_QUEUE,
    RL_EVENT_DESCRIPTOR
};

struct rl_event {
    enum rl_event_kind kind;
    uint32_t slot;
    uint32_t generation;
    /* The ready events of the descriptor, in the bits of kernel.h. */
    uint32_t ready;
    /* The number of the event's fetch: see rl_wait_last_fetch. */
    uint64_t fetch;
    /* A retained source; null unless the event comes from a source's descriptor. */
    void *source;
};

/* Counts the fetches (`epoll_wait` calls) on all threads. */
extern atomic_uint_fast64_t rl_wait_fetches;

/*
 * Returns the number of the last fetch. A fetch with a higher number sees everything that the
 * calling thread did before this call.
 */
static inline uint64_t rl_wait_last_fetch(void)
{
    return atomic_load(&rl_wait_fetches);
}

struct rl_wait_slot;

/* Only the files of this folder use the fields. */
struct rl_wait_set {
    struct rl_wake *wake;
    /* The clock by which deadlines are given. */
    const rl_clock_slot *clock;
    int poll_fd;
    int timer_fd;
    /* An epoll set that contains `poll_fd`, or -1. The host polls it, so `poll_fd` can change. */
    int host_fd;
    /* Only the loop's thread changes this. */
    bool is_hosted;
    /* The moment of the timer port, or 0 if it is not armed. */
    atomic_int_fast64_t armed_ns;
    /* The slots. As many buckets follow the slots in memory. `slot_count` is a power of two. */
    struct rl_wait_slot *slots;
    uint32_t slot_count;
    uint32_t first_free;
    /* The number of slots that the kernel refused, and the first slot of the next retry. */
    uint32_t refused, next_retry;
    /* The number of unwanted events since the set was made. Only the loop's thread uses this. */
    uint32_t rejections;
    /* The slot that the next sleep checks for a hint, and the main queue's port or -1. */
    uint32_t hinted;
    int main_queue_port;
    /*
     * The events that are not served yet, in the kernel's order, and the number of their fetch.
     * `batch` may be null. Only the loop's thread uses these.
     */
    struct rl_kernel_event *batch;
    uint32_t batch_first, batch_count;
    uint64_t batch_fetch;
    /*
     * `fetches` counts the fetches of this set, and wraps around. `is_unsorted` is true while the
     * batch is in the kernel's order. Only the loop's thread uses these.
     */
    uint16_t fetches;
    bool is_unsorted;
    /* The number of used slots. The loop's thread reads this without the lock. */
    atomic_uint descriptors;
    bool has_main_queue;
    /* True while the loop is asleep, even without an epoll set: see rl_wait_set_fall_asleep. */
    atomic_bool is_asleep;
};

/* --- The functions for other folders ---------------------------------------------------------- */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock);
void rl_wait_set_destroy(struct rl_wait_set *set);

/* For a forked child: closes all descriptors, which share the parent's kernel objects. */
void rl_wait_set_forget(struct rl_wait_set *set);

/*
 * Returns RL_NO_SLOT if the descriptor is negative. If epoll does not support the file, it is
 * always ready for all events, as with poll(2).
 */
uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader);

void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);
void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t slot);

/*
 * Adds or removes the main queue's port. On failure, prints a warning and returns false. If the
 * port was closed, pass a negative `port`.
 */
bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * rl_wait_set_open creates the epoll set if there is none; on failure, it prints a warning and
 * returns false. rl_wait_set_retry returns true if all descriptors are registered now.
 */
bool rl_wait_set_open(struct rl_wait_set *set);
bool rl_wait_set_retry(struct rl_wait_set *set);

/*
 * Arms the timer port, or disarms it if the deadline is RL_NEVER_NS. Costs nothing if the port is
 * armed for this moment. Returns false without an epoll set, or, with a warning, if the port cannot
 * be created.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/* Call this when the clock has moved or was replaced. */
void rl_wait_set_rearm(struct rl_wait_set *set);

/*
 * Takes an event from the batch or, if the batch is empty, waits for the kernel until the deadline.
 * Marks the loop as awake. Call this on the loop's thread without the loop's lock.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Stores the retained source and the readiness to report to the source in the event. The source is
 * null if no source waits for the event, or if the event went back to the batch behind newer
 * events. Resets a counter. Polls the descriptor again if the event was in a batch and a stale
 * event would do harm.
 */
void rl_wait_set_accept(struct rl_wait_set *set, struct rl_event *event, bool has_waited);

/* Returns the source of the event's slot, or null if the slot has a new owner. */
void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event);

/*
 * Call rl_wait_set_fall_asleep with the lock held: a change of timers then sees the sleep, or the
 * sleep sees the change. rl_wait_set_get_up needs no lock.
 */
void rl_wait_set_fall_asleep(struct rl_wait_set *set);
void rl_wait_set_get_up(struct rl_wait_set *set);

/*
 * rl_wait_set_begin_hosting returns a descriptor that is readable when the set has events, or a
 * negative errno value. While the loop is hosted, arming the timer port cannot fail.
 */
int rl_wait_set_begin_hosting(struct rl_wait_set *set);
void rl_wait_set_end_hosting(struct rl_wait_set *set);

/*
 * For RL_NO_SLOT, the descriptor is -1, and there are no events. Call rl_wait_set_slot_state with
 * the loop locked.
 */
struct rl_wait_slot_state {
    int fd;
    uint32_t interest;
};
struct rl_wait_slot_state rl_wait_set_slot_state(const struct rl_wait_set *set, uint32_t slot);

/* A descriptor is -1 if its object does not exist. */
struct rl_wait_descriptors {
    int poll, timer, host;
};

static inline struct rl_wait_descriptors rl_wait_set_descriptors(const struct rl_wait_set *set)
{
    return (struct rl_wait_descriptors){set->poll_fd, set->timer_fd, set->host_fd};
}

static inline bool rl_wait_set_is_open(const struct rl_wait_set *set)
{
    return set->poll_fd >= 0;
}

static inline bool rl_wait_set_is_hosted(const struct rl_wait_set *set)
{
    return set->is_hosted;
}

static inline bool rl_wait_set_has_main_queue(const struct rl_wait_set *set)
{
    return set->has_main_queue;
}

/* On the loop's thread, this needs no lock. */
static inline bool rl_wait_set_has_sources(const struct rl_wait_set *set)
{
    return set->descriptors > 0;
}

static inline bool rl_wait_set_is_asleep(const struct rl_wait_set *set)
{
    return set->is_asleep;
}

/* Returns true if a change of timers may require a change of the set. */
static inline bool rl_wait_set_is_in_use(const struct rl_wait_set *set)
{
    return set->is_asleep || set->armed_ns != 0 || set->descriptors > 0;
}

/* Returns RL_NEVER_NS if the timer port is not armed. */
static inline int64_t rl_wait_set_armed_for(const struct rl_wait_set *set)
{
    int64_t armed_ns = set->armed_ns;
    return armed_ns == 0 ? RL_NEVER_NS : armed_ns;
}

/* Only the loop's thread may call this. */
static inline bool rl_wait_set_has_batch(const struct rl_wait_set *set)
{
    return set->batch_first < set->batch_count;
}

/* In debug builds, checks one slot per call. If its descriptor was closed, returns its source. */
const void *rl_wait_set_find_closed(struct rl_wait_set *set, int *ret_fd);

#endif
