/*
 * The blocks of a loop, as data. block.h has the functions.
 */

#ifndef RL_BLOCK_QUEUE_H
#define RL_BLOCK_QUEUE_H

#include <bsd/sys/queue.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct rl_block;

STAILQ_HEAD(rl_block_list, rl_block);

/*
 * Incoming blocks, which are not in the queue yet: a lock-free stack, the newest on top. Any thread
 * may push. The loop takes only the whole stack.
 */
typedef _Atomic(struct rl_block *) rl_block_stack;

/* The stack of a loop that refuses blocks. */
#define RL_BLOCKS_ARE_REFUSED ((struct rl_block *)(void *)1)

/* Guarded by the loop's lock. */
struct rl_block_queue {
    struct rl_block_list list;
    size_t count;
    /*
     * The blocks of the drains under way, those of nested drains in front. A block leaves the list
     * when it has run or, if it did not fit, at the end of its drain. For the loop's thread.
     */
    struct rl_block_list detached;
    /* The number of blocks for the common modes. Each mode counts the blocks that name it. */
    atomic_size_t pending_common;
};

/* Returns the newest incoming block, or null. */
static inline struct rl_block *rl_block_stack_top(const rl_block_stack *incoming)
{
    struct rl_block *top = atomic_load(incoming);
    return top == RL_BLOCKS_ARE_REFUSED ? NULL : top;
}

static inline void rl_block_queue_init(struct rl_block_queue *queue)
{
    STAILQ_INIT(&queue->list);
    STAILQ_INIT(&queue->detached);
}

/* For a loop that no other thread can reach. */
static inline bool rl_block_queue_is_empty(const struct rl_block_queue *queue,
                                           const rl_block_stack *incoming)
{
    return !rl_block_stack_top(incoming) && STAILQ_EMPTY(&queue->list) &&
           STAILQ_EMPTY(&queue->detached);
}

#endif
