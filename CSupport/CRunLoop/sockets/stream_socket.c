/*
 * Streams over sockets: two of them share a connection, which is made when the first is opened.
 *
 * A connection to a host tries the host's addresses one after the other with one handle, of IPv6
 * where the system has that: such a handle reaches addresses of IPv4 too.
 */

#include "base/system.h"

#include "sockets/stream.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "sockets/host_lookup.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

enum progress { NOT_BEGUN, LOOKING_UP, CONNECTING, CONNECTED, FAILED };

struct connection {
    /* One for each stream, and one for a look-up. */
    atomic_uint references;
    atomic_bool closes;
    /*
     * Changes when the name was looked up, and when a stream is closed. Waiting threads sleep on
     * it.
     */
    atomic_uint changes;
    /* Guards what follows. */
    struct rl_lock lock;
    /* -1 when it was closed. A stream that moves bytes uses it through its watch instead. */
    int fd;
    /* How many streams are not closed. Without any, the handle may be somebody else's. */
    unsigned users;
    /* Not retained: streams take themselves out when they are destroyed. */
    struct rl_stream *streams[2];
    enum progress progress;
    int error;
    /* Null if the addresses are known. */
    RLStringRef host;
    unsigned port;
    struct rl_socket_name *addresses;
    size_t count;
    size_t next;
};

static int family_of(int fd)
{
    struct rl_socket_name name;
    return rl_socket_get_name(fd, &name) ? name.storage.ss_family : AF_INET;
}

static void add_address(struct connection *connection, const void *address, size_t length)
{
    if (length > sizeof(struct sockaddr_storage)) return;
    connection->addresses = rl_reallocate(connection->addresses,
                                          (connection->count + 1) * sizeof(struct rl_socket_name));
    struct rl_socket_name *name = &connection->addresses[connection->count++];
    *name = (struct rl_socket_name){.length = (socklen_t)length};
    memcpy(&name->storage, address, length);
}

/* Begins with the next address; `reason` is why the one before it failed. */
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
    rl_kernel_futex_wake_all(&connection->changes);
}

static void give_up_connection(struct connection *connection)
{
    if (atomic_fetch_sub(&connection->references, 1) > 1) return;
    if (connection->host) RLRelease(connection->host);
    free(connection->addresses);
    free(connection);
}

/* What a look-up found, on its thread. */
static void take_addresses(void *context, int failure, struct addrinfo *found)
{
    struct connection *connection = context;
    struct rl_stream *streams[2] = {NULL, NULL};
    rl_lock(&connection->lock);
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        add_address(connection, each->ai_addr, each->ai_addrlen);
    }
    if (connection->users > 0) try_next(connection, failure ? failure : -EHOSTUNREACH);
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

static int begin_connection(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    bool begins = connection->progress == NOT_BEGUN && connection->users > 0;
    bool looks_up = begins && connection->host;
    if (looks_up) {
        connection->progress = LOOKING_UP;
        atomic_fetch_add(&connection->references, 1);
    } else if (begins) {
        try_next(connection, -EHOSTUNREACH);
    }
    int family = family_of(connection->fd);
    rl_unlock(&connection->lock);
    if (looks_up) {
        rl_lookup_begin(rl_string_characters(connection->host), connection->port, family,
                        take_addresses, connection);
    }
    rl_lock(&connection->lock);
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

static void look_at(struct connection *connection)
{
    const RLRunLoopDescriptorEvents over =
        kRLRunLoopDescriptorWrite | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
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
            result = rl_watch_wait(&stream->watch, kRLRunLoopDescriptorWrite, RL_NEVER_NS);
            if (result < 0) return result;
        } else if (rl_watch_descriptor(&stream->watch) < 0) {
            return -ECANCELED;
        } else {
            rl_kernel_futex_wait(&connection->changes, changes);
        }
    }
}

static ssize_t move_some(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    struct rl_socket_name sender;
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return fd;
    ssize_t moved = stream->is_writer ? rl_socket_send(fd, NULL, 0, bytes, length)
                                      : rl_socket_receive(fd, bytes, length, &sender);
    rl_watch_end_use(&stream->watch);
    return moved;
}

static ssize_t move_socket_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    RLRunLoopDescriptorEvents direction =
        stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
    for (;;) {
        ssize_t moved = move_some(stream, bytes, length);
        if (moved != -EAGAIN) return moved;
        int result = rl_watch_wait(&stream->watch, direction, RL_NEVER_NS);
        if (result < 0) return result;
    }
}

static bool is_socket_ready(struct rl_stream *stream)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return false;
    RLRunLoopDescriptorEvents ready = rl_socket_poll_now(fd);
    rl_watch_end_use(&stream->watch);
    RLRunLoopDescriptorEvents wanted =
        stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
    return ready & (wanted | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError);
}

static int find_socket_end(struct rl_stream *stream)
{
    int fd = rl_watch_begin_use(&stream->watch);
    if (fd < 0) return 0;
    int result = rl_socket_find_end(fd);
    rl_watch_end_use(&stream->watch);
    return result;
}

/* The handle is closed with the connection, as the other stream may be in use. */
static void close_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    bool is_last = --connection->users == 0;
    if (is_last && atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
    rl_unlock(&connection->lock);
    tell_change(connection);
}

static void destroy_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    connection->streams[stream->is_writer] = NULL;
    rl_unlock(&connection->lock);
    give_up_connection(connection);
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
    if (!rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket)) return NULL;
    return RLRetain(atomic_load(&connection->closes) ? kRLBooleanTrue : kRLBooleanFalse);
}

static bool set_socket_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct connection *connection = stream->transport;
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
    .find_end = find_socket_end,
    .close = close_socket,
    .destroy = destroy_socket,
    .copy_property = copy_socket_property,
    .set_property = set_socket_property,
};

/* Gives the connection to the streams that are asked for; without any it is given up. */
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

/* A connection of a handle, which is null if there is no handle or no stream is asked for. */
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
    int fd = rl_socket_make_for_hosts();
    struct connection *connection = make_connection(fd, readStream, writeStream);
    if (!connection) return;
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
