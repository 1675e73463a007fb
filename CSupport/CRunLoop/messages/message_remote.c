/*
 * The way to the other side of a remote port: whether it is there, and by which connection.
 *
 * A local port with too many connections has the longest idle one give way: it says so and then
 * takes nothing more from it, but answers what it has. What cannot be sent on a connection for that
 * reason was not sent at all, and goes through another one, to the same listener. So nothing is
 * lost, and nothing arrives twice.
 */

#include "base/kernel.h"
#include "messages/message_port.h"
#include "values/value.h"

#include <errno.h>

/* How many connections in a row may have to give way before they are used. */
enum { MOST_TRIES = 4 };

static bool is_current(struct rl_message_port *port, const struct rl_remote_connection *connection)
{
    rl_lock(&port->lock);
    bool is_current = port->client.current == connection;
    rl_unlock(&port->lock);
    return is_current;
}

/* Has the port use another connection, unless it does so by now. 0, or a negative errno value. */
static int connect_again(struct rl_message_port *port, struct rl_remote_connection *connection,
                         int64_t deadline_ns)
{
    if (!is_current(port, connection)) return 0;
    int64_t most_ns = rl_kernel_monotonic_ns() + RL_MESSAGE_PATIENCE_NS;
    int fd = rl_endpoint_connect_again(rl_string_characters(port->name),
                                       deadline_ns < most_ns ? deadline_ns : most_ns,
                                       &port->client.identity);
    if (fd < 0) return fd;
    rl_lock(&port->lock);
    rl_message_client_replace(&port->client, connection, fd);
    rl_unlock(&port->lock);
    return 0;
}

/* Returns the API's result for a failure to connect again. */
static SInt32 result_of_connecting(struct rl_message_port *port,
                                   const struct rl_remote_connection *connection, int failure)
{
    if (rl_endpoint_is_gone(failure)) {
        RLMessagePortInvalidate(rl_message_port_ref(port));
        return kRLMessagePortIsInvalid;
    }
    /* It is tried again when the port is used: the end of the old one must not keep a loop busy. */
    rl_lock(&port->lock);
    rl_message_client_unwatch(&port->client, connection);
    rl_unlock(&port->lock);
    return failure == -EAGAIN ? kRLMessagePortSendTimeout : kRLMessagePortTransportError;
}

struct rl_remote_connection *rl_message_port_begin_use(struct rl_message_port *port, bool looks,
                                                       int64_t deadline_ns, SInt32 *ret_result)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        enum rl_client_state state = RL_CLIENT_GONE;
        rl_lock(&port->lock);
        struct rl_remote_connection *connection =
            atomic_load(&port->is_valid) ? rl_message_client_begin_use(&port->client) : NULL;
        if (connection && !looks) state = rl_message_client_state(connection);
        if (connection && looks) state = rl_message_client_receive(connection, false, NULL);
        rl_unlock(&port->lock);
        *ret_result = kRLMessagePortIsInvalid;
        if (!connection || state == RL_CLIENT_GOES_ON) return connection;

        rl_lock(&port->connecting);
        int failure =
            state == RL_CLIENT_GONE ? -ECONNREFUSED : connect_again(port, connection, deadline_ns);
        rl_unlock(&port->connecting);
        if (failure < 0) *ret_result = result_of_connecting(port, connection, failure);
        rl_message_port_end_use(port, connection);
        if (failure < 0) return NULL;
    }
    *ret_result = kRLMessagePortSendTimeout;
    return NULL;
}

void rl_message_port_end_use(struct rl_message_port *port, struct rl_remote_connection *connection)
{
    rl_lock(&port->lock);
    rl_message_client_end_use(&port->client, connection);
    rl_unlock(&port->lock);
}

void rl_message_port_look(struct rl_message_port *port)
{
    SInt32 result;
    int64_t deadline_ns = rl_kernel_monotonic_ns() + RL_MESSAGE_PATIENCE_NS;
    struct rl_remote_connection *connection =
        rl_message_port_begin_use(port, true, deadline_ns, &result);
    if (connection) rl_message_port_end_use(port, connection);
}
