/*
 * The held stack. A round of callbacks first retains all objects that it is about to call, so a
 * callback cannot destroy an object that the round has not called yet. Each round uses a stretch of
 * the loop's stack; a nested round pushes its stretch on top.
 *
 * Passes reuse the memory, so a pass allocates nothing. If a callback calls pthread_exit, the end
 * of the thread releases the references that are still on the stack. Only the loop's thread uses
 * the stack, so there is no lock.
 */

#ifndef RL_HELD_H
#define RL_HELD_H

#include "base/object.h"

struct rl_held_stack {
    struct rl_object **objects;
    size_t count;
    size_t capacity;
};

struct rl_held {
    size_t first;
    size_t count;
};

void rl_held_grow(struct rl_held_stack *stack, size_t most);

static inline void rl_held_reserve(struct rl_held_stack *stack, size_t most)
{
    if (RL_UNLIKELY(stack->capacity - stack->count < most)) rl_held_grow(stack, most);
}

static inline size_t rl_held_space(const struct rl_held_stack *stack)
{
    return stack->capacity - stack->count;
}

/* Begins a stretch for up to `most` objects. Allocates only if the stack is full. */
static inline struct rl_held rl_held_begin(struct rl_held_stack *stack, size_t most)
{
    rl_held_reserve(stack, most);
    return (struct rl_held){.first = stack->count};
}

/* Adds the object as a stretch of its own, and takes over the caller's reference to it. */
static inline struct rl_held rl_held_take_over(struct rl_held_stack *stack, void *object)
{
    rl_held_reserve(stack, 1);
    stack->objects[stack->count++] = object;
    return (struct rl_held){.first = stack->count - 1, .count = 1};
}

static inline void rl_held_add(struct rl_held_stack *stack, struct rl_held *held, void *object)
{
    RL_ASSERT(stack->count < stack->capacity);
    rl_object_retain(object);
    stack->objects[stack->count++] = object;
    held->count++;
}

/* Sorts the stretch like qsort(3): the comparator receives pointers to elements. */
void rl_held_sort(struct rl_held_stack *stack, const struct rl_held *held,
                  int (*compare)(const void *, const void *));

/* Returns a borrowed object, valid until rl_held_end, even if a nested round moves the stack. */
static inline void *rl_held_at(const struct rl_held_stack *stack, const struct rl_held *held,
                               size_t index)
{
    return stack->objects[held->first + index];
}

/* Releases an object before its stretch ends, so the object does not outlive its callback. */
void rl_held_release(struct rl_held_stack *stack, const struct rl_held *held, size_t index);

/* The stretch must be the topmost. */
void rl_held_end(struct rl_held_stack *stack, const struct rl_held *held);

/* Ends all stretches and frees the memory. */
void rl_held_clear(struct rl_held_stack *stack);

#endif
