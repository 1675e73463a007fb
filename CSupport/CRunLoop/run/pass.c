/* One pass of a run. Docs/Maintaining/Engine.md lists the steps. */

#include "run/pass.h"

#include "base/clock.h"
#include "loop/activation.h"
#include "loop/block.h"
#include "loop/loop.h"
#include "loop/pass_callout.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "run/advance.h"
#include "run/main_queue.h"
#include "run/wait.h"

static void begin_listening(struct rl_activation *run)
{
    if (!run->is_listening) rl_wake_listen(&run->mode->loop->wake);
    run->is_listening = true;
}

void rl_pass_stop_listening(struct rl_activation *run)
{
    if (run->is_listening) rl_wake_ignore(&run->mode->loop->wake);
    run->is_listening = false;
}

/* Checks first without a lock, because most passes have no blocks. */
static void drain_blocks(struct rl_activation *run)
{
    if (rl_loop_may_have_blocks(run->mode)) rl_block_drain(run->mode);
}

/*
 * Clients choose the order of sources. If runs return after one source, a source that signals
 * itself could always come first, and the other sources would starve. So after some such runs, the
 * source with the oldest signal comes first.
 */
static struct rl_held collect_sources(struct rl_activation *run)
{
    enum { MOST_CUT_BATCHES = 7 };
    struct rl_mode *mode = run->mode;
    bool is_by_age = run->returns_after_source && mode->cut_batches >= MOST_CUT_BATCHES;
    struct rl_held batch = rl_source_collect(mode, is_by_age);
    bool is_cut = run->returns_after_source && batch.count > 1;
    mode->cut_batches = is_cut && !is_by_age ? mode->cut_batches + 1 : 0;
    return batch;
}

static bool perform_sources(struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    if (atomic_load(&run->mode->signalled_count) == 0) return false;
    bool is_handled = false;
    struct rl_held batch = collect_sources(run);
    for (size_t i = 0; i < batch.count; i++) {
        struct rl_source *source = rl_held_at(&loop->held, &batch, i);
        if (rl_source_claim(source)) {
            rl_item_count_callout(&source->item);
            if (source->perform) rl_callout_source0(loop, source, source->perform, source->info);
            is_handled = true;
        }
        rl_held_release(&loop->held, &batch, i);
        /* The other sources remain signalled. */
        if (is_handled && run->returns_after_source) break;
    }
    rl_held_end(&loop->held, &batch);
    return is_handled;
}

static bool perform_descriptor(struct rl_loop *loop, struct rl_event event)
{
    struct rl_source *source = event.source;
    /*
     * For a source with a descriptor, a signal only changes RLRunLoopSourceIsSignalled. The signal
     * is cleared before the callback, so that a signal during the callback remains.
     */
    if (atomic_load(&source->signal_state) != RL_NOT_SIGNALLED) rl_source_claim(source);
    if (!atomic_load(&source->item.is_valid)) return false;
    rl_item_count_callout(&source->item);
    if (rl_source_version(source) == 1) {
        void (*perform)(void *) = source->more->context.v1.perform;
        if (perform) rl_callout_source1(loop, source, perform, source->info);
    } else if (source->more->context.v2.perform) {
        rl_callout_source2(loop, source, rl_source_events(event.ready), event.fetch);
    }
    return true;
}

/* Returns whether the event counts as a handled source. */
static bool serve_event(struct rl_activation *run, struct rl_event event)
{
    if (event.kind == RL_EVENT_NONE || event.kind == RL_EVENT_WAKE_UP) return false;
    rl_pass_stop_listening(run);
    switch (event.kind) {
    case RL_EVENT_TIMER: rl_timer_fire_due(run->mode); return false;
    case RL_EVENT_MAIN_QUEUE:
        rl_main_queue_serve(run->mode->loop);
        run->skips_main_queue = true;
        return true;
    case RL_EVENT_DESCRIPTOR: return perform_descriptor(run->mode->loop, event);
    default: return false;
    }
}

/*
 * Returns true if a nested run has consumed the wake-up of pending work, or the wake-up of a thread
 * that emptied the mode; or if a stop came while wake-ups were dropped.
 */
static bool has_missed_work(const struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    if (rl_wake_is_stopped(&loop->wake)) return true;
    if (!run->has_lost_wake_up) return false;
    return atomic_load(&run->mode->signalled_count) > 0 || rl_block_is_pending(run->mode) ||
           rl_pass_is_mode_empty(run);
}

/* If the event has a source, the source is retained on the held stack. */
static struct rl_event take_event(struct rl_activation *run, bool is_poll, struct rl_held *ret_held)
{
    struct rl_event event = rl_wait_for_event(run, is_poll || has_missed_work(run));
    if (event.source) *ret_held = rl_held_take_over(&run->mode->loop->held, event.source);
    return event;
}

/* The observers may have removed the source, or added another source of its port. */
static bool is_still_awaited(struct rl_mode *mode, struct rl_event event)
{
    rl_lock(&mode->loop->lock);
    bool is_there = rl_wait_set_owner(&mode->wait_set, event) == event.source;
    rl_unlock(&mode->loop->lock);
    return is_there;
}

