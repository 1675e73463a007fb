/*
 * Looking for an event costs a system call only if the mode has descriptors: timers are compared
 * with the clock, wake-ups are a bit. Sleeping arms the timer port, if what it is armed for has
 * changed, and waits.
 */

#include "run/wait.h"

#include "base/clock.h"
#include "loop/source.h"
#include "loop/trace.h"
#include "run/main_queue.h"

_Static_assert((int)kRLRunLoopWakeReasonToken == RL_EVENT_WAKE_UP &&
                   (int)kRLRunLoopWakeReasonTimer == RL_EVENT_TIMER &&
                   (int)kRLRunLoopWakeReasonMainQueue == RL_EVENT_MAIN_QUEUE &&
                   (int)kRLRunLoopWakeReasonDescriptor == RL_EVENT_DESCRIPTOR,
               "kinds of events are reasons to wake up");

static const struct rl_event nothing = {.kind = RL_EVENT_NONE};

/* A due timer and where it stands among wake-ups. */
static bool is_timer_due(struct rl_mode *mode, uint64_t *ret_placement)
{
    *ret_placement = 0;
    if (!rl_mode_is_timer_due(mode)) return false;
    rl_lock(&mode->loop->lock);
    const struct rl_timer_queue_entry *next = rl_timer_queue_next(&mode->timers);
    bool is_due = next && next->deadline_ns <= rl_clock_now_ns();
    if (next) *ret_placement = next->membership->placement;
    rl_unlock_quickly(&mode->loop->lock);
    return is_due;
}

/* What needs no system call: a wake-up or due timers, whichever was first. */
static struct rl_event look_inside(struct rl_mode *mode)
{
    struct rl_wake *wake = &mode->loop->wake;
    uint64_t placement, stamp;
    bool is_due = is_timer_due(mode, &placement);
    bool is_woken = rl_wake_is_pending(wake, &stamp);
    /* A timer that was placed after the wake-up cannot have been due before it. */
    if (is_due && !(is_woken && placement > stamp)) {
        return (struct rl_event){.kind = RL_EVENT_TIMER};
    }
    bool is_observed = rl_mode_is_observed(mode, kRLRunLoopAfterWaiting);
    if (is_woken && rl_wake_consume(wake, is_observed)) {
        return (struct rl_event){.kind = RL_EVENT_WAKE_UP};
    }
    return nothing;
}

/*
 * Takes an event, waiting until the moment at most. What calls the host is in its set once only, and
 * the host is to see there what is left.
 */
static struct rl_event take(struct rl_mode *mode, int64_t deadline_ns)
{
    struct rl_loop *loop = mode->loop;
    bool is_hosted = loop->host_mode == mode;
    struct rl_event event = rl_wait_set_take(&mode->wait_set, loop, deadline_ns, is_hosted);
    if (event.kind == RL_EVENT_WAKE_UP && is_hosted) rl_wake_answer(&loop->wake);
    return event;
}

/* Holds the source of a membership to which an event is about to be delivered. Loop locked. */
static struct rl_held hold(struct rl_mode *mode, struct rl_membership *member,
                           struct rl_event event)
{
    struct rl_held_stack *stack = &mode->loop->held;
    struct rl_held source = rl_held_begin(stack, 1);
    rl_held_add(stack, &source, rl_membership_item(member));
    if (!rl_source_of(rl_membership_item(member))->more->owner) {
        rl_wait_set_quiet_dead(&mode->wait_set, event.slot, event.ready);
    }
    return source;
}

/*
 * Whether an event is for somebody who is still there. A counter's count is taken here, before the
 * observers hear of it, so that what is added from then on is another event. If there are none, the
 * source is held at once.
 */
static bool acknowledge(struct rl_mode *mode, struct rl_event *event)
{
    struct rl_wait_set *set = &mode->wait_set;
    rl_lock(&mode->loop->lock);
    struct rl_membership *member = rl_wait_set_member(set, *event);
    bool is_wanted = member != NULL;
    if (is_wanted && set->slots[event->slot].is_counter) {
        is_wanted = rl_wait_set_take_count(set, *event);
    }
    event->is_held = is_wanted && !rl_mode_is_observed(mode, kRLRunLoopAfterWaiting);
    if (event->is_held) hold(mode, member, *event);
    rl_unlock_quickly(&mode->loop->lock);
    return is_wanted;
}

