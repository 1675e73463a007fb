/*
 * Connections: the states between a handle and two streams that move bytes over it.
 *
 * A connection to a host tries the host's addresses one after the other with one handle, of IPv6
 * where the system has that: such a handle reaches addresses of IPv4 too.
 *
 * Locks: a connection's lock is taken with no lock of a stream's held, and inside it only those of
 * TLS. Streams are called without locks.
 */

#include "base/system.h"

#include "sockets/stream_connection.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "base/thread.h"
#include "sockets/host_lookup.h"
#include "values/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* How long a server waits for the handshake of a client, unless it says otherwise. */
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

static void release(struct rl_stream_connection *connection)
{
    if (atomic_fetch_sub(&connection->references, 1) > 1) return;
    if (connection->host) RLRelease(connection->host);
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls) rl_tls_destroy(tls);
    rl_security_end(&connection->security);
    free(connection->addresses);
    free(connection);
}

void rl_stream_connection_tell(struct rl_stream_connection *connection, const struct rl_stream *but,
                               void (*tell)(struct rl_stream *stream))
{
    struct rl_stream *streams[2];
    rl_lock(&connection->lock);
    for (int i = 0; i < 2; i++) {
        struct rl_stream *stream = connection->streams[i];
        bool is_told = stream && stream != but && rl_object_try_retain(&stream->object);
        streams[i] = is_told ? stream : NULL;
    }
    rl_unlock(&connection->lock);
    for (int i = 0; i < 2; i++) {
        if (!streams[i]) continue;
        tell(streams[i]);
        RLRelease(streams[i]);
    }
}

/* --- The limit of time ------------------------------------------------------------------------ */

static int64_t limit_of(const struct rl_stream_connection *connection)
{
    if (connection->limit_ns >= 0) return connection->limit_ns;
    return rl_security_is_server(&connection->security) ? HANDSHAKE_OF_CLIENTS_NS : RL_NEVER_NS;
}

static bool is_going_on(const struct rl_stream_connection *connection)
{
    enum rl_stream_connection_state state = connection->state;
    return state == RL_CONNECTION_RESOLVING || state == RL_CONNECTION_CONNECTING ||
           state == RL_CONNECTION_SHAKING_HANDS;
}

static int64_t deadline_of(const struct rl_stream_connection *connection)
{
    int64_t limit_ns = limit_of(connection);
    bool has_begun = connection->begun_ns != 0 && connection->users > 0;
    bool is_limited = has_begun && limit_ns != RL_NEVER_NS && is_going_on(connection);
    return is_limited ? connection->begun_ns + limit_ns : RL_NEVER_NS;
}

static bool is_late(const struct rl_stream_connection *connection)
{
    int64_t deadline_ns = deadline_of(connection);
    return deadline_ns != RL_NEVER_NS && rl_clock_has_reached(deadline_ns);
}

/* Returns how long connecting or shaking hands may still take; RL_NEVER_NS without a limit. */
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
    rl_stream_connection_tell(connection, NULL, rl_stream_set_alarm);
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

static void fail(struct rl_stream_connection *connection, int error)
{
    connection->state = RL_CONNECTION_FAILED;
    connection->error = error;
}

/* Turns to the state of a connection that is made: the handshake begins, if there is one. */
static void be_connected(struct rl_stream_connection *connection)
{
    bool is_secured = rl_security_is_asked_for(&connection->security);
    connection->state = is_secured ? RL_CONNECTION_SHAKING_HANDS : RL_CONNECTION_PLAIN;
}

/* Begins to connect to the next address. `reason` tells why the one before it failed. Locked. */
static void try_next(struct rl_stream_connection *connection, int reason)
{
    while (connection->next < connection->count) {
        const struct rl_socket_name *name = &connection->addresses[connection->next++];
        reason = rl_socket_connect(connection->fd, &name->storage, name->length);
        if (reason == 0) be_connected(connection);
        if (reason == -EINPROGRESS) connection->state = RL_CONNECTION_CONNECTING;
        if (reason == 0 || reason == -EINPROGRESS) return;
    }
    fail(connection, reason);
}

/* Finds out whether connecting is over, and tries the next address if it has failed. Locked. */
static void look_at_handle(struct rl_stream_connection *connection)
{
    const RLRunLoopDescriptorEvents over =
        kRLRunLoopDescriptorWrite | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
    if (!(rl_socket_poll_now(connection->fd) & over)) return;
    int error = rl_socket_take_error(connection->fd);
    if (error == 0) {
        be_connected(connection);
    } else {
        rl_socket_disconnect(connection->fd);
        try_next(connection, error);
    }
}

/* Goes on with what has begun, or ends it if it takes too long. Locked. */
static void go_on(struct rl_stream_connection *connection)
{
    bool is_opening = connection->state < RL_CONNECTION_FAILED;
    if (is_opening && is_late(connection)) fail(connection, -ETIMEDOUT);
    bool is_connecting = connection->state == RL_CONNECTION_CONNECTING;
    if (is_connecting && connection->users > 0) look_at_handle(connection);
}

