/*
 * The connections of a local port: accepts them, makes idle ones yield (message_wire.h), pauses.
 *
 * Accepting and receiving that the system refuses are retried after a pause. Nothing here locks:
 * the port does.
 */

#ifndef RL_MESSAGE_CONNECTION_H
#define RL_MESSAGE_CONNECTION_H

#include "messages/message_endpoint.h"
#include "messages/message_transfer.h"

#include <bsd/sys/queue.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct rl_connection;
TAILQ_HEAD(rl_connection_list, rl_connection);

struct rl_message_server {
    /* An epoll set of the listener and the connections; ready whenever one of them is. */
    atomic_int poll_set;
    /*
     * A timer in the set that ends a pause, for a retry of what the system refused, and has the
     * files of the port's name checked.
     */
    int timer;
    bool is_pausing;
    /* The port has lost its name to another program, which the log shows. */
    bool is_lost;
    struct rl_endpoint endpoint;
    struct rl_connection_list connections;
    unsigned connection_count;
    /* The connection whose packet came last, or null, and how many came in a row. */
    struct rl_connection *recent;
    unsigned in_a_row;
    /* The bytes of all requests that have not come yet, and of replies that have not gone yet. */
    size_t pending_bytes;
    /* Room for the next packet; or null. */
    uint8_t *spare;
};

/* The payload of the timer in the set. The listener has 0, and a connection its address. */
enum { RL_PAYLOAD_OF_TIMER = 1 };

struct rl_reply {
    TAILQ_ENTRY(rl_reply) link;
    struct rl_wire_packet packet;
    RLDataRef data;
};

struct rl_connection {
    TAILQ_ENTRY(rl_connection) link;
    /* One for the list, and one for each request under way. */
    unsigned references;
    /* -1 once it is closed. */
    int fd;
    /* Identifies the peer's process; 0 if that is unknown. */
    uint64_t peer;
    /* The peer watches the connection for its end. */
    bool stays;
    /* The peer knows that it has to use another one; what it has sent is still served. */
    bool yields;
    TAILQ_HEAD(, rl_reply) replies;
    /* A request that comes in parts. */
    struct rl_incoming incoming;
    /* The bytes of the replies, and of that request as a whole. */
    size_t pending_bytes;
    int64_t last_progress_ns;
    /* The connection is not read from until the pause is over. */
    bool is_paused;
    /* The events that the set waits for, in kernel.h's bits. */
    uint32_t interest;
};

/* Gives up a reference. */
void rl_connection_release(struct rl_connection *connection);

/* Closes a connection, with the replies that were not sent. */
void rl_connection_drop(struct rl_message_server *server, struct rl_connection *connection);

/*
 * Closes a connection in a forked child. The set is the parent's too, so that nothing is removed
 * from it.
 */
void rl_connection_forget(struct rl_message_server *server, struct rl_connection *connection);

void rl_connection_remove_reply(struct rl_message_server *server, struct rl_connection *connection,
                                struct rl_reply *reply);

/* Returns whether the peer has neither read nor written for long. */
bool rl_connection_has_stalled(const struct rl_connection *connection);

/* Count bytes that a connection holds, and that it no longer holds. */
void rl_connection_add_pending(struct rl_message_server *server, struct rl_connection *connection,
                               size_t bytes);
void rl_connection_take_pending(struct rl_message_server *server, struct rl_connection *connection,
                                size_t bytes);

/* Has the set wait for the peer to read its replies or, if there are none, to write. */
void rl_connection_watch(struct rl_message_server *server, struct rl_connection *connection);

/* Leaves a connection alone for a while, as the system refuses to receive. */
void rl_connection_pause(struct rl_message_server *server, struct rl_connection *connection,
                         int error);

/* Arms the timer for the next check of the name, unless it is armed for the end of a pause. */
void rl_connection_set_timer(struct rl_message_server *server);

/* Retries everything that was refused. */
void rl_connection_end_pause(struct rl_message_server *server);

/*
 * Keeps a connection from giving way, as the peer's loop watches it for our end. One connection of
 * a process is enough for that.
 */
void rl_connection_let_stay(struct rl_message_server *server, struct rl_connection *connection);

/* Accepts new connections, as far as there is room. */
void rl_connection_accept_some(struct rl_message_server *server);

#endif
