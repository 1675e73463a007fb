/*
 * The queue of blocks of a loop, without those that have just come. Guarded by the loop's lock.
 */

#ifndef RL_BLOCK_H
#define RL_BLOCK_H

#include <CRunLoop/RLRunLoop.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>
#include <stdbool.h>

struct rl_loop;
struct rl_mode;

STAILQ_HEAD(rl_block_list, rl_block);

struct rl_block_queue {
    struct rl_block_list list;
    /* How many are in the list; those that have come are not counted. */
    size_t count;
    /*
     * What drains have taken out, nested ones in front. A block leaves it when it has run; those
     * that did not fit leave it at the end of their drain. Only the loop's thread uses it.
     */
    struct rl_block_list detached;
    /* How many of them wait for any common mode; the modes count those that name them. */
    atomic_size_t pending_common;
};

/* Whether a block would run in the mode; with the loop locked, and with no lock. */
bool rl_block_is_pending_locked(const struct rl_mode *mode);
bool rl_block_is_pending(const struct rl_mode *mode);

/* Whether one that another thread has queued would run in the mode. For the loop's thread. */
bool rl_block_has_come_from_elsewhere(const struct rl_mode *mode);

/* Runs the blocks that fit the mode, in order (BLK-7). No locks held. */
void rl_block_drain(struct rl_mode *mode);

void rl_block_queue_init(struct rl_block_queue *queue);

/*
 * Refuses all blocks from now on, which are released at once, and takes them again. With the loop
 * locked.
 */
void rl_block_close(struct rl_loop *loop);
void rl_block_reopen(struct rl_loop *loop);

/* Moves all blocks to an empty list, so that none of them runs; and releases those of a list. */
void rl_block_take_all(struct rl_loop *loop, struct rl_block_list *list);
void rl_block_discard(struct rl_block_list *list);

/* Whether there is no block in the queue of a loop that nobody else has. */
bool rl_block_queue_is_empty(const struct rl_loop *loop);

#endif
