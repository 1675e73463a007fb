/*
 * Looking for an event costs a system call only if the mode has descriptors: timers are compared
 * with the clock, wake-ups are a bit. Sleeping arms the timer port, if what it is armed for has
 * changed, and waits.
 *
 * The kernel tells of descriptors and of the timer port in the order in which they became ready.
 * Wake-ups and, without descriptors, timers are seen in memory. So that a descriptor that is always
 * ready starves neither, they go first in the look after one that gave a descriptor; and so does
 * the main queue, if the kernel told of it then.
 */

#include "run/wait.h"

#include "base/clock.h"
#include "loop/block.h"
#include "loop/source.h"
#include "loop/trace.h"
#include "run/main_queue.h"

_Static_assert((int)kRLRunLoopWakeReasonToken == RL_EVENT_WAKE_UP &&
                   (int)kRLRunLoopWakeReasonTimer == RL_EVENT_TIMER &&
                   (int)kRLRunLoopWakeReasonMainQueue == RL_EVENT_MAIN_QUEUE &&
                   (int)kRLRunLoopWakeReasonDescriptor == RL_EVENT_DESCRIPTOR,
               "kinds of events are reasons to wake up");

static const struct rl_event nothing = {.kind = RL_EVENT_NONE};

/* --- In memory -------------------------------------------------------------------------------- */

/*
 * Returns where the first due timer that is not being called stands among wake-ups; 0 if there is
 * none. Takes the lock only if the look without it finds a moment that has come.
 */
static uint64_t placement_of_due_timer(struct rl_mode *mode)
{
    if (!rl_mode_may_have_due_timer(mode)) return 0;
    rl_lock(&mode->loop->lock);
    const struct rl_timer_queue_entry *next = rl_timer_queue_next(&mode->timers);
    bool is_due = next && next->deadline_ns <= rl_clock_now_ns();
    uint64_t placement = is_due ? next->membership->placement : 0;
    rl_unlock(&mode->loop->lock);
    return placement;
}

/* A wake-up or due timers, whichever was first. */
static struct rl_event look_in_memory(struct rl_mode *mode, bool wants_timers)
{
    struct rl_wake *wake = mode->wait_set.wake;
    uint64_t stamp, placement = wants_timers ? placement_of_due_timer(mode) : 0;
    bool is_woken = rl_wake_is_pending(wake, &stamp);
    /* A timer that was placed after the wake-up cannot have been due before it. */
    bool is_timer_first = placement != 0 && !(is_woken && placement > stamp);
    if (is_timer_first) return (struct rl_event){.kind = RL_EVENT_TIMER};
    if (is_woken && rl_wake_consume(wake)) return (struct rl_event){.kind = RL_EVENT_WAKE_UP};
    return nothing;
}

/* --- In the kernel ---------------------------------------------------------------------------- */

/*
 * A counter's count is taken here, so that what is added from the observers' calls on is another
 * event.
 */
static bool accept_descriptor(struct rl_mode *mode, struct rl_event event)
{
    rl_lock(&mode->loop->lock);
    bool is_wanted = rl_wait_set_accept(&mode->wait_set, event) != NULL;
    if (!is_wanted) rl_wait_set_reject(&mode->wait_set, event);
    rl_unlock(&mode->loop->lock);
    return is_wanted;
}

/* The timer port has fired, and is armed for nothing now. It may have been for what is gone. */
static bool accept_timer(struct rl_mode *mode)
{
    rl_lock(&mode->loop->lock);
    mode->wait_set.armed_ns = 0;
    rl_unlock(&mode->loop->lock);
    return placement_of_due_timer(mode) != 0;
}

struct rl_held rl_wait_receive(struct rl_mode *mode, struct rl_event event)
{
    struct rl_held_stack *stack = &mode->loop->held;
    struct rl_held held = {0};
    rl_lock(&mode->loop->lock);
    struct rl_source *source = rl_wait_set_owner(&mode->wait_set, event);
    if (source) {
        held = rl_held_begin(stack, 1);
        rl_held_add(stack, &held, source);
        /* The engine's own sources mind dead descriptors themselves. */
        if (!source->more->owner) rl_wait_set_quiet_dead(&mode->wait_set, event.slot, event.ready);
    }
    rl_unlock(&mode->loop->lock);
    return held;
}

