/*
 * Running: the pass, step by step as Docs/Architecture.md lists it.
 */

#include "base/clock.h"
#include "loop/activation.h"
#include "loop/block.h"
#include "loop/loop.h"
#include "loop/observer.h"
#include "loop/pass_callout.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "loop/trace.h"
#include "run/host.h"
#include "run/main_queue.h"
#include "run/wait.h"

#include <CRunLoop/RLRunLoopWrapping.h>

static const RLRunLoopRunResult no_result = (RLRunLoopRunResult)0;

static void notify(struct rl_activation *run, RLRunLoopActivity activity)
{
    if (rl_mode_is_observed(run->mode, activity)) rl_observer_notify(run->mode, activity);
}

static void listen(struct rl_activation *run)
{
    if (!run->is_listening) rl_wake_listen(&run->mode->loop->wake);
    run->is_listening = true;
}

static void stop_listening(struct rl_activation *run)
{
    if (run->is_listening) rl_wake_ignore(&run->mode->loop->wake);
    run->is_listening = false;
}

/* Tells of a moment at which wake-ups are dropped. */
static void notify_without_listening(struct rl_activation *run, RLRunLoopActivity activity)
{
    if (!rl_mode_is_observed(run->mode, activity)) return;
    stop_listening(run);
    rl_observer_notify(run->mode, activity);
}

/* Most passes have no blocks. */
static void drain(struct rl_activation *run)
{
    if (rl_loop_may_have_blocks(run->mode)) rl_block_drain(run->mode);
}

static void perform_source(struct rl_loop *loop, struct rl_source *source)
{
    rl_item_count_callout(&source->item);
    if (source->perform) rl_callout_source0(loop, source, source->perform, source->info);
}

/* Calls the signalled sources of the mode. Returns whether one was called. */
static bool perform_sources(struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    if (atomic_load(&run->mode->signalled_count) == 0) return false;
    bool is_handled = false;
    struct rl_held batch = rl_source_collect(run->mode);
    for (size_t i = 0; i < batch.count; i++) {
        struct rl_source *source = rl_held_at(&loop->held, &batch, i);
        if (rl_source_claim(source)) {
            perform_source(loop, source);
            is_handled = true;
        }
        rl_held_release(&loop->held, &batch, i);
        /* One is enough for a caller that wants to return: the others stay signalled. */
        if (is_handled && run->returns_after_source) break;
    }
    rl_held_end(&loop->held, &batch);
    return is_handled;
}

static RLRunLoopDescriptorEvents public_events(uint32_t ready)
{
    RLRunLoopDescriptorEvents events = 0;
    if (ready & (RL_KERNEL_READ | RL_KERNEL_PEER_CLOSED)) events |= kRLRunLoopDescriptorRead;
    if (ready & RL_KERNEL_WRITE) events |= kRLRunLoopDescriptorWrite;
    if (ready & RL_KERNEL_PRIORITY) events |= kRLRunLoopDescriptorPriority;
    if (ready & (RL_KERNEL_HANG_UP | RL_KERNEL_PEER_CLOSED)) events |= kRLRunLoopDescriptorHangUp;
    if (ready & RL_KERNEL_ERROR) events |= kRLRunLoopDescriptorError;
    return events;
}

/* Calls a source whose descriptor is ready. Returns whether it still was valid. */
static bool call_descriptor(struct rl_loop *loop, struct rl_source *source, uint32_t ready)
{
    /* Only takes a mark off: one that comes from here on is there after the call. */
    if (atomic_load(&source->item.signal_state) != RL_NOT_SIGNALLED) rl_source_claim(source);
    if (!atomic_load(&source->item.is_valid)) return false;
    rl_item_count_callout(&source->item);
    void *info = source->info;
    if (rl_source_version(source) == 1) {
        void (*perform)(void *) = source->more->context.v1.perform;
        if (perform) rl_callout_source1(loop, source, perform, info);
    } else {
        void (*perform)(void *, RLRunLoopDescriptorEvents) = source->more->context.v2.perform;
        if (perform) rl_callout_source2(loop, source, perform, info, public_events(ready));
    }
    return true;
}

