/*
 * Polling for an event costs a system call only if the mode has descriptors: the loop compares
 * timers with the clock, and a wake-up is a bit in memory. To sleep, it arms the timer port, if the
 * port is armed for another moment, and waits. Where only descriptors are left, most sleeps are the
 * poll.
 *
 * The kernel reports descriptors and the timer port in the order in which they became ready.
 * Wake-ups and, without descriptors, timers are found in memory. A descriptor that is always ready
 * must not starve these, so they go first in the poll after one that found an event. So does the
 * main queue, if the kernel reported it in the earlier poll, or could not report it.
 */

#include "run/sleep.h"

#include "base/clock.h"
#include "base/fork.h"
#include "loop/block.h"
#include "loop/report.h"
#include "loop/source.h"
#include "run/advance.h"
#include "run/loop_fork.h"
#include "run/main_queue.h"

_Static_assert((int)kRLRunLoopWakeReasonToken == RL_EVENT_WAKE_UP &&
                   (int)kRLRunLoopWakeReasonTimer == RL_EVENT_TIMER &&
                   (int)kRLRunLoopWakeReasonMainQueue == RL_EVENT_MAIN_QUEUE &&
                   (int)kRLRunLoopWakeReasonDescriptor == RL_EVENT_DESCRIPTOR,
               "kinds of events are reasons to wake up");

static const struct rl_event nothing = {.kind = RL_EVENT_NONE};

/* --- In memory -------------------------------------------------------------------------------- */

/*
 * Returns the place of the first due timer that is not being called among wake-ups; 0 if there is
 * none. Takes the lock only if a moment has come.
 */
static uint64_t placement_of_due_timer(struct rl_mode *mode)
{
    if (!rl_mode_may_have_due_timer(mode)) return 0;
    rl_lock(&mode->loop->lock);
    const struct rl_timer_entry *next = rl_timer_queue_next(&mode->timers);
    bool is_due = next && next->deadline_ns <= rl_clock_now_ns();
    uint64_t placement = is_due ? next->membership->placement : 0;
    rl_unlock(&mode->loop->lock);
    return placement;
}

/* Returns a wake-up or due timers, whichever came first. */
static struct rl_event poll_memory(struct rl_mode *mode, bool wants_timers)
{
    struct rl_wake *wake = &mode->loop->wake;
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
 * Returns a descriptor's event with its source and what it is ready for; nothing if no source waits
 * for it any more. Takes the count of a counter, so that what is added while observers are called
 * is another event.
 */
static struct rl_event accept_descriptor(struct rl_mode *mode, struct rl_event event,
                                         bool has_waited)
{
    rl_lock(&mode->loop->lock);
    event = rl_wait_set_accept(&mode->wait_set, event, has_waited);
    rl_unlock(&mode->loop->lock);
    return event.source ? event : nothing;
}

/* Returns whether a timer is due: the port may have been armed for one that has gone. */
static bool has_due_timer(struct rl_mode *mode)
{
    return placement_of_due_timer(mode) != 0;
}

/*
 * Puts all that the request needs into the set, as far as the kernel has room. Loop locked. Returns
 * whether nothing is missing; the set is open if anything is in it. Wake-ups and timers need none.
 *
 * A host that serves the main queue itself must not be called for it, so the queue leaves the set
 * at the end of each run. Only a sleep puts it back: in a poll it would be reported last.
 */
static bool complete_set(const struct rl_sleep_request *request, bool is_for_sleep)
{
    struct rl_wait_set *set = &request->mode->wait_set;
    bool serves_main_queue = request->serves_main_queue && !rl_main_queue_is_abandoned();
    if (!rl_wait_set_open(set)) return !serves_main_queue && !rl_wait_set_has_sources(set);
    if (rl_wait_set_is_hosted(set) && !rl_wait_set_has_main_queue(set)) {
        serves_main_queue &= is_for_sleep;
    }
    bool has_main_queue = rl_main_queue_include(set, serves_main_queue);
    return rl_wait_set_retry(set) && has_main_queue;
}

/* Has the kernel order the first timer among the descriptors. Loop locked. */
static void arm_for_timers(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    if (mode->timers.count == 0) return;
    int64_t deadline_ns = rl_mode_port_deadline(mode);
    if (rl_wait_set_armed_for(set) > deadline_ns) rl_wait_set_arm(set, deadline_ns);
}

static bool asks_main_queue(const struct rl_sleep_request *request)
{
    return request->serves_main_queue &&
           (request->asks_main_queue || !rl_main_queue_seems_empty(request->mode->loop));
}

/* Prepares to poll the kernel. Returns whether there is a set to poll. */
static bool prepare_poll(const struct rl_sleep_request *request)
{
    struct rl_mode *mode = request->mode;
    const struct rl_wait_set *set = &mode->wait_set;
    bool may_have_main_queue =
        request->serves_main_queue ? asks_main_queue(request) : rl_wait_set_has_main_queue(set);
    if (!may_have_main_queue && !rl_wait_set_has_sources(set)) return false;
    rl_lock(&mode->loop->lock);
    complete_set(request, false);
    bool is_open = rl_wait_set_is_open(set);
    if (is_open) arm_for_timers(mode);
    rl_unlock(&mode->loop->lock);
    return is_open;
}

/*
 * Polls the kernel: descriptors, the timer port if it was armed, and the main queue, which CF polls
 * last. An event of the wake-up port is passed over, as the bit in the word is the wake-up.
 */
static struct rl_event poll_kernel(struct rl_mode *mode, bool *ret_main_queue)
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
            if (has_due_timer(mode)) return event;
            continue;
        case RL_EVENT_DESCRIPTOR:
            event = accept_descriptor(mode, event, false);
            if (event.kind != RL_EVENT_NONE) return event;
            /* The set is gone if it could not be made anew. */
            if (!rl_wait_set_is_open(&mode->wait_set)) return nothing;
        }
    }
}