/*
 * Has all that the request needs in the set, as far as the kernel has room. Loop locked. Returns
 * whether nothing is missing; the set is open if anything is in it.
 */
static bool complete_set(const struct rl_wait_request *request)
{
    struct rl_wait_set *set = &request->mode->wait_set;
    if (!rl_wait_set_open(set)) return false;
    bool serves_main_queue = request->serves_main_queue && !rl_main_queue_is_abandoned();
    bool has_main_queue = true;
    if (serves_main_queue != set->has_main_queue) {
        has_main_queue =
            rl_wait_set_include_main_queue(set, rl_main_queue_port(), serves_main_queue);
    }
    return rl_wait_set_retry(set) && has_main_queue;
}

/* Has the kernel order the first timer among the descriptors. Loop locked. */
static void arm_for_timers(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    if (mode->timers.count == 0 || rl_clock_stopped()) return;
    int64_t deadline_ns = rl_timer_queue_hard_deadline(&mode->timers);
    if (set->armed_ns == 0 || set->armed_ns > deadline_ns) rl_wait_set_arm(set, deadline_ns);
}

/* Prepares a look at the kernel's side. Returns whether there is something to look at. */
static bool prepare_look(const struct rl_wait_request *request)
{
    struct rl_mode *mode = request->mode;
    if (!rl_wait_needs_kernel(mode, request->serves_main_queue)) return false;
    rl_lock(&mode->loop->lock);
    complete_set(request);
    bool is_open = mode->wait_set.poll_fd >= 0;
    if (is_open) arm_for_timers(mode);
    rl_unlock(&mode->loop->lock);
    return is_open;
}

/*
 * Looks at what the kernel knows of: descriptors, the timer port if it was armed, and the main
 * queue, which CF looks at last. A wake-up written to the port is only a shadow of the bit and is
 * passed over.
 */
static struct rl_event look_in_kernel(struct rl_mode *mode, bool *ret_main_queue)
{
    for (;;) {
        struct rl_event event = rl_wait_set_take(&mode->wait_set, 0);
        switch (event.kind) {
        case RL_EVENT_NONE: return nothing;
        case RL_EVENT_WAKE_UP: continue;
        case RL_EVENT_MAIN_QUEUE:
            if (*ret_main_queue) return nothing;
            *ret_main_queue = true;
            continue;
        case RL_EVENT_TIMER:
            if (accept_timer(mode)) return event;
            continue;
        case RL_EVENT_DESCRIPTOR:
            if (accept_descriptor(mode, event)) return event;
            /* The set is gone if it could not be made anew. */
            if (mode->wait_set.poll_fd < 0) return nothing;
        }
    }
}

/* Looks at what the kernel has told of before. */
static struct rl_event look_at_batch(struct rl_mode *mode)
{
    while (rl_wait_set_has_batch(&mode->wait_set)) {
        struct rl_event event = rl_wait_set_take(&mode->wait_set, 0);
        bool is_timer = event.kind == RL_EVENT_TIMER;
        bool is_descriptor = event.kind == RL_EVENT_DESCRIPTOR;
        if (is_timer && accept_timer(mode)) return event;
        if (is_descriptor && accept_descriptor(mode, event)) return event;
    }
    return nothing;
}

/* --- Looking ---------------------------------------------------------------------------------- */

/* What the look before passed over, as it gave a descriptor. */
static struct rl_event look_at_what_waited(const struct rl_wait_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_wait_turns *turns = &mode->loop->turns;
    if (turns->is_main_queue_owed && request->serves_main_queue) {
        turns->is_main_queue_owed = false;
        if (rl_main_queue_take()) return (struct rl_event){.kind = RL_EVENT_MAIN_QUEUE};
    }
    if (!turns->is_memory_owed) return nothing;
    turns->is_memory_owed = false;
    /* An armed port has its place among the descriptors. */
    return look_in_memory(mode, mode->wait_set.armed_ns == 0);
}

