/*
 * Test clocks. A clock's lock guards the set of loops that use the clock, and the choice of the
 * passer. Loops are locked after the clock. The clock's time is atomic.
 *
 * When a clock moves, it rearms the timer ports of its loops. A port that is due fires and wakes
 * its loop, so loops that sleep on other threads or in a host need no special code.
 *
 * Time passes only in the runs of one loop, the passer: the loop of the thread that advances the
 * clock, or the owner's loop if the clock is automatic. When the passer would sleep and all other
 * loops of the clock are at rest, the clock moves to the first moment at which any of the loops has
 * work.
 */

#include "run/test_clock.h"

#include "base/kernel.h"
#include "run/advance.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <math.h>

#define NS_IN_SECOND INT64_C(1000000000)
/* Loops clamp dates before 1970 and after RL_LAST_DATE (CONST-4). */
#define FIRST_DATE (-kRLAbsoluteTimeIntervalSince1970)
/* Sums of moments and distances stay within 64 bits. */
#define FARTHEST_NS (INT64_MAX / 2)
/* Ten years. An automatic clock makes no longer step. */
#define FAR_NS (10 * 365 * 86400 * NS_IN_SECOND)

/* Ended clocks are never freed, so that the use of a stale pointer is detected. */
static struct {
    struct rl_lock lock;
    struct RLOpaqueTestClock *ended;
} memory;

static struct RLOpaqueTestClock *test_clock_of(struct rl_clock *clock)
{
    return (struct RLOpaqueTestClock *)clock;
}

static struct rl_loop *passer_of(const struct RLOpaqueTestClock *clock) RL_REQUIRES(clock->lock)
{
    struct rl_loop *advancer = clock->advancer;
    return advancer || !clock->is_automatic ? advancer : clock->owner;
}

/* --- The loops of a clock --------------------------------------------------------------------- */

/* Locks `clock`. Then locks and visits each loop that uses the clock `by`. */
static void visit_loops(struct RLOpaqueTestClock *clock, const struct rl_clock *by,
                        void (*visit)(struct rl_loop *loop, void *info),
                        void *info) RL_UNCHECKED_LOCKING
{
    RLArrayRef all = RLRunLoopCopyAllLoops();
    rl_lock(&clock->lock);
    for (RLIndex i = 0; i < RLArrayGetCount(all); i++) {
        struct rl_loop *loop = (struct rl_loop *)(uintptr_t)RLArrayGetValueAtIndex(all, i);
        if (rl_clock_of(&loop->clock) != by) continue;
        rl_lock(&loop->lock);
        visit(loop, info);
        rl_unlock(&loop->lock);
    }
    rl_unlock(&clock->lock);
    RLRelease(all);
}

/* Rearms the timer ports, so a due port fires now. Call this with the loop locked. */
static void rearm_ports(struct rl_loop *loop, void *info)
{
    (void)info;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        rl_wait_set_rearm(&mode->wait_set);
    }
}

/* Makes the loop restart its sleep with its new clock. Call this with the loop locked. */
static void apply_change_of_clock(struct rl_loop *loop)
{
    rearm_ports(loop, NULL);
    rl_wake_write_port(&loop->wake);
}

/* If the loop's clock is `info`, resets it and applies the change. Call with the loop locked. */
static void leave_clock(struct rl_loop *loop, void *info)
{
    struct rl_clock *clock = info;
    atomic_compare_exchange_strong(&loop->clock, &clock, NULL);
    apply_change_of_clock(loop);
}

void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop)
{
    rl_lock(&loop->lock);
    leave_clock(loop, &clock->clock);
    rl_unlock(&loop->lock);
}

bool rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop)
{
    struct rl_clock *other = NULL;
    rl_lock(&loop->lock);
    bool is_new = atomic_compare_exchange_strong(&loop->clock, &other, &clock->clock);
    if (is_new) apply_change_of_clock(loop);
    rl_unlock(&loop->lock);
    return is_new || other == &clock->clock;
}

/* Returns NaN if a test clock cannot represent the moment. */
static RLAbsoluteTime possible_date_of(struct RLOpaqueTestClock *clock, int64_t moment_ns)
{
    if (moment_ns < -FARTHEST_NS || moment_ns > FARTHEST_NS) return NAN;
    RLAbsoluteTime date = rl_clock_date_by(&clock->clock, moment_ns);
    return date >= FIRST_DATE && date < RL_LAST_DATE ? date : NAN;
}

