/*
 * A mode has items, pending work and a wait set. The loop's lock guards all fields except the
 * signalled sources. Atomic fields change with a lock held too; the loop's thread reads them
 * without a lock to check whether there is work.
 */

#ifndef RL_MODE_H
#define RL_MODE_H

#include "base/clock.h"
#include "loop/item.h"
#include "loop/timer_queue.h"
#include "wait/wait_set.h"

#include <CRunLoop/RLRunLoopObserver.h>

/*
 * Bits of rl_mode.observed that are not activities of CF. RL_OBSERVED_BY_TRACER is set if the
 * tracer wants all activities, RL_RUNS_OBSERVED_BY_TRACER if it wants only the beginning and the
 * end of runs.
 */
#define RL_OBSERVED_BY_TRACER (1ul << 31)
#define RL_RUNS_OBSERVED_BY_TRACER (1ul << 30)

TAILQ_HEAD(rl_source_list, rl_source_membership);
TAILQ_HEAD(rl_observer_list, rl_observer_membership);
LIST_HEAD(rl_signalled_list, rl_source_membership);
SPLAY_HEAD(rl_source_tree, rl_source_membership);

struct rl_mode {
    TAILQ_ENTRY(rl_mode) link;
    struct rl_loop *loop;
    /* The name; null in the list of the loop's common items. */
    RLStringRef name;
    /* The name as a C string, for probes and debuggers. */
    const char *c_name;
    /* Set once, with the lock held. */
    atomic_bool is_common;
    /* False if the mode was only declared common: clients do not see the mode yet (MODE-2). */
    bool exists;
    /* True if the mode has run. Hints at the end of a thread or of the process use this. */
    atomic_bool has_run;
    /* The index of the mode in the order of creation. Set once. */
    uint32_t number;
    /*
     * An innermost lock, which guards the next two fields. The three fields share a cache line,
     * which moves from the signalling thread's processor to the loop's. A busy-polling loop does
     * not read this line.
     */
    _Alignas(16) struct rl_lock signal_lock;
    atomic_uint signalled_count;
    /* The signalled version-0 sources, unordered. */
    struct rl_signalled_list signalled;
    /* The sources, in the order of addition. */
    struct rl_source_list sources;
    /* The observers, in the order in which they are called. */
    struct rl_observer_list observers;
    atomic_size_t member_counts[RL_ITEM_KINDS];
    struct rl_source_tree source_tree;
    /* The activities of all observers. Read without a lock. */
    _Atomic RLOptionFlags observed;
    struct rl_timer_queue timers;
    /* The deadline of the first timer, even if it is being called. Read without the lock. */
    atomic_int_fast64_t first_deadline_ns;
    /* The limit of the current sleep, or RL_NEVER_NS. */
    atomic_int_fast64_t limit_ns;
    /* Counts the queued blocks that name this mode. */
    atomic_size_t pending_blocks;
    struct rl_wait_set wait_set;
    /*
     * Counts consecutive runs that returned after one source and left other sources signalled. Only
     * the loop's thread uses this.
     */
    unsigned cut_batches;
    TAILQ_ENTRY(rl_mode) common_link;
};

_Static_assert(offsetof(struct rl_mode, sources) - offsetof(struct rl_mode, signal_lock) <= 16,
               "what signals need is in one cache line");

void rl_mode_init(struct rl_mode *mode, struct rl_loop *loop, struct rl_wake *wake,
                  const rl_clock_slot *clock, RLStringRef name);
void rl_mode_destroy(struct rl_mode *mode);

/*
 * Returns false if the item, or an equal source, is a member already. The item must be valid and in
 * no other loop. Call this with the loop and the item locked.
 */
bool rl_mode_insert(struct rl_mode *mode, struct rl_item *item);

/* The caller takes over the reference to the item. Call this with the loop and the item locked. */
void rl_mode_erase(struct rl_membership *membership);

/* Returns the membership of the item or of an equal source, or null. Call with the loop locked. */
struct rl_membership *rl_mode_find(struct rl_mode *mode, const struct rl_item *item);

/* Like rl_mode_find, but ignores equal sources. Call this with the loop and the item locked. */
struct rl_membership *rl_mode_find_own(const struct rl_mode *mode, const struct rl_item *item);

/*
 * Returns sources in the order of addition, observers in calling order, timers in firing order. The
 * caller frees the array, which is null if it is empty. Call this with the loop locked.
 */
struct rl_membership **rl_mode_copy_members(const struct rl_mode *mode, enum rl_item_kind kind,
                                            size_t *ret_count);

void rl_mode_visit_members(const struct rl_mode *mode, void (*visit)(struct rl_membership *));

/*
 * Returns the deadline of the timer port: the latest moment that the timers' tolerances allow, or
 * `limit_ns` if that is earlier and only the port ends a sleep precisely at the limit.
 */
int64_t rl_mode_port_deadline(const struct rl_mode *mode);

/* The list of the common items is not a mode, and never runs. */
static inline bool rl_mode_is_common_list(const struct rl_mode *mode)
{
    return mode->name == NULL;
}

/*
 * Needs no lock. If the first timer is being called, run/wait.c searches for another timer with the
 * lock held. A timer that another thread is adding may be missed, but the loop finds it with the
 * lock held when it prepares to sleep.
 */
static inline bool rl_mode_may_have_due_timer(const struct rl_mode *mode)
{
    int64_t first_ns = atomic_load(&mode->first_deadline_ns);
    return first_ns != RL_NEVER_NS && rl_clock_has_reached(first_ns);
}

/* True if an observer or the tracer wants the activity. Needs no lock. */
static inline bool rl_mode_is_observed(const struct rl_mode *mode, RLRunLoopActivity activity)
{
    bool is_of_run = activity & (kRLRunLoopEntry | kRLRunLoopExit);
    RLOptionFlags tracer = RL_OBSERVED_BY_TRACER | (is_of_run ? RL_RUNS_OBSERVED_BY_TRACER : 0);
    return atomic_load(&mode->observed) & (activity | tracer);
}

static inline bool rl_mode_has_timers(const struct rl_mode *mode)
{
    return atomic_load(&mode->first_deadline_ns) != RL_NEVER_NS;
}

/*
 * Arms the port for an overdue timer, so that the kernel orders it among the descriptors. Call this
 * before the mode gets its first descriptor.
 */
void rl_mode_arm_overdue(struct rl_mode *mode);

/*
 * Call this when the first timer may have changed. Updates the wait set now if the loop is asleep
 * in the mode, or if the wait set orders events by arrival. Otherwise the next sleep updates it.
 */
void rl_mode_timers_changed(struct rl_mode *mode);

void rl_mode_verify(struct rl_mode *mode);

#endif
