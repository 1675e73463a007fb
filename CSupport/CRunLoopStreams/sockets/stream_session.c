/*
 * Locks: no lock of a stream is held when a connection's lock is taken, and only the locks of TLS
 * are taken while it is held. Streams are called without locks.
 */

#include "base/system.h"

#include "sockets/stream_session.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "base/thread.h"
#include "values/value.h"

#include <errno.h>

/* --- The beginning ---------------------------------------------------------------------------- */

void rl_stream_session_begin(struct rl_stream_connection *connection)
{
    bool is_secured = rl_security_is_requested(&connection->security);
    connection->state = is_secured ? RL_CONNECTION_SHAKING_HANDS : RL_CONNECTION_PLAIN;
}

bool rl_stream_session_set_security(struct rl_stream_connection *connection, RLStringRef name,
                                    RLTypeRef value, const char *function)
{
    rl_lock(&connection->lock);
    bool has_session = atomic_load(&connection->tls);
    bool is_set = !has_session &&
                  rl_security_set(&connection->security, connection->host, name, value, function);
    if (is_set && connection->state >= RL_CONNECTION_PLAIN) rl_stream_session_begin(connection);
    if (is_set && connection->begun_ns != 0) connection->begun_ns = rl_clock_now_ns();
    bool takes_anybody = is_set && rl_security_takes_anybody(&connection->security);
    rl_unlock(&connection->lock);
    RL_HINT(takes_anybody, function,
            "kRLStreamSSLValidatesCertificateChain is false, so anyone can pose as the peer: leave "
            "validation on, and trust your own certificate by kRLStreamSSLAuthorities");
    if (has_session) {
        rl_warn(
            function,
            "cannot set %s after the TLS handshake has begun: set it before you open the streams",
            rl_string_characters(name));
    }
    return is_set;
}

struct rl_tls *rl_stream_session_make(struct rl_stream_connection *connection, int *ret_error)
{
    rl_lock(&connection->lock);
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (!tls && connection->state >= RL_CONNECTION_SHAKING_HANDS) {
        struct rl_tls_settings settings;
        rl_security_get(&connection->security, connection->host, &settings);
        tls = rl_tls_create(&settings, ret_error);
        atomic_store(&connection->tls, tls);
    }
    rl_unlock(&connection->lock);
    return tls;
}

/* --- The handshake ---------------------------------------------------------------------------- */

static bool advance_session(struct rl_stream_connection *connection,
                            enum rl_stream_connection_state state)
{
    if (connection->state >= state) return false;
    rl_lock(&connection->lock);
    bool is_new = connection->state < state;
    if (is_new) connection->state = state;
    rl_unlock(&connection->lock);
    return is_new;
}

static void take_progress(struct rl_stream_connection *connection, const struct rl_stream *but,
                          enum rl_tls_progress progress)
{
    const enum rl_stream_connection_state states[] = {
        [RL_TLS_SHAKING_HANDS] = RL_CONNECTION_SHAKING_HANDS,
        [RL_TLS_SECURED] = RL_CONNECTION_SECURED,
        [RL_TLS_FAILED] = RL_CONNECTION_BROKEN,
    };
    if (!advance_session(connection, states[progress])) return;
    rl_stream_connection_apply(connection, NULL, rl_stream_set_alarm);
    rl_stream_connection_apply(connection, but, rl_stream_check);
}

/* If the time limit is over, makes the handshake fail. Returns whether the limit is over. */
static bool fail_late_handshake(struct rl_stream_connection *connection,
                                const struct rl_stream *but)
{
    if (connection->state != RL_CONNECTION_SHAKING_HANDS) return false;
    struct rl_tls *tls = atomic_load(&connection->tls);
    rl_lock(&connection->lock);
    bool is_late = rl_stream_connection_is_late(connection);
    rl_unlock(&connection->lock);
    if (is_late) take_progress(connection, but, rl_tls_give_up(tls, -ETIMEDOUT));
    return is_late;
}

ssize_t rl_stream_session_note_progress(struct rl_stream_connection *connection,
                                        const struct rl_stream *stream,
                                        struct rl_tls_outcome outcome)
{
    if (outcome.result == -EAGAIN && fail_late_handshake(connection, stream)) return -ETIMEDOUT;
    take_progress(connection, stream, outcome.progress);
    return outcome.result;
}

void rl_stream_session_end_late_handshake(struct rl_stream_connection *connection,
                                          const struct rl_stream *stream)
{
    int error;
    /* If the peer has sent nothing yet, there is no session, and this call creates it. */
    struct rl_tls *tls = rl_stream_session_of(connection, &error);
    if (error < 0) (void)advance_session(connection, RL_CONNECTION_BROKEN);
    if (tls) (void)fail_late_handshake(connection, stream);
}

/* --- The end ---------------------------------------------------------------------------------- */

/*
 * The maximum number of threads that wait for peers to read. If there are more connections, unsent
 * bytes are lost, and peers report a truncated stream.
 */
enum { MOST_LINGERING = 64 };
static atomic_uint lingering;

/* Without a close_notify, the peer treats EOF as an error. Blocks for at most `most_ns`. */
static void send_last_bytes(struct rl_tls *tls, int fd, int64_t most_ns)
{
    int64_t deadline_ns = rl_kernel_monotonic_ns() + most_ns;
    while (rl_tls_end(tls, fd) == -EAGAIN) {
        if (rl_socket_wait(fd, kRLRunLoopDescriptorWrite, -1, deadline_ns) < 0) return;
    }
}

static void *linger_on_thread(void *context)
{
    const int64_t most_ns = 10000000000;
    struct rl_stream_connection *connection = context;
    send_last_bytes(atomic_load(&connection->tls), connection->lingering_fd, most_ns);
    rl_kernel_close(&connection->lingering_fd);
    rl_stream_connection_release(connection);
    atomic_fetch_sub(&lingering, 1);
    return NULL;
}

/* A loop must not block, so a thread sends the last bytes, with a duplicate of the handle. */
static void begin_to_linger(struct rl_stream_connection *connection)
{
    bool may_linger = atomic_fetch_add(&lingering, 1) < MOST_LINGERING;
    connection->lingering_fd = may_linger ? rl_kernel_duplicate(connection->fd) : -1;
    rl_stream_connection_retain(connection);
    if (connection->lingering_fd >= 0 && rl_thread_start(linger_on_thread, connection) == 0) return;
    rl_kernel_close(&connection->lingering_fd);
    rl_stream_connection_release(connection);
    atomic_fetch_sub(&lingering, 1);
}

void rl_stream_session_end(struct rl_stream_connection *connection)
{
    const int64_t most_ns = 1000000000;
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (!tls || rl_tls_end(tls, connection->fd) != -EAGAIN) return;
    if (connection->was_scheduled) {
        begin_to_linger(connection);
    } else {
        send_last_bytes(tls, connection->fd, most_ns);
    }
}
