/* The blocks of a loop. The loop's lock guards the queue, except where documented. */

#ifndef RL_BLOCK_H
#define RL_BLOCK_H

#include "loop/block_queue.h"

#include <stdint.h>

struct rl_loop;
struct rl_mode;

/* Releases the block if the loop is closed for blocks. Takes no lock. */
void rl_block_push(struct rl_loop *loop, struct rl_block *block);

bool rl_block_fits(const struct rl_block *block, const struct rl_mode *mode);

/* Call rl_block_is_pending_locked with the loop locked, rl_block_is_pending without a lock. */
bool rl_block_is_pending_locked(const struct rl_mode *mode);
bool rl_block_is_pending(const struct rl_mode *mode);

/*
 * Returns true if the mode would run a block that another thread has queued. Call this on the
 * loop's thread, without a lock.
 */
bool rl_block_has_come_from_elsewhere(const struct rl_mode *mode);

/* Runs the blocks that fit the mode, in order (BLK-7). Call this without a lock. */
void rl_block_drain(struct rl_mode *mode);

/* After rl_block_close, new blocks are released at once. Call these with the loop locked. */
void rl_block_close(struct rl_loop *loop);
void rl_block_reopen(struct rl_loop *loop);

/* Moves all blocks to an empty list, so that they do not run. rl_block_discard releases them. */
void rl_block_take_all(struct rl_loop *loop, struct rl_block_list *list);
void rl_block_discard(struct rl_block_list *list);

#endif
