#include "base/held.h"

#include <stdlib.h>

void rl_held_grow(struct rl_held_stack *stack, size_t most)
{
    stack->capacity = (stack->count + most) * 2;
    stack->objects = rl_reallocate(stack->objects, stack->capacity * sizeof stack->objects[0]);
}

void rl_held_sort(struct rl_held_stack *stack, const struct rl_held *held,
                  int (*compare)(const void *, const void *))
{
    if (held->count < 2) return;
    qsort(&stack->objects[held->first], held->count, sizeof stack->objects[0], compare);
}

void rl_held_release(struct rl_held_stack *stack, const struct rl_held *held, size_t index)
{
    struct rl_object *object = stack->objects[held->first + index];
    stack->objects[held->first + index] = NULL;
    rl_object_release(object);
}

void rl_held_end(struct rl_held_stack *stack, const struct rl_held *held)
{
    for (size_t i = 0; i < held->count; i++) {
        if (stack->objects[held->first + i]) rl_held_release(stack, held, i);
    }
    if (held->count > 0) stack->count = held->first;
}

void rl_held_clear(struct rl_held_stack *stack)
{
    struct rl_held all = {.count = stack->count};
    rl_held_end(stack, &all);
    free(stack->objects);
    *stack = (struct rl_held_stack){0};
}
