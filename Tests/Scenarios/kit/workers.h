/*
 * Several processes that check things at once: most scenarios wait most of the time.
 */

#ifndef SCENARIOKIT_WORKERS_H
#define SCENARIOKIT_WORKERS_H

#include <stdbool.h>

/**
 * Checks each of `count` things in a child of this process, which must not have used an engine nor
 * other threads; prints how many passed.
 *
 * - Returns: The exit status. A worker that fails or dies counts as a failure.
 */
int check_in_workers(int count, bool (^check)(int index));

#endif
