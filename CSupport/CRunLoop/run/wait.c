/*
 * The wait of a pass takes one event. A poll does not block; a sleep blocks in the kernel until
 * there is an event. Docs/Maintaining/Engine.md lists the steps of rl_wait_for_event in order.
 *
 * Events come from the mode's wait set: the kernel reports the wake-up port, the timer port,
 * descriptors, and the main queue's port in the order of arrival. A wait skips a stale event: its
 * source has left, its timer was moved, or its wake-up was used.
 *
 * In a mode without descriptors, a poll needs no system call: the wake-up is a bit in memory, and
 * timers are compared with the clock. A wake-up and due timers alternate.
 */

#include "run/wait.h"

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

static const struct rl_event no_event = {.kind = RL_EVENT_NONE};
static const struct rl_event wake_up_event = {.kind = RL_EVENT_WAKE_UP};
static const struct rl_event timer_event = {.kind = RL_EVENT_TIMER};
static const struct rl_event main_queue_event = {.kind = RL_EVENT_MAIN_QUEUE};

/* --- Events ----------------------------------------------------------------------------------- */

/* Skips timers that are being called. Takes the lock only if a deadline has passed. */
static bool has_due_timer(struct rl_mode *mode)
{
    if (!rl_mode_may_have_due_timer(mode)) return false;
    rl_lock(&mode->loop->lock);
    const struct rl_timer_entry *next = rl_timer_queue_next(&mode->timers);
    bool is_due = next && next->deadline_ns <= rl_clock_now_ns();
    rl_unlock(&mode->loop->lock);
    return is_due;
}

/*
 * Returns false if the event is stale. Also resets a counter, before the observers are called, so a
 * write during the observers is a new event.
 */
static bool accept_descriptor(struct rl_mode *mode, struct rl_event *event, bool has_waited)
{
    rl_lock(&mode->loop->lock);
    rl_wait_set_accept(&mode->wait_set, event, has_waited);
    rl_unlock(&mode->loop->lock);
    return event->source != NULL;
}

/* Returns false if the event is stale. */
static bool accept_event(struct rl_mode *mode, struct rl_event *event, bool has_waited)
{
    switch (event->kind) {
    case RL_EVENT_WAKE_UP: return rl_wake_consume(&mode->loop->wake);
    case RL_EVENT_TIMER: return has_due_timer(mode);
    case RL_EVENT_DESCRIPTOR: return accept_descriptor(mode, event, has_waited);
    case RL_EVENT_MAIN_QUEUE: return rl_main_queue_take();
    default: return false;
    }
}

/* --- The set ---------------------------------------------------------------------------------- */

/*
 * Adds every descriptor and port of the run to the set; returns false if the kernel has no room for
 * one of them. A set without descriptors need not be open, as wake-ups and timers need no set. Call
 * this with the loop locked.
 *
 * Between the runs of a hosted loop, the main queue's port is not in the set if the host serves the
 * queue itself. In a hosted loop only a sleep adds the port, because the kernel would report the
 * port last to a poll.
 */
static bool complete_set(const struct rl_activation *run, bool is_for_sleep)
{
    struct rl_wait_set *set = &run->mode->wait_set;
    bool serves_main_queue = run->serves_main_queue && !rl_main_queue_is_abandoned();
    if (!rl_wait_set_open(set)) return !serves_main_queue && !rl_wait_set_has_sources(set);
    if (rl_wait_set_is_hosted(set) && !rl_wait_set_has_main_queue(set)) {
        serves_main_queue &= is_for_sleep;
    }
    bool has_main_queue = rl_main_queue_include(set, serves_main_queue);
    return rl_wait_set_retry(set) && has_main_queue;
}

/* If an earlier moment is armed, it remains armed. Call this with the loop locked. */
static void arm_for_poll(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    if (mode->timers.count == 0) return;
    int64_t deadline_ns = rl_mode_port_deadline(mode);
    if (rl_wait_set_armed_for(set) > deadline_ns) rl_wait_set_arm(set, deadline_ns);
}

