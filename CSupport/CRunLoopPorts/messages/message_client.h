/*
 * The connections of a remote port, and the requests that use them.
 *
 * A port sends on one connection, and makes another when that connection yields (message_wire.h).
 *
 * Guarded by the port's lock. No client is called here: the caller must invalidate a port whose
 * peer is gone.
 */

#ifndef RL_MESSAGE_CLIENT_H
#define RL_MESSAGE_CLIENT_H

#include "messages/message_endpoint.h"
#include "messages/message_transfer.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>

struct rl_message_port;

/* The state of a connection, which only grows. */
enum rl_client_state {
    RL_CLIENT_OPEN,
    /* No more requests can be sent on it. Replies may come. */
    RL_CLIENT_YIELDS,
    /* The port has ended or must end, as the peer has ended or violated the protocol. */
    RL_CLIENT_GONE,
    /* There is no connection, as the system refuses to make another one. */
    RL_CLIENT_REFUSED
};

struct rl_remote_connection {
    TAILQ_ENTRY(rl_remote_connection) link;
    struct rl_message_port *port;
    /* Set once. Closed when the port sends on another connection and no request uses this one. */
    int fd;
    /* The size of the socket's buffer. Set once. */
    int buffer_size;
    enum rl_client_state state;
    /* The peer was notified that this connection is watched, and so must not yield. */
    bool is_announced;
    /* A request is being sent in parts, between which no other request in parts may be sent. */
    atomic_bool is_sending_parts;
    uint64_t last_serial;
    TAILQ_HEAD(, rl_client_use) uses;
    /* A partly received reply, and a buffer for the next packet; or null. */
    struct rl_incoming incoming;
    uint8_t *spare;
};

/*
 * A request that uses a connection, and may wait for its reply there. It lives on the stack of the
 * sending thread. The thread sets loop and mode if it wants a reply, and zeroes the rest.
 */
struct rl_client_use {
    TAILQ_ENTRY(rl_client_use) link;
    /* Null before the use begins and after it ends. */
    struct rl_remote_connection *connection;
    /* A number that is unique among the connection's requests. */
    uint64_t serial;
    /* The loop that runs until there is a reply, or null, and its mode. */
    RLRunLoopRef loop;
    RLStringRef mode;
    /* The source that makes the loop return if another run has received the reply; or null. */
    RLRunLoopSourceRef waker;
    /* Written with the lock held. The waiting thread reads it without the lock. */
    atomic_bool is_over;
    /* Valid if `is_over`: a result of the API and, after success, the reply, which is owned. */
    SInt32 result;
    RLDataRef reply;
};

struct rl_message_client {
    TAILQ_HEAD(, rl_remote_connection) connections;
    /* The current connection; null once the port has ended. */
    struct rl_remote_connection *current;
    /* The listener of all connections. Set once. */
    struct rl_endpoint_identity identity;
    /* An epoll set of the current connection; -1 until a loop or queue first watches. */
    atomic_int watch_set;
};

/* The time limit for connecting to a port whose backlog is full. */
#define RL_MESSAGE_PATIENCE_NS INT64_C(1000000000)

/* --- For requests, without locks ------------------------------------------------------------- */

/*
 * Begins to use the current connection. If `receives_first`, first receives its packets. If it
 * yields, waits for another connection, until the deadline. The use begins only if the result is
 * RL_CLIENT_OPEN. After RL_CLIENT_YIELDS the caller may retry later.
 */
enum rl_client_state rl_message_client_begin_use(struct rl_message_port *port, bool receives_first,
                                                 int64_t deadline_ns, struct rl_client_use *use);

/* Ends a use, if it has begun, and its wait for a reply. A received reply stays. */
void rl_message_client_end_use(struct rl_client_use *use);

/*
 * Receives packets, for all uses, up to a limit. If the loop of a use calls this, it stops when the
 * wait of that use is over.
 */
enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               const struct rl_client_use *own);

/* Receives all packets of a connection that accepts no request, and returns the reason. */
enum rl_client_state rl_message_client_find_reason(struct rl_remote_connection *connection);

/* Receives packets of the port, and reconnects if it must. */
enum rl_client_state rl_message_client_receive_all(struct rl_message_port *port);

/* --- For ports, with the port locked --------------------------------------------------------- */

/* Takes over the descriptor of the first connection. */
void rl_message_client_open(struct rl_message_port *port, int fd,
                            const struct rl_endpoint_identity *identity);

/* Makes the watch set report new packets. Returns 0 or a negative errno value. */
int rl_message_client_watch(struct rl_message_client *client);

/* Ends all waits, and the connections once no request uses them. */
void rl_message_client_end(struct rl_message_client *client);

/* For the destruction of the port. */
void rl_message_client_free(struct rl_message_client *client);

/*
 * For a forked child: leaves the connections to the parent, and replaces their descriptors by
 * `inert`.
 */
void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert);

#endif
