#include "base/clock.h"
#include "base/hint.h"
#include "loop/activation.h"
#include "loop/loop.h"
#include "loop/report.h"
#include "run/advance.h"
#include "run/host.h"
#include "run/main_queue.h"
#include "run/pass.h"

#include <CRunLoop/RLRunLoopWrapping.h>

/*
 * A polling run may take less time than a precise read of the clock. So the coarse clock, whose
 * errors cancel out over many runs, yields the beginning of the run. The end of the run is the end
 * of its last callback.
 */
static void begin_outermost_run(struct rl_loop *loop, const struct rl_activation *run)
{
    if (loop->host_mode) rl_host_begin_run(loop);
    int64_t now_ns = run->is_poll ? rl_kernel_coarse_ns() : rl_kernel_monotonic_ns();
    atomic_store_explicit(&loop->statistics.run_began_ns, (uint64_t)now_ns, memory_order_relaxed);
    rl_statistics_set_phase(&loop->statistics, kRLRunLoopPhaseRunning, (uint64_t)now_ns);
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

/* Repeats a stop that came before the run, or a stop that a nested run has consumed. */
static inline void repeat_stop(struct rl_loop *loop, const struct rl_activation *run)
{
    if (run->is_until_stopped && atomic_load(&loop->exit_request)) rl_wake_stop(&loop->wake);
}

static void end_nested_run(struct rl_loop *loop, const struct rl_activation *run)
{
    struct rl_activation *outer = run->outer;
    uint64_t now_ns = (uint64_t)rl_kernel_coarse_ns();
    rl_statistics_set_phase(&loop->statistics, (RLRunLoopPhase)run->outer_phase, now_ns);
    repeat_stop(loop, outer);
    if (!run->has_taken_wake_up) return;
    outer->has_taken_wake_up = true;
    if (outer->is_listening) outer->has_lost_wake_up = true;
}

static void end_outermost_run(struct rl_loop *loop, const struct rl_activation *run)
{
    struct rl_statistics *statistics = &loop->statistics;
    uint64_t began_ns = atomic_load_explicit(&statistics->run_began_ns, memory_order_relaxed);
    uint64_t now_ns = run->is_poll
                          ? atomic_load_explicit(&statistics->phase_began_ns, memory_order_relaxed)
                          : (uint64_t)rl_kernel_monotonic_ns();
    atomic_store_explicit(&statistics->run_began_ns, 0, memory_order_relaxed);
    rl_statistics_add(&statistics->running_ns, now_ns - began_ns);
    rl_statistics_set_phase(statistics, kRLRunLoopPhaseIdle, now_ns);
}

static void end_run(struct rl_loop *loop, struct rl_activation *run)
{
    /* Takes back the call of the host first, so that a later wake-up calls the host again. */
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

/* The new run is nested in the innermost run. */
static struct rl_activation *take_activation(struct rl_loop *loop, struct rl_mode *mode)
{
    struct rl_activation *outer = loop->activation;
    struct rl_activation *run = rl_activation_take(outer ? &outer->inner : &loop->activations);
    run->mode = mode;
    return run;
}

/*
 * If a thread runs its loop from a host or once per frame, the loop idles from the end of its work
 * to its next run. Observers are called at the beginning and the end of this time.
 */
static void notify_of_idling(struct rl_loop *loop, struct rl_mode *mode, RLRunLoopActivity activity)
{
    struct rl_activation *run = take_activation(loop, mode);
    run->is_poll = true;
    begin_run(loop, run);
    rl_pass_notify(run, activity);
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

static __attribute__((noinline)) void
begin_waiting_run(struct rl_loop *loop, struct rl_activation *run, RLTimeInterval seconds)
{
    /* Comparisons with NaN are false, so NaN sets no limit (RUN-9). */
    if (seconds <= RL_LONGEST_INTERVAL) {
        run->limit_ns = rl_clock_end_of(seconds);
    } else {
        repeat_stop(loop, run);
    }
}

/* If the run polls, `seconds` is ignored. */
static RLRunLoopRunResult make_passes(struct rl_loop *loop, struct rl_activation *run,
                                      RLTimeInterval seconds)
{
    begin_run(loop, run);
    /* Another thread may have emptied the mode while wake-ups were dropped. */
    if (!run->is_poll && rl_pass_is_mode_empty(run)) {
        end_run(loop, run);
        return kRLRunLoopRunFinished;
    }
    rl_statistics_add(&loop->statistics.runs, 1);
    if (RL_HAS_HINTS) atomic_store_explicit(&run->mode->has_run, true, memory_order_relaxed);
    RL_PROBE(run_begin, loop, run->mode->c_name);
    rl_pass_notify(run, kRLRunLoopEntry);
    /* Decided once per run, after Entry (MAINQ-1). */
    run->serves_main_queue = run->mode->is_common && rl_main_queue_is_served_by(loop);
    run->limit_ns = RL_NEVER_NS;
    if (!run->is_poll) begin_waiting_run(loop, run, seconds);
    RLRunLoopRunResult result = RL_NO_RESULT;
    if (rl_wake_consume_stop(&loop->wake)) result = kRLRunLoopRunStopped;
    while (result == RL_NO_RESULT) result = rl_pass_make(run);
    rl_pass_notify_without_listening(run, kRLRunLoopExit);
    end_run(loop, run);
    RL_PROBE(run_end, loop, result);
    return result;
}

static RLRunLoopRunResult run_mode(struct rl_loop *loop, struct rl_mode *mode,
                                   RLTimeInterval seconds, bool returns_after_source,
                                   struct rl_advance *advance)
{
    if (loop->idle_mode && !loop->activation) end_idling(loop);
    struct rl_activation *run = take_activation(loop, mode);
    run->advance = advance;
    run->is_poll = seconds <= 0;
    run->returns_after_source = returns_after_source;
    run->skips_main_queue = true;
    return make_passes(loop, run, seconds);
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

/* Compares the address of the name first. This is safe, as modes are never removed or renamed. */
static inline struct rl_mode *find_mode(struct rl_loop *loop, RLRunLoopMode name,
                                        const char *function)
{
    struct rl_mode *mode = loop->last_mode;
    if (mode && mode->name == name && rl_pass_has_members(mode)) return mode;
    return search_mode(loop, name, function);
}

/* For a hint. Returns true if the loop has items, but the mode with this name never had any. */
static bool is_mistaken(struct rl_loop *loop, RLRunLoopMode name)
{
    size_t count = 0;
    const struct rl_mode *mode;
    rl_lock(&loop->lock);
    TAILQ_FOREACH(mode, &loop->modes, link) {
        count += mode->member_counts[RL_ITEM_SOURCE] + mode->member_counts[RL_ITEM_TIMER];
    }
    bool is_known = rl_loop_find_mode(loop, name) != NULL;
    rl_unlock(&loop->lock);
    return count > 0 && !is_known;
}

/* Warns about a mode that never had an item, which is usually a client's mistake. */
static void warn_of_no_mode(struct rl_loop *loop, RLRunLoopMode name, RLTimeInterval seconds,
                            const char *function)
{
    if (name && !rl_loop_is_common_name(name)) {
        if (!RL_HAS_HINTS) return;
        RLStringRef copy = RLStringCreateCopy(NULL, name);
        /* A run that polls may use a mode before it has items, so it gets no hint. */
        RL_HINT(seconds > 0 && is_mistaken(loop, copy), function,
                "mode \"%s\" of run loop %p never had an item, so the run ends at once: add items "
                "to this mode, or check its name",
                rl_string_characters(copy), (void *)loop);
        RLRelease(copy);
        return;
    }
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn(function,
            "run loop %p cannot run in %s: pass a single mode, such as kRLRunLoopDefaultMode",
            (void *)loop, name ? "kRLRunLoopCommonModes" : "a null mode");
}

RLRunLoopRunResult RLRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds,
                                      Boolean returnAfterSourceHandled)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    if (!loop) return kRLRunLoopRunFinished;
    struct rl_mode *named = find_mode(loop, mode, __func__);
    if (named) return run_mode(loop, named, seconds, returnAfterSourceHandled, NULL);
    warn_of_no_mode(loop, mode, seconds, __func__);
    if (loop->host_mode) rl_host_skip_run(loop);
    return kRLRunLoopRunFinished;
}

SInt32 RLRunLoopRunUnlessEmpty(RLRunLoopRef loop, RLRunLoopMode mode, RLTimeInterval seconds,
                               Boolean returnAfterSourceHandled)
{
    if (!RLRunLoopIsCurrent(loop)) return 0;
    struct rl_loop *own = (struct rl_loop *)(void *)loop;
    struct rl_mode *named = find_mode(own, mode, __func__);
    if (named) return run_mode(own, named, seconds, returnAfterSourceHandled, NULL);
    warn_of_no_mode(own, mode, seconds, "RLRunLoop.run(mode:before:)");
    return 0;
}

RLRunLoopRunResult rl_run_advance(struct rl_loop *loop, RLRunLoopMode name,
                                  struct rl_advance *advance)
{
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_make_named(loop, name);
    rl_unlock(&loop->lock);
    if (mode) return run_mode(loop, mode, RL_LONGEST_INTERVAL * 2, false, advance);
    warn_of_no_mode(loop, name, 0, "RLRunLoopRunInMode");
    if (loop->host_mode) rl_host_skip_run(loop);
    return kRLRunLoopRunFinished;
}

/* A bit above the exit code, so that a pending exit with code 0 differs from no exit. */
#define RL_HAS_EXIT_CODE ((int_fast64_t)1 << 32)

void RLRunLoopStopWithCode(RLRunLoopRef loop, SInt32 code)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    int_fast64_t none = 0;
    atomic_compare_exchange_strong(&self->exit_request, &none, RL_HAS_EXIT_CODE | (uint32_t)code);
    rl_wake_stop(&self->wake);
}

SInt32 RLRunLoopRunUntilStopped(void)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    if (!loop) return 0;
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_make_named(loop, kRLRunLoopDefaultMode);
    rl_unlock(&loop->lock);
    if (loop->idle_mode && !loop->activation) end_idling(loop);
    struct rl_activation *run = take_activation(loop, mode);
    run->is_until_stopped = true;
    run->skips_main_queue = true;
    make_passes(loop, run, RL_LONGEST_INTERVAL * 2);
    return (SInt32)(uint32_t)atomic_exchange(&loop->exit_request, 0);
}

void RLRunLoopEndOutermostRun(void)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    struct rl_activation *run = loop ? loop->activation : NULL;
    while (run && run->outer) run = run->outer;
    if (run) run->limit_ns = 0;
}

/* Keeps `skips_main_queue`, so that the main queue alternates with events as in one run. */
static void make_hosted_pass(struct rl_loop *loop, struct rl_mode *mode)
{
    if (loop->idle_mode && !loop->activation) end_idling(loop);
    struct rl_activation *run = take_activation(loop, mode);
    run->is_poll = true;
    run->skips_main_queue = loop->host.skips_main_queue;
    make_passes(loop, run, 0);
    loop->host.skips_main_queue = run->skips_main_queue;
}

/* Checks `host_mode` first, because a callback may have ended the hosting. */
static bool is_host_called(struct rl_loop *loop)
{
    return loop->host_mode && rl_host_is_called(loop);
}

/* Runs up to `passes` passes. If no work is left, begins to idle. Returns whether work is left. */
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
        has_more = is_host_called(loop);
    } while (has_more && --passes > 0);
    if (has_more || !mode || !loop->host_mode) return has_more;
    begin_idling(loop, mode);
    return is_host_called(loop);
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
