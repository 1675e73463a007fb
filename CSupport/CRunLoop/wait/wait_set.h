/*
 * The wait set of a mode: an epoll set with the loop's wake-up port, the mode's timer port, the
 * descriptors of its sources, and the main dispatch queue's port. wait_set.c has the set and its
 * events; wait_slots.c has the descriptors of sources.
 *
 * The set is made when the first descriptor is registered or the loop first sleeps in the mode, the
 * timer port when a sleep first needs it. Guarded by the loop's lock. Only the loop's thread waits,
 * and uses what the wait has taken; it needs no lock for that.
 */

#ifndef RL_WAIT_SET_H
#define RL_WAIT_SET_H

#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "wait/wake.h"

#include <stdatomic.h>
#include <stddef.h>

/* No slot: the source has no descriptor, or a negative one. */
#define RL_NO_SLOT UINT32_MAX

/* Delay before retrying to register what the kernel had no room for. */
enum { RL_WAIT_RETRY_NS = 5000000 };

/* The code that reads a descriptor, and so learns if an event is over when its turn comes. */
enum rl_wait_reader {
    /* The client: see struct rl_wait_slot. */
    RL_READ_BY_CLIENT,
    /* The client, but the loop empties counters: a source of version 1. */
    RL_READ_AS_PORT,
    /* The client. An object of the engine deals with the end of the descriptor. */
    RL_READ_THROUGH_ENGINE,
    /* An object of the engine. It reads without waiting, and deals with the end too. */
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
    /* The readiness of the descriptor, in kernel.h's bits. */
    uint32_t ready;
    /* The number of the `epoll_wait` that found it: see rl_wait_last_poll. */
    uint64_t poll;
    /* The source to serve, retained; null if the event is not of a descriptor. */
    void *source;
};

/* The number of `epoll_wait` calls so far, on any thread. */
extern atomic_uint_fast64_t rl_wait_polls;

/*
 * Every `epoll_wait`, on any thread, has a higher number than those before it. Returns the number
 * of the last one. All with a higher number see what the caller has done before.
 */
static inline uint64_t rl_wait_last_poll(void)
{
    return atomic_load(&rl_wait_polls);
}

struct rl_wait_slot;

/* Other folders use a set by the functions below, and not by its fields. */
struct rl_wait_set {
    struct rl_wake *wake;
    /* The clock by which deadlines come. */
    const rl_clock_slot *clock;
    int poll_fd;
    int timer_fd;
    /*
     * A set that contains this one, or -1. The host waits for it, and so need not know when this
     * one is made anew.
     */
    int host_fd;
    /* A host waits. Only the loop's thread changes it. */
    bool is_hosted;
    /* The moment for which the timer port is armed; 0 if it is not. */
    atomic_int_fast64_t armed_ns;
    /* A power of two of slots; behind them are as many buckets. */
    struct rl_wait_slot *slots;
    uint32_t slot_count;
    uint32_t first_free;
    /* The number of refused registrations, and the slot at which the next search for one begins. */
    uint32_t refused, next_retry;
    /* The number of events that no source wanted since the set was made. Only the loop's thread. */
    uint32_t rejections;
    /* The slot that the next sleep checks, for a hint; and the main queue's port, or -1. */
    uint32_t hinted;
    int main_queue_port;
    /*
     * The events that the kernel has reported and the loop has not served yet, in the kernel's
     * order, and the number of their `epoll_wait`. Null until one finds several events. Only the
     * loop's thread.
     */
    struct rl_kernel_event *batch;
    uint32_t batch_first, batch_count;
    uint64_t batch_poll;
    /*
     * The number of times that the set has fetched events from the kernel, and whether those of
     * the last time still have the kernel's order. Only the loop's thread.
     */
    uint16_t fetches;
    bool is_unsorted;
    /* Slots in use. The loop's thread reads it without the lock, to see that there are none. */
    atomic_uint descriptors;
    bool has_main_queue;
    /*
     * The loop is in the kernel, waiting for this set, or for none if it could not be made. Set
     * with the lock held, so that a sleep and a change of timers see one another. Cleared without
     * the lock.
     */
    atomic_bool is_asleep;
};

/* --- The functions for other folders -----------------------------------------------------------
 */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock);
