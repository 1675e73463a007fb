/*
 * This package's C engine.
 */

#include <CRunLoop/CRunLoop.h>

#define NAME(name) RL##name
#define CONSTANT(name) kRL##name
#define ENGINE engine_ours

/* CF has no such things. */
#define RING ring
#define LOOK_BEFORE_SLEEPING look_before_sleeping

static void ring(void *loop, void *bell)
{
    RLRunLoopSourceSignalAndWakeUp(bell, loop);
}

static void look_before_sleeping(void *loop, double seconds)
{
    RLRunLoopSetBusyPollInterval(loop, seconds);
}

#include "runloop.engine.h"
