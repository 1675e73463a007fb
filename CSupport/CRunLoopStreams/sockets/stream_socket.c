/*
 * The two streams of a socket share a connection, which is established when the first stream is
 * opened.
 */

#include "base/system.h"

#include "sockets/stream_session.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/socket_kernel.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>
#include <CRunLoop/RLStreamSecurity.h>

#include <errno.h>

RLStringRef const kRLStreamPropertySocketRemoteHostName =
    RLSTR("kRLStreamPropertySocketRemoteHostName");
RLStringRef const kRLStreamPropertySocketRemotePortNumber =
    RLSTR("kRLStreamPropertySocketRemotePortNumber");
RLStringRef const kRLStreamPropertySocketNativeHandle =
    RLSTR("kRLStreamPropertySocketNativeHandle");
RLStringRef const kRLStreamPropertyShouldCloseNativeSocket =
    RLSTR("kRLStreamPropertyShouldCloseNativeSocket");
RLStringRef const kRLStreamPropertyConnectTimeout = RLSTR("kRLStreamPropertyConnectTimeout");

/* --- Bytes ------------------------------------------------------------------------------------ */

static RLRunLoopDescriptorEvents direction_of(const struct rl_stream *stream)
{
    return stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
}

static RLRunLoopDescriptorEvents awaited_of_socket(struct rl_stream *stream)
{
    struct rl_stream_connection *connection = stream->transport;
    enum rl_stream_connection_state state = connection->state;
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (tls) return rl_tls_outcome(tls, stream->is_writer).awaited;
    if (state <= RL_CONNECTION_RESOLVING) return 0;
    /* A check of readiness creates the session. */
    bool awaits_session = state >= RL_CONNECTION_SHAKING_HANDS;
    return direction_of(stream) | (awaits_session ? RL_TLS_AWAITS_CHECK : 0);
}

/* When the kernel reports the socket as writable, this resets the estimate of free space. */
static void note_space(struct rl_stream *stream, int fd)
{
    struct rl_stream_connection *connection = stream->transport;
    size_t space = atomic_load(&connection->space);
    if (space == 0) atomic_store(&connection->space, space = rl_socket_least_space(fd));
    atomic_store(&connection->space_left, space);
}

/* Subtracts `length` bytes from the estimate. SIZE_MAX means that the buffer is full. */
static void use_space(struct rl_stream *stream, size_t length)
{
    struct rl_stream_connection *connection = stream->transport;
    size_t left = atomic_load(&connection->space_left), space = atomic_load(&connection->space);
    size_t used = length == SIZE_MAX ? length : length + RL_SOCKET_OVERHEAD_OF_WRITE;
    atomic_store(&connection->space_left, used < left ? left - used : 0);
    atomic_store(&stream->has_filled, used >= space);
}

static ssize_t move_some(struct rl_stream *stream, UInt8 *bytes, size_t length,
                         RLRunLoopDescriptorEvents *ret_awaited)
{
    int error;
    struct rl_tls *tls = rl_stream_session_of(stream->transport, &error);
    if (error < 0) return error;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return fd;
    if (tls) {
        struct rl_tls_outcome outcome = rl_tls_move(tls, fd, bytes, length, stream->is_writer);
        rl_watch_end_use(&stream->watch);
        *ret_awaited = outcome.awaited;
        return rl_stream_session_note(stream->transport, stream, outcome);
    }
    *ret_awaited = direction_of(stream);
    ssize_t moved = rl_socket_move(fd, bytes, length, stream->is_writer);
    rl_watch_end_use(&stream->watch);
    if (stream->is_writer) use_space(stream, moved == (ssize_t)length ? length : SIZE_MAX);
    return moved;
}

/* Returns 0 also when a handshake exceeds its time limit. */
static int wait_for_socket(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited)
{
    int result =
        rl_watch_wait(&stream->watch, awaited, rl_stream_connection_last_moment(stream->transport));
    return result == -ETIMEDOUT ? 0 : result;
}

static ssize_t move_socket_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length,
                                 RLRunLoopDescriptorEvents *ret_awaited)
{
    for (;;) {
        ssize_t moved = move_some(stream, bytes, length, ret_awaited);
        if (moved != -EAGAIN) return moved;
        int result = wait_for_socket(stream, *ret_awaited);
        if (result < 0) return result;
    }
}

/* --- Readiness -------------------------------------------------------------------------------- */

static bool is_handle_ready(struct rl_stream *stream)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return false;
    RLRunLoopDescriptorEvents ready = rl_socket_directions(fd, rl_socket_poll_now(fd));
    bool is_ready = ready & direction_of(stream);
    if (is_ready && stream->is_writer) note_space(stream, fd);
    rl_watch_end_use(&stream->watch);
    return is_ready;
}

