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
 * A run that has begun and not ended. Its memory belongs to the loop, not to the stack: a callback
 * may call pthread_exit, and then a thread-specific destructor may run the loop when the stack
 * frames are gone.
 */
struct rl_activation {
    struct rl_activation *outer;
    /* The memory of a nested run, which is reused. */
    struct rl_activation *inner;
    struct rl_mode *mode;
    struct rl_mode *outer_mode;
    /* Null, unless RLTesting advances a test clock by this run: see run/advance.h. */
    struct rl_advance *advance;
    unsigned outer_wake_state;
    /* In a nested run: the phase of the outer run. */
    int outer_phase;
    /*
     * The moment when the run times out. RL_NEVER_NS if there is no limit; unused if the run only
     * polls.
     */
    int64_t limit_ns;
    bool is_poll;
    bool returns_after_source;
    bool is_until_stopped;
    bool serves_main_queue;
    /*
     * The pass does not serve the main queue before its wait. This applies to the first pass, and
     * to a pass after a pass that has served the queue.
     */
    bool skips_main_queue;
    /* The main queue may have work, and this pass has not yet checked the queue's port. */
    bool checks_main_queue;
    /*
     * Wake-ups count now: from the start of the run or of a pass until the end of the wait
     * (WAKE-2).
     */
    bool is_listening;
    /* This run, or a run nested in it, has used or dropped a wake-up. */
    bool has_taken_wake_up;
    /*
     * In this pass, a nested run has used or dropped a wake-up that may have been for this run
     * (RUN-31).
     */
    bool has_lost_wake_up;
};

/*
 * Returns cleared memory for a new run. Reuses the memory in `place`, or allocates memory and
 * stores it in `place`, which is a field of the loop or of the outer run.
 */
struct rl_activation *rl_activation_take(struct rl_activation **place);

/* Frees the memory of the outermost run and of all nested runs. */
void rl_activation_free_all(struct rl_activation **outermost);

#endif