static int result_of(const struct rl_stream_connection *connection)
{
    if (connection->state == RL_CONNECTION_FAILED) return connection->error;
    if (connection->state > RL_CONNECTION_FAILED) return 0;
    return connection->users > 0 ? -EINPROGRESS : -ECANCELED;
}

/* Wakes the waiting threads, which look again. */
static void tell_change(struct rl_stream_connection *connection)
{
    atomic_fetch_add(&connection->changes, 1);
    if (atomic_load(&connection->waiters) > 0) rl_kernel_futex_wake_all(&connection->changes);
}

/* Takes what a look-up found, on its thread. */
static void take_addresses(void *context, const struct rl_lookup_answer *answer)
{
    struct rl_stream_connection *connection = context;
    struct addrinfo *found = answer->addresses;
    rl_lock(&connection->lock);
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        rl_stream_connection_add_address(connection, each->ai_addr, each->ai_addrlen);
    }
    if (connection->users > 0 && connection->state == RL_CONNECTION_RESOLVING) {
        try_next(connection, answer->error ? -answer->error : -EHOSTUNREACH);
    }
    rl_unlock(&connection->lock);
    if (found) freeaddrinfo(found);
    tell_change(connection);
    rl_stream_connection_tell(connection, NULL, rl_stream_look);
    release(connection);
}

static bool is_resolving(void *context)
{
    struct rl_stream_connection *connection = context;
    rl_lock(&connection->lock);
    bool result = connection->users > 0 && connection->state == RL_CONNECTION_RESOLVING;
    rl_unlock(&connection->lock);
    return result;
}

static void resolve(struct rl_stream_connection *connection)
{
    static const struct rl_lookup_asker asker = {is_resolving, take_addresses};
    atomic_fetch_add(&connection->references, 1);
    rl_lookup_begin(rl_string_characters(connection->host), connection->port, connection->family,
                    &asker, connection);
}

/*
 * Begins what has not begun yet. Returns whether the name of the host has to be resolved. Locked.
 */
static bool begin(struct rl_stream_connection *connection)
{
    bool resolves = connection->host;
    if (connection->users == 0) return false;
    if (resolves) {
        connection->state = RL_CONNECTION_RESOLVING;
    } else {
        try_next(connection, -EHOSTUNREACH);
    }
    return resolves;
}

/* Begins to connect, or goes on with what has begun. Returns as `open` of a class. */
static int begin_or_go_on(struct rl_stream_connection *connection)
{
    bool resolves = false;
    rl_lock(&connection->lock);
    if (connection->begun_ns == 0) connection->begun_ns = rl_clock_now_ns();
    if (connection->state == RL_CONNECTION_NEW) {
        resolves = begin(connection);
    } else {
        go_on(connection);
    }
    int result = result_of(connection);
    rl_unlock(&connection->lock);
    if (!resolves) return result;
    resolve(connection);
    rl_lock(&connection->lock);
    result = result_of(connection);
    rl_unlock(&connection->lock);
    return result;
}

/* Sleeps until the connection's `changes` differ, or until a moment of the kernel's clock. */
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

/* Blocks until it is time to go on. Returns a negative errno value if the stream is closed. */
static int wait_to_go_on(struct rl_stream_connection *connection, struct rl_watch *watch)
{
    /* Read before the look at the state, so that a later change is seen. */
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
        int result = begin_or_go_on(connection);
        if (result != -EINPROGRESS || !waits) return result;
        result = wait_to_go_on(connection, &stream->watch);
        if (result < 0) return result;
    }
}

/* --- The session ------------------------------------------------------------------------------ */

bool rl_stream_connection_secure(struct rl_stream_connection *connection, RLStringRef name,
                                 RLTypeRef value, const char *function)
{
    rl_lock(&connection->lock);
    bool has_session = atomic_load(&connection->tls);
    bool is_set = !has_session &&
                  rl_security_set(&connection->security, connection->host, name, value, function);
    if (is_set && connection->state >= RL_CONNECTION_PLAIN) be_connected(connection);
    if (is_set && connection->begun_ns != 0) connection->begun_ns = rl_clock_now_ns();
    bool takes_anybody = is_set && rl_security_takes_anybody(&connection->security);
    rl_unlock(&connection->lock);
    RL_HINT(takes_anybody, function,
            "the peer's certificate is not checked, so that anybody can be the peer: "
            "kRLStreamSSLValidatesCertificateChain is false");
    if (has_session) {
        rl_warn(function, "%s is not taken: the connection is secured already",
                rl_string_characters(name));
    }
    return is_set;
}

struct rl_tls *rl_stream_connection_make_session(struct rl_stream_connection *connection,
                                                 int *ret_error)
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

