/*
 * The part of Apple's umbrella header for CoreServices that programs with run loops need:
 * CoreFoundation, MacTypes with the error codes, the assertion macros, and atomic operations.
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
