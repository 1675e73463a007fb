/*
 * Finds scenarios. Each has left a pointer to itself in a section of its engine's (scenario.h), to
 * whose bounds the linker gives names. The numbers are those of our engine, which has all
 * scenarios; the reference has those that use no extension of ours, and is asked by name.
 */

#include "ScenarioKit/ScenarioKit.h"

#include <stddef.h>
#include <string.h>

typedef const struct scenario *listed;

extern const listed __start_rl_scenarios[], __stop_rl_scenarios[];

/* Both null in builds without the reference. */
extern const listed __start_cf_scenarios[] __attribute__((weak));
extern const listed __stop_cf_scenarios[] __attribute__((weak));

static const struct scenario *in_reference(const char *name)
{
    for (const listed *each = __start_cf_scenarios; each < __stop_cf_scenarios; each++) {
        if (!(*each)->rl_only && strcmp((*each)->name, name) == 0) return *each;
    }
    return NULL;
}

int scenario_count(void)
{
    return (int)(__stop_rl_scenarios - __start_rl_scenarios);
}

const struct scenario *scenario_at(enum scenario_engine engine, int number)
{
    if (number < 0 || number >= scenario_count()) return NULL;

    const struct scenario *scenario = __start_rl_scenarios[number];
    return engine == scenario_engine_rl ? scenario : in_reference(scenario->name);
}

int scenario_number(const char *name)
{
    int count = scenario_count();

    for (int number = 0; number < count; number++) {
        if (strcmp(scenario_at(scenario_engine_rl, number)->name, name) == 0) return number;
    }
    return -1;
}

bool scenario_is_comparable(enum scenario_engine engine, int number)
{
    const struct scenario *scenario = scenario_at(scenario_engine_rl, number);

    if (scenario == NULL) return false;
    if (engine == scenario_engine_rl) return true;
    if (__start_cf_scenarios == __stop_cf_scenarios || scenario->rl_only) return false;
    return scenario->deviation == NULL || scenario->reference != NULL;
}

const char *scenario_expected(enum scenario_engine engine, int number)
{
    const struct scenario *scenario = scenario_at(scenario_engine_rl, number);

    if (engine == scenario_engine_cf && scenario->deviation != NULL) return scenario->reference;
    return scenario->expected ? scenario->expected : "";
}
