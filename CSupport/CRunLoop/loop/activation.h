/*
 * The runs of a loop that have begun and not ended, innermost first. Only the loop's thread uses
 * them.
 */

#ifndef RL_ACTIVATION_H
#define RL_ACTIVATION_H

#include <stdbool.h>
#include <stdint.h>

struct rl_advance;
struct rl_mode;

/*
 * A run that has begun and not ended. The loop owns its memory, as a callback may leave by
 * pthread_exit, and a destructor may run the loop when the frames on the stack are gone.
 */
struct rl_activation {
    struct rl_activation *outer;
    /* Memory for a run that is nested in this one, kept for reuse. */
    struct rl_activation *inner;
    struct rl_mode *mode;
    struct rl_mode *outer_mode;
    /* The advance of a test's clock that the run is for, or null: see run/advance.h. */
    struct rl_advance *advance;
    unsigned outer_wake_state;
    /* For a nested run: the phase of the outer run. */
    int outer_phase;
    /* The moment when the run times out; RL_NEVER_NS without a limit, unused if the run polls. */
    int64_t limit_ns;
    bool is_poll;
    bool returns_after_source;
    bool is_until_stopped;
    bool serves_main_queue;
    /*
     * The pass does not serve the main queue before the wait: the first pass, and a pass after a
     * service.
     */
    bool skips_main_queue;
    /* The main queue may have work, and the pass has not checked its port yet. */
    bool checks_main_queue;
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
 * Returns cleared memory for a new run: the memory in `place`, or new memory, which goes to
 * `place`. `place` is a field of the loop or of the outer run.
 */
struct rl_activation *rl_activation_take(struct rl_activation **place);

/* Frees the memory of the outermost run and of all inner ones. */
void rl_activation_free_all(struct rl_activation **outermost);

#endif
