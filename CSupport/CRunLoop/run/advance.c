/*
 * How time passes by the clocks of tests: by the runs of one thread, the passer, which advances the
 * clock or owns an automatic one. Whenever its loop would sleep, and all other loops of the clock
 * are at rest, the clock is taken to the next moment at which any of them has something to do.
 */

#include "run/advance.h"

#include "base/kernel.h"
#include "loop/activation.h"
#include "run/test_clock.h"

#include <stdlib.h>

#define NS_IN_SECOND INT64_C(1000000000)
/* An automatic clock does not go there: ten years. */
#define FAR_NS (10 * 365 * 86400 * NS_IN_SECOND)

/* An advance, or a run until idle, that is under way. Memory of the loop, like activations. */
struct rl_advance {
    struct rl_advance *outer;
    /* Null if the loop goes by the kernel's clock. */
    struct RLOpaqueTestClock *clock;
    struct rl_loop *outer_advancer;
    /* The run around that of the advance. */
    const struct rl_activation *around;
    int64_t target_ns;
    bool has_arrived;
    /* The loop goes by the clock only as long as this lasts. */
    bool is_guest;
};

static bool is_passer(struct RLOpaqueTestClock *clock, const struct rl_loop *loop)
{
    rl_lock(&clock->lock);
    bool is_it = rl_test_clock_passer(clock) == loop;
    rl_unlock(&clock->lock);
    return is_it;
}

/* --- Rest ------------------------------------------------------------------------------------- */

/* What is found out about the loops of a clock but one. */
struct rest {
    const struct rl_loop *own;
    int64_t now_ns;
    /* The first moment at which one of them has something to do. */
    int64_t next_ns;
    /* One that is busy, or about to be; null if all are at rest. */
    const struct rl_loop *busy;
};

/* The mode in which a loop sleeps; null if it does not run, and so does nothing by itself. */
static struct rl_mode *mode_of_sleep(const struct rl_loop *loop)
{
    struct rl_mode *mode = atomic_load(&loop->current_mode);
    return mode ? mode : loop->host_mode;
}

/* Returns whether a loop sleeps, and nothing is about to wake it. Loop locked. */
static bool is_at_rest(struct rl_loop *loop, int64_t now_ns)
{
    const struct rl_mode *mode = mode_of_sleep(loop);
    uint64_t stamp;
    if (!mode) return true;
    const struct rl_wait_set *set = &mode->wait_set;
    if (!rl_wait_set_is_asleep(set) || rl_wake_is_pending(&loop->wake, &stamp)) return false;
    return rl_wait_set_armed_for(set) > now_ns &&
           !rl_kernel_is_readable(rl_wait_set_descriptors(set).poll);
}

static void look_at_rest(struct rl_loop *loop, void *info)
{
    struct rest *rest = info;
    if (loop == rest->own) return;
    const struct rl_mode *mode = mode_of_sleep(loop);
    if (!is_at_rest(loop, rest->now_ns)) rest->busy = loop;
    int64_t next_ns = mode ? rl_wait_set_armed_for(&mode->wait_set) : RL_NEVER_NS;
    if (next_ns < rest->next_ns) rest->next_ns = next_ns;
}

/* Says, once, for which loop a test waits: it may never come. */
static void tell_of_busy(struct RLOpaqueTestClock *clock, const struct rl_loop *busy)
{
    const int64_t patience_ns = 10 * NS_IN_SECOND;
    int64_t now_ns = rl_kernel_monotonic_ns();
    if (!busy || clock->waits_since_ns == 0) clock->waits_since_ns = busy ? now_ns : 0;
    if (!busy || clock->was_told || now_ns - clock->waits_since_ns < patience_ns) return;
    clock->was_told = true;
    rl_warn("RLTestClockAdvance",
            "run loop %p of thread %d has been busy for 10 seconds, so that the clock stands "
            "still: a callback that does not return, or a source that is always ready?",
            (const void *)busy, (int)busy->thread_id);
}

/* --- Passing ---------------------------------------------------------------------------------- */

static int64_t own_next_moment(const struct rl_sleep_request *request)
{
    rl_lock(&request->mode->loop->lock);
    const struct rl_timer_queue_entry *timer = rl_timer_queue_next(&request->mode->timers);
    int64_t next_ns = timer ? timer->deadline_ns : RL_NEVER_NS;
    rl_unlock(&request->mode->loop->lock);
    return next_ns < request->limit_ns ? next_ns : request->limit_ns;
}

/* Ends the run of an advance. Returns true, as the stop is to be served. */
static bool arrive(struct rl_advance *advance, struct rl_loop *loop)
{
    advance->has_arrived = true;
    rl_wake_stop(&loop->wake);
    return true;
}

/*
 * Returns the advance whose run is the innermost one: a run that a callback makes inside it takes
 * the time that it takes.
 */
static struct rl_advance *advance_of_run(const struct rl_loop *loop)
{
    struct rl_advance *advance = loop->advance;
    return advance && loop->activation->outer == advance->around ? advance : NULL;
}

