/*
 * Registrations. This file avoids these traps of epoll:
 *
 * - A descriptor can be in a set once: a second registration goes through a duplicate.
 * - Regular files, directories and the like cannot be in a set. They are always ready, and so is
 *   the eventfd that stands in for one.
 * - Closing a descriptor removes it silently, so removing may fail and that is no error; or it may
 *   hit another file that has got the number since, so a slot learns that its file is gone.
 * - Closing a descriptor does not remove it while its file is open under another number, here or in
 *   a child. Nobody can remove it then: only a new set does not have it.
 * - The kernel reports a hang-up or an error again and again, whatever one asks for: a dead
 *   descriptor is taken out of the set once it has been reported.
 * - An event may be in flight for a slot that has changed hands: payloads carry a stamp.
 *
 * Ports that are emptied by one read are edge-triggered, which keeps the order of arrival; other
 * descriptors are level-triggered. Both are taken in batches, which saves calls. An event of the
 * batch may be over when its turn comes: other code has read what there was. A read of the count
 * finds that out for a counter. A client finds it out by a call that fails, if its descriptor does
 * not block. One that blocks is asked for by poll(2).
 */

#include "wait/wait_set.h"

#include "base/hint.h"
#include "base/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Payloads of what is not a source; slots are below. */
enum {
    WAKE_UP_SLOT = UINT32_MAX - 1,
    TIMER_SLOT = UINT32_MAX - 2,
    MAIN_QUEUE_SLOT = UINT32_MAX - 3
};

static uint64_t payload_of(uint32_t slot, uint32_t stamp)
{
    return (uint64_t)stamp << 32 | slot;
}

/*
 * --- The set ------------------------------------------------------------------------------------
 */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock)
{
    *set = (struct rl_wait_set){
        .wake = wake,
        .clock = clock,
        .poll_fd = -1,
        .timer_fd = -1,
        .host_fd = -1,
        .limit_ns = RL_NEVER_NS,
        .first_free = RL_NO_SLOT,
        .kept = RL_NO_SLOT,
    };
#if RL_HAS_HINTS
    set->main_queue_port = -1;
#endif
}

/* Notes that nothing is registered any more, as the kernel's set is gone. */
static void forget_registrations(struct rl_wait_set *set)
{
    set->has_main_queue = false;
    set->rejections = 0;
    if (set->batch) set->batch->first = set->batch->count = 0;
    for (uint32_t i = 0; i < set->slot_count; i++) {
        set->slots[i].is_registered = false;
        rl_kernel_close(&set->slots[i].substitute_fd);
    }
}

void rl_wait_set_forget(struct rl_wait_set *set)
{
    rl_kernel_close(&set->host_fd);
    rl_kernel_close(&set->poll_fd);
    rl_kernel_close(&set->timer_fd);
    set->armed_ns = 0;
    set->is_asleep = false;
    set->is_hosted = false;
    forget_registrations(set);
}

void rl_wait_set_destroy(struct rl_wait_set *set)
{
    rl_wait_set_forget(set);
    free(set->slots);
    free(set->batch);
}

/* Returns whether an error ends when the process has descriptors, or memory, again. */
static bool is_shortage(int error)
{
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -ENOSPC;
}

static void warn_of_failure(const char *what, int error)
{
    /* A loop without descriptors tries again at every sleep; once is enough to be told. */
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn("run loop", "cannot make %s: %s (the limit of open files is %ld)", what,
            strerror(-error), sysconf(_SC_OPEN_MAX));
}

static void connect_slot(struct rl_wait_set *set, uint32_t index);
static void give_up_kept(struct rl_wait_set *set);

/*
 * Adds a descriptor to the set. The one that is kept may have been closed, and this one have its
 * number: so that one is given up first.
 */
static int register_fd(struct rl_wait_set *set, int fd, uint32_t interest, uint64_t payload)
{
    give_up_kept(set);
    return rl_kernel_poll_add(set->poll_fd, fd, interest, payload);
}

