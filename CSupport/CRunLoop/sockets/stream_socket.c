/*
 * Streams over sockets: two of them share a connection, which is made when the first is opened.
 *
 * A connection to a host tries the host's addresses one after the other with one handle, of IPv6
 * where the system has that: such a handle reaches addresses of IPv4 too.
 */

#include "base/system.h"

#include "sockets/stream.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "base/thread.h"
#include "sockets/host_lookup.h"
#include "sockets/stream_security.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>
#include <CRunLoop/RLStreamSecurity.h>

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>

/* How long a server waits for the handshake of a client, unless it says otherwise. */
#define HANDSHAKE_OF_CLIENTS_NS INT64_C(60000000000)

enum progress { NOT_BEGUN, LOOKING_UP, CONNECTING, CONNECTED, FAILED };

struct connection {
    /* One reference for each stream, and one for a look-up. */
    atomic_uint references;
    atomic_bool closes;
    /*
     * Changes when the name was looked up, and when a stream is closed. Waiting threads sleep on
     * it.
     */
    atomic_uint changes;
    /* How many do: for nobody there is no system call. */
    atomic_uint waiters;
    /* Guards what follows. */
    struct rl_lock lock;
    /*
     * The handle; -1 once it is closed. A stream that moves bytes uses it through its watch
     * instead.
     */
    int fd;
    /* How many streams are not closed. When there are none, the handle may be another file's. */
    unsigned users;
    /* Not retained: each stream takes itself out when it is destroyed. */
    struct rl_stream *streams[2];
    enum progress progress;
    int error;
    /* Null if the addresses are known. */
    RLStringRef host;
    unsigned port;
    /* Of the handle, for a host's addresses. */
    int family;
    struct rl_socket_name *addresses;
    size_t count;
    size_t next;
    struct rl_security security;
    /* When the connection, or a handshake on it, has begun; 0 before the first stream is opened. */
    int64_t begun_ns;
    /* How long it may take from then on, if a client has said so. */
    int64_t most_ns;
    bool has_limit;
    /* Whether a stream that is closed had been in a loop or on a queue. */
    bool was_scheduled;
    /* The handle of the thread that sends the last of what is secured. */
    int lingering_fd;
    /* Whether security was asked for: so that those without it take no lock to find out. */
    atomic_bool is_secured;
    /* Made when it is first needed; stays until the end, and so is read without the lock. */
    _Atomic(struct rl_tls *) tls;
    /* How far the session was when the streams last told each other. */
    atomic_uint told_progress;
};

static void add_address(struct connection *connection, const void *address, size_t length)
{
    if (length > sizeof(struct sockaddr_storage)) return;
    connection->addresses = rl_reallocate(connection->addresses,
                                          (connection->count + 1) * sizeof(struct rl_socket_name));
    struct rl_socket_name *name = &connection->addresses[connection->count++];
    *name = (struct rl_socket_name){.length = (socklen_t)length};
    memcpy(&name->storage, address, length);
}

/* Begins to connect to the next address. `reason` tells why the one before it failed. */
static void try_next(struct connection *connection, int reason)
{
    while (connection->next < connection->count) {
        const struct rl_socket_name *name = &connection->addresses[connection->next++];
        reason = rl_socket_connect(connection->fd, &name->storage, name->length);
        if (reason == 0) connection->progress = CONNECTED;
        if (reason == -EINPROGRESS) connection->progress = CONNECTING;
        if (reason == 0 || reason == -EINPROGRESS) return;
    }
    connection->progress = FAILED;
    connection->error = reason;
}

/* --- The limit of time --- */

static int64_t limit_of(const struct connection *connection)
{
    if (connection->has_limit) return connection->most_ns;
    return rl_security_is_server(&connection->security) ? HANDSHAKE_OF_CLIENTS_NS : RL_NEVER_NS;
}

static bool is_connecting(const struct connection *connection)
{
    return connection->progress == LOOKING_UP || connection->progress == CONNECTING;
}