static bool checks_main_queue(const struct rl_activation *run)
{
    return run->serves_main_queue &&
           (run->checks_main_queue || !rl_main_queue_seems_empty(run->mode->loop));
}

static bool prepare_poll(const struct rl_activation *run)
{
    struct rl_mode *mode = run->mode;
    const struct rl_wait_set *set = &mode->wait_set;
    bool may_have_main_queue =
        run->serves_main_queue ? checks_main_queue(run) : rl_wait_set_has_main_queue(set);
    if (!may_have_main_queue && !rl_wait_set_has_sources(set)) return false;
    rl_lock(&mode->loop->lock);
    complete_set(run, false);
    bool is_open = rl_wait_set_is_open(set);
    if (is_open) arm_for_poll(mode);
    rl_unlock(&mode->loop->lock);
    return is_open;
}

/* --- Polls ------------------------------------------------------------------------------------ */

/* Skips stale events and the main queue. */
static struct rl_event poll_set(struct rl_mode *mode, bool *ret_has_main_queue)
{
    struct rl_wait_set *set = &mode->wait_set;
    /* After stale events the set may have been closed, and opening it again may fail. */
    while (rl_wait_set_is_open(set)) {
        bool has_waited = rl_wait_set_has_batch(set);
        struct rl_event event = rl_wait_set_take(set, 0);
        if (event.kind == RL_EVENT_NONE) break;
        if (event.kind == RL_EVENT_MAIN_QUEUE) {
            if (*ret_has_main_queue && !rl_wait_set_has_batch(set)) break;
            *ret_has_main_queue = true;
            continue;
        }
        if (accept_event(mode, &event, has_waited)) return event;
    }
    return no_event;
}

/* Due timers and the wake-up alternate. */
static struct rl_event poll_memory(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (loop->is_wake_up_next && rl_wake_consume(&loop->wake)) return wake_up_event;
    if (has_due_timer(mode)) return timer_event;
    return rl_wake_consume(&loop->wake) ? wake_up_event : no_event;
}

static bool take_main_queue_first(const struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    if (!loop->is_main_queue_next || !run->serves_main_queue) return false;
    loop->is_main_queue_next = false;
    return rl_main_queue_take();
}

static struct rl_event poll_for_event(struct rl_activation *run)
{
    struct rl_mode *mode = run->mode;
    if (take_main_queue_first(run)) return main_queue_event;
    bool has_set = rl_wait_set_has_batch(&mode->wait_set) || prepare_poll(run);
    /* If the queue's port is not in the set, the queue is checked separately. */
    bool is_reported = has_set && rl_wait_set_has_main_queue(&mode->wait_set);
    bool has_main_queue = !is_reported && checks_main_queue(run);
    struct rl_event event = has_set ? poll_set(mode, &has_main_queue) : no_event;
    if (event.kind == RL_EVENT_NONE) event = poll_memory(mode);
    if (!has_main_queue) return event;
    mode->loop->is_main_queue_next = event.kind != RL_EVENT_NONE;
    if (event.kind == RL_EVENT_NONE && rl_main_queue_take()) return main_queue_event;
    return event;
}

static struct rl_event poll_for_interval(struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    int64_t interval_ns = atomic_load_explicit(&loop->busy_poll_ns, memory_order_relaxed);
    /* A test clock does not advance by itself, so a busy poll would not end. */
    if (RL_LIKELY(interval_ns == 0) || rl_clock_of(&loop->clock)->is_exact) return no_event;
    int64_t now_ns = rl_kernel_monotonic_ns(), end_ns = now_ns + interval_ns;
    if (run->limit_ns < end_ns) end_ns = run->limit_ns;
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseWaiting, (uint64_t)now_ns);
    struct rl_event event = no_event;
    while (event.kind == RL_EVENT_NONE && now_ns < end_ns) {
        event = poll_for_event(run);
        now_ns = rl_kernel_monotonic_ns();
    }
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, (uint64_t)now_ns);
    return event;
}

