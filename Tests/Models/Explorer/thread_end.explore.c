/*
 * The end of a thread, while another one looks its loop up, retains it, wakes it, and adds, removes
 * and invalidates its items. Observers, sources and their memberships are the engine's. Nothing
 * stays in a loop that has ended, and a client's objects are released once.
 *
 * Includes run/loop_table.c, whose variables keep their values from one execution to the next.
 *
 * Explores: CSupport/CRunLoop/run/thread_end.c
 * With: CSupport/CRunLoop/base/held.c
 * With: CSupport/CRunLoop/base/info_pins.c
 * With: CSupport/CRunLoop/base/object.c
 * With: CSupport/CRunLoop/loop/block.c
 * With: CSupport/CRunLoop/loop/item_info.c
 * With: CSupport/CRunLoop/loop/item_lock.c
 * With: CSupport/CRunLoop/loop/loop.c
 * With: CSupport/CRunLoop/loop/membership.c
 * With: CSupport/CRunLoop/loop/mode.c
 * With: CSupport/CRunLoop/loop/observer.c
 * With: CSupport/CRunLoop/loop/perform.c
 * With: CSupport/CRunLoop/loop/removal.c
 * With: CSupport/CRunLoop/loop/schedule.c
 * With: CSupport/CRunLoop/loop/source.c
 * With: CSupport/CRunLoop/loop/source_modes.c
 * With: CSupport/CRunLoop/loop/source_signal.c
 * With: CSupport/CRunLoop/report/describe_items.c
 * With: CSupport/CRunLoop/report/dump.c
 * With: CSupport/CRunLoop/values/array.c
 * With: CSupport/CRunLoop/values/collection.c
 * With: CSupport/CRunLoop/values/string.c
 * With: CSupport/CRunLoop/wait/wake.c
 */

#include "explore.h"

#include "run/loop_table.c"

#include "loop/block_entry.h"
#include "loop/observer.h"
#include "loop/source.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLSet.h>

/* --- What the files call ---------------------------------------------------------------------- */

_Thread_local struct rl_loop *rl_own_loop;
_Thread_local const rl_clock_slot *rl_clock_of_thread;
rl_clock_slot rl_clock_for_all;
const RLAllocatorRef kRLAllocatorDefault;

const RLDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks;

/* The number of the main thread, and so of the process. The first thread has the number 100. */
static pid_t main_number;

pid_t getpid(void)
{
    return main_number;
}

pid_t rl_kernel_thread_id(void)
{
    return 100 + explore_thread();
}

void rl_kernel_bump(int fd)
{
    (void)fd;
    explore_fail("wakes a loop that does not sleep");
}

void rl_kernel_close(int *fd)
{
    *fd = -1;
}

void rl_client_error(const char *function, const char *format, ...)
{
    (void)format;
    explore_fail(function);
}

void rl_engine_error(const char *file, int line, const char *condition)
{
    (void)file;
    (void)line;
    explore_fail(condition);
}

void rl_warn(const char *function, const char *format, ...)
{
    (void)function;
    (void)format;
}

struct rl_block *rl_block_entry_take(void)
{
    return rl_allocate(sizeof(struct rl_block));
}

void rl_block_entry_give_back(struct rl_block *entry)
{
    free(entry);
}

void rl_wait_set_init(struct rl_wait_set *set, struct rl_wake *wake, const rl_clock_slot *clock)
{
    set->wake = wake;
    set->clock = clock;
}

void rl_wait_set_forget(struct rl_wait_set *set)
{
    (void)set;
}

void rl_wait_set_destroy(struct rl_wait_set *set)
{
    (void)set;
}

void rl_timer_queue_destroy(struct rl_timer_queue *queue)
{
    explore_check(queue->count == 0);
}

void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends)
{
    (void)loop;
    (void)what_ends;
}

void rl_trace_loop_made(struct rl_loop *loop)
{
    (void)loop;
}

void rl_fork_set_up(void)
{
}

void rl_activation_free_all(struct rl_activation **top)
{
    explore_check(!*top);
}

/* --- Loops and what is in them ---------------------------------------------------------------- */

static struct rl_loop *known;
static RLRunLoopObserverRef observer;
static RLRunLoopSourceRef source;
static int made, released, scheduled, cancelled;

static const void *retain(const void *info)
{
    made++;
    return info;
}

static void release(const void *info)
{
    (void)info;
    EXPLORE_POINT("in the client's release");
    released++;
}

static void schedule(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    (void)info;
    (void)loop;
    (void)mode;
    EXPLORE_POINT("in the client's schedule");
    scheduled++;
}

static void cancel(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    (void)info;
    (void)loop;
    (void)mode;
    EXPLORE_POINT("in the client's cancel");
    cancelled++;
}

static void begin(pid_t number)
{
    main_number = number;
    made = released = scheduled = cancelled = 0;
    known = NULL;
    RLRunLoopObserverContext of_observer = {.info = &made, .retain = retain, .release = release};
    observer = RLRunLoopObserverCreate(NULL, kRLRunLoopAllActivities, true, 0, NULL, &of_observer);
    RLRunLoopSourceContext of_source = {.info = &made,
                                        .retain = retain,
                                        .release = release,
                                        .schedule = schedule,
                                        .cancel = cancel};
    source = RLRunLoopSourceCreate(NULL, 0, &of_source);
}

/* The first thread is the main one, or another one that has a loop, which clients may have kept. */
static void begin_of_main(void)
{
    begin(100);
    RLRunLoopGetCurrent();
}