void rl_wait_set_destroy(struct rl_wait_set *set);

/* Forgets all kernel objects, closing this process's descriptors of them: after a fork. */
void rl_wait_set_forget(struct rl_wait_set *set);

/*
 * Registers a source's descriptor. Returns its slot, or RL_NO_SLOT for a negative descriptor. A
 * file that epoll rejects is always ready for all events, as with poll(2).
 */
uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader);

/* Changes what a slot waits for. */
void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);
void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t slot);

/*
 * Has the set wait for the main dispatch queue's port, or no longer. Returns false, with a warning,
 * if it cannot. To take out a port that is closed already, `port` is negative.
 */
bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * The first makes the kernel's set if there is none, and returns whether there is one, with a
 * warning if not. The second tries the registrations again for which the kernel had no room, and
 * returns whether none is missing.
 */
bool rl_wait_set_open(struct rl_wait_set *set);
bool rl_wait_set_retry(struct rl_wait_set *set);

/*
 * Arms the timer port for the moment, or disarms it for RL_NEVER_NS, unless that is done already.
 * Returns false if there is no set, or no timer port and the kernel has no more, with a warning.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Arms the timer port again for the same moment. To be called when the clock has moved, or has
 * taken the place of another.
 */
void rl_wait_set_rearm(struct rl_wait_set *set);

/*
 * Takes one event from the batch or, if that is empty, from the kernel, waiting until the moment at
 * most; notes that the loop is up. For the loop's thread, without the loop's lock.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Completes an event of a descriptor: its source, retained, or null if none waits for it any more
 * or the event went back to the batch, behind newer ones; and the readiness for which to call it.
 * Takes the count of a counter, which another thread may have taken before. Asks the kernel again
 * about an event that has waited in the batch, where a stale one would do harm.
 */
void rl_wait_set_accept(struct rl_wait_set *set, struct rl_event *event, bool has_waited);

/* Returns the source of an event, or null if the slot has changed hands since. */
void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event);

/*
 * Notes that the loop or its host waits for the set from now on. With the lock held, so that a
 * sleep and a change of timers see one another. The end of a sleep is noted without it.
 */
void rl_wait_set_fall_asleep(struct rl_wait_set *set);
void rl_wait_set_get_up(struct rl_wait_set *set);

/*
 * Makes what a host waits for: a descriptor that is readable when the set has events. From then on
 * arming the timer port cannot fail. Returns a negative errno value if the kernel has no more.
 */
int rl_wait_set_begin_hosting(struct rl_wait_set *set);
void rl_wait_set_end_hosting(struct rl_wait_set *set);

/* The descriptor and events of a slot; -1 and no events for RL_NO_SLOT. Loop locked. */
struct rl_wait_slot_state {
    int fd;
    uint32_t interest;
};
struct rl_wait_slot_state rl_wait_set_slot_state(const struct rl_wait_set *set, uint32_t slot);

/* The kernel's objects of a set; -1 for those that are not made. */
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

/* Returns whether a source waits for a descriptor. The loop's thread needs no lock for that. */
static inline bool rl_wait_set_has_sources(const struct rl_wait_set *set)
{
    return set->descriptors > 0;
}

static inline bool rl_wait_set_is_asleep(const struct rl_wait_set *set)
{
    return set->is_asleep;
}

/* Returns whether a change of timers may concern the set. */
static inline bool rl_wait_set_is_in_use(const struct rl_wait_set *set)
{
    return set->is_asleep || set->armed_ns != 0 || set->descriptors > 0;
}

/* Returns the moment for which the timer port is armed; RL_NEVER_NS if it is not. */
static inline int64_t rl_wait_set_armed_for(const struct rl_wait_set *set)
{
    int64_t armed_ns = set->armed_ns;
    return armed_ns == 0 ? RL_NEVER_NS : armed_ns;
}

/* Returns whether there are events that need no call of the kernel. Only for the loop's thread. */
static inline bool rl_wait_set_has_batch(const struct rl_wait_set *set)
{
    return set->batch_first < set->batch_count;
}

/*
 * Returns a source under which its descriptor was closed, in debug builds, or null. Looks at one
 * of them in each call.
 */
const void *rl_wait_set_find_closed(struct rl_wait_set *set, int *ret_fd);

#endif
