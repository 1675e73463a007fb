/* Only wait_set.c and wait_slots.c include this header. */

#ifndef RL_WAIT_SLOTS_H
#define RL_WAIT_SLOTS_H

#include "wait/wait_set.h"

struct rl_wait_slot {
    /* A port may have several sources. The loop serves the source that was added last. */
    void *owners[2];
    void **more;
    uint32_t count;
    /* Incremented as each use of the slot begins and ends. A stale event has a lower number. */
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
    /* True if the descriptor is a port that is an eventfd or a timerfd. */
    bool is_counter;
    bool is_level;
    /* The source wants read events, so its client may read bytes that another source waits for. */
    bool is_read;
    /*
     * True if the descriptor is a socket with a lasting error. It is then edge-triggered in spite
     * of `is_level`, and is rearmed after an event that was not only the error.
     */
    bool is_paced;
    /*
     * If the descriptor is in blocking mode, the client's call blocks after a spurious event.
     * `is_blocking` is set on demand.
     */
    bool is_blocking, knows_blocking;
    bool is_registered;
    /* True if the kernel had no memory or no watches left. The registration is retried. */
    bool is_refused;
    /* The last event had an error. If the next has one too, the client ignores the error. */
    bool had_error;
    /* The last fetch that reported the slot, modulo 2^16; 0 if none has since its registration. */
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

/* Returns true if another slot has the same descriptor and its client reads it. */
bool rl_wait_slots_share(const struct rl_wait_set *set, uint32_t slot);

void rl_wait_slots_forget(struct rl_wait_set *set);

void rl_wait_slots_classify_ports(struct rl_wait_set *set);

/*
 * Call this before an event with the readiness `ready` is delivered. If the descriptor is dead,
 * stops its reports; if it has a lasting error, makes it edge-triggered. Otherwise it would keep
 * the loop busy.
 */
void rl_wait_slots_quiet(struct rl_wait_set *set, uint32_t slot, uint32_t ready);

#endif