/* Returns whether the handshake is still to end. Locked. */
static bool is_shaking_hands(const struct connection *connection)
{
    return connection->progress == CONNECTED && atomic_load(&connection->is_secured) &&
           atomic_load(&connection->told_progress) == RL_TLS_SHAKING_HANDS;
}

/* Returns when it is too late for what is going on, by the clock of the thread's loop. Locked. */
static int64_t deadline_of(const struct connection *connection)
{
    int64_t most_ns = limit_of(connection);
    bool is_limited = connection->begun_ns != 0 && connection->users > 0 && most_ns != RL_NEVER_NS;
    if (!is_limited || (!is_connecting(connection) && !is_shaking_hands(connection))) {
        return RL_NEVER_NS;
    }
    return connection->begun_ns + most_ns;
}

static bool is_late(const struct connection *connection)
{
    int64_t deadline_ns = deadline_of(connection);
    return deadline_ns != RL_NEVER_NS && rl_clock_has_reached(deadline_ns);
}

/* Returns how long a call may wait, as a moment of the kernel's clock. */
static int64_t last_moment(struct connection *connection)
{
    rl_lock(&connection->lock);
    int64_t deadline_ns = deadline_of(connection);
    rl_unlock(&connection->lock);
    if (deadline_ns == RL_NEVER_NS) return RL_NEVER_NS;
    return rl_kernel_monotonic_ns() + deadline_ns - rl_clock_now_ns();
}

static RLTimeInterval time_left(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    int64_t deadline_ns = deadline_of(connection);
    rl_unlock(&connection->lock);
    if (deadline_ns == RL_NEVER_NS) return NAN;
    int64_t left_ns = deadline_ns - rl_clock_now_ns();
    return left_ns > 0 ? (double)left_ns / 1e9 : 0;
}

static int result_of(const struct connection *connection)
{
    switch (connection->progress) {
    case CONNECTED: return 0;
    case FAILED: return connection->error;
    default: return connection->users > 0 ? -EINPROGRESS : -ECANCELED;
    }
}

/* Wakes the waiting threads, which look again. */
static void tell_change(struct connection *connection)
{
    atomic_fetch_add(&connection->changes, 1);
    if (atomic_load(&connection->waiters) > 0) rl_kernel_futex_wake_all(&connection->changes);
}

static void give_up_connection(struct connection *connection)
{
    if (atomic_fetch_sub(&connection->references, 1) > 1) return;
    if (connection->host) RLRelease(connection->host);
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls) rl_tls_destroy(tls);
    rl_security_end(&connection->security);
    free(connection->addresses);
    free(connection);
}

/* Takes what a look-up found, on its thread. */
static void take_addresses(void *context, int failure, struct addrinfo *found)
{
    struct connection *connection = context;
    struct rl_stream *streams[2] = {NULL, NULL};
    rl_lock(&connection->lock);
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        add_address(connection, each->ai_addr, each->ai_addrlen);
    }
    if (connection->users > 0 && connection->progress == LOOKING_UP) {
        try_next(connection, failure ? failure : -EHOSTUNREACH);
    }
    for (int i = 0; i < 2; i++) {
        struct rl_stream *stream = connection->streams[i];
        if (stream && rl_object_try_retain(&stream->object)) streams[i] = stream;
    }
    rl_unlock(&connection->lock);
    if (found) freeaddrinfo(found);
    tell_change(connection);
    for (int i = 0; i < 2; i++) {
        if (!streams[i]) continue;
        rl_stream_proceed(streams[i]);
        RLRelease(streams[i]);
    }
    give_up_connection(connection);
}

/*
 * Finds out whether connecting is over or takes too long, and tries the next address if it has
 * failed. Locked.
 */
static void look_at(struct connection *connection)
{
    const RLRunLoopDescriptorEvents over =
        kRLRunLoopDescriptorWrite | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
    if (is_connecting(connection) && is_late(connection)) {
        connection->progress = FAILED;
        connection->error = -ETIMEDOUT;
    }
    if (connection->progress != CONNECTING || connection->users == 0) return;
    if (!(rl_socket_poll_now(connection->fd) & over)) return;
    int error = rl_socket_take_error(connection->fd);
    if (error != 0) {
        rl_socket_disconnect(connection->fd);
        try_next(connection, error);
    } else {
        connection->progress = CONNECTED;
    }
}

