/*
 * Limits the tests of Swift that run at once.
 *
 * By default Swift Testing begins all of them, on a thread for each processor: their time limits
 * go while they wait for a thread.
 */

#include <stdlib.h>

__attribute__((constructor)) static void limit_parallel_tests(void)
{
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
