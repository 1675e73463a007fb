/*
 * The connection that the two streams over a socket share, from the look-up of a host's name until
 * the handle is closed. stream_session.h has its TLS session.
 */

#ifndef RL_STREAM_CONNECTION_H
#define RL_STREAM_CONNECTION_H

#include "sockets/stream.h"
#include "sockets/stream_security.h"
#include "sockets/stream_service.h"

/* In the order in which they follow each other; streams open from RL_CONNECTION_PLAIN on. */
enum rl_stream_connection_state {
    RL_CONNECTION_NEW,
    /* A thread looks up the addresses of the host. */
    RL_CONNECTION_RESOLVING,
    RL_CONNECTION_CONNECTING,
    RL_CONNECTION_FAILED,
    /* Connected, and not to be secured for now. */
    RL_CONNECTION_PLAIN,
    /* Connected, and to be secured: the session is made when it is first needed. */
    RL_CONNECTION_SHAKING_HANDS,
    RL_CONNECTION_SECURED,
    /* The session has failed, or could not be made. */
    RL_CONNECTION_BROKEN
};

struct rl_stream_connection {
    /* One reference for each stream, one for a look-up, and one for the thread that lingers. */
    atomic_uint references;
    /* Whether the handle is closed after the streams. */
    atomic_bool closes;
    /*
     * Changes when the name was looked up, and when a stream is closed. A futex for waiting
     * threads.
     */
    atomic_uint changes;
    /* The number of waiting threads. If it is 0, a change costs no system call. */
    atomic_uint waiters;
    /* Guards what follows. */
    struct rl_lock lock;
    /* Read without the lock too. */
    _Atomic(enum rl_stream_connection_state) state;
    /* Why it has failed. */
    int error;
    /*
     * The handle; -1 once it is closed. A stream that moves bytes uses it through its watch
     * instead.
     */
    int fd;
    /* The number of streams that are not closed. At 0, the handle may be another file's. */
    unsigned users;
    /* A stream that is closed now had been in a loop or on a queue. */
    bool was_scheduled;
    /* The reader and the writer. Not retained: each takes itself out when it is destroyed. */
    struct rl_stream *streams[2];
    /* Null if the addresses are known. It and the port never change. */
    RLStringRef host;
    unsigned port;
    /* The family of the handle, for a host's addresses. */
    int family;
    struct rl_socket_name *addresses;
    size_t count;
    size_t next;
    /* When connecting or a handshake has begun; 0 before the first stream is opened. */
    int64_t begun_ns;
    /* The time limit from then on; negative if no client has set one. */
    int64_t limit_ns;
    struct rl_security security;
    /* The type of service that a client has set; null for none. */
    const struct rl_service_type *service;
    /* Stays until the end once it is made, and so is read without the lock. */
    _Atomic(struct rl_tls *) tls;
    /*
     * The space in the kernel's buffer when the kernel last reported some, and the rest of it after
     * later writes: the buffer is not polled again until the rest is used up. Not used with TLS.
     */
    atomic_size_t room, room_left;
    /* The handle of the thread that lingers. */
    int lingering_fd;
};

/*
 * Makes a connection of a handle, and those streams that are asked for. Returns null, and makes no
 * stream, if there is no handle or no stream is asked for. The caller fills in what it knows.
 */
struct rl_stream_connection *rl_stream_connection_create(int fd,
                                                         const struct rl_stream_class *class,
                                                         RLReadStreamRef *ret_reader,
                                                         RLWriteStreamRef *ret_writer);

/* Adds an address to try; an address that is too long is ignored. Takes no lock. */
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

/* Returns the kernel's moment by which connecting or shaking hands has to be over. */
int64_t rl_stream_connection_last_moment(struct rl_stream_connection *connection);

/* The limit of time; RL_NEVER_NS if there is none. */
int64_t rl_stream_connection_limit(struct rl_stream_connection *connection);
void rl_stream_connection_set_limit(struct rl_stream_connection *connection, int64_t limit_ns);

/* Returns whether connecting or a handshake should be over by now. Connection locked. */
bool rl_stream_connection_is_late(const struct rl_stream_connection *connection);

#endif
