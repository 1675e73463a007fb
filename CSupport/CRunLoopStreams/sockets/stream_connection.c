/*
 * A connection to a host tries the host's addresses one after another with the same socket. The
 * socket has family AF_INET6 if the system supports it, which also reaches IPv4 addresses.
 *
 * Locks: no lock of a stream is held when a connection's lock is taken, and only the locks of TLS
 * are taken while it is held. Streams are called without locks.
 */

#include "base/system.h"

#include "sockets/stream_connection.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "sockets/host_lookup.h"
#include "sockets/stream_session.h"
#include "values/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A server's default time limit for the TLS handshake with a client. */
#define HANDSHAKE_OF_CLIENTS_NS INT64_C(60000000000)

struct rl_stream_connection *rl_stream_connection_create(int fd,
                                                         const struct rl_stream_class *class,
                                                         RLReadStreamRef *ret_reader,
                                                         RLWriteStreamRef *ret_writer)
{
    unsigned count = (ret_reader ? 1u : 0u) + (ret_writer ? 1u : 0u);
    if (ret_reader) *ret_reader = NULL;
    if (ret_writer) *ret_writer = NULL;
    if (fd < 0 || count == 0) return NULL;
    struct rl_stream_connection *connection = rl_allocate(sizeof *connection);
    struct rl_stream **streams = connection->streams;
    atomic_init(&connection->references, count);
    connection->users = count;
    connection->fd = fd;
    connection->limit_ns = -1;
    if (ret_reader) streams[0] = rl_stream_create(class, false, fd, connection);
    if (ret_reader) *ret_reader = rl_read_stream_ref(streams[0]);
    if (ret_writer) streams[1] = rl_stream_create(class, true, fd, connection);
    if (ret_writer) *ret_writer = rl_write_stream_ref(streams[1]);
    return connection;
}

void rl_stream_connection_retain(struct rl_stream_connection *connection)
{
    atomic_fetch_add(&connection->references, 1);
}

void rl_stream_connection_release(struct rl_stream_connection *connection)
{
    if (atomic_fetch_sub(&connection->references, 1) > 1) return;
    if (connection->host) RLRelease(connection->host);
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls) rl_tls_destroy(tls);
    rl_security_end(&connection->security);
    free(connection->addresses);
    free(connection);
}

void rl_stream_connection_apply(struct rl_stream_connection *connection,
                                const struct rl_stream *but,
                                void (*function)(struct rl_stream *stream))
{
    struct rl_stream *streams[2];
    rl_lock(&connection->lock);
    for (int i = 0; i < 2; i++) {
        struct rl_stream *stream = connection->streams[i];
        bool is_included = stream && stream != but && rl_object_try_retain(&stream->object);
        streams[i] = is_included ? stream : NULL;
    }
    rl_unlock(&connection->lock);
    for (int i = 0; i < 2; i++) {
        if (!streams[i]) continue;
        function(streams[i]);
        RLRelease(streams[i]);
    }
}

/* --- The limit of time ------------------------------------------------------------------------ */

static int64_t limit_of(const struct rl_stream_connection *connection)
{
    if (connection->limit_ns >= 0) return connection->limit_ns;
    return rl_security_is_server(&connection->security) ? HANDSHAKE_OF_CLIENTS_NS : RL_NEVER_NS;
}

static int64_t deadline_of(const struct rl_stream_connection *connection)
{
    enum rl_stream_connection_state state = connection->state;
    bool is_under_way = state == RL_CONNECTION_RESOLVING || state == RL_CONNECTION_CONNECTING ||
                        state == RL_CONNECTION_SHAKING_HANDS;
    bool has_begun = connection->begun_ns != 0 && connection->users > 0;
    int64_t limit_ns = limit_of(connection);
    bool is_limited = has_begun && is_under_way && limit_ns != RL_NEVER_NS;
    return is_limited ? connection->begun_ns + limit_ns : RL_NEVER_NS;
}

bool rl_stream_connection_is_late(const struct rl_stream_connection *connection)
{
    int64_t deadline_ns = deadline_of(connection);
    return deadline_ns != RL_NEVER_NS && rl_clock_has_reached(deadline_ns);
}

/* Returns RL_NEVER_NS if there is no limit. */
static int64_t left_ns_of(struct rl_stream_connection *connection)
{
    rl_lock(&connection->lock);
    int64_t deadline_ns = deadline_of(connection);
    rl_unlock(&connection->lock);
    return deadline_ns == RL_NEVER_NS ? RL_NEVER_NS : deadline_ns - rl_clock_now_ns();
}