void rl_wait_let_go(struct rl_loop *loop, struct rl_event *event)
{
    if (!event->is_held) return;
    struct rl_held source = rl_held_last(&loop->held);
    rl_held_end(&loop->held, &source);
    event->is_held = false;
}

struct rl_held rl_wait_receive(struct rl_mode *mode, struct rl_event event)
{
    if (event.is_held) return rl_held_last(&mode->loop->held);
    struct rl_held source = {0};
    rl_lock(&mode->loop->lock);
    struct rl_membership *member = rl_wait_set_member(&mode->wait_set, event);
    if (member) source = hold(mode, member, event);
    rl_unlock_quickly(&mode->loop->lock);
    return source;
}

/* The timer port was reported: whether a timer is due. */
static bool acknowledge_timer(struct rl_mode *mode, struct rl_event event)
{
    uint64_t placement;
    rl_lock(&mode->loop->lock);
    bool has_fired = rl_wait_set_take_timer(&mode->wait_set, event);
    rl_unlock_quickly(&mode->loop->lock);
    return has_fired && is_timer_due(mode, &placement);
}

/*
 * What the kernel knows of: descriptors, the timer port if it was armed, and the main queue, which
 * CF looks at last. A wake-up written to the port is only a shadow of the bit and is passed over.
 */
static struct rl_event look_outside(struct rl_mode *mode, bool *ret_main_queue)
{
    *ret_main_queue = false;
    for (;;) {
        struct rl_event event = take(mode, 0);
        switch (event.kind) {
        case RL_EVENT_WAKE_UP: continue;
        case RL_EVENT_MAIN_QUEUE:
            if (*ret_main_queue) return nothing;
            *ret_main_queue = true;
            continue;
        case RL_EVENT_TIMER:
            if (acknowledge_timer(mode, event)) return event;
            continue;
        default:
            if (event.kind == RL_EVENT_DESCRIPTOR && !acknowledge(mode, &event)) continue;
            return event;
        }
    }
}

/* What the kernel has told of before: descriptors, and the timer port. */
static struct rl_event look_at_queue(struct rl_mode *mode)
{
    while (rl_wait_set_has_queued(&mode->wait_set)) {
        struct rl_event event = take(mode, 0);
        bool is_timer = event.kind == RL_EVENT_TIMER;
        if (is_timer ? acknowledge_timer(mode, event) : acknowledge(mode, &event)) return event;
    }
    return nothing;
}

/* Prepares the kernel's side; false if the mode has none and needs none for a look. */
static bool open_outside(const struct rl_wait_request *request)
{
    if (!rl_wait_has_outside(request->mode, request->serves_main_queue)) return false;
    struct rl_mode *mode = request->mode;
    struct rl_wait_set *set = &mode->wait_set;
    bool serves_main_queue = request->serves_main_queue && !rl_main_queue_is_abandoned();
    rl_lock(&mode->loop->lock);
    bool is_needed = set->descriptors > 0 || serves_main_queue || set->has_main_queue;
    bool is_open = is_needed && rl_wait_set_open(set, mode->loop);
    if (is_open && serves_main_queue != set->has_main_queue) {
        rl_wait_set_include_main_queue(set, rl_main_queue_port(), serves_main_queue);
    }
    rl_unlock_quickly(&mode->loop->lock);
    return is_open;
}

static struct rl_event look(const struct rl_wait_request *request)
{
    bool has_main_queue = false;
    struct rl_event event = look_at_queue(request->mode);
    if (event.kind != RL_EVENT_NONE) return event;
    if (open_outside(request)) event = look_outside(request->mode, &has_main_queue);
    if (event.kind == RL_EVENT_NONE) event = look_inside(request->mode);
    if (event.kind == RL_EVENT_NONE && has_main_queue && rl_main_queue_take()) {
        event.kind = RL_EVENT_MAIN_QUEUE;
    }
    return event;
}

