/*
 * The connections of a local port. These functions accept connections, make idle connections yield
 * (message_wire.h), and retry after a pause if accepting or receiving fails. They take no lock:
 * call them with the port locked.
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
struct rl_reply;
TAILQ_HEAD(rl_connection_list, rl_connection);
TAILQ_HEAD(rl_reply_list, rl_reply);

struct rl_message_server {
    /* An epoll set of the listener, the connections and the timer. */
    atomic_int poll_set;
    /* A timer that ends pauses, and starts the checks of the name's files. */
    int timer;
    bool is_pausing;
    /* True if the port could not reclaim its deleted name and has printed a warning. */
    bool is_lost;
    struct rl_endpoint endpoint;
    struct rl_connection_list connections;
    unsigned connection_count;
    /* The replies that were sent or dropped, and are freed after the unlock. */
    struct rl_reply_list ended;
    /* The connection of the last packet or null, and the number of successive packets from it. */
    struct rl_connection *recent;
    unsigned in_a_row;
    /* The bytes of all partially received requests and unsent replies. */
    size_t pending_bytes;
    /* A buffer for the next packet, or null. */
    uint8_t *spare;
};

/* The epoll data of the timer. Those of the listener are 0, those of a connection its address. */
enum { RL_PAYLOAD_OF_TIMER = 1 };

struct rl_reply {
    TAILQ_ENTRY(rl_reply) link;
    struct rl_wire_packet packet;
    RLDataRef data;
};

struct rl_connection {
    TAILQ_ENTRY(rl_connection) link;
    /* The list has one reference, and each request in progress has one. */
    unsigned references;
    /* The socket; -1 after it is closed. */
    int fd;
    /* A number that identifies the peer's process; 0 if the process is unknown. */
    uint64_t peer;
    /* True if the peer watches the connection to detect the port's end: it must not yield. */
    bool stays;
    /* True if the peer was notified of the yield. Requests that it had sent are still served. */
    bool yields;
    struct rl_reply_list replies;
    struct rl_incoming incoming;
    /* The bytes of the unsent replies and of the partially received request. */
    size_t pending_bytes;
    int64_t last_progress_ns;
    /* True while a pause lasts, in which the connection is not read. */
    bool is_paused;
    /* The registered events, as RL_KERNEL_ flags. */
    uint32_t interest;
};

void rl_connection_release(struct rl_connection *connection);

void rl_connection_drop(struct rl_message_server *server, struct rl_connection *connection);

/* Closes the connection, but leaves it in the epoll set, which a forked child shares. */
void rl_connection_forget(struct rl_message_server *server, struct rl_connection *connection);

void rl_connection_end_reply(struct rl_message_server *server, struct rl_connection *connection,
                             struct rl_reply *reply);

/* Releases the data, whose deallocators are client code: call this without a lock. */
void rl_connection_free_replies(struct rl_reply_list *ended);

/* Returns whether the peer has neither read nor written anything for a second. */
bool rl_connection_has_stalled(const struct rl_connection *connection);

void rl_connection_add_pending(struct rl_message_server *server, struct rl_connection *connection,
                               size_t bytes);
void rl_connection_take_pending(struct rl_message_server *server, struct rl_connection *connection,
                                size_t bytes);

/* Registers the connection for output if it has unsent replies, otherwise for input. */
void rl_connection_watch(struct rl_message_server *server, struct rl_connection *connection);

/* Call this after receiving from the connection has failed. */
void rl_connection_pause(struct rl_message_server *server, struct rl_connection *connection,
                         int error);

/* Arms the timer for the next check of the name, unless it is armed for the end of a pause. */
void rl_connection_set_timer(struct rl_message_server *server);

void rl_connection_end_pause(struct rl_message_server *server);

/*
 * Prevents the connection from yielding, because the peer's loop uses it to detect the end of this
 * port. One such connection per peer process is enough.
 */
void rl_connection_keep(struct rl_message_server *server, struct rl_connection *connection);

void rl_connection_accept_some(struct rl_message_server *server);

#endif
