/*
 * Finds scenarios. The numbers are those of our engine, which has all of them; the reference has
 * those that use no extension of ours, and is asked by name.
 */

#include "registry.h"

#include <stddef.h>
#include <string.h>

typedef const struct scenario *const *const *family_list;

static family_list families_of(enum scenario_engine engine)
{
#if !defined(SCENARIO_WITHOUT_CF)
    if (engine == scenario_engine_cf) return families_of_cf();
#endif
    return engine == scenario_engine_rl ? families_of_rl() : NULL;
}

static const struct scenario *named(family_list families, const char *name)
{
    for (family_list family = families; family != NULL && *family != NULL; family++) {
        for (const struct scenario *const *each = *family; *each != NULL; each++) {
            if (strcmp((*each)->name, name) == 0) return *each;
        }
    }
    return NULL;
}

int scenario_count(void)
{
    int count = 0;

    for (family_list family = families_of_rl(); *family != NULL; family++) {
        for (const struct scenario *const *each = *family; *each != NULL; each++) count++;
    }
    return count;
}

const struct scenario *scenario_at(enum scenario_engine engine, int number)
{
    int count = 0;

    for (family_list family = families_of_rl(); *family != NULL; family++) {
        for (const struct scenario *const *each = *family; *each != NULL; each++) {
            if (count++ != number) continue;
            return engine == scenario_engine_rl ? *each : named(families_of(engine), (*each)->name);
        }
    }
    return NULL;
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
    const struct scenario *scenario = scenario_at(engine, number);

    if (scenario == NULL) return false;
    if (engine == scenario_engine_rl) return true;
    return scenario->deviation == NULL || scenario->reference != NULL;
}

const char *scenario_expected(enum scenario_engine engine, int number)
{
    const struct scenario *scenario = scenario_at(engine, number);

    if (engine == scenario_engine_cf && scenario->deviation != NULL) return scenario->reference;
    return scenario->expected;
}
