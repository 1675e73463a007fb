/*
 * A port that one read empties is edge-triggered, so the kernel keeps the order of arrival. Other
 * descriptors are level-triggered. Events are fetched in batches, which saves system calls. When an
 * event of a batch is served, other code may have read the bytes already. To detect such a stale
 * event, the engine reads the count if the descriptor is a counter, and calls poll(2) if the
 * descriptor is in blocking mode. If it is nonblocking, a stale event is harmless, because the
 * client's call fails with EAGAIN.
 */

#include "wait/wait_slots.h"

#include "base/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The payloads of the loop's own ports. The payloads of sources have lower slot numbers. */
enum {
    WAKE_UP_SLOT = UINT32_MAX - 1,
    TIMER_SLOT = UINT32_MAX - 2,
    MAIN_QUEUE_SLOT = UINT32_MAX - 3
};

/* --- The set ---------------------------------------------------------------------------------- */

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock)
{
    *set = (struct rl_wait_set){
        .wake = wake,
        .clock = clock,
        .poll_fd = -1,
        .timer_fd = -1,
        .host_fd = -1,
        .main_queue_port = -1,
        .first_free = RL_NO_SLOT,
    };
}

/* Call this when the kernel's epoll set has been closed. */
static void forget_registrations(struct rl_wait_set *set)
{
    set->has_main_queue = false;
    set->rejections = 0;
    set->batch_first = set->batch_count = 0;
    rl_wait_slots_forget(set);
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

static void warn_of_failure(const char *what, int error)
{
    /* Warns only once, because a loop without descriptors retries before every sleep. */
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn("run loop",
            "cannot create %s: %s: check the limit of open files (%ld) and the sandbox; will retry",
            what, strerror(-error), sysconf(_SC_OPEN_MAX));
}

static int register_port(struct rl_wait_set *set, int fd, uint32_t interest, uint32_t slot)
{
    return rl_kernel_poll_add(set->poll_fd, fd, interest, rl_wait_payload(slot, 0));
}

/* On failure, prints a warning and returns false. */
static bool add_own_ports(struct rl_wait_set *set, int poll_fd)
{
    const uint32_t interest = RL_KERNEL_READ | RL_KERNEL_EDGE;
    int wake_fd = rl_wake_open(set->wake);
    int result = wake_fd < 0 ? wake_fd
                             : rl_kernel_poll_add(poll_fd, wake_fd, interest,
                                                  rl_wait_payload(WAKE_UP_SLOT, 0));
    if (result < 0) {
        warn_of_failure("the wake-up descriptor of a mode", result);
        return false;
    }
    if (set->timer_fd >= 0) {
        result =
            rl_kernel_poll_add(poll_fd, set->timer_fd, interest, rl_wait_payload(TIMER_SLOT, 0));
    }
    if (result == 0 && set->is_hosted) {
        result = rl_kernel_poll_add(set->host_fd, poll_fd, RL_KERNEL_READ, 0);
    }
    if (result < 0) warn_of_failure("the descriptors of a mode", result);
    return result == 0;
}

bool rl_wait_set_open(struct rl_wait_set *set)
{
    if (set->poll_fd >= 0) return true;
    int poll_fd = rl_kernel_make_poll_set();
    if (poll_fd < 0) {
        warn_of_failure("the epoll set of a mode", poll_fd);
        return false;
    }
    if (!add_own_ports(set, poll_fd)) {
        rl_kernel_close(&poll_fd);
        return false;
    }
    set->poll_fd = poll_fd;
    rl_wait_slots_register_all(set);
    return true;
}

static bool open_timer(struct rl_wait_set *set)
{
    if (set->timer_fd >= 0) return true;
    int timer_fd = rl_kernel_make_timer();
    int result = timer_fd < 0
                     ? timer_fd
                     : register_port(set, timer_fd, RL_KERNEL_READ | RL_KERNEL_EDGE, TIMER_SLOT);
    if (result < 0) {
        warn_of_failure("the timerfd of a mode", result);
        rl_kernel_close(&timer_fd);
        return false;
    }
    set->timer_fd = timer_fd;
    return true;
}

static void set_timer(struct rl_wait_set *set)
{
    struct rl_clock *clock = rl_clock_of(set->clock);
    rl_kernel_set_timer(set->timer_fd, clock->port_moment(clock, set->armed_ns));
}

bool rl_wait_set_arm(struct rl_wait_set *set, int64_t deadline_ns)
{
    int64_t wanted_ns = deadline_ns == RL_NEVER_NS ? 0 : deadline_ns < 1 ? 1 : deadline_ns;
    if (wanted_ns != 0 && set->poll_fd < 0) return false;
    if (wanted_ns == set->armed_ns) return true;
    if (wanted_ns != 0 && !open_timer(set)) return false;
    set->armed_ns = wanted_ns;
    set_timer(set);
    return true;
}

void rl_wait_set_rearm(struct rl_wait_set *set)
{
    if (set->timer_fd >= 0 && set->armed_ns != 0) set_timer(set);
}

int rl_wait_set_begin_hosting(struct rl_wait_set *set)
{
    if (!rl_wait_set_open(set) || !open_timer(set)) return -EMFILE;
    int result = 0;
    if (set->host_fd < 0) result = set->host_fd = rl_kernel_make_poll_set();
    if (result >= 0) result = rl_kernel_poll_add(set->host_fd, set->poll_fd, RL_KERNEL_READ, 0);
    /* If the last removal failed, the host's set still contains this set. */
    if (result < 0 && result != -EEXIST) {
        warn_of_failure("the epoll set of a host", result);
        return result;
    }
    set->is_hosted = true;
    return set->host_fd;
}

void rl_wait_set_end_hosting(struct rl_wait_set *set)
{
    /* Keeps `host_fd` open, so that a host that still polls it gets no event. */
    rl_kernel_poll_remove(set->host_fd, set->poll_fd);
    set->is_hosted = false;
    set->is_asleep = false;
}

void rl_wait_set_fall_asleep(struct rl_wait_set *set)
{
    set->is_asleep = true;
}

/* Marks the loop as awake. Between its runs, a hosted loop counts as asleep. */
void rl_wait_set_get_up(struct rl_wait_set *set)
{
    atomic_store_explicit(&set->is_asleep, set->is_hosted, memory_order_release);
}

static void make_anew(struct rl_wait_set *set)
{
    if (set->is_hosted) rl_kernel_poll_remove(set->host_fd, set->poll_fd);
    rl_kernel_close(&set->poll_fd);
    forget_registrations(set);
    rl_wait_slots_classify_ports(set);
    rl_wait_set_open(set);
}

bool rl_wait_set_include_main_queue(struct rl_wait_set *set, int port, bool is_included)
{
    if (set->has_main_queue == is_included) return true;
    set->main_queue_port = is_included ? port : -1;
    if (is_included) {
        int result = port;
        if (port >= 0) {
            result = register_port(set, port, RL_KERNEL_READ, MAIN_QUEUE_SLOT);
        }
        if (result < 0) warn_of_failure("the main queue's descriptor of a mode", result);
        set->has_main_queue = result == 0;
    } else {
        /* If a port was closed here but is open in another process, it may still be reported. */
        if (port < 0) make_anew(set);
        if (port >= 0) rl_kernel_poll_remove(set->poll_fd, port);
        set->has_main_queue = false;
    }
    return set->has_main_queue == is_included;
}

/* --- Events ----------------------------------------------------------------------------------- */

atomic_uint_fast64_t rl_wait_fetches;

static struct rl_event event_of(const struct rl_kernel_event *event, uint64_t fetch)
{
    uint32_t slot = (uint32_t)event->payload;
    switch (slot) {
    case WAKE_UP_SLOT: return (struct rl_event){.kind = RL_EVENT_WAKE_UP};
    case TIMER_SLOT: return (struct rl_event){.kind = RL_EVENT_TIMER};
    case MAIN_QUEUE_SLOT: return (struct rl_event){.kind = RL_EVENT_MAIN_QUEUE};
    default:
        return (struct rl_event){.kind = RL_EVENT_DESCRIPTOR,
                                 .slot = slot,
                                 .generation = (uint32_t)(event->payload >> 32),
                                 .ready = event->ready,
                                 .fetch = fetch};
    }
}

static void keep_batch(struct rl_wait_set *set, const struct rl_kernel_event *events,
                       uint32_t count, uint64_t fetch)
{
    if (!set->batch) set->batch = rl_allocate(RL_KERNEL_MOST_EVENTS * sizeof events[0]);
    set->batch_first = 0;
    set->batch_count = count;
    set->batch_fetch = fetch;
    memcpy(set->batch, events, count * sizeof events[0]);
}

struct rl_event rl_wait_set_take(struct rl_wait_set *set, int64_t deadline_ns)
{
    struct rl_kernel_event events[RL_KERNEL_MOST_EVENTS];
    struct rl_event event = {.kind = RL_EVENT_NONE};
    if (rl_wait_set_has_batch(set)) {
        event = event_of(&set->batch[set->batch_first++], set->batch_fetch);
    } else {
        /* A hosted loop takes one event. The kernel reports the other events to the host. */
        uint32_t most = set->is_hosted ? 1 : RL_KERNEL_MOST_EVENTS;
        uint64_t fetch = atomic_fetch_add(&rl_wait_fetches, 1) + 1;
        uint32_t count = rl_kernel_poll_wait(set->poll_fd, deadline_ns, events, most);
        set->fetches++;
        set->is_unsorted = count > 1;
        if (count > 0) event = event_of(&events[0], fetch);
        if (count > 1) keep_batch(set, &events[1], count - 1, fetch);
    }
    rl_wait_set_get_up(set);
    if (event.kind == RL_EVENT_WAKE_UP && set->is_hosted) rl_wake_answer(set->wake);
    /* The timer port has fired, so it is no longer armed. */
    if (event.kind == RL_EVENT_TIMER) set->armed_ns = 0;
    return event;
}

void *rl_wait_set_owner(const struct rl_wait_set *set, struct rl_event event)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (slot->generation != event.generation || slot->count == 0) return NULL;
    return rl_wait_slot_owners(slot)[slot->count - 1];
}

