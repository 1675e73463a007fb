/*
 * The connection of a remote port, and those who wait for replies on it. Nothing here locks or
 * calls clients: the port does.
 */

#ifndef RL_MESSAGE_CLIENT_H
#define RL_MESSAGE_CLIENT_H

#include "messages/message_channel.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stdatomic.h>

/* Somebody who waits for a reply. It lives on the stack of who does. */
struct rl_reply_wait {
    TAILQ_ENTRY(rl_reply_wait) link;
    uint64_t serial;
    /* Whose waker is signalled when it is over. */
    RLRunLoopRef loop;
    RLRunLoopSourceRef waker;
    /* Whether that loop is taking packets at this moment, and needs no waker. */
    bool is_awake;
    bool is_over;
    /* Once it is over: a result of the API and, if it is success, the reply, which is owned. */
    SInt32 result;
    RLDataRef reply;
};

struct rl_message_client {
    /* -1 once it is closed. Written with the port locked. */
    atomic_int fd;
    /* Calls that use the descriptor without the lock: the last one of an invalid port closes it. */
    unsigned users;
    bool is_ended;
    uint64_t last_serial;
    TAILQ_HEAD(, rl_reply_wait) waits;
    struct rl_wire_assembly assembly;
};

void rl_message_client_open(struct rl_message_client *client, int fd);

/* Between these, the descriptor is not closed; beginning fails if the client has ended. */
bool rl_message_client_begin_use(struct rl_message_client *client);
void rl_message_client_end_use(struct rl_message_client *client);

/* Begins to wait for the reply to a message that is about to be sent, and ends it. */
void rl_message_client_begin_wait(struct rl_message_client *client, struct rl_reply_wait *wait);
void rl_message_client_end_wait(struct rl_message_client *client, struct rl_reply_wait *wait);

/* Takes what has come, for whomever; false if the other side is gone or breaks the rules. */
bool rl_message_client_receive(struct rl_message_client *client);

/* Ends all waits, and the connection as soon as nobody uses it. */
void rl_message_client_end(struct rl_message_client *client);

/* Closes what is still open, when the port is destroyed. */
void rl_message_client_free(struct rl_message_client *client);

/* In a forked child: leaves the connection to the parent, and puts `inert` in its place. */
void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert);

#endif
