/*
 * The connection of the two streams of a socket, from the look-up of a host's name until the handle
 * is closed. stream_session.h has its TLS session.
 */

#ifndef RL_STREAM_CONNECTION_H
#define RL_STREAM_CONNECTION_H

#include "sockets/stream.h"
#include "sockets/stream_security.h"
#include "sockets/stream_service.h"

/* In chronological order; streams are open from RL_CONNECTION_PLAIN on. */
enum rl_stream_connection_state {
    RL_CONNECTION_NEW,
    /* A thread looks up the addresses of the host. */
    RL_CONNECTION_RESOLVING,
    RL_CONNECTION_CONNECTING,
    RL_CONNECTION_FAILED,
    /* Connected, without TLS so far. */
    RL_CONNECTION_PLAIN,
    /* Connected, with TLS: the session is made when it is first needed. */
    RL_CONNECTION_SHAKING_HANDS,
    RL_CONNECTION_SECURED,
    /* The session has failed, or could not be made. */
    RL_CONNECTION_BROKEN
};

struct rl_stream_connection {
    /* One for each stream, one for a look-up, and one for the thread that lingers. */
    atomic_uint references;
    /* Whether the connection closes its handle after the streams. */
    atomic_bool closes;
    /*
     * Changes when the name was looked up, and when a stream is closed. A futex for waiting
     * threads.
     */
    atomic_uint changes;
    /* The number of waiting threads. If it is 0, a change costs no system call. */
    atomic_uint waiters;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* Read without the lock too. */
    _Atomic(enum rl_stream_connection_state) state;
    int error;
    /* The handle; -1 after close. A transfer uses the descriptor of the stream's watch instead. */
    int fd;
    /* The number of streams that are not closed. At 0, the handle may be another file's. */
    unsigned users;
    /* A stream that is closed now was in a loop or on a queue. */
    bool was_scheduled;
    /* The reader and the writer. Not retained: each removes itself when it is destroyed. */
    struct rl_stream *streams[2];
    /* Null if the addresses are known. Set once, like the port. */
    RLStringRef host;
    unsigned port;
    int family;
    struct rl_socket_name *addresses;
    size_t count;
    size_t next;
    /* The time when connecting or a handshake began; 0 before the first stream is opened. */
    int64_t begun_ns;
    /* The time limit from then on; negative if the client has set none. */
    int64_t limit_ns;
    struct rl_security security;
    /* The client's type of service, or null. */
    const struct rl_service_type *service;
    /* Permanent once it is made, and so read without the lock. */
    _Atomic(struct rl_tls *) tls;
    /*
     * The space in the kernel's buffer when the kernel last reported some, and the rest of it after
     * later writes: the buffer is not polled again until the rest is used up. Not used with TLS.
     */
    atomic_size_t space, space_left;
    int lingering_fd;
};

/*
 * Makes a connection of a handle, and the requested streams. Returns null, and makes no stream, if
 * there is no handle or no stream is requested. The caller sets the other fields.
 */
struct rl_stream_connection *rl_stream_connection_create(int fd,
                                                         const struct rl_stream_class *class,
                                                         RLReadStreamRef *ret_reader,
                                                         RLWriteStreamRef *ret_writer);

/* Adds an address to try; ignores an address that is too long. Takes no lock. */
void rl_stream_connection_add_address(struct rl_stream_connection *connection, const void *address,
                                      size_t length);

/* --- Functions of the class of such streams --------------------------------------------------- */

int rl_stream_connection_open(struct rl_stream *stream, bool waits);
RLTimeInterval rl_stream_connection_time_left(struct rl_stream *stream);
void rl_stream_connection_give_up(struct rl_stream *stream);
void rl_stream_connection_close(struct rl_stream *stream);
void rl_stream_connection_leave(struct rl_stream *stream);

/* --- For the class and the session, with no lock held ----------------------------------------- */

void rl_stream_connection_retain(struct rl_stream_connection *connection);
void rl_stream_connection_release(struct rl_stream_connection *connection);

/* Calls a function with each stream except `but` that is not being destroyed. */
void rl_stream_connection_apply(struct rl_stream_connection *connection,
                                const struct rl_stream *but,
                                void (*function)(struct rl_stream *stream));

/* Returns the deadline of connecting or the handshake by the kernel's clock. */
int64_t rl_stream_connection_last_moment(struct rl_stream_connection *connection);

/* The time limit; RL_NEVER_NS without one. */
int64_t rl_stream_connection_limit(struct rl_stream_connection *connection);
void rl_stream_connection_set_limit(struct rl_stream_connection *connection, int64_t limit_ns);

/* Returns whether the time limit is over. Connection locked. */
bool rl_stream_connection_is_late(const struct rl_stream_connection *connection);

#endif
