/*
 * The wait set of a mode: an epoll set with the loop's wake-up port, the mode's timer port, the
 * descriptors of the mode's sources, and the main dispatch queue's port. wait_set.c has the set and
 * its events; wait_slots.c has the descriptors of sources.
 *
 * The epoll set is created when the first descriptor is registered or the loop first sleeps in the
 * mode. The timer port is created when a sleep first needs it. The loop's lock guards the wait set.
 * Only the loop's thread waits, and it uses the fetched events without the lock.
 */

#ifndef RL_WAIT_SET_H
#define RL_WAIT_SET_H

#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "wait/wake.h"

#include <stdatomic.h>
#include <stddef.h>

/* The slot number of a source without a descriptor. */
#define RL_NO_SLOT UINT32_MAX

/* The time before the loop retries registrations for which the kernel had no room. */
enum { RL_WAIT_RETRY_NS = 5000000 };

/* The code that reads a descriptor. This code also detects stale events. */
enum rl_wait_reader {
    /*
     * The client reads. `is_blocking` in struct rl_wait_slot decides whether the engine checks for
     * stale events.
     */
    RL_READ_BY_CLIENT,
    /* A version-1 source: the client reads, but the loop resets counters. */
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
    /* The readiness of the descriptor, in the bits of kernel.h. */
    uint32_t ready;
    /* The number of the fetch that reported the event: see rl_wait_last_fetch. */
    uint64_t fetch;
    /* The source to serve, retained. Null if the event is not a descriptor's. */
    void *source;
};

/* The number of fetches (`epoll_wait` calls) on all threads so far. */
extern atomic_uint_fast64_t rl_wait_fetches;

/*
 * Returns the number of the last fetch on any thread. A fetch with a higher number sees everything
 * that the calling thread did before.
 */
static inline uint64_t rl_wait_last_fetch(void)
{
    return atomic_load(&rl_wait_fetches);
}

struct rl_wait_slot;

/* Code in other folders must use the functions below instead of the fields. */
struct rl_wait_set {
    struct rl_wake *wake;
    /* The loop's clock, by which deadlines are measured. */
    const rl_clock_slot *clock;
    int poll_fd;
    int timer_fd;
    /*
     * An outer epoll set that contains `poll_fd`, or -1. The host waits for the outer set, so the
     * host is not affected when the inner set is recreated.
     */
    int host_fd;
    /* The loop is hosted. Only the loop's thread changes this. */
    bool is_hosted;
    /* The moment for which the timer port is armed, or 0 if it is not armed. */
    atomic_int_fast64_t armed_ns;
    /* The slots, followed in memory by as many buckets. Their number is a power of two. */
    struct rl_wait_slot *slots;
    uint32_t slot_count;
    uint32_t first_free;
    /*
     * The number of slots for which the kernel had no room, and the slot with which the next retry
     * begins.
     */
    uint32_t refused, next_retry;
    /*
     * The number of events that no source wanted since the epoll set was made. Only the loop's
     * thread uses this.
     */
    uint32_t rejections;
    /* The slot that the next sleep checks for a hint, and the main queue's port or -1. */
    uint32_t hinted;
    int main_queue_port;
    /*
     * The fetched events that are not served yet, in the kernel's order, and the number of their
     * fetch. `batch` is null until a fetch returns several events. Only the loop's thread uses
     * these fields.
     */
    struct rl_kernel_event *batch;
    uint32_t batch_first, batch_count;
    uint64_t batch_fetch;
    /*
     * The number of fetches of this set, and whether the batch is still in the kernel's order. Only
     * the loop's thread uses these fields.
     */
    uint16_t fetches;
    bool is_unsorted;
    /* The number of used slots. The loop's thread reads this without the lock. */
    atomic_uint descriptors;
    bool has_main_queue;
    /*
     * The loop is asleep in this mode, with or without an epoll set. Set with the lock held, so
     * that a change of timers sees the sleep or the sleep sees the change. Cleared without the
     * lock.
     */
    atomic_bool is_asleep;
};

/* --- The functions for other folders -----------------------------------------------------------
 */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock);
void rl_wait_set_destroy(struct rl_wait_set *set);

/*
 * Closes all descriptors. Used in a forked child, whose descriptors share the parent's kernel
 * objects.
 */
