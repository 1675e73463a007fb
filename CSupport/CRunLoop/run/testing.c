/*
 * What RLTesting.h declares, beside the clocks of test_clock.c, and the hooks of clock.c and
 * host_lookup.c.
 */

#include "base/hint.h"
#include "loop/block.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

RLIndex RLTestingCountBlocks(RLRunLoopRef loop)
{
    return (RLIndex)rl_block_count(rl_loop_checked(loop, __func__));
}

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
#if RL_HAS_HINTS
    rl_hint_switch(areWanted);
#else
    (void)areWanted;
#endif
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
#if RL_HAS_HINTS
    rl_hint_set_handler(handler);
#else
    (void)handler;
#endif
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
