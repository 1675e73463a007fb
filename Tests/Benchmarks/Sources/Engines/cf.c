/*
 * The CFRunLoop of the Swift toolchain, which is in libFoundation and has no headers.
 */

#include "../../../Support/ScenarioKit/cf_oracle.h"

#define NAME(name) CF##name
#define CONSTANT(name) kCF##name
#define ENGINE engine_cf
#define RING ring_in_two

#include "runloop.engine.h"

void cf_wake_up(void *loop)
{
    CFRunLoopWakeUp(loop);
}
