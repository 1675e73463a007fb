/* Only wait_set.c and wait_slots.c include this header. */

#ifndef RL_WAIT_SLOTS_H
#define RL_WAIT_SLOTS_H

#include "wait/wait_set.h"

struct rl_wait_slot {
    /* A port may have several sources: the loop serves the source added last. */
    void *owners[2];
    void **more;
    uint32_t count;
    /* A stale event has the generation of an earlier owner. */
    uint32_t generation;
    int fd;
    /* Registered instead of `fd`: a duplicate, or an eventfd that is always ready. -1 if none. */
    int substitute_fd;
    /* The events that are registered with the kernel. */
    uint32_t interest;
    enum rl_wait_reader reader;
    /* A port that is an eventfd or a timerfd. */
    bool is_counter;
    bool is_level;
    /* The source wants read events: its client may read bytes that another source waits for. */
    bool is_read;
    /*
     * A socket with a lasting error: edge-triggered in spite of `is_level`, and rearmed after an
     * event that was more than the error.
     */
    bool is_paced;
    /* In blocking mode, a call after a spurious event blocks. `is_blocking` is set lazily. */
    bool is_blocking, knows_blocking;
    bool is_registered;
    /* The kernel had no memory or watches left; the registration is retried. */
    bool is_refused;
    /*
     * The last event had an error. If the next event has an error too, the client ignores the
     * error.
     */
    bool had_error;
    /*
     * The last fetch that reported the slot, modulo 2^16; 0 if there was none since the
     * registration.
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

void rl_wait_slots_register_all(struct rl_wait_set *set);

/* True if another slot has the same descriptor and its client reads it. */
bool rl_wait_slots_share(const struct rl_wait_set *set, uint32_t slot);

void rl_wait_slots_forget(struct rl_wait_set *set);

void rl_wait_slots_classify_ports(struct rl_wait_set *set);

/*
 * Call this before an event with the readiness `ready` is delivered. Stops the reports of a dead
 * descriptor, and makes a lasting error edge-triggered, so that neither keeps the loop busy.
 */
void rl_wait_slots_quiet(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

#endif
