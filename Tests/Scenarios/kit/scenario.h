/* The declaration of scenarios; ScenarioKit.h documents how to write one. */

#ifndef SCENARIOKIT_SCENARIO_H
#define SCENARIOKIT_SCENARIO_H

#include "ScenarioKit/ScenarioKit.h"
#include "words.h"

/* The section that lists the scenarios of the engine for which a file is compiled (registry.c), and
 * a symbol that two scenarios of one name would both define. */
#if defined(SCENARIO_ON_REFERENCE)
#define SCENARIO_LIST "cf_scenarios"
#define SCENARIO_SYMBOL(its_name) cf_scenario_##its_name
#else
#define SCENARIO_LIST "rl_scenarios"
#define SCENARIO_SYMBOL(its_name) rl_scenario_##its_name
#endif

/** Declares and lists the scenario whose body is the function `its_name`; members follow. */
#define SCENARIO(its_name, ...)                                                                    \
    const struct scenario SCENARIO_SYMBOL(its_name) = {                                            \
        .name = #its_name, .file = __FILE__, .body = its_name, __VA_ARGS__};                       \
    __attribute__((                                                                                \
        used, retain,                                                                              \
        section(SCENARIO_LIST))) static const struct scenario *const its_name##_listed =           \
        &SCENARIO_SYMBOL(its_name);

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