static int begin_connection(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    if (connection->begun_ns == 0) connection->begun_ns = rl_clock_now_ns();
    bool begins = connection->progress == NOT_BEGUN && connection->users > 0;
    bool looks_up = begins && connection->host;
    if (looks_up) {
        connection->progress = LOOKING_UP;
        atomic_fetch_add(&connection->references, 1);
    } else if (begins) {
        try_next(connection, -EHOSTUNREACH);
    }
    rl_unlock(&connection->lock);
    if (looks_up) {
        rl_lookup_begin(rl_string_characters(connection->host), connection->port,
                        connection->family, take_addresses, connection);
    }
    rl_lock(&connection->lock);
    /*
     * What the other stream has begun may be done by now, and then there is nothing to watch for.
     */
    if (!begins) look_at(connection);
    int result = result_of(connection);
    rl_unlock(&connection->lock);
    return result;
}

static bool is_preparing(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    bool is_preparing = connection->progress == LOOKING_UP;
    rl_unlock(&connection->lock);
    return is_preparing;
}

static int go_on(struct rl_stream *stream, bool waits)
{
    struct connection *connection = stream->transport;
    for (;;) {
        unsigned changes = atomic_load(&connection->changes);
        rl_lock(&connection->lock);
        look_at(connection);
        int result = result_of(connection);
        bool looks_up = connection->progress == LOOKING_UP;
        rl_unlock(&connection->lock);
        if (result != -EINPROGRESS || !waits) return result;
        if (!looks_up) {
            result =
                rl_watch_wait(&stream->watch, kRLRunLoopDescriptorWrite, last_moment(connection));
            if (result < 0 && result != -ETIMEDOUT) return result;
        } else if (rl_watch_descriptor(&stream->watch) < 0) {
            return -ECANCELED;
        } else {
            int64_t moment_ns = last_moment(connection);
            atomic_fetch_add(&connection->waiters, 1);
            if (moment_ns == RL_NEVER_NS) {
                rl_kernel_futex_wait(&connection->changes, changes);
            } else {
                int64_t left_ns = moment_ns - rl_kernel_monotonic_ns();
                rl_kernel_futex_wait_for(&connection->changes, changes, left_ns > 0 ? left_ns : 1);
            }
            atomic_fetch_sub(&connection->waiters, 1);
        }
    }
}

/* --- Bytes --- */

/* Returns the session of a connection that is to be secured; else null, with 0 or an error. */
static struct rl_tls *tls_of(struct connection *connection, int *ret_error)
{
    struct rl_tls *tls = atomic_load(&connection->tls);
    *ret_error = 0;
    if (RL_LIKELY(tls || !atomic_load(&connection->is_secured))) return tls;
    rl_lock(&connection->lock);
    tls = atomic_load(&connection->tls);
    if (!tls && rl_security_is_asked_for(&connection->security)) {
        struct rl_tls_settings settings;
        rl_security_get(&connection->security, connection->host, &settings);
        tls = rl_tls_create(&settings, ret_error);
        atomic_store(&connection->tls, tls);
    }
    rl_unlock(&connection->lock);
    return tls;
}

/* Returns the other stream of the connection, which the caller owns, or null. */
static struct rl_stream *copy_other(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    struct rl_stream *other = connection->streams[!stream->is_writer];
    if (other && !rl_object_try_retain(&other->object)) other = NULL;
    rl_unlock(&connection->lock);
    return other;
}

/*
 * Has the other stream look when the handshake is over or the session has failed: it may have
 * waited for the bytes that did that here.
 */