void rl_test_clock_expect_moment(struct RLOpaqueTestClock *clock, int64_t moment_ns,
                                 int64_t nanoseconds, const char *function)
{
    if (!isnan(possible_date_of(clock, moment_ns))) return;
    rl_client_error(function,
                    "argument `nanoseconds` is %lld: move the clock within the years 1970 to 2128, "
                    "and by less than 146 years",
                    (long long)nanoseconds);
}

static void move_clock(struct RLOpaqueTestClock *clock, int64_t now_ns)
{
    atomic_store(&clock->now_ns, now_ns);
    visit_loops(clock, &clock->clock, rearm_ports, NULL);
}

/* --- Readings --------------------------------------------------------------------------------- */

static int64_t test_now(struct rl_clock *clock)
{
    return atomic_load(&test_clock_of(clock)->now_ns);
}

static int64_t test_wall(struct rl_clock *clock)
{
    return test_now(clock) + atomic_load(&test_clock_of(clock)->offset_ns);
}

static bool test_has_reached(struct rl_clock *clock, int64_t moment_ns)
{
    return test_now(clock) >= moment_ns;
}

static void test_read_offset(struct rl_clock *clock, int64_t *ret_now_ns, int64_t *ret_offset_ns)
{
    *ret_now_ns = test_now(clock);
    *ret_offset_ns = atomic_load(&test_clock_of(clock)->offset_ns);
}

/* The port fires at once if the moment has come. Otherwise it is rearmed when the clock moves. */
static int64_t test_port_moment(struct rl_clock *clock, int64_t moment_ns)
{
    return moment_ns != 0 && moment_ns <= test_now(clock) ? 1 : 0;
}

/* Only the port can end the sleep, because the kernel's time-outs do not use this clock. */
static bool test_needs_port(struct rl_clock *clock, int64_t limit_ns)
{
    (void)clock;
    (void)limit_ns;
    return true;
}

/* --- Rest ------------------------------------------------------------------------------------- */

/* The state of all loops of a clock except `own`. */
struct rest {
    const struct rl_loop *own;
    int64_t now_ns;
    int64_t next_ns;
    /* A loop that is not at rest; null if all loops are at rest. */
    const struct rl_loop *busy;
};

/* Returns null if the loop neither runs nor is hosted. Such a loop is at rest. */
static struct rl_mode *mode_of_sleep(const struct rl_loop *loop)
{
    struct rl_mode *mode = atomic_load(&loop->current_mode);
    return mode ? mode : loop->host_mode;
}

/*
 * Call this with the loop locked. Checks the sleep last: a loop marks itself as awake before it
 * takes an event, so it cannot seem asleep when its event is gone.
 */
static bool is_at_rest(struct rl_loop *loop, int64_t now_ns)
{
    const struct rl_mode *mode = mode_of_sleep(loop);
    if (!mode) return true;
    const struct rl_wait_set *set = &mode->wait_set;
    if (rl_wake_is_pending(&loop->wake) || rl_wait_set_armed_for(set) <= now_ns) return false;
    return rl_wait_set_is_open(set) && !rl_kernel_is_readable(rl_wait_set_descriptors(set).poll) &&
           rl_wait_set_is_asleep(set);
}

static void visit_loop(struct rl_loop *loop, void *info)
{
    struct rest *rest = info;
    if (loop == rest->own) return;
    const struct rl_mode *mode = mode_of_sleep(loop);
    if (!is_at_rest(loop, rest->now_ns)) rest->busy = loop;
    int64_t next_ns = mode ? rl_wait_set_armed_for(&mode->wait_set) : RL_NEVER_NS;
    if (next_ns < rest->next_ns) rest->next_ns = next_ns;
}

static void warn_about_busy(struct RLOpaqueTestClock *clock, const struct rl_loop *busy)
{
    const int64_t patience_ns = 10 * NS_IN_SECOND;
    int64_t now_ns = rl_kernel_monotonic_ns();
    if (!busy || clock->waits_since_ns == 0) clock->waits_since_ns = busy ? now_ns : 0;
    if (!busy || clock->has_warned || now_ns - clock->waits_since_ns < patience_ns) return;
    clock->has_warned = true;
    rl_warn("RLTestClockAdvance",
            "run loop %p of thread %d has been busy for 10 s, so the clock cannot advance: check "
            "for callbacks that do not return, and sources that are always ready",
            (const void *)busy, (int)busy->thread_id);
}

/* --- Passing ---------------------------------------------------------------------------------- */

static bool is_passer(struct RLOpaqueTestClock *clock, const struct rl_loop *loop)
{
    rl_lock(&clock->lock);
    bool is_it = passer_of(clock) == loop;
    rl_unlock(&clock->lock);
    return is_it;
}