/*
 * Puts the ports of the loop itself into a new set. Returns false, with a warning, if that fails.
 */
static bool add_own_ports(struct rl_wait_set *set, int poll_fd)
{
    const uint32_t interest = RL_KERNEL_READ | RL_KERNEL_EDGE;
    int wake_fd = rl_wake_open(set->wake);
    int result = wake_fd < 0
                     ? wake_fd
                     : rl_kernel_poll_add(poll_fd, wake_fd, interest, payload_of(WAKE_UP_SLOT, 0));
    if (result < 0) {
        warn_of_failure("a mode's wake-up port", result);
        return false;
    }
    if (set->timer_fd >= 0) {
        result = rl_kernel_poll_add(poll_fd, set->timer_fd, interest, payload_of(TIMER_SLOT, 0));
    }
    if (result == 0 && set->is_hosted) {
        result = rl_kernel_poll_add(set->host_fd, poll_fd, RL_KERNEL_READ, 0);
    }
    if (result < 0) warn_of_failure("a mode's ports", result);
    return result == 0;
}

bool rl_wait_set_open(struct rl_wait_set *set)
{
    if (set->poll_fd >= 0) return true;
    int poll_fd = rl_kernel_make_poll_set();
    if (poll_fd < 0) {
        warn_of_failure("a mode's wait set", poll_fd);
        return false;
    }
    if (!add_own_ports(set, poll_fd)) {
        rl_kernel_close(&poll_fd);
        return false;
    }
    set->poll_fd = poll_fd;
    for (uint32_t i = 0; i < set->slot_count; i++) {
        if (set->slots[i].count > 0) connect_slot(set, i);
    }
    return true;
}

static bool open_timer(struct rl_wait_set *set)
{
    if (set->timer_fd >= 0) return true;
    int timer_fd = rl_kernel_make_timer();
    int result = timer_fd < 0 ? timer_fd
                              : register_fd(set, timer_fd, RL_KERNEL_READ | RL_KERNEL_EDGE,
                                            payload_of(TIMER_SLOT, 0));
    if (result < 0) {
        warn_of_failure("a mode's timer port", result);
        rl_kernel_close(&timer_fd);
        return false;
    }
    set->timer_fd = timer_fd;
    return true;
}

bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns)
{
    /* No time-out ends a sleep by the clock of a test: the port has to. */
    if (rl_clock_is_tested() && set->limit_ns < deadline_ns) deadline_ns = set->limit_ns;
    int64_t wanted_ns = deadline_ns == RL_NEVER_NS ? 0 : deadline_ns < 1 ? 1 : deadline_ns;
    if (wanted_ns == set->armed_ns) return true;
    if (wanted_ns != 0 && !open_timer(set)) return false;
    rl_kernel_set_timer(set->timer_fd, rl_clock_port_moment(set->clock, wanted_ns));
    set->armed_ns = wanted_ns;
    return true;
}

void rl_wait_set_rearm(struct rl_wait_set *set)
{
    if (set->timer_fd < 0 || set->armed_ns == 0) return;
    rl_kernel_set_timer(set->timer_fd, rl_clock_port_moment(set->clock, set->armed_ns));
}

int rl_wait_set_begin_hosting(struct rl_wait_set *set)
{
    /* A host would be called for it, again and again. */
    give_up_kept(set);
    if (!rl_wait_set_open(set) || !open_timer(set)) return -EMFILE;
    int result = 0;
    if (set->host_fd < 0) result = set->host_fd = rl_kernel_make_poll_set();
    if (result >= 0) result = rl_kernel_poll_add(set->host_fd, set->poll_fd, RL_KERNEL_READ, 0);
    /* It may be there still, if it could not be taken out when the last hosting ended. */
    if (result < 0 && result != -EEXIST) {
        warn_of_failure("a host's wait set", result);
        return result;
    }
    set->is_hosted = true;
    return set->host_fd;
}

