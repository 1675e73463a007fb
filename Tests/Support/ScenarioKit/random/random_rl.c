/*
 * Random programs on our engine.
 */

#include "lab.h"
#include "random.interpreter.h"

char *random_trace_rl(unsigned long seed, double limit, bool is_on_main)
{
    seed_of_body = seed;
    limit_of_body = limit;
    is_body_on_main = is_on_main;
    return is_on_main ? lab_run_here(random_body, NULL) : lab_run(random_body, NULL);
}
