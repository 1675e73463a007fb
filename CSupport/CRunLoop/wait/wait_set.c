/*
 * Registrations. epoll's traps that this file minds:
 *
 * - A descriptor can be in a set once: a second registration goes through a duplicate.
 * - Closing a descriptor removes it silently, so removing may fail and that is no error; or it may
 *   hit another file that has got the number since, so a slot learns that its file is gone.
 * - A hang-up and an error are reported whatever one asks for, for ever: a dead descriptor is
 *   taken out of the set when it has been reported.
 * - An event may be in flight for a slot that has changed hands: payloads carry a stamp.
 *
 * Events are taken in batches; what is not served at once is queued. The queue stands for the front
 * of the kernel's list, and an event is looked at again when its turn comes:
 *
 * - What is queued is edge-triggered: the kernel has forgotten it. What is level-triggered goes to
 *   the end of the kernel's list when it is told of, which would be too early for what comes last in
 *   a batch. So a set with such a descriptor gives one event at a time.
 * - So does one with a port that is in another mode too: if it is served there it stays in the
 *   kernel's list here, and has its old place if it is rung again, as in CF.
 * - The kernel may tell of a port again while it is queued. When it has been served, that must be
 *   gone, or its next event would take that earlier place. A count of one means that it was rung
 *   once, which is what the queue knows of; otherwise the kernel's list is taken into the queue,
 *   which drops what is in the queue or cannot be read any more. If a reason to take one event at a
 *   time has come meanwhile, the port is registered anew instead.
 * - A port whose count is gone by then, in a callback or on another thread, is passed over.
 */

#include "wait/wait_set.h"

#include "base/check.h"
#include "loop/loop.h"
#include "loop/source.h"

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

void rl_wait_set_init(struct rl_wait_set *set)
{
    *set = (struct rl_wait_set){.poll_fd = -1, .timer_fd = -1, .first_free = RL_NO_SLOT};
}

void rl_wait_set_forget(struct rl_wait_set *set)
{
    rl_kernel_close(&set->poll_fd);
    rl_kernel_close(&set->timer_fd);
    set->armed_ns = 0;
    set->has_main_queue = false;
    set->is_asleep = false;
    rl_ready_queue_clear(set->ready);
    for (uint32_t i = 0; i < set->slot_count; i++) {
        set->slots[i].is_registered = false;
        set->slots[i].is_queued = false;
        rl_kernel_close(&set->slots[i].duplicate_fd);
    }
}

void rl_wait_set_destroy(struct rl_wait_set *set)
{
    rl_wait_set_forget(set);
    free(set->slots);
    free(set->ready);
}

static void warn_of_failure(const char *what, int error)
{
    /* A loop without descriptors tries again at every sleep; once is enough to be told. */
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn("run loop", "cannot make %s: %s (the limit of open files is %ld)", what,
            strerror(-error), sysconf(_SC_OPEN_MAX));
}

/* As many as slots, and right behind them: lists of the slots in use by descriptor. */
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

/* The kernel took the descriptor as new, so what others registered by its number was closed. */
static void forget_closed(struct rl_wait_set *set, uint32_t index)
{
    int fd = set->slots[index].fd;
    for (uint32_t i = *bucket_of(set, fd); i != RL_NO_SLOT; i = set->slots[i].next) {
        struct rl_wait_slot *slot = &set->slots[i];
        if (i != index && slot->fd == fd && slot->duplicate_fd < 0) slot->is_registered = false;
    }
}

/* Tells the kernel of a slot. A descriptor that it knows already goes through a duplicate. */
static void register_slot(struct rl_wait_set *set, uint32_t index, int result)
{
    struct rl_wait_slot *slot = &set->slots[index];
    uint64_t payload = payload_of(index, slot->stamp);
    if (result == 0) forget_closed(set, index);
    if (result == -EEXIST) {
        slot->duplicate_fd = rl_kernel_duplicate(slot->fd);
        result = slot->duplicate_fd < 0 ? slot->duplicate_fd
                                        : rl_kernel_poll_add(set->poll_fd, slot->duplicate_fd,
                                                             slot->interest, payload);
    }
    slot->is_registered = result == 0;
    if (result == 0) return;
    rl_warn("RLRunLoopAddSource", "descriptor %d of source %p cannot be waited for: %s", slot->fd,
            (void *)rl_membership_item(slot->members[0]), strerror(-result));
}

