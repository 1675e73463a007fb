/*
 * Random scenarios: the same random program on both engines, whose traces are to be equal.
 *
 * A program is not stored. The actions of a step, or of the n-th call of a callback, are drawn from
 * a generator that is seeded with the program's seed, the callback's name and n. So both engines do
 * the same as long as they behave the same, and the first difference is the one to look at.
 */

#ifndef SCENARIOKIT_RANDOM_H
#define SCENARIOKIT_RANDOM_H

#include "ScenarioKit/ScenarioKit.h"

/**
 * The trace of a random program on our engine; the caller frees it.
 *
 * - `limit`: how many seconds those of its runs may take that have a limit and wait.
 * - `is_on_main`: whether it runs on this thread, the main one, whose loop serves the main queue.
 * That is possible once in a process.
 */
char *random_trace_rl(unsigned long seed, double limit, bool is_on_main);

/** The trace of a random program on the reference; null in builds without the reference. */
extern char *random_trace_cf(unsigned long seed, double limit, bool is_on_main)
    __attribute__((weak));

/** The runner's commands `random` and `random-main`: see ScenarioKit.h. */
int random_check(long count, unsigned long first_seed, bool is_on_main);

#endif