static bool client_would_block(struct rl_wait_slot *slot)
{
    if (!slot->knows_blocking) slot->is_blocking = rl_kernel_is_blocking(slot->fd);
    slot->knows_blocking = true;
    return slot->is_blocking;
}

/* Returns true if the descriptor will always be ready: at EOF, no call blocks. */
static bool stays_ready(uint32_t ready)
{
    bool is_end = (ready & RL_KERNEL_PEER_CLOSED) && !(ready & RL_KERNEL_WRITE);
    return is_end || (ready & RL_KERNEL_HANG_UP);
}

static uint32_t still_ready(struct rl_wait_slot *slot, uint32_t ready)
{
    bool polls_again =
        slot->reader != RL_READ_BY_ENGINE && !stays_ready(ready) && client_would_block(slot);
    if (polls_again) return rl_kernel_poll_now(slot->fd, slot->interest);
    uint32_t wanted = slot->interest | RL_KERNEL_HANG_UP | RL_KERNEL_ERROR;
    if (slot->interest & RL_KERNEL_READ) wanted |= RL_KERNEL_PEER_CLOSED;
    return ready & wanted;
}

/*
 * Returns 0 if no source waits for the event. A slot that is not registered has no event: its
 * number belongs to another file now, or the kernel still reports a file that could not be removed.
 */
