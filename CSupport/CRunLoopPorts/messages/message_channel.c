#include "base/system.h"

#include "messages/message_channel.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* Older headers of the C library and the kernel lack these constants. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#define PIDFS 0x50494446

/* For a smaller payload, a copy costs less than an iovec with two elements. */
enum { SMALL_PAYLOAD = 1024 };

union control {
    struct cmsghdr alignment;
    char bytes[CMSG_SPACE(sizeof(int) * RL_CHANNEL_MOST_DESCRIPTORS)];
};

void rl_channel_close(const int *descriptors, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        /* A peer may have set SO_LINGER: the last close would block until the data are sent. */
        struct linger off = {0};
        setsockopt(descriptors[i], SOL_SOCKET, SO_LINGER, &off, sizeof off);
        RL_UNCANCELED(close(descriptors[i]));
    }
}

static struct cmsghdr *next_header(struct msghdr *message, struct cmsghdr *header)
{
    /* Ignores a warning, because musl's macro compares signed and unsigned sizes. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
    return CMSG_NXTHDR(message, header);
#pragma GCC diagnostic pop
}

/*
 * Returns false if the packet has more descriptors than allowed, or more than the process can open.
 * The control buffer has space for the allowed number.
 */
static bool take_descriptors(struct msghdr *message, struct rl_channel_packet *packet)
{
    bool fits = true;
    struct cmsghdr *each = CMSG_FIRSTHDR(message);
    for (; each; each = next_header(message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
        unsigned count = (unsigned)((each->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (unsigned i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
            if (packet->descriptor_count == RL_CHANNEL_MOST_DESCRIPTORS) {
                rl_channel_close(&fd, 1);
                fits = false;
                continue;
            }
            fd = rl_kernel_keep(fd);
            if (fd >= 0) packet->descriptors[packet->descriptor_count++] = fd;
            if (fd < 0) fits = false;
        }
    }
    return fits;
}

/* The kernel drops descriptors beyond the process's limit or the size of the control buffer. */
static void warn_of_lost_descriptors(unsigned received)
{
    static atomic_bool has_warned;
    if (atomic_exchange(&has_warned, true)) return;
    if (received < RL_CHANNEL_MOST_DESCRIPTORS) {
        rl_warn("recvmsg",
                "a port dropped a message, as the process cannot open the message's descriptors: "
                "raise the limit of open files, or close descriptors");
    } else {
        rl_warn("recvmsg",
                "a port dropped a message with too many descriptors: send at most %d in a message",
                RL_WIRE_MOST_DESCRIPTORS);
    }
}

static enum rl_channel_result result_of_failure(int error)
{
    switch (error) {
    case EAGAIN: return RL_CHANNEL_AGAIN;
    case ENOMEM:
    case ENOBUFS:
    case EPERM:
    case ENOSYS:
    case EACCES: return RL_CHANNEL_REFUSED;
    default: return RL_CHANNEL_CLOSED;
    }
}

enum rl_channel_result rl_channel_receive(int fd, uint8_t *buffer,
                                          struct rl_channel_packet *ret_packet)
{
    union control control;
    uint8_t header[RL_WIRE_HEADER_SIZE];
    struct iovec parts[] = {
        {.iov_base = header, .iov_len = sizeof header},
        {.iov_base = buffer, .iov_len = RL_WIRE_PAYLOAD_SIZE},
    };
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = 2,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    ret_packet->descriptor_count = 0;
    errno = ENOMEM;
    if (!buffer) return RL_CHANNEL_REFUSED;
    ssize_t length;
    do {
        length = RL_UNCANCELED(recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
        /* A peer that closes with unread data causes one ECONNRESET before its last packets. */
    } while (length < 0 && (errno == EINTR || errno == ECONNRESET));
    if (length < 0) return result_of_failure(errno);
    bool has_all = take_descriptors(&message, ret_packet);
    if (length == 0 && ret_packet->descriptor_count == 0) return RL_CHANNEL_CLOSED;

    if (message.msg_flags & MSG_CTRUNC) warn_of_lost_descriptors(ret_packet->descriptor_count);
    bool is_whole =
        has_all && length >= RL_WIRE_HEADER_SIZE && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    if (is_whole && rl_wire_decode(header, buffer, (size_t)length - sizeof header,
                                   ret_packet->descriptor_count, &ret_packet->packet)) {
        return RL_CHANNEL_DONE;
    }
    rl_channel_close(ret_packet->descriptors, ret_packet->descriptor_count);
    return RL_CHANNEL_FAILED;
}

/* A time-out of ten days or more means no limit (MSGP-6). */
int64_t rl_channel_deadline(RLTimeInterval seconds)
{
    const RLTimeInterval ten_days = 10 * 24 * 60 * 60;
    if (!(seconds < ten_days)) return RL_NEVER_NS;
    int64_t now = rl_kernel_monotonic_ns();
    return seconds <= 0 ? now : now + (int64_t)(seconds * 1e9);
}

static ssize_t send_small(int fd, const struct rl_wire_packet *packet)
{
    uint8_t bytes[RL_WIRE_HEADER_SIZE + SMALL_PAYLOAD];
    rl_wire_encode(packet, bytes);
    if (packet->length > 0) memcpy(bytes + RL_WIRE_HEADER_SIZE, packet->payload, packet->length);
    return RL_UNCANCELED(sendto(fd, bytes, RL_WIRE_HEADER_SIZE + packet->length,
                                MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0));
}

static ssize_t send_large(int fd, const struct rl_wire_packet *packet, const int *descriptors)
{
    uint8_t header[RL_WIRE_HEADER_SIZE];
    rl_wire_encode(packet, header);
    struct iovec parts[] = {
        {.iov_base = header, .iov_len = sizeof header},
        {.iov_base = (void *)(uintptr_t)packet->payload, .iov_len = packet->length},
    };
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    union control control = {0};
    size_t count = rl_wire_descriptors(packet);
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(rights), descriptors, sizeof(int) * count);
    }
    return RL_UNCANCELED(sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
}

enum rl_channel_result rl_channel_send(int fd, const struct rl_wire_packet *packet,
                                       const int *descriptors)
{
    bool is_small = packet->length <= SMALL_PAYLOAD && rl_wire_descriptors(packet) == 0;
    ssize_t length;
    do {
        length = is_small ? send_small(fd, packet) : send_large(fd, packet, descriptors);
    } while (length < 0 && errno == EINTR);
    if (length >= 0) return RL_CHANNEL_DONE;
    if (errno == EAGAIN) return RL_CHANNEL_AGAIN;
    bool is_closed = errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN;
    return is_closed ? RL_CHANNEL_CLOSED : RL_CHANNEL_FAILED;
}

bool rl_channel_is_ours(int fd, pid_t *ret_process)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    *ret_process = peer.pid;
    return peer.uid == geteuid();
}

void rl_channel_stop_receiving(int fd)
{
    shutdown(fd, SHUT_RD);
}

/* Since Linux 6.9, the inode number of a pidfd is never reused. */
static uint64_t number_of_process_file(int file)
{
    struct statfs system;
    struct stat info;
    if (fstatfs(file, &system) != 0 || system.f_type != PIDFS || fstat(file, &info) != 0) return 0;
    return info.st_ino | UINT64_C(1) << 63;
}

uint64_t rl_channel_peer(int fd, pid_t process)
{
    int file = -1;
    socklen_t size = sizeof file;
    if (process != 0) return (uint64_t)process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &file, &size) != 0) return 0;
    file = rl_kernel_keep(file);
    if (file < 0) return 0;
    uint64_t number = number_of_process_file(file);
    RL_UNCANCELED(close(file));
    return number;
}
