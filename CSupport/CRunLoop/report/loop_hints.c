#include "base/system.h"

#include "loop/report.h"

#include "base/fork.h"
#include "loop/block.h"
#include "loop/block_entry.h"
#include "loop/loop.h"
#include "loop/source.h"
#include "loop/timer_data.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLSet.h>

#include <math.h>
#include <stdlib.h>

/* --- Ends ------------------------------------------------------------------------------------- */

/*
 * A version-0 source that is not signalled does not count: some clients use such a source only to
 * be notified of the end of the loop.
 */
static bool awaits_call(const struct rl_item *item)
{
    if (rl_item_kind_of(item) != RL_ITEM_SOURCE) return true;
    const struct rl_source *source = rl_source_of(item);
    return rl_source_version(source) > 0 || atomic_load(&source->signal_state) != RL_NOT_SIGNALLED;
}

/* An item in several modes counts once. Call this with the loop locked. */
static size_t count_items(struct rl_loop *loop, enum rl_item_kind kind)
{
    RLMutableSetRef items = RLSetCreateMutable(NULL, 0, NULL);
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        size_t members_count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &members_count);
        for (size_t i = 0; i < members_count; i++) {
            const struct rl_item *item = members[i]->item;
            if (awaits_call(item)) RLSetAddValue(items, item);
        }
        free(members);
    }
    size_t count = (size_t)RLSetGetCount(items);
    RLRelease(items);
    return count;
}

static void hint_at_missed_timers(struct rl_loop *loop, const char *what_ends)
{
    const char *mode_name = NULL;
    int64_t now_ns = rl_clock_now_by(&loop->clock);
    RLMutableSetRef served = RLSetCreateMutable(NULL, 0, NULL);
    RLMutableSetRef missed = RLSetCreateMutable(NULL, 0, NULL);
    rl_lock(&loop->lock);
    for (int is_second = 0; is_second < 2; is_second++) {
        struct rl_mode *mode;
        TAILQ_FOREACH(mode, &loop->modes, link) {
            if (atomic_load(&mode->has_run) == is_second) continue;
            size_t count;
            struct rl_membership **members = rl_mode_copy_members(mode, RL_ITEM_TIMER, &count);
            for (size_t i = 0; i < count; i++) {
                const struct rl_timer *timer = rl_timer_of(members[i]->item);
                if (!is_second) RLSetAddValue(served, timer);
                if (!is_second || timer->deadline_ns > now_ns) continue;
                if (RLSetContainsValue(served, timer)) continue;
                RLSetAddValue(missed, timer);
                mode_name = mode->c_name;
            }
            free(members);
        }
    }
    rl_unlock(&loop->lock);
    RL_HINT(mode_name, "RLRunLoopAddTimer",
            "%s %d ends with %ld due timer(s) in modes in which run loop %p never ran, such as %s: "
            "run the loop in that mode, or use another mode",
            what_ends, (int)loop->thread_id, (long)RLSetGetCount(missed), (void *)loop, mode_name);
    RLRelease(served);
    RLRelease(missed);
}

void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends)
{
    if (!RL_HAS_HINTS || loop->host_mode) return;
    if (atomic_load(&loop->statistics.runs) > 0) {
        hint_at_missed_timers(loop, what_ends);
        return;
    }
    rl_lock(&loop->lock);
    size_t blocks = loop->blocks.count;
    size_t sources = count_items(loop, RL_ITEM_SOURCE);
    size_t timers = count_items(loop, RL_ITEM_TIMER);
    rl_unlock(&loop->lock);
    const char *function = timers > 0    ? "RLRunLoopAddTimer"
                           : sources > 0 ? "RLRunLoopAddSource"
                                         : "RLRunLoopPerformBlock";
    RL_HINT(timers + sources + blocks > 0, function,
            "%s %d ends with %zu timer(s), %zu source(s) and %zu block(s) in run loop %p, which "
            "never ran: call RLRunLoopRun(), or use a loop that runs",
            what_ends, (int)loop->thread_id, timers, sources, blocks, (void *)loop);
}

/* --- Sleeps ----------------------------------------------------------------------------------- */

/* Returns true if the loop slept after `moment` for longer than a client takes to wake it. */
static bool has_slept_on(const struct rl_hint_moment *moment, int64_t slept_ns)
{
    const int64_t patience_ns = 1000000000;
    int64_t moment_ns = rl_hint_moment_ns(moment);
    int64_t began_ns = moment_ns > slept_ns ? moment_ns : slept_ns;
    return rl_kernel_monotonic_ns() - began_ns > patience_ns;
}