/* Takes the next of the events that the kernel reported together. The main queue is after them. */
static struct rl_event take_from_batch(struct rl_mode *mode)
{
    while (rl_wait_set_has_batch(&mode->wait_set)) {
        struct rl_event event = rl_wait_set_take(&mode->wait_set, 0);
        bool is_timer = event.kind == RL_EVENT_TIMER;
        if (event.kind == RL_EVENT_MAIN_QUEUE) mode->loop->turns.is_main_queue_owed = true;
        if (is_timer && has_due_timer(mode)) return event;
        if (event.kind == RL_EVENT_DESCRIPTOR) event = accept_descriptor(mode, event, true);
        if (event.kind == RL_EVENT_DESCRIPTOR) return event;
    }
    return nothing;
}

/* --- Polling ---------------------------------------------------------------------------------- */

/* Returns the event that the last poll passed over because it returned another one. */
static struct rl_event take_owed_turn(const struct rl_sleep_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_wait_turns *turns = &mode->loop->turns;
    if (turns->is_main_queue_owed && request->serves_main_queue) {
        turns->is_main_queue_owed = false;
        if (rl_main_queue_take()) return (struct rl_event){.kind = RL_EVENT_MAIN_QUEUE};
    }
    if (!turns->is_memory_owed) return nothing;
    turns->is_memory_owed = false;
    /* If the port is armed, the kernel orders timers among the descriptors. */
    return poll_memory(mode, rl_wait_set_armed_for(&mode->wait_set) == RL_NEVER_NS);
}

static struct rl_event poll_once(const struct rl_sleep_request *request)
{
    struct rl_mode *mode = request->mode;
    bool is_open = prepare_poll(request);
    /* A set without the queue does not report it, so the queue may have work. */
    bool is_told = is_open && rl_wait_set_has_main_queue(&mode->wait_set);
    bool has_main_queue = !is_told && asks_main_queue(request);
    struct rl_event event = take_owed_turn(request);
    if (event.kind != RL_EVENT_NONE) return event;

    if (is_open) event = poll_kernel(mode, &has_main_queue);
    struct rl_wait_turns *turns = &mode->loop->turns;
    turns->is_memory_owed = event.kind != RL_EVENT_NONE;
    if (event.kind == RL_EVENT_NONE) event = poll_memory(mode, true);
    /* A nested run that does not serve the queue leaves the queue's turn as it is. */
    if (!has_main_queue) return event;
    turns->is_main_queue_owed = event.kind != RL_EVENT_NONE;
    if (event.kind == RL_EVENT_NONE && rl_main_queue_take()) event.kind = RL_EVENT_MAIN_QUEUE;
    return event;
}

/* Polls busily for some time before a sleep, if a client has asked for that. */
static struct rl_event poll_busily(const struct rl_sleep_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    int64_t interval_ns = atomic_load_explicit(&loop->busy_poll_ns, memory_order_relaxed);
    /* An exact clock would stand still. */
    if (RL_LIKELY(interval_ns == 0) || rl_clock_of(&loop->clock)->is_exact) return nothing;
    int64_t now_ns = rl_kernel_monotonic_ns(), end_ns = now_ns + interval_ns;
    if (request->limit_ns < end_ns) end_ns = request->limit_ns;
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseWaiting, (uint64_t)now_ns);
    struct rl_event event = nothing;
    while (event.kind == RL_EVENT_NONE && now_ns < end_ns) {
        event = poll_once(request);
        now_ns = rl_kernel_monotonic_ns();
    }
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, (uint64_t)now_ns);
    return event;
}

