/* The TLS session of a connection: settings, handshake, and end. */

#ifndef RL_STREAM_SESSION_H
#define RL_STREAM_SESSION_H

#include "sockets/stream_connection.h"

/* --- For the stream class; called with no lock held ------------------------------------------- */

/* Sets a copy of the client's value. If the value is invalid, warns and returns false. */
bool rl_stream_session_set_security(struct rl_stream_connection *connection, RLStringRef name,
                                    RLTypeRef value, const char *function);

/* The slow path of rl_stream_session_of. */
struct rl_tls *rl_stream_session_make(struct rl_stream_connection *connection, int *ret_error);

/* Returns null if there is no TLS (`ret_error` is 0), or if the session cannot be created. */
static inline struct rl_tls *rl_stream_session_of(struct rl_stream_connection *connection,
                                                  int *ret_error)
{
    struct rl_tls *tls = atomic_load(&connection->tls);
    bool is_missing = !tls && connection->state >= RL_CONNECTION_SHAKING_HANDS;
    *ret_error = 0;
    return RL_UNLIKELY(is_missing) ? rl_stream_session_make(connection, ret_error) : tls;
}

/* The slow path of rl_stream_session_note. */
ssize_t rl_stream_session_note_progress(struct rl_stream_connection *connection,
                                        const struct rl_stream *stream,
                                        struct rl_tls_outcome outcome);

/*
 * Call this after each call of the session. Returns the result, or an error if a handshake exceeds
 * its time limit. When the handshake ends or the session fails, this also checks the other stream,
 * because the other stream may wait for bytes that this stream has read.
 */
static inline ssize_t rl_stream_session_note(struct rl_stream_connection *connection,
                                             const struct rl_stream *stream,
                                             struct rl_tls_outcome outcome)
{
    bool is_settled =
        outcome.progress == RL_TLS_SECURED && connection->state >= RL_CONNECTION_SECURED;
    return RL_LIKELY(is_settled) ? outcome.result
                                 : rl_stream_session_note_progress(connection, stream, outcome);
}

/* --- For the connection ----------------------------------------------------------------------- */

/* Call this when a connection was just established, with the connection locked. */
void rl_stream_session_begin(struct rl_stream_connection *connection);

/* Fails a handshake whose time limit is over, and checks the other stream. Call without a lock. */
void rl_stream_session_end_late_handshake(struct rl_stream_connection *connection,
                                          const struct rl_stream *stream);

/* Call this after both streams are closed, without a lock. A thread may send the last bytes. */
void rl_stream_session_end(struct rl_stream_connection *connection);

#endif