void rl_wait_set_end_hosting(struct rl_wait_set *set)
{
    /* Open, so that a host which still polls it sees that there is nothing to do. */
    rl_kernel_poll_remove(set->host_fd, set->poll_fd);
    set->is_hosted = false;
}

bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included)
{
    if (set->has_main_queue == is_included) return true;
#if RL_HAS_HINTS
    set->main_queue_port = is_included ? port : -1;
#endif
    if (is_included) {
        int result = port;
        if (port >= 0) {
            result = register_fd(set, port, RL_KERNEL_READ, payload_of(MAIN_QUEUE_SLOT, 0));
        }
        if (result < 0) warn_of_failure("a mode's main queue port", result);
        set->has_main_queue = result == 0;
    } else {
        rl_kernel_poll_remove(set->poll_fd, port);
        set->has_main_queue = false;
    }
    return set->has_main_queue == is_included;
}

/*
 * --- Slots --------------------------------------------------------------------------------------
 */

/*
 * Returns the buckets, which lie right behind the slots and are as many: each is a list of slots in
 * use, by descriptor.
 */
static uint32_t *buckets_of(const struct rl_wait_set *set)
{
    return (uint32_t *)(void *)&set->slots[set->slot_count];
}

static uint32_t *bucket_of(const struct rl_wait_set *set, int fd)
{
    return &buckets_of(set)[(uint32_t)fd & (set->slot_count - 1)];
}

static void link_slot(struct rl_wait_set *set, uint32_t index)
{
    uint32_t *bucket = bucket_of(set, set->slots[index].fd);
    set->slots[index].next = *bucket;
    *bucket = index;
}

static void unlink_slot(struct rl_wait_set *set, uint32_t index)
{
    uint32_t *link = bucket_of(set, set->slots[index].fd);
    while (*link != index) link = &set->slots[*link].next;
    *link = set->slots[index].next;
}

/* Doubles the slots, all of which are in use. */
static void make_slots(struct rl_wait_set *set)
{
    uint32_t old_count = set->slot_count, count = old_count ? old_count * 2 : 4;
    set->slots = rl_reallocate(set->slots, count * (sizeof set->slots[0] + sizeof(uint32_t)));
    memset(&set->slots[old_count], 0, (count - old_count) * sizeof set->slots[0]);
    set->slot_count = count;
    memset(buckets_of(set), 0xFF, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < old_count; i++) link_slot(set, i);
    for (uint32_t i = old_count; i < count; i++) {
        set->slots[i].substitute_fd = -1;
        set->slots[i].next = i + 1 < count ? i + 1 : RL_NO_SLOT;
    }
    set->first_free = old_count;
}

static void **owners_of(struct rl_wait_slot *slot)
{
    return slot->more ? slot->more : slot->owners;
}

static void push_owner(struct rl_wait_slot *slot, void *owner)
{
    uint32_t inline_count = sizeof slot->owners / sizeof slot->owners[0];
    if (slot->count >= inline_count) {
        bool is_first = slot->more == NULL;
        slot->more = rl_reallocate(slot->more, (slot->count + 1) * sizeof slot->more[0]);
        if (is_first) memcpy(slot->more, slot->owners, sizeof slot->owners);
    }
    owners_of(slot)[slot->count++] = owner;
}

static void drop_owner(struct rl_wait_slot *slot, const void *owner)
{
    void **owners = owners_of(slot);
    uint32_t index = 0;
    while (owners[index] != owner) index++;
    memmove(&owners[index], &owners[index + 1], (--slot->count - index) * sizeof owners[0]);
}

/* Learns what the descriptor is, which decides how it is registered. */
static void classify(struct rl_wait_slot *slot, uint32_t interest)
{
    struct rl_kernel_counter counter = {0};
    if (slot->reader == RL_READ_AS_PORT) counter = rl_kernel_ask_counter(slot->fd);
    slot->is_counter = counter.is_counter;
    /* Edges keep the order of arrival; a read that may leave something needs the level. */
    slot->is_level = !counter.is_emptied;
    slot->interest = slot->is_level ? interest : interest | RL_KERNEL_EDGE;
    slot->knows_blocking = false;
}