static void tell_progress(struct rl_stream *stream, struct rl_tls *tls)
{
    struct connection *connection = stream->transport;
    unsigned progress = rl_tls_progress(tls);
    if (atomic_load(&connection->told_progress) == progress ||
        atomic_exchange(&connection->told_progress, progress) == progress) {
        return;
    }
    rl_stream_set_alarm(stream);
    struct rl_stream *other = copy_other(stream);
    if (!other) return;
    rl_stream_set_alarm(other);
    rl_stream_look(other);
    RLRelease(other);
}

/* Ends a handshake that takes too long. Returns whether it has. */
static bool ends_late(struct connection *connection)
{
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (!tls || atomic_load(&connection->told_progress) != RL_TLS_SHAKING_HANDS) return false;
    rl_lock(&connection->lock);
    bool ends = is_late(connection);
    rl_unlock(&connection->lock);
    if (ends) rl_tls_give_up(tls, -ETIMEDOUT);
    return ends;
}

/* Ends a connection that takes too long, and tells both streams. */
static void give_up_late(struct rl_stream *stream)
{
    int error;
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    look_at(connection);
    rl_unlock(&connection->lock);
    /* A peer that has sent nothing has not had the session made. */
    struct rl_tls *tls = tls_of(connection, &error);
    if (error < 0) atomic_store(&connection->told_progress, RL_TLS_FAILED);
    if (tls && ends_late(connection)) tell_progress(stream, tls);
    struct rl_stream *other = copy_other(stream);
    rl_stream_proceed(stream);
    rl_stream_look(stream);
    if (!other) return;
    rl_stream_proceed(other);
    rl_stream_look(other);
    RLRelease(other);
}

/* Begins the handshake of streams that are open, with the next turn of their loops. */
static void begin_handshake(struct rl_stream *stream)
{
    struct rl_stream *other = copy_other(stream);
    rl_stream_become_ready_anew(stream);
    if (!other) return;
    rl_stream_become_ready_anew(other);
    RLRelease(other);
}

static ssize_t move_secured(struct rl_stream *stream, struct rl_tls *tls, int fd, UInt8 *bytes,
                            size_t length)
{
    return stream->is_writer ? rl_tls_write(tls, fd, bytes, length)
                             : rl_tls_read(tls, fd, bytes, length);
}

static ssize_t move_some(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    int error;
    struct rl_tls *tls = tls_of(stream->transport, &error);
    if (error < 0) return error;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return fd;
    ssize_t moved = tls ? move_secured(stream, tls, fd, bytes, length)
                        : rl_socket_move(fd, bytes, length, stream->is_writer);
    rl_watch_end_use(&stream->watch);
    if (moved == -EAGAIN && tls && ends_late(stream->transport)) moved = -ETIMEDOUT;
    if (tls) tell_progress(stream, tls);
    return moved;
}

static RLRunLoopDescriptorEvents awaited_of_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls) return rl_tls_awaits(tls, stream->is_writer);
    return stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
}

static ssize_t move_socket_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    for (;;) {
        ssize_t moved = move_some(stream, bytes, length);
        if (moved != -EAGAIN) return moved;
        int result = rl_watch_wait(&stream->watch, awaited_of_socket(stream),
                                   last_moment(stream->transport));
        if (result < 0 && result != -ETIMEDOUT) return result;
    }
}

/* Returns 1 if bytes can be moved, 0 at the end, or an error, which may be -EAGAIN. */
static int look_at_secured(struct rl_stream *stream, struct rl_tls *tls)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return -EAGAIN;
    int result = stream->is_writer ? rl_tls_has_room(tls, fd) : rl_tls_look(tls, fd);
    rl_watch_end_use(&stream->watch);
    if (result == -EAGAIN && ends_late(stream->transport)) result = -ETIMEDOUT;
    tell_progress(stream, tls);
    return result;
}

static bool is_plain_ready(struct rl_stream *stream)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return false;
    RLRunLoopDescriptorEvents ready = rl_socket_poll_now(fd);
    rl_watch_end_use(&stream->watch);
    RLRunLoopDescriptorEvents wanted =
        stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
    return ready & (wanted | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError);
}