RLTimeInterval rl_stream_connection_time_left(struct rl_stream *stream)
{
    int64_t left_ns = left_ns_of(stream->transport);
    if (left_ns == RL_NEVER_NS) return NAN;
    return left_ns > 0 ? (double)left_ns / 1e9 : 0;
}

int64_t rl_stream_connection_last_moment(struct rl_stream_connection *connection)
{
    int64_t left_ns = left_ns_of(connection);
    return left_ns == RL_NEVER_NS ? RL_NEVER_NS : rl_kernel_monotonic_ns() + left_ns;
}

int64_t rl_stream_connection_limit(struct rl_stream_connection *connection)
{
    rl_lock(&connection->lock);
    int64_t limit_ns = limit_of(connection);
    rl_unlock(&connection->lock);
    return limit_ns;
}

void rl_stream_connection_set_limit(struct rl_stream_connection *connection, int64_t limit_ns)
{
    rl_lock(&connection->lock);
    connection->limit_ns = limit_ns;
    rl_unlock(&connection->lock);
    rl_stream_connection_apply(connection, NULL, rl_stream_set_alarm);
}

/* --- Connecting ------------------------------------------------------------------------------- */

void rl_stream_connection_add_address(struct rl_stream_connection *connection, const void *address,
                                      size_t length)
{
    if (length > sizeof(struct sockaddr_storage)) return;
    connection->addresses = rl_reallocate(connection->addresses,
                                          (connection->count + 1) * sizeof(struct rl_socket_name));
    struct rl_socket_name *name = &connection->addresses[connection->count++];
    *name = (struct rl_socket_name){.length = (socklen_t)length};
    memcpy(&name->storage, address, length);
}

static void fail_connection(struct rl_stream_connection *connection, int error)
{
    connection->state = RL_CONNECTION_FAILED;
    connection->error = error;
}

/*
 * Connects to the next address. `reason` is the error of the previous address. Call this with the
 * connection locked.
 */
static void try_next_address(struct rl_stream_connection *connection, int reason)
{
    while (connection->next < connection->count) {
        const struct rl_socket_name *name = &connection->addresses[connection->next++];
        reason = rl_socket_connect(connection->fd, &name->storage, name->length);
        if (reason == 0) rl_stream_session_begin(connection);
        if (reason == -EINPROGRESS) connection->state = RL_CONNECTION_CONNECTING;
        if (reason == 0 || reason == -EINPROGRESS) return;
    }
    fail_connection(connection, reason);
}

/*
 * Checks whether the handle is connected. If connecting has failed, tries the next address. Call
 * this with the connection locked.
 */
static void poll_handle(struct rl_stream_connection *connection)
{
    const RLRunLoopDescriptorEvents over =
        kRLRunLoopDescriptorWrite | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
    if (!(rl_socket_poll_now(connection->fd) & over)) return;
    int error = rl_socket_take_error(connection->fd);
    if (error == 0) {
        rl_stream_session_begin(connection);
    } else {
        rl_socket_disconnect(connection->fd);
        try_next_address(connection, error);
    }
}

static void continue_connecting(struct rl_stream_connection *connection)
{
    if (connection->state >= RL_CONNECTION_FAILED) return;
    if (rl_stream_connection_is_late(connection)) {
        fail_connection(connection, -ETIMEDOUT);
    } else if (connection->state == RL_CONNECTION_CONNECTING && connection->users > 0) {
        poll_handle(connection);
    }
}

static int result_of(const struct rl_stream_connection *connection)
{
    if (connection->state == RL_CONNECTION_FAILED) return connection->error;
    if (connection->state > RL_CONNECTION_FAILED) return 0;
    return connection->users > 0 ? -EINPROGRESS : -ECANCELED;
}

static void notify_waiters(struct rl_stream_connection *connection)
{
    atomic_fetch_add(&connection->changes, 1);
    if (atomic_load(&connection->waiters) > 0) rl_kernel_futex_wake_all(&connection->changes);
}

static void take_addresses(void *context, const struct rl_lookup_answer *answer)
{
    struct rl_stream_connection *connection = context;
    struct addrinfo *found = answer->addresses;
    rl_lock(&connection->lock);
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        rl_stream_connection_add_address(connection, each->ai_addr, each->ai_addrlen);
    }
    if (connection->users > 0 && connection->state == RL_CONNECTION_RESOLVING) {
        try_next_address(connection, answer->error ? -answer->error : -EHOSTUNREACH);
    }
    rl_unlock(&connection->lock);
    if (found) freeaddrinfo(found);
    notify_waiters(connection);
    rl_stream_connection_apply(connection, NULL, rl_stream_check);
    rl_stream_connection_release(connection);
}

