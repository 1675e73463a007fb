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

/* The delay before refused registrations are retried. */
enum { RL_WAIT_RETRY_NS = 5000000 };

/* The code that reads a descriptor, and so detects a stale event. */
enum rl_wait_reader {
    /* The client: see struct rl_wait_slot. */
    RL_READ_BY_CLIENT,
    /* The client, but the loop empties counters: for a source of version 1. */
    RL_READ_AS_PORT,
    /* The client. An object of the engine handles EOF and errors. */
    RL_READ_THROUGH_ENGINE,
    /* An object of the engine. It reads without blocking, and handles EOF and errors too. */
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
    /* The number of the `epoll_wait` that reported it: see rl_wait_last_fetch. */
    uint64_t fetch;
    /* The source to serve, retained; null if the event is not a descriptor's. */
    void *source;
};

/* The number of `epoll_wait` calls so far, on any thread. */
extern atomic_uint_fast64_t rl_wait_fetches;

/*
 * Returns the number of the last `epoll_wait` on any thread. Numbers grow: each later `epoll_wait`
 * sees the effects of the caller's earlier actions.
 */
static inline uint64_t rl_wait_last_fetch(void)
{
    return atomic_load(&rl_wait_fetches);
}

struct rl_wait_slot;

/* Other folders use the functions below, not the fields. */
struct rl_wait_set {
    struct rl_wake *wake;
    /* The clock of the deadlines. */
    const rl_clock_slot *clock;
    int poll_fd;
    int timer_fd;
    /*
     * A set that contains this one, or -1. The host waits for it, and so is not affected when this
     * one is made anew.
     */
    int host_fd;
    /* The loop is hosted. Only the loop's thread changes it. */
    bool is_hosted;
    /* The moment for which the timer port is armed; 0 if it is not. */
    atomic_int_fast64_t armed_ns;
    /* A power of two of slots, followed by as many buckets. */
    struct rl_wait_slot *slots;
    uint32_t slot_count;
    uint32_t first_free;
    /* The number of refused registrations, and the slot at which the next retry begins. */
    uint32_t refused, next_retry;
    /*
     * The number of events that no source wanted, since the set was made. Only the loop's thread.
     */
    uint32_t rejections;
    /* The slot that the next sleep checks for a hint; and the main queue's port, or -1. */
    uint32_t hinted;
    int main_queue_port;
    /*
     * The fetched events that the loop has not served yet, in the kernel's order, and the number of
     * their `epoll_wait`. Null until a fetch returns several events. Only the loop's thread.
     */
    struct rl_kernel_event *batch;
    uint32_t batch_first, batch_count;
    uint64_t batch_fetch;
    /*
     * The number of the set's fetches, and whether the last fetch's events are still in the
     * kernel's order. Only the loop's thread.
     */
    uint16_t fetches;
    bool is_unsorted;
    /* The number of used slots. The loop's thread reads it without the lock. */
    atomic_uint descriptors;
    bool has_main_queue;
    /*
     * The loop sleeps, with this set or, if that could not be made, without a set. Set with the
     * lock held, so that a sleep and a change of timers see one another. Cleared without the lock.
     */
    atomic_bool is_asleep;
};

/* --- The functions for other folders -----------------------------------------------------------
 */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock);
void rl_wait_set_destroy(struct rl_wait_set *set);

/* For a forked child: closes its descriptors of the parent's kernel objects. */
void rl_wait_set_forget(struct rl_wait_set *set);

/*
 * Registers a source's descriptor. Returns its slot, or RL_NO_SLOT for a negative descriptor. A
 * file that epoll rejects counts as always ready for all events, as with poll(2).
 */
uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader);

/* Changes the events of a slot. */
void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);
void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t slot);

/*
 * Adds the main dispatch queue's port to the set, or removes it. Returns false, with a warning, on
 * failure. To remove a closed port, pass a negative `port`.
 */
bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * The first makes the kernel's set if there is none, and returns whether there is one, with a
 * warning if not. The second retries refused registrations, and returns whether none is missing.
 */
bool rl_wait_set_open(struct rl_wait_set *set);
bool rl_wait_set_retry(struct rl_wait_set *set);

/*
 * Arms the timer port for the moment, or disarms it for RL_NEVER_NS. Returns false if there is no
 * set, or, with a warning, if the timer port cannot be made. Makes no system call if the port is
 * armed so already.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Arms the timer port again for the same moment. Call this when the clock has moved or was
 * replaced.
 */
void rl_wait_set_rearm(struct rl_wait_set *set);

/*
 * Takes one event from the batch or, if that is empty, from the kernel, waiting until the deadline
 * at most; marks the loop as awake. For the loop's thread, without the loop's lock.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Completes a descriptor's event: its source, retained, or null if none waits for it any more or
 * the event went back to the batch, behind newer events; and the readiness for which to call it.
 * Reads the count of a counter, which another thread may have read before. If the event comes from
 * the batch, polls again where a stale event would do harm.
 */
void rl_wait_set_accept(struct rl_wait_set *set, struct rl_event *event, bool has_waited);

/* Returns the source of an event, or null if the slot has a new owner. */
void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event);

/*
 * Marks the loop, or its host, as waiting for the set. With the lock held, so that a sleep and a
 * change of timers see one another. The end of a sleep is marked without it.
 */
void rl_wait_set_fall_asleep(struct rl_wait_set *set);
void rl_wait_set_get_up(struct rl_wait_set *set);

/*
 * Makes the host's descriptor, which is readable when the set has events. Later, arming the timer
 * port cannot fail. Returns a negative errno value if the kernel has no descriptors left.
 */
int rl_wait_set_begin_hosting(struct rl_wait_set *set);
void rl_wait_set_end_hosting(struct rl_wait_set *set);

/* The descriptor and events of a slot; -1 and no events for RL_NO_SLOT. Loop locked. */
struct rl_wait_slot_state {
    int fd;
    uint32_t interest;
};
struct rl_wait_slot_state rl_wait_set_slot_state(const struct rl_wait_set *set, uint32_t slot);

/* The descriptors of a set's kernel objects; -1 for missing ones. */
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

/* The loop's thread needs no lock for this. */
static inline bool rl_wait_set_has_sources(const struct rl_wait_set *set)
{
    return set->descriptors > 0;
}

static inline bool rl_wait_set_is_asleep(const struct rl_wait_set *set)
{
    return set->is_asleep;
}

/* Returns whether a change of timers may affect the set. */
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

/* Returns whether there are fetched events. Only for the loop's thread. */
static inline bool rl_wait_set_has_batch(const struct rl_wait_set *set)
{
    return set->batch_first < set->batch_count;
}

/*
 * In debug builds, returns a source whose descriptor was closed, or null. Checks one slot in each
 * call.
 */
const void *rl_wait_set_find_closed(struct rl_wait_set *set, int *ret_fd);

#endif