static struct rl_event look(const struct rl_wait_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_event event = look_at_batch(mode);
    if (event.kind != RL_EVENT_NONE) return event;

    bool is_open = prepare_look(request);
    /* A set that cannot be made does not tell of the queue. */
    bool has_main_queue = !is_open && request->serves_main_queue;
    event = look_at_what_waited(request);
    if (event.kind == RL_EVENT_NONE && is_open) {
        event = look_in_kernel(mode, &has_main_queue);
        bool is_descriptor = event.kind == RL_EVENT_DESCRIPTOR;
        mode->loop->turns = (struct rl_wait_turns){
            .is_memory_owed = is_descriptor,
            .is_main_queue_owed = is_descriptor && has_main_queue,
        };
    }
    if (event.kind == RL_EVENT_NONE) event = look_in_memory(mode, true);
    if (event.kind == RL_EVENT_NONE && has_main_queue && rl_main_queue_take()) {
        event.kind = RL_EVENT_MAIN_QUEUE;
    }
    return event;
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
    while (event.kind == RL_EVENT_NONE && now_ns < end_ns) {
        event = look(request);
        now_ns = rl_kernel_monotonic_ns();
    }
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, (uint64_t)now_ns);
    return event;
}

/* --- Sleeping --------------------------------------------------------------------------------- */

/* With a clock that a test has stopped, time passes only here, and at once. */
static bool jump(const struct rl_wait_request *request)
{
    int64_t *stopped = rl_clock_stopped();
    if (!stopped) return false;
    rl_lock(&request->mode->loop->lock);
    int64_t timer_ns = rl_timer_queue_hard_deadline(&request->mode->timers);
    rl_unlock(&request->mode->loop->lock);
    int64_t next_ns = timer_ns < request->limit_ns ? timer_ns : request->limit_ns;
    if (next_ns == RL_NEVER_NS) return false;
    if (next_ns > *stopped) *stopped = next_ns;
    return true;
}

/*
 * What the timer port is to be armed for. The kernel lets a time-out be late by the timer slack of
 * the thread, 50 µs by default, but no timer port: a limit to which that would matter gets the
 * port.
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
 * Arms what will end the sleep, and tells until when to wait in any case: what the kernel has no
 * room for is made up for by a time-out. Returns false if there is no set to wait for.
 */
static bool prepare_sleep(const struct rl_wait_request *request, int64_t *ret_until_ns)
{
    struct rl_mode *mode = request->mode;
    struct rl_wait_set *set = &mode->wait_set;
    rl_lock(&mode->loop->lock);
    int64_t deadline_ns = port_deadline(request);
    bool is_complete = complete_set(request);
    bool is_open = set->poll_fd >= 0;
    bool is_armed = is_open && (rl_clock_stopped() || rl_wait_set_arm(set, deadline_ns));
    set->is_asleep = is_open;
    rl_unlock(&mode->loop->lock);

    int64_t until_ns = request->limit_ns;
    if (!is_armed && deadline_ns < until_ns) until_ns = deadline_ns;
    if (!is_complete) {
        int64_t retry_ns = rl_kernel_monotonic_ns() + RL_WAIT_RETRY_NS;
        if (retry_ns < until_ns) until_ns = retry_ns;
    }
    *ret_until_ns = until_ns;
    return is_open;
}

/* Returns what to serve for an event that ended a sleep, or nothing if the sleep is to go on. */
static struct rl_event accept_event(struct rl_mode *mode, struct rl_event event)
{
    switch (event.kind) {
    case RL_EVENT_DESCRIPTOR:
        if (!accept_descriptor(mode, event)) return nothing;
        mode->loop->turns.is_memory_owed = true;
        return event;
    case RL_EVENT_MAIN_QUEUE: return rl_main_queue_take() ? event : nothing;
    case RL_EVENT_TIMER: return accept_timer(mode) ? event : nothing;
    default: return look_in_memory(mode, true);
    }
}

