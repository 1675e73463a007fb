/*
 * What a mode waits for in the kernel: an epoll set with the loop's wake-up port, the mode's timer
 * port, the descriptors of its sources, and the main dispatch queue's port.
 *
 * The set is made when the first descriptor is registered or the loop first sleeps in the mode,
 * the timer port when a sleep first needs it. Guarded by the loop's lock; only waiting itself
 * happens without it.
 */

#ifndef RL_WAIT_SET_H
#define RL_WAIT_SET_H

#include "base/kernel.h"
#include "wait/ready_queue.h"

#include <stdatomic.h>
#include <stddef.h>

struct rl_loop;
struct rl_membership;

/* No slot: the source has no descriptor, or a negative one. */
#define RL_NO_SLOT UINT32_MAX

/* A registered descriptor. */
struct rl_wait_slot {
    /* Who is served; sources of version 1 with one port stack up, the last one added on top. */
    struct rl_membership *members[2];
    struct rl_membership **more;
    uint32_t count;
    /* Tells a new user of the slot from the one a stale event meant. */
    uint32_t stamp;
    int fd;
    /* A duplicate that epoll knows, where it knows `fd` already; else -1. */
    int duplicate_fd;
    uint32_t interest;
    bool is_counter;
    bool is_registered;
    /* In the ready queue. */
    bool is_queued;
    /* The last delivery told of an error; the same again means that nobody cares. */
    bool had_error;
    /* The next slot in the list of free ones, or in the bucket. */
    uint32_t next;
};

struct rl_wait_set {
    int poll_fd;
    int timer_fd;
    /* What the timer port is armed for; 0 when it is not. */
    int64_t armed_ns;
    /* A power of two of them; behind them are as many buckets. */
    struct rl_wait_slot *slots;
    /* Only of ports that are edge-triggered, and of the timer port. Null until there were some. */
    struct rl_ready_queue *ready;
    uint32_t slot_count;
    uint32_t first_free;
    /* Slots in use. Read without the lock by the loop's thread, to see that there are none. */
    atomic_uint descriptors;
    /* Those of them, and reasons beside, for which events are taken one by one; see wait_set.c. */
    atomic_uint singles;
    bool has_main_queue;
    /*
     * The loop is in the kernel, waiting for this set: set with the lock held, so that a sleep and a
     * change of timers see one another; it ends without.
     */
    atomic_bool is_asleep;
};

enum rl_event_kind {
    RL_EVENT_NONE,
    RL_EVENT_WAKE_UP,
    RL_EVENT_TIMER,
    RL_EVENT_MAIN_QUEUE,
    RL_EVENT_DESCRIPTOR
};

/* Of a size that functions return in registers. */
struct rl_event {
    enum rl_event_kind kind;
    uint32_t slot;
    uint32_t stamp;
    /* What the descriptor is ready for, in kernel.h's words. */
    uint16_t ready;
    /* It was in the queue: callbacks have run since the kernel told of it. */
    bool is_late;
    /* Its source is the last one on the loop's stack of held references. */
    bool is_held;
};

void rl_wait_set_init(struct rl_wait_set *set);
void rl_wait_set_destroy(struct rl_wait_set *set);

/* Forgets all kernel objects, closing this process's descriptors of them: after a fork. */
void rl_wait_set_forget(struct rl_wait_set *set);

/* Makes the epoll set if there is none; false, with a warning, if the kernel has no more. */
bool rl_wait_set_open(struct rl_wait_set *set, struct rl_loop *loop);

/*
 * Arms the timer port for the moment, or disarms it for RL_NEVER_NS, if it is not so already.
 * False, with a warning, if there is no timer port and the kernel has no more.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/* Registers a source's descriptor; the result is its slot, RL_NO_SLOT for a negative descriptor. */
uint32_t rl_wait_set_add(struct rl_wait_set *set, struct rl_loop *loop,
                         struct rl_membership *membership, int fd, uint32_t interest);
void rl_wait_set_remove(struct rl_wait_set *set, struct rl_membership *membership, uint32_t slot);

/* Changes what a slot waits for. */
void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);

/* Waits for the main dispatch queue's port, or no longer. */
void rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * Takes one event out of the queue or, if that is empty, from the kernel, waiting until the moment at
 * most. Called without the loop's lock. If `is_exact` the kernel keeps what it does not give.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, struct rl_loop *loop, int64_t deadline_ns,
                                 bool is_exact);

/* Whether there are events that need no call of the kernel. Only for the loop's thread. */
static inline bool rl_wait_set_has_queued(const struct rl_wait_set *set)
{
    return !rl_ready_queue_is_empty(set->ready);
}

/* Takes the count of a counter that is ready; whether there still was one. */
bool rl_wait_set_take_count(struct rl_wait_set *set, struct rl_event event);

/* The timer port is reported; whether it has fired, as far as is known. Then it is armed for nothing. */
bool rl_wait_set_take_timer(struct rl_wait_set *set, struct rl_event event);

/* Has the kernel tell of everything again that is in the queue, since others look at the set now. */
void rl_wait_set_give_back(struct rl_wait_set *set);

/* Who is to be served for an event, or null if the slot has changed hands. */
struct rl_membership *rl_wait_set_member(const struct rl_wait_set *set, struct rl_event event);

/*
 * Called when a slot's event is about to be delivered: stops reporting a descriptor that is dead,
 * so that it cannot keep the loop busy. `ready` is what will be delivered.
 */
void rl_wait_set_quiet_dead(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

#endif