/* --- Sleeps ----------------------------------------------------------------------------------- */

/* Advances a test clock instead of sleeping. Returns false if the loop must sleep. */
static bool pass_time(const struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    /* A run that only drains the loop ends here, even if another thread has set a test clock. */
    if (run->advance && !run->advance->clock) return rl_advance_arrive(run->advance, loop);
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    return clock->pass_time(clock, run->mode);
}

/*
 * Counts the loops with a descriptor that the kernel has no room to register. Each loop multiplies
 * its retry interval by this number, so all retries together cost as much as the retries of one
 * loop. A loop that serves the main queue retries without this factor.
 */
static atomic_uint short_loops;

void rl_wait_forget_other_loops(void)
{
    atomic_store(&short_loops, 0);
}

/* wait.c registers these handlers, because every program with a loop links it. */
RL_REGISTER_FORK_TABLE(50, rl_loop_fork_prepare, rl_loop_fork_resume_in_parent,
                       rl_loop_fork_settle_child)

struct sleep {
    /* The end of the sleep, which may be early in order to retry registrations. */
    int64_t until_ns;
    /* `has_set`: the sleep uses a wait set. `is_complete`: the set has all descriptors. */
    bool has_set, is_complete;
};

static struct sleep prepare_sleep(const struct rl_activation *run)
{
    struct rl_mode *mode = run->mode;
    struct rl_wait_set *set = &mode->wait_set;
    struct rl_clock *clock = rl_clock_of(&mode->loop->clock);
    rl_lock(&mode->loop->lock);
    int64_t deadline_ns = rl_mode_port_deadline(mode);
    bool is_complete = complete_set(run, true);
    bool is_open = rl_wait_set_is_open(set);
    bool is_armed = is_open && rl_wait_set_arm(set, deadline_ns);
    if (!is_open) rl_wake_begin_nap(&mode->loop->wake);
    rl_wait_set_fall_asleep(set);
    rl_unlock(&mode->loop->lock);
    rl_loop_hint_at_closed(mode);

    int64_t until_ns =
        clock->begin_sleep(clock, mode->loop, run->limit_ns, is_armed ? RL_NEVER_NS : deadline_ns);
    if (!is_complete) {
        int64_t loops = run->serves_main_queue ? 1 : 1 + (int64_t)short_loops;
        int64_t retry_ns = rl_kernel_monotonic_ns() + RL_WAIT_RETRY_NS * loops;
        if (retry_ns < until_ns) until_ns = retry_ns;
    }
    return (struct sleep){until_ns, is_open, is_complete};
}

/* Returns RL_EVENT_NONE after a stale event or at the time limit. */
static struct rl_event sleep_for_event(struct rl_activation *run)
{
    struct rl_wait_set *set = &run->mode->wait_set;
    struct rl_event event = no_event;
    struct sleep sleep = prepare_sleep(run);
    if (!sleep.is_complete) atomic_fetch_add(&short_loops, 1);
    if (sleep.has_set) {
        event = rl_wait_set_take(set, sleep.until_ns);
    } else {
        rl_wake_nap(&run->mode->loop->wake, sleep.until_ns);
        rl_wait_set_get_up(set);
    }
    if (!sleep.is_complete) atomic_fetch_sub(&short_loops, 1);
    /* The loop slept without a wait set. A set may exist now, so the loop polls. */
    if (!sleep.has_set) return poll_for_event(run);
    /* Without a timer port, a timer may be due although there is no event. */
    return accept_event(run->mode, &event, false) ? event : poll_memory(run->mode);
}

/* Records that the sleep begins. Returns the current moment. */
static uint64_t note_begin_of_sleep(struct rl_loop *loop)
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

