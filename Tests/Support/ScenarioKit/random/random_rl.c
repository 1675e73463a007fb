/*
 * Random programs on our engine.
 */

#include "random.interpreter.h"

char *random_trace_rl(unsigned long seed, double limit)
{
    seed_of_body = seed;
    limit_of_body = limit;
    return lab_run(random_body, NULL);
}
