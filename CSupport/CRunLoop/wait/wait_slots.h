/* The slots of a wait set. Only wait_set.c and wait_slots.c include this header. */

#ifndef RL_WAIT_SLOTS_H
#define RL_WAIT_SLOTS_H

#include "wait/wait_set.h"

/* A slot: a registered descriptor and its sources. */
struct rl_wait_slot {
    /*
     * The sources of the descriptor. A port may have several sources: the loop serves the source
     * added last.
     */
    void *owners[2];
    void **more;
    uint32_t count;
    /* The slot's generation. A stale event has the generation of an earlier owner. */
    uint32_t generation;
    int fd;
    /*
     * The descriptor that is registered instead of `fd`: a duplicate, or an eventfd that is always
     * ready. -1 if there is none.
     */
    int substitute_fd;
    /* The events that are registered with the kernel. */
    uint32_t interest;
    enum rl_wait_reader reader;
    /* The descriptor is a port, and an eventfd or a timerfd. */
    bool is_counter;
    /*
     * Level-triggered: the kernel reports the descriptor while it is ready, not once for each
     * change.
     */
    bool is_level;
    /*
     * The current source waits for input, so its client may read the input before another source is
     * served.
     */
    bool is_read;
    /*
     * A socket with a lasting error. Although `is_level` is set, the kernel reports it once for
     * each change. It is rearmed after an event that was more than the error.
     */
    bool is_paced;
    /*
     * Whether `fd` is in blocking mode, so that a call after a spurious event would block; and
     * whether `is_blocking` is set already.
     */
    bool is_blocking, knows_blocking;
    bool is_registered;
    /* The kernel had no memory or watches left. The registration is retried. */
    bool is_refused;
    /*
     * The last delivered event had an error. If the next event has an error too, the client is
     * ignoring the error.
     */
    bool had_error;
    /*
     * The number of the last fetch that reported the slot, modulo 2^16. 0 if no fetch has reported
     * it since its registration.
     */
    uint16_t reported_by;
    uint32_t next;
};

static inline uint64_t rl_wait_payload(uint32_t slot, uint32_t generation)
{
    return (uint64_t)generation << 32 | slot;
}

static inline void **rl_wait_slot_owners(struct rl_wait_slot *slot)
{
    return slot->more ? slot->more : slot->owners;
}

/* Registers all used slots with a new epoll set. */
void rl_wait_slots_register_all(struct rl_wait_set *set);

/* Returns whether another slot has the same descriptor and its client reads it. */
bool rl_wait_slots_share(const struct rl_wait_set *set, uint32_t slot);

/* Marks all slots as not registered. */
void rl_wait_slots_forget(struct rl_wait_set *set);

/* Classifies the descriptors of ports again. */
void rl_wait_slots_classify_ports(struct rl_wait_set *set);

/*
 * Call this before a slot's event is delivered. `ready` is the event's readiness. Stops the reports
 * of a dead descriptor, and makes a lasting error edge-triggered, so that neither keeps the loop
 * busy.
 */
void rl_wait_slots_quiet(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

#endif