/* With a clock that a test has stopped, time passes only here, and at once. */
static bool jump(const struct rl_wait_request *request)
{
    int64_t *stopped = rl_clock_stopped();
    if (!stopped) return false;
    rl_lock(&request->mode->loop->lock);
    int64_t timer_ns = rl_timer_queue_hard_deadline(&request->mode->timers);
    rl_unlock_quickly(&request->mode->loop->lock);
    int64_t next_ns = timer_ns < request->limit_ns ? timer_ns : request->limit_ns;
    if (next_ns == RL_NEVER_NS) return false;
    if (next_ns > *stopped) *stopped = next_ns;
    return true;
}

/*
 * What the timer port is to be armed for. The kernel lets a time-out be late by the timer slack of the
 * thread, 50 µs by default, but no timer port: a limit to which that would matter gets the port.
 */
static int64_t port_deadline(const struct rl_wait_request *request)
{
    enum { SHORT_NS = 500000 };
    int64_t deadline_ns = rl_timer_queue_hard_deadline(&request->mode->timers);
    if (request->limit_ns >= deadline_ns) return deadline_ns;
    bool is_short = request->limit_ns - rl_kernel_monotonic_ns() <= SHORT_NS;
    return is_short ? request->limit_ns : deadline_ns;
}

/*
 * Arms what will end the sleep, and tells until when to wait in any case. False if the kernel has
 * no descriptors left for that; a missing timer port alone is made up for by the time-out.
 */
static bool prepare_sleep(const struct rl_wait_request *request, int64_t *ret_until_ns)
{
    struct rl_mode *mode = request->mode;
    struct rl_wait_set *set = &mode->wait_set;
    *ret_until_ns = request->limit_ns;
    rl_lock(&mode->loop->lock);
    int64_t deadline_ns = port_deadline(request);
    bool is_open = rl_wait_set_open(set, mode->loop);
    bool is_armed = is_open && (rl_clock_stopped() || rl_wait_set_arm(set, deadline_ns));
    set->is_asleep = is_open;
    rl_unlock_quickly(&mode->loop->lock);
    if (!is_armed && deadline_ns < *ret_until_ns) *ret_until_ns = deadline_ns;
    return is_open;
}

static void end_sleep(struct rl_mode *mode)
{
    bool is_hosted = mode->loop->host_mode == mode;
    atomic_store_explicit(&mode->wait_set.is_asleep, is_hosted, memory_order_release);
}

/* Without descriptors there is no port to be woken by: look every few milliseconds instead. */
static void doze(int64_t until_ns)
{
    enum { DOZE_NS = 5000000 };
    int64_t next_ns = rl_kernel_monotonic_ns() + DOZE_NS;
    rl_kernel_sleep(next_ns < until_ns ? next_ns : until_ns);
}

/* What an event that ended a sleep is to those who are there by now; or what else there is. */
static struct rl_event settle(struct rl_mode *mode, struct rl_event event)
{
    switch (event.kind) {
    case RL_EVENT_DESCRIPTOR: return acknowledge(mode, &event) ? event : nothing;
    case RL_EVENT_MAIN_QUEUE: return rl_main_queue_take() ? event : nothing;
    case RL_EVENT_TIMER: return acknowledge_timer(mode, event) ? event : nothing;
    default: return look_inside(mode);
    }
}

/* One visit to the kernel. Returns what to serve, or nothing to look again. */
static struct rl_event sleep_once(const struct rl_wait_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_wake *wake = &mode->loop->wake;
    int64_t until_ns;
    if (!prepare_sleep(request, &until_ns)) {
        doze(until_ns);
        return look_inside(mode);
    }
    struct rl_event event = nothing;
    if (rl_wake_fall_asleep(wake)) event = take(mode, until_ns);
    end_sleep(mode);
    event = settle(mode, event);
    rl_wake_get_up(wake);
    return event;
}

/*
 * Looks at the wake-up word, for as long as a look at the clock takes, and at the clock. Other looks are
 * seldom: they would take what a client is about to write to away from its processor, where the word is
 * what it writes to last. Only a kernel's side must be asked.
 */