/* --- Sleeping --------------------------------------------------------------------------------- */

/*
 * Lets time pass in place of a sleep, if this run is to do that for a test. Returns whether there
 * may be something to serve now. If not, the loop has to sleep.
 */
static bool pass_time(const struct rl_sleep_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct rl_advance *advance = loop->activation->advance;
    /* An advance without a clock stays so, even if another thread gives the loop one. */
    if (advance && !advance->clock) return rl_advance_arrive(advance, loop);
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    return clock->pass_time(clock, request->mode);
}

/*
 * Loops for whose descriptors the kernel has no room. Each retries after a delay, the longer the
 * more of them there are, so that all together cost what one does. The main queue does not wait so.
 */
static atomic_uint short_loops;

void rl_sleep_forget_other_loops(void)
{
    atomic_store(&short_loops, 0);
}

/* Here, as this file is linked wherever a loop has what a fork must handle. */
RL_REGISTER_FORK_TABLE(50, rl_loop_fork_prepare, rl_loop_fork_go_on_in_parent,
                       rl_loop_fork_settle_child)

struct sleep {
    /* The end in any case: it makes up for what the kernel has no room for. */
    int64_t until_ns;
    /* Whether there is a set to wait for, and whether all that is needed is in it. */
    bool has_set, is_complete;
};

/* Arms what will end the sleep. */
static struct sleep prepare_sleep(const struct rl_sleep_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_wait_set *set = &mode->wait_set;
    struct rl_clock *clock = rl_clock_of(&mode->loop->clock);
    rl_lock(&mode->loop->lock);
    int64_t deadline_ns = rl_mode_port_deadline(mode);
    bool is_complete = complete_set(request, true);
    bool is_open = rl_wait_set_is_open(set);
    bool is_armed = is_open && rl_wait_set_arm(set, deadline_ns);
    if (!is_open) rl_wake_begin_nap(&mode->loop->wake);
    rl_wait_set_fall_asleep(set);
    rl_unlock(&mode->loop->lock);
    rl_loop_hint_at_closed(mode);

    int64_t until_ns = clock->begin_sleep(clock, mode->loop, request->limit_ns,
                                          is_armed ? RL_NEVER_NS : deadline_ns);
    if (!is_complete) {
        int64_t loops = request->serves_main_queue ? 1 : 1 + (int64_t)short_loops;
        int64_t retry_ns = rl_kernel_monotonic_ns() + RL_WAIT_RETRY_NS * loops;
        if (retry_ns < until_ns) until_ns = retry_ns;
    }
    return (struct sleep){until_ns, is_open, is_complete};
}

/* Returns the event to serve after a sleep, or nothing if the sleep is to go on. */
static struct rl_event accept_event(struct rl_mode *mode, struct rl_event event)
{
    switch (event.kind) {
    case RL_EVENT_DESCRIPTOR:
        event = accept_descriptor(mode, event, false);
        if (event.kind != RL_EVENT_NONE) mode->loop->turns.is_memory_owed = true;
        return event;
    case RL_EVENT_MAIN_QUEUE: return rl_main_queue_take() ? event : nothing;
    case RL_EVENT_TIMER: return has_due_timer(mode) ? event : nothing;
    default: return poll_memory(mode, true);
    }
}

/* Sleeps in the kernel once. Returns the event to serve, or nothing if the sleep goes on. */
static struct rl_event sleep_once(const struct rl_sleep_request *request)
{
    struct rl_wait_set *set = &request->mode->wait_set;
    struct rl_wake *wake = &request->mode->loop->wake;
    struct rl_event event = nothing;
    struct sleep sleep = prepare_sleep(request);
    if (!sleep.is_complete) atomic_fetch_add(&short_loops, 1);
    if (rl_wake_fall_asleep(wake)) {
        if (sleep.has_set) event = rl_wait_set_take(set, sleep.until_ns);
        if (!sleep.has_set) rl_wake_nap(wake, sleep.until_ns);
    }
    if (!sleep.is_complete) atomic_fetch_sub(&short_loops, 1);
    rl_wait_set_get_up(set);
    if (sleep.has_set) event = accept_event(request->mode, event);
    rl_wake_get_up(wake);
    /* There may be a set by now. */
    return sleep.has_set ? event : poll_once(request);
}

