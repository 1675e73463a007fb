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

/* Only the loop's thread uses this. */
struct rl_host {
    RLRunLoopHostingContext context;
    bool serves_main_queue;
    bool is_serving;
    /* True if the last pass that the host ran has served the main queue. */
    bool skips_main_queue;
};

struct rl_loop {
    /* --- Written by other threads: one cache line --------------------------------------------- */

    struct rl_object object;
    /* Guards modes, items and blocks, except for fields that need no lock. */
    struct rl_lock lock;
    struct rl_wake wake;
    rl_block_stack incoming_blocks;

    /* --- Identity and lifetime ---------------------------------------------------------------- */

    /* Set once. */
    pid_t thread_id;
    bool is_main;
    /*
     * The thread is ending or has ended: the loop ignores new items and releases new blocks.
     * Changes with the lock held.
     */
    atomic_bool is_torn_down;
    /*
     * True while the thread has a reference to the loop. The main thread's reference is permanent.
     * Only loop_table.c sets this.
     */
    bool is_held_by_thread;
    /* Guarded by the loop table's lock. */
    RB_ENTRY(rl_loop) table_node;

    /* --- Modes, common items, queued blocks --------------------------------------------------- */

    /* Some modes do not exist for clients yet (MODE-2). A mode lives as long as the loop. */
    struct rl_mode_list modes;
    /* A dictionary of the modes; null while the loop has few modes. */
    RLMutableDictionaryRef modes_by_name;
    /* The common modes, in the same order as in `modes`. */
    struct rl_mode_list common_modes;
    /* Set once. */
    struct rl_mode *default_mode;
    /* The common items, as the members of a mode that never runs. */
    struct rl_mode common_items;
    struct rl_block_queue blocks;
    /* Counts the timers added to modes. It orders the timers that have the same deadline. */
    uint64_t placements;
    /* Memory for the next timer. Only the loop's thread uses it. */
    struct rl_timer *cached_timer;
    /* A buffer for sockets, if the size of a message is unknown. Only the loop's thread uses it. */
    void *receive_buffer;

    /* --- The run under way: only the loop's thread -------------------------------------------- */

    struct rl_held_stack held;
    /* The innermost run, and the memory of all runs, outermost first. */
    struct rl_activation *activation;
    struct rl_activation *activations;
    /* The mode of the innermost run, or null. Other threads may read this. */
    _Atomic(struct rl_mode *) current_mode;
    /* The mode of the run that began last. */
    struct rl_mode *last_mode;
    unsigned main_queue_depth;

    /* --- Waiting and fairness ----------------------------------------------------------------- */

    /*
     * `is_main_queue_next`: the last poll skipped the main queue, so the next poll checks the queue
     * first. `is_wake_up_next`: timers were served since the last wake-up, so the next poll takes a
     * wake-up before timers. Only the loop's thread uses these.
     */
    bool is_main_queue_next, is_wake_up_next;
    /* Other threads may read this. */
    atomic_bool is_waiting;
    /* The mode in which the thread idles between runs, or null. Only the loop's thread uses it. */
    struct rl_mode *idle_mode;
    /* The time to busy-poll before a sleep. Any thread may set this. */
    atomic_int_fast64_t busy_poll_ns;

    /* The loop's clock, which run/test_clock.c sets. */
    rl_clock_slot clock;

    /* --- Hosting: only the loop's thread ------------------------------------------------------ */

    struct rl_mode *host_mode;
    struct rl_host host;

    /* --- Libraries that wrap loops ------------------------------------------------------------ */

    /* The wrapping library's object. Set with the lock held. */
    _Atomic(void *) counterpart;
    void (*release_counterpart)(void *counterpart);
    /* RL_HAS_EXIT_CODE and the exit code, if a stop is pending, or 0. Any thread may use this. */
    atomic_int_fast64_t exit_request;
    struct rl_end_watch_list end_watches;

    /* --- Tracing and statistics --------------------------------------------------------------- */

