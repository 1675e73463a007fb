/*
 * The connections of a remote port, and the requests that use them.
 *
 * A port sends on one connection, and makes another when that connection yields (message_wire.h).
 *
 * Guarded by the port's lock. No client is called here: the caller has to invalidate a port whose
 * other side is gone.
 */

#ifndef RL_MESSAGE_CLIENT_H
#define RL_MESSAGE_CLIENT_H

#include "messages/message_endpoint.h"
#include "messages/message_transfer.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>

struct rl_message_port;

/* The state of a connection. It only grows. */
enum rl_client_state {
    RL_CLIENT_OPEN,
    /* Nothing more can be sent on it. Replies may come. */
    RL_CLIENT_YIELDS,
    /* The port has ended or has to, as the other side has ended or breaks the rules. */
    RL_CLIENT_GONE,
    /* There is no connection, as the system refuses to connect again. */
    RL_CLIENT_REFUSED
};

struct rl_remote_connection {
    TAILQ_ENTRY(rl_remote_connection) link;
    struct rl_message_port *port;
    /* Never changes. Closed when the port does not send on it any more and no request uses it. */
    int fd;
    /* The size of the socket's buffer. Never changes. */
    int buffer_size;
    enum rl_client_state state;
    /* The other side was notified that this connection is watched, and so must not yield. */
    bool is_announced;
    /* A request is being sent in parts, between which no other may be sent. */
    atomic_bool is_sending_parts;
    uint64_t last_serial;
    TAILQ_HEAD(, rl_client_use) uses;
    /* A reply that comes in parts, and room for the next packet; or null. */
    struct rl_incoming incoming;
    uint8_t *spare;
};

/*
 * A request that uses a connection, and may wait for its reply there. It lives on the stack of the
 * thread that sends. It sets loop and mode if it wants a reply, and all else to zero.
 */
struct rl_client_use {
    TAILQ_ENTRY(rl_client_use) link;
    /* Null before the use begins and after it ends. */
    struct rl_remote_connection *connection;
    /* A number that no other request on the connection has. */
    uint64_t serial;
    /* The loop that runs until there is a reply, or null, and the mode in which it runs. */
    RLRunLoopRef loop;
    RLStringRef mode;
    /* The source that has the loop return, if another run has taken the reply; or null. */
    RLRunLoopSourceRef waker;
    /* Written with the lock held. The thread that waits reads it without the lock. */
    atomic_bool is_over;
    /* Once it is over: a result of the API and, if it is success, the reply, which is owned. */
    SInt32 result;
    RLDataRef reply;
};

struct rl_message_client {
    TAILQ_HEAD(, rl_remote_connection) connections;
    /* The connection to send on; null once the port has ended. */
    struct rl_remote_connection *current;
    /* The listener that all connections lead to. Never changes. */
    struct rl_endpoint_identity identity;
    /* An epoll set of the current connection; -1 until a loop or queue first watches. */
    atomic_int watch_set;
};

/* The time limit for connecting to a port whose backlog is full. */
#define RL_MESSAGE_PATIENCE_NS INT64_C(1000000000)

/* --- For requests, without locks ------------------------------------------------------------- */

/*
 * Begins to use the connection to send on. If `looks`, first receives its packets. If it yields,
 * waits for another connection, until the moment at most. The use begins only if the result is
 * RL_CLIENT_OPEN. After RL_CLIENT_YIELDS the caller may try again later.
 */
enum rl_client_state rl_message_client_begin_use(struct rl_message_port *port, bool looks,
                                                 int64_t deadline_ns, struct rl_client_use *use);

/* Ends a use, if there is one, and with it the wait for a reply. A reply that has come stays. */
void rl_message_client_end_use(struct rl_client_use *use);

/*
 * Takes what has come, for all uses, as much as may be at once. If the loop of a use does this, it
 * stops when the wait of that use is over.
 */
enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               const struct rl_client_use *own);

/* Takes all that has come on a connection that takes nothing more, and returns why it does not. */
enum rl_client_state rl_message_client_find_reason(struct rl_remote_connection *connection);

/* Takes what has come for the port, and connects again if it has to. */
enum rl_client_state rl_message_client_look(struct rl_message_port *port);

/* --- For ports, with the port locked --------------------------------------------------------- */

/* Takes over the descriptor of the first connection. */
void rl_message_client_open(struct rl_message_port *port, int fd,
                            const struct rl_endpoint_identity *identity);

/* Has the watch set report what comes from now on. Returns 0 or a negative errno value. */
int rl_message_client_watch(struct rl_message_client *client);

/* Ends all waits, and the connections as soon as no request uses them. */
void rl_message_client_end(struct rl_message_client *client);

/* Closes what is still open, when the port is destroyed. */
void rl_message_client_free(struct rl_message_client *client);

/* In a forked child: leaves the connections to the parent, and puts `inert` in their place. */
void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert);

#endif
