/*
 * How a scenario is declared; see ScenarioKit.h for how to write one.
 */

#ifndef SCENARIOKIT_SCENARIO_H
#define SCENARIOKIT_SCENARIO_H

#include "ScenarioKit/ScenarioKit.h"

/** Declares the scenario whose body is the function `its_name`; members follow. */
#define SCENARIO(its_name, ...)                                                                    \
    static const struct scenario its_name##_scenario = {                                           \
        .name = #its_name, .body = its_name, __VA_ARGS__};

/** An entry of a family's table, which ends in a null pointer. */
#define LISTED(its_name) &its_name##_scenario

#endif
