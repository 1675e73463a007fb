/*
 * A server of HTTP in a process of its own, one connection after the other, and a client by hand.
 */

#define _GNU_SOURCE

#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CAPACITY = 65536, BACKLOG = 128 };

struct site {
    int listening_fd;
    size_t byte_count;
};

/* Requests without a body are over with an empty line. */
static void read_request(int fd)
{
    char request[CAPACITY];
    size_t filled = 0;
    do {
        ssize_t count = read(fd, request + filled, sizeof request - filled);
        EXPECT(count > 0);
        filled += (size_t)count;
    } while (!memmem(request, filled, "\r\n\r\n", 4));
}

static void serve(void *info)
{
    const struct site *site = info;
    char *response = allocate(CAPACITY + site->byte_count);
    int head_count = snprintf(response, CAPACITY,
                              "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
                              "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                              site->byte_count);
    for (;;) {
        int fd = accept4(site->listening_fd, NULL, NULL, SOCK_CLOEXEC);
        EXPECT(fd >= 0);
        read_request(fd);
        write_all(fd, response, (size_t)head_count + site->byte_count);
        close(fd);
    }
}

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
}

uint16_t http_server_start(size_t byte_count)
{
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(fd >= 0);
    EXPECT(bind(fd, (const struct sockaddr *)&address, length) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    EXPECT(listen(fd, BACKLOG) == 0);
    struct site site = {fd, byte_count};
    peer_start(1, serve, &site);
    close(fd);
    bind_to_processor(0);
    return ntohs(address.sin_port);
}

size_t http_fetch(uint16_t port)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    static char bytes[CAPACITY];
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);
    write_all(fd, request, sizeof request - 1);
    size_t head_count = 0, whole = 0;
    ssize_t count;
    while ((count = read(fd, bytes, sizeof bytes)) > 0) {
        /* The head comes at once, as it is written. */
        const char *end = whole == 0 ? memmem(bytes, (size_t)count, "\r\n\r\n", 4) : NULL;
        if (end) head_count = (size_t)(end + 4 - bytes);
        whole += (size_t)count;
    }
    close(fd);
    return whole - head_count;
}
