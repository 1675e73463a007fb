/*
 * Streams over sockets: two of them share a connection, which is made when the first is opened.
 *
 * A connection to a host tries the host's addresses one after the other with one handle, of IPv6
 * where the system has that: such a handle reaches addresses of IPv4 too.
 */

#define _GNU_SOURCE

#include "stream.h"

#include "kernel.h"
#include "socket_kernel.h"
#include "value.h"

#include <CRunLoop/RLNumber.h>

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

enum progress { NOT_BEGUN, CONNECTING, CONNECTED, FAILED };

struct connection {
    /* One for each stream. */
    atomic_uint references;
    /* How many of them are not closed. */
    atomic_uint users;
    int fd;
    atomic_bool closes;
    /* Guards what follows. Name resolution happens with it held, for both streams wait for that. */
    struct rl_lock lock;
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

/* 0, or a negative errno value. */
static int resolve(struct connection *connection)
{
    char service[16];
    struct addrinfo hints = {
        .ai_family = family_of(connection->fd),
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_V4MAPPED | AI_ALL,
    };
    struct addrinfo *found = NULL;
    snprintf(service, sizeof service, "%u", connection->port);
    int failure = getaddrinfo(rl_string_characters(connection->host), service, &hints, &found);
    if (failure == EAI_SYSTEM) return -errno;
    if (failure != 0) return -EHOSTUNREACH;
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        add_address(connection, each->ai_addr, each->ai_addrlen);
    }
    freeaddrinfo(found);
    return 0;
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

static int begin(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    rl_lock(&connection->lock);
    if (connection->progress == NOT_BEGUN) {
        int failure = connection->host ? resolve(connection) : 0;
        try_next(connection, failure ? failure : -EHOSTUNREACH);
    }
    int result = result_of(connection);
    rl_unlock(&connection->lock);
    return result;
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
        rl_unlock(&connection->lock);
        if (result != -EINPROGRESS || !waits) return result;
        rl_socket_wait(connection->fd, kRLRunLoopDescriptorWrite);
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

static bool is_at_end(struct rl_stream *stream)
{
    return rl_socket_is_at_end(((const struct connection *)stream->transport)->fd);
}

/* The handle is closed with the connection, as the other stream may be in use. */
static void close_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    if (atomic_fetch_sub(&connection->users, 1) > 1) return;
    if (atomic_load(&connection->closes)) rl_kernel_close(&connection->fd);
}

static void destroy_socket(struct rl_stream *stream)
{
    struct connection *connection = stream->transport;
    if (atomic_fetch_sub(&connection->references, 1) > 1) return;
    if (connection->host) RLRelease(connection->host);
    free(connection->addresses);
    free(connection);
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
    .transfer = move,
    .is_ready = is_ready,
    .is_at_end = is_at_end,
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
    atomic_init(&connection->users, count);
    if (ret_reader) {
        *ret_reader = rl_read_stream_ref(rl_stream_create(&socket_class, false, fd, connection));
    }
    if (ret_writer) {
        *ret_writer = rl_write_stream_ref(rl_stream_create(&socket_class, true, fd, connection));
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
