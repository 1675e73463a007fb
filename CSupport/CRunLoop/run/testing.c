/*
 * What RLTesting.h declares, except for the clocks of test_clock.c and advance.c, and the hooks of
 * clock.c and host_lookup.c.
 */

#include "base/hint.h"
#include "loop/block.h"
#include "loop/describe.h"
#include "loop/loop.h"
#include "loop/mode.h"

#include <CRunLoop/RLTesting.h>

#include <stdlib.h>

static RLStringRef describe_block(const struct rl_block_state *block)
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
    struct rl_block_state *blocks = rl_block_copy_states(rl_loop_checked(loop, __func__), &count);
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

/* --- Hooks of the engine's own tests ------------------------------------------------------------
 */

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

void RLTestingSetHints(Boolean areWanted)
{
    rl_hint_switch(areWanted);
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
    rl_hint_set_handler(handler);
}

#else

void RLTestingSetHints(Boolean areWanted)
{
    (void)areWanted;
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
    (void)handler;
}

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
