#ifndef RL_SOCKET_TYPE_NUMBERS_H
#define RL_SOCKET_TYPE_NUMBERS_H

#include "base/object.h"

enum {
    RL_TYPE_SOCKET = RL_TYPES_OF_SOCKETS,
    RL_TYPE_READ_STREAM,
    RL_TYPE_WRITE_STREAM,
    RL_TYPE_HOST,
};

#endif
