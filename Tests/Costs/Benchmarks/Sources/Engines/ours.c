/*
 * This package's C engine.
 */

#include <CRunLoop/CRunLoop.h>

#define ENGINE engine_ours

/* CF has no such things. */
#define LOOK_BEFORE_SLEEPING look_before_sleeping
#define COUNT_ITEMS count_items

static void ring(void *loop, void *bell)
{
    RLRunLoopSourceSignalAndWakeUp(bell, loop);
}

static void look_before_sleeping(void *loop, double seconds)
{
    RLRunLoopSetBusyPollInterval(loop, seconds);
}

static size_t count_items(void *loop)
{
    RLIndex count = 0;
    for (RLRunLoopItemKind kind = kRLRunLoopItemSource0; kind <= kRLRunLoopItemTimer; kind++) {
        count += RLRunLoopCountItems(loop, kRLRunLoopDefaultMode, kind);
    }
    return (size_t)count;
}

#include "runloop.engine.h"