static uint32_t take_free_slot(struct rl_wait_set *set, int fd)
{
    if (set->first_free == RL_NO_SLOT) make_slots(set);
    uint32_t index = set->first_free;
    set->first_free = set->slots[index].next;
    set->slots[index].fd = fd;
    set->slots[index].stamp++;
    link_slot(set, index);
    set->descriptors++;
    return index;
}

static void note_refusal(struct rl_wait_set *set, struct rl_wait_slot *slot, bool is_refused)
{
    if (slot->is_refused == is_refused) return;
    slot->is_refused = is_refused;
    set->refused += is_refused ? 1 : -1U;
}

static void give_back_slot(struct rl_wait_set *set, uint32_t index)
{
    struct rl_wait_slot *slot = &set->slots[index];
    unlink_slot(set, index);
    note_refusal(set, slot, false);
    rl_kernel_close(&slot->substitute_fd);
    free(slot->more);
    slot->more = NULL;
    slot->count = 0;
    slot->stamp++;
    slot->is_registered = false;
    slot->had_error = false;
    slot->next = set->first_free;
    set->first_free = index;
    set->descriptors--;
}

/*
 * --- Registrations ------------------------------------------------------------------------------
 */

static int registered_fd(const struct rl_wait_slot *slot)
{
    return slot->substitute_fd >= 0 ? slot->substitute_fd : slot->fd;
}

static int try_register(struct rl_wait_set *set, uint32_t index)
{
    const struct rl_wait_slot *slot = &set->slots[index];
    return register_fd(set, registered_fd(slot), slot->interest, payload_of(index, slot->stamp));
}

/*
 * Notes that other registrations of the descriptor's number are gone. They are, as the kernel has
 * just taken the number as new.
 */
static void forget_closed(struct rl_wait_set *set, uint32_t index)
{
    int fd = set->slots[index].fd;
    for (uint32_t i = *bucket_of(set, fd); i != RL_NO_SLOT; i = set->slots[i].next) {
        struct rl_wait_slot *slot = &set->slots[i];
        if (i != index && slot->fd == fd && slot->substitute_fd < 0) slot->is_registered = false;
    }
}

/* Registers something else in place of the descriptor: a duplicate, or what is always ready. */
static int register_substitute(struct rl_wait_set *set, uint32_t index, int substitute_fd)
{
    if (substitute_fd < 0) return substitute_fd;
    set->slots[index].substitute_fd = substitute_fd;
    int result = try_register(set, index);
    if (result < 0) rl_kernel_close(&set->slots[index].substitute_fd);
    return result;
}

/* Goes on from the kernel's answer to a registration under the descriptor's own number. */
static void finish_registration(struct rl_wait_set *set, uint32_t index, int result)
{
    struct rl_wait_slot *slot = &set->slots[index];
    if (result == 0) forget_closed(set, index);
    if (result == -EEXIST && slot->substitute_fd >= 0) {
        /* It is there after all. */
        result = rl_kernel_poll_change(set->poll_fd, slot->substitute_fd, slot->interest,
                                       payload_of(index, slot->stamp));
    } else if (result == -EEXIST) {
        result = register_substitute(set, index, rl_kernel_duplicate(slot->fd));
    } else if (result == -EPERM && rl_kernel_is_always_ready(slot->fd)) {
        result = register_substitute(set, index, rl_kernel_make_ready_counter());
    }
    slot->is_registered = result == 0;
    bool was_refused = slot->is_refused;
    note_refusal(set, slot, is_shortage(result));
    if (result == 0 || was_refused) return;
    rl_warn("RLRunLoopAddSource", "descriptor %d of source %p cannot be waited for: %s%s", slot->fd,
            owners_of(slot)[0], strerror(-result), slot->is_refused ? "; tried again" : "");
}

/* Tells the kernel of a slot that it does not know, unless there is nothing to wait for. */
static void connect_slot(struct rl_wait_set *set, uint32_t index)
{
    if (set->slots[index].interest & RL_KERNEL_NOTHING) return;
    finish_registration(set, index, try_register(set, index));
}

