/*
 * What debug builds say of loops that end, and of loops that sleep with work.
 */

#include "base/system.h"

#include "loop/loop_hints.h"

#include "base/fork.h"
#include "loop/block.h"
#include "loop/block_entry.h"
#include "loop/loop.h"
#include "loop/source.h"

#include <CRunLoop/RLDate.h>
#include <CRunLoop/RLSet.h>

#include <dlfcn.h>
#include <pthread.h>
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
    size_t blocks = loop->blocks.count;
    size_t sources = count_items(loop, RL_ITEM_SOURCE);
    size_t timers = count_items(loop, RL_ITEM_TIMER);
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
    bool is_late = false;
    rl_lock(&loop->lock);
    /* This puts incoming blocks into the queue. */
    rl_block_is_pending_locked(mode);
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        if (!block->is_foreign || !rl_block_fits(block, mode)) continue;
        if (!has_slept_on(&block->queued, slept_ns)) continue;
        is_late = true;
    }
    rl_unlock(&loop->lock);
    RL_HINT(is_late, "RLRunLoopPerformBlock",
            "run loop %p of thread %d slept on with a block that another thread had queued, as "
            "nobody woke it: call RLRunLoopWakeUp() after RLRunLoopPerformBlock()",
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
            "run loop %p of thread %d slept on with source %p, which was signalled, as nobody "
            "woke it: call RLRunLoopWakeUp() after RLRunLoopSourceSignal()",
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
    rl_unlock(&mode->loop->lock);
    RL_HINT(source, "RLRunLoopAddSource",
            "descriptor %d was closed under source %p, which nothing calls any more: invalidate "
            "a source before its descriptor is closed",
            fd, (const void *)source);
}

/* --- Foundation's loop ------------------------------------------------------------------------ */

/*
 * What tells of the run loop that Foundation has for a thread. It is looked up in the process, as
 * the engine links nothing of Foundation.
 */
struct foundation {
    /* Unlike the public functions it makes no loop for a thread that has none. */
    void *(*get_loop)(pthread_t thread);
    /* Whether nothing can happen in a mode; never true of the main loop on its thread. */
    Boolean (*is_empty)(void *loop, const void *mode);
    double (*get_next_date)(void *loop, const void *mode);
    const void *(*copy_mode)(void *loop);
    void (*release)(const void *object);
    const void *const *default_mode;
};

static struct foundation foundation;

/*
 * When the library is loaded, with all that the program is linked with. Later the loader's lock may
 * be held by a thread that waits for this one.
 */
__attribute__((constructor)) static void find_foundation(void)
{
    if (!RL_HAS_HINTS) return;
    foundation.is_empty = dlsym(RTLD_DEFAULT, "_CFRunLoopFinished");
    foundation.get_next_date = dlsym(RTLD_DEFAULT, "CFRunLoopGetNextTimerFireDate");
    foundation.copy_mode = dlsym(RTLD_DEFAULT, "CFRunLoopCopyCurrentMode");
    foundation.release = dlsym(RTLD_DEFAULT, "CFRelease");
    foundation.default_mode = dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
    bool has_all = foundation.is_empty && foundation.get_next_date && foundation.copy_mode &&
                   foundation.release && foundation.default_mode;
    if (has_all) foundation.get_loop = dlsym(RTLD_DEFAULT, "_CFRunLoopGet0b");
}

/* Returns Foundation's loop of this thread; null if there is none, or if it runs. */
static void *resting_foundation_loop(void)
{
    void *loop = foundation.get_loop ? foundation.get_loop(pthread_self()) : NULL;
    if (!loop) return NULL;
    const void *mode = foundation.copy_mode(loop);
    if (!mode) return loop;
    foundation.release(mode);
    return NULL;
}

/*
 * Returns whether a timer is due so long before the end of a sleep that whoever serves Foundation's
 * loop would have ended the sleep earlier. One that is far off most likely keeps a loop alive.
 */
static bool is_overslept(double date, double seconds)
{
    const double patience = 0.25, far_off = 86400;
    double left = date - RLAbsoluteTimeGetCurrent();
    if (left < 0) left = 0;
    return date != 0 && left < far_off && left + patience < seconds;
}

void rl_loop_hint_before_sleep(struct rl_mode *mode, int64_t limit_ns)
{
    if (!RL_HAS_HINTS) return;
    struct rl_loop *loop = mode->loop;
    int64_t first_ns = atomic_load(&mode->first_deadline_ns);
    int64_t until_ns = first_ns < limit_ns ? first_ns : limit_ns;
    double seconds = (double)(until_ns - rl_clock_now_ns()) / 1e9;
    /* By another clock the sleep ends when a test says. The child of a fork has foreign locks. */
    if (rl_clock_own() != &rl_clock_of_kernel || rl_fork_number() > 0) return;
    void *other = seconds > 0 ? resting_foundation_loop() : NULL;
    if (!other) return;
    double date = foundation.get_next_date(other, *foundation.default_mode);
    bool has_source = !loop->is_main && date == 0 && until_ns == RL_NEVER_NS &&
                      !foundation.is_empty(other, *foundation.default_mode);
    RL_HINT(has_source || is_overslept(date, seconds), "RLRunLoopRunInMode",
            "run loop %p of thread %d sleeps on with a %s in Foundation's run loop of that thread, "
            "which nobody serves: call RLRunLoop.current.serveFoundation() of the module "
            "RunLoopFoundation, or add it to this run loop",
            (void *)loop, (int)loop->thread_id, date == 0 ? "source" : "timer");
}
