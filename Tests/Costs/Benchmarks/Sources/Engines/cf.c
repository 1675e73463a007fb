/*
 * The CFRunLoop of the Swift toolchain, which is in libFoundation: our declarations
 * with its symbols.
 */

#include "../../../../Scenarios/kit/reference.h"

#include <CRunLoop/CRunLoop.h>

#define ENGINE engine_cf
#define RING ring_in_two

#include "runloop.engine.h"

void cf_wake_up(void *loop)
{
    RLRunLoopWakeUp(loop);
}
