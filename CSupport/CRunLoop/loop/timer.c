#include "loop/timer.h"

#include "base/clock.h"
#include "base/hint.h"
#include "base/swift_counts.h"
#include "loop/block_layout.h"
#include "loop/callout.h"
#include "loop/item_info.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/own_loop.h"
#include "loop/removal.h"
#include "loop/report.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <math.h>

static struct rl_timer *checked_timer(RLRunLoopTimerRef timer, const char *function)
{
    rl_expect(timer, RL_TYPE_TIMER, function, "timer");
    return (struct rl_timer *)(void *)timer;
}

/* Replaces a date that is invalid or too late (CONST-4, TMR-6). */
static RLAbsoluteTime storable_date(RLAbsoluteTime date)
{
    return date <= RL_LAST_DATE ? date : RL_LAST_DATE;
}

/*
 * Programs that replace time-outs release one timer and create another, so the thread's loop keeps
 * the memory of one timer. Sanitizers detect a use after free only if memory is not reused.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { KEEPS_MEMORY = false };
#elif defined(__has_feature)
enum { KEEPS_MEMORY = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) };
#else
enum { KEEPS_MEMORY = true };
#endif

/*
 * For a hint. If a client passes seconds since 1970 instead of 2001, the date is about 31 years
 * ahead; read as seconds since 1970, it is within a year of now.
 */
static bool is_counted_from_1970(RLAbsoluteTime date)
{
    const double year = 366.0 * 24 * 60 * 60;
    double since_2001 = date - kRLAbsoluteTimeIntervalSince1970;
    return since_2001 > 0 && fabs(since_2001 - RLAbsoluteTimeGetCurrent()) < year;
}

#define RL_HINT_AT_DATE(date, function)                                                            \
    RL_HINT(is_counted_from_1970(date), function,                                                  \
            "fire date %.0f is 31 years in the future: pass seconds since 2001, like "             \
            "RLAbsoluteTimeGetCurrent(), instead of seconds since 1970",                           \
            date)

static struct rl_timer *allocate_timer(void)
{
    struct rl_loop *own = rl_own_loop;
    struct rl_timer *timer = own ? own->cached_timer : NULL;
    if (!timer) return rl_object_create(RL_TYPE_TIMER, sizeof *timer);
    own->cached_timer = NULL;
    memset(timer, 0, sizeof *timer);
    rl_object_init(&timer->item.object, RL_TYPE_TIMER);
    return timer;
}

static void free_timer(struct rl_timer *timer)
{
    struct rl_loop *own = rl_own_loop;
    if (KEEPS_MEMORY && own && !own->cached_timer) {
        timer->item.object.mark = RL_DEAD_MARK;
        own->cached_timer = timer;
    } else {
        rl_object_free(&timer->item.object);
    }
}

RLRunLoopTimerRef RLRunLoopTimerCreate(RLAllocatorRef allocator, RLAbsoluteTime fireDate,
                                       RLTimeInterval interval, RLOptionFlags flags, RLIndex order,
                                       RLRunLoopTimerCallBack callout,
                                       RLRunLoopTimerContext *context)
{
    (void)allocator;
    (void)flags;
    if (isnan(interval)) {
        rl_client_error(__func__,
                        "argument `interval` is NaN: check the computation of the interval");
    }
    RL_HINT(!callout, __func__,
            "argument `callout` is null, so the timer calls nothing: pass a function, or use "
            "RLRunLoopTimerCreateWithHandler");
    RL_HINT_AT_DATE(fireDate, __func__);
    struct rl_timer *timer = allocate_timer();
    atomic_init(&timer->item.is_valid, true);
    RLAbsoluteTime date = storable_date(fireDate);
    atomic_init(&timer->fire_date, date);
    timer->deadline_ns = rl_clock_deadline_of(date);
    if (interval > 0) timer->interval = interval;
    timer->order = order;
    timer->callout = callout;
    if (context) {
        timer->info = rl_callout_retain(context->retain, context->info);
        timer->functions = (struct rl_client_functions){context->retain, context->release,
                                                        context->copyDescription};
    }
    return (RLRunLoopTimerRef)(void *)timer;
}

