/*
 * Clocks of tests as objects. Each has a lock, which guards which loops go by it and who lets time
 * pass; loops are locked inside it. What the clock says is atomic.
 *
 * A clock that has moved arms the timer ports of its loops anew: one whose moment has come fires at
 * once, and wakes its loop as the kernel's timer would. So a loop that sleeps in another thread, or
 * in a host, needs nothing of its own.
 */

#include "run/test_clock.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdlib.h>

#define NS_IN_SECOND INT64_C(1000000000)
/* In seconds from 2001: nanoseconds from 1970 have a range of so much. */
#define FARTHEST_DATE 7.6e9

/* Clocks that have ended, for the next ones. */
static struct {
    struct rl_lock lock;
    struct RLOpaqueTestClock *ended;
} memory;

struct rl_loop *rl_test_clock_passer(const struct RLOpaqueTestClock *clock) RL_REQUIRES(clock->lock)
{
    struct rl_loop *advancer = clock->advancer;
    return advancer || !clock->is_automatic ? advancer : clock->owner;
}

/* --- The loops of a clock --------------------------------------------------------------------- */

void rl_test_clock_visit(struct RLOpaqueTestClock *clock,
                         void (*visit)(struct rl_loop *loop, void *info),
                         void *info) RL_UNCHECKED_LOCKING
{
    RLArrayRef all = clock->is_for_all ? RLRunLoopCopyAllLoops() : NULL;
    rl_lock(&clock->lock);
    size_t count = all ? (size_t)RLArrayGetCount(all) : clock->count;
    for (size_t i = 0; i < count; i++) {
        const void *object = all ? RLArrayGetValueAtIndex(all, (RLIndex)i) : clock->loops[i];
        struct rl_loop *loop = (struct rl_loop *)(uintptr_t)object;
        if (rl_test_clock_of(loop) != clock) continue;
        rl_lock(&loop->lock);
        visit(loop, info);
        rl_unlock(&loop->lock);
    }
    rl_unlock(&clock->lock);
    if (all) RLRelease(all);
}

void rl_test_clock_nudge(struct rl_loop *loop)
{
    if (atomic_load(&loop->wake.fd) >= 0) rl_wake_write_port(&loop->wake);
}

/* Has a loop's ports fire for what is due by its clock now. Loop locked. */
static void rearm_ports(struct rl_loop *loop, void *info)
{
    (void)info;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        rl_wait_set_rearm(&mode->wait_set);
    }
}

/*
 * Rearms the ports of a loop that goes by another clock now, and has its sleep begin anew. Loop
 * locked.
 */
static void apply_change_of_clock(struct rl_loop *loop, void *info)
{
    rearm_ports(loop, info);
    rl_test_clock_nudge(loop);
}

void rl_test_clock_move(struct RLOpaqueTestClock *clock, int64_t now_ns)
{
    atomic_store(&clock->time.now_ns, now_ns);
    rl_test_clock_visit(clock, rearm_ports, NULL);
}

void rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop)
{
    if (clock->count == clock->capacity) {
        clock->capacity = clock->capacity ? clock->capacity * 2 : 4;
        clock->loops = rl_reallocate(clock->loops, clock->capacity * sizeof(struct rl_loop *));
    }
    clock->loops[clock->count++] = (struct rl_loop *)(uintptr_t)RLRetain(loop);
    atomic_store(&loop->clock, &clock->time);
    rl_lock(&loop->lock);
    apply_change_of_clock(loop, NULL);
    rl_unlock(&loop->lock);
}

void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop)
{
    size_t index = 0;
    while (index < clock->count && clock->loops[index] != loop) index++;
    if (index == clock->count) return;
    clock->loops[index] = clock->loops[--clock->count];
    atomic_store(&loop->clock, NULL);
    rl_lock(&loop->lock);
    apply_change_of_clock(loop, NULL);
    rl_unlock(&loop->lock);
    RLRelease(loop);
}

/* --- The public functions --------------------------------------------------------------------- */

struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function)
{
    if (!clock) rl_client_error(function, "argument `clock` is null");
    if (!clock->owner) {
        rl_client_error(function, "test clock %p has been ended", (void *)clock);
    }
    return clock;
}

static struct RLOpaqueTestClock *take_memory(void)
{
    rl_lock(&memory.lock);
    struct RLOpaqueTestClock *clock = memory.ended;
    if (clock) memory.ended = clock->next;
    rl_unlock(&memory.lock);
    if (!clock) clock = rl_allocate(sizeof *clock);
    return clock;
}

static int64_t whole_microseconds(int64_t nanoseconds)
{
    return nanoseconds / 1000 * 1000;
}

