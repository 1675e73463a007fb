/*
 * This package's RLSocket.
 */

#include <CRunLoop/CRunLoop.h>

#define NAME(name) RL##name
#define CONSTANT(name) kRL##name
#define SERVER socket_server

#include "sockets.server.h"