/* One visit to the kernel. Returns what to serve, or nothing to sleep again. */
static struct rl_event sleep_once(const struct rl_wait_request *request)
{
    struct rl_wait_set *set = &request->mode->wait_set;
    int64_t until_ns;
    if (!prepare_sleep(request, &until_ns)) {
        /*
         * Without descriptors there is no port to be woken by: look again every few milliseconds.
         */
        rl_kernel_sleep(until_ns);
        return look(request);
    }
    struct rl_event event = nothing;
    if (rl_wake_fall_asleep(set->wake)) event = rl_wait_set_take(set, until_ns);
    /* A loop without a run sleeps in its host. */
    atomic_store_explicit(&set->is_asleep, set->is_hosted, memory_order_release);
    event = accept_event(request->mode, event);
    rl_wake_get_up(set->wake);
    return event;
}

/*
 * A block that another thread has queued since the last look at blocks, and whose client may have
 * left the loop asleep, as it did not wait then. It counts as a wake-up. What the loop's own thread
 * has queued in an observer stays for the next pass, as in CF.
 */
static bool has_unannounced_block(const struct rl_mode *mode)
{
    if (!rl_block_has_come_from_elsewhere(mode)) return false;
    rl_wake_consume(&mode->loop->wake);
    return true;
}

/* Tells statistics and trace of a sleep that begins. Returns the time. */
static uint64_t note_sleep(struct rl_loop *loop)
{
    struct rl_statistics *statistics = &loop->statistics;
    uint64_t now_ns = (uint64_t)rl_kernel_monotonic_ns();
    rl_statistics_add(&statistics->sleeps, 1);
    atomic_store_explicit(&statistics->sleep_began_ns, now_ns, memory_order_relaxed);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseWaiting, now_ns);
    rl_trace_sleep(loop);
    return now_ns;
}

static void note_end_of_sleep(struct rl_loop *loop, uint64_t began_ns)
{
    struct rl_statistics *statistics = &loop->statistics;
    uint64_t now_ns = (uint64_t)rl_kernel_monotonic_ns();
    atomic_store_explicit(&statistics->sleep_began_ns, 0, memory_order_relaxed);
    rl_statistics_add(&statistics->asleep_ns, now_ns - began_ns);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseRunning, now_ns);
}

static bool is_time_left(const struct rl_wait_request *request)
{
    return request->limit_ns == RL_NEVER_NS || rl_clock_now_ns() < request->limit_ns;
}

static struct rl_event look_or_sleep(const struct rl_wait_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct rl_event event = look(request);
    if (event.kind == RL_EVENT_NONE && has_unannounced_block(request->mode)) {
        event.kind = RL_EVENT_WAKE_UP;
    }
    if (event.kind == RL_EVENT_NONE) event = look_busily(request);
    if (event.kind != RL_EVENT_NONE) return event;

    uint64_t began_ns = note_sleep(loop);
    do {
        event = jump(request) ? look(request) : sleep_once(request);
    } while (event.kind == RL_EVENT_NONE && is_time_left(request));
    note_end_of_sleep(loop, began_ns);
    return event;
}

struct rl_event rl_wait(const struct rl_wait_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct rl_event event;
    if (request->is_poll) {
        event = look(request);
        if (event.kind == RL_EVENT_NONE) return event;
    } else {
        /* Before the look at blocks: a client that finds the loop not waiting need not wake it. */
        atomic_store(&loop->is_waiting, true);
        event = look_or_sleep(request);
        atomic_store_explicit(&loop->is_waiting, false, memory_order_release);
    }
    rl_statistics_add(&loop->statistics.wake_ups[event.kind], 1);
    bool is_descriptor = event.kind == RL_EVENT_DESCRIPTOR;
    rl_trace_wake_up(loop, (RLRunLoopWakeReason)event.kind, is_descriptor ? &event.slot : NULL);
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