static bool perform_descriptor(struct rl_activation *run, struct rl_event event)
{
    struct rl_loop *loop = run->mode->loop;
    struct rl_held source = rl_wait_receive(run->mode, event);
    if (source.count == 0) return false;
    bool is_handled = call_descriptor(loop, rl_held_at(&loop->held, &source, 0), event.ready);
    rl_held_end(&loop->held, &source);
    return is_handled;
}

/* Serves what woke the loop. Returns whether that counts as a source. */
static bool serve_event(struct rl_activation *run, struct rl_event event)
{
    if (event.kind == RL_EVENT_NONE || event.kind == RL_EVENT_WAKE_UP) return false;
    stop_listening(run);
    switch (event.kind) {
    case RL_EVENT_TIMER: rl_timer_fire_due(run->mode); return false;
    case RL_EVENT_MAIN_QUEUE:
        rl_main_queue_serve(run->mode->loop);
        run->skips_main_queue = true;
        return true;
    case RL_EVENT_DESCRIPTOR: return perform_descriptor(run, event);
    default: return false;
    }
}

/*
 * Returns whether to look without sleeping although the pass would sleep: there is work whose
 * wake-up a nested run has taken, or a stop that came while wake-ups were dropped.
 */
static bool has_missed_work(const struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    if (rl_wake_is_stopped(&loop->wake)) return true;
    if (!run->has_lost_wake_up) return false;
    return atomic_load(&run->mode->signalled_count) > 0 || rl_block_is_pending(run->mode);
}

static struct rl_event take_event(const struct rl_activation *run, bool is_poll)
{
    if (is_poll && rl_wait_has_nothing(run->mode, run->serves_main_queue)) {
        return (struct rl_event){.kind = RL_EVENT_NONE};
    }
    return rl_wait(&(struct rl_wait_request){
        .mode = run->mode,
        .is_poll = is_poll || has_missed_work(run),
        .limit_ns = run->limit_ns,
        .serves_main_queue = run->serves_main_queue,
    });
}

/* Tells the observers, waits for one event, tells them again. */
static struct rl_event wait_for_event(struct rl_activation *run, bool is_poll)
{
    if (!is_poll) notify(run, kRLRunLoopBeforeWaiting);
    struct rl_event event = take_event(run, is_poll);
    if (event.kind == RL_EVENT_WAKE_UP) {
        run->is_listening = false;
        run->has_taken_wake_up = true;
    }
    if (!is_poll) notify_without_listening(run, kRLRunLoopAfterWaiting);
    return event;
}

/* The main queue's turn before the wait. */
static bool has_main_queue_work(struct rl_activation *run)
{
    bool is_skipped = run->skips_main_queue || !run->serves_main_queue;
    run->skips_main_queue = false;
    return !is_skipped && rl_main_queue_take();
}

static bool is_time_up(const struct rl_activation *run)
{
    if (run->is_poll) return true;
    return run->limit_ns != RL_NEVER_NS && rl_clock_now_ns() >= run->limit_ns;
}

/* Returns whether the mode cannot be empty, without its lock: what is seen here was there. */
static bool has_members(const struct rl_mode *mode)
{
    return mode->member_counts[RL_ITEM_SOURCE] > 0 || rl_mode_has_timers(mode);
}

static bool is_mode_empty(const struct rl_activation *run)
{
    /* That nothing was there takes the lock. */
    if (has_members(run->mode)) return false;
    struct rl_loop *loop = run->mode->loop;
    rl_lock(&loop->lock);
    bool is_empty = rl_loop_mode_is_empty(loop, run->mode);
    rl_unlock(&loop->lock);
    return is_empty;
}

