/*
 * Floods of TLS records, by OpenSSL itself, and of alerts, by GnuTLS, which lets programs send
 * them.
 */

#include "../streams/stream_words.h"
#include "../tls/tls_words.h"
#include "flood_words.h"
#include "scenario.h"

#include <dlfcn.h>

/* Declares a function of a library under its own name. */
#define FROM_LIBRARY(library, result, its_name, ...)                                               \
    result (*its_name)(__VA_ARGS__) =                                                              \
        (result (*)(__VA_ARGS__))dlsym(dlopen(library, RTLD_NOW), #its_name)
#define FROM_OPENSSL(...) FROM_LIBRARY("libssl.so.3", __VA_ARGS__)
#define FROM_GNUTLS(...) FROM_LIBRARY("libgnutls.so.30", __VA_ARGS__)

/* --- Beside it -------------------------------------------------------------------------------- */

/* Makes two ends of a separate connection talk by TLS. */
static void start_other_session(void)
{
    struct tls_end server, client;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    open_tls_ends(server, client);
    take_turns(TURNS, ^{
        UInt8 byte = 'x';
        check(shake_hands(server, client));
        check(RLWriteStreamWrite(client.writer, &byte, 1) == 1);
        check(RLReadStreamRead(server.reader, &byte, 1) == 1);
    });
}

/* --- From a client ---------------------------------------------------------------------------- */

/* The receiver of the flood. */
static int receiving_handle;

/* Sends the unit of that number. Returns false if there is no room now. */
typedef bool (^unit_sender)(long number);

/*
 * Makes a peer send much before the loop runs, and continue then: receiving costs far more than
 * sending, but the peer might have no processor. A pass receives no more than a portion.
 */
static flooder flood_ahead(int handle, unit_sender send_unit)
{
    __block long units = 0;
    __block int unread = 0;

    while (bytes_in(receiving_handle) < 8 * MOST_BYTES_IN_PASS && send_unit(units)) units++;
    check(bytes_in(receiving_handle) > 3 * MOST_BYTES_IN_PASS);
    when(kRLRunLoopBeforeTimers, "DEF", ^{
        int now = bytes_in(receiving_handle);
        if (unread - now > most_bytes_taken) most_bytes_taken = unread - now;
        unread = now;
    });
    return flood_by(^bool {
        static char answers[65536];
        while (recv(handle, answers, sizeof answers, MSG_DONTWAIT) > 0) continue;
        if (!send_unit(units)) return await_room(handle);
        units++;
        return true;
    });
}

/* Sends messages of the session, which a block makes. */
static flooder session_flooder(int handle, void *ssl, bool (^make)(void))
{
    FROM_OPENSSL(int, SSL_do_handshake, void *);
    __block bool is_sent = true;

    return flood_ahead(handle, ^bool(long number) {
        (void)number;
        if (is_sent) check(make());
        is_sent = SSL_do_handshake(ssl) == 1;
        return is_sent;
    });
}

/* Makes the engine's server, after the handshake, read all bytes. */
static void drain_server(struct tls_end server)
{
    drain(server.reader);
    serve_writer(server.writer, NULL, NULL);
    /* Only bytes cause callbacks. */
    take_portion();
    start_other_session();
}

/* A client of OpenSSL's own that has shaken hands with a server of ours, which drains. */
static struct raw_client flooding_client(int *ret_handle)
{
    need_openssl();
    *ret_handle = connect_peer(&receiving_handle);
    struct tls_end server = make_tls_end(receiving_handle, server_with(pem_of_server));
    struct raw_client client = make_raw_client(*ret_handle);
    shake_hands_with(&client, server);
    drain_server(server);
    return client;
}

FLOOD(flood_of_keys, "A TLS peer that sends new keys without end does not hold the loop",
      LARGE_UNITS, 2)
{
    int handle;
    struct raw_client client = flooding_client(&handle);

    return session_flooder(handle, client.ssl,
                           ^bool { return client.ask_for_new_keys(client.ssl, 0) == 1; });
}

FLOOD(flood_of_questions, "A TLS peer that asks for new keys without end does not hold the loop",
      LARGE_UNITS, 2)
{
    int handle;
    struct raw_client client = flooding_client(&handle);

    return session_flooder(handle, client.ssl,
                           ^bool { return client.ask_for_new_keys(client.ssl, 1) == 1; });
}

FLOOD(flood_of_keys_and_bytes, "Nor does one that sends a byte now and then beside new keys",
      LARGE_UNITS, 2)
{
    FROM_OPENSSL(int, SSL_write, void *, const void *, int);
    enum { KEYS_PER_BYTE = 500 };
    int handle;
    struct raw_client client = flooding_client(&handle);
    __block bool is_sent = true;

    return flood_ahead(handle, ^bool(long number) {
        if (number % KEYS_PER_BYTE == 0) return SSL_write(client.ssl, "x", 1) == 1;
        if (is_sent) check(client.ask_for_new_keys(client.ssl, 0) == 1);
        is_sent = client.shake_hands(client.ssl) == 1;
        return is_sent;
    });
}

FLOOD(flood_of_records, "A TLS peer that sends records of one byte does not hold the loop",
      SMALL_UNITS, 2)
{
    FROM_OPENSSL(int, SSL_write, void *, const void *, int);
    int handle;
    struct raw_client client = flooding_client(&handle);

    return flood_by(^bool { return SSL_write(client.ssl, "x", 1) == 1 || await_room(handle); });
}

/* A client of GnuTLS, by TLS 1.2, that has shaken hands with a server of ours, which drains. */
static void *alerting_client(int *ret_handle)
{
    enum { CLIENT = 2, CERTIFICATES = 1 };
    FROM_GNUTLS(int, gnutls_init, void **, unsigned);
    FROM_GNUTLS(void, gnutls_deinit, void *);
    FROM_GNUTLS(int, gnutls_priority_set_direct, void *, const char *, const char **);
    FROM_GNUTLS(int, gnutls_certificate_allocate_credentials, void **);
    FROM_GNUTLS(void, gnutls_certificate_free_credentials, void *);
    FROM_GNUTLS(int, gnutls_credentials_set, void *, int, void *);
    FROM_GNUTLS(void, gnutls_transport_set_int2, void *, int, int);
    FROM_GNUTLS(int, gnutls_handshake, void *);
    void *session = NULL, *credentials = NULL;

    need_openssl();
    bool has_gnutls = gnutls_init != NULL;
    check(has_gnutls);
    if (!has_gnutls) end_in_failure();
    *ret_handle = connect_peer(&receiving_handle);
    struct tls_end server = make_tls_end(receiving_handle, server_with(pem_of_server));
    check(gnutls_init(&session, CLIENT | 1 << 3 /* GNUTLS_NONBLOCK */) == 0);
    check(gnutls_priority_set_direct(session, "NORMAL:-VERS-ALL:+VERS-TLS1.2", NULL) == 0);
    check(gnutls_certificate_allocate_credentials(&credentials) == 0);
    check(gnutls_credentials_set(session, CERTIFICATES, credentials) == 0);
    gnutls_transport_set_int2(session, *ret_handle, *ret_handle);
    at_end(^{
        gnutls_deinit(session);
        gnutls_certificate_free_credentials(credentials);
    });
    check(RLReadStreamOpen(server.reader) && RLWriteStreamOpen(server.writer));
    while (gnutls_handshake(session) != 0) (void)RLWriteStreamCanAcceptBytes(server.writer);
    drain_server(server);
    return session;
}

/* OpenSSL gives up after the fifth alert without a byte in between. */
FLOOD(flood_of_alerts, "A TLS peer that sends warnings without end does not hold the loop",
      LARGE_UNITS, 2)
{
    enum { WARNING = 1, USER_CANCELED = 90, WARNINGS = 4 };
    FROM_GNUTLS(int, gnutls_alert_send, void *, int, int);
    FROM_GNUTLS(ssize_t, gnutls_record_send, void *, const void *, size_t);
    int handle;
    void *session = alerting_client(&handle);

    return flood_ahead(handle, ^bool(long number) {
        if (number % (WARNINGS + 1) == 0) return gnutls_record_send(session, "x", 1) == 1;
        return gnutls_alert_send(session, WARNING, USER_CANCELED) == 0;
    });
}

/* --- From a server ---------------------------------------------------------------------------- */

static const char *server_file(void)
{
    const char *path = kept_text("%s/server.pem", make_folder());
    FILE *file = fopen(path, "w");

    check(fputs(pem_of_server, file) >= 0);
    fclose(file);
    return path;
}

/* A server of OpenSSL's own that has shaken hands with a client of ours, which drains. */
static void *flooding_server(int *ret_handle, long version)
{
    enum { SET_MAX_PROTO_VERSION = 124, PEM = 1 };
    FROM_OPENSSL(void *, TLS_server_method, void);
    FROM_OPENSSL(void *, SSL_CTX_new, void *);
    FROM_OPENSSL(void, SSL_CTX_free, void *);
    FROM_OPENSSL(int, SSL_CTX_use_certificate_chain_file, void *, const char *);
    FROM_OPENSSL(int, SSL_CTX_use_PrivateKey_file, void *, const char *, int);
    FROM_OPENSSL(void *, SSL_new, void *);
    FROM_OPENSSL(void, SSL_free, void *);
    FROM_OPENSSL(int, SSL_set_fd, void *, int);
    FROM_OPENSSL(long, SSL_ctrl, void *, int, long, void *);
    FROM_OPENSSL(int, SSL_accept, void *);

    need_openssl();
    *ret_handle = connect_peer(&receiving_handle);
    const char *path = server_file();
    void *context = SSL_CTX_new(TLS_server_method());
    check(SSL_CTX_use_certificate_chain_file(context, path) == 1);
    check(SSL_CTX_use_PrivateKey_file(context, path, PEM) == 1);
    void *ssl = SSL_new(context);
    SSL_CTX_free(context);
    at_return(^{ SSL_free(ssl); });
    check(SSL_set_fd(ssl, *ret_handle) == 1);
    check(SSL_ctrl(ssl, SET_MAX_PROTO_VERSION, version, NULL) == 1);
    struct tls_end client = make_tls_end(receiving_handle, client_of(RLSTR("localhost")));
    check(RLReadStreamOpen(client.reader) && RLWriteStreamOpen(client.writer));
    while (SSL_accept(ssl) != 1) (void)RLWriteStreamCanAcceptBytes(client.writer);
    drain(client.reader);
    take_portion();
    start_other_session();
    return ssl;
}

FLOOD(flood_of_tickets, "A TLS server that sends tickets without end does not hold the loop",
      LARGE_UNITS, 2)
{
    FROM_OPENSSL(int, SSL_new_session_ticket, void *);
    int handle;
    void *ssl = flooding_server(&handle, 0x0304);

    return session_flooder(handle, ssl, ^bool { return SSL_new_session_ticket(ssl) == 1; });
}

/* Each is answered by a warning. */
FLOOD(flood_of_hellos, "A TLS server that asks for new handshakes without end does not hold it",
      LARGE_UNITS, 2)
{
    FROM_OPENSSL(int, SSL_renegotiate, void *);
    int handle;
    void *ssl = flooding_server(&handle, 0x0303);

    return session_flooder(handle, ssl, ^bool { return SSL_renegotiate(ssl) == 1; });
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
FLOOD(flood_of_records_on_queue, "Records for a stream on a dispatch queue hold neither",
      SMALL_UNITS, 2)
{
    FROM_OPENSSL(int, SSL_write, void *, const void *, int);
    int near_end, handle = connect_peer(&near_end);
    struct tls_end server = make_tls_end(near_end, server_with(pem_of_server));
    struct raw_client client = make_raw_client(handle);

    shake_hands_with(&client, server);
    drain_on_queue(server);
    return flood_by(^bool { return SSL_write(client.ssl, "x", 1) == 1 || await_room(handle); });
}
#endif