    /* Null if the loop is not traced. Set with the lock of all tracers held. */
    _Atomic(struct rl_recording *) recording;
    /* Set with the lock held. */
    bool was_traced;
    /* The bits that the tracer has set in `observed` of each mode. Guarded by the lock. */
    RLOptionFlags traced_activities;
    atomic_bool is_recording;
    struct rl_statistics statistics;
};

/* Writes by other threads must not invalidate the cache lines that the loop writes in each pass. */
_Static_assert(offsetof(struct rl_loop, thread_id) <= 64 && offsetof(struct rl_loop, blocks) >= 64,
               "what other threads write is in the first cache line");

static inline struct rl_loop *rl_loop_checked(RLRunLoopRef loop, const char *function)
{
    rl_expect(loop, RL_TYPE_LOOP, function, "loop");
    return (struct rl_loop *)(void *)loop;
}

static inline RLRunLoopRef rl_loop_ref(struct rl_loop *loop)
{
    return (RLRunLoopRef)(void *)loop;
}

/* Returns a loop with the default mode and one reference. Only loop_table.c calls this. */
struct rl_loop *rl_loop_create(pid_t thread_id, bool is_main);

/* Compares the name with kRLRunLoopCommonModes by characters (MODE-14). */
bool rl_loop_is_common_name(RLStringRef name);

/*
 * If the mode does not exist, rl_loop_make_mode creates it, and rl_loop_find_mode returns null.
 * Call these with the loop locked.
 */
struct rl_mode *rl_loop_make_mode(struct rl_loop *loop, RLStringRef name);
struct rl_mode *rl_loop_find_mode(struct rl_loop *loop, RLStringRef name);

/* Like rl_loop_make_mode, but if the mode is new, it does not exist for clients. */
struct rl_mode *rl_loop_make_entry(struct rl_loop *loop, RLStringRef name);

/* Returns false if the mode is common already. Call this with the loop locked. */
bool rl_loop_make_common(struct rl_loop *loop, struct rl_mode *mode);

/* Like rl_loop_make_mode, but returns null for kRLRunLoopCommonModes. */
struct rl_mode *rl_loop_make_named(struct rl_loop *loop, RLStringRef name);

/* Returns the name, retained, or null if the loop is not running. */
RLStringRef rl_loop_copy_current_name(struct rl_loop *loop);

/* For probes. Returns null if the loop is not running. Call this on the loop's thread. */
static inline const char *rl_loop_current_c_name(const struct rl_loop *loop)
{
    const struct rl_mode *mode = atomic_load_explicit(&loop->current_mode, memory_order_relaxed);
    return mode ? mode->c_name : NULL;
}

/* Does not count incoming blocks. */
static inline bool rl_loop_counts_blocks(const struct rl_mode *mode)
{
    if (mode->pending_blocks > 0) return true;
    return mode->is_common && mode->loop->blocks.pending_common > 0;
}

/*
 * May miss a block that is being queued. The miss is harmless if a wake-up follows: the block
 * becomes visible before its client wakes the loop.
 */
static inline bool rl_loop_may_have_blocks(const struct rl_mode *mode)
{
    return atomic_load(&mode->loop->incoming_blocks) || rl_loop_counts_blocks(mode);
}

bool rl_loop_is_current(const struct rl_loop *loop);

/*
 * Call this after adding work without a wake-up. If the loop belongs to the calling thread and
 * sleeps in a host, calls the host. Otherwise the loop finds the work before its next sleep.
 */
void rl_loop_call_host(struct rl_loop *loop);

/* Call this with the loop locked. */
static inline uint64_t rl_loop_count_placement(struct rl_loop *loop)
{
    return ++loop->placements;
}

static inline void rl_loop_wake_up(struct rl_loop *loop)
{
    rl_wake_up(&loop->wake);
}

/* Returns true for the main loop if its thread has ended. Warns once per function (LIFE-19). */
bool rl_loop_refuses_main(struct rl_loop *loop, const char *function);

/* Call this when the loop's thread has ended. */
void rl_loop_close_wait_sets(struct rl_loop *loop);

/* Call this in a forked child, which must not share kernel objects with the parent. */
void rl_loop_forget_kernel_objects(struct rl_loop *loop);

#endif
