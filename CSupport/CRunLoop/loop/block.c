/*
 * Clients push blocks onto a lock-free stack. The loop's thread takes the whole stack at once, with
 * the loop locked, and reverses it. No thread pops a single block, so there is no ABA problem: a
 * new block at the address of a freed block is harmless.
 */

#include "loop/block.h"

#include "loop/block_entry.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/pass_callout.h"

#include <stdlib.h>

static void count_pending(struct rl_loop *loop, const struct rl_block *block)
{
    loop->blocks.count++;
    if (block->fits_common_modes) loop->blocks.pending_common++;
    struct rl_mode *const *modes = rl_block_modes(block);
    for (size_t i = 0; i < block->mode_count; i++) modes[i]->pending_blocks++;
}

/* Resets the counts of a queue from which all blocks are about to be removed. */
static void count_none(struct rl_loop *loop)
{
    loop->blocks.count = 0;
    if (loop->blocks.pending_common > 0) loop->blocks.pending_common = 0;
    const struct rl_block *block;
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        struct rl_mode *const *modes = rl_block_modes(block);
        for (size_t i = 0; i < block->mode_count; i++) {
            if (modes[i]->pending_blocks > 0) modes[i]->pending_blocks = 0;
        }
    }
}

static void discard_block(struct rl_block *block)
{
    const struct rl_block_call *call = &block->storage.call;
    if (block->body) {
        rl_block_entry_release_body(block);
    } else if (call->release) {
        rl_callout_release(call->release, rl_block_entry_info_of(block));
    }
    if (block->has_list) free(block->modes.list);
    rl_block_entry_give_back(block);
}

void rl_block_push(struct rl_loop *loop, struct rl_block *block)
{
    rl_block_stack *incoming = &loop->incoming_blocks;
    struct rl_block *top = atomic_load_explicit(incoming, memory_order_relaxed);
    rl_hint_set_moment(&block->queued);
    do {
        if (top == RL_BLOCKS_ARE_REFUSED) {
            discard_block(block);
            return;
        }
        STAILQ_NEXT(block, link) = top;
    } while (!atomic_compare_exchange_weak(incoming, &top, block));
    rl_loop_call_host(loop);
}

static size_t take_incoming(struct rl_loop *loop, struct rl_block_list *list)
{
    if (!rl_block_stack_top(&loop->incoming_blocks)) return 0;
    size_t taken = 0;
    struct rl_block *block = atomic_exchange(&loop->incoming_blocks, NULL);
    while (block) {
        struct rl_block *earlier = STAILQ_NEXT(block, link);
        STAILQ_INSERT_HEAD(list, block, link);
        block = earlier;
        taken++;
    }
    return taken;
}

bool rl_block_fits(const struct rl_block *block, const struct rl_mode *mode)
{
    return rl_block_names(block, mode) || (block->fits_common_modes && mode->is_common);
}

/* Call this on the loop's thread with the loop locked. */
static void accept_incoming(struct rl_loop *loop)
{
    struct rl_block_list list = STAILQ_HEAD_INITIALIZER(list);
    take_incoming(loop, &list);
    const struct rl_block *block;
    STAILQ_FOREACH(block, &list, link) count_pending(loop, block);
    STAILQ_CONCAT(&loop->blocks.list, &list);
}

/* Call this with the loop locked, so that no block is removed during the search. */
static bool fits_incoming(const struct rl_mode *mode)
{
    const struct rl_block *block = rl_block_stack_top(&mode->loop->incoming_blocks);
    while (block && !rl_block_fits(block, mode)) block = STAILQ_NEXT(block, link);
    return block != NULL;
}

bool rl_block_is_pending_locked(const struct rl_mode *mode)
{
    /*
     * The loop's thread checks the stack and the queue without the lock. So only this thread may
     * move blocks from the stack to the queue.
     */
    if (!rl_loop_is_current(mode->loop)) return rl_loop_counts_blocks(mode) || fits_incoming(mode);
    accept_incoming(mode->loop);
    return rl_loop_counts_blocks(mode);
}

bool rl_block_is_pending(const struct rl_mode *mode)
{
    if (!rl_loop_may_have_blocks(mode)) return false;
    rl_lock(&mode->loop->lock);
    bool is_pending = rl_block_is_pending_locked(mode);
    rl_unlock(&mode->loop->lock);
    return is_pending;
}

