/*
 * Runs that are under way: each nested in the one before it. Only the loop's thread touches them.
 */

#ifndef RL_ACTIVATION_H
#define RL_ACTIVATION_H

#include <stdbool.h>
#include <stdint.h>

struct rl_advance;
struct rl_mode;

/*
 * A run that is under way. The loop owns its memory, as a callback may leave by pthread_exit, and a
 * destructor may run the loop when the frames on the stack are gone.
 */
struct rl_activation {
    struct rl_activation *outer;
    /* Memory for a run that is nested in this one, kept for the next. */
    struct rl_activation *inner;
    struct rl_mode *mode;
    struct rl_mode *outer_mode;
    /* The advance of a test's clock that the run is for, or null: see run/advance.h. */
    struct rl_advance *advance;
    unsigned outer_wake_state;
    /* Of a nested run: the phase of the run around it. */
    int outer_phase;
    /* The end of its time; RL_NEVER_NS without a limit, unused when polling. */
    int64_t limit_ns;
    bool is_poll;
    bool returns_after_source;
    /* Only a stop ends it: RLRunLoopRunUntilStopped. */
    bool is_until_stopped;
    bool serves_main_queue;
    /* The main queue has no turn before the wait: in the first pass, and after it was served. */
    bool skips_main_queue;
    /* The main queue may have work, and the pass has not asked it yet. */
    bool asks_main_queue;
    /*
     * Wake-ups count now: from the start of the run, or of a pass, to the end of the wait (WAKE-2).
     */
    bool is_listening;
    /* This run, or one that was nested in it, has used or dropped a wake-up. */
    bool has_taken_wake_up;
    /*
     * A nested run has taken a wake-up in this pass that may have been meant for this run (RUN-31).
     */
    bool has_lost_wake_up;
};

/*
 * Returns cleared memory for a run that is about to begin: what `place` holds, or new memory, which
 * `place` then holds. `place` is a field of the loop or of the run around this one.
 */
struct rl_activation *rl_activation_take(struct rl_activation **place);

/* Frees the memory of the outermost run, and of those inside it. */
void rl_activation_free_all(struct rl_activation **outermost);

#endif
