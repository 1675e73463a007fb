/*
 * Sockets: what socket.c, which makes and configures them, shares with socket_waiting.c, which
 * connects and sends, and with socket_callbacks.c, which serves them.
 */

#ifndef RL_SOCKET_H
#define RL_SOCKET_H

#include "base/socket_kernel.h"
#include "watch/alarm.h"
#include "watch/client.h"
#include "watch/watch.h"

#include <CRunLoop/RLSocket.h>

/* The types that have to do with reading, of which a socket has one at most. */
#define RL_SOCKET_READ_KINDS ((RLOptionFlags)3)

struct rl_socket {
    struct rl_object object;
    /* Its lock guards what follows, unless it never changes. */
    struct rl_watch watch;
    /* Never changes. */
    RLSocketCallBack callout;
    struct rl_client client;
    /* The types that it was made with, and the one of them that has to do with reading, or 0. */
    RLOptionFlags types;
    RLOptionFlags read_kind;
    /* A stream: bytes come without bounds, from one peer. Never changes. */
    bool is_stream;
    /*
     * A sequenced socket: packets come from one peer, which may end them. Packets may be empty.
     * Never changes.
     */
    bool is_sequenced;
    /* If it can be read but has no bytes, it has ended. True of streams and what is no socket. */
    bool has_end;
    /* The handle was set not to block in accepting. */
    atomic_bool accepts_at_once;
    RLOptionFlags flags;
    /* The types that the client has disabled and not enabled since. */
    RLOptionFlags disabled;
    /* A write callback is to come. */
    bool awaits_room;
    /* The connect callback is to come. */
    bool awaits_connection;
    /* The addresses as they were last asked for, or null. */
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

/* Sets errno, which clients of an error may look at. */
RLSocketError rl_socket_error_of(ssize_t result);

/* Addresses are forgotten when they may change; the client's copies stay. */
void rl_socket_forget_addresses(struct rl_socket *self);

/* Enables or disables types, whether or not the source is in a mode. */
void rl_socket_enable(struct rl_socket *self, RLOptionFlags types);
void rl_socket_disable(struct rl_socket *self, RLOptionFlags types);

/*
 * Waits again for what is enabled, after the handle was bound or has begun to connect. A handle
 * before that is in error, so that waiting for it was given up.
 */
void rl_socket_resume(struct rl_socket *self);

#endif
