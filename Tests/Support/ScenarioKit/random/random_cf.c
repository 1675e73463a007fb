/*
 * Random programs on the reference.
 */

#if !defined(SCENARIO_WITHOUT_CF)

#define ENGINE_IS_CF

#include "random.interpreter.h"

char *random_trace_cf(unsigned long seed, double limit)
{
    seed_of_body = seed;
    limit_of_body = limit;
    return lab_run(random_body, NULL);
}

#endif
