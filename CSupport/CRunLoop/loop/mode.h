/*
 * One mode of a loop: its items, its pending work, its wait set. The loop's lock guards everything
 * but the list of signalled sources, which has a lock of its own. Atomic fields change under a lock
 * too; the loop's thread reads them without one to see that there is nothing to do.
 */

#ifndef RL_MODE_H
#define RL_MODE_H

#include "base/clock.h"
#include "loop/item.h"
#include "loop/timer_queue.h"
#include "wait/wait_set.h"

#include <CRunLoop/RLRunLoopObserver.h>

/*
 * Bits of rl_mode.observed if the loop is traced: the tracer wants all activities or, for a trace
 * of callbacks and runs only, the beginning and end of each run. No activity has these bits.
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
    /* Null for the loop's common items, which are stored as a mode that never runs. */
    RLStringRef name;
    /* The name's characters, for probes and debuggers. */
    const char *c_name;
    /* Set once, with the lock held; read without it when a block is about to run. */
    atomic_bool is_common;
    /* False while the mode is only known to be common: clients do not see such a mode (MODE-2). */
    bool exists;
    /* The mode has run. For hints at the end of a thread or of the process. */
    atomic_bool has_run;
    /* The index of the mode in the order of creation. Set once. */
    uint32_t number;
    /*
     * Guards the next two fields; no other lock is taken inside it. The three share a cache line,
     * which moves from the signalling thread's processor to the loop's. A busy-polling loop reads
     * no field of it.
     */
    _Alignas(16) struct rl_lock signal_lock;
    atomic_uint signalled_count;
    /* Version-0 sources that are signalled, in any order. */
    struct rl_signalled_list signalled;
    /* In the order of addition. */
    struct rl_source_list sources;
    /* In the order of calling. */
    struct rl_observer_list observers;
    atomic_size_t member_counts[RL_ITEM_KINDS];
    struct rl_source_tree source_tree;
    /*
     * The union of the observers' activities. Read without a lock to skip activities that no
     * observer wants.
     */
    _Atomic RLOptionFlags observed;
    struct rl_timer_queue timers;
    /* The deadline of the queue's first timer, being called or not, for checks without the lock. */
    atomic_int_fast64_t first_deadline_ns;
    /* The limit of the current sleep; else RL_NEVER_NS. */
    atomic_int_fast64_t limit_ns;
    /* Queued blocks that name this mode. */
    atomic_size_t pending_blocks;
    struct rl_wait_set wait_set;
    /*
     * The number of successive batches that left sources signalled, because a run returned after
     * one source. Only the loop's thread.
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
 * Adds an item, with the loop and the item locked. Returns false if the item, or an equal source,
 * is a member already. The caller has checked validity and the one-loop rule.
 */
bool rl_mode_insert(struct rl_mode *mode, struct rl_item *item);

/*
 * Ends a membership, with loop and item locked. The caller releases the reference that the
 * membership had.
 */
void rl_mode_erase(struct rl_membership *membership);

/* Returns the membership of the item or, for a source, of an equal source; or null. */
struct rl_membership *rl_mode_find(struct rl_mode *mode, const struct rl_item *item);

/* Returns the membership of the item itself, or null. Loop and item locked. */
struct rl_membership *rl_mode_find_own(const struct rl_mode *mode, const struct rl_item *item);

/*
 * Returns all members of a kind: sources in the order of addition, observers in that of calling,
 * timers in that of firing. With the loop locked. The caller frees the array, which is null if
 * there are none.
 */
struct rl_membership **rl_mode_copy_members(const struct rl_mode *mode, enum rl_item_kind kind,
                                            size_t *ret_count);

void rl_mode_visit_members(const struct rl_mode *mode, void (*visit)(struct rl_membership *));

/*
 * Returns the moment for which a sleep in the mode must arm the timer port: the latest moment that
 * its timers allow or, if earlier, the sleep's limit if that needs the port.
 */
int64_t rl_mode_port_deadline(const struct rl_mode *mode);

/* The list of common items is no mode that runs. */
static inline bool rl_mode_is_common_list(const struct rl_mode *mode)
{
    return mode->name == NULL;
}

/*
 * Returns whether the first deadline has passed; needs no lock. That timer may be the one that is
 * being called: run/wait.c then searches with the lock. A timer that another thread adds meanwhile
 * is found when the loop prepares to sleep, with the lock held.
 */
static inline bool rl_mode_may_have_due_timer(const struct rl_mode *mode)
{
    int64_t first_ns = atomic_load(&mode->first_deadline_ns);
    return first_ns != RL_NEVER_NS && rl_clock_has_reached(first_ns);
}

/* Returns whether any observer or tracer wants the activity. Needs no lock. */
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
 * Arms the timer port for an overdue timer, so that the kernel orders it among the descriptors.
 * Call this before the mode gets its first descriptor.
 */
void rl_mode_arm_overdue(struct rl_mode *mode);

/*
 * Call this when the first timer may have changed. A loop that sleeps in the mode, or whose wait
 * set orders events by arrival, is updated now; any other loop at its next sleep.
 */
void rl_mode_timers_changed(struct rl_mode *mode);

/* Stops the process if the mode's structures contradict each other. */
void rl_mode_verify(struct rl_mode *mode);

#endif
