/*
 * The part of Apple's umbrella header for CoreServices that run loops need: CoreFoundation,
 * MacTypes with the numbers of errors, the macros for assertions, and atomic operations.
 */

#ifndef CRUNLOOP_APPLE_CORESERVICES_H
#define CRUNLOOP_APPLE_CORESERVICES_H

#include <AssertMacros.h>
#include <CFNetwork/CFNetwork.h>
#include <CRunLoop/CFCompatibility.h>
#include <MacTypes.h>
#include <TargetConditionals.h>
#include <libkern/OSAtomic.h>

#endif
