/* Decides whether a run hangs, or is only slow: sanitizers are slow, and machines are busy. */

#ifndef SCENARIOKIT_PATIENCE_H
#define SCENARIOKIT_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** The last observed state of a process. */
struct patience {
    /** The CPU clock of the process. */
    clockid_t clock;
    int seconds;
    int64_t used_at_first;
    int64_t used_at_last;
};

/**
 * Starts watching a process by its CPU clock. Call patience_is_over every `seconds` seconds.
 */
struct patience patience_with(clockid_t clock, int seconds);

/**
 * Returns whether the process hangs: it has used almost no processor time since the last call, or
 * since the first call as much as all processors provide in `seconds`.
 */
bool patience_is_over(struct patience *patience);

#endif
