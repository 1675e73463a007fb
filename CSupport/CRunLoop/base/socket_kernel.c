/*
 * socket(7), poll(2), open(2).
 */

#include "base/system.h"

#include "base/socket_kernel.h"

#include "base/kernel.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How many connections may wait to be accepted. */
enum { BACKLOG = 256 };

static int result_or_error(int result)
{
    return result < 0 ? -errno : result;
}

RLRunLoopDescriptorEvents rl_socket_poll_now(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    RLRunLoopDescriptorEvents events = 0;
    if (rl_kernel_poll(&query, 1, 0) <= 0) return 0;
    if (query.revents & POLLIN) events |= kRLRunLoopDescriptorRead;
    if (query.revents & POLLOUT) events |= kRLRunLoopDescriptorWrite;
    if (query.revents & POLLHUP) events |= kRLRunLoopDescriptorHangUp;
    if (query.revents & (POLLERR | POLLNVAL)) events |= kRLRunLoopDescriptorError;
    return events;
}

bool rl_socket_has_hung_up(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLRDHUP};
    return rl_kernel_poll(&query, 1, 0) > 0 && (query.revents & (POLLRDHUP | POLLHUP));
}

int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int alarm, int64_t deadline_ns)
{
    int reads = direction & kRLRunLoopDescriptorRead ? POLLIN : 0;
    int writes = direction & kRLRunLoopDescriptorWrite ? POLLOUT : 0;
    struct pollfd queries[] = {
        {.fd = fd, .events = (short)(reads | writes)},
        {.fd = alarm, .events = POLLIN},
    };
    for (;;) {
        int64_t left_ms = -1;
        if (deadline_ns != RL_NEVER_NS) {
            int64_t left_ns = deadline_ns - rl_kernel_monotonic_ns();
            left_ms = left_ns <= 0 ? 0 : (left_ns + 999999) / 1000000;
        }
        int count = rl_kernel_poll(queries, 2, left_ms > INT_MAX ? INT_MAX : (int)left_ms);
        if (count > 0) return 0;
        if (count < 0 && errno != EINTR) return -errno;
        if (count == 0 && left_ms == 0) return -ETIMEDOUT;
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

/* A stream's bytes, by syscall(2): see uncanceled.h. */
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

int64_t rl_socket_send_limit(int fd)
{
    /* Some 30 years; the kernel takes more than can be counted in nanoseconds. */
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
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

int rl_socket_make_for_hosts(int *ret_family)
{
    int fd = rl_socket_make(AF_INET6, SOCK_STREAM, IPPROTO_TCP);
    *ret_family = fd == -EAFNOSUPPORT ? AF_INET : AF_INET6;
    if (fd == -EAFNOSUPPORT) return rl_socket_make(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    /* The system's default may be to keep the families apart. */
    int is_apart = 0;
    if (fd >= 0) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &is_apart, sizeof is_apart);
    return fd;
}

void rl_socket_mark(int fd, int code_point, int priority)
{
    /* The two bits below the code point are the kernel's. */
    int field = code_point << 2;
    /* Both, as a handle of IPv6 reaches addresses of IPv4 too. */
    setsockopt(fd, IPPROTO_IP, IP_TOS, &field, sizeof field);
    setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &field, sizeof field);
    /* Last, as IP_TOS changes the priority. */
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
        ssize_t count = RL_UNCANCELED(write(fd, bytes, length));
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
