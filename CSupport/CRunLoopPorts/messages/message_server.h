/*
 * The requests and replies of a local port. Nothing here locks or calls clients: the port does.
 */

#ifndef RL_MESSAGE_SERVER_H
#define RL_MESSAGE_SERVER_H

#include "messages/message_connection.h"

/* A request that was received. */
struct rl_request {
    struct rl_connection *connection;
    int32_t message_id;
    uint64_t serial;
    bool wants_reply;
    RLDataRef data;
    int descriptors[RL_WIRE_MOST_DESCRIPTORS];
    unsigned descriptor_count;
};

/* Opens what a port needs before it has a name. 0, or a negative errno value. */
int rl_message_server_open(struct rl_message_server *server);

/* Takes a name, the first or another one. 0, or a negative errno value. */
int rl_message_server_set_name(struct rl_message_server *server, const char *name);

/* Takes the next request, if there is one, and does what else can be done without waiting. */
bool rl_message_server_next(struct rl_message_server *server, struct rl_request *ret_request);

/* Ends a request and what it holds. Sends the reply, if one is wanted; null has no bytes. */
void rl_message_server_reply(struct rl_message_server *server, struct rl_request *request,
                             RLDataRef reply);

/*
 * Closes everything; the name is given up already. Requests that are under way keep their memory.
 */
void rl_message_server_close(struct rl_message_server *server);

/* In a forked child: closes what is the parent's, and puts `inert` where sources still look. */
void rl_message_server_leave_to_parent(struct rl_message_server *server, int inert);

#endif
