/*
 * The CFSocket of the Swift toolchain, which is in libFoundation: our declarations
 * with its symbols.
 */

#include "../../../../Scenarios/kit/reference.h"

#include <CRunLoop/CRunLoop.h>

#define SERVER cf_socket_server

#include "sockets.server.h"