static void call_timer_block(RLRunLoopTimerRef timer, void *info)
{
    rl_trace_block(info);
    ((void (^)(RLRunLoopTimerRef))info)(timer);
}

RLRunLoopTimerRef RLRunLoopTimerCreateWithHandler(RLAllocatorRef allocator, RLAbsoluteTime fireDate,
                                                  RLTimeInterval interval, RLOptionFlags flags,
                                                  RLIndex order,
                                                  void (^block)(RLRunLoopTimerRef timer))
{
    if (!block) rl_client_error(__func__, "argument `block` must not be null");
    RLRunLoopTimerContext context = {
        .info = (void *)block, .retain = rl_block_copy, .release = rl_block_release};
    return RLRunLoopTimerCreate(allocator, fireDate, interval, flags, order, call_timer_block,
                                &context);
}

RLTimeInterval RLRunLoopTimerGetInterval(RLRunLoopTimerRef timer)
{
    return checked_timer(timer, __func__)->interval;
}

Boolean RLRunLoopTimerDoesRepeat(RLRunLoopTimerRef timer)
{
    return checked_timer(timer, __func__)->interval > 0;
}

RLIndex RLRunLoopTimerGetOrder(RLRunLoopTimerRef timer)
{
    return checked_timer(timer, __func__)->order;
}

Boolean RLRunLoopTimerIsValid(RLRunLoopTimerRef timer)
{
    return atomic_load(&checked_timer(timer, __func__)->item.is_valid);
}

RLAbsoluteTime RLRunLoopTimerGetNextFireDate(RLRunLoopTimerRef timer)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    return atomic_load(&self->item.is_valid) ? atomic_load(&self->fire_date) : 0;
}

void RLRunLoopTimerGetContext(RLRunLoopTimerRef timer, RLRunLoopTimerContext *context)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->item.object.lock);
    const struct rl_client_functions *functions = &self->functions;
    *context = (RLRunLoopTimerContext){0, self->info, functions->retain, functions->release,
                                       functions->copy_description};
    rl_unlock(&self->item.object.lock);
}

static struct rl_timer_membership *timer_member(struct rl_membership *membership)
{
    return (struct rl_timer_membership *)membership;
}

void rl_timer_move_in_modes(struct rl_timer *timer, struct rl_loop *loop)
{
    struct rl_membership *member = timer->item.memberships;
    for (; member; member = member->next_of_item) {
        if (rl_mode_is_common_list(member->mode)) continue;
        rl_timer_queue_move(&member->mode->timers, timer_member(member), timer->deadline_ns,
                            rl_loop_count_placement(loop));
        rl_mode_timers_changed(member->mode);
    }
}

/* Call this with the locks held that guard the fields. `loop` is null if there is none. */
static void set_schedule(struct rl_timer *timer, struct rl_loop *loop, int64_t deadline_ns,
                         RLAbsoluteTime date)
{
    atomic_store_explicit(&timer->fire_date, date, memory_order_relaxed);
    timer->deadline_ns = deadline_ns;
    if (loop) rl_timer_move_in_modes(timer, loop);
}

/*
 * A fast path for timers in the thread's own loop, because most timers are there. Returns false for
 * other timers. The timer's lock guards its memberships: the timer may also be a common item of
 * another loop, and the thread of that loop may remove the timer at the same time.
 */