static void prepend_blocks(struct rl_block_list *list, struct rl_block_list *front)
{
    STAILQ_CONCAT(front, list);
    STAILQ_CONCAT(list, front);
}

bool rl_block_has_come_from_elsewhere(const struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (!rl_loop_may_have_blocks(mode)) return false;
    bool has_come = false;
    rl_lock(&loop->lock);
    accept_incoming(loop);
    const struct rl_block *block;
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        has_come |= block->is_foreign && rl_block_fits(block, mode);
    }
    rl_unlock(&loop->lock);
    return has_come;
}

/* While the blocks run, clients do not see them (BLK-9). Returns the number of blocks. */
static size_t detach_queue(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (!rl_loop_may_have_blocks(mode)) return 0;
    struct rl_block_list all = STAILQ_HEAD_INITIALIZER(all);
    size_t taken = 0;
    rl_lock(&loop->lock);
    if (STAILQ_EMPTY(&loop->blocks.list)) {
        /* Most blocks run at once. A block that does not fit is counted when it is put back. */
        taken = take_incoming(loop, &all);
    } else if (rl_block_is_pending_locked(mode)) {
        taken = loop->blocks.count;
        count_none(loop);
        STAILQ_CONCAT(&all, &loop->blocks.list);
    }
    rl_unlock(&loop->lock);
    prepend_blocks(&loop->blocks.detached, &all);
    return taken;
}

/* The blocks that did not fit go ahead of blocks that were queued during the drain. */
static void put_back_waiting(struct rl_loop *loop, size_t waiting_count)
{
    if (waiting_count == 0) return;
    struct rl_block_list waiting = STAILQ_HEAD_INITIALIZER(waiting);
    rl_lock(&loop->lock);
    for (size_t i = 0; i < waiting_count; i++) {
        struct rl_block *block = STAILQ_FIRST(&loop->blocks.detached);
        STAILQ_REMOVE_HEAD(&loop->blocks.detached, link);
        STAILQ_INSERT_TAIL(&waiting, block, link);
        count_pending(loop, block);
    }
    prepend_blocks(&loop->blocks.list, &waiting);
    rl_unlock(&loop->lock);
}

/*
 * Removes the block after `previous`, or the first block if `previous` is null. Nested drains have
 * ended, so no block of a nested drain is in front.
 */
static void take_out_after(struct rl_block_list *list, struct rl_block *previous)
{
    if (previous) {
        STAILQ_REMOVE_AFTER(list, previous, link);
    } else {
        STAILQ_REMOVE_HEAD(list, link);
    }
}

void rl_block_drain(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    struct rl_block_list *detached = &loop->blocks.detached;
    size_t waiting_count = 0;
    struct rl_block *previous = NULL;
    for (size_t left = detach_queue(mode); left > 0; left--) {
        struct rl_block *block = previous ? STAILQ_NEXT(previous, link) : STAILQ_FIRST(detached);
        /* An earlier block of the queue may have made the mode common, so the check is repeated. */
        if (!rl_block_fits(block, mode)) {
            previous = block;
            waiting_count++;
            continue;
        }
        rl_callout_block(loop, block);
        take_out_after(detached, previous);
        discard_block(block);
    }
    put_back_waiting(loop, waiting_count);
}

void rl_block_close(struct rl_loop *loop)
{
    struct rl_block *none;
    do {
        accept_incoming(loop);
        none = NULL;
    } while (!atomic_compare_exchange_strong(&loop->incoming_blocks, &none, RL_BLOCKS_ARE_REFUSED));
}

void rl_block_reopen(struct rl_loop *loop)
{
    struct rl_block *expected = RL_BLOCKS_ARE_REFUSED;
    atomic_compare_exchange_strong(&loop->incoming_blocks, &expected, NULL);
}

void rl_block_take_all(struct rl_loop *loop, struct rl_block_list *list)
{
    rl_lock(&loop->lock);
    accept_incoming(loop);
    count_none(loop);
    STAILQ_CONCAT(list, &loop->blocks.detached);
    STAILQ_CONCAT(list, &loop->blocks.list);
    rl_unlock(&loop->lock);
}

void rl_block_discard(struct rl_block_list *list)
{
    struct rl_block *block;
    while ((block = STAILQ_FIRST(list))) {
        STAILQ_REMOVE_HEAD(list, link);
        discard_block(block);
    }
}