#if RL_HAS_HINTS

/*
 * Returns whether a slot's descriptor was closed: then the set does not know it any more, although
 * it was not taken out.
 */
static bool was_closed(const struct rl_wait_set *set, const struct rl_wait_slot *slot)
{
    if (!slot->is_registered || slot->substitute_fd >= 0) return false;
    /* The loop's own ports may have got the number. */
    if (slot->fd == set->timer_fd || slot->fd == set->main_queue_port) return true;
    int result = rl_kernel_poll_add(set->poll_fd, slot->fd, 0, 0);
    if (result == 0) rl_kernel_poll_remove(set->poll_fd, slot->fd);
    return result == 0 || result == -EBADF;
}

/*
 * Looks at one slot in each sleep, so that the system calls of a sleep do not grow with the number
 * of descriptors.
 */
void rl_wait_set_hint_at_closed(struct rl_wait_set *set)
{
    if (set->descriptors == 0 || set->poll_fd < 0) return;
    struct rl_wait_slot *slot;
    do {
        slot = &set->slots[set->hinted++ % set->slot_count];
    } while (slot->count == 0);
    RL_HINT(was_closed(set, slot), "RLRunLoopAddSource",
            "descriptor %d was closed under source %p, which nothing calls any more: invalidate a "
            "source before its descriptor is closed",
            slot->fd, owners_of(slot)[0]);
}

#endif

static void unregister_slot(struct rl_wait_set *set, struct rl_wait_slot *slot)
{
    note_refusal(set, slot, false);
    if (!slot->is_registered) return;
    rl_kernel_poll_remove(set->poll_fd, registered_fd(slot));
    rl_kernel_close(&slot->substitute_fd);
    slot->is_registered = false;
}

static void change_registration(struct rl_wait_set *set, uint32_t index, uint32_t interest)
{
    struct rl_wait_slot *slot = &set->slots[index];
    int result = rl_kernel_poll_change(set->poll_fd, registered_fd(slot), interest,
                                       payload_of(index, slot->stamp));
    if (result != -ENOENT) return;
    /* The number is another file's by now: events of the old one are stale. */
    slot->is_registered = false;
    slot->stamp++;
    connect_slot(set, index);
}

/* Returns the slot of a port that another source of version 1 waits for already, or RL_NO_SLOT. */
static uint32_t find_shared(const struct rl_wait_set *set, int fd)
{
    uint32_t index = *bucket_of(set, fd);
    while (index != RL_NO_SLOT) {
        const struct rl_wait_slot *slot = &set->slots[index];
        if (slot->fd == fd && slot->is_counter && slot->is_registered) break;
        index = slot->next;
    }
    return index;
}

uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader)
{
    if (fd < 0) return RL_NO_SLOT;
    bool is_open = rl_wait_set_open(set);
    uint32_t index = take_free_slot(set, fd);
    struct rl_wait_slot *slot = &set->slots[index];
    slot->reader = reader;
    classify(slot, interest);
    bool is_wanted = is_open && !(interest & RL_KERNEL_NOTHING);
    int result = is_wanted ? try_register(set, index) : 0;
    if (result == -EEXIST && slot->is_counter) {
        uint32_t shared = find_shared(set, fd);
        if (shared != RL_NO_SLOT) {
            give_back_slot(set, index);
            push_owner(&set->slots[shared], owner);
            return shared;
        }
    }
    push_owner(slot, owner);
    if (is_wanted) finish_registration(set, index, result);
    return index;
}

void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t index)
{
    if (index == RL_NO_SLOT) return;
    struct rl_wait_slot *slot = &set->slots[index];
    drop_owner(slot, owner);
    if (slot->count > 0) return;
    unregister_slot(set, slot);
    give_back_slot(set, index);
}

