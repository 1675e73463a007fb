#define _GNU_SOURCE

#include "peers.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *contexts[TRANSPORTS];

static int choose_http2(SSL *ssl, const unsigned char **out, unsigned char *length,
                        const unsigned char *in, unsigned in_length, void *info)
{
    (void)ssl;
    (void)info;
    static const unsigned char known[] = "\2h2";
    return SSL_select_next_proto((unsigned char **)out, length, known, 3, in, in_length) ==
                   OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_NOACK;
}

static void need(bool condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "peers: %s\n", what);
    _exit(1);
}

void peers_set_up(const char *certificate, const char *key)
{
    for (int i = TLS; i <= HTTP2; i++) {
        SSL_CTX *context = contexts[i] = SSL_CTX_new(TLS_server_method());
        need(context && SSL_CTX_use_certificate_file(context, certificate, SSL_FILETYPE_PEM) == 1 &&
                 SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
             "no certificate");
    }
    SSL_CTX_set_alpn_select_cb(contexts[HTTP2], choose_http2, NULL);
}

/* --- Connections --- */

static void *serve(void *info)
{
    struct peer *peer = info;
    struct server *server = peer->server;
    setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (server->transport != PLAIN) {
        peer->ssl = SSL_new(contexts[server->transport]);
        SSL_set_fd(peer->ssl, peer->fd);
        if (SSL_accept(peer->ssl) == 1) server->serve(peer);
        SSL_free(peer->ssl);
    } else {
        server->serve(peer);
    }
    close(peer->fd);
    free(peer);
    atomic_fetch_sub(&server->connections, 1 << 16);
    return NULL;
}

static void *accept_all(void *info)
{
    struct server *server = info;
    for (;;) {
        struct sockaddr_in address = {0};
        socklen_t size = sizeof address;
        int fd = accept4(server->listener, (struct sockaddr *)&address, &size, SOCK_CLOEXEC);
        if (server->is_over || fd < 0) {
            if (fd >= 0) close(fd);
            break;
        }
        struct peer *peer = calloc(1, sizeof *peer);
        *peer = (struct peer){.server = server, .fd = fd};
        /* The low half counts all, the high half those that are left. */
        peer->number = (atomic_fetch_add(&server->connections, 1 + (1 << 16)) & 0xffff) + 1;
        if (peer->number == 1) server->peer_port = ntohs(address.sin_port);
        pthread_t thread;
        need(pthread_create(&thread, NULL, serve, peer) == 0, "no thread");
        pthread_detach(thread);
    }
    return NULL;
}

void server_start(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    need(bind(server->listener, (struct sockaddr *)&address, size) == 0 &&
             listen(server->listener, 128) == 0 &&
             getsockname(server->listener, (struct sockaddr *)&address, &size) == 0,
         "no port");
    server->port = ntohs(address.sin_port);
    need(pthread_create(&server->accepting, NULL, accept_all, server) == 0, "no thread");
}

void server_stop(struct server *server)
{
    server->is_over = true;
    shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->accepting, NULL);
    close(server->listener);
    /* Time is the subject: until the last thread has ended. */
    while (server->connections >> 16 > 0) usleep(1000);
}

bool peer_write(struct peer *peer, const void *bytes, size_t count)
{
    if (peer->ssl) return count == 0 || SSL_write(peer->ssl, bytes, (int)count) == (int)count;
    for (size_t sent = 0; sent < count;) {
        ssize_t result = send(peer->fd, (const char *)bytes + sent, count - sent, MSG_NOSIGNAL);
        if (result <= 0) return false;
        sent += (size_t)result;
    }
    return true;
}

bool peer_send(struct peer *peer, const char *text)
{
    return peer_write(peer, text, strlen(text));
}

size_t peer_read(struct peer *peer, void *bytes, size_t count)
{
    ssize_t result =
        peer->ssl ? SSL_read(peer->ssl, bytes, (int)count) : recv(peer->fd, bytes, count, 0);
    return result > 0 ? (size_t)result : 0;
}

