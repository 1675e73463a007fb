/*
 * What a mode waits for in the kernel: an epoll set with the loop's wake-up port, the mode's timer
 * port, the descriptors of its sources, and the main dispatch queue's port. wait_set.c has the set
 * and its events, wait_slots.c the descriptors of sources and their registrations.
 *
 * The set is made when the first descriptor is registered or the loop first sleeps in the mode,
 * the timer port when a sleep first needs it. Guarded by the loop's lock; only waiting itself, and
 * what it has taken, needs none: that is for the loop's thread.
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

/* Who reads a descriptor, and so finds out that an event is over by the time of its turn. */
enum rl_wait_reader {
    /* The client: see struct rl_wait_slot. */
    RL_READ_BY_CLIENT,
    /* The same, but counters are emptied by the loop: a source of version 1. */
    RL_READ_AS_PORT,
    /* An object of the engine, which need not be helped. */
    RL_READ_BY_ENGINE
};

/* A descriptor that is waited for. */
struct rl_wait_slot {
    /* The sources that wait; ports stack up, and the last one added, on top, is served. */
    void *owners[2];
    void **more;
    uint32_t count;
    /* Tells a new user of the slot from the one that a stale event meant. */
    uint32_t stamp;
    int fd;
    /*
     * What is registered in place of `fd`: a duplicate, or an eventfd that is always ready; else
     * -1.
     */
    int substitute_fd;
    uint32_t interest;
    enum rl_wait_reader reader;
    /* A port that is an eventfd or a timerfd. */
    bool is_counter;
    /* Level-triggered: reported as long as it is ready, not once for each change. */
    bool is_level;
    /*
     * Whether a client that is told of what is over by now would wait in its call. Asked for when
     * that first matters.
     */
    bool is_blocking, knows_blocking;
    bool is_registered;
    /* The kernel had no room for the registration, which is to be tried again. */
    bool is_refused;
    /* The last delivery told of an error. If the next one does too, the client ignores it. */
    bool had_error;
    /* The next slot in the list of free ones, or in the bucket. */
    uint32_t next;
};

/* Events that the kernel has reported and the loop has not served yet, in the kernel's order. */
struct rl_wait_batch {
    uint32_t first, count;
    /* The look that told of them. */
    uint64_t look;
    struct rl_kernel_event events[RL_KERNEL_MOST_EVENTS];
};

struct rl_wait_set {
    struct rl_wake *wake;
    /* The clock by which deadlines come. */
    const rl_clock_slot *clock;
    int poll_fd;
    int timer_fd;
    /*
     * A set that contains this one, for a host, which need not know when this one is made anew; or
     * -1.
     */
    int host_fd;
    /* A host waits. Only the loop's thread changes it. */
    bool is_hosted;
    /* What the timer port is armed for; 0 when it is not. */
    atomic_int_fast64_t armed_ns;
    /* By the clock of a test: when the sleep under way ends in any case; else RL_NEVER_NS. */
    atomic_int_fast64_t limit_ns;
    /* A power of two of them; behind them are as many buckets. */
    struct rl_wait_slot *slots;
    uint32_t slot_count;
    uint32_t first_free;
    /* How many registrations have been refused, and which slot is looked at next for one. */
    uint32_t refused, next_retry;
    /* How many events nobody wanted, since the set was made. Only the loop's thread. */
    uint32_t rejections;
    /* Which slot the next sleep looks at, for a hint; and the main queue's port, or -1. */
    uint32_t hinted;
    int main_queue_port;
    /* Null until there were several events at once. Only the loop's thread. */
    struct rl_wait_batch *batch;
    /* Slots in use. Read without the lock by the loop's thread, to see that there are none. */
    atomic_uint descriptors;
    bool has_main_queue;
    /*
     * The loop is in the kernel, waiting for this set: set with the lock held, so that a sleep and
     * a change of timers see one another; it ends without.
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

struct rl_event {
    enum rl_event_kind kind;
    uint32_t slot;
    uint32_t stamp;
    /* What the descriptor is ready for, in kernel.h's words. */
    uint32_t ready;
    /* The number of the look that told of it: see rl_wait_last_look. */
    uint64_t look;
    /* The source of a descriptor that is to be served, retained; else null. */
    void *source;
};

