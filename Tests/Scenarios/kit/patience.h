/* Decides whether a run hangs, or is only slow: sanitizers are slow, and machines are busy. */

#ifndef SCENARIOKIT_PATIENCE_H
#define SCENARIOKIT_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** The last observed state of a process. */
struct patience {
    /** Of the processor time of the process. */
    clockid_t clock;
    int seconds;
    int64_t used_at_first;
    int64_t used_at_last;
};

/** Begins to watch a process, by its clock, to be looked at whenever so many seconds are over. */
struct patience patience_with(clockid_t clock, int seconds);

/**
 * Whether the process hangs: since the last look it has done next to nothing, or since the first
 * one it has used as much as all processors have in so many seconds.
 */
bool patience_is_over(struct patience *patience);

#endif
