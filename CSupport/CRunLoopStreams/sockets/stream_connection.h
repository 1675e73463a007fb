/*
 * The connection that the two streams of a socket share, from the look-up of the host name until
 * the handle is closed. stream_session.h handles its TLS session.
 */

#ifndef RL_STREAM_CONNECTION_H
#define RL_STREAM_CONNECTION_H

#include "sockets/stream.h"
#include "sockets/stream_security.h"
#include "sockets/stream_service.h"

/* The states, in the order of time. Streams are open from RL_CONNECTION_PLAIN on. */
enum rl_stream_connection_state {
    RL_CONNECTION_NEW,
    RL_CONNECTION_RESOLVING,
    RL_CONNECTION_CONNECTING,
    RL_CONNECTION_FAILED,
    /* Connected. TLS has not been requested. */
    RL_CONNECTION_PLAIN,
    /* Connected; the TLS handshake is not finished. The session is created when first needed. */
    RL_CONNECTION_SHAKING_HANDS,
    RL_CONNECTION_SECURED,
    /* The session has failed or could not be created. */
    RL_CONNECTION_BROKEN
};

struct rl_stream_connection {
    /* Each stream has one reference. A look-up and the thread that lingers have one each, too. */
    atomic_uint references;
    /* True if the connection closes its handle after both streams are closed. */
    atomic_bool closes;
    /* The futex of waiting threads. Changes when the look-up ends and when a stream is closed. */
    atomic_uint changes;
    /* The number of waiting threads. If it is 0, no futex system call is made. */
    atomic_uint waiters;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* Threads read the state also without the lock. */
    _Atomic(enum rl_stream_connection_state) state;
    int error;
    /* The handle; -1 after it is closed. Transfers use the descriptor of the stream's watch. */
    int fd;
    /* The number of streams that are not closed. At 0, `fd` may already be another file's. */
    unsigned users;
    /* True if a stream that is closed now was in a loop or on a queue. */
    bool was_scheduled;
    /* The reader and the writer, not retained. Each removes itself when it is destroyed. */
    struct rl_stream *streams[2];
    /* Set once, as is the port. Null if the addresses are known. */
    RLStringRef host;
    unsigned port;
    int family;
    struct rl_socket_name *addresses;
    size_t count;
    size_t next;
    /* When connecting or the handshake began; 0 before the first stream is opened. */
    int64_t begun_ns;
    /* The time limit, from `begun_ns` on; negative if the client has set no limit. */
    int64_t limit_ns;
    struct rl_security security;
    const struct rl_service_type *service;
    /* Never changes after it is set, so it is read without the lock. */
    _Atomic(struct rl_tls *) tls;
    /*
     * `space` is the least free space of the send buffer when the socket polls as writable.
     * `space_left` is the part of it that later writes have not used. The socket is polled again
     * only when `space_left` is 0. Not used with TLS.
     */
    atomic_size_t space, space_left;
    int lingering_fd;
};

/* Returns null if `fd` is negative or no stream is requested. The caller sets the other fields. */
struct rl_stream_connection *rl_stream_connection_create(int fd,
                                                         const struct rl_stream_class *class,
                                                         RLReadStreamRef *ret_reader,
                                                         RLWriteStreamRef *ret_writer);

/* Ignores an address that is too long. Takes no lock. */
void rl_stream_connection_add_address(struct rl_stream_connection *connection, const void *address,
                                      size_t length);

/* --- Functions of the stream class ------------------------------------------------------------ */

int rl_stream_connection_open(struct rl_stream *stream, bool waits);
RLTimeInterval rl_stream_connection_time_left(struct rl_stream *stream);
void rl_stream_connection_give_up(struct rl_stream *stream);
void rl_stream_connection_close(struct rl_stream *stream);
void rl_stream_connection_leave(struct rl_stream *stream);

/* --- For the stream class and the session; called with no lock held --------------------------- */

void rl_stream_connection_retain(struct rl_stream_connection *connection);
void rl_stream_connection_release(struct rl_stream_connection *connection);

/* Calls the function for each stream except `but` and streams that are being destroyed. */
void rl_stream_connection_apply(struct rl_stream_connection *connection,
                                const struct rl_stream *but,
                                void (*function)(struct rl_stream *stream));

/* The deadline of connecting and of the handshake, by the kernel's monotonic clock. */
int64_t rl_stream_connection_last_moment(struct rl_stream_connection *connection);

/* RL_NEVER_NS means no limit. */
int64_t rl_stream_connection_limit(struct rl_stream_connection *connection);
void rl_stream_connection_set_limit(struct rl_stream_connection *connection, int64_t limit_ns);

/* Call this with the connection locked. */
bool rl_stream_connection_is_late(const struct rl_stream_connection *connection);

#endif
