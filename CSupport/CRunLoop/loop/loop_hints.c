/*
 * What debug builds say of loops that end, and of loops that sleep with work.
 */

#include "loop/loop_hints.h"

#include "loop/block.h"
#include "loop/block_entry.h"
#include "loop/loop.h"
#include "loop/source.h"

#include <CRunLoop/RLSet.h>

#include <stdlib.h>

/* --- Ends ------------------------------------------------------------------------------------- */

/*
 * Returns whether an item still waits to be called. A version-0 source that is not signalled does
 * not: some sources are there only to learn of the end of the loop.
 */
static bool awaits_call(const struct rl_item *item)
{
    if (rl_item_kind_of(item) != RL_ITEM_SOURCE) return true;
    const struct rl_source *source = rl_source_of(item);
    return rl_source_version(source) > 0 || atomic_load(&source->signal_state) != RL_NOT_SIGNALLED;
}

/*
 * Returns how many items of a kind wait in modes of the loop, each counted once. With the loop
 * locked.
 */
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

void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends)
{
    if (!RL_HAS_HINTS || loop->host_mode || atomic_load(&loop->statistics.runs) > 0) return;
    rl_lock(&loop->lock);
    size_t timers = count_items(loop, RL_ITEM_TIMER), sources = count_items(loop, RL_ITEM_SOURCE);
    size_t blocks = loop->blocks.count;
    rl_unlock(&loop->lock);
    const char *function = timers > 0    ? "RLRunLoopAddTimer"
                           : sources > 0 ? "RLRunLoopAddSource"
                                         : "RLRunLoopPerformBlock";
    RL_HINT(timers + sources + blocks > 0, function,
            "%s %d ends with %zu timer(s), %zu source(s) and %zu block(s) in run loop %p, which "
            "never ran, so that nothing was called: run it, by RLRunLoopRun() or another call, or "
            "use the loop of a thread that does",
            what_ends, (int)loop->thread_id, timers, sources, blocks, (void *)loop);
}

/* --- Sleeps ----------------------------------------------------------------------------------- */

/*
 * Returns whether a loop, asleep since `slept_ns`, has slept on after a moment, for longer than a
 * client takes to wake it.
 */
static bool has_slept_on(const struct rl_hint_moment *moment, int64_t slept_ns)
{
    const int64_t patience_ns = 250000000;
    int64_t moment_ns = rl_hint_moment_ns(moment);
    int64_t began_ns = moment_ns > slept_ns ? moment_ns : slept_ns;
    return rl_kernel_monotonic_ns() - began_ns > patience_ns;
}

static void hint_at_blocks(const struct rl_mode *mode, int64_t slept_ns)
{
    struct rl_loop *loop = mode->loop;
    const struct rl_block *block;
    rl_lock(&loop->lock);
    /* This puts incoming blocks into the queue. */
    rl_block_is_pending_locked(mode);
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        RL_HINT(block->is_foreign && rl_block_fits(block, mode) &&
                    has_slept_on(&block->queued, slept_ns),
                "RLRunLoopPerformBlock",
                "run loop %p of thread %d slept on with a block that another thread had queued, as "
                "nobody woke it: call RLRunLoopWakeUp() after RLRunLoopPerformBlock()",
                (void *)loop, (int)loop->thread_id);
    }
    rl_unlock(&loop->lock);
}

static void hint_at_sources(struct rl_mode *mode, int64_t slept_ns)
{
    struct rl_source_membership *member;
    rl_lock(&mode->signal_lock);
    LIST_FOREACH(member, &mode->signalled, signalled_link) {
        const struct rl_source *source = rl_source_of(member->common.item);
        RL_HINT(has_slept_on(&source->signalled, slept_ns), "RLRunLoopSourceSignal",
                "run loop %p of thread %d slept on with source %p, which was signalled, as nobody "
                "woke it: call RLRunLoopWakeUp() after RLRunLoopSourceSignal()",
                (void *)mode->loop, (int)mode->loop->thread_id, (const void *)source);
    }
    rl_unlock(&mode->signal_lock);
}

void rl_loop_hint_at_sleep(struct rl_mode *mode, int64_t slept_ns)
{
    if (!RL_HAS_HINTS) return;
    if (rl_loop_may_have_blocks(mode)) hint_at_blocks(mode, slept_ns);
    if (atomic_load(&mode->signalled_count) > 0) hint_at_sources(mode, slept_ns);
}