static int try_register(const struct rl_wait_set *set, uint32_t index)
{
    const struct rl_wait_slot *slot = &set->slots[index];
    return rl_kernel_poll_add(set->poll_fd, slot->fd, slot->interest,
                              payload_of(index, slot->stamp));
}

/* Tells the kernel of a slot that it does not know, unless there is nothing to wait for. */
static void connect_slot(struct rl_wait_set *set, uint32_t index)
{
    if (set->slots[index].interest & RL_KERNEL_NOTHING) return;
    register_slot(set, index, try_register(set, index));
}

bool rl_wait_set_open(struct rl_wait_set *set, struct rl_loop *loop)
{
    if (set->poll_fd >= 0) return true;
    int wake_fd = rl_loop_wake_fd(loop);
    int poll_fd = wake_fd < 0 ? wake_fd : rl_kernel_make_poll_set();
    if (poll_fd < 0) {
        warn_of_failure("a mode's wait set", poll_fd);
        return false;
    }
    int result = rl_kernel_poll_add(poll_fd, wake_fd, RL_KERNEL_READ | RL_KERNEL_EDGE,
                                    payload_of(WAKE_UP_SLOT, 0));
    if (result < 0) {
        warn_of_failure("a mode's wake-up port", result);
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
    int result = timer_fd < 0
                     ? timer_fd
                     : rl_kernel_poll_add(set->poll_fd, timer_fd, RL_KERNEL_READ | RL_KERNEL_EDGE,
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
    int64_t wanted_ns = deadline_ns == RL_NEVER_NS ? 0 : deadline_ns < 1 ? 1 : deadline_ns;
    if (wanted_ns == set->armed_ns) return true;
    if (wanted_ns != 0 && !open_timer(set)) return false;
    rl_kernel_set_timer(set->timer_fd, wanted_ns);
    set->armed_ns = wanted_ns;
    return true;
}

static struct rl_membership **members_of(struct rl_wait_slot *slot)
{
    return slot->more ? slot->more : slot->members;
}

static void push_member(struct rl_wait_slot *slot, struct rl_membership *membership)
{
    uint32_t inline_count = sizeof slot->members / sizeof slot->members[0];
    if (slot->count >= inline_count) {
        bool is_first = slot->more == NULL;
        slot->more = rl_reallocate(slot->more, (slot->count + 1) * sizeof slot->more[0]);
        if (is_first) memcpy(slot->more, slot->members, sizeof slot->members);
    }
    members_of(slot)[slot->count++] = membership;
}

static void drop_member(struct rl_wait_slot *slot, const struct rl_membership *membership)
{
    struct rl_membership **members = members_of(slot);
    uint32_t index = 0;
    while (members[index] != membership) index++;
    memmove(&members[index], &members[index + 1], (--slot->count - index) * sizeof members[0]);
}

/* The slot of a version-1 port that another source of version 1 waits for already. */
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
        set->slots[i].duplicate_fd = -1;
        set->slots[i].next = i + 1 < count ? i + 1 : RL_NO_SLOT;
    }
    set->first_free = old_count;
}

static uint32_t take_free_slot(struct rl_wait_set *set, int fd)
{
    if (set->first_free == RL_NO_SLOT) make_slots(set);
    uint32_t index = set->first_free;
    set->first_free = set->slots[index].next;
    set->slots[index].fd = fd;
    link_slot(set, index);
    return index;
}

static void unregister_slot(struct rl_wait_set *set, struct rl_wait_slot *slot)
{
    if (!slot->is_registered) return;
    int registered = slot->duplicate_fd >= 0 ? slot->duplicate_fd : slot->fd;
    rl_kernel_poll_remove(set->poll_fd, registered);
    rl_kernel_close(&slot->duplicate_fd);
    slot->is_registered = false;
}

static void give_back_slot(struct rl_wait_set *set, uint32_t index)
{
    struct rl_wait_slot *slot = &set->slots[index];
    unlink_slot(set, index);
    rl_kernel_close(&slot->duplicate_fd);
    free(slot->more);
    slot->more = NULL;
    slot->count = 0;
    slot->stamp++;
    slot->is_registered = false;
    slot->is_queued = false;
    if (!(slot->interest & RL_KERNEL_EDGE)) set->singles--;
    slot->next = set->first_free;
    set->first_free = index;
    set->descriptors--;
}