/* How the run ends after a pass, or no result if it goes on (RUN-15). */
static RLRunLoopRunResult decide(struct rl_activation *run, bool is_handled)
{
    if (is_handled && run->returns_after_source) return kRLRunLoopRunHandledSource;
    if (is_time_up(run)) return kRLRunLoopRunTimedOut;
    if (rl_wake_consume_stop(&run->mode->loop->wake)) return kRLRunLoopRunStopped;
    if (is_mode_empty(run)) return kRLRunLoopRunFinished;
    return no_result;
}

static RLRunLoopRunResult make_pass(struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    rl_statistics_add(&loop->statistics.passes, 1);
    listen(run);
    run->has_lost_wake_up = false;

    notify(run, kRLRunLoopBeforeTimers);
    notify(run, kRLRunLoopBeforeSources);
    drain(run);
    bool is_handled = perform_sources(run);
    if (is_handled) drain(run);

    struct rl_event event = {.kind = RL_EVENT_MAIN_QUEUE};
    if (!has_main_queue_work(run)) event = wait_for_event(run, is_handled || run->is_poll);
    is_handled |= serve_event(run, event);
    if (rl_loop_may_have_blocks(run->mode)) {
        stop_listening(run);
        rl_block_drain(run->mode);
    }
    return decide(run, is_handled);
}

/*
 * When a run begins and ends, for statistics. One that only looks may be shorter than a reading of
 * the clock: it reads the coarse one, whose errors cancel out over many runs, and ends when its
 * last callback did.
 */
static uint64_t time_of_begin(const struct rl_activation *run)
{
    return (uint64_t)(run->is_poll ? rl_clock_coarse_ns() : rl_kernel_monotonic_ns());
}

static uint64_t time_of_end(const struct rl_activation *run, const struct rl_statistics *statistics)
{
    if (!run->is_poll) return (uint64_t)rl_kernel_monotonic_ns();
    return atomic_load_explicit(&statistics->phase_began_ns, memory_order_relaxed);
}

static void begin_outermost_run(struct rl_loop *loop, const struct rl_activation *run)
{
    if (loop->host_mode) rl_host_begin_run(loop);
    uint64_t now_ns = time_of_begin(run);
    atomic_store_explicit(&loop->statistics.run_began_ns, now_ns, memory_order_relaxed);
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, now_ns);
}

static void begin_run(struct rl_loop *loop, struct rl_activation *run)
{
    if (loop->activation) {
        run->outer_phase = atomic_load_explicit(&loop->statistics.phase, memory_order_relaxed);
    } else {
        begin_outermost_run(loop, run);
    }
    run->is_listening = true;
    run->outer = loop->activation;
    run->outer_mode = atomic_load_explicit(&loop->current_mode, memory_order_relaxed);
    loop->activation = run;
    atomic_store_explicit(&loop->current_mode, run->mode, memory_order_release);
    run->outer_wake_state = rl_wake_begin_run(&loop->wake);
}

static void end_nested_run(struct rl_loop *loop, const struct rl_activation *run)
{
    struct rl_activation *outer = run->outer;
    uint64_t now_ns = (uint64_t)rl_clock_coarse_ns();
    rl_statistics_set_phase(&loop->statistics, (RLRunLoopPhase)run->outer_phase, now_ns);
    if (!run->has_taken_wake_up) return;
    outer->has_taken_wake_up = true;
    if (outer->is_listening) outer->has_lost_wake_up = true;
}

static void end_outermost_run(struct rl_loop *loop, const struct rl_activation *run)
{
    struct rl_statistics *statistics = &loop->statistics;
    uint64_t began_ns = atomic_load_explicit(&statistics->run_began_ns, memory_order_relaxed);
    uint64_t now_ns = time_of_end(run, statistics);
    atomic_store_explicit(&statistics->run_began_ns, 0, memory_order_relaxed);
    rl_statistics_add(&statistics->running_ns, now_ns - began_ns);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseIdle, now_ns);
}

