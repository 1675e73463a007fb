/*
 * The CFRunLoop of the Swift toolchain, which is in libFoundation: our declarations
 * with its symbols.
 */

#include "../../../../Scenarios/kit/reference.h"

#include <CRunLoop/CRunLoop.h>

#define ENGINE engine_cf

static void ring(void *loop, void *bell)
{
    RLRunLoopSourceSignal(bell);
    RLRunLoopWakeUp(loop);
}

#include "runloop.engine.h"
