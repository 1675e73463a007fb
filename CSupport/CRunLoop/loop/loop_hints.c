/*
 * What debug builds say of loops that end.
 */

#include "loop/loop_hints.h"

#include "base/hint.h"
#include "loop/loop.h"
#include "loop/source.h"

#include <CRunLoop/RLSet.h>

#include <stdlib.h>

#if RL_HAS_HINTS

/*
 * Returns whether an item was to be called yet. A version-0 source that is not signalled was not:
 * some are there only to be told of the end of the loop.
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

/* Gives a hint at the commonest mistake: the thread set something up, and did not run its loop. */
void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends)
{
    if (loop->host_mode || atomic_load(&loop->statistics.runs) > 0) return;
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

#else

void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends)
{
    (void)loop;
    (void)what_ends;
}

#endif