static void end_run(struct rl_loop *loop, struct rl_activation *run)
{
    /* First, as a wake-up from then on calls the host once more. */
    if (loop->host_mode) rl_wake_take_back(&loop->wake);
    if (rl_wake_end_run(&loop->wake, run->outer_wake_state)) run->has_taken_wake_up = true;
    loop->activation = run->outer;
    atomic_store_explicit(&loop->current_mode, run->outer_mode, memory_order_release);
    if (run->outer) {
        end_nested_run(loop, run);
    } else {
        end_outermost_run(loop, run);
    }
    if (loop->host_mode) rl_host_end_run(loop, run->has_taken_wake_up);
}

static void set_limit(struct rl_activation *run, RLTimeInterval seconds)
{
    run->limit_ns = RL_NEVER_NS;
    /* Not a number compares false: no limit (RUN-9). */
    if (seconds <= RL_LONGEST_INTERVAL && !run->is_poll) {
        run->limit_ns = rl_clock_now_ns() + rl_clock_ns_of(seconds);
    }
}

/* Decided once for a run, after its Entry observers (MAINQ-1). */
static bool serves_main_queue(struct rl_loop *loop, const struct rl_mode *mode)
{
    return mode->is_common && rl_main_queue_is_served_by(loop);
}

/* Returns the memory of a run that is to begin in the mode, inside the innermost one. */
static struct rl_activation *take_activation(struct rl_loop *loop, struct rl_mode *mode)
{
    struct rl_activation *outer = loop->activation;
    struct rl_activation *run = rl_activation_take(outer ? &outer->inner : &loop->activations);
    run->mode = mode;
    return run;
}

/*
 * A thread that serves its loop now and then, by a host's passes or one pass a frame, sleeps
 * outside of all runs. The observers are told of that sleep too: it begins when nothing is left to
 * serve, and ends when the loop runs again.
 */
static void notify_of_idling(struct rl_loop *loop, struct rl_mode *mode, RLRunLoopActivity activity)
{
    struct rl_activation *run = take_activation(loop, mode);
    run->is_poll = true;
    begin_run(loop, run);
    notify(run, activity);
    end_run(loop, run);
}

static void begin_idling(struct rl_loop *loop, struct rl_mode *mode)
{
    const RLRunLoopActivity waiting = kRLRunLoopBeforeWaiting | kRLRunLoopAfterWaiting;
    if (loop->activation || loop->idle_mode || !rl_mode_is_observed(mode, waiting)) return;
    notify_of_idling(loop, mode, kRLRunLoopBeforeWaiting);
    loop->idle_mode = mode;
}

static void end_idling(struct rl_loop *loop)
{
    struct rl_mode *mode = loop->idle_mode;
    loop->idle_mode = NULL;
    notify_of_idling(loop, mode, kRLRunLoopAfterWaiting);
}

static RLRunLoopRunResult go(struct rl_loop *loop, struct rl_activation *run,
                             RLTimeInterval seconds)
{
    rl_statistics_add(&loop->statistics.runs, 1);
    begin_run(loop, run);
    notify(run, kRLRunLoopEntry);
    run->serves_main_queue = serves_main_queue(loop, run->mode);
    set_limit(run, seconds);
    RLRunLoopRunResult result = no_result;
    if (rl_wake_consume_stop(&loop->wake)) result = kRLRunLoopRunStopped;
    while (result == no_result) result = make_pass(run);
    notify_without_listening(run, kRLRunLoopExit);
    end_run(loop, run);
    return result;
}

static RLRunLoopRunResult run_mode(struct rl_loop *loop, struct rl_mode *mode,
                                   RLTimeInterval seconds, bool returns_after_source)
{
    if (loop->idle_mode && !loop->activation) end_idling(loop);
    struct rl_activation *run = take_activation(loop, mode);
    run->is_poll = seconds <= 0;
    run->returns_after_source = returns_after_source;
    run->skips_main_queue = true;
    return go(loop, run, seconds);
}

static __attribute__((noinline)) struct rl_mode *
search_mode(struct rl_loop *loop, RLRunLoopMode name, const char *function)
{
    if (!name) return NULL;
    rl_expect_string(name, function, "mode");
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_find_mode(loop, name);
    bool is_empty = rl_loop_mode_is_empty(loop, mode);
    rl_unlock(&loop->lock);
    if (is_empty) return NULL;
    loop->last_mode = mode;
    return mode;
}