void rl_wait_set_keep(struct rl_wait_set *set, const void *owner, uint32_t index, uint64_t number)
{
    bool is_kept = index != RL_NO_SLOT && set->slots[index].is_registered && !set->is_hosted;
    if (!is_kept || set->slots[index].count > 1 || set->kept != RL_NO_SLOT) {
        rl_wait_set_remove(set, owner, index);
        return;
    }
    drop_owner(&set->slots[index], owner);
    set->kept = index;
    set->kept_number = number;
    set->descriptors--;
}

/* Makes a slot in use again of the one that is kept, whose registration may be gone. */
static uint32_t reuse_kept(struct rl_wait_set *set)
{
    uint32_t index = set->kept;
    set->kept = RL_NO_SLOT;
    set->descriptors++;
    return index;
}

static void give_up_kept(struct rl_wait_set *set)
{
    if (set->kept == RL_NO_SLOT) return;
    uint32_t index = reuse_kept(set);
    unregister_slot(set, &set->slots[index]);
    give_back_slot(set, index);
}

uint32_t rl_wait_set_take_back(struct rl_wait_set *set, void *owner, uint64_t number)
{
    if (set->kept == RL_NO_SLOT || set->kept_number != number) return RL_NO_SLOT;
    if (!set->slots[set->kept].is_registered) return RL_NO_SLOT;
    uint32_t index = reuse_kept(set);
    push_owner(&set->slots[index], owner);
    return index;
}

void rl_wait_set_change(struct rl_wait_set *set, uint32_t index, uint32_t interest)
{
    if (index == RL_NO_SLOT) return;
    struct rl_wait_slot *slot = &set->slots[index];
    slot->interest = interest;
    if (set->poll_fd < 0) return;
    if (interest & RL_KERNEL_NOTHING) {
        unregister_slot(set, slot);
    } else if (slot->is_registered) {
        change_registration(set, index, interest);
    } else {
        connect_slot(set, index);
    }
}

bool rl_wait_set_retry(struct rl_wait_set *set)
{
    for (uint32_t i = 0; set->refused > 0 && i < set->slot_count; i++) {
        if (set->slots[i].is_refused) connect_slot(set, i);
    }
    return set->refused == 0;
}

/*
 * --- Events -------------------------------------------------------------------------------------
 */

static struct rl_event event_of(const struct rl_kernel_event *event)
{
    uint32_t slot = (uint32_t)event->payload;
    switch (slot) {
    case WAKE_UP_SLOT: return (struct rl_event){.kind = RL_EVENT_WAKE_UP};
    case TIMER_SLOT: return (struct rl_event){.kind = RL_EVENT_TIMER};
    case MAIN_QUEUE_SLOT: return (struct rl_event){.kind = RL_EVENT_MAIN_QUEUE};
    default:
        return (struct rl_event){.kind = RL_EVENT_DESCRIPTOR,
                                 .slot = slot,
                                 .stamp = (uint32_t)(event->payload >> 32),
                                 .ready = event->ready};
    }
}

static void keep_batch(struct rl_wait_set *set, const struct rl_kernel_event *events,
                       uint32_t count)
{
    if (!set->batch) set->batch = rl_allocate(sizeof *set->batch);
    set->batch->first = 0;
    set->batch->count = count;
    memcpy(set->batch->events, events, count * sizeof events[0]);
}

struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns)
{
    struct rl_kernel_event events[RL_KERNEL_MOST_EVENTS];
    struct rl_event event = {.kind = RL_EVENT_NONE};
    if (rl_wait_set_has_batch(set)) {
        event = event_of(&set->batch->events[set->batch->first++]);
    } else {
        /* A host is to see in the set what is left. */
        uint32_t most = set->is_hosted ? 1 : RL_KERNEL_MOST_EVENTS;
        uint32_t count = rl_kernel_poll_wait(set->poll_fd, deadline_ns, events, most);
        if (count > 0) event = event_of(&events[0]);
        if (count > 1) keep_batch(set, &events[1], count - 1);
    }
    if (event.kind == RL_EVENT_WAKE_UP && set->is_hosted) rl_wake_answer(set->wake);
    return event;
}

