/*
 * The requests and replies of a local port. These functions take no lock and call no client: the
 * port does both.
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

/* Opens all descriptors except the listener, which needs a name. */
int rl_message_server_open(struct rl_message_server *server);

/* Claims a name and releases the former name. Returns 0, or a negative errno value. */
int rl_message_server_set_name(struct rl_message_server *server, const char *name);

/* Does pending work and takes the next request, without blocking. False if there is none. */
bool rl_message_server_next(struct rl_message_server *server, struct rl_request *ret_request);

/* If the sender wants a reply, a null reply is sent as an empty reply. */
void rl_message_server_reply(struct rl_message_server *server, struct rl_request *request,
                             RLDataRef reply);

/* Call this after the name was released. Requests in progress stay allocated. */
void rl_message_server_close(struct rl_message_server *server);

/*
 * In a forked child, closes the server's descriptors. A source may still use the poll set, so it is
 * replaced with `inert`.
 */
void rl_message_server_leave_to_parent(struct rl_message_server *server, int inert);

#endif
