#ifndef RL_LOCAL_PORT_H
#define RL_LOCAL_PORT_H

#include "messages/message_port.h"
#include "messages/message_server.h"

struct rl_local_port {
    struct rl_message_port port;
    RLMessagePortCallBack callback;
    /* Guarded by the port's lock. */
    struct rl_message_server server;
};

#endif