uint32_t rl_wait_set_add(struct rl_wait_set *set, struct rl_loop *loop,
                         struct rl_membership *membership, int fd, uint32_t interest)
{
    if (fd < 0) return RL_NO_SLOT;
    bool is_open = set->poll_fd >= 0 || rl_wait_set_open(set, loop);
    uint32_t index = take_free_slot(set, fd);
    struct rl_wait_slot *slot = &set->slots[index];
    struct rl_kernel_counter counter = {0};
    if (rl_source_is_port(rl_membership_item(membership))) counter = rl_kernel_ask_counter(fd);
    slot->is_counter = counter.is_counter;
    /* Edges keep the order of arrival; a read that may leave something needs the level. */
    slot->interest = counter.is_emptied ? interest | RL_KERNEL_EDGE : interest;
    slot->stamp++;
    set->descriptors++;
    if (!counter.is_emptied) set->singles++;
    if (interest & RL_KERNEL_NOTHING) {
        push_member(slot, membership);
        return index;
    }
    int result = is_open ? try_register(set, index) : -EBADF;
    if (result == -EEXIST && slot->is_counter) {
        uint32_t shared = find_shared(set, fd);
        if (shared != RL_NO_SLOT) {
            give_back_slot(set, index);
            push_member(&set->slots[shared], membership);
            return shared;
        }
    }
    push_member(slot, membership);
    if (is_open) register_slot(set, index, result);
    return index;
}

void rl_wait_set_remove(struct rl_wait_set *set, struct rl_membership *membership, uint32_t index)
{
    if (index == RL_NO_SLOT) return;
    struct rl_wait_slot *slot = &set->slots[index];
    drop_member(slot, membership);
    if (slot->count > 0) return;
    unregister_slot(set, slot);
    give_back_slot(set, index);
}

static void change_registration(struct rl_wait_set *set, uint32_t index, uint32_t interest)
{
    const struct rl_wait_slot *slot = &set->slots[index];
    int registered = slot->duplicate_fd >= 0 ? slot->duplicate_fd : slot->fd;
    rl_kernel_poll_change(set->poll_fd, registered, interest, payload_of(index, slot->stamp));
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

void rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included)
{
    if (set->has_main_queue == is_included) return;
    if (is_included) {
        int result =
            rl_kernel_poll_add(set->poll_fd, port, RL_KERNEL_READ, payload_of(MAIN_QUEUE_SLOT, 0));
        /* Without it the queue is served only when something else wakes the loop. */
        if (result < 0) warn_of_failure("a mode's main queue port", result);
        set->has_main_queue = result == 0;
    } else {
        rl_kernel_poll_remove(set->poll_fd, port);
        set->has_main_queue = false;
    }
}

static struct rl_event event_of(uint64_t payload, uint32_t ready)
{
    uint32_t slot = (uint32_t)payload;
    switch (slot) {
    case WAKE_UP_SLOT: return (struct rl_event){.kind = RL_EVENT_WAKE_UP};
    case TIMER_SLOT: return (struct rl_event){.kind = RL_EVENT_TIMER};
    case MAIN_QUEUE_SLOT: return (struct rl_event){.kind = RL_EVENT_MAIN_QUEUE};
    default:
        return (struct rl_event){.kind = RL_EVENT_DESCRIPTOR,
                                 .slot = slot,
                                 .stamp = (uint32_t)(payload >> 32),
                                 .ready = (uint16_t)ready};
    }
}

/*
 * Loop locked. Wake-ups are bits anyway; what is level-triggered, as the main queue's port, the kernel
 * tells of again.
 */
static void enqueue(struct rl_wait_set *set, uint64_t payload)
{
    uint32_t index = (uint32_t)payload;
    if (index == TIMER_SLOT) {
        if (set->ready && set->ready->has_timer) return;
        rl_ready_queue_push(&set->ready, payload);
        set->ready->has_timer = true;
    } else if (index < set->slot_count) {
        struct rl_wait_slot *slot = &set->slots[index];
        bool is_current = slot->stamp == payload >> 32 && slot->count > 0;
        if (!is_current || slot->is_queued || !(slot->interest & RL_KERNEL_EDGE)) return;
        slot->is_queued = true;
        rl_ready_queue_push(&set->ready, payload);
    }
}

