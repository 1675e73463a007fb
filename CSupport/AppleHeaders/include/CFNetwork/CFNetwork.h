/*
 * What is here of Apple's umbrella header for CFNetwork: hosts, sockets and streams, which
 * CoreRunLoop has. Docs/Porting.md names what is not.
 */

#ifndef CRUNLOOP_APPLE_CFNETWORK_H
#define CRUNLOOP_APPLE_CFNETWORK_H

#include <CRunLoop/CFCompatibility.h>

#endif
