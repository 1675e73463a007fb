/*
 * Sockets: the data and functions that three files share. socket.c creates and configures sockets,
 * socket_waiting.c connects and sends, socket_callbacks.c calls the client.
 */

#ifndef RL_SOCKET_H
#define RL_SOCKET_H

#include "base/socket_kernel.h"
#include "watch/alarm.h"
#include "watch/client.h"
#include "watch/watch.h"

#include <CRunLoop/RLSocket.h>

/* The types for reading, of which a socket has one at most. */
#define RL_SOCKET_READ_KINDS ((RLOptionFlags)3)

struct rl_socket {
    struct rl_object object;
    /* Its lock guards the fields below, except those that are set once. */
    struct rl_watch watch;
    RLSocketCallBack callout;
    struct rl_client client;
    /* The types of its creation, and the one for reading, or 0. */
    RLOptionFlags types;
    RLOptionFlags read_kind;
    /* A stream: bytes without boundaries, from one peer. Set once. */
    bool is_stream;
    /* A sequenced socket: packets from one peer, with an end. Packets may be empty. Set once. */
    bool is_sequenced;
    /* Readable without bytes means EOF: for streams and descriptors that are no socket. */
    bool has_end;
    /* The handle was made nonblocking for accept(2). */
    atomic_bool accepts_at_once;
    RLOptionFlags flags;
    /* The types that the client has disabled and not enabled since. */
    RLOptionFlags disabled;
    /* A write callback is due when there is buffer space. */
    bool awaits_space;
    /* The connect callback is due. */
    bool awaits_connection;
    /* The last known addresses, or null. */
    RLDataRef address;
    RLDataRef peer_address;
    /* Ends a pause in accepting or receiving. */
    struct rl_alarm retry;
};

extern const struct rl_watch_class rl_socket_watch_class;

static inline struct rl_socket *rl_socket_of(struct rl_watch *watch)
{
    return (struct rl_socket *)watch->owner;
}

static inline RLSocketRef rl_socket_ref(struct rl_socket *self)
{
    return (RLSocketRef)(void *)self;
}

struct rl_socket *rl_socket_checked(RLSocketRef socket, const char *function);

/* Sets errno, which clients may read after an error. */
RLSocketError rl_socket_error_of(ssize_t result);

/* Call this when addresses may change; the client's copies stay. */
void rl_socket_forget_addresses(struct rl_socket *self);

/* Enables or disables types, whether or not the source is in a mode. */
void rl_socket_enable(struct rl_socket *self, RLOptionFlags types);
void rl_socket_disable(struct rl_socket *self, RLOptionFlags types);

/*
 * Waits again for the enabled types, after the handle was bound or has begun to connect. Earlier,
 * an unconnected handle has an error, so that its types were dropped.
 */
void rl_socket_resume(struct rl_socket *self);

#endif