/*
 * Returns whether another thread has queued a block since the last look at blocks. A client need
 * not wake a loop that is not waiting, so such a block counts as a wake-up. A block that the loop's
 * own thread queued in an observer stays for the next pass, as in CF.
 */
static bool has_unannounced_block(const struct rl_mode *mode)
{
    if (!rl_block_has_come_from_elsewhere(mode)) return false;
    rl_wake_consume(&mode->loop->wake);
    return true;
}

/* Notes in statistics and trace that a sleep begins. Returns the time. */
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

static bool is_time_left(const struct rl_sleep_request *request)
{
    return request->limit_ns == RL_NEVER_NS || rl_clock_now_ns() < request->limit_ns;
}

/*
 * Returns whether a poll would only ask the kernel what the sleep asks it anyway: there is nothing
 * in memory and no work of the main queue, whose order among descriptors a poll decides, and the
 * timer port needs no call. A clock that lets time pass must not do so beside a ready descriptor,
 * and a trace tells whether the loop had to sleep.
 */
static bool can_sleep_at_once(const struct rl_sleep_request *request)
{
    struct rl_mode *mode = request->mode;
    struct rl_loop *loop = mode->loop;
    const struct rl_wait_set *set = &mode->wait_set;
    uint64_t stamp;
    bool is_set_ready = rl_wait_set_is_open(set) && rl_wait_set_has_sources(set) &&
                        rl_wait_set_armed_for(set) == atomic_load(&mode->first_deadline_ns);
    if (!is_set_ready) return false;
    bool has_work = rl_wake_is_pending(&loop->wake, &stamp) || rl_mode_may_have_due_timer(mode) ||
                    loop->turns.is_main_queue_owed || asks_main_queue(request);
    bool has_to_know =
        loop->activation->advance || rl_clock_of(&loop->clock)->is_exact || rl_trace_is_on(loop);
    return !has_work && !has_to_know;
}

/*
 * Polls before a sleep, unless the last poll has found nothing: then some sleeps go without. So a
 * loop that always has something to do polls, and does not count as asleep.
 */
static struct rl_event poll_first(const struct rl_sleep_request *request)
{
    enum { MOST_SLEEPS = 16 };
    struct rl_wait_turns *turns = &request->mode->loop->turns;
    if (turns->sleeps_without_poll > 0 && can_sleep_at_once(request)) {
        turns->sleeps_without_poll--;
        turns->is_memory_owed = false;
        return nothing;
    }
    struct rl_event event = poll_once(request);
    turns->sleeps_without_poll = event.kind == RL_EVENT_NONE ? MOST_SLEEPS : 0;
    return event;
}

static struct rl_event poll_or_sleep(const struct rl_sleep_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct rl_event event = poll_first(request);
    if (event.kind == RL_EVENT_NONE && has_unannounced_block(request->mode)) {
        event.kind = RL_EVENT_WAKE_UP;
    }
    if (event.kind == RL_EVENT_NONE) event = poll_busily(request);
    if (event.kind != RL_EVENT_NONE) return event;

    if (RL_HAS_HINTS) rl_loop_hint_before_sleep(request->mode, request->limit_ns);
    uint64_t began_ns = note_sleep(loop);
    RL_PROBE(sleep, loop, request->mode->c_name);
    request->mode->limit_ns = request->limit_ns;
    do {
        event = pass_time(request) ? poll_once(request) : sleep_once(request);
    } while (event.kind == RL_EVENT_NONE && is_time_left(request));
    request->mode->limit_ns = RL_NEVER_NS;
    note_end_of_sleep(loop, began_ns);
    RL_PROBE(wake_up, loop, request->mode->c_name, event.source, event.kind);
    if (event.kind != RL_EVENT_WAKE_UP) {
        rl_loop_hint_at_sleep(request->mode, (int64_t)began_ns);
    }
    return event;
}

struct rl_event rl_sleep_until_event(const struct rl_sleep_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct rl_event event = take_from_batch(request->mode);
    if (event.kind == RL_EVENT_NONE && request->is_poll) {
        event = poll_once(request);
        if (event.kind == RL_EVENT_NONE) return event;
    } else if (event.kind == RL_EVENT_NONE) {
        /* Before the look at blocks: a client that finds the loop not waiting need not wake it. */
        atomic_store(&loop->is_waiting, true);
        event = poll_or_sleep(request);
        atomic_store_explicit(&loop->is_waiting, false, memory_order_release);
    }
    rl_statistics_add(&loop->statistics.wake_ups[event.kind], 1);
    rl_trace_wake_up(loop, (RLRunLoopWakeReason)event.kind, event.slot);
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
