/*
 * The requests and replies of a local port. Nothing here locks or calls clients: the port does.
 */

#ifndef RL_MESSAGE_SERVER_H
#define RL_MESSAGE_SERVER_H

#include "messages/message_connection.h"

struct rl_request {
    struct rl_connection *connection;
    int32_t message_id;
    uint64_t serial;
    bool wants_reply;
    RLDataRef data;
    int descriptors[RL_WIRE_MOST_DESCRIPTORS];
    unsigned descriptor_count;
};

/* Opens the descriptors of a port before it has a name. Returns 0, or a negative errno value. */
int rl_message_server_open(struct rl_message_server *server);

/* Claims a name and releases the former one. Returns 0, or a negative errno value. */
int rl_message_server_set_name(struct rl_message_server *server, const char *name);

/* Returns the next request, if there is one, and does other pending work that does not block. */
bool rl_message_server_next(struct rl_message_server *server, struct rl_request *ret_request);

/*
 * Ends a request and releases its resources. Sends the reply, if one is wanted; null counts as no
 * bytes.
 */
void rl_message_server_reply(struct rl_message_server *server, struct rl_request *request,
                             RLDataRef reply);

/* Closes all descriptors; the name is released already. Requests in progress keep their memory. */
void rl_message_server_close(struct rl_message_server *server);

/*
 * For a forked child: closes the parent's descriptors, and puts `inert` where sources still use the
 * number.
 */
void rl_message_server_leave_to_parent(struct rl_message_server *server, int inert);

#endif
