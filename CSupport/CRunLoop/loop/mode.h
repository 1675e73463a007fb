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
 * In rl_mode.observed, if the loop is traced: all activities are wanted, or only those at both ends
 * of a run, if callbacks and runs are all that is traced. No activity has these bits.
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
    /* Null for the loop's common items, which are kept as a mode in which nothing ever runs. */
    RLStringRef name;
    /* The name's characters, for static probes and debuggers. */
    const char *c_name;
    /* Set once, with the lock held; read without it when a block's turn has come. */
    atomic_bool is_common;
    /* False while nothing but being common is known of the mode: clients do not see it (MODE-2). */
    bool exists;
    /* A run was in the mode. For hints, at the end of a thread or of the process. */
    atomic_bool has_run;
    /* The number of modes that the loop had before. Set once. */
    uint32_t number;
    /*
     * Guards the next two; no other lock is taken inside it. The three share a cache line, which
     * goes from the signalling thread's processor to the loop's. A busy-polling loop reads no field
     * of it.
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
    /* The sources by their hashes. */
    struct rl_source_tree source_tree;
    /* All activities that any observer wants. Read without a lock to skip what nobody wants. */
    _Atomic RLOptionFlags observed;
    struct rl_timer_queue timers;
    /* The deadline of the queue's first timer, called or not, for looks without the lock. */
    atomic_int_fast64_t first_deadline_ns;
    /* The moment when the sleep under way ends in any case; else RL_NEVER_NS. */
    atomic_int_fast64_t limit_ns;
    /* Queued blocks that name this mode. */
    atomic_size_t pending_blocks;
    struct rl_wait_set wait_set;
    /*
     * The number of batches in a row that left sources signalled, as a run returned after one.
     * Only the loop's thread.
     */
    unsigned cut_batches;
    /* In the list of the loop's common modes. */
    TAILQ_ENTRY(rl_mode) common_link;
};

_Static_assert(offsetof(struct rl_mode, sources) - offsetof(struct rl_mode, signal_lock) <= 16,
               "what signals need is in one cache line");

void rl_mode_init(struct rl_mode *mode, struct rl_loop *loop, struct rl_wake *wake,
                  const rl_clock_slot *clock, RLStringRef name);
void rl_mode_destroy(struct rl_mode *mode);

/*
 * Makes an item a member, with the loop and the item locked. Returns false if it, or a source equal
 * to it, is a member already. The caller has checked validity and the one-loop rule.
 */
bool rl_mode_insert(struct rl_mode *mode, struct rl_item *item);

/*
 * Ends a membership, with loop and item locked. The caller releases the reference that the
 * membership had.
 */
void rl_mode_erase(struct rl_membership *membership);

/* Returns the membership of the item or, for a source, of one equal to it; or null. */
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

/* Visits all members, in no order. With the loop locked. */
void rl_mode_visit_members(const struct rl_mode *mode, void (*visit)(struct rl_membership *));

/*
 * Returns the moment for which a loop that sleeps in the mode needs its timer port: the latest that
 * its timers allow or, if that is earlier and needs the port, the sleep's limit.
 */
int64_t rl_mode_port_deadline(const struct rl_mode *mode);

/* Returns whether this is the list of the loop's common items, and no mode that runs. */
static inline bool rl_mode_is_common_list(const struct rl_mode *mode)
{
    return mode->name == NULL;
}

/*
 * Returns whether the moment of the first timer has come; needs no lock. That timer may be the one
 * that is being called: run/wait.c looks under the lock for one that can fire. A timer that
 * another thread adds meanwhile is found when the loop prepares to sleep, with the lock held.
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

/* Returns whether the queue has timers; needs no lock. */
static inline bool rl_mode_has_timers(const struct rl_mode *mode)
{
    return atomic_load(&mode->first_deadline_ns) != RL_NEVER_NS;
}

/*
 * Arms the timer port for a timer that is overdue already, so that the kernel orders it among the
 * descriptors. To be called before the mode gets its first descriptor.
 */
void rl_mode_arm_overdue(struct rl_mode *mode);

/*
 * To be called when the first timer may have changed: a loop that is asleep in the mode, or whose
 * wait set orders events by arrival, learns of it now; any other loop does when it next sleeps.
 */
void rl_mode_timers_changed(struct rl_mode *mode);

/* Stops if the mode's structures contradict each other. */
void rl_mode_verify(struct rl_mode *mode);

#endif