static bool test_pass_time(struct rl_clock *clock, struct rl_mode *mode)
{
    struct RLOpaqueTestClock *self = test_clock_of(clock);
    struct rl_loop *loop = mode->loop;
    if (!is_passer(self, loop)) return false;

    /* Null in a nested run, because an advance ends only in its own run. */
    struct rl_advance *advance = loop->activation->advance;
    rl_lock(&loop->lock);
    struct rest rest = {loop, test_now(clock), rl_mode_port_deadline(mode), NULL};
    rl_unlock(&loop->lock);
    visit_loops(self, clock, visit_loop, &rest);
    warn_about_busy(self, rest.busy);
    /* Another loop may have woken this loop and come to rest, so the wake-up comes first. */
    if (rest.busy || rl_wake_is_pending(&loop->wake)) return false;
    if (advance && rest.next_ns > advance->target_ns) {
        if (rest.now_ns >= advance->target_ns) return rl_advance_arrive(advance, loop);
        rest.next_ns = advance->target_ns;
    }
    /* Timers that must never fire are set centuries ahead. Only an advance reaches such dates. */
    if (!advance && rest.next_ns > rest.now_ns + FAR_NS) rest.next_ns = mode->limit_ns;
    if (rest.next_ns == RL_NEVER_NS) return false;
    if (rest.next_ns > rest.now_ns) move_clock(self, rest.next_ns);
    return true;
}

/* Wakes the passer, because this loop is about to be at rest. */
static int64_t test_begin_sleep(struct rl_clock *clock, struct rl_loop *loop, int64_t limit_ns,
                                int64_t unarmed_ns)
{
    (void)limit_ns;
    struct RLOpaqueTestClock *self = test_clock_of(clock);
    rl_lock(&self->lock);
    struct rl_loop *passer = passer_of(self);
    if (passer && passer != loop) {
        rl_lock(&passer->lock);
        rl_wake_write_port(&passer->wake);
        rl_unlock(&passer->lock);
    }
    rl_unlock(&self->lock);
    /* The passer checks other loops periodically: not every change in a loop wakes the passer. */
    bool is_brief = loop == self->advancer || loop == self->owner || unarmed_ns != RL_NEVER_NS;
    return is_brief ? rl_kernel_monotonic_ns() + RL_WAIT_RETRY_NS : RL_NEVER_NS;
}

static const struct rl_clock functions = {
    .is_exact = true,
    .now_ns = test_now,
    .wall_ns = test_wall,
    .has_reached = test_has_reached,
    .read_offset = test_read_offset,
    .port_moment = test_port_moment,
    .needs_port = test_needs_port,
    .pass_time = test_pass_time,
    .begin_sleep = test_begin_sleep,
};

/* --- The public functions --------------------------------------------------------------------- */

struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function)
{
    if (!clock) rl_client_error(function, "argument `clock` must not be null");
    if (!clock->owner) {
        rl_client_error(function, "test clock %p was ended: create another clock", (void *)clock);
    }
    return clock;
}

static struct RLOpaqueTestClock *take_memory(void)
{
    rl_lock(&memory.lock);
    struct RLOpaqueTestClock *clock = memory.ended;
    if (clock) memory.ended = clock->next;
    rl_unlock(&memory.lock);
    if (clock) return clock;
    clock = rl_allocate(sizeof *clock);
    clock->clock = functions;
    return clock;
}

static int64_t whole_microseconds(int64_t nanoseconds)
{
    return nanoseconds / 1000 * 1000;
}

RLTestClockRef RLTestClockCreate(void)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    if (!loop) {
        rl_client_error(
            __func__,
            "this thread is ending and has no run loop: create the clock before the thread ends");
    }
    struct RLOpaqueTestClock *clock = take_memory();
    /* The loop's current time is rounded up, so that no timer becomes overdue. */
    int64_t now_ns = whole_microseconds(rl_clock_now_by(&loop->clock) + 999);
    double date = RLAbsoluteTimeGetCurrent() + kRLAbsoluteTimeIntervalSince1970;
    atomic_store(&clock->now_ns, now_ns);
    atomic_store(&clock->offset_ns, whole_microseconds((int64_t)(date * 1e9) - now_ns));
    rl_lock(&clock->lock);
    clock->owner = (struct rl_loop *)(uintptr_t)RLRetain(loop);
    clock->is_automatic = clock->has_warned = false;
    rl_unlock(&clock->lock);
    return clock;
}

