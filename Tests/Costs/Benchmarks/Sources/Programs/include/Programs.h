/*
 * Programs on loops, each written in several ways: servers, and clients of HTTP.
 *
 * A server runs in this process, which is bound to the first processor. Its load, which is the same
 * for all ways, is a process of its own.
 */

#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The cost of one operation. A figure that was not measured is not a number. */
struct report {
    /* Of the processor, by all threads of the server. */
    double processor_ns;
    /* Of memory that a connection takes, in whole pages of the process. */
    double bytes;
};

/* --- Serving connections ---------------------------------------------------------------------- */

/* The task of a server, until the last of its connections is gone. */
struct service {
    /* Listens, and does not block. The service closes it. */
    int listening_fd;
    /* Whether the service sends back the bytes that it reads; else it drops them. */
    bool is_echo;
    /* The number of open connections. */
    size_t connection_count;
    /* The buffer of all reads, as one connection is served at a time. */
    char *buffer;
    size_t capacity;
};

typedef void (*server)(struct service *service);

/* Takes a connection, which does not block; -1 if there is none now. */
int service_accept(struct service *service);

/* Adds a connection that was accepted already; its descriptor blocks. */
void service_add(struct service *service, int fd);

/* Reads once and answers. False at the end: the connection is to be closed. */
bool service_serve(struct service *service, int fd);

/* A connection has been closed. Returns whether it was the last one. */
bool service_remove(struct service *service);

/* The servers in C; null where the library is not installed. */
extern const server floor_server, libuv_server, cf_socket_server;
extern const server socket_server, descriptor_server, stream_server;

/* Connections that send `byte_count` bytes all at once and read them back, repeatedly. */
struct report measure_echo(server serve, size_t byte_count, size_t connection_count);

/* Connections that come all at once and go: the cost of one. */
struct report measure_accepting(server serve, size_t connection_count);

/*
 * Starts a process on a processor that calls a function and ends; it ends with this one in any
 * case. Call this before there are other threads.
 */
pid_t peer_start(int processor, void (*run)(void *info), void *info);

/* Returns a socket that listens on the loopback, on a port which the kernel chooses. */
int listen_on_loopback(struct sockaddr_in *address);

/* --- Fetching --------------------------------------------------------------------------------- */

/*
 * Starts nginx with `/page` of `byte_count` bytes, and binds this process to the other processor,
 * once. Returns the port on the loopback; 0 without nginx.
 */
uint16_t http_server_start(size_t byte_count);

/* The floor: libcurl on epoll. Null where libcurl's headers are not installed. */
struct curl_client *curl_client_open(const char *url);

/* Fetches a page `count` times, `at_a_time` concurrently. Returns the number of received bytes. */
size_t curl_client_fetch(struct curl_client *client, size_t count, size_t at_a_time);

#endif