static void begin_of_other(void)
{
    begin(99);
    RLRunLoopGetCurrent();
}

static void begin_kept(void)
{
    begin_of_other();
    known = (struct rl_loop *)(void *)RLRetain(rl_own_loop);
}

static void begin_without_loops(void)
{
    begin(100);
}

static void begin_with_common_item(void)
{
    begin_kept();
    RLRunLoopAddSource(rl_loop_ref(known), source, kRLRunLoopCommonModes);
}

static void begin_with_observer(void)
{
    begin_of_other();
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, kRLRunLoopDefaultMode);
}

static void begin_with_source(void)
{
    begin_of_other();
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
}

static void begin_kept_with_source(void)
{
    begin_kept();
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
}

/* The thread's own end is the destructor of a value, in run/loop_table.c. */
static void end_thread(void)
{
}

static void get_current_and_end(void)
{
    explore_check(RLRunLoopGetCurrent() != NULL);
}

static void check_is_empty(struct rl_loop *loop)
{
    struct rl_mode *mode;
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        explore_check(loop->common_items.member_counts[kind] == 0);
        TAILQ_FOREACH(mode, &loop->modes, link) explore_check(mode->member_counts[kind] == 0);
    }
    explore_check(rl_block_queue_is_empty(&loop->blocks, &loop->incoming_blocks));
}

/* Releases the table's objects of a main thread, which has ended or is not in the scenario. */
static void forget_main(void)
{
    struct rl_loop *main = table.main;
    table.main = NULL;
    if (!main) return;
    if (!main->is_torn_down) {
        rl_thread_end(main);
        remove_loop(main);
    }
    check_is_empty(main);
    release_loop(main);
}

static void end(void)
{
    if (known) {
        check_is_empty(known);
        RLRelease(known);
    }
    forget_main();
    explore_check(table.count == 0);
    table.main_thread = 0;
    once = PTHREAD_ONCE_INIT;
    explore_check(scheduled == cancelled);
    RLRelease(observer);
    RLRelease(source);
    explore_check(made == released);
}

/* --- What other threads do -------------------------------------------------------------------- */

/* The loop's thread releases the object, or this thread does if the loop refuses blocks. */
static void hand_over_to(RLRunLoopRef loop)
{
    retain(NULL);
    RLRunLoopReleaseLater(loop, NULL, release);
}

static void hand_over(void)
{
    hand_over_to(rl_loop_ref(known));
}

static void hand_over_to_main(void)
{
    hand_over_to(RLRunLoopGetMain());
}

static void add_to_main(void)
{
    RLRunLoopAddObserver(RLRunLoopGetMain(), observer, kRLRunLoopDefaultMode);
}

static void add_to_all(void)
{
    RLArrayRef loops = RLRunLoopCopyAllLoops();
    for (RLIndex i = 0; i < RLArrayGetCount(loops); i++) {
        RLRunLoopRef loop = (RLRunLoopRef)(uintptr_t)RLArrayGetValueAtIndex(loops, i);
        RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);
    }
    RLRelease(loops);
}

static void add_source(void)
{
    RLRunLoopAddSource(rl_loop_ref(known), source, kRLRunLoopCommonModes);
}

static void add_observer(void)
{
    RLRunLoopAddObserver(rl_loop_ref(known), observer, RLSTR("another mode"));
}

static void add_common_mode(void)
{
    RLRunLoopAddCommonMode(rl_loop_ref(known), RLSTR("another mode"));
}

static void remove_source(void)
{
    RLRunLoopRemoveSource(rl_loop_ref(known), source, kRLRunLoopDefaultMode);
}

static void invalidate_observer_of_loop(void)
{
    RLRunLoopObserverInvalidate(observer);
}

static void invalidate_source(void)
{
    RLRunLoopSourceInvalidate(source);
}

static void stop_and_release(void)
{
    rl_wake_stop(&known->wake);
    rl_wake_up(&known->wake);
    struct rl_loop *loop = known;
    known = NULL;
    RLRelease(loop);
}

static void get_main(void)
{
    explore_check(RLRunLoopGetMain() != NULL && RLRunLoopGetMain() == rl_loop_ref(table.main));
}

const struct explore_scenario explore_scenarios[] = {
    {"main", 3, begin_of_main, {end_thread, add_to_main, hand_over_to_main}, end},
    {"all_loops", 3, begin_of_other, {end_thread, add_to_all}, end},
    {"first_calls", 3, begin_without_loops, {get_current_and_end, get_main, get_main}, end},
    {"source", 3, begin_kept, {end_thread, add_source}, end},
    {"source_goes", 2, begin_kept, {end_thread, add_source, invalidate_source}, end},
    {"observer", 3, begin_kept, {end_thread, add_observer, invalidate_observer_of_loop}, end},
    {"common_mode", 3, begin_with_common_item, {end_thread, add_common_mode}, end},
    {"remove", 3, begin_kept_with_source, {end_thread, remove_source}, end},
    {"invalidate", 4, begin_with_observer, {end_thread, invalidate_observer_of_loop}, end},
    {"invalidate_source", 4, begin_with_source, {end_thread, invalidate_source}, end},
    {"blocks", 3, begin_kept, {end_thread, hand_over, hand_over}, end},
    {"stop", 5, begin_kept, {end_thread, stop_and_release}, end},
};
const size_t explore_scenario_count = sizeof explore_scenarios / sizeof *explore_scenarios;
