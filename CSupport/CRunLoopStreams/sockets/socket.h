/*
 * Sockets: socket.c creates and configures sockets, socket_waiting.c connects and sends, and
 * socket_callbacks.c calls the client.
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
    /* `types` is set once. `read_kind` is the read, accept or data type in it, or 0. */
    RLOptionFlags types;
    RLOptionFlags read_kind;
    /* Set once. A stream transfers bytes without boundaries from one peer. */
    bool is_stream;
    /* True for SOCK_SEQPACKET: packets from one peer, possibly empty, and an EOF. Set once. */
    bool is_sequenced;
    /*
     * If the handle is readable but has no bytes, it is at EOF. True for streams, and for files
     * that are not sockets.
     */
    bool has_end;
    /* True if the handle was made nonblocking, for accept(2). */
    atomic_bool accepts_at_once;
    RLOptionFlags flags;
    RLOptionFlags disabled;
    bool awaits_space;
    bool awaits_connection;
    /* The addresses, cached; null if unknown. */
    RLDataRef address;
    RLDataRef peer_address;
    /* The timer that ends a pause in accepting or receiving. */
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

/* Converts a result, and sets errno, which clients may read after an error. */
RLSocketError rl_socket_error_of(ssize_t result);

/* Call this when the addresses may change. Addresses that the client has received stay valid. */
void rl_socket_forget_addresses(struct rl_socket *self);

/* Enable or disable types of callbacks, whether or not the source is in a mode. */
void rl_socket_enable(struct rl_socket *self, RLOptionFlags types);
void rl_socket_disable(struct rl_socket *self, RLOptionFlags types);

/*
 * Wants the events of the enabled types again. Call this after the handle was bound or has begun to
 * connect: an unconnected handle reports an error, after which no events are wanted.
 */
void rl_socket_resume(struct rl_socket *self);

#endif
