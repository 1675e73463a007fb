/* The nested runs of a loop. Only the loop's thread uses them. */

#ifndef RL_ACTIVATION_H
#define RL_ACTIVATION_H

#include <stdbool.h>
#include <stdint.h>

struct rl_advance;
struct rl_mode;

/*
 * A run. The memory belongs to the loop, not to the stack: a callback may call pthread_exit, and a
 * thread-specific destructor may then run the loop after the stack frames are gone.
 */
struct rl_activation {
    struct rl_activation *outer;
    /* The memory for a nested run, which later nested runs reuse. */
    struct rl_activation *inner;
    struct rl_mode *mode;
    struct rl_mode *outer_mode;
    /* Null, unless this run advances a test clock: see run/advance.h. */
    struct rl_advance *advance;
    unsigned outer_wake_state;
    /* The phase of the loop before this run. Unused in the outermost run. */
    int outer_phase;
    /* The end of the run; RL_NEVER_NS if the run has no limit. Unused if the run only polls. */
    int64_t limit_ns;
    bool is_poll;
    bool returns_after_source;
    bool is_until_stopped;
    bool serves_main_queue;
    /* True in the first pass, and in a pass that follows a pass that has served the main queue. */
    bool skips_main_queue;
    /* True if the main queue may have work, and this pass has not checked its port. */
    bool checks_main_queue;
    /* True while wake-ups count: from the start of a run or pass until its wait ends (WAKE-2). */
    bool is_listening;
    /* True if this run, or a run nested in it, has used or dropped a wake-up. */
    bool has_taken_wake_up;
    /* True if a nested run of this pass has used or dropped a wake-up for this run (RUN-31). */
    bool has_lost_wake_up;
};

/*
 * Returns the run in `place`, a field of the loop or of the outer run, with all fields cleared.
 * Allocates the run if `place` is null.
 */
struct rl_activation *rl_activation_take(struct rl_activation **place);

void rl_activation_free_all(struct rl_activation **outermost);

#endif