static uint32_t accepted_events(struct rl_wait_set *set, struct rl_event event, bool has_waited)
{
    struct rl_wait_slot *slot = &set->slots[event.slot];
    if (!rl_wait_set_owner(set, event) || !slot->is_registered) return 0;
    if (slot->is_counter) return rl_kernel_take_count(slot->fd, true) > 0 ? event.ready : 0;
    return has_waited ? still_ready(slot, event.ready) : event.ready;
}

/*
 * If a client has closed a descriptor whose file is open elsewhere, the kernel reports events of
 * the file forever, and no source wants them. Only a new epoll set ends these events. This function
 * makes a new set after some such events.
 */
static void reject_event(struct rl_wait_set *set, struct rl_event event)
{
    /* A few unwanted events are normal: another thread may have read a shared port's count. */
    enum { MOST_REJECTIONS = 64 };
    /* An edge-triggered port is reported only once. */
    if (rl_wait_set_owner(set, event) && !set->slots[event.slot].is_level) return;
    if (++set->rejections == MOST_REJECTIONS) make_anew(set);
}

/*
 * Returns whether the previous fetch reported this level-triggered descriptor. In this case, the
 * kernel put the descriptor back on its ready list at once, so the descriptor is ahead of events
 * that occurred during its callback. This happens even if the callback has emptied the descriptor.
 */
