/*
 * The loop object: its modes, its common items, its blocks, its wake-up word.
 */

#ifndef RL_LOOP_H
#define RL_LOOP_H

#include "base/held.h"
#include "loop/block_queue.h"
#include "loop/mode.h"
#include "loop/statistics.h"
#include "values/value.h"
#include "wait/wake.h"

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLRunLoopHosting.h>

#include <sys/types.h>

TAILQ_HEAD(rl_mode_list, rl_mode);
TAILQ_HEAD(rl_end_watch_list, rl_end_watch);

struct rl_activation;
struct rl_recording;
struct rl_timer;

/* For the loop's thread. */
struct rl_host {
    RLRunLoopHostingContext context;
    bool serves_main_queue;
    bool is_serving;
    /* The host's last pass has served the main queue. */
    bool skips_main_queue;
};

struct rl_loop {
    /* --- Written by other threads: one cache line --------------------------------------------- */

    struct rl_object object;
    /* Guards modes, items and blocks. Comments name the fields that need no lock. */
    struct rl_lock lock;
    struct rl_wake wake;
    rl_block_stack incoming_blocks;

    /* --- Identity and lifetime ---------------------------------------------------------------- */

    /* Set once. */
    pid_t thread_id;
    bool is_main;
    /*
     * The thread has ended, or is about to: the loop refuses items and blocks. Changes under the
     * lock.
     */
    atomic_bool is_torn_down;
    /*
     * The thread has a reference, which it releases at its end; the reference to the main loop is
     * permanent. Only the table sets this.
     */
    bool is_held_by_thread;
    /* Guarded by the table's lock. */
    RB_ENTRY(rl_loop) table_node;

    /* --- Modes, common items, queued blocks --------------------------------------------------- */

    /* All modes, and names that are only known to be common. They live as long as the loop. */
    struct rl_mode_list modes;
    /* Null while there are few modes. */
    RLMutableDictionaryRef modes_by_name;
    /* Its subset of common modes, in the same order. */
    struct rl_mode_list common_modes;
    /* Set once. */
    struct rl_mode *default_mode;
    /* The common items, kept as the members of a mode that never runs. */
    struct rl_mode common_items;
    struct rl_block_queue blocks;
    /*
     * Counts each placement of a timer in a mode: timers with the same deadline fire in this order.
     */
    uint64_t placements;
    /* The memory of one destroyed timer, for the next one. Only the loop's thread. */
    struct rl_timer *cached_timer;
    /* A buffer into which sockets receive before the size is known. Only the loop's thread. */
    void *receive_buffer;

    /* --- The run under way: only the loop's thread -------------------------------------------- */

    /* The items that the current rounds of callbacks are about to call. */
    struct rl_held_stack held;
    /* The innermost run, and the memory of the outermost one. */
    struct rl_activation *activation;
    struct rl_activation *activations;
    /* The mode of the innermost run. Any thread may read it. */
    _Atomic(struct rl_mode *) current_mode;
    /* The mode in which a run was last begun. */
    struct rl_mode *last_mode;
    unsigned main_queue_depth;

    /* --- Waiting and fairness ----------------------------------------------------------------- */

    /*
     * The next poll takes the main queue first, as the last poll skipped it; or takes a wake-up
     * before timers, as timers were taken since the last wake-up. Only the loop's thread.
     */
    bool is_main_queue_next, is_wake_up_next;
    /* Any thread may read it. */
    atomic_bool is_waiting;
    /* The mode in which the thread idles between runs, or null. Only the loop's thread. */
    struct rl_mode *idle_mode;
    /* The time to busy-poll before a sleep; 0 by default. Any thread may set it. */
    atomic_int_fast64_t busy_poll_ns;

    /* The clock of the loop. run/test_clock.c sets it. */
    rl_clock_slot clock;

    /* --- Hosting: only the loop's thread ------------------------------------------------------ */

    /* The mode in which the host waits for this loop, and the host. */
    struct rl_mode *host_mode;
    struct rl_host host;

    /* --- Libraries that wrap loops ------------------------------------------------------------ */

    /* The library's object for this loop. Set with the lock held. */
    _Atomic(void *) counterpart;
    void (*release_counterpart)(void *counterpart);
    /* The exit code of a pending stop, with RL_HAS_EXIT_CODE; or 0. Any thread. */
    atomic_int_fast64_t exit_request;
    struct rl_end_watch_list end_watches;

