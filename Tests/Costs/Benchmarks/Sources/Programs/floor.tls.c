/*
 * The floor of TLS: a server written by hand on level-triggered epoll and OpenSSL, and the load of
 * servers that speak TLS, whose clients block.
 */

#include "load.h"

#if __has_include(<openssl/ssl.h>)

#include "../../../../Scenarios/tls/tls_certificates.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS = 64, HANDSHAKES = 50 };

/* --- The server ------------------------------------------------------------------------------- */

struct connection {
    int fd;
    SSL *ssl;
};

static SSL_CTX *make_server_context(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    BIO *text = BIO_new_mem_buf(pem_of_server, -1);
    X509 *certificate = PEM_read_bio_X509(text, NULL, NULL, NULL);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, NULL);
    EXPECT(SSL_CTX_use_certificate(context, certificate) == 1);
    EXPECT(SSL_CTX_use_PrivateKey(context, key) == 1);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(text);
    return context;
}

static void watch(int poll_fd, struct connection *connection)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    EXPECT(epoll_ctl(poll_fd, EPOLL_CTL_ADD, connection->fd, &event) == 0);
}

static void accept_connection(struct service *service, SSL_CTX *context, int poll_fd)
{
    int fd = service_accept(service);
    if (fd < 0) return;
    struct connection *connection = allocate(sizeof *connection);
    connection->fd = fd;
    connection->ssl = SSL_new(context);
    SSL_set_fd(connection->ssl, fd);
    SSL_set_accept_state(connection->ssl);
    watch(poll_fd, connection);
}

/* Returns whether the connection goes on. What was received with others is read at once too. */
static bool serve_secured(struct service *service, struct connection *connection)
{
    for (;;) {
        int count = SSL_read(connection->ssl, service->buffer, (int)service->capacity);
        if (count <= 0) return SSL_get_error(connection->ssl, count) == SSL_ERROR_WANT_READ;
        if (!SSL_has_pending(connection->ssl)) return true;
    }
}

/* Returns whether that was the last one. */
static bool end(struct service *service, struct connection *connection)
{
    if (SSL_is_init_finished(connection->ssl)) (void)SSL_shutdown(connection->ssl);
    SSL_free(connection->ssl);
    close(connection->fd);
    free(connection);
    return service_remove(service);
}

static void serve(struct service *service)
{
    SSL_CTX *context = make_server_context();
    struct connection listening = {.fd = service->listening_fd};
    struct epoll_event events[EVENTS];
    bool is_over = false;
    int poll_fd = epoll_create1(EPOLL_CLOEXEC);
    EXPECT(poll_fd >= 0);
    watch(poll_fd, &listening);
    while (!is_over) {
        int count = epoll_wait(poll_fd, events, EVENTS, -1);
        for (int i = 0; i < count && !is_over; i++) {
            struct connection *connection = events[i].data.ptr;
            if (connection == &listening) {
                accept_connection(service, context, poll_fd);
            } else if (!serve_secured(service, connection)) {
                is_over = end(service, connection);
            }
        }
    }
    close(poll_fd);
    SSL_CTX_free(context);
}

const server floor_tls_server = serve;

/* --- The load --------------------------------------------------------------------------------- */

static SSL *connect_secured(const struct load *load, SSL_CTX *context)
{
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, load_connect(load));
    EXPECT(SSL_connect(ssl) == 1);
    return ssl;
}

static void end_secured(SSL *ssl)
{
    char byte;
    int fd = SSL_get_fd(ssl);
    (void)SSL_shutdown(ssl);
    /* The server has ended it too. */
    EXPECT(SSL_read(ssl, &byte, 1) <= 0);
    SSL_free(ssl);
    close(fd);
}

static void come_and_go(const struct load *load, SSL_CTX *context)
{
    for (size_t i = 0; i < HANDSHAKES; i++) end_secured(connect_secured(load, context));
}

static void load_with_handshakes(void *info)
{
    struct load *load = info;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *kept = connect_secured(load, context);
    come_and_go(load, context);

    int64_t began_ns = now_ns(), used_ns = processor_ns_of(load->server);
    size_t rounds = 0;
    do {
        come_and_go(load, context);
        rounds++;
    } while (now_ns() - began_ns < LOAD_MEASURED_NS);
    used_ns = processor_ns_of(load->server) - used_ns;
    load->report->processor_ns = (double)used_ns / (double)(rounds * HANDSHAKES);

    struct call_counter counter;
    if (call_counter_start(&counter, load->server, 0)) {
        come_and_go(load, context);
        load->report->system_calls = call_counter_stop(&counter) / HANDSHAKES;
    }
    end_secured(kept);
}

static void send_much(const struct load *load, SSL *ssl, size_t mib_count)
{
    for (size_t i = 0; i < mib_count * (LOAD_MIB / LOAD_CAPACITY); i++) {
        EXPECT(SSL_write(ssl, load->bytes, LOAD_CAPACITY) == LOAD_CAPACITY);
    }
}

static void load_with_much(void *info)
{
    struct load *load = info;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = connect_secured(load, context);
    send_much(load, ssl, LOAD_BULK_MIBS / 16);
    int64_t used_ns = processor_ns_of(load->server);
    send_much(load, ssl, LOAD_BULK_MIBS);
    used_ns = processor_ns_of(load->server) - used_ns;
    load->report->processor_ns = (double)used_ns / LOAD_BULK_MIBS;
    end_secured(ssl);
}

void measure_handshakes(server serve, enum serving_thread thread, struct report *report)
{
    struct load load = {.connection_count = 1, .report = report};
    load_serve(serve, thread, false, load_with_handshakes, &load);
}

void measure_secured_bulk(server serve, enum serving_thread thread, struct report *report)
{
    struct load load = {.connection_count = 1, .report = report};
    load_serve(serve, thread, false, load_with_much, &load);
}

#else

const server floor_tls_server = NULL;

void measure_handshakes(server serve, enum serving_thread thread, struct report *report)
{
    (void)serve, (void)thread, (void)report;
}

void measure_secured_bulk(server serve, enum serving_thread thread, struct report *report)
{
    (void)serve, (void)thread, (void)report;
}

#endif
