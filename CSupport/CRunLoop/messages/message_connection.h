/*
 * The connections of a local port: which are accepted, which give way, and when one is left alone.
 *
 * When there are too many, the one that was idle for longest gives way to the next; see
 * message_remote.c for the other side. What the system refuses, to accept or to receive, is tried
 * again after a pause. For message_server.c, with the port locked.
 */

#ifndef RL_MESSAGE_CONNECTION_H
#define RL_MESSAGE_CONNECTION_H

#include "messages/message_server.h"

/* What the set gives for the timer; for the listener it is 0, and for a connection its address. */
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
    /* What tells its process from others; 0 if it is unknown. */
    uint64_t peer;
    /* The peer watches the connection for its end. */
    bool stays;
    /* The peer knows that it has to use another one; what it has sent is still served. */
    bool gives_way;
    TAILQ_HEAD(, rl_reply) replies;
    size_t pending_bytes;
    int64_t last_progress_ns;
    /* Whether it is not read from until the pause is over. */
    bool is_paused;
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

/* Waits for the peer to read what there is for it, or else to write. */
void rl_connection_watch(struct rl_message_server *server, struct rl_connection *connection);

/* Leaves a connection alone for a while, as the system refuses to receive. */
void rl_connection_pause(struct rl_message_server *server, struct rl_connection *connection,
                         int error);

/* Tries everything again that was refused. */
void rl_connection_end_pause(struct rl_message_server *server);

/* A peer whose loop watches for our end. One connection of a process is enough for that. */
void rl_connection_let_stay(struct rl_message_server *server, struct rl_connection *connection);

/* Accepts new connections, as far as there is room. */
void rl_connection_accept_some(struct rl_message_server *server);

#endif