    /* --- Tracing and statistics --------------------------------------------------------------- */

    /* The recording if the loop is traced; set under the lock of all tracers. */
    _Atomic(struct rl_recording *) recording;
    /* The loop has been traced at some time. Set with the lock held. */
    bool was_traced;
    /* The bits of tracers in rl_mode.observed of all modes. Guarded by the lock. */
    RLOptionFlags traced_activities;
    atomic_bool is_recording;
    struct rl_statistics statistics;
};

/* Other threads' writes must not take the cache lines that each pass writes. */
_Static_assert(offsetof(struct rl_loop, thread_id) <= 64 && offsetof(struct rl_loop, blocks) >= 64,
               "what other threads write is in the first cache line");

/* Stops the process if the argument of a public function is no loop. */
static inline struct rl_loop *rl_loop_checked(RLRunLoopRef loop, const char *function)
{
    rl_expect(loop, RL_TYPE_LOOP, function, "loop");
    return (struct rl_loop *)(void *)loop;
}

static inline RLRunLoopRef rl_loop_ref(struct rl_loop *loop)
{
    return (RLRunLoopRef)(void *)loop;
}

/* For the table. The loop has the default mode and one reference. */
struct rl_loop *rl_loop_create(pid_t thread_id, bool is_main);

/* Compares characters (MODE-14). */
bool rl_loop_is_common_name(RLStringRef name);

/*
 * Return the mode with a name. If there is none, the first makes it and the second returns null.
 * Loop locked.
 */
struct rl_mode *rl_loop_make_mode(struct rl_loop *loop, RLStringRef name);
struct rl_mode *rl_loop_find_mode(struct rl_loop *loop, RLStringRef name);

/* Returns the entry with a name: a mode, or only a name that will be common. Loop locked. */
struct rl_mode *rl_loop_make_entry(struct rl_loop *loop, RLStringRef name);

/* Returns false if the entry was common already. Loop locked. */
bool rl_loop_make_common(struct rl_loop *loop, struct rl_mode *mode);

/* Like rl_loop_make_mode, but returns null for kRLRunLoopCommonModes. */
struct rl_mode *rl_loop_make_named(struct rl_loop *loop, RLStringRef name);

/* Returns the name of the current mode, retained; null if the loop does not run. */
RLStringRef rl_loop_copy_current_name(struct rl_loop *loop);

/* Returns the characters of the current mode's name, or null. For probes, on the loop's thread. */
static inline const char *rl_loop_current_c_name(const struct rl_loop *loop)
{
    const struct rl_mode *mode = atomic_load_explicit(&loop->current_mode, memory_order_relaxed);
    return mode ? mode->c_name : NULL;
}

/* Returns whether the queue has blocks that would run in the mode. Incoming blocks do not count. */
static inline bool rl_loop_counts_blocks(const struct rl_mode *mode)
{
    if (mode->pending_blocks > 0) return true;
    return mode->is_common && mode->loop->blocks.pending_common > 0;
}

/*
 * Returns false if no block would run in the mode. Without the lock this may miss a block that is
 * being queued, which does no harm where a wake-up follows: the block is visible before its client
 * wakes the loop.
 */
static inline bool rl_loop_may_have_blocks(const struct rl_mode *mode)
{
    return atomic_load(&mode->loop->incoming_blocks) || rl_loop_counts_blocks(mode);
}

bool rl_loop_is_current(const struct rl_loop *loop);

/*
 * Call this after adding work that may need no wake-up. A loop finds the work of its own thread
 * before it sleeps, unless it already sleeps in a host: then this calls the host.
 */
void rl_loop_call_host(struct rl_loop *loop);

/* Returns the next number in the order of timers. Loop locked. */
static inline uint64_t rl_loop_count_placement(struct rl_loop *loop)
{
    return ++loop->placements;
}

static inline void rl_loop_wake_up(struct rl_loop *loop)
{
    rl_wake_up(&loop->wake);
}

/*
 * Returns whether the main thread has ended, so that its loop takes no more items. Warns once for
 * each function (LIFE-19).
 */
bool rl_loop_refuses_main(struct rl_loop *loop, const char *function);

/* For a loop whose thread has ended. */
void rl_loop_close_wait_sets(struct rl_loop *loop);

/* For a forked child, which must not share kernel objects. */
void rl_loop_forget_kernel_objects(struct rl_loop *loop);

#endif
