#include "base/clock.h"
#include "loop/callout.h"
#include "loop/item_info.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/pass_callout.h"
#include "loop/removal.h"
#include "loop/timer.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <math.h>

/* Returns the next multiple of the interval after the deadline `fired_ns` (TMR-22, TMR-23). */
static int64_t next_on_grid(const struct rl_timer *timer, int64_t fired_ns, int64_t now_ns)
{
    int64_t interval_ns = rl_clock_ns_of(fmin(timer->interval, RL_LONGEST_INTERVAL));
    if (interval_ns < 1) interval_ns = 1;
    int64_t missed = now_ns > fired_ns ? (now_ns - fired_ns) / interval_ns : 0;
    int64_t distance, next;
    if (__builtin_mul_overflow(missed + 1, interval_ns, &distance) ||
        __builtin_add_overflow(fired_ns, distance, &next)) {
        return INT64_MAX;
    }
    return next;
}

/*
 * An earlier callback of this batch may have moved the timer. The second comparison detects a move
 * to the current moment.
 */
static bool is_due(const struct rl_timer *timer, int64_t batch_ns)
{
    return timer->deadline_ns <= batch_ns || timer->deadline_ns <= rl_clock_now_ns();
}

/*
 * The timer's lock guards its memberships, because the timer may also be a common item of another
 * loop, whose thread may remove the timer at the same time.
 */
void rl_timer_mark(struct rl_timer *timer, bool is_called)
{
    timer->item.is_called = is_called;
    rl_lock(&timer->item.object.lock);
    struct rl_membership *member = timer->item.memberships;
    for (; member; member = member->next_of_item) {
        struct rl_timer_queue *queue = &member->mode->timers;
        if (RL_UNLIKELY(queue->heap.latest_ns)) {
            rl_timer_queue_refresh(queue, (struct rl_timer_membership *)member);
        }
    }
    rl_unlock(&timer->item.object.lock);
}

/* Pins the info if the timer still has to fire. To pin, the loop's lock is enough. */
static bool claim_timer(struct rl_timer *timer, struct rl_loop *loop, int64_t batch_ns,
                        int64_t *ret_fired_ns, void **ret_info)
{
    rl_lock(&loop->lock);
    bool is_claimed = atomic_load_explicit(&timer->item.loop, memory_order_relaxed) == loop &&
                      !timer->item.is_called && is_due(timer, batch_ns);
    if (is_claimed) {
        rl_timer_mark(timer, true);
        *ret_fired_ns = timer->deadline_ns;
        *ret_info = rl_item_pin_info(&timer->item, timer->info, &timer->functions);
    }
    rl_unlock(&loop->lock);
    return is_claimed;
}

static void schedule_repetition(struct rl_timer *timer, int64_t fired_ns)
{
    struct rl_loop *loop = rl_item_lock_with_loop(&timer->item);
    timer->item.is_called = false;
    /* A later deadline that the callback has set is kept (TMR-27). */
    if (timer->deadline_ns <= fired_ns) {
        timer->deadline_ns = next_on_grid(timer, fired_ns, rl_clock_now_ns());
        RLAbsoluteTime date = rl_clock_date_of(timer->deadline_ns);
        atomic_store_explicit(&timer->fire_date, date, memory_order_relaxed);
    }
    if (loop) rl_timer_move_in_modes(timer, loop);
    rl_item_unlock_with_loop(&timer->item, loop);
}

/* A timer that does not repeat stays marked as called, because it is invalidated afterwards. */
static void fire_timer(struct rl_timer *timer, struct rl_loop *loop, int64_t batch_ns)
{
    int64_t fired_ns;
    void *info;
    if (!claim_timer(timer, loop, batch_ns, &fired_ns, &info)) return;
    info = rl_item_retain_pinned_info(&timer->item, info, &timer->functions);
    rl_item_count_callout(&timer->item);
    if (timer->callout) {
        rl_callout_timer(loop, timer->callout, (RLRunLoopTimerRef)(void *)timer, info);
    }
    if (timer->interval > 0) {
        schedule_repetition(timer, fired_ns);
    } else {
        rl_item_invalidate(&timer->item, &timer->info, &timer->functions);
    }
    rl_item_release_retained_info(info, &timer->functions);
}

void RLRunLoopTimerCallOut(RLRunLoopTimerRef timer)
{
    rl_expect(timer, RL_TYPE_TIMER, __func__, "timer");
    struct rl_timer *self = (struct rl_timer *)(void *)timer;
    struct rl_loop *loop = rl_item_lock_with_loop(&self->item);
    bool is_valid = atomic_load(&self->item.is_valid);
    void *info = is_valid && self->functions.retain
                     ? rl_item_pin_info(&self->item, self->info, &self->functions)
                     : self->info;
    rl_item_unlock_with_loop(&self->item, loop);
    if (!is_valid) return;
    info = rl_item_retain_pinned_info(&self->item, info, &self->functions);
    if (self->callout) RL_CALLOUT(self->callout, timer, info);
    rl_item_release_retained_info(info, &self->functions);
}

void *RLRunLoopTimerRetainInfo(RLRunLoopTimerRef timer, void (*release)(const void *info))
{
    rl_expect(timer, RL_TYPE_TIMER, __func__, "timer");
    struct rl_timer *self = (struct rl_timer *)(void *)timer;
    const struct rl_client_functions *functions = &self->functions;
    if (!functions->retain || functions->release != release) return NULL;
    struct rl_loop *loop = rl_item_lock_with_loop(&self->item);
    bool is_valid = atomic_load(&self->item.is_valid);
    void *info = is_valid ? rl_item_pin_info(&self->item, self->info, functions) : NULL;
    rl_item_unlock_with_loop(&self->item, loop);
    return is_valid ? rl_item_retain_pinned_info(&self->item, info, functions) : NULL;
}

/* Call this with the loop locked. */
static struct rl_held hold_due(struct rl_mode *mode, int64_t now_ns)
{
    struct rl_loop *loop = mode->loop;
    size_t count = rl_timer_queue_collect_due(&mode->timers, now_ns);
    struct rl_held due = rl_held_begin(&loop->held, count);
    for (size_t i = 0; i < count; i++) {
        struct rl_item *item = rl_timer_queue_due(&mode->timers, i)->common.item;
        if (!item->is_called) rl_held_add(&loop->held, &due, item);
    }
    return due;
}

void rl_timer_fire_due(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    int64_t now_ns = rl_clock_now_ns();
    rl_lock(&loop->lock);
    struct rl_held due = hold_due(mode, now_ns);
    rl_unlock(&loop->lock);
    for (size_t i = 0; i < due.count; i++) {
        fire_timer(rl_held_at(&loop->held, &due, i), loop, now_ns);
        rl_held_release(&loop->held, &due, i);
    }
    rl_held_end(&loop->held, &due);
}
