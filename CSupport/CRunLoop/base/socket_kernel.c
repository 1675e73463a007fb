#include "base/system.h"

#include "base/socket_kernel.h"

#include "base/kernel.h"
#include "base/uncanceled.h"
#include "base/write_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BACKLOG = 256 };

static int result_or_error(int result)
{
    return result < 0 ? -errno : result;
}

static RLRunLoopDescriptorEvents events_of(short polled)
{
    RLRunLoopDescriptorEvents events = 0;
    if (polled & POLLIN) events |= kRLRunLoopDescriptorRead;
    if (polled & POLLOUT) events |= kRLRunLoopDescriptorWrite;
    if (polled & POLLHUP) events |= kRLRunLoopDescriptorHangUp;
    if (polled & (POLLERR | POLLNVAL)) events |= kRLRunLoopDescriptorError;
    return events;
}

RLRunLoopDescriptorEvents rl_socket_poll_now(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    return rl_kernel_poll(&query, 1, 0) > 0 ? events_of(query.revents) : 0;
}

/*
 * Call this only if the socket has no bytes to read: the kernel counts bytes and the entries of the
 * error queue together. Returns false if the kernel does not report the count.
 */
static bool has_queued_errors(int fd)
{
    unsigned memory[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof memory;
    return getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &size) == 0 &&
           memory[SK_MEMINFO_RMEM_ALLOC] > 0;
}

/* If IP_RECVERR is set, the kernel queues an error and also returns it from the next call. */
static bool reports_queued_errors(int fd)
{
    int is_set = 0;
    socklen_t size = sizeof is_set;
    if (getsockopt(fd, IPPROTO_IP, IP_RECVERR, &is_set, &size) == 0 && is_set) return true;
    return getsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &is_set, &size) == 0 && is_set;
}

/*
 * POLLERR reports an error, or entries of the error queue (time stamps, completions, ICMP
 * messages), which belong to the client. Reading either would consume it. Instead:
 *
 * - An error that ends a stream also reports a hang-up. An error without a hang-up makes no
 *   direction ready: the client's next call returns it.
 * - An error of a datagram socket is the only report of a lost datagram. The error makes the socket
 *   readable, unless POLLERR may report only an entry of the queue and a read could block.
 * - A pipe has no error queue.
 */
RLRunLoopDescriptorEvents rl_socket_directions(int fd, RLRunLoopDescriptorEvents ready)
{
    const RLRunLoopDescriptorEvents both = kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite;
    if (ready & kRLRunLoopDescriptorHangUp) return both;
    bool is_error_alone =
        (ready & kRLRunLoopDescriptorError) && !(ready & kRLRunLoopDescriptorRead);
    if (!is_error_alone) return ready & both;
    int type = rl_socket_type(fd);
    if (type == -ENOTSOCK || type == -EBADF) return both;
    /* If a sandbox does not allow the query, the socket is treated as a stream. */
    bool is_datagram = type >= 0 && type != SOCK_STREAM && type != SOCK_SEQPACKET;
    bool may_be_read = is_datagram && (!has_queued_errors(fd) || !rl_kernel_is_blocking(fd) ||
                                       reports_queued_errors(fd));
    return (ready & both) | (may_be_read ? kRLRunLoopDescriptorRead : 0);
}

bool rl_socket_has_hung_up(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLRDHUP};
    return rl_kernel_poll(&query, 1, 0) > 0 && (query.revents & (POLLRDHUP | POLLHUP));
}

