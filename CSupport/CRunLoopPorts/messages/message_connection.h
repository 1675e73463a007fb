/*
 * The connections of a local port: accepts them, makes idle connections yield (message_wire.h), and
 * pauses.
 *
 * Refused calls of accept and receive are retried after a pause. Nothing here locks: the port does.
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
     * A timer in the set that ends a pause, after which refused operations are retried, and starts
     * checks of the name's files.
     */
    int timer;
    bool is_pausing;
    /* The port has lost its name to another program, which a warning has reported. */
    bool is_lost;
    struct rl_endpoint endpoint;
    struct rl_connection_list connections;
    unsigned connection_count;
    /* The connection of the last packet, or null, and the number of its packets in a row. */
    struct rl_connection *recent;
    unsigned in_a_row;
    /* The bytes of all partly received requests and unsent replies. */
    size_t pending_bytes;
    /* A buffer for the next packet; or null. */
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
    /* One for the list, and one for each request in progress. */
    unsigned references;
    /* -1 once it is closed. */
    int fd;
    /* Identifies the peer's process; 0 if that is unknown. */
    uint64_t peer;
    /* The peer watches the connection for its end. */
    bool stays;
    /*
     * The peer was notified that this connection yields; requests that it has sent are still
     * served.
     */
    bool yields;
    TAILQ_HEAD(, rl_reply) replies;
    struct rl_incoming incoming;
    /* The bytes of its replies, and of that request as a whole. */
    size_t pending_bytes;
    int64_t last_progress_ns;
    /* The connection is not read until the pause is over. */
    bool is_paused;
    /* The registered events, in kernel.h's bits. */
    uint32_t interest;
};

void rl_connection_release(struct rl_connection *connection);

void rl_connection_drop(struct rl_message_server *server, struct rl_connection *connection);

/*
 * Closes a connection in a forked child. The set is shared with the parent, so nothing is removed
 * from it.
 */
void rl_connection_forget(struct rl_message_server *server, struct rl_connection *connection);

void rl_connection_remove_reply(struct rl_message_server *server, struct rl_connection *connection,
                                struct rl_reply *reply);

/* Returns whether the peer has neither read nor written for a second. */
bool rl_connection_has_stalled(const struct rl_connection *connection);

/* Count bytes that a connection holds, and bytes that it releases. */
void rl_connection_add_pending(struct rl_message_server *server, struct rl_connection *connection,
                               size_t bytes);
void rl_connection_take_pending(struct rl_message_server *server, struct rl_connection *connection,
                                size_t bytes);

/* Registers the connection for output if it has unsent replies, else for input. */
void rl_connection_watch(struct rl_message_server *server, struct rl_connection *connection);

/* Ignores a connection for a while, as receiving from it failed. */
void rl_connection_pause(struct rl_message_server *server, struct rl_connection *connection,
                         int error);

/* Arms the timer for the next check of the name, unless it is armed for the end of a pause. */
void rl_connection_set_timer(struct rl_message_server *server);

void rl_connection_end_pause(struct rl_message_server *server);

/*
 * Prevents a connection from yielding, as the peer's loop watches it for this port's end. One
 * connection of a process suffices for that.
 */
void rl_connection_keep(struct rl_message_server *server, struct rl_connection *connection);

void rl_connection_accept_some(struct rl_message_server *server);

#endif