static bool is_resolving(void *context)
{
    struct rl_stream_connection *connection = context;
    rl_lock(&connection->lock);
    bool result = connection->users > 0 && connection->state == RL_CONNECTION_RESOLVING;
    rl_unlock(&connection->lock);
    return result;
}

static const struct rl_lookup_requester requester = {is_resolving, take_addresses};

/* Returns the same values as `open` of a stream class. */
static int begin_or_continue(struct rl_stream_connection *connection)
{
    bool resolves = false;
    rl_lock(&connection->lock);
    if (connection->begun_ns == 0) connection->begun_ns = rl_clock_now_ns();
    if (connection->state != RL_CONNECTION_NEW) {
        continue_connecting(connection);
    } else if (connection->users > 0 && connection->host) {
        connection->state = RL_CONNECTION_RESOLVING;
        resolves = true;
    } else if (connection->users > 0) {
        try_next_address(connection, -EHOSTUNREACH);
    }
    int result = result_of(connection);
    rl_unlock(&connection->lock);
    if (!resolves) return result;

    rl_stream_connection_retain(connection);
    rl_lookup_begin(rl_string_characters(connection->host), connection->port, connection->family,
                    &requester, connection);
    rl_lock(&connection->lock);
    result = result_of(connection);
    rl_unlock(&connection->lock);
    return result;
}

/* Returns at `moment_ns` of the monotonic clock at the latest. */
static void sleep_until_changed(struct rl_stream_connection *connection, unsigned changes,
                                int64_t moment_ns)
{
    atomic_fetch_add(&connection->waiters, 1);
    if (moment_ns == RL_NEVER_NS) {
        rl_kernel_futex_wait(&connection->changes, changes);
    } else {
        int64_t left_ns = moment_ns - rl_kernel_monotonic_ns();
        rl_kernel_futex_wait_for(&connection->changes, changes, left_ns > 0 ? left_ns : 1);
    }
    atomic_fetch_sub(&connection->waiters, 1);
}

/* Blocks until connecting can continue or the time limit is over. */
static int wait_for_progress(struct rl_stream_connection *connection, struct rl_watch *watch)
{
    /* Reads `changes` before the state, so a later change of the state is detected. */
    unsigned changes = atomic_load(&connection->changes);
    enum rl_stream_connection_state state = connection->state;
    int64_t moment_ns = rl_stream_connection_last_moment(connection);
    if (state == RL_CONNECTION_CONNECTING) {
        int result = rl_watch_wait(watch, kRLRunLoopDescriptorWrite, moment_ns);
        return result == -ETIMEDOUT ? 0 : result;
    }
    if (rl_watch_descriptor(watch) < 0) return -ECANCELED;
    if (state == RL_CONNECTION_RESOLVING) sleep_until_changed(connection, changes, moment_ns);
    return 0;
}

int rl_stream_connection_open(struct rl_stream *stream, bool waits)
{
    struct rl_stream_connection *connection = stream->transport;
    for (;;) {
        int result = begin_or_continue(connection);
        if (result != -EINPROGRESS || !waits) return result;
        result = wait_for_progress(connection, &stream->watch);
        if (result < 0) return result;
    }
}

void rl_stream_connection_give_up(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    rl_lock(&connection->lock);
    continue_connecting(connection);
    rl_unlock(&connection->lock);
    rl_stream_session_end_late_handshake(connection, stream);
    rl_stream_check(stream);
    rl_stream_connection_apply(connection, stream, rl_stream_check);
}

/* --- Closing ---------------------------------------------------------------------------------- */

void rl_stream_connection_close(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    rl_lock(&connection->lock);
    if (atomic_load(&stream->was_scheduled)) connection->was_scheduled = true;
    bool is_last = --connection->users == 0;
    rl_unlock(&connection->lock);
    if (is_last) {
        /* Both streams are closed, so no other code uses the handle. */
        rl_stream_session_end(connection);
        rl_lock(&connection->lock);
        if (atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
        rl_unlock(&connection->lock);
    }
    notify_waiters(connection);
}

void rl_stream_connection_leave(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    rl_lock(&connection->lock);
    connection->streams[stream->is_writer] = NULL;
    rl_unlock(&connection->lock);
    rl_stream_connection_release(connection);
}
