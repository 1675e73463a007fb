/*
 * Random programs on our engine.
 */

#include "random.interpreter.h"

char *random_trace_rl(unsigned long seed)
{
    seed_of_body = seed;
    return lab_run(random_body);
}