static int check_plain(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    const RLRunLoopDescriptorEvents over = kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
    bool is_surely_ready = (events & RL_WATCH_IS_FRESH) && !(events & over);
    struct rl_stream_connection *connection = stream->transport;
    if (is_surely_ready && stream->is_writer) {
        atomic_store(&connection->space_left, atomic_load(&connection->space));
    }
    if (is_surely_ready) return 1;
    if (stream->is_writer && atomic_load(&connection->space_left) > 0) return 1;
    if (!is_handle_ready(stream)) return -EAGAIN;
    if (stream->is_writer) return 1;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return -EAGAIN;
    int end = rl_socket_find_end(fd);
    rl_watch_end_use(&stream->watch);
    return end < 0 ? end : !end;
}

static int check_secured(struct rl_stream *stream, struct rl_tls *tls)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return -EAGAIN;
    struct rl_tls_outcome outcome = rl_tls_check(tls, fd, stream->is_writer);
    rl_watch_end_use(&stream->watch);
    int result = (int)rl_stream_session_note(stream->transport, stream, outcome);
    /* The TLS session may have buffer space although the socket has none. */
    bool is_full = result > 0 && stream->is_writer && !is_handle_ready(stream);
    return is_full ? -EAGAIN : result;
}

static int check_socket(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    int error;
    struct rl_tls *tls = rl_stream_session_of(stream->transport, &error);
    if (error < 0) return error;
    return tls ? check_secured(stream, tls) : check_plain(stream, events);
}

static bool is_socket_ready(struct rl_stream *stream)
{
    int error;
    struct rl_tls *tls = rl_stream_session_of(stream->transport, &error);
    if (error < 0) return true;
    return tls ? check_secured(stream, tls) != -EAGAIN : is_handle_ready(stream);
}

/* --- The end of writing ----------------------------------------------------------------------- */

static int finish_now(struct rl_stream *stream, RLRunLoopDescriptorEvents *ret_awaited)
{
    int error;
    struct rl_tls *tls = rl_stream_session_of(stream->transport, &error);
    if (error < 0) return error;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return fd;
    if (tls) {
        struct rl_tls_outcome outcome = rl_tls_finish_writing(tls, fd);
        rl_watch_end_use(&stream->watch);
        *ret_awaited = outcome.awaited;
        return (int)rl_stream_session_note(stream->transport, stream, outcome);
    }
    int result = rl_socket_finish_sending(fd);
    rl_watch_end_use(&stream->watch);
    return result;
}

static int finish_socket(struct rl_stream *stream, bool waits)
{
    RLRunLoopDescriptorEvents awaited = 0;
    for (;;) {
        int result = finish_now(stream, &awaited);
        if (result != -EAGAIN || !waits) return result;
        result = wait_for_socket(stream, awaited);
        if (result < 0) return result;
    }
}

/* --- Properties ------------------------------------------------------------------------------- */

static RLTypeRef copy_limit(struct rl_stream_connection *connection)
{
    int64_t limit_ns = rl_stream_connection_limit(connection);
    double seconds = limit_ns == RL_NEVER_NS ? 0 : (double)limit_ns / 1e9;
    return RLNumberCreate(NULL, kRLNumberDoubleType, &seconds);
}

static RLTypeRef copy_handle(struct rl_stream_connection *connection)
{
    rl_lock(&connection->lock);
    RLSocketNativeHandle handle = connection->fd;
    rl_unlock(&connection->lock);
    return RLDataCreate(NULL, (const UInt8 *)&handle, sizeof handle);
}

static RLTypeRef copy_service(struct rl_stream_connection *connection)
{
    rl_lock(&connection->lock);
    const struct rl_service_type *service = connection->service;
    rl_unlock(&connection->lock);
    return service ? RLRetain(*service->name) : NULL;
}

static RLTypeRef copy_security(struct rl_stream_connection *connection, RLStringRef name)
{
    struct rl_tls *tls = atomic_load(&connection->tls);
    if (rl_string_equal(name, kRLStreamPropertySSLPeerCertificates)) {
        return tls ? rl_tls_copy_peer_certificates(tls) : NULL;
    }
    rl_lock(&connection->lock);
    RLTypeRef value = rl_security_copy(&connection->security, name);
    rl_unlock(&connection->lock);
    return value;
}

static RLTypeRef copy_socket_property(struct rl_stream *stream, RLStringRef name)
{
    struct rl_stream_connection *connection = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertySocketNativeHandle)) return copy_handle(connection);
    if (rl_string_equal(name, kRLStreamPropertySocketRemoteHostName)) {
        return connection->host ? RLRetain(connection->host) : NULL;
    }
    if (rl_string_equal(name, kRLStreamPropertySocketRemotePortNumber)) {
        int port = (int)connection->port;
        return connection->host ? RLNumberCreate(NULL, kRLNumberIntType, &port) : NULL;
    }
    if (rl_string_equal(name, kRLStreamPropertyConnectTimeout)) return copy_limit(connection);
    if (rl_string_equal(name, kRLStreamNetworkServiceType)) return copy_service(connection);
    if (rl_security_is_property(name)) return copy_security(connection, name);
    if (!rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket)) return NULL;
    return RLRetain(atomic_load(&connection->closes) ? kRLBooleanTrue : kRLBooleanFalse);
}

