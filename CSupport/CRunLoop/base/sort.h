/*
 * Sorting of pointers.
 */

#ifndef RL_SORT_H
#define RL_SORT_H

#include "base/object.h"

/*
 * Sorts `count` pointers; equal ones keep their order. A comparator that contradicts itself gives
 * some order of the same pointers.
 */
void rl_sort(const void **values, size_t count, RLComparatorFunction compare, void *context);

#endif
