/*
 * Connects and sends, both of which may block. Between two system calls, another thread may
 * invalidate the socket, and the descriptor number may be reused for another file.
 */

#include "sockets/socket.h"

#include "base/clock.h"
#include "base/kernel.h"

#include <errno.h>

/* Returns 0 if there is no time-out. */
static int64_t deadline_of_timeout(RLTimeInterval seconds)
{
    return seconds > 0 ? rl_kernel_monotonic_ns() + rl_clock_ns_of(seconds) : 0;
}

static int connect_once(struct rl_socket *self, RLDataRef address)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return fd;
    int result = rl_socket_connect(fd, RLDataGetBytePtr(address), (size_t)RLDataGetLength(address));
    rl_watch_end_use(&self->watch);
    return result;
}

static int take_socket_error(struct rl_socket *self)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return fd;
    int error = rl_socket_take_error(fd);
    rl_watch_end_use(&self->watch);
    return error;
}

static bool is_unix(RLDataRef address)
{
    const struct sockaddr *name = (const struct sockaddr *)(const void *)RLDataGetBytePtr(address);
    return (size_t)RLDataGetLength(address) >= sizeof name->sa_family && name->sa_family == AF_UNIX;
}

static int connect_socket_until(struct rl_socket *self, RLDataRef address, int64_t deadline_ns)
{
    int result = connect_once(self, address);
    /* No event reports that the backlog of a Unix socket has space again, so this loop polls. */
    while (result == -EAGAIN && is_unix(address)) {
        result = rl_watch_pause(&self->watch, deadline_ns);
        if (result == 0) result = connect_once(self, address);
    }
    if (result != -EINPROGRESS) return result;
    result = rl_watch_wait(&self->watch, kRLRunLoopDescriptorWrite, deadline_ns);
    return result == 0 ? take_socket_error(self) : result;
}

RLSocketError RLSocketConnectToAddress(RLSocketRef socket, RLDataRef address,
                                       RLTimeInterval timeout)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    if (!address) return rl_socket_error_of(-EFAULT);
    int result;
    if (timeout < 0) {
        result = connect_once(self, address);
        if (result == -EINPROGRESS) result = 0;
    } else {
        int64_t deadline_ns = deadline_of_timeout(timeout);
        result = connect_socket_until(self, address, deadline_ns == 0 ? RL_NEVER_NS : deadline_ns);
    }
    rl_socket_forget_addresses(self);
    if (result == 0) rl_socket_resume(self);
    return rl_socket_error_of(result);
}

RLSocketRef RLSocketCreateConnectedToSocketSignature(
    RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes,
    RLSocketCallBack callout, const RLSocketContext *context, RLTimeInterval timeout)
{
    if (!signature) rl_client_error(__func__, "argument `signature` must not be null");
    RLSocketRef socket = RLSocketCreate(allocator, signature->protocolFamily, signature->socketType,
                                        signature->protocol, callBackTypes, callout, context);
    if (!socket) return NULL;
    if (RLSocketConnectToAddress(socket, signature->address, timeout) == kRLSocketSuccess) {
        return socket;
    }
    RLSocketInvalidate(socket);
    RLRelease(socket);
    return NULL;
}

static ssize_t send_to_socket(struct rl_socket *self, RLDataRef address, const UInt8 *bytes,
                              size_t length)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return fd;
    ssize_t sent = rl_socket_send(fd, address ? RLDataGetBytePtr(address) : NULL,
                                  address ? (size_t)RLDataGetLength(address) : 0, bytes, length);
    rl_watch_end_use(&self->watch);
    return sent;
}

/* Returns the deadline that follows from SO_SNDTIMEO, or 0 if the handle is nonblocking. */
static int64_t deadline_of_handle(struct rl_socket *self)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return 0;
    int64_t limit_ns = rl_socket_send_limit(fd);
    rl_watch_end_use(&self->watch);
    bool is_bounded = limit_ns != 0 && limit_ns != RL_NEVER_NS;
    return is_bounded ? rl_kernel_monotonic_ns() + limit_ns : limit_ns;
}

/*
 * `is_in_vain` is true if a send failed although the handle was writable, because the receiver of a
 * datagram has no space. No event reports when the receiver has space again, so this function first
 * pauses.
 */
static int wait_for_socket_space(struct rl_socket *self, bool is_in_vain, int64_t deadline_ns)
{
    if (deadline_ns == 0) return -EAGAIN;
    int result = is_in_vain ? rl_watch_pause(&self->watch, deadline_ns) : 0;
    if (result == 0) {
        result = rl_watch_wait(&self->watch, kRLRunLoopDescriptorWrite, deadline_ns);
    }
    return result;
}

/* Returns the number of bytes sent, or a negative errno value if no byte was sent. */
static ssize_t send_all(struct rl_socket *self, RLDataRef address, RLDataRef data,
                        int64_t deadline_ns)
{
    size_t sent = 0, length = (size_t)RLDataGetLength(data);
    bool is_limited = deadline_ns != 0, has_waited = false;
    for (;;) {
        ssize_t part = send_to_socket(self, address, RLDataGetBytePtr(data) + sent, length - sent);
        if (part >= 0) {
            sent += (size_t)part;
            has_waited = false;
            if (sent == length) return (ssize_t)sent;
            continue;
        }
        if (part == -EAGAIN) {
            if (!is_limited) deadline_ns = deadline_of_handle(self);
            is_limited = true;
            part = wait_for_socket_space(self, has_waited, deadline_ns);
            has_waited = true;
        }
        if (part < 0) return sent > 0 ? (ssize_t)sent : part;
    }
}

RLSocketError RLSocketSendData(RLSocketRef socket, RLDataRef address, RLDataRef data,
                               RLTimeInterval timeout)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    rl_expect(data, RL_TYPE_DATA, __func__, "data");
    ssize_t sent = send_all(self, address, data, deadline_of_timeout(timeout));
    /* As in CF, a time-out and empty data give the same result as other errors. */
    if (sent < 0) (void)rl_socket_error_of(sent);
    return sent > 0 ? kRLSocketSuccess : kRLSocketError;
}
