/*
 * The part of Apple's umbrella header for CFNetwork that CoreRunLoop provides: hosts, sockets and
 * streams. Docs/Porting.md lists the missing parts.
 */

#ifndef CRUNLOOP_APPLE_CFNETWORK_H
#define CRUNLOOP_APPLE_CFNETWORK_H

#include <CRunLoop/CFCompatibility.h>

#endif