static int ms_until(int64_t deadline_ns)
{
    if (deadline_ns == RL_NEVER_NS) return -1;
    int64_t left_ns = deadline_ns - rl_kernel_monotonic_ns();
    int64_t left_ms = left_ns <= 0 ? 0 : (left_ns + 999999) / 1000000;
    return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

/* poll(2) always reports POLLERR, so if no awaited direction is ready, this function pauses. */
int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int interrupt, int64_t deadline_ns)
{
    enum { PAUSE_MS = 2 };
    int reads = direction & kRLRunLoopDescriptorRead ? POLLIN : 0;
    int writes = direction & kRLRunLoopDescriptorWrite ? POLLOUT : 0;
    struct pollfd queries[] = {
        {.fd = fd, .events = (short)(reads | writes)},
        {.fd = interrupt, .events = POLLIN},
    };
    for (bool is_pause = false;;) {
        queries[0].fd = is_pause ? -1 : fd;
        queries[0].revents = 0;
        int left_ms = ms_until(deadline_ns);
        bool is_last = left_ms >= 0 && (!is_pause || left_ms <= PAUSE_MS);
        int count = rl_kernel_poll(queries, 2, is_pause && !is_last ? PAUSE_MS : left_ms);
        if (count < 0 && errno != EINTR) return -errno;
        if (count == 0 && left_ms == 0) return -ETIMEDOUT;
        if (count > 0 && queries[1].revents) return 0;
        bool is_polled = count > 0;
        if (is_polled && (rl_socket_directions(fd, events_of(queries[0].revents)) & direction)) {
            return 0;
        }
        is_pause = is_polled;
    }
}

int rl_socket_make(int family, int type, int protocol)
{
    return result_or_error(rl_kernel_keep(socket(family, type | SOCK_CLOEXEC, protocol)));
}

int rl_socket_bind(int fd, const void *address, size_t length)
{
    return result_or_error(bind(fd, address, (socklen_t)length));
}

int rl_socket_listen(int fd)
{
    return result_or_error(listen(fd, BACKLOG));
}

int rl_socket_set_blocking(int fd, bool blocks)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    int wanted = blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
    return wanted == flags ? 0 : result_or_error(fcntl(fd, F_SETFL, wanted));
}

int rl_socket_connect(int fd, const void *address, size_t length)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    bool blocks = !(flags & O_NONBLOCK);
    if (blocks) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    int result = result_or_error(RL_UNCANCELED(connect(fd, address, (socklen_t)length)));
    if (blocks) fcntl(fd, F_SETFL, flags);
    return result;
}

void rl_socket_disconnect(int fd)
{
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    (void)RL_UNCANCELED(connect(fd, &nobody, sizeof nobody));
}

int rl_socket_accept(int fd, struct rl_socket_name *ret_peer)
{
    for (;;) {
        ret_peer->length = sizeof ret_peer->storage;
        int accepted = rl_kernel_keep(RL_UNCANCELED(
            accept4(fd, (struct sockaddr *)&ret_peer->storage, &ret_peer->length, SOCK_CLOEXEC)));
        if (accepted >= 0 || errno != EINTR) return result_or_error(accepted);
    }
}

ssize_t rl_socket_receive(int fd, void *bytes, size_t size, struct rl_socket_name *ret_sender)
{
    for (;;) {
        ret_sender->length = sizeof ret_sender->storage;
        ssize_t length =
            RL_UNCANCELED(recvfrom(fd, bytes, size, MSG_DONTWAIT,
                                   (struct sockaddr *)&ret_sender->storage, &ret_sender->length));
        if (length >= 0) return length;
        if (errno != EINTR) return -errno;
    }
}

ssize_t rl_socket_send(int fd, const void *address, size_t address_length, const void *bytes,
                       size_t length)
{
    for (;;) {
        ssize_t sent = RL_UNCANCELED(sendto(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT, address,
                                            (socklen_t)address_length));
        if (sent >= 0) return sent;
        if (errno != EINTR) return -errno;
    }
}

/* Calls syscall(2): see uncanceled.h. */
static ssize_t move_once(int fd, void *bytes, size_t length, bool sends)
{
#if defined(RL_NEEDS_KNOWN_CALLS) || !defined(SYS_recvfrom) || !defined(SYS_sendto)
    if (sends) return RL_UNCANCELED(send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT));
    return RL_UNCANCELED(recv(fd, bytes, length, MSG_DONTWAIT));
#else
    if (sends) return syscall(SYS_sendto, fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    return syscall(SYS_recvfrom, fd, bytes, length, MSG_DONTWAIT, NULL, NULL);
#endif
}

ssize_t rl_socket_move(int fd, void *bytes, size_t length, bool sends)
{
    for (;;) {
        ssize_t moved = move_once(fd, bytes, length, sends);
        if (moved >= 0) return moved;
        if (errno != EINTR) return -errno;
    }
}

