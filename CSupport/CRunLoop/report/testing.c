#include "loop/block.h"
#include "loop/block_entry.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "report/describe.h"

#include <CRunLoop/RLTesting.h>

#include <stdlib.h>

/* `mode` is the first mode, or null for a block of the common modes only. */
struct block_copy {
    const void *function;
    const struct rl_mode *mode;
    size_t mode_count;
};

static struct block_copy copy_block(const struct rl_block *block)
{
    return (struct block_copy){
        .function = rl_block_entry_function_of(block),
        .mode = block->mode_count > 0 ? rl_block_modes(block)[0] : NULL,
        .mode_count = block->mode_count + block->fits_common_modes,
    };
}

/* Skips the blocks that a drain has already taken. The caller frees the array. */
static struct block_copy *copy_blocks(struct rl_loop *loop, size_t *ret_count)
{
    const struct rl_block *block;
    rl_lock(&loop->lock);
    /* Only the loop's thread may move these blocks: see rl_block_is_pending_locked. */
    const struct rl_block *top = rl_block_stack_top(&loop->incoming_blocks);
    size_t count = loop->blocks.count;
    for (block = top; block; block = STAILQ_NEXT(block, link)) count++;
    struct block_copy *copies = rl_allocate_list(count, sizeof copies[0]);
    size_t index = 0;
    STAILQ_FOREACH(block, &loop->blocks.list, link) copies[index++] = copy_block(block);
    index = count;
    for (block = top; block; block = STAILQ_NEXT(block, link)) copies[--index] = copy_block(block);
    rl_unlock(&loop->lock);
    *ret_count = count;
    return copies;
}

static RLStringRef describe_block(const struct block_copy *block)
{
    struct rl_text text = {0};
    rl_text_add(&text, "closure in mode ");
    RLStringRef mode = block->mode ? block->mode->name : kRLRunLoopCommonModes;
    rl_text_add_string(&text, (RLStringRef)RLRetain(mode));
    if (block->mode_count > 1) rl_text_add(&text, " and %zu more", block->mode_count - 1);
    rl_text_add(&text, ", queued and not called: ");
    rl_describe_callout(&text, block->function);
    return rl_text_finish(&text);
}

RLArrayRef RLTestingCopyBlocks(RLRunLoopRef loop)
{
    size_t count;
    struct block_copy *blocks = copy_blocks(rl_loop_checked(loop, __func__), &count);
    RLMutableArrayRef lines =
        RLArrayCreateMutable(kRLAllocatorDefault, (RLIndex)count, &kRLTypeArrayCallBacks);
    for (size_t i = 0; i < count; i++) {
        RLStringRef line = describe_block(&blocks[i]);
        RLArrayAppendValue(lines, line);
        RLRelease(line);
    }
    free(blocks);
    return lines;
}

/* --- Hooks of the engine's own tests ---------------------------------------------------------- */

#if defined(RL_TESTING)

Boolean RLTestingIsAvailable(void)
{
    return true;
}

void RLTestingVerifyLoop(RLRunLoopRef loop)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_lock(&self->lock);
    rl_mode_verify(&self->common_items);
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &self->modes, link) {
        rl_mode_verify(mode);
    }
    rl_unlock(&self->lock);
}

#else

Boolean RLTestingIsAvailable(void)
{
    return false;
}

void RLTestingSetBeforeLookup(void (*function)(void))
{
    (void)function;
}

void RLTestingSetFirstAddress(const char *address)
{
    (void)address;
}

void RLTestingVerifyLoop(RLRunLoopRef loop)
{
    (void)loop;
}

#endif
