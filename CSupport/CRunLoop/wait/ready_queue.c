/*
 * The memory of the queue.
 */

#include "wait/ready_queue.h"

#include "base/object.h"

#include <string.h>

/* Moves what is left to the front, and doubles a queue that is full of it. */
static struct rl_ready_queue *make_room(struct rl_ready_queue *queue)
{
    enum { LEAST = 64 };
    if (!queue) {
        queue = rl_allocate(sizeof *queue + LEAST * sizeof queue->payloads[0]);
        queue->capacity = LEAST;
        return queue;
    }
    uint32_t left = queue->count - queue->first;
    memmove(queue->payloads, &queue->payloads[queue->first], left * sizeof queue->payloads[0]);
    queue->first = 0;
    queue->count = left;
    if (left * 2 <= queue->capacity) return queue;
    uint32_t capacity = queue->capacity * 2;
    queue = rl_reallocate(queue, sizeof *queue + capacity * sizeof queue->payloads[0]);
    queue->capacity = capacity;
    return queue;
}

void rl_ready_queue_push(struct rl_ready_queue **queue, uint64_t payload)
{
    if (!*queue || (*queue)->count == (*queue)->capacity) *queue = make_room(*queue);
    (*queue)->payloads[(*queue)->count++] = payload;
}