/*
 * Fails after the handshake has begun. If the stream is open, the handshake begins in the next pass
 * of its loop.
 */
static bool set_security(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct rl_stream_connection *connection = stream->transport;
    const char *function =
        stream->is_writer ? "RLWriteStreamSetProperty" : "RLReadStreamSetProperty";
    RLTypeRef copy = rl_security_copy_value(name, value, function);
    if (!copy) return false;
    bool is_set = rl_stream_session_set_security(connection, name, copy, function);
    RLRelease(copy);
    if (is_set) rl_stream_connection_apply(connection, NULL, rl_stream_recheck);
    return is_set;
}

/* The limit is in seconds; 0 means no limit. Returns false if the value is invalid. */
static bool set_limit(struct rl_stream_connection *connection, RLTypeRef value)
{
    double seconds;
    bool is_number = value && RLGetTypeID(value) == RLNumberGetTypeID();
    if (!is_number) return false;
    (void)RLNumberGetValue(value, kRLNumberDoubleType, &seconds);
    if (!(seconds >= 0)) return false;
    bool is_limited = seconds > 0 && seconds < RL_LONGEST_INTERVAL;
    rl_stream_connection_set_limit(connection, is_limited ? rl_clock_ns_of(seconds) : RL_NEVER_NS);
    return true;
}

static bool set_service(struct rl_stream_connection *connection, RLTypeRef value)
{
    const struct rl_service_type *service = rl_service_type_find(value);
    if (!service) return false;
    rl_lock(&connection->lock);
    connection->service = service;
    /* Marks the handle now, even before it is connected, because the marks are permanent. */
    if (connection->users > 0) {
        rl_socket_mark(connection->fd, service->code_point, service->priority);
    }
    rl_unlock(&connection->lock);
    return true;
}

static bool set_socket_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct rl_stream_connection *connection = stream->transport;
    if (rl_security_is_property(name)) return set_security(stream, name, value);
    if (rl_string_equal(name, kRLStreamPropertyConnectTimeout)) return set_limit(connection, value);
    if (rl_string_equal(name, kRLStreamNetworkServiceType)) return set_service(connection, value);
    bool can_be_set = value && RLGetTypeID(value) == RLBooleanGetTypeID() &&
                      rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket);
    if (can_be_set) atomic_store(&connection->closes, RLBooleanGetValue(value));
    return can_be_set;
}

/* --- Making ----------------------------------------------------------------------------------- */

static const struct rl_stream_class socket_class = {
    .open = rl_stream_connection_open,
    .transfer = move_socket_bytes,
    .check = check_socket,
    .finish = finish_socket,
    .is_ready = is_socket_ready,
    .awaits = awaited_of_socket,
    .time_left = rl_stream_connection_time_left,
    .give_up = rl_stream_connection_give_up,
    .close = rl_stream_connection_close,
    .destroy = rl_stream_connection_leave,
    .copy_property = copy_socket_property,
    .set_property = set_socket_property,
};

void RLStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock,
                                  RLReadStreamRef *readStream, RLWriteStreamRef *writeStream)
{
    (void)alloc;
    struct rl_stream_connection *connection =
        rl_stream_connection_create(sock, &socket_class, readStream, writeStream);
    if (connection) connection->state = RL_CONNECTION_PLAIN;
}

void RLStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host, UInt32 port,
                                        RLReadStreamRef *readStream, RLWriteStreamRef *writeStream)
{
    (void)alloc;
    rl_expect_string(host, __func__, "host");
    if (port > 65535) {
        rl_client_error(__func__, "argument `port` (%u) must be 65535 at most", port);
    }
    if (!readStream && !writeStream) return;
    int family;
    int fd = rl_socket_make_for_hosts(&family);
    struct rl_stream_connection *connection =
        rl_stream_connection_create(fd, &socket_class, readStream, writeStream);
    if (!connection) return;
    connection->family = family;
    connection->host = RLStringCreateCopy(NULL, host);
    connection->port = port;
    atomic_init(&connection->closes, true);
}

void RLStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc,
                                               const RLSocketSignature *signature,
                                               RLReadStreamRef *readStream,
                                               RLWriteStreamRef *writeStream)
{
    (void)alloc;
    if (!signature) rl_client_error(__func__, "argument `signature` must not be null");
    if (!readStream && !writeStream) return;
    int fd = rl_socket_make(signature->protocolFamily, signature->socketType, signature->protocol);
    struct rl_stream_connection *connection =
        rl_stream_connection_create(fd, &socket_class, readStream, writeStream);
    if (!connection) return;
    if (signature->address) {
        rl_stream_connection_add_address(connection, RLDataGetBytePtr(signature->address),
                                         (size_t)RLDataGetLength(signature->address));
    }
    atomic_init(&connection->closes, true);
}
