/* The slots of a set, for wait_set.c and wait_slots.c only. */

#ifndef RL_WAIT_SLOTS_H
#define RL_WAIT_SLOTS_H

#include "wait/wait_set.h"

/* A registered descriptor and its sources. */
struct rl_wait_slot {
    /* The sources of the descriptor. A port may have several: the source added last is served. */
    void *owners[2];
    void **more;
    uint32_t count;
    /* The generation of the slot. A stale event carries the generation of an earlier owner. */
    uint32_t generation;
    int fd;
    /* Registered instead of `fd`: a duplicate, or an eventfd that is always ready; else -1. */
    int substitute_fd;
    /* The events registered with the kernel in this mode. */
    uint32_t interest;
    enum rl_wait_reader reader;
    /* A port that is an eventfd or a timerfd. */
    bool is_counter;
    /* Level-triggered: reported while it is ready, not once for each change. */
    bool is_level;
    /* The current owner waits for input: its client may read the input before it is served. */
    bool is_read;
    /*
     * A socket whose error lasts: reported once for each change, although it is level-triggered,
     * and once more after an event that was more than an error.
     */
    bool is_paced;
    /* Whether a call on `fd` blocks after a spurious event. Determined at its first use. */
    bool is_blocking, knows_blocking;
    bool is_registered;
    /* The kernel had no memory or watches left: the registration is retried. */
    bool is_refused;
    /*
     * The last delivered event had an error. If the next one has an error too, the client ignores
     * it.
     */
    bool had_error;
    /* The last fetch that reported the slot, modulo 2^16; 0 if none did since the registration. */
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

/* For a new epoll set. */
void rl_wait_slots_register_all(struct rl_wait_set *set);

/* Returns whether the client of another slot reads the same descriptor. */
bool rl_wait_slots_share(const struct rl_wait_set *set, uint32_t slot);

/* Marks all slots as not registered. */
void rl_wait_slots_forget(struct rl_wait_set *set);

/* Reclassifies the descriptors of ports. */
void rl_wait_slots_classify_ports(struct rl_wait_set *set);

/*
 * Call this before a slot's event is delivered; `ready` are its events. Stops the reports of a dead
 * descriptor, and makes those of a lasting error edge-triggered: neither may keep the loop busy.
 */
void rl_wait_slots_quiet(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

#endif
