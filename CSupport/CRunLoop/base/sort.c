#include "base/sort.h"

#include <stdlib.h>

struct order {
    RLComparatorFunction compare;
    void *context;
};

static void merge_neighbors(const void *const *values, size_t left, size_t right,
                            const void **result, const struct order *order)
{
    size_t i = 0, j = left, end = left + right;
    while (i < left && j < end) {
        bool is_right_smaller = order->compare(values[j], values[i], order->context) < 0;
        *result++ = is_right_smaller ? values[j++] : values[i++];
    }
    while (i < left) *result++ = values[i++];
    while (j < end) *result++ = values[j++];
}

void rl_sort(const void **values, size_t count, RLComparatorFunction compare, void *context)
{
    struct order order = {compare, context};
    const void **from = values, **to = rl_allocate_list(count, sizeof values[0]);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t rest = count - start;
            size_t left = rest < width ? rest : width;
            size_t right = rest - left < width ? rest - left : width;
            merge_neighbors(from + start, left, right, to + start, &order);
        }
        const void **sorted = to;
        to = from;
        from = sorted;
    }
    if (from != values) memcpy(values, from, count * sizeof values[0]);
    free(from == values ? to : from);
}
