/*
 * How a scenario is declared; see ScenarioKit.h for how to write one.
 */

#ifndef SCENARIOKIT_SCENARIO_H
#define SCENARIOKIT_SCENARIO_H

#include "ScenarioKit/ScenarioKit.h"

/* The section that lists the scenarios of the engine for which a file is compiled: registry.c. */
#if defined(ENGINE_IS_CF)
#define SCENARIO_LIST "cf_scenarios"
#else
#define SCENARIO_LIST "rl_scenarios"
#endif

/** Declares and lists the scenario whose body is the function `its_name`; members follow. */
#define SCENARIO(its_name, ...)                                                                    \
    static const struct scenario its_name##_scenario = {                                           \
        .name = #its_name, .body = its_name, __VA_ARGS__};                                         \
    __attribute__((                                                                                \
        used, retain,                                                                              \
        section(SCENARIO_LIST))) static const struct scenario *const its_name##_listed =           \
        &its_name##_scenario;

/** Declares and lists a scenario of one call, which is to stop the process; members follow. */
#define STOPS(its_name, its_call, ...)                                                             \
    static void its_name(void)                                                                     \
    {                                                                                              \
        note("calling");                                                                           \
        (void)(its_call);                                                                          \
        note("called");                                                                            \
    }                                                                                              \
    SCENARIO(its_name, .dies = true, .expected = "calling; dies", __VA_ARGS__)

#endif
