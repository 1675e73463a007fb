/*
 * The CFSocket of the Swift toolchain, which is in libFoundation and has no headers.
 */

#include "../../../Support/ScenarioKit/cf_oracle.h"

#define NAME(name) CF##name
#define CONSTANT(name) kCF##name
#define SERVER cf_socket_server

#include "sockets.server.h"
