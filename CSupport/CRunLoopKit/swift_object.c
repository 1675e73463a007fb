/*
 * Objects of Swift's, by the functions of its runtime, whose names and types are part of its ABI.
 */

#include <CRunLoopKit.h>

void *swift_tryRetain(void *object);

Boolean RLTryRetainSwiftObject(void *object)
{
    return swift_tryRetain(object) != NULL;
}