static bool is_socket_ready(struct rl_stream *stream)
{
    int error;
    struct rl_tls *tls = tls_of(stream->transport, &error);
    if (error < 0) return true;
    int result = tls ? look_at_secured(stream, tls) : 0;
    if (result == -EAGAIN) return false;
    return result < 0 || (tls && !stream->is_writer) || is_plain_ready(stream);
}

static bool is_socket_to_be_looked_at(struct rl_stream *stream)
{
    int error;
    struct rl_tls *tls = tls_of(stream->transport, &error);
    return error < 0 || (tls && rl_tls_is_to_be_looked_at(tls, stream->is_writer));
}

static bool is_socket_plain(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    return !atomic_load(&connection->is_secured);
}

static int find_socket_end(struct rl_stream *stream)
{
    int error;
    struct rl_tls *tls = tls_of(stream->transport, &error);
    if (error < 0) return error;
    if (tls) {
        int result = look_at_secured(stream, tls);
        return result == -EAGAIN ? 0 : result < 0 ? result : result == 0;
    }
    if (stream->is_writer) return 0;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return 0;
    int result = rl_socket_find_end(fd);
    rl_watch_end_use(&stream->watch);
    return result;
}

/* --- Closing --- */

/* Threads that wait for peers which do not read: beyond that many, peers see a truncated end. */
enum { MOST_LINGERING = 64 };
static atomic_uint lingering;

/*
 * Sends a close_notify, and what is unsent: without it the peer takes the end for an error, and
 * rightly so. Waits for room, but not for longer than this.
 */
static void end_tls(struct rl_tls *tls, int fd, int64_t most_ns)
{
    int64_t deadline_ns = rl_kernel_monotonic_ns() + most_ns;
    while (rl_tls_end(tls, fd) == -EAGAIN) {
        if (rl_socket_wait(fd, kRLRunLoopDescriptorWrite, -1, deadline_ns) < 0) return;
    }
}

static void *send_last_bytes(void *context)
{
    const int64_t most_ns = 10000000000;
    struct connection *connection = context;
    end_tls(atomic_load(&connection->tls), connection->lingering_fd, most_ns);
    rl_kernel_close(&connection->lingering_fd);
    give_up_connection(connection);
    atomic_fetch_sub(&lingering, 1);
    return NULL;
}

/* Has a thread send what there is no room for, by a handle of its own: a loop must not wait. */
static void begin_to_linger(struct connection *connection)
{
    bool may_linger = atomic_fetch_add(&lingering, 1) < MOST_LINGERING;
    connection->lingering_fd = may_linger ? rl_kernel_duplicate(connection->fd) : -1;
    atomic_fetch_add(&connection->references, 1);
    if (connection->lingering_fd >= 0 && rl_thread_start(send_last_bytes, connection) == 0) return;
    rl_kernel_close(&connection->lingering_fd);
    give_up_connection(connection);
    atomic_fetch_sub(&lingering, 1);
}

/* Ends a connection whose streams are both closed: nobody else uses the handle any more. */
static void end_connection(struct connection *connection)
{
    const int64_t most_ns = 1000000000;
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls && rl_tls_end(tls, connection->fd) == -EAGAIN) {
        if (connection->was_scheduled) {
            begin_to_linger(connection);
        } else {
            end_tls(tls, connection->fd, most_ns);
        }
    }
    rl_lock(&connection->lock);
    if (atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
    rl_unlock(&connection->lock);
}

/* Closes a stream. The handle is closed with the connection, as the other stream may be in use. */
static void close_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    if (atomic_load(&stream->was_scheduled)) connection->was_scheduled = true;
    bool is_last = --connection->users == 0;
    rl_unlock(&connection->lock);
    if (is_last) end_connection(connection);
    tell_change(connection);
}

static void destroy_socket_stream(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    connection->streams[stream->is_writer] = NULL;
    rl_unlock(&connection->lock);
    give_up_connection(connection);
}