static bool is_time_left(const struct rl_activation *run)
{
    return run->limit_ns == RL_NEVER_NS || rl_clock_now_ns() < run->limit_ns;
}

static struct rl_event sleep_until_event(struct rl_activation *run)
{
    struct rl_mode *mode = run->mode;
    struct rl_event event;
    if (RL_HAS_HINTS) rl_loop_hint_before_sleep(mode, run->limit_ns);
    uint64_t began_ns = note_begin_of_sleep(mode->loop);
    RL_PROBE(sleep, mode->loop, mode->c_name);
    mode->limit_ns = run->limit_ns;
    do {
        event = pass_time(run) ? poll_for_event(run) : sleep_for_event(run);
    } while (event.kind == RL_EVENT_NONE && is_time_left(run));
    mode->limit_ns = RL_NEVER_NS;
    note_end_of_sleep(mode->loop, began_ns);
    RL_PROBE(wake_up, mode->loop, mode->c_name, event.source, event.kind);
    if (event.kind != RL_EVENT_WAKE_UP) rl_loop_hint_at_sleep(mode, (int64_t)began_ns);
    return event;
}

/* --- The wait --------------------------------------------------------------------------------- */

/*
 * Returns true if a sleep could miss an event or change the order of events: events are left in the
 * batch, the mode's events are in memory, the main queue may have work, or a test clock must not
 * advance before the descriptors that are ready.
 */
static bool needs_poll(const struct rl_activation *run)
{
    const struct rl_wait_set *set = &run->mode->wait_set;
    struct rl_loop *loop = run->mode->loop;
    if (rl_wait_set_has_batch(set) || !rl_wait_set_has_sources(set)) return true;
    if (loop->is_main_queue_next || checks_main_queue(run)) return true;
    return run->advance || rl_clock_of(&loop->clock)->is_exact;
}

/*
 * A client need not wake a loop that is not waiting, so a block that another thread has queued
 * since the last check counts as a wake-up. A block that an observer on the loop's thread has
 * queued waits for the next pass, as in CF.
 */
static bool has_unannounced_block(const struct rl_mode *mode)
{
    if (!rl_block_has_come_from_elsewhere(mode)) return false;
    if (!rl_wake_consume(&mode->loop->wake)) rl_wake_ignore(&mode->loop->wake);
    return true;
}

struct rl_event rl_wait_for_event(struct rl_activation *run, bool is_poll)
{
    struct rl_loop *loop = run->mode->loop;
    struct rl_event event = is_poll || needs_poll(run) ? poll_for_event(run) : no_event;
    if (event.kind == RL_EVENT_NONE) {
        if (is_poll) return event;
        /* Set before the check for blocks: a client need not wake a loop that is not waiting. */
        atomic_store(&loop->is_waiting, true);
        if (has_unannounced_block(run->mode)) event = wake_up_event;
        if (event.kind == RL_EVENT_NONE) event = poll_for_interval(run);
        if (event.kind == RL_EVENT_NONE) event = sleep_until_event(run);
        atomic_store_explicit(&loop->is_waiting, false, memory_order_release);
    }
    if (event.kind == RL_EVENT_TIMER) loop->is_wake_up_next = true;
    if (event.kind == RL_EVENT_WAKE_UP) loop->is_wake_up_next = false;
    rl_statistics_add(&loop->statistics.wake_ups[event.kind], 1);
    rl_trace_wake_up(loop, (RLRunLoopWakeReason)event.kind, event.slot);
    return event;
}

Boolean RLRunLoopIsWaiting(RLRunLoopRef loop)
{
    return atomic_load(&rl_loop_checked(loop, __func__)->is_waiting);
}

void RLRunLoopWakeUp(RLRunLoopRef loop)
{
    rl_wake_up(&rl_loop_checked(loop, __func__)->wake);
}

void RLRunLoopStop(RLRunLoopRef loop)
{
    rl_wake_stop(&rl_loop_checked(loop, __func__)->wake);
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
