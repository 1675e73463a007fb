
#ifndef RL_SORT_H
#define RL_SORT_H

#include "base/object.h"

/* A stable sort of `count` pointers. An inconsistent comparator results in some permutation. */
void rl_sort(const void **values, size_t count, RLComparatorFunction compare, void *context);

#endif