static RLTypeRef copy_limit(struct connection *connection)
{
    rl_lock(&connection->lock);
    int64_t most_ns = limit_of(connection);
    rl_unlock(&connection->lock);
    double seconds = most_ns == RL_NEVER_NS ? 0 : (double)most_ns / 1e9;
    return RLNumberCreate(NULL, kRLNumberDoubleType, &seconds);
}

static RLTypeRef copy_socket_property(struct rl_stream *stream, RLStringRef name)
{
    struct connection *connection = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertySocketNativeHandle)) {
        rl_lock(&connection->lock);
        RLSocketNativeHandle handle = connection->fd;
        rl_unlock(&connection->lock);
        return RLDataCreate(NULL, (const UInt8 *)&handle, sizeof handle);
    }
    if (rl_string_equal(name, kRLStreamPropertySocketRemoteHostName)) {
        return connection->host ? RLRetain(connection->host) : NULL;
    }
    if (rl_string_equal(name, kRLStreamPropertySocketRemotePortNumber)) {
        int port = (int)connection->port;
        return connection->host ? RLNumberCreate(NULL, kRLNumberIntType, &port) : NULL;
    }
    if (rl_string_equal(name, kRLStreamPropertyConnectTimeout)) return copy_limit(connection);
    if (rl_string_equal(name, kRLStreamPropertySSLPeerCertificates)) {
        struct rl_tls *tls = atomic_load(&connection->tls);
        return tls ? rl_tls_copy_peer_certificates(tls) : NULL;
    }
    if (rl_security_is_property(name)) {
        rl_lock(&connection->lock);
        RLTypeRef value = rl_security_copy(&connection->security, name);
        rl_unlock(&connection->lock);
        return value;
    }
    if (!rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket)) return NULL;
    return RLRetain(atomic_load(&connection->closes) ? kRLBooleanTrue : kRLBooleanFalse);
}

/* Security may be asked for until the handshake begins. */
static bool secure_connection(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct connection *connection = stream->transport;
    const char *function =
        stream->is_writer ? "RLWriteStreamSetProperty" : "RLReadStreamSetProperty";
    RLTypeRef copy = rl_security_copy_value(name, value, function);
    if (!copy) return false;
    rl_lock(&connection->lock);
    bool is_late = atomic_load(&connection->tls);
    bool is_set =
        !is_late && rl_security_set(&connection->security, connection->host, name, copy, function);
    atomic_store(&connection->is_secured, rl_security_is_asked_for(&connection->security));
    if (is_set && connection->begun_ns != 0) connection->begun_ns = rl_clock_now_ns();
    rl_unlock(&connection->lock);
    RLRelease(copy);
    if (is_late) {
        rl_warn(function, "%s is not taken: the connection is secured already",
                rl_string_characters(name));
    }
    return is_set;
}

/* Takes how many seconds the connection may take, 0 for as many as it likes. */
static bool set_limit(struct rl_stream *stream, RLTypeRef value)
{
    double seconds;
    struct connection *connection = stream->transport;
    bool is_number = value && RLGetTypeID(value) == RLNumberGetTypeID();
    if (!is_number) return false;
    (void)RLNumberGetValue(value, kRLNumberDoubleType, &seconds);
    if (!(seconds >= 0)) return false;
    rl_lock(&connection->lock);
    connection->has_limit = true;
    connection->most_ns =
        seconds > 0 && seconds < RL_LONGEST_INTERVAL ? rl_clock_ns_of(seconds) : RL_NEVER_NS;
    rl_unlock(&connection->lock);
    struct rl_stream *other = copy_other(stream);
    rl_stream_set_alarm(stream);
    if (!other) return true;
    rl_stream_set_alarm(other);
    RLRelease(other);
    return true;
}