static bool set_own_fire_time(struct rl_timer *timer, int64_t deadline_ns, RLAbsoluteTime date)
{
    struct rl_loop *own = rl_own_loop;
    if (!own || atomic_load_explicit(&timer->item.loop, memory_order_relaxed) != own) return false;
    rl_lock(&own->lock);
    /* An invalidation may have removed the timer before the lock was taken. */
    bool is_here = atomic_load_explicit(&timer->item.loop, memory_order_relaxed) == own;
    if (is_here) {
        rl_lock(&timer->item.object.lock);
        set_schedule(timer, own, deadline_ns, date);
        rl_unlock(&timer->item.object.lock);
    }
    rl_unlock(&own->lock);
    return is_here;
}

/* A value that means that the client has set a date, not a moment. */
#define NO_MOMENT INT64_MIN

/*
 * Converts to the loop's clock if the calling thread has another clock. `moment_ns`, unless it is
 * NO_MOMENT, is a moment of the loop's clock already. Call this with the loop locked.
 */
static void count_by_clock_of(const struct rl_loop *loop, int64_t moment_ns, int64_t *deadline_ns,
                              RLAbsoluteTime *date)
{
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    if (clock == rl_clock_own()) return;
    int64_t now_ns = clock->now_ns(clock);
    *deadline_ns =
        moment_ns != NO_MOMENT ? moment_ns : rl_clock_moved_to(&loop->clock, *deadline_ns);
    if (*deadline_ns < now_ns) *deadline_ns = now_ns;
    *date = storable_date(rl_clock_date_by(clock, *deadline_ns));
}

/* `date` is the date of `deadline_ns`. `moment_ns` was set by the client, or is NO_MOMENT. */
static void set_fire_time(struct rl_timer *timer, int64_t moment_ns, int64_t deadline_ns,
                          RLAbsoluteTime date)
{
    if (RL_LIKELY(set_own_fire_time(timer, deadline_ns, date))) return;
    struct rl_loop *loop = rl_item_lock_with_loop(&timer->item);
    bool is_valid = atomic_load(&timer->item.is_valid);
    if (loop) count_by_clock_of(loop, moment_ns, &deadline_ns, &date);
    if (is_valid) set_schedule(timer, loop, deadline_ns, date);
    /* The timer does not retain the loop, so the loop may end after the unlock. */
    bool is_foreign = loop && is_valid && !rl_loop_is_current(loop);
    if (is_foreign) RLRetain(loop);
    rl_item_unlock_with_loop(&timer->item, loop);
    if (!is_foreign) return;
    rl_loop_wake_up(loop);
    RLRelease(loop);
}

void RLRunLoopTimerSetNextFireDate(RLRunLoopTimerRef timer, RLAbsoluteTime fireDate)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    RL_HINT_AT_DATE(fireDate, __func__);
    RLAbsoluteTime date = storable_date(fireDate);
    set_fire_time(self, NO_MOMENT, rl_clock_deadline_of(date), date);
}

void RLRunLoopTimerSetNextFireTime(RLRunLoopTimerRef timer, SInt64 nanoseconds)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    int64_t now_ns = rl_clock_now_ns();
    int64_t deadline_ns = nanoseconds > now_ns ? nanoseconds : now_ns;
    set_fire_time(self, nanoseconds, deadline_ns, storable_date(rl_clock_date_of(deadline_ns)));
}

RLTimeInterval RLRunLoopTimerGetTolerance(RLRunLoopTimerRef timer)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    rl_lock(&self->item.object.lock);
    RLTimeInterval tolerance = (double)self->tolerance_ns / 1.0e9;
    rl_unlock(&self->item.object.lock);
    return tolerance;
}

/* Call this with the item locked, and with the loop locked unless `loop` is null. */
static void set_tolerance(struct rl_timer *timer, const struct rl_loop *loop, int64_t tolerance_ns)
{
    timer->tolerance_ns = tolerance_ns;
    struct rl_membership *member = loop ? timer->item.memberships : NULL;
    for (; member; member = member->next_of_item) {
        if (rl_mode_is_common_list(member->mode)) continue;
        rl_timer_queue_refresh(&member->mode->timers, timer_member(member));
        rl_mode_timers_changed(member->mode);
    }
}