static bool was_listed_early(const struct rl_wait_set *set, struct rl_event event)
{
    if (event.kind != RL_EVENT_DESCRIPTOR) return false;
    const struct rl_wait_slot *slot = &set->slots[event.slot];
    bool is_last = slot->reported_by == (uint16_t)(set->fetches - 1);
    return slot->is_level && is_last && slot->reported_by != 0;
}

static uint32_t count_early(const struct rl_wait_set *set)
{
    uint32_t count = 0;
    for (uint32_t i = set->batch_first; i < set->batch_count; i++) {
        if (was_listed_early(set, event_of(&set->batch[i], 0))) count++;
    }
    return count;
}

/* Appends the events that were listed early, or all other events if `is_early` is false. */
static void append_events(const struct rl_wait_set *set, struct rl_kernel_event *events,
                          uint32_t *count, bool is_early)
{
    for (uint32_t i = set->batch_first; i < set->batch_count; i++) {
        if (was_listed_early(set, event_of(&set->batch[i], 0)) != is_early) continue;
        events[(*count)++] = set->batch[i];
    }
}

/*
 * Moves the descriptors that were listed early behind all other events. This is the order that the
 * kernel would have if it listed descriptors after their callbacks. Returns true if `event`, the
 * first event of its fetch, went back to the batch.
 */
static bool sort_batch(struct rl_wait_set *set, struct rl_event event)
{
    bool is_early = was_listed_early(set, event);
    uint32_t count = 0, early = count_early(set), rest = set->batch_count - set->batch_first;
    set->is_unsorted = false;
    if (early == rest || (early == 0 && !is_early)) return false;
    struct rl_kernel_event sorted[RL_KERNEL_MOST_EVENTS];
    append_events(set, sorted, &count, false);
    if (is_early) {
        sorted[count].payload = rl_wait_payload(event.slot, event.generation);
        sorted[count++].ready = event.ready;
    }
    append_events(set, sorted, &count, true);
    memcpy(set->batch, sorted, count * sizeof sorted[0]);
    set->batch_first = 0;
    set->batch_count = count;
    return is_early;
}

void rl_wait_set_accept(struct rl_wait_set *set, struct rl_event *event, bool has_waited)
{
    if (set->is_unsorted && sort_batch(set, *event)) return;
    if (rl_wait_set_owner(set, *event)) set->slots[event->slot].reported_by = set->fetches;
    event->ready = accepted_events(set, *event, has_waited);
    if (event->ready == 0) {
        if (!has_waited) reject_event(set, *event);
        return;
    }
    event->source = rl_wait_set_owner(set, *event);
    rl_object_retain(event->source);
    /* Clears the fetch: the client of another source may have read the bytes since then. */
    if (has_waited && rl_wait_slots_share(set, event->slot)) event->fetch = 0;
    const uint32_t lasting = RL_KERNEL_HANG_UP | RL_KERNEL_ERROR | RL_KERNEL_PEER_CLOSED;
    bool may_last = (event->ready & lasting) || set->slots[event->slot].had_error;
    if (may_last) rl_wait_slots_quiet(set, event->slot, event->ready);
}