static bool set_socket_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct connection *connection = stream->transport;
    if (rl_security_is_property(name)) {
        bool is_set = secure_connection(stream, name, value);
        if (is_set) begin_handshake(stream);
        return is_set;
    }
    if (rl_string_equal(name, kRLStreamPropertyConnectTimeout)) return set_limit(stream, value);
    bool can_be_set = value && RLGetTypeID(value) == RLBooleanGetTypeID() &&
                      rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket);
    if (can_be_set) atomic_store(&connection->closes, RLBooleanGetValue(value));
    return can_be_set;
}

static const struct rl_stream_class socket_class = {
    .open = begin_connection,
    .continue_opening = go_on,
    .is_preparing = is_preparing,
    .transfer = move_socket_bytes,
    .is_ready = is_socket_ready,
    .is_to_be_looked_at = is_socket_to_be_looked_at,
    .awaits = awaited_of_socket,
    .is_plain = is_socket_plain,
    .find_end = find_socket_end,
    .time_left = time_left,
    .give_up = give_up_late,
    .close = close_socket,
    .destroy = destroy_socket_stream,
    .copy_property = copy_socket_property,
    .set_property = set_socket_property,
    .is_secured_by_properties = true,
};

/* Makes the streams that are asked for, which share the connection; gives it up if none is. */
static void make_pair(struct connection *connection, RLReadStreamRef *ret_reader,
                      RLWriteStreamRef *ret_writer)
{
    int fd = connection->fd;
    unsigned count = (ret_reader ? 1u : 0u) + (ret_writer ? 1u : 0u);
    atomic_init(&connection->references, count);
    connection->users = count;
    if (ret_reader) {
        connection->streams[0] = rl_stream_create(&socket_class, false, fd, connection);
        *ret_reader = rl_read_stream_ref(connection->streams[0]);
    }
    if (ret_writer) {
        connection->streams[1] = rl_stream_create(&socket_class, true, fd, connection);
        *ret_writer = rl_write_stream_ref(connection->streams[1]);
    }
}

/*
 * Makes a connection of a handle. Returns null if there is no handle, or if no stream is asked for.
 */
static struct connection *make_connection(int fd, RLReadStreamRef *ret_reader,
                                          RLWriteStreamRef *ret_writer)
{
    if (ret_reader) *ret_reader = NULL;
    if (ret_writer) *ret_writer = NULL;
    if (fd < 0) return NULL;
    struct connection *connection = rl_allocate(sizeof *connection);
    connection->fd = fd;
    return connection;
}

void RLStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock,
                                  RLReadStreamRef *readStream, RLWriteStreamRef *writeStream)
{
    (void)alloc;
    bool is_asked_for = readStream || writeStream;
    struct connection *connection =
        make_connection(is_asked_for ? sock : -1, readStream, writeStream);
    if (!connection) return;
    connection->progress = CONNECTED;
    make_pair(connection, readStream, writeStream);
}

void RLStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host, UInt32 port,
                                        RLReadStreamRef *readStream, RLWriteStreamRef *writeStream)
{
    (void)alloc;
    rl_expect_string(host, __func__, "host");
    if (!readStream && !writeStream) return;
    int family;
    int fd = rl_socket_make_for_hosts(&family);
    struct connection *connection = make_connection(fd, readStream, writeStream);
    if (!connection) return;
    connection->family = family;
    connection->host = RLStringCreateCopy(NULL, host);
    connection->port = port;
    atomic_init(&connection->closes, true);
    make_pair(connection, readStream, writeStream);
}

void RLStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc,
                                               const RLSocketSignature *signature,
                                               RLReadStreamRef *readStream,
                                               RLWriteStreamRef *writeStream)
{
    (void)alloc;
    if (!signature) rl_client_error(__func__, "argument `signature` is null");
    if (!readStream && !writeStream) return;
    int fd = rl_socket_make(signature->protocolFamily, signature->socketType, signature->protocol);
    struct connection *connection = make_connection(fd, readStream, writeStream);
    if (!connection) return;
    if (signature->address) {
        add_address(connection, RLDataGetBytePtr(signature->address),
                    (size_t)RLDataGetLength(signature->address));
    }
    atomic_init(&connection->closes, true);
    make_pair(connection, readStream, writeStream);
}