/*
 * Returns the source that a shared port has now, or null, and extends the stretch of held sources.
 * This source gets the count that the engine has read (PORT-8). Taking the event itself would cost
 * every pass nine instructions.
 */
static __attribute__((noinline)) void *hold_new_owner(struct rl_mode *mode, uint32_t slot,
                                                      uint32_t generation, struct rl_held *held)
{
    struct rl_event event = {.slot = slot, .generation = generation};
    rl_lock(&mode->loop->lock);
    struct rl_source *owner = rl_wait_set_owner(&mode->wait_set, event);
    if (owner) rl_object_retain(&owner->item.object);
    rl_unlock(&mode->loop->lock);
    if (!owner) return NULL;
    (void)rl_held_take_over(&mode->loop->held, owner);
    held->count++;
    return owner;
}

static struct rl_event wait_for_event(struct rl_activation *run, bool is_poll,
                                      struct rl_held *ret_held)
{
    struct rl_event event = {.kind = RL_EVENT_NONE};
    if (!is_poll) rl_pass_notify(run, kRLRunLoopBeforeWaiting);
    /* Most polls find nothing, and this check is cheaper than a poll. */
    if (!is_poll || !rl_wait_has_nothing(run->mode, run->checks_main_queue)) {
        event = take_event(run, is_poll, ret_held);
    }
    if (event.kind == RL_EVENT_WAKE_UP) {
        run->is_listening = false;
        run->has_taken_wake_up = true;
    }
    if (is_poll || !rl_mode_is_observed(run->mode, kRLRunLoopAfterWaiting)) return event;
    rl_pass_notify_without_listening(run, kRLRunLoopAfterWaiting);
    if (event.source && !is_still_awaited(run->mode, event)) {
        event.source = hold_new_owner(run->mode, event.slot, event.generation, ret_held);
        if (!event.source) event.kind = RL_EVENT_NONE;
    }
    return event;
}

/*
 * A loop may sleep although a block has queued another block (BLK-8). But while blocks are pending,
 * a test clock must not advance.
 */
static bool must_poll(const struct rl_activation *run, bool is_handled)
{
    return is_handled || run->is_poll || (run->advance && rl_block_is_pending(run->mode));
}

/* Decides whether to serve the main queue before the wait. If not, the wait may check the queue. */
static bool has_main_queue_work(struct rl_activation *run)
{
    bool is_skipped = run->skips_main_queue, is_due = false;
    run->skips_main_queue = false;
    if (run->serves_main_queue) is_due = rl_main_queue_is_due(run->mode->loop);
    run->checks_main_queue = is_skipped && is_due;
    if (is_skipped || !run->serves_main_queue) return false;
    /* This check replaces the next poll's check of the queue. */
    run->mode->loop->is_main_queue_next = false;
    return is_due && rl_main_queue_take();
}

static bool is_time_up(const struct rl_activation *run)
{
    if (run->is_poll) return true;
    return run->limit_ns != RL_NEVER_NS && rl_clock_now_ns() >= run->limit_ns;
}

bool rl_pass_is_mode_empty(const struct rl_activation *run)
{
    /* Without the lock, the mode may seem empty although it is not. */
    if (rl_pass_has_members(run->mode) || run->advance || run->is_until_stopped) return false;
    struct rl_loop *loop = run->mode->loop;
    rl_lock(&loop->lock);
    bool is_empty = rl_loop_mode_is_empty(loop, run->mode);
    rl_unlock(&loop->lock);
    return is_empty;
}

/* Returns RL_NO_RESULT if the run continues (RUN-15). */
static RLRunLoopRunResult decide_result(struct rl_activation *run, bool is_handled)
{
    if (is_handled && run->returns_after_source) return kRLRunLoopRunHandledSource;
    if (is_time_up(run)) return kRLRunLoopRunTimedOut;
    if (rl_wake_consume_stop(&run->mode->loop->wake)) return kRLRunLoopRunStopped;
    /* Listens before the check: a thread that empties the mode later must wake the loop. */
    begin_listening(run);
    if (rl_pass_is_mode_empty(run)) return kRLRunLoopRunFinished;
    return RL_NO_RESULT;
}

RLRunLoopRunResult rl_pass_make(struct rl_activation *run)
{
    struct rl_loop *loop = run->mode->loop;
    rl_statistics_add(&loop->statistics.passes, 1);
    begin_listening(run);
    run->has_lost_wake_up = false;

    rl_pass_notify(run, kRLRunLoopBeforeTimers);
    rl_pass_notify(run, kRLRunLoopBeforeSources);
    drain_blocks(run);
    bool is_handled = perform_sources(run);
    if (is_handled) drain_blocks(run);

    struct rl_held held = {0};
    struct rl_event event = {.kind = RL_EVENT_MAIN_QUEUE};
    if (!has_main_queue_work(run)) event = wait_for_event(run, must_poll(run, is_handled), &held);
    is_handled |= serve_event(run, event);
    if (held.count > 0) rl_held_end(&loop->held, &held);
    if (rl_loop_may_have_blocks(run->mode)) {
        rl_pass_stop_listening(run);
        rl_block_drain(run->mode);
    }
    return decide_result(run, is_handled);
}