/* Turns to a later state of the session. Returns whether it is a new one. */
static bool turn(struct rl_stream_connection *connection, enum rl_stream_connection_state state)
{
    if (connection->state >= state) return false;
    rl_lock(&connection->lock);
    bool is_new = connection->state < state;
    if (is_new) connection->state = state;
    rl_unlock(&connection->lock);
    return is_new;
}

static void take_progress(struct rl_stream_connection *connection, const struct rl_stream *but)
{
    const enum rl_stream_connection_state states[] = {
        [RL_TLS_SHAKING_HANDS] = RL_CONNECTION_SHAKING_HANDS,
        [RL_TLS_SECURED] = RL_CONNECTION_SECURED,
        [RL_TLS_FAILED] = RL_CONNECTION_BROKEN,
    };
    if (!turn(connection, states[rl_tls_progress(atomic_load(&connection->tls))])) return;
    rl_stream_connection_tell(connection, NULL, rl_stream_set_alarm);
    rl_stream_connection_tell(connection, but, rl_stream_look);
}

/* Ends a handshake that takes too long. Returns whether it has. */
static bool end_late_handshake(struct rl_stream_connection *connection)
{
    if (connection->state != RL_CONNECTION_SHAKING_HANDS) return false;
    rl_lock(&connection->lock);
    bool ends = is_late(connection);
    rl_unlock(&connection->lock);
    if (ends) rl_tls_give_up(atomic_load(&connection->tls), -ETIMEDOUT);
    return ends;
}

ssize_t rl_stream_connection_note(struct rl_stream_connection *connection,
                                  const struct rl_stream *stream, ssize_t result)
{
    if (result == -EAGAIN && end_late_handshake(connection)) result = -ETIMEDOUT;
    take_progress(connection, stream);
    return result;
}

void rl_stream_connection_give_up(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    int error;
    rl_lock(&connection->lock);
    go_on(connection);
    rl_unlock(&connection->lock);
    /* If the peer has sent nothing, the session is not made yet. */
    struct rl_tls *tls = rl_stream_connection_session(connection, &error);
    if (error < 0) (void)turn(connection, RL_CONNECTION_BROKEN);
    if (tls && end_late_handshake(connection)) take_progress(connection, stream);
    rl_stream_look(stream);
    rl_stream_connection_tell(connection, stream, rl_stream_look);
}

/* --- Closing ---------------------------------------------------------------------------------- */

/* The most threads that wait for peers to read. Beyond that, peers see a truncated end. */
enum { MOST_LINGERING = 64 };
static atomic_uint lingering;

/*
 * Sends what is unsent and a close_notify, without which the peer takes the end for an error. Waits
 * for room, for `most_ns` at most.
 */
static void end_session(struct rl_tls *tls, int fd, int64_t most_ns)
{
    int64_t deadline_ns = rl_kernel_monotonic_ns() + most_ns;
    while (rl_tls_end(tls, fd) == -EAGAIN) {
        if (rl_socket_wait(fd, kRLRunLoopDescriptorWrite, -1, deadline_ns) < 0) return;
    }
}

static void *send_last_bytes(void *context)
{
    const int64_t most_ns = 10000000000;
    struct rl_stream_connection *connection = context;
    end_session(atomic_load(&connection->tls), connection->lingering_fd, most_ns);
    rl_kernel_close(&connection->lingering_fd);
    release(connection);
    atomic_fetch_sub(&lingering, 1);
    return NULL;
}

/* Has a thread with its own handle send what there is no room for: a loop must not wait. */
static void begin_to_linger(struct rl_stream_connection *connection)
{
    bool may_linger = atomic_fetch_add(&lingering, 1) < MOST_LINGERING;
    connection->lingering_fd = may_linger ? rl_kernel_duplicate(connection->fd) : -1;
    atomic_fetch_add(&connection->references, 1);
    if (connection->lingering_fd >= 0 && rl_thread_start(send_last_bytes, connection) == 0) return;
    rl_kernel_close(&connection->lingering_fd);
    release(connection);
    atomic_fetch_sub(&lingering, 1);
}

/* Ends a connection whose streams are both closed: no other code uses the handle. */
static void end_connection(struct rl_stream_connection *connection)
{
    const int64_t most_ns = 1000000000;
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls && rl_tls_end(tls, connection->fd) == -EAGAIN) {
        if (connection->was_scheduled) {
            begin_to_linger(connection);
        } else {
            end_session(tls, connection->fd, most_ns);
        }
    }
    rl_lock(&connection->lock);
    if (atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
    rl_unlock(&connection->lock);
}

void rl_stream_connection_close(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    rl_lock(&connection->lock);
    if (atomic_load(&stream->was_scheduled)) connection->was_scheduled = true;
    bool is_last = --connection->users == 0;
    rl_unlock(&connection->lock);
    /* The other stream may use the handle. */
    if (is_last) end_connection(connection);
    tell_change(connection);
}

void rl_stream_connection_leave(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    rl_lock(&connection->lock);
    connection->streams[stream->is_writer] = NULL;
    rl_unlock(&connection->lock);
    release(connection);
}
