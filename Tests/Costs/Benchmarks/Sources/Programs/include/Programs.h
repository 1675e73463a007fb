/*
 * What programs do with loops, each in several ways: serving connections, sending messages to other
 * processes and threads, fetching.
 *
 * A server that is measured runs in this process, which is bound to the first processor. Its load,
 * which is the same for all ways, is a process of its own. So are the two sides of messages.
 */

#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one operation took. A figure that was not measured is not a number. */
struct report {
    /* Of the processor, by all threads of the process that is measured. */
    double processor_ns;
    /* Counted by strace, where that is installed. */
    double system_calls;
    /* Of memory that a connection takes, in whole pages of the process. */
    double bytes;
    /* The time that passed for the peer, for each of the first operations. */
    size_t latency_count;
    double *latencies_ns;
};

/* One for the process: it lies in memory that the peer writes to. */
struct report *report_create(void);

/* --- Serving connections ---------------------------------------------------------------------- */

/* What a server is to serve until the last of its connections is gone. */
struct service {
    /* Listens, and does not block. The service closes it. */
    int listening_fd;
    /* Whether it sends back what it reads; else it drops it. */
    bool is_echo;
    /* Those that are open. */
    size_t connection_count;
    /* For streams that are secured: their settings. */
    const void *security;
    /* What reading may use, as one connection is served at a time. */
    char *buffer;
    size_t capacity;
};

typedef void (*server)(struct service *service);

/*
 * Where a server's loop runs. The main loop also asks whether the main dispatch queue has
 * something, in each pass.
 */
enum serving_thread { ON_OWN_THREAD, ON_MAIN_THREAD };

/* Takes a connection, which does not block; -1 if there is none now. */
int service_accept(struct service *service);

/* The same for one that was accepted already, by a descriptor that blocks. */
void service_add(struct service *service, int fd);

/* Reads once and answers. False at the end: the connection is to be closed. */
bool service_serve(struct service *service, int fd);

/* A connection has been closed. Returns whether it was the last one. */
bool service_remove(struct service *service);

/* The servers in C; null where the library is not installed. */
extern const server floor_server, libuv_server, cf_socket_server;
extern const server socket_server, descriptor_server, stream_server;

/*
 * Connections that send so many bytes all at once, and then read them back, again and again. False
 * if the process may not have as many descriptors, which is said.
 */
bool measure_echo(server serve, enum serving_thread thread, size_t byte_count,
                  size_t connection_count, struct report *report);

/* Connections that come all at once and go: what one takes. */
void measure_accepting(server serve, enum serving_thread thread, size_t connection_count,
                       struct report *report);

/* Much on one connection, for a server that drops it: what a MiB takes. */
void measure_bulk(server serve, enum serving_thread thread, struct report *report);

/* The servers that speak TLS; null where OpenSSL's headers are not installed. */
extern const server floor_tls_server, stream_tls_server;

/* Clients that come one after the other, shake hands and go: what one takes. */
void measure_handshakes(server serve, enum serving_thread thread, struct report *report);

/* Much over one secured connection, for a server that drops it: what a MiB takes. */
void measure_secured_bulk(server serve, enum serving_thread thread, struct report *report);

/* --- Messages between processes --------------------------------------------------------------- */

/* What the two sides send to each other. */
struct exchange {
    /* Of this exchange alone, for a socket or a port. */
    char name[40];
    /* Whether each message is answered with the same bytes. */
    bool is_answered;
    char *bytes;
    size_t byte_count;
    /* How many messages have come, and how many will have when the receiver is to say so there. */
    size_t received_count, awaited_count;
    int done_fd;
};

/* How messages are sent. All null if the library is not installed. */
struct messenger {
    /* Receives messages, tells `exchange_receive`, and answers, until the process is ended. */
    void (*receive)(struct exchange *exchange);
    /* Connects to the one who receives, as soon as that is there. */
    void *(*open)(const struct exchange *exchange);
    /* Sends a message, and waits for the answer if there is to be one. */
    void (*send)(void *sender);
};

/* A message has come, which must be of the right size. */
void exchange_receive(struct exchange *exchange, size_t byte_count);

extern const struct messenger floor_messenger, zeromq_messenger, port_messenger;

/* Messages between two processes on one processor: what both sides together take. */
void measure_messages(const struct messenger *messenger, size_t byte_count, bool is_answered,
                      struct report *report);

/* --- Messages between threads ----------------------------------------------------------------- */

/*
 * The floor: a list with a lock, and an eventfd that is written when the first one comes. A thread
 * of its own, which stays, handles the numbers.
 */
struct mailbox;

struct mailbox *mailbox_open(void (*handle)(void *info, long number), void *info);

/* Any thread. */
void mailbox_post(struct mailbox *mailbox, long number);

/* --- Fetching --------------------------------------------------------------------------------- */

/*
 * Starts nginx with `/page` of so many bytes, and `/slow`, the same at 512 bytes a second; binds
 * this process to the other processor, once. Returns the port on the loopback; 0 without nginx.
 */
uint16_t http_server_start(size_t byte_count);

/* The floor: libcurl on epoll. Null where libcurl's headers are not installed. */
struct curl_client *curl_client_open(const char *url);

/* Fetches a page so often, so many at a time. Returns how many bytes have come. */
size_t curl_client_fetch(struct curl_client *client, size_t count, size_t at_a_time);

#endif
