/*
 * Queues blocks for a loop, and runs them. Guarded by the loop's lock, except where documented.
 */

#ifndef RL_BLOCK_H
#define RL_BLOCK_H

#include "loop/block_queue.h"

#include <stdint.h>

struct rl_loop;
struct rl_mode;

/* Queues a block, or discards it if the loop refuses blocks. No lock. */
void rl_block_push(struct rl_loop *loop, struct rl_block *block);

bool rl_block_fits(const struct rl_block *block, const struct rl_mode *mode);

/*
 * Return whether a block would run in the mode: the first with the loop locked, the second without
 * a lock.
 */
bool rl_block_is_pending_locked(const struct rl_mode *mode);
bool rl_block_is_pending(const struct rl_mode *mode);

/*
 * Returns whether a block that another thread has queued would run in the mode. For the loop's
 * thread, with no lock held.
 */
bool rl_block_has_come_from_elsewhere(const struct rl_mode *mode);

/* Runs the blocks that fit the mode, in order (BLK-7). No locks held. */
void rl_block_drain(struct rl_mode *mode);

/*
 * Make the loop refuse blocks, which are then released at once, and accept them again. With the
 * loop locked.
 */
void rl_block_close(struct rl_loop *loop);
void rl_block_reopen(struct rl_loop *loop);

/*
 * Move all blocks to an empty list, so that none of them runs, and release the blocks of such a
 * list.
 */
void rl_block_take_all(struct rl_loop *loop, struct rl_block_list *list);
void rl_block_discard(struct rl_block_list *list);

#endif