void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (slot->stamp != event.stamp || slot->count == 0) return NULL;
    return owners_of(slot)[slot->count - 1];
}

static bool blocks(struct rl_wait_slot *slot)
{
    if (!slot->knows_blocking) slot->is_blocking = rl_kernel_is_blocking(slot->fd);
    slot->knows_blocking = true;
    return slot->is_blocking;
}

/* Returns whether what was ready stays so: who reads at the end does not wait. */
static bool lasts(uint32_t ready)
{
    bool is_end = (ready & RL_KERNEL_PEER_CLOSED) && !(ready & RL_KERNEL_WRITE);
    return is_end || (ready & RL_KERNEL_HANG_UP);
}

/* Returns what is left of what a descriptor was ready for when the batch was taken. */
static uint32_t still_ready(struct rl_wait_slot *slot, uint32_t ready)
{
    bool is_asked = slot->reader != RL_READ_BY_ENGINE && !lasts(ready) && blocks(slot);
    if (is_asked) return rl_kernel_poll_now(slot->fd, slot->interest);
    uint32_t wanted = slot->interest | RL_KERNEL_HANG_UP | RL_KERNEL_ERROR;
    if (slot->interest & RL_KERNEL_READ) wanted |= RL_KERNEL_PEER_CLOSED;
    return ready & wanted;
}

uint32_t rl_wait_set_accept(struct rl_wait_set *set, struct rl_event event, bool has_waited)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (event.slot == set->kept) give_up_kept(set);
    /*
     * Without a registration the number is known to be another descriptor's by now, or the kernel
     * tells of what it did not take out.
     */
    if (!rl_wait_set_owner(set, event) || !slot->is_registered) return 0;
    if (slot->is_counter) return rl_kernel_take_count(slot->fd, true) > 0 ? event.ready : 0;
    return has_waited ? still_ready(slot, event.ready) : event.ready;
}

static void make_anew(struct rl_wait_set *set)
{
    if (set->is_hosted) rl_kernel_poll_remove(set->host_fd, set->poll_fd);
    rl_kernel_close(&set->poll_fd);
    forget_registrations(set);
    for (uint32_t i = 0; i < set->slot_count; i++) {
        struct rl_wait_slot *slot = &set->slots[i];
        if (slot->reader == RL_READ_AS_PORT && slot->count > 0) classify(slot, RL_KERNEL_READ);
    }
    rl_wait_set_open(set);
}

void rl_wait_set_reject(struct rl_wait_set *set, struct rl_event event)
{
    /* A few are harmless: another thread has taken the count of a shared port. */
    enum { MOST_REJECTIONS = 64 };
    /* Such a port is not told of again until it is signalled. */
    if (rl_wait_set_owner(set, event) && !set->slots[event.slot].is_level) return;
    if (++set->rejections == MOST_REJECTIONS) make_anew(set);
}

void rl_wait_set_quiet_dead(struct rl_wait_set *set, uint32_t index, uint32_t ready)
{
    const uint32_t dead = RL_KERNEL_HANG_UP | RL_KERNEL_ERROR;
    struct rl_wait_slot *slot = &set->slots[index];
    bool is_error_only = (ready & dead) == RL_KERNEL_ERROR;
    bool is_first_error = is_error_only && !slot->had_error;
    slot->had_error = is_error_only;
    if (!(ready & (dead | RL_KERNEL_PEER_CLOSED)) || slot->is_counter) return;
    /* An asynchronous error of a socket goes away when the client has been told of it. */
    if (is_first_error) return;
    if ((ready & RL_KERNEL_READ) && rl_kernel_has_bytes(slot->fd)) return;
    /* A half-closed peer can still be written to: only reading is over. */
    uint32_t interest = ready & dead ? 0 : slot->interest & ~(uint32_t)RL_KERNEL_READ;
    if (interest != 0) {
        change_registration(set, index, interest);
    } else {
        unregister_slot(set, slot);
    }
}