RLTestClockRef RLTestClockCreate(void)
{
    struct rl_loop *loop = (struct rl_loop *)(void *)RLRunLoopGetCurrent();
    if (!loop) rl_client_error(__func__, "the thread has ended, and its run loop with it");
    struct RLOpaqueTestClock *clock = take_memory();
    /* From one clock to another no time is lost. */
    int64_t now_ns = whole_microseconds(rl_clock_now_by(&loop->clock) + 999);
    double date = RLAbsoluteTimeGetCurrent() + kRLAbsoluteTimeIntervalSince1970;
    atomic_store(&clock->time.now_ns, now_ns);
    atomic_store(&clock->time.offset_ns, whole_microseconds((int64_t)(date * 1e9) - now_ns));
    rl_lock(&clock->lock);
    clock->owner = (struct rl_loop *)(uintptr_t)RLRetain(loop);
    clock->is_automatic = clock->was_told = false;
    rl_unlock(&clock->lock);
    clock->is_for_all = false;
    atomic_fetch_add(&rl_clock_tests, 1);
    return clock;
}

void RLTestClockAddLoop(RLTestClockRef clock, RLRunLoopRef loop)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    struct rl_loop *added = rl_loop_checked(loop, __func__);
    rl_lock(&self->lock);
    const struct rl_test_time *other = atomic_load(&added->clock);
    if (other && other != &self->time) {
        rl_client_error(__func__, "run loop %p goes by test clock %p already", (void *)loop,
                        (const void *)other);
    }
    if (!other) rl_test_clock_include(self, added);
    rl_unlock(&self->lock);
}

void RLTestClockAddAllLoops(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    struct rl_test_time *other = NULL;
    bool is_first = atomic_compare_exchange_strong(&rl_clock_for_all, &other, &self->time);
    if (!is_first && other != &self->time) {
        rl_client_error(__func__, "all loops go by test clock %p already", (void *)other);
    }
    self->is_for_all = true;
    rl_test_clock_visit(self, apply_change_of_clock, NULL);
}

void RLTestClockEnd(RLTestClockRef clock)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    rl_lock(&self->lock);
    const struct rl_loop *advancer = self->advancer;
    if (advancer) {
        rl_client_error(__func__, "thread %d is advancing test clock %p", (int)advancer->thread_id,
                        (void *)clock);
    }
    while (self->count > 0) rl_test_clock_exclude(self, self->loops[0]);
    struct rl_loop *owner = self->owner;
    self->owner = NULL;
    rl_unlock(&self->lock);
    if (self->is_for_all) {
        atomic_store(&rl_clock_for_all, NULL);
        RLArrayRef loops = RLRunLoopCopyAllLoops();
        for (RLIndex i = 0; i < RLArrayGetCount(loops); i++) {
            struct rl_loop *loop = (struct rl_loop *)(uintptr_t)RLArrayGetValueAtIndex(loops, i);
            rl_lock(&loop->lock);
            apply_change_of_clock(loop, NULL);
            rl_unlock(&loop->lock);
        }
        RLRelease(loops);
    }
    RLRelease(owner);
    atomic_fetch_sub(&rl_clock_tests, 1);
    rl_lock(&memory.lock);
    self->next = memory.ended;
    memory.ended = self;
    rl_unlock(&memory.lock);
}

SInt64 RLTestClockGetNanoseconds(RLTestClockRef clock)
{
    return rl_test_clock_now(rl_test_clock_checked(clock, __func__));
}

void RLTestClockSetNanoseconds(RLTestClockRef clock, SInt64 nanoseconds)
{
    rl_test_clock_move(rl_test_clock_checked(clock, __func__), nanoseconds);
}

RLAbsoluteTime RLTestClockGetDate(RLTestClockRef clock)
{
    const struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    return rl_clock_tested_date_of(&self->time, rl_test_clock_now(self));
}

void RLTestClockSetDate(RLTestClockRef clock, RLAbsoluteTime date)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    if (!(date > -FARTHEST_DATE && date < FARTHEST_DATE)) {
        rl_client_error(__func__, "no clock has the date %g: it is not from 1761 to 2240", date);
    }
    /* In two parts, as a double has no nanoseconds left beside so many seconds. */
    int64_t seconds = (int64_t)date;
    int64_t wall_ns = (seconds + (int64_t)kRLAbsoluteTimeIntervalSince1970) * NS_IN_SECOND +
                      (int64_t)((date - (double)seconds) * 1e9);
    atomic_store(&self->time.offset_ns,
                 whole_microseconds(wall_ns + 500) - rl_test_clock_now(self));
}

void RLTestClockSetAutomatic(RLTestClockRef clock, Boolean isAutomatic)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    rl_lock(&self->lock);
    self->is_automatic = isAutomatic;
    /* Another thread may end the clock meanwhile. */
    struct rl_loop *owner = rl_test_clock_checked(clock, __func__)->owner;
    rl_lock(&owner->lock);
    rl_test_clock_nudge(owner);
    rl_unlock(&owner->lock);
    rl_unlock(&self->lock);
}

SInt64 RLRunLoopGetClockNanoseconds(RLRunLoopRef loop)
{
    return rl_clock_now_by(&rl_loop_checked(loop, __func__)->clock);
}

Boolean RLRunLoopHasTestClock(RLRunLoopRef loop)
{
    const struct rl_loop *self = rl_loop_checked(loop, __func__);
    return rl_clock_is_tested() && rl_test_clock_of(self) != NULL;
}