static bool seems_changed(const struct rl_wait_request *request, int64_t now_ns, unsigned turn)
{
    enum { LOOKS_AT_WORD = 16, TURNS = 64 };
    const struct rl_mode *mode = request->mode;
    for (int i = 0; i < LOOKS_AT_WORD; i++) {
        if (rl_wake_seems_pending(&mode->loop->wake)) return true;
    }
    if (atomic_load(&mode->first_deadline_ns) <= now_ns) return true;
    if (rl_wait_has_outside(mode, request->serves_main_queue)) return true;
    return turn % TURNS == 0 && !rl_wait_is_still(mode, request->serves_main_queue);
}

/* Before a sleep, if a client has asked for it: looks again and again for some time. */
static struct rl_event look_busily(const struct rl_wait_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    int64_t interval_ns = atomic_load_explicit(&loop->busy_poll_ns, memory_order_relaxed);
    if (RL_LIKELY(interval_ns == 0) || rl_clock_stopped()) return nothing;
    int64_t now_ns = rl_kernel_monotonic_ns(), end_ns = now_ns + interval_ns;
    if (request->limit_ns < end_ns) end_ns = request->limit_ns;
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseWaiting, (uint64_t)now_ns);
    struct rl_event event = nothing;
    for (unsigned turn = 1; now_ns < end_ns; turn++) {
        if (seems_changed(request, now_ns, turn)) event = look(request);
        /* The clock is not read once more: what is next is what matters. */
        if (event.kind != RL_EVENT_NONE) break;
        now_ns = rl_kernel_monotonic_ns();
    }
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, (uint64_t)now_ns);
    return event;
}

static struct rl_event sleep_until_event(const struct rl_wait_request *request)
{
    struct rl_statistics *statistics = &request->mode->loop->statistics;
    uint64_t began_ns = (uint64_t)rl_kernel_monotonic_ns();
    rl_statistics_add(&statistics->sleeps, 1);
    atomic_store_explicit(&statistics->sleep_began_ns, began_ns, memory_order_relaxed);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseWaiting, began_ns);
    rl_trace_sleep(request->mode->loop);
    struct rl_event event;
    do {
        event = jump(request) ? look(request) : sleep_once(request);
    } while (event.kind == RL_EVENT_NONE &&
             (request->limit_ns == RL_NEVER_NS || rl_clock_now_ns() < request->limit_ns));
    atomic_store_explicit(&statistics->sleep_began_ns, 0, memory_order_relaxed);
    uint64_t now_ns = (uint64_t)rl_kernel_monotonic_ns();
    rl_statistics_add(&statistics->asleep_ns, now_ns - began_ns);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseRunning, now_ns);
    return event;
}

struct rl_event rl_wait(const struct rl_wait_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    /* For those who ask; nothing relies on its order. */
    atomic_store_explicit(&loop->is_waiting, true, memory_order_release);
    struct rl_event event = look(request);
    if (event.kind == RL_EVENT_NONE && !request->is_poll) event = look_busily(request);
    if (event.kind == RL_EVENT_NONE && !request->is_poll) event = sleep_until_event(request);
    atomic_store_explicit(&loop->is_waiting, false, memory_order_release);
    if (event.kind != RL_EVENT_NONE || !request->is_poll) {
        rl_statistics_add(&loop->statistics.wake_ups[event.kind], 1);
        bool is_descriptor = event.kind == RL_EVENT_DESCRIPTOR;
        rl_trace_wake_up(loop, (RLRunLoopWakeReason)event.kind, is_descriptor ? &event.slot : NULL);
    }
    return event;
}

void RLRunLoopSetBusyPollInterval(RLRunLoopRef loop, RLTimeInterval seconds)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    atomic_store_explicit(&self->busy_poll_ns, rl_clock_ns_of(seconds), memory_order_relaxed);
}

RLTimeInterval RLRunLoopGetBusyPollInterval(RLRunLoopRef loop)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    return (double)atomic_load_explicit(&self->busy_poll_ns, memory_order_relaxed) / 1.0e9;
}
