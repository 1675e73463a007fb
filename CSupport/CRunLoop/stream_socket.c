/*
 * Streams over sockets: two of them share a connection, which is made when the first is opened.
 *
 * A connection to a host tries the host's addresses one after the other with one handle, of IPv6
 * where the system has that: such a handle reaches addresses of IPv4 too.
 */

#define _GNU_SOURCE

#include "stream.h"

#include "host_lookup.h"
#include "kernel.h"
#include "socket_kernel.h"
#include "value.h"

#include <CRunLoop/RLNumber.h>

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

enum progress { NOT_BEGUN, LOOKING_UP, CONNECTING, CONNECTED, FAILED };

struct connection {
    /* One for each stream, and one for a look-up. */
    atomic_uint references;
    /* Closed with the lock held. */
    int fd;
    atomic_bool closes;
    /* 0 until the name was looked up; those who wait for that sleep on it. */
    atomic_uint is_looked_up;
    /* Guards what follows. */
    struct rl_lock lock;
    /* How many streams are not closed. */
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
        reason = rl_socket_connect(connection->fd, &name->storage, name->length, 0);
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
    default: return -EINPROGRESS;
    }
}

static void give_up(struct connection *connection)
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
    /* The handle of streams that are closed may be somebody else's by now. */
    if (connection->users > 0) try_next(connection, failure ? failure : -EHOSTUNREACH);
    for (int i = 0; i < 2; i++) {
        struct rl_stream *stream = connection->streams[i];
        if (stream && rl_object_try_retain(&stream->object)) streams[i] = stream;
    }
    rl_unlock(&connection->lock);
    if (found) freeaddrinfo(found);
    atomic_store(&connection->is_looked_up, 1);
    rl_kernel_futex_wake_all(&connection->is_looked_up);
    for (int i = 0; i < 2; i++) {
        if (!streams[i]) continue;
        rl_stream_proceed(streams[i]);
        RLRelease(streams[i]);
    }
    give_up(connection);
}

static int begin(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    bool looks_up = connection->progress == NOT_BEGUN && connection->host;
    if (looks_up) {
        connection->progress = LOOKING_UP;
        atomic_fetch_add(&connection->references, 1);
    } else if (connection->progress == NOT_BEGUN) {
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
    if (connection->progress != CONNECTING) return;
    if (!(rl_socket_poll_now(connection->fd) & over)) return;
    int error = rl_socket_take_error(connection->fd);
    if (error != 0) {
        try_next(connection, error);
    } else {
        connection->progress = CONNECTED;
    }
}

static int go_on(struct rl_stream *stream, bool waits)
{
    struct connection *connection = stream->transport;
    for (;;) {
        rl_lock(&connection->lock);
        look_at(connection);
        int result = result_of(connection);
        bool looks_up = connection->progress == LOOKING_UP;
        rl_unlock(&connection->lock);
        if (result != -EINPROGRESS || !waits) return result;
        if (looks_up) {
            rl_kernel_futex_wait(&connection->is_looked_up, 0);
        } else {
            rl_socket_wait(connection->fd, kRLRunLoopDescriptorWrite);
        }
    }
}

static ssize_t move(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    const struct connection *connection = stream->transport;
    struct rl_socket_name sender;
    for (;;) {
        ssize_t moved = stream->is_writer
                            ? rl_socket_send_some(connection->fd, bytes, length)
                            : rl_socket_receive(connection->fd, bytes, length, &sender);
        if (moved != -EAGAIN) return moved;
        rl_socket_wait(connection->fd,
                       stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead);
    }
}

static bool is_ready(struct rl_stream *stream)
{
    const struct connection *connection = stream->transport;
    RLRunLoopDescriptorEvents ready = rl_socket_poll_now(connection->fd);
    RLRunLoopDescriptorEvents wanted =
        stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
    return ready & (wanted | kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError);
}

static int find_end(struct rl_stream *stream)
{
    return rl_socket_find_end(((const struct connection *)stream->transport)->fd);
}

/* The handle is closed with the connection, as the other stream may be in use. */
static void close_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    bool is_last = --connection->users == 0;
    if (is_last && atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
    rl_unlock(&connection->lock);
}

static void destroy_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    connection->streams[stream->is_writer] = NULL;
    rl_unlock(&connection->lock);
    give_up(connection);
}

static RLTypeRef copy_property(struct rl_stream *stream, RLStringRef name)
{
    const struct connection *connection = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertySocketNativeHandle)) {
        RLSocketNativeHandle handle = connection->fd;
        return RLDataCreate(NULL, (const UInt8 *)&handle, sizeof handle);
    }
    if (!rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket)) return NULL;
    return RLRetain(atomic_load(&connection->closes) ? kRLBooleanTrue : kRLBooleanFalse);
}

static bool set_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct connection *connection = stream->transport;
    bool can_be_set = value && RLGetTypeID(value) == RLBooleanGetTypeID() &&
                      rl_string_equal(name, kRLStreamPropertyShouldCloseNativeSocket);
    if (can_be_set) atomic_store(&connection->closes, RLBooleanGetValue(value));
    return can_be_set;
}

static const struct rl_stream_class socket_class = {
    .open = begin,
    .continue_opening = go_on,
    .is_preparing = is_preparing,
    .transfer = move,
    .is_ready = is_ready,
    .find_end = find_end,
    .close = close_socket,
    .destroy = destroy_socket,
    .copy_property = copy_property,
    .set_property = set_property,
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
    connection->host = RLRetain(host);
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
