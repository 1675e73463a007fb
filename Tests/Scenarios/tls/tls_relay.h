/*
 * Words for scenarios of TLS: what may happen to bytes on their way, and a server that answers
 * them.
 */

#ifndef SCENARIOKIT_TLS_RELAY_H
#define SCENARIOKIT_TLS_RELAY_H

#include "../streams/stream_words.h"
#include "tls_words.h"

#include <poll.h>

/*
 * Between two ends: forwards bytes in pieces of random sizes, up to a number of bytes for each
 * direction, after which both sides see the end of the connection.
 */
struct tls_relay {
    /* The relay's sockets: the first to the server, the second to the client. */
    int handles[2];
    long limits[2];
    /* The index of the byte of the server's output that the relay changes, or -1. */
    long changed;
    size_t most;
    unsigned seed;
    pthread_t thread;
};

/* Forwards a piece; returns whether there may be more. */
static inline bool forward_piece(struct tls_relay *relay, int from, long *forwarded)
{
    UInt8 bytes[16384];
    size_t most = 1 + (size_t)rand_r(&relay->seed) % relay->most;

    if ((long)most > relay->limits[from] - *forwarded) {
        most = (size_t)(relay->limits[from] - *forwarded);
    }
    if (most == 0) return false;
    ssize_t count = recv(relay->handles[from], bytes, most, 0);
    if (count <= 0) return false;
    long index = relay->changed - *forwarded;
    if (from == 0 && relay->changed >= 0 && index >= 0 && index < count) bytes[index] ^= 0x10;
    *forwarded += count;
    for (ssize_t sent = 0; sent < count;) {
        ssize_t some =
            send(relay->handles[!from], bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
        if (some <= 0) return false;
        sent += some;
    }
    return true;
}

static inline void *relay_tls(void *context)
{
    struct tls_relay *relay = context;
    long forwarded[2] = {0, 0};
    bool is_open = true;

    while (is_open) {
        struct pollfd queries[2] = {{relay->handles[0], POLLIN, 0}, {relay->handles[1], POLLIN, 0}};
        /*
         * If the changed byte belongs to a record's length, the receiver waits for bytes that never
         * come: the relay ends the connection early.
         */
        bool is_changed = relay->changed >= 0 && forwarded[0] > relay->changed;
        if (poll(queries, 2, is_changed ? 100 : 20000) <= 0) break;
        for (int from = 0; from < 2 && is_open; from++) {
            if (queries[from].revents) is_open = forward_piece(relay, from, &forwarded[from]);
        }
    }
    close(relay->handles[0]);
    close(relay->handles[1]);
    return NULL;
}

/* Starts a relay between a server and a client; returns their sockets. It ends after both. */
static inline void start_relay(struct tls_relay *relay, int *ret_server, int *ret_client)
{
    int first[2], second[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, first) == 0);
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, second) == 0);
    relay->handles[0] = first[1];
    relay->handles[1] = second[1];
    check(pthread_create(&relay->thread, NULL, relay_tls, relay) == 0);
    *ret_server = first[0];
    *ret_client = second[0];
}

enum { TLS_WITHOUT_LIMIT = 1L << 40 };

/* A thread that answers by blocking calls until nothing more comes. */
struct tls_server {
    struct tls_end end;
    pthread_t thread;
    const char *error;
};

static inline void *serve_tls(void *context)
{
    struct tls_server *server = context;
    UInt8 bytes[20000];
    long count = -1;

    if (RLReadStreamOpen(server->end.reader) && RLWriteStreamOpen(server->end.writer)) {
        while ((count = RLReadStreamRead(server->end.reader, bytes, sizeof bytes)) > 0) {
            for (long sent = 0, some; sent < count; sent += some) {
                some = RLWriteStreamWrite(server->end.writer, bytes + sent, count - sent);
                if (some <= 0) break;
            }
        }
    }
    server->error = name_of_tls_error(RLReadStreamGetError(server->end.reader));
    RLReadStreamClose(server->end.reader);
    RLWriteStreamClose(server->end.writer);
    return NULL;
}

static inline void start_tls_server(struct tls_server *server, int handle)
{
    server->end = make_tls_end(handle, server_with(pem_of_server));
    check(pthread_create(&server->thread, NULL, serve_tls, server) == 0);
}

/* Passes bytes through a server behind a relay. */
static inline void pass_through_tls(long total, size_t most)
{
    struct tls_relay relay = {.limits = {TLS_WITHOUT_LIMIT, TLS_WITHOUT_LIMIT},
                              .changed = -1,
                              .most = most,
                              .seed = (unsigned)total};
    struct tls_server server;
    int server_handle, client_handle;

    start_relay(&relay, &server_handle, &client_handle);
    start_tls_server(&server, server_handle);
    struct tls_end client = make_tls_end(client_handle, client_of(RLSTR("localhost")));
    pass_through(client.reader, client.writer, total);
    finish(client);
    pthread_join(server.thread, NULL);
    pthread_join(relay.thread, NULL);
    note("%s", server.error);
}

/*
 * The result of both ends if the connection ends, or a byte changes, in transit. Runs to their end.
 */
static inline const char *disturb_tls(struct tls_relay relay, const char **ret_server_error)
{
    struct tls_server server;
    int server_handle, client_handle;

    relay.most = 16384;
    start_relay(&relay, &server_handle, &client_handle);
    start_tls_server(&server, server_handle);
    struct tls_end client = make_tls_end(client_handle, client_of(RLSTR("localhost")));
    RLWriteStreamRef writer = client.writer;
    __block bool is_written = false;
    __block long answered = 0;
    serve_writer(writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventErrorOccurred) stop();
        if (event != kRLStreamEventCanAcceptBytes || is_written) return;
        is_written = true;
        (void)RLWriteStreamWrite(called, (const UInt8 *)"question", 8);
    });
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 byte;
        bool has_bytes = event == kRLStreamEventHasBytesAvailable;
        answered += has_bytes ? RLReadStreamRead(called, &byte, 1) : 0;
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
        if (answered == 8) stop();
    });
    check(RLReadStreamOpen(client.reader) && RLWriteStreamOpen(client.writer));
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false) == kRLRunLoopRunStopped);
    const char *error = name_of_tls_error(RLReadStreamGetError(client.reader));
    if (strcmp(error, "none") == 0) error = name_of_tls_error(RLWriteStreamGetError(client.writer));
    finish(client);
    pthread_join(server.thread, NULL);
    pthread_join(relay.thread, NULL);
    *ret_server_error = server.error;
    return error;
}

#endif
