#ifndef RL_BLOCK_QUEUE_H
#define RL_BLOCK_QUEUE_H

#include <bsd/sys/queue.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct rl_block;

STAILQ_HEAD(rl_block_list, rl_block);

/* A lock-free stack of incoming blocks. Pushing is thread-safe; the loop takes the whole stack. */
typedef _Atomic(struct rl_block *) rl_block_stack;

/* The value of the stack while the loop is closed for blocks. */
#define RL_BLOCKS_ARE_REFUSED ((struct rl_block *)(void *)1)

/* The loop's lock guards the queue. */
struct rl_block_queue {
    struct rl_block_list list;
    size_t count;
    /*
     * The blocks of the current drains; the blocks of a nested drain are in front. A block leaves
     * this list when it has run or, if it does not fit the mode, when its drain ends. Only the
     * loop's thread uses this list.
     */
    struct rl_block_list detached;
    /* The number of queued blocks for the common modes. A mode counts the blocks that name it. */
    atomic_size_t pending_common;
};

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

/* Call this only if no other thread can use the loop. */
static inline bool rl_block_queue_is_empty(const struct rl_block_queue *queue,
                                           const rl_block_stack *incoming)
{
    return !rl_block_stack_top(incoming) && STAILQ_EMPTY(&queue->list) &&
           STAILQ_EMPTY(&queue->detached);
}

#endif
