/*
 * What RLTesting.h declares, beside the stopped clock of clock.c and the hooks of host_lookup.c.
 */

#include "base/clock.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

#if defined(RL_TESTING)

Boolean RLTestingIsAvailable(void)
{
    return true;
}

SInt64 RLTestingGetClock(void)
{
    return rl_clock_now_ns();
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

void RLTestingSetClock(SInt64 nanoseconds)
{
    (void)nanoseconds;
}

void RLTestingAdvanceClock(SInt64 nanoseconds)
{
    (void)nanoseconds;
}

void RLTestingUseRealClock(void)
{
}

void RLTestingStepWallClock(SInt64 nanoseconds)
{
    (void)nanoseconds;
}

SInt64 RLTestingGetClock(void)
{
    return 0;
}

void RLTestingVerifyLoop(RLRunLoopRef loop)
{
    (void)loop;
}

#endif