void RLRunLoopTimerSetTolerance(RLRunLoopTimerRef timer, RLTimeInterval tolerance)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    /* Comparisons with NaN are false, so NaN sets no tolerance. */
    RLTimeInterval interval = self->interval;
    RLTimeInterval most = interval > 0 ? interval / 2 : RL_LONGEST_INTERVAL;
    RLTimeInterval stored = tolerance > 0 ? fmin(tolerance, most) : 0;
    struct rl_loop *loop = rl_item_lock_with_loop(&self->item);
    set_tolerance(self, loop, rl_clock_ns_of(stored));
    rl_item_unlock_with_loop(&self->item, loop);
}

void RLRunLoopTimerInvalidate(RLRunLoopTimerRef timer)
{
    struct rl_timer *self = checked_timer(timer, __func__);
    rl_object_retain(&self->item.object);
    rl_item_invalidate(&self->item, &self->info, &self->functions);
    rl_object_release(&self->item.object);
}

/* The list of common items also has a timer queue. In this queue, the deadline is RL_NEVER_NS. */
static void link_timer(struct rl_membership *member)
{
    struct rl_mode *mode = member->mode;
    struct rl_timer *timer = rl_timer_of(member->item);
    bool is_first = !member->next_of_item;
    if (is_first) timer->deadline_ns = rl_clock_moved_to(&mode->loop->clock, timer->deadline_ns);
    bool is_common_item = rl_mode_is_common_list(mode);
    rl_timer_queue_insert(&mode->timers, timer_member(member),
                          is_common_item ? RL_NEVER_NS : timer->deadline_ns,
                          rl_loop_count_placement(mode->loop));
    if (is_common_item) return;
    if (timer->tolerance_ns > 0) rl_timer_queue_refresh(&mode->timers, timer_member(member));
    rl_mode_timers_changed(mode);
}

static void unlink_timer(struct rl_membership *member)
{
    struct rl_mode *mode = member->mode;
    rl_timer_queue_remove(&mode->timers, timer_member(member));
    if (rl_mode_is_common_list(mode)) return;
    rl_mode_timers_changed(mode);
}

static const struct rl_item_functions timer_functions = {
    .membership_size = sizeof(struct rl_timer_membership),
    .embedded_offset = offsetof(struct rl_timer, embedded),
    .link = link_timer,
    .unlink = unlink_timer,
};

RL_REGISTER_ITEM_FUNCTIONS(RL_ITEM_TIMER, timer_functions)

RLAbsoluteTime RLRunLoopGetNextTimerFireDate(RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_expect_string(mode, __func__, "mode");
    RLAbsoluteTime date = 0;
    rl_lock(&self->lock);
    struct rl_mode *named = rl_loop_find_mode(self, mode);
    const struct rl_timer_entry *first = named ? rl_timer_queue_first(&named->timers) : NULL;
    if (first) date = rl_timer_of(first->membership->common.item)->fire_date;
    rl_unlock(&self->lock);
    return date;
}

static void destroy_timer(struct rl_object *object)
{
    struct rl_timer *timer = (struct rl_timer *)object;
    RL_ASSERT(!timer->item.memberships);
    /* Only this thread can use the timer now. */
    bool was_valid = atomic_load_explicit(&timer->item.is_valid, memory_order_relaxed);
    atomic_store_explicit(&timer->item.is_valid, false, memory_order_relaxed);
    if (was_valid) rl_item_give_up_info(&timer->item, &timer->info, &timer->functions);
    free_timer(timer);
}

static const struct rl_class timer_class = {
    .name = "RLRunLoopTimer",
    .destroy = destroy_timer,
    .copy_description = rl_describe_timer,
};

RL_REGISTER_CLASS(RLRunLoopTimer, RL_TYPE_TIMER, timer_class)
RL_DEFINE_SWIFT_COUNTS_UNCHECKED(timer, RLRunLoopTimerRef)