/* How many looks at the kernel there were, on any thread. */
extern atomic_uint_fast64_t rl_wait_looks;

/*
 * Every look at the kernel, on any thread, has a number higher than those before it. Returns that
 * of the last one: what its caller has done before is seen by all looks with a higher number.
 */
static inline uint64_t rl_wait_last_look(void)
{
    return atomic_load(&rl_wait_looks);
}

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock);
void rl_wait_set_destroy(struct rl_wait_set *set);

/* Forgets all kernel objects, closing this process's descriptors of them: after a fork. */
void rl_wait_set_forget(struct rl_wait_set *set);

/*
 * Makes the epoll set if there is none. Returns false, with a warning, if the kernel has no more.
 */
bool rl_wait_set_open(struct rl_wait_set *set);

/*
 * Makes what a host waits for: a descriptor that is readable when the set has events. From then on
 * arming the timer port cannot fail. Returns a negative errno value if the kernel has no more.
 */
int rl_wait_set_begin_hosting(struct rl_wait_set *set);
void rl_wait_set_end_hosting(struct rl_wait_set *set);

/*
 * Arms the timer port for the moment, or disarms it for RL_NEVER_NS, if it is not so already.
 * Returns false, with a warning, if there is no timer port and the kernel has no more.
 */
bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns);

/*
 * Arms the timer port anew for what it is armed for: to be called when a clock of a test has moved,
 * or has taken the place of another.
 */
void rl_wait_set_rearm(struct rl_wait_set *set);

/*
 * Registers a source's descriptor. Returns its slot, or RL_NO_SLOT for a negative descriptor. A
 * file that epoll does not take counts as ready for everything at all times, as poll(2) says.
 */
uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader);
void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t slot);

/* Changes what a slot waits for. */
void rl_wait_set_change(struct rl_wait_set *set, uint32_t slot, uint32_t interest);

/*
 * Tries the registrations again that the kernel had no room for. Returns whether none is missing.
 */
bool rl_wait_set_retry(struct rl_wait_set *set);

/*
 * Waits for the main dispatch queue's port, or no longer. Returns false, with a warning, if it
 * cannot. To take out a port that is closed already, `port` is negative.
 */
bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included);

/*
 * Takes one event from the batch or, if that is empty, from the kernel, waiting until the moment at
 * most. For the loop's thread, without the loop's lock.
 */
struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns);

/* Returns whether there are events that need no call of the kernel. Only for the loop's thread. */
static inline bool rl_wait_set_has_batch(const struct rl_wait_set *set)
{
    return set->batch && set->batch->first < set->batch->count;
}

/*
 * Returns an event of a descriptor with what its source is to be served for, and that source, an
 * object, retained; or without a source if nobody waits for it any more. Takes the count of a
 * counter, which another thread may have taken. An event that has waited in the batch is looked at
 * again where one that is over would do harm.
 */
struct rl_event rl_wait_set_accept(struct rl_wait_set *set, struct rl_event event, bool has_waited);

/* Returns the source of an event, or null if the slot has changed hands since. */
void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event);

/*
 * Called when a slot's event is about to be delivered: stops reporting a descriptor that is dead,
 * so that it cannot keep the loop busy. `ready` is what will be delivered.
 */
void rl_wait_set_quiet_dead(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

/*
 * Debug builds say, once, that a descriptor was closed under its source. Looks at one of them in
 * each call.
 */
void rl_wait_set_hint_at_closed(struct rl_wait_set *set);

/* --- Between wait_set.c and wait_slots.c ------------------------------------------------------ */

/* Returns by what the kernel's events tell the user of a slot. */
static inline uint64_t rl_wait_payload(uint32_t slot, uint32_t stamp)
{
    return (uint64_t)stamp << 32 | slot;
}

/* Returns the sources of a slot, slot->count of them. */
static inline void **rl_wait_slot_owners(struct rl_wait_slot *slot)
{
    return slot->more ? slot->more : slot->owners;
}

/* Registers all slots in use, in an epoll set that has none of them. */
void rl_wait_slots_register_all(struct rl_wait_set *set);

/* Notes that no slot is registered any more. */
void rl_wait_slots_forget(struct rl_wait_set *set);

/* Looks anew at what the descriptors of ports are. */
void rl_wait_slots_classify_ports(struct rl_wait_set *set);

#endif