void rl_wait_set_forget(struct rl_wait_set *set);

/*
 * Registers a source's descriptor. Returns its slot, or RL_NO_SLOT if the descriptor is negative. A
 * file that epoll does not support is always ready for all events, as with poll(2).
 */
uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader);

/* Changes the wanted events of a slot. */
void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);
void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t slot);

/*
 * Adds the main dispatch queue's port to the set, or removes it. On failure, prints a warning and
 * returns false. If the port was closed, pass a negative `port`.
 */
bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * rl_wait_set_open creates the epoll set if there is none. On failure, it prints a warning and
 * returns false. rl_wait_set_retry retries registrations for which the kernel had no room. It
 * returns whether all descriptors are registered now.
 */
bool rl_wait_set_open(struct rl_wait_set *set);
bool rl_wait_set_retry(struct rl_wait_set *set);

/*
 * Arms the timer port for the moment; RL_NEVER_NS disarms it. Returns false if there is no epoll
 * set, or, with a warning, if the timer port cannot be created. Makes no system call if the port is
 * armed for this moment already.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Arms the timer port again for the same moment. Call this when the clock has moved or was
 * replaced.
 */
void rl_wait_set_rearm(struct rl_wait_set *set);

/*
 * Takes one event from the batch or, if the batch is empty, from the kernel. Waits until the
 * deadline at most. Marks the loop as awake. Call this on the loop's thread without the loop's
 * lock.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Completes a descriptor's event: stores its source, retained, and the readiness with which to call
 * the source. The source is null if no source waits for the event, or if the event went back to the
 * batch behind newer events. Reads the count of a counter, which another thread may have read
 * before. If the event was in a batch and a stale event would do harm, polls the descriptor again.
 */
void rl_wait_set_accept(struct rl_wait_set *set, struct rl_event *event, bool has_waited);

/* Returns the source of an event, or null if the slot has a new owner. */
void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event);

/*
 * Mark the loop as asleep in this set, and as awake. Call rl_wait_set_fall_asleep with the lock
 * held, so that a change of timers sees the sleep or the sleep sees the change. rl_wait_set_get_up
 * needs no lock.
 */
void rl_wait_set_fall_asleep(struct rl_wait_set *set);
void rl_wait_set_get_up(struct rl_wait_set *set);

/*
 * Returns the host's descriptor, which is readable when the set has events, or a negative errno
 * value if the process has no descriptors left. While the loop is hosted, arming the timer port
 * cannot fail.
 */
int rl_wait_set_begin_hosting(struct rl_wait_set *set);
void rl_wait_set_end_hosting(struct rl_wait_set *set);

/*
 * The descriptor and the events of a slot, or -1 and no events for RL_NO_SLOT. Call
 * rl_wait_set_slot_state with the loop locked.
 */
struct rl_wait_slot_state {
    int fd;
    uint32_t interest;
};
struct rl_wait_slot_state rl_wait_set_slot_state(const struct rl_wait_set *set, uint32_t slot);

/* The descriptors of a set's kernel objects; -1 if an object does not exist. */
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

/* Needs no lock on the loop's thread. */
static inline bool rl_wait_set_has_sources(const struct rl_wait_set *set)
{
    return set->descriptors > 0;
}

static inline bool rl_wait_set_is_asleep(const struct rl_wait_set *set)
{
    return set->is_asleep;
}

/* Returns whether a change of timers may require a change of the set. */
static inline bool rl_wait_set_is_in_use(const struct rl_wait_set *set)
{
    return set->is_asleep || set->armed_ns != 0 || set->descriptors > 0;
}

/* Returns the moment for which the timer port is armed, or RL_NEVER_NS if it is not armed. */
static inline int64_t rl_wait_set_armed_for(const struct rl_wait_set *set)
{
    int64_t armed_ns = set->armed_ns;
    return armed_ns == 0 ? RL_NEVER_NS : armed_ns;
}

/* Returns whether there are fetched events. Only the loop's thread may call this. */
static inline bool rl_wait_set_has_batch(const struct rl_wait_set *set)
{
    return set->batch_first < set->batch_count;
}

/*
 * In debug builds, checks one slot per call: returns its source if its descriptor was closed.
 * Otherwise returns null.
 */
const void *rl_wait_set_find_closed(struct rl_wait_set *set, int *ret_fd);

#endif