/*
 * The kernel reports a socket as writable if at least a third of its send buffer is free and less
 * than half of TCP_NOTSENT_LOWAT is used.
 */
size_t rl_socket_least_space(int fd)
{
    const unsigned most = 131072;
    unsigned size = 0, held_back = 0;
    socklen_t length = sizeof size;
    if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) < 0) return 0;
    length = sizeof held_back;
    bool is_bounded = getsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &held_back, &length) == 0;
    if (is_bounded && held_back > 0 && held_back < size) size = held_back;
    return (size < most ? size : most) / 4;
}

int64_t rl_socket_send_limit(int fd)
{
    /* About 30 years. A much longer time would overflow when it is converted to nanoseconds. */
    const int64_t most_seconds = 1000000000;
    struct timeval limit = {0};
    socklen_t size = sizeof limit;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || flags & O_NONBLOCK) return 0;
    bool is_limited = getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, &size) == 0 &&
                      (limit.tv_sec != 0 || limit.tv_usec != 0);
    if (limit.tv_sec > most_seconds) return RL_NEVER_NS;
    return is_limited ? (int64_t)limit.tv_sec * 1000000000 + (int64_t)limit.tv_usec * 1000
                      : RL_NEVER_NS;
}

int rl_socket_type(int fd)
{
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ? -errno : type;
}

int rl_socket_take_error(int fd)
{
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -errno : -error;
}

bool rl_socket_get_name(int fd, struct rl_socket_name *ret_name)
{
    ret_name->length = sizeof ret_name->storage;
    return getsockname(fd, (struct sockaddr *)&ret_name->storage, &ret_name->length) == 0;
}

bool rl_socket_get_peer(int fd, struct rl_socket_name *ret_name)
{
    ret_name->length = sizeof ret_name->storage;
    return getpeername(fd, (struct sockaddr *)&ret_name->storage, &ret_name->length) == 0;
}

int rl_socket_find_end(int fd)
{
    char byte;
    ssize_t length = RL_UNCANCELED(recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT));
    if (length >= 0) return length == 0;
    return errno == EINTR ? -EAGAIN : -errno;
}

int rl_socket_finish_sending(int fd)
{
    return shutdown(fd, SHUT_WR) == 0 ? 0 : -errno;
}

int rl_socket_make_for_hosts(int *ret_family)
{
    int fd = rl_socket_make(AF_INET6, SOCK_STREAM, IPPROTO_TCP);
    *ret_family = fd == -EAFNOSUPPORT ? AF_INET : AF_INET6;
    if (fd == -EAFNOSUPPORT) return rl_socket_make(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    /* A system setting may restrict IPv6 sockets to IPv6. */
    int is_apart = 0;
    if (fd >= 0) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &is_apart, sizeof is_apart);
    return fd;
}

void rl_socket_mark(int fd, int code_point, int priority)
{
    /* The two low bits belong to the kernel (ECN). */
    int field = code_point << 2;
    /* An IPv6 socket may have IPv4 peers. */
    setsockopt(fd, IPPROTO_IP, IP_TOS, &field, sizeof field);
    setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &field, sizeof field);
    /* Comes last, because IP_TOS changes the priority. */
    setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority);
}

int rl_file_open(const char *path, bool is_written, bool appends)
{
    int flags = is_written ? O_WRONLY | O_CREAT | (appends ? O_APPEND : O_TRUNC) : O_RDONLY;
    int fd;
    do {
        fd = rl_kernel_keep(RL_UNCANCELED(open(path, flags | O_CLOEXEC, 0666)));
    } while (fd < 0 && errno == EINTR);
    return result_or_error(fd);
}

ssize_t rl_file_read(int fd, void *bytes, size_t length)
{
    for (;;) {
        ssize_t count = RL_UNCANCELED(read(fd, bytes, length));
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
    }
}

ssize_t rl_file_write(int fd, const void *bytes, size_t length)
{
    for (;;) {
        ssize_t count = rl_write_without_signal(fd, bytes, length);
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
    }
}

int64_t rl_file_offset(int fd)
{
    return lseek(fd, 0, SEEK_CUR);
}

int rl_file_seek(int fd, int64_t offset)
{
    return lseek(fd, offset, SEEK_SET) < 0 ? -errno : 0;
}
