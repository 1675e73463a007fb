#ifndef RL_REMOTE_PORT_H
#define RL_REMOTE_PORT_H

#include "messages/message_client.h"
#include "messages/message_port.h"

struct rl_remote_port {
    struct rl_message_port port;
    /* A thread that reconnects holds this lock. It is taken before the port's lock. */
    struct rl_lock connecting;
    /* Guarded by the port's lock. */
    struct rl_message_client client;
};

static inline struct rl_remote_port *rl_remote_port_of(struct rl_message_port *port)
{
    return (struct rl_remote_port *)port;
}

/*
 * Like RLMessagePortCreateRemote. `patience_ns` is the time to wait for a process whose backlog is
 * full, and `function` is the caller's name for diagnostics.
 */
RLMessagePortRef rl_remote_port_connect(RLStringRef name, int64_t patience_ns,
                                        const char *function);

#endif
