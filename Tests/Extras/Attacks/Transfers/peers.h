/*
 * Misbehaving servers: each connection has a thread, which does the test's actions, in plain text,
 * over TLS, or in frames of HTTP/2 over TLS.
 */

#ifndef PEERS_H
#define PEERS_H

#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum transport { PLAIN, TLS, HTTP2, TRANSPORTS };

struct peer {
    struct server *server;
    int fd;
    SSL *ssl;
    /* From 1 on. */
    int number;
    /* The path of the request that was read last. */
    char path[64];
};

struct server {
    enum transport transport;
    /* The connection is closed when it returns. */
    void (*serve)(struct peer *peer);
    const void *info;
    int variant;
    int listener;
    pthread_t accepting;
    int port;
    /* That of the first connection. */
    atomic_int peer_port;
    atomic_int connections;
    /* For the test: what the server has read and done. */
    atomic_int heads;
    atomic_int requests;
    atomic_int steps;
    atomic_bool is_over;
};

/* Loads the certificate and its key for all servers. */
void peers_set_up(const char *certificate, const char *key);

void server_start(struct server *server);
/* Waits until all of its connections are closed, which clients have closed before. */
void server_stop(struct server *server);

bool peer_write(struct peer *peer, const void *bytes, size_t count);
bool peer_send(struct peer *peer, const char *text);
/* At least a byte; 0 at the end of the connection. */
size_t peer_read(struct peer *peer, void *bytes, size_t count);
/* A request with its body, by HTTP/1.1; false at the end of the connection. */
bool peer_read_head(struct peer *peer, size_t *body_length);
bool peer_read_body(struct peer *peer, size_t length);
bool peer_read_request(struct peer *peer);
/* Responds with the path of the request, so that the client knows whose response it has. */
bool peer_answer(struct peer *peer, const char *more);
/* Makes the end of the connection a reset. */
void peer_reset_at_end(struct peer *peer);

enum frame {
    FRAME_DATA = 0,
    FRAME_HEADERS = 1,
    FRAME_PRIORITY = 2,
    FRAME_RST_STREAM = 3,
    FRAME_SETTINGS = 4,
    FRAME_PING = 6,
    FRAME_GOAWAY = 7,
    FRAME_WINDOW_UPDATE = 8
};

enum { REFUSED_STREAM = 7, INTERNAL_ERROR = 2, HTTP_1_1_REQUIRED = 13 };

/* Writes a frame into a buffer; returns its end. */
uint8_t *frame_put(uint8_t *at, enum frame kind, int flags, uint32_t stream, const void *payload,
                   size_t length);
bool peer_frame(struct peer *peer, enum frame kind, int flags, uint32_t stream, const void *payload,
                size_t length);
/* A frame of the number, in four bytes, as RST_STREAM has it. */
bool peer_number(struct peer *peer, enum frame kind, uint32_t stream, uint32_t number);
bool peer_goaway(struct peer *peer, uint32_t last_stream);
/* The stream of the next request that is complete; 0 at the end of the connection. */
uint32_t peer_read_stream(struct peer *peer);
/* Answers a stream with status 200 and a body. */
bool peer_answer_stream(struct peer *peer, uint32_t stream, const char *body);

#endif
