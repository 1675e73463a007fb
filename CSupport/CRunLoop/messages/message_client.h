/*
 * The connections of a remote port, and the requests that wait for replies on them. Nothing here
 * locks or calls clients: the port does.
 *
 * A port has one connection that it sends on. A local port that has too many may ask it to give
 * way: the next message then goes through another one, while this one lasts until its replies have
 * come.
 */

#ifndef RL_MESSAGE_CLIENT_H
#define RL_MESSAGE_CLIENT_H

#include "messages/message_channel.h"
#include "messages/message_endpoint.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>

/*
 * A request that waits for its reply. It lives on the stack of the thread that waits, which ends
 * it.
 */
struct rl_reply_wait {
    TAILQ_ENTRY(rl_reply_wait) link;
    uint64_t serial;
    /* What runs meanwhile, and is to return when it is over. */
    RLRunLoopRef loop;
    RLStringRef mode;
    /* What has the loop return, if it does not find out by itself; or null. */
    RLRunLoopSourceRef waker;
    /* That loop is taking packets at this moment, and needs no waker. */
    bool is_awake;
    bool is_over;
    /* Once it is over: a result of the API and, if it is success, the reply, which is owned. */
    SInt32 result;
    RLDataRef reply;
};

struct rl_remote_connection {
    TAILQ_ENTRY(rl_remote_connection) link;
    /* One for the port that sends on it, and one for each call that uses it. */
    unsigned references;
    /* Never changes; closed with the last reference. */
    int fd;
    /* What the socket has room for. Never changes. */
    int buffer_size;
    /* The other side wants nothing more to be sent here. */
    bool gives_way;
    /* Nothing more comes. */
    bool is_ended;
    /* A request is being sent in parts, between which no other may be. */
    bool is_sending_parts;
    /* The other side knows that this connection is watched, and so must not have to give way. */
    bool is_announced;
    uint64_t last_serial;
    TAILQ_HEAD(, rl_reply_wait) waits;
    /* A reply that comes in parts, and room for the next packet; or null. */
    struct rl_wire_assembly assembly;
    uint8_t *spare;
};

struct rl_message_client {
    TAILQ_HEAD(, rl_remote_connection) connections;
    /* The one to send on; null once the port has ended. */
    struct rl_remote_connection *current;
    /* The listener that all of them lead to. Never changes. */
    struct rl_endpoint_identity identity;
    /*
     * An epoll set of the current one, from the first time on that a loop or queue watches; or -1.
     */
    atomic_int watch_set;
};

/* The result of receiving. */
enum rl_client_state {
    RL_CLIENT_GOES_ON,
    /* The connection is to give way. */
    RL_CLIENT_GIVES_WAY,
    /* The other side is gone or breaks the rules. */
    RL_CLIENT_GONE
};

/* Takes over the descriptor of a connection. */
void rl_message_client_open(struct rl_message_client *client, int fd,
                            const struct rl_endpoint_identity *identity);

/*
 * Returns the current connection, for a call to use until it ends the use; null if the port has
 * ended.
 */
struct rl_remote_connection *rl_message_client_begin_use(struct rl_message_client *client);
void rl_message_client_end_use(struct rl_message_client *client,
                               struct rl_remote_connection *connection);

/*
 * Begins to wait for the reply to a message that is about to be sent, and ends it. The waker is the
 * caller's then.
 */
void rl_message_client_begin_wait(struct rl_remote_connection *connection,
                                  struct rl_reply_wait *wait);
void rl_message_client_end_wait(struct rl_remote_connection *connection,
                                struct rl_reply_wait *wait);

/* Returns what is known without receiving: a message that cannot be sent tells the rest. */
enum rl_client_state rl_message_client_state(const struct rl_remote_connection *connection);

/*
 * Takes what has come, for whomever: as much as may be at once, or all; or, if there is one, until
 * a wait is over.
 */
enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               bool takes_all, const struct rl_reply_wait *wait);

/*
 * Begins to send a request in parts, and ends it. Returns its serial, or 0 if another one is being
 * sent so.
 */
uint64_t rl_message_client_begin_parts(struct rl_remote_connection *connection);
void rl_message_client_end_parts(struct rl_remote_connection *connection);

/* Takes over the descriptor of another connection, if `replaced` is still the current one. */
void rl_message_client_replace(struct rl_message_client *client,
                               struct rl_remote_connection *replaced, int fd);

/* Has the set be ready when something comes from now on. Returns 0 or a negative errno value. */
int rl_message_client_watch(struct rl_message_client *client);

/* Takes a connection out of the set, while there is no other one to put in its place. */
void rl_message_client_unwatch(struct rl_message_client *client,
                               const struct rl_remote_connection *connection);

/* Ends all waits, and the connections as soon as nobody uses them. */
void rl_message_client_end(struct rl_message_client *client);

/* Closes what is still open, when the port is destroyed. */
void rl_message_client_free(struct rl_message_client *client);

/* In a forked child: leaves the connections to the parent, and puts `inert` in their place. */
void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert);

#endif