void peer_reset_at_end(struct peer *peer)
{
    struct linger linger = {.l_onoff = 1};
    setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

/* --- HTTP/1.1 --- */

bool peer_read_head(struct peer *peer, size_t *body_length)
{
    char head[4096];
    size_t count = 0;
    while (count < 4 || memcmp(head + count - 4, "\r\n\r\n", 4) != 0) {
        if (count == sizeof head - 1 || peer_read(peer, head + count, 1) == 0) return false;
        count++;
    }
    head[count] = 0;
    const char *length = strcasestr(head, "\r\nContent-Length:");
    *body_length = length ? strtoul(length + strlen("\r\nContent-Length:"), NULL, 10) : 0;
    sscanf(head, "%*s %63s", peer->path);
    peer->server->heads++;
    return true;
}

bool peer_read_body(struct peer *peer, size_t length)
{
    char bytes[4096];
    while (length > 0) {
        size_t count = peer_read(peer, bytes, length < sizeof bytes ? length : sizeof bytes);
        if (count == 0) return false;
        length -= count;
    }
    return true;
}

bool peer_read_request(struct peer *peer)
{
    size_t length;
    if (!peer_read_head(peer, &length) || !peer_read_body(peer, length)) return false;
    peer->server->requests++;
    return true;
}

bool peer_answer(struct peer *peer, const char *more)
{
    char text[512];
    snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s%s",
             strlen(peer->path), peer->path, more);
    return peer_send(peer, text);
}

/* --- HTTP/2 --- */

uint8_t *frame_put(uint8_t *at, enum frame kind, int flags, uint32_t stream, const void *payload,
                   size_t length)
{
    const uint8_t head[] = {
        (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length,
        (uint8_t)kind,           (uint8_t)flags,         (uint8_t)(stream >> 24),
        (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream};
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, payload, length);
    return at + sizeof head + length;
}

bool peer_frame(struct peer *peer, enum frame kind, int flags, uint32_t stream, const void *payload,
                size_t length)
{
    uint8_t bytes[9 + 1024];
    need(length <= 1024, "a frame is too large");
    frame_put(bytes, kind, flags, stream, payload, length);
    return peer_write(peer, bytes, 9 + length);
}

bool peer_number(struct peer *peer, enum frame kind, uint32_t stream, uint32_t number)
{
    return peer_frame(peer, kind, 0, stream, &(uint32_t){htonl(number)}, 4);
}

bool peer_goaway(struct peer *peer, uint32_t last_stream)
{
    return peer_frame(peer, FRAME_GOAWAY, 0, 0, (uint32_t[]){htonl(last_stream), 0}, 8);
}

static bool read_all(struct peer *peer, void *bytes, size_t count)
{
    for (size_t got = 0; got < count;) {
        size_t more = peer_read(peer, (char *)bytes + got, count - got);
        if (more == 0) return false;
        got += more;
    }
    return true;
}

uint32_t peer_read_stream(struct peer *peer)
{
    for (;;) {
        uint8_t head[24], payload[65536];
        size_t size = 9;
        if (!read_all(peer, head, size)) return 0;
        if (memcmp(head, "PRI * HTT", 9) == 0) {
            /* Windows of 1 MiB, of the connection and its streams. */
            if (!read_all(peer, head, 24 - size) ||
                !peer_frame(peer, FRAME_SETTINGS, 0, 0, "\0\4\0\20\0\0", 6) ||
                !peer_number(peer, FRAME_WINDOW_UPDATE, 0, 1 << 20)) {
                return 0;
            }
            continue;
        }
        size_t length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
        int kind = head[3], flags = head[4];
        uint32_t stream =
            (uint32_t)head[5] << 24 | (uint32_t)head[6] << 16 | (uint32_t)head[7] << 8 | head[8];
        if (length > sizeof payload || !read_all(peer, payload, length)) return 0;
        if (kind == FRAME_SETTINGS && !(flags & 1)) peer_frame(peer, FRAME_SETTINGS, 1, 0, "", 0);
        if (kind == FRAME_HEADERS) peer->server->heads++;
        /* END_STREAM */
        if ((kind == FRAME_HEADERS || kind == FRAME_DATA) && flags & 1) {
            peer->server->requests++;
            return stream;
        }
    }
}

bool peer_answer_stream(struct peer *peer, uint32_t stream, const char *body)
{
    /* Status 200 is one byte, with END_HEADERS. */
    return peer_frame(peer, FRAME_HEADERS, 4, stream, "\x88", 1) &&
           peer_frame(peer, FRAME_DATA, 1, stream, body, strlen(body));
}