/*
 * The mode in which to run; null if it has nothing in it. The last one is asked first: modes stay,
 * and keep their names, so the address of a name is enough.
 */
static inline struct rl_mode *find_mode(struct rl_loop *loop, RLRunLoopMode name,
                                        const char *function)
{
    struct rl_mode *mode = loop->last_mode;
    if (mode && mode->name == name && has_members(mode)) return mode;
    return search_mode(loop, name, function);
}

/* No mode has these names: to ask for one is a mistake of the client. */
static void warn_of_no_mode(struct rl_loop *loop, RLRunLoopMode name)
{
    if (name && !rl_loop_is_common_name(name)) return;
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn("RLRunLoopRunInMode", "run loop %p cannot run in %s: that is no mode", (void *)loop,
            name ? "kRLRunLoopCommonModes" : "a null mode");
}

RLRunLoopRunResult RLRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds,
                                      Boolean returnAfterSourceHandled)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    if (!loop) return kRLRunLoopRunFinished;
    struct rl_mode *named = find_mode(loop, mode, __func__);
    if (named) return run_mode(loop, named, seconds, returnAfterSourceHandled);
    warn_of_no_mode(loop, mode);
    if (loop->host_mode) rl_host_skip_run(loop);
    return kRLRunLoopRunFinished;
}

Boolean RLRunLoopRunUnlessEmpty(RLRunLoopRef loop, RLRunLoopMode mode, RLTimeInterval seconds,
                                Boolean returnAfterSourceHandled)
{
    if (!RLRunLoopIsCurrent(loop)) return false;
    struct rl_loop *own = (struct rl_loop *)(void *)loop;
    struct rl_mode *named = find_mode(own, mode, __func__);
    if (named) run_mode(own, named, seconds, returnAfterSourceHandled);
    return named != NULL;
}

/* A run of one pass. The main queue has its turn as if all of them were one run. */
static void make_hosted_pass(struct rl_loop *loop, struct rl_mode *mode)
{
    if (loop->idle_mode && !loop->activation) end_idling(loop);
    struct rl_activation *run = take_activation(loop, mode);
    run->is_poll = true;
    run->skips_main_queue = loop->host.skips_main_queue;
    go(loop, run, 0);
    loop->host.skips_main_queue = run->skips_main_queue;
}

/* Returns whether the host is called; a callback may have ended the hosting. */
static bool is_called(struct rl_loop *loop)
{
    return loop->host_mode && rl_host_is_called(loop);
}

/*
 * Makes passes for the host, and idles once nothing is left to do. Returns whether there is more to
 * do.
 */
static bool run_hosted(struct rl_loop *loop, RLIndex passes)
{
    bool has_more;
    struct rl_mode *mode;
    do {
        mode = find_mode(loop, loop->host_mode->name, "RLRunLoopRunHosted");
        if (mode) {
            make_hosted_pass(loop, mode);
        } else {
            rl_host_skip_run(loop);
        }
        has_more = is_called(loop);
    } while (has_more && --passes > 0);
    if (has_more || !mode || !loop->host_mode) return has_more;
    begin_idling(loop, mode);
    return is_called(loop);
}

Boolean RLRunLoopRunHosted(RLIndex passes)
{
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return false;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    if (!loop->host_mode) return false;
    bool was_serving = loop->host.is_serving;
    loop->host.is_serving = true;
    bool has_more = run_hosted(loop, passes);
    loop->host.is_serving = was_serving;
    return has_more;
}

void RLRunLoopRest(RLRunLoopMode mode)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    struct rl_mode *named = loop ? find_mode(loop, mode, __func__) : NULL;
    if (named) begin_idling(loop, named);
}

void RLRunLoopRun(void)
{
    RLRunLoopRunResult result;
    do {
        result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1.0e10, false);
    } while (result != kRLRunLoopRunStopped && result != kRLRunLoopRunFinished);
}