void RLTestClockAddLoop(RLTestClockRef clock, RLRunLoopRef loop)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    struct rl_loop *added = rl_loop_checked(loop, __func__);
    if (!rl_test_clock_include(self, added)) {
        rl_client_error(__func__, "run loop %p already uses test clock %p: end that clock first",
                        (void *)loop, (void *)atomic_load(&added->clock));
    }
}

void RLTestClockAddAllLoops(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    struct rl_clock *other = &rl_clock_of_kernel;
    bool is_first = atomic_compare_exchange_strong(&rl_clock_for_all, &other, &self->clock);
    if (!is_first && other != &self->clock) {
        rl_client_error(__func__, "all loops already use test clock %p: end that clock first",
                        (void *)other);
    }
    visit_loops(self, &self->clock, leave_clock, &self->clock);
}

void RLTestClockEnd(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    rl_lock(&self->lock);
    const struct rl_loop *advancer = self->advancer;
    if (advancer) {
        rl_client_error(__func__,
                        "thread %d is advancing test clock %p: end the clock after the advance",
                        (int)advancer->thread_id, (void *)clock);
    }
    struct rl_loop *owner = self->owner;
    self->owner = NULL;
    rl_unlock(&self->lock);
    visit_loops(self, &self->clock, leave_clock, &self->clock);
    struct rl_clock *for_all = &self->clock;
    if (atomic_compare_exchange_strong(&rl_clock_for_all, &for_all, &rl_clock_of_kernel)) {
        visit_loops(self, &rl_clock_of_kernel, leave_clock, &self->clock);
    }
    RLRelease(owner);
    rl_lock(&memory.lock);
    self->next = memory.ended;
    memory.ended = self;
    rl_unlock(&memory.lock);
}

SInt64 RLTestClockGetNanoseconds(RLTestClockRef clock)
{
    return atomic_load(&rl_test_clock_checked(clock, __func__)->now_ns);
}

static void find_first_timer(struct rl_loop *loop, void *info)
{
    int64_t *first_ns = info;
    int64_t now_ns = rl_clock_now_by(&loop->clock);
    const struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        int64_t mode_ns = atomic_load(&mode->first_deadline_ns);
        /* Skips overdue timers, which are in modes that do not run. */
        if (mode_ns > now_ns && mode_ns < *first_ns) *first_ns = mode_ns;
    }
}

SInt64 RLTestClockGetNextMoment(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    int64_t first_ns = RL_NEVER_NS;
    visit_loops(self, &self->clock, find_first_timer, &first_ns);
    return first_ns > atomic_load(&self->now_ns) + FAR_NS ? RL_NEVER_NS : first_ns;
}

void RLTestClockSetNanoseconds(RLTestClockRef clock, SInt64 nanoseconds)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    rl_test_clock_expect_moment(self, nanoseconds, nanoseconds, __func__);
    move_clock(self, nanoseconds);
}

RLAbsoluteTime RLTestClockGetDate(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    return rl_clock_date_by(&self->clock, atomic_load(&self->now_ns));
}

void RLTestClockSetDate(RLTestClockRef clock, RLAbsoluteTime date)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    if (!(date >= FIRST_DATE && date < RL_LAST_DATE)) {
        rl_client_error(__func__, "argument `date` is %g: set a date in the years 1970 to 2128",
                        date);
    }
    /* Converts two parts: a double of the seconds since 1970 cannot represent nanoseconds. */
    int64_t seconds = (int64_t)date;
    int64_t wall_ns = (seconds + (int64_t)kRLAbsoluteTimeIntervalSince1970) * NS_IN_SECOND +
                      (int64_t)((date - (double)seconds) * 1e9);
    atomic_store(&self->offset_ns, whole_microseconds(wall_ns + 500) - atomic_load(&self->now_ns));
}

void RLTestClockSetAutomatic(RLTestClockRef clock, Boolean isAutomatic)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    rl_lock(&self->lock);
    self->is_automatic = isAutomatic;
    /* Checks the clock again, because another thread may have ended it. */
    struct rl_loop *owner = rl_test_clock_checked(clock, __func__)->owner;
    rl_lock(&owner->lock);
    rl_wake_write_port(&owner->wake);
    rl_unlock(&owner->lock);
    rl_unlock(&self->lock);
}

SInt64 RLRunLoopGetClockNanoseconds(RLRunLoopRef loop)
{
    return rl_clock_now_by(&rl_loop_checked(loop, __func__)->clock);
}

Boolean RLRunLoopHasTestClock(RLRunLoopRef loop)
{
    return rl_test_clock_of(rl_loop_checked(loop, __func__)) != NULL;
}
