/*
 * The floor: a socket in the Unix domain that blocks, and messages behind their lengths. Each has
 * memory of its own, as who receives it may keep it.
 */

#define _GNU_SOURCE

#include "peer.h"

#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { CAPACITY = 65536 };

/* One end, with what has been read of the next messages. */
struct end {
    int fd;
    const struct exchange *exchange;
    size_t filled;
    char bytes[CAPACITY];
};

/* An abstract address, which goes with the socket. */
static struct sockaddr_un address_of(const struct exchange *exchange)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", exchange->name);
    return address;
}

static struct end *make_end(const struct exchange *exchange, int fd)
{
    struct end *end = allocate(sizeof *end);
    EXPECT(fd >= 0);
    end->fd = fd;
    end->exchange = exchange;
    return end;
}

static void write_message(const struct end *end, char *bytes, size_t size)
{
    struct iovec parts[] = {{&size, sizeof size}, {bytes, size}};
    size_t whole = sizeof size + size, written = 0;
    while (written < whole) {
        /* The length goes at once. */
        ssize_t count = written == 0
                            ? writev(end->fd, parts, 2)
                            : write(end->fd, bytes + (written - sizeof size), whole - written);
        EXPECT(count >= (ssize_t)(written == 0 ? sizeof size : 1));
        written += (size_t)count;
    }
}

static size_t read_some(const struct end *end, char *bytes, size_t size)
{
    ssize_t count = read(end->fd, bytes, size);
    EXPECT(count > 0);
    return (size_t)count;
}

/* The next message, to be freed. What has come behind it stays for the ones after it. */
static char *read_message(struct end *end, size_t *ret_size)
{
    size_t size;
    while (end->filled < sizeof size) {
        end->filled += read_some(end, end->bytes + end->filled, CAPACITY - end->filled);
    }
    memcpy(&size, end->bytes, sizeof size);
    char *message = malloc(size);
    EXPECT(message != NULL);
    size_t there = end->filled - sizeof size < size ? end->filled - sizeof size : size;
    memcpy(message, end->bytes + sizeof size, there);
    end->filled -= sizeof size + there;
    memmove(end->bytes, end->bytes + sizeof size + there, end->filled);
    while (there < size) there += read_some(end, message + there, size - there);
    *ret_size = size;
    return message;
}

static void receive(struct exchange *exchange)
{
    struct sockaddr_un address = address_of(exchange);
    int listening_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(bind(listening_fd, (const struct sockaddr *)&address, sizeof address) == 0);
    EXPECT(listen(listening_fd, 1) == 0);
    struct end *end = make_end(exchange, accept4(listening_fd, NULL, NULL, SOCK_CLOEXEC));
    for (;;) {
        size_t size;
        char *message = read_message(end, &size);
        exchange_receive(exchange, size);
        if (exchange->is_answered) write_message(end, message, size);
        free(message);
    }
}

static void *open_sender(const struct exchange *exchange)
{
    struct sockaddr_un address = address_of(exchange);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    while (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) sched_yield();
    return make_end(exchange, fd);
}

static void send_message(void *opaque)
{
    struct end *end = opaque;
    const struct exchange *exchange = end->exchange;
    write_message(end, exchange->bytes, exchange->byte_count);
    if (!exchange->is_answered) return;
    size_t size;
    free(read_message(end, &size));
    EXPECT(size == exchange->byte_count);
}

const struct messenger floor_messenger = {receive, open_sender, send_message};
