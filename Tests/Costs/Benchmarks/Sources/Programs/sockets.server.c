/*
 * This package's RLSocket.
 */

#include <CRunLoop/CRunLoop.h>

#define SERVER socket_server

#include "sockets.server.h"