/* Takes what the kernel knows into the queue, where a port keeps the place that it has. Loop locked. */
static void catch_up(struct rl_wait_set *set)
{
    struct rl_kernel_event events[RL_KERNEL_MOST_EVENTS];
    /* Each call takes what it gives out of the kernel's list: so many suffice. */
    uint32_t calls = set->descriptors / RL_KERNEL_MOST_EVENTS + 1, count;
    do {
        count = rl_kernel_poll_wait(set->poll_fd, 0, events, RL_KERNEL_MOST_EVENTS);
        for (uint32_t i = 0; i < count; i++) enqueue(set, events[i].payload);
    } while (count == RL_KERNEL_MOST_EVENTS && --calls > 0);
}

static struct rl_event take_queued(struct rl_wait_set *set)
{
    struct rl_event event = event_of(rl_ready_queue_pop(set->ready), RL_KERNEL_READ);
    event.is_late = true;
    return event;
}

static void enqueue_all(struct rl_wait_set *set, struct rl_loop *loop,
                        const struct rl_kernel_event *events, uint32_t count)
{
    rl_lock(&loop->lock);
    for (uint32_t i = 0; i < count; i++) enqueue(set, events[i].payload);
    rl_unlock_quickly(&loop->lock);
}

struct rl_event rl_wait_set_take(struct rl_wait_set *set, struct rl_loop *loop, int64_t deadline_ns,
                                 bool is_exact)
{
    if (rl_wait_set_has_queued(set)) return take_queued(set);
    struct rl_kernel_event events[RL_KERNEL_MOST_EVENTS];
    uint32_t most = is_exact || set->singles > 0 ? 1 : RL_KERNEL_MOST_EVENTS;
    uint32_t count = rl_kernel_poll_wait(set->poll_fd, deadline_ns, events, most);
    if (count == 0) return (struct rl_event){.kind = RL_EVENT_NONE};
    if (count > 1) enqueue_all(set, loop, &events[1], count - 1);
    return event_of(events[0].payload, events[0].ready);
}

/*
 * Makes the kernel forget that a port rang while it was queued. Where others may be in the kernel's list
 * without being ready, and keep their places there, this one is taken out alone.
 */
static void forget_rings(struct rl_wait_set *set, uint32_t index)
{
    if (set->singles == 0) {
        catch_up(set);
    } else {
        unregister_slot(set, &set->slots[index]);
        connect_slot(set, index);
    }
}

bool rl_wait_set_take_count(struct rl_wait_set *set, struct rl_event event)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (event.is_late) slot->is_queued = false;
    /* The number is known to be another descriptor's by now. */
    if (!slot->is_registered) return false;
    uint64_t count = rl_kernel_take_count(slot->fd, true);
    /* One that is in another mode by now may have been served there before it was rung that once. */
    if (event.is_late && (count != 1 || set->singles > 0)) forget_rings(set, event.slot);
    return count > 0;
}

bool rl_wait_set_take_timer(struct rl_wait_set *set, struct rl_event event)
{
    bool is_armed = set->armed_ns != 0;
    if (event.is_late) {
        /* What the kernel tells of the port again is dropped while it counts as queued. */
        if (is_armed && set->singles == 0) catch_up(set);
        set->ready->has_timer = false;
    }
    set->armed_ns = 0;
    return is_armed || !event.is_late;
}

void rl_wait_set_give_back(struct rl_wait_set *set)
{
    if (!rl_wait_set_has_queued(set)) return;
    catch_up(set);
    while (rl_wait_set_has_queued(set)) {
        struct rl_event event = take_queued(set);
        if (event.kind == RL_EVENT_TIMER) {
            rl_kernel_poll_change(set->poll_fd, set->timer_fd, RL_KERNEL_READ | RL_KERNEL_EDGE,
                                  payload_of(TIMER_SLOT, 0));
        } else if (rl_wait_set_member(set, event) && set->slots[event.slot].is_registered) {
            change_registration(set, event.slot, set->slots[event.slot].interest);
            set->slots[event.slot].is_queued = false;
        }
    }
    rl_ready_queue_clear(set->ready);
}

struct rl_membership *rl_wait_set_member(const struct rl_wait_set *set, struct rl_event event)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (slot->stamp != event.stamp || slot->count == 0) return NULL;
    return members_of(slot)[slot->count - 1];
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
