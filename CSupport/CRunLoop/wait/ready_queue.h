/*
 * What the kernel has told of a wait set and nobody has served yet, in the kernel's order.
 *
 * A pass serves one event. The kernel gives many at a time, and the others wait here, as they would
 * in its own list: in front of all that it will tell later. Only the loop's thread uses a queue.
 */

#ifndef RL_READY_QUEUE_H
#define RL_READY_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* One piece of memory, made when there is something to keep. */
struct rl_ready_queue {
    /* What is left: from the first on, up to the count. */
    uint32_t first, count, capacity;
    /* The timer port is among them. */
    bool has_timer;
    uint64_t payloads[];
};

static inline bool rl_ready_queue_is_empty(const struct rl_ready_queue *queue)
{
    return !queue || queue->first == queue->count;
}

/* Takes the first one out of a queue that is not empty. */
static inline uint64_t rl_ready_queue_pop(struct rl_ready_queue *queue)
{
    return queue->payloads[queue->first++];
}

static inline void rl_ready_queue_clear(struct rl_ready_queue *queue)
{
    if (!queue) return;
    queue->first = queue->count = 0;
    queue->has_timer = false;
}

/* Appends to a queue, which may move, or makes one of null. */
void rl_ready_queue_push(struct rl_ready_queue **queue, uint64_t payload);

#endif
