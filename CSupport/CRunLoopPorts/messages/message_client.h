/*
 * The connections of a remote port, and the requests that use them. A port sends on one connection,
 * and replaces the connection when it yields (message_wire.h).
 *
 * The port's lock guards the data. No function calls a client: if the peer is gone, the caller must
 * invalidate the port.
 */

#ifndef RL_MESSAGE_CLIENT_H
#define RL_MESSAGE_CLIENT_H

#include "messages/message_endpoint.h"
#include "messages/message_transfer.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>

struct rl_message_port;

/* The state of a connection never decreases. */
enum rl_client_state {
    RL_CLIENT_OPEN,
    /* No more requests can be sent on the connection, but replies may arrive. */
    RL_CLIENT_YIELDS,
    /* The port has ended, or must end because the peer has ended or violated the protocol. */
    RL_CLIENT_GONE,
    /* The system cannot make a new connection. */
    RL_CLIENT_REFUSED
};

struct rl_remote_connection {
    TAILQ_ENTRY(rl_remote_connection) link;
    struct rl_message_port *port;
    /* The socket. Set once. Closed when the connection has been replaced and no request uses it. */
    int fd;
    /* The size of the socket's buffer. Set once. */
    int buffer_size;
    enum rl_client_state state;
    /* True if the peer knows that the connection is watched, so it must not yield. */
    bool is_announced;
    /* True during a request in parts, which must not be mixed with the parts of another. */
    atomic_bool is_sending_parts;
    uint64_t last_serial;
    TAILQ_HEAD(, rl_client_use) uses;
    /* A partly received reply, and a buffer for the next packet or null. */
    struct rl_incoming incoming;
    uint8_t *spare;
};

/*
 * A request that uses a connection. It is on the stack of the sending thread. The thread sets
 * `loop` and `mode` if the request has a reply, and zeroes the other fields.
 */
struct rl_client_use {
    TAILQ_ENTRY(rl_client_use) link;
    /* The connection; null before the use begins and after it ends. */
    struct rl_remote_connection *connection;
    /* The request's number, unique among the connection's requests. */
    uint64_t serial;
    /* The loop that runs until the reply arrives; null if no reply is wanted. */
    RLRunLoopRef loop;
    RLStringRef mode;
    /* A source that stops the loop after another run has received the reply; or null. */
    RLRunLoopSourceRef waker;
    /* Written with the lock held. The waiting thread reads it without the lock. */
    atomic_bool is_over;
    /* Valid if `is_over`: the result code of the API and, on success, an owned reply. */
    SInt32 result;
    RLDataRef reply;
};

struct rl_message_client {
    TAILQ_HEAD(, rl_remote_connection) connections;
    /* The connection for new requests; null after the port has ended. */
    struct rl_remote_connection *current;
    /* The listener to which all connections of the port lead. Set once. */
    struct rl_endpoint_identity identity;
    /* An epoll set with the current connection, or -1 until a loop or queue watches the port. */
    atomic_int watch_set;
};

/* The time limit for connecting to a port whose backlog is full. */
#define RL_MESSAGE_PATIENCE_NS INT64_C(1000000000)

/* --- For requests, without locks ------------------------------------------------------------- */

/*
 * Begins to use the current connection. If `receives_first` is true, first receives packets. If the
 * connection yields, tries to connect again until the deadline. The use has begun only if the
 * result is RL_CLIENT_OPEN. After RL_CLIENT_YIELDS the caller may retry later.
 */
enum rl_client_state rl_message_client_begin_use(struct rl_message_port *port, bool receives_first,
                                                 int64_t deadline_ns, struct rl_client_use *use);

/* Ends the use, and stops waiting. If a reply was received, it stays in `use`. */
void rl_message_client_end_use(struct rl_client_use *use);

/* Receives packets for all uses, until a limit is reached or the wait of `own` is over. */
enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               const struct rl_client_use *own);

/* Receives all packets after a send has failed. The state explains the failure. */
enum rl_client_state rl_message_client_find_reason(struct rl_remote_connection *connection);

/* Receives packets up to a limit, and reconnects if the connection yields. */
enum rl_client_state rl_message_client_receive_all(struct rl_message_port *port);

/* --- For ports, with the port locked --------------------------------------------------------- */

/* Takes ownership of `fd`, the first connection. */
void rl_message_client_open(struct rl_message_port *port, int fd,
                            const struct rl_endpoint_identity *identity);

/* Creates the watch set if there is none. Returns a negative errno value on failure. */
int rl_message_client_watch(struct rl_message_client *client);

/* Ends all waits. Each connection is closed when no request uses it. */
void rl_message_client_end(struct rl_message_client *client);

void rl_message_client_free(struct rl_message_client *client);

/* In a forked child, replaces the parent's descriptors with `inert`. */
void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert);

#endif
