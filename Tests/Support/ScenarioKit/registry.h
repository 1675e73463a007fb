/*
 * Where the families of each engine are found.
 */

#ifndef SCENARIOKIT_REGISTRY_H
#define SCENARIOKIT_REGISTRY_H

#include "ScenarioKit/ScenarioKit.h"

/** The families of RL: a list of lists, each of which ends in a null pointer. */
const struct scenario *const *const *families_of_rl(void);

/** The families of CF, in the same form; only in builds that have CF. */
const struct scenario *const *const *families_of_cf(void);

#endif