static void hint_at_blocks(const struct rl_mode *mode, int64_t slept_ns)
{
    struct rl_loop *loop = mode->loop;
    const struct rl_block *block;
    bool is_late = false;
    rl_lock(&loop->lock);
    /* This call moves the incoming blocks to the queue. */
    rl_block_is_pending_locked(mode);
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        if (!block->is_foreign || !rl_block_fits(block, mode)) continue;
        if (!has_slept_on(&block->queued, slept_ns)) continue;
        is_late = true;
    }
    rl_unlock(&loop->lock);
    RL_HINT(is_late, "RLRunLoopPerformBlock",
            "run loop %p of thread %d slept although another thread had queued a block: call "
            "RLRunLoopWakeUp() after RLRunLoopPerformBlock()",
            (void *)loop, (int)loop->thread_id);
}

static void hint_at_sources(struct rl_mode *mode, int64_t slept_ns)
{
    struct rl_source_membership *member;
    const struct rl_source *late = NULL;
    rl_lock(&mode->signal_lock);
    LIST_FOREACH(member, &mode->signalled, signalled_link) {
        const struct rl_source *source = rl_source_of(member->common.item);
        if (has_slept_on(&source->signalled, slept_ns)) late = source;
    }
    rl_unlock(&mode->signal_lock);
    RL_HINT(late, "RLRunLoopSourceSignal",
            "run loop %p of thread %d slept although source %p was signalled: call "
            "RLRunLoopWakeUp() after RLRunLoopSourceSignal()",
            (void *)mode->loop, (int)mode->loop->thread_id, (const void *)late);
}

void rl_loop_hint_at_sleep(struct rl_mode *mode, int64_t slept_ns)
{
    if (!RL_HAS_HINTS) return;
    if (rl_loop_may_have_blocks(mode)) hint_at_blocks(mode, slept_ns);
    if (atomic_load(&mode->signalled_count) > 0) hint_at_sources(mode, slept_ns);
}

void rl_loop_hint_at_closed(struct rl_mode *mode)
{
    if (!RL_HAS_HINTS) return;
    int fd = -1;
    rl_lock(&mode->loop->lock);
    const struct rl_source *source = rl_wait_set_find_closed(&mode->wait_set, &fd);
    /*
     * If the epoll set is readable, the kernel may be reporting the file that had this number
     * before. The engine then makes a new set, with the new file of the number. So this is not the
     * client's mistake.
     */
    int poll_fd = rl_wait_set_descriptors(&mode->wait_set).poll;
    if (source && rl_kernel_is_readable(poll_fd)) source = NULL;
    rl_unlock(&mode->loop->lock);
    RL_HINT(source, "RLRunLoopAddSource",
            "descriptor %d of source %p was closed, so the source is never called: invalidate a "
            "source before you close its descriptor",
            fd, (const void *)source);
}

/* --- Other loops ------------------------------------------------------------------------------ */

static const char *(*_Atomic sleep_check)(RLRunLoopRef loop, RLTimeInterval seconds);

void RLRunLoopSetSleepCheck(const char *(*check)(RLRunLoopRef loop, RLTimeInterval seconds))
{
    atomic_store(&sleep_check, check);
}

void rl_loop_hint_before_sleep(struct rl_mode *mode, int64_t limit_ns)
{
    const char *(*check)(RLRunLoopRef, RLTimeInterval) = atomic_load(&sleep_check);
    /*
     * With a test clock, no check is needed, because the test ends the sleep. In a forked child,
     * the check may need a lock that another thread held during the fork.
     */
    bool is_over = rl_clock_own() != &rl_clock_of_kernel || rl_fork_number() > 0;
    if (!RL_HAS_HINTS || !check || is_over) return;
    struct rl_loop *loop = mode->loop;
    int64_t first_ns = atomic_load(&mode->first_deadline_ns);
    int64_t until_ns = first_ns < limit_ns ? first_ns : limit_ns;
    double seconds = (double)(until_ns - rl_clock_now_ns()) / 1e9;
    if (until_ns == RL_NEVER_NS) seconds = INFINITY;
    const char *missed = seconds > 0 ? check((RLRunLoopRef)loop, seconds) : NULL;
    RL_HINT(missed, "RLRunLoopRunInMode", "run loop %p of thread %d sleeps despite %s",
            (void *)loop, (int)loop->thread_id, missed);
}
