/*
 * Sockets: the data and functions that three files share. socket.c creates and configures sockets,
 * socket_waiting.c connects and sends, and socket_callbacks.c calls the client.
 */

#ifndef RL_SOCKET_H
#define RL_SOCKET_H

#include "base/socket_kernel.h"
#include "watch/alarm.h"
#include "watch/client.h"
#include "watch/watch.h"

#include <CRunLoop/RLSocket.h>

/* The mask of the read, accept and data types, of which a socket has at most one. */
#define RL_SOCKET_READ_KINDS ((RLOptionFlags)3)

struct rl_socket {
    struct rl_object object;
    /* The lock of the watch guards the fields below, except those that are set once. */
    struct rl_watch watch;
    RLSocketCallBack callout;
    struct rl_client client;
    /*
     * The callback types with which the socket was created, and the read, accept or data type among
     * them, or 0.
     */
    RLOptionFlags types;
    RLOptionFlags read_kind;
    /* The socket is a stream: bytes without boundaries, from one peer. Set once. */
    bool is_stream;
    /*
     * The socket has type SOCK_SEQPACKET: packets from one peer, possibly empty, and an EOF. Set
     * once.
     */
    bool is_sequenced;
    /*
     * A readable handle without bytes is at EOF: true for streams and for descriptors that are not
     * sockets.
     */
    bool has_end;
    /* The handle has been set to nonblocking, for accept(2). */
    atomic_bool accepts_at_once;
    RLOptionFlags flags;
    /* The types that the client has disabled. */
    RLOptionFlags disabled;
    /* The write callback is due when the buffer has space. */
    bool awaits_space;
    /* The connect callback is due. */
    bool awaits_connection;
    /* The last known addresses, or null. */
    RLDataRef address;
    RLDataRef peer_address;
    /* The alarm that ends a pause in accepting or receiving. */
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

/* Converts a result to an RLSocketError. Sets errno, which clients may read after an error. */
RLSocketError rl_socket_error_of(ssize_t result);

/*
 * Discards the cached addresses. Call this when the addresses may change; the client's copies stay
 * valid.
 */
void rl_socket_forget_addresses(struct rl_socket *self);

/* Enable or disable callback types, whether or not the source is in a mode. */
void rl_socket_enable(struct rl_socket *self, RLOptionFlags types);
void rl_socket_disable(struct rl_socket *self, RLOptionFlags types);

/*
 * Watches the handle again for the enabled types. Call this after the handle was bound or has begun
 * to connect: before that, an unconnected handle reports an error, for which the types are no
 * longer watched.
 */
void rl_socket_resume(struct rl_socket *self);

#endif
