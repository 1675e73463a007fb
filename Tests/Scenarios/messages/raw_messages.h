/*
 * Words for scenarios about peers of message ports that speak to their sockets by hand.
 */

#ifndef SCENARIOKIT_RAW_MESSAGES_H
#define SCENARIOKIT_RAW_MESSAGES_H

#include "message_words.h"

/**
 * The fields of a packet; see message_wire.h of the engine, which this deliberately does not use.
 */
struct raw_packet {
    uint32_t magic;
    uint8_t kind, flags;
    uint16_t descriptors;
    int32_t id;
    uint32_t total, offset, zero;
    uint64_t serial;
    char payload[100];
};

enum {
    raw_header = 32,
    raw_request = 1,
    raw_reply = 2,
    raw_yield = 3,
    raw_stay = 4,
    raw_wants = 1,
    raw_shared = 2
};

static const uint32_t raw_magic = 0x024D4C52;

static inline struct sockaddr_un raw_address(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof(address.sun_path), "%s/corerunloop/n%s",
             getenv("XDG_RUNTIME_DIR"), name);
    return address;
}

static inline int raw_connect(const char *name)
{
    struct sockaddr_un address = raw_address(name);
    int raw = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    check(connect(raw, (struct sockaddr *)&address, sizeof(address)) == 0);
    return raw;
}

/** Sends a record, with a descriptor several times. */
static inline ssize_t raw_send(int raw, const void *record, size_t size, int descriptor, int times)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * 64)];
    } control = {0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)record, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (times > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)times);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)times);
        for (int index = 0; index < times; index++) {
            memcpy(CMSG_DATA(&control.header) + sizeof(int) * (size_t)index, &descriptor,
                   sizeof(int));
        }
    }
    return sendmsg(raw, &message, MSG_NOSIGNAL);
}

/** Waits until the peer closes; ignores bytes before that. */
static inline bool raw_is_closed(int raw)
{
    static char bytes[40000];
    struct pollfd query = {.fd = raw, .events = POLLIN};

    while (poll(&query, 1, 10000) == 1) {
        ssize_t length = recv(raw, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (length == 0 || (length < 0 && errno == ECONNRESET)) return true;
    }
    return false;
}

/** A server that lets clients wait until a byte notifies it. */
static inline int start_busy_server(const char *name)
{
    int orders[2];

    check(pipe2(orders, O_CLOEXEC) == 0);
    int entry = orders[0], giver = orders[1];
    start_process(^(void (^ready)(void)) {
        /* It ends with the scenario, which waits for it if that has a process of its own. */
        close(giver);
        RLMessagePortRef port =
            RLMessagePortCreateLocal(NULL, string_named("maker"), no_reply, NULL, NULL);
        RLMessagePortInvalidate(port);
        struct sockaddr_un address = raw_address(name);
        char byte;
        int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0) _exit(1);
        if (listen(listener, 0) != 0) _exit(1);
        ready();
        if (read(entry, &byte, 1) != 1) _exit(1);
        for (;;) accept(listener, NULL, NULL);
    });
    close(orders[0]);
    at_end(^{ close(giver); });
    return giver;
}

static inline int seal(int file)
{
    check(fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_WRITE) == 0);
    return file;
}

/** A file of zeros that has all its memory. */
static inline int memory_file(long size)
{
    static const char bytes[65536];
    int file = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    while (size > 0) {
        ssize_t written = write(file, bytes, size < 65536 ? (size_t)size : sizeof bytes);
        check(written > 0);
        size -= written;
    }
    return file;
}

/** Whether the peer has closed a raw connection; leaves its bytes unread. */
static inline bool has_hung_up(int raw)
{
    struct pollfd query = {.fd = raw, .events = 0};

    return poll(&query, 1, 0) > 0 && (query.revents & POLLHUP);
}

static inline ssize_t raw_ask(int raw, int id)
{
    struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .id = id, .serial = 1};

    return send(raw, &packet, raw_header, MSG_NOSIGNAL);
}

#endif
