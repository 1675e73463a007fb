/*
 * The part of Apple's umbrella header for CFNetwork that CoreRunLoop has: hosts, sockets and
 * streams. Docs/Porting.md names what is not.
 */

#ifndef CRUNLOOP_APPLE_CFNETWORK_H
#define CRUNLOOP_APPLE_CFNETWORK_H

#include <CRunLoop/CFCompatibility.h>

#endif