bool rl_advance_pass_time(const struct rl_sleep_request *request)
{
    struct rl_loop *loop = request->mode->loop;
    struct RLOpaqueTestClock *clock = rl_test_clock_of(loop);
    struct rl_advance *advance = advance_of_run(loop);
    /* Another thread may have the loop go by a clock while this goes on without one. */
    bool is_without_clock = advance ? !advance->clock : !clock;
    if (is_without_clock) return advance && arrive(advance, loop);
    if (!is_passer(clock, loop)) return false;

    int64_t now_ns = rl_test_clock_now(clock);
    struct rest rest = {loop, now_ns, own_next_moment(request), NULL};
    rl_test_clock_visit(clock, look_at_rest, &rest);
    tell_of_busy(clock, rest.busy);
    if (rest.busy) return false;
    if (advance && rest.next_ns > advance->target_ns) {
        if (now_ns >= advance->target_ns) return arrive(advance, loop);
        rest.next_ns = advance->target_ns;
    }
    /* Timers that are not to fire are dated centuries ahead. */
    if (rest.next_ns - now_ns > FAR_NS) return false;
    if (rest.next_ns > now_ns) rl_test_clock_move(clock, rest.next_ns);
    return true;
}

bool rl_advance_keeps_run(const struct rl_loop *loop, const struct rl_activation *around)
{
    return loop->advance && loop->advance->around == around;
}

int64_t rl_advance_begin_sleep(struct rl_mode *mode, int64_t limit_ns)
{
    struct RLOpaqueTestClock *clock = rl_test_clock_of(mode->loop);
    mode->limit_ns = clock ? limit_ns : RL_NEVER_NS;
    if (!clock) return limit_ns;
    /* The passer looks at the other loops now and then: not all that they do is told. */
    bool is_brief = mode->loop == clock->advancer || mode->loop == clock->owner;
    return is_brief ? rl_kernel_monotonic_ns() + RL_SLEEP_RETRY_NS : RL_NEVER_NS;
}

void rl_advance_end_sleep(struct rl_mode *mode)
{
    mode->limit_ns = RL_NEVER_NS;
}

void rl_advance_tell_of_sleep(struct rl_loop *loop)
{
    struct RLOpaqueTestClock *clock = rl_test_clock_of(loop);
    if (!clock) return;
    rl_lock(&clock->lock);
    struct rl_loop *passer = rl_test_clock_passer(clock);
    if (passer && passer != loop) {
        rl_lock(&passer->lock);
        rl_test_clock_nudge(passer);
        rl_unlock(&passer->lock);
    }
    rl_unlock(&clock->lock);
}

/* --- Advances --------------------------------------------------------------------------------- */

/* Becomes the one that lets time pass, for an advance that is about to begin. */
static void take_over(struct rl_advance *advance, struct rl_loop *loop, const char *function)
{
    struct RLOpaqueTestClock *clock = advance->clock;
    struct RLOpaqueTestClock *own = rl_test_clock_of(loop);
    if (own && own != clock) {
        rl_client_error(function, "run loop %p of this thread goes by another test clock",
                        (void *)loop);
    }
    rl_lock(&clock->lock);
    if (clock->advancer && clock->advancer != loop) {
        const struct rl_loop *other = clock->advancer;
        rl_client_error(function, "thread %d is advancing test clock %p already",
                        (int)other->thread_id, (void *)clock);
    }
    advance->outer_advancer = clock->advancer;
    clock->advancer = loop;
    clock->waits_since_ns = 0;
    advance->is_guest = !own;
    if (advance->is_guest) rl_test_clock_include(clock, loop);
    rl_unlock(&clock->lock);
}

const struct rl_advance *rl_advance_begin(struct rl_loop *loop, struct RLOpaqueTestClock *clock,
                                          int64_t distance_ns, const char *function)
{
    struct rl_advance *advance = rl_allocate(sizeof *advance);
    *advance =
        (struct rl_advance){.outer = loop->advance, .clock = clock, .around = loop->activation};
    if (clock) take_over(advance, loop, function);
    int64_t now_ns = clock ? rl_test_clock_now(clock) : 0;
    if (__builtin_add_overflow(now_ns, distance_ns, &advance->target_ns)) {
        advance->target_ns = RL_NEVER_NS - 1;
    }
    atomic_fetch_add(&rl_clock_tests, 1);
    loop->advance = advance;
    return advance;
}

bool rl_advance_has_arrived(const struct rl_advance *advance)
{
    return advance->has_arrived;
}

void rl_advance_end(struct rl_loop *loop)
{
    struct rl_advance *advance = loop->advance;
    struct RLOpaqueTestClock *clock = advance->clock;
    loop->advance = advance->outer;
    atomic_fetch_sub(&rl_clock_tests, 1);
    if (clock) {
        rl_lock(&clock->lock);
        clock->advancer = advance->outer_advancer;
        if (advance->is_guest) rl_test_clock_exclude(clock, loop);
        rl_unlock(&clock->lock);
    }
    free(advance);
}

void rl_advance_forget_all(struct rl_loop *loop)
{
    while (loop->advance) rl_advance_end(loop);
}
