#ifndef RL_SORT_H
#define RL_SORT_H

#include "base/object.h"

/* Stable. If the comparator is inconsistent, the order is unspecified, but no pointer is lost. */
void rl_sort(const void **values, size_t count, RLComparatorFunction compare, void *context);

#endif
