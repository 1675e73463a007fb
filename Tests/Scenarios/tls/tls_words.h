/*
 * Words for scenarios of TLS: ends of secured connections, and what they do.
 */

#ifndef SCENARIOKIT_TLS_WORDS_H
#define SCENARIOKIT_TLS_WORDS_H

#include "../streams/stream_words.h"
#include "tls_certificates.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <sys/ioctl.h>

/* Both streams of one end of a connection. */
struct tls_end {
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
};

/* Released when the scenario ends. */
static inline RLTypeRef kept_value(RLTypeRef value)
{
    at_end(^{ RLRelease(value); });
    return value;
}

/* Ends the scenario where there is no OpenSSL to show it with, as on foreign processors. */
static inline void need_openssl(void)
{
    bool has_openssl = dlopen("libssl.so.3", RTLD_NOW) != NULL;
    check(has_openssl);
    if (!has_openssl) end_in_failure();
}

/* An array of one text in PEM. */
static inline RLTypeRef pem(const char *text)
{
    need_openssl();
    RLTypeRef data = kept_value(RLDataCreate(NULL, (const UInt8 *)text, (RLIndex)strlen(text)));
    return kept_value(RLArrayCreate(NULL, &data, 1, &kRLTypeArrayCallBacks));
}

/* A text from a format, for one use of it after the other. */
__attribute__((format(printf, 1, 2))) static inline const char *kept_text(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    check(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    at_end(^{ free(text); });
    return text;
}

/* Settings from keys and values, with a null key at their end. */
static inline RLDictionaryRef tls_settings(const RLTypeRef *keys_and_values)
{
    RLMutableDictionaryRef settings = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    for (; keys_and_values[0]; keys_and_values += 2) {
        RLDictionarySetValue(settings, keys_and_values[0], keys_and_values[1]);
    }
    return kept_value(settings);
}
#define TLS(...) tls_settings((const RLTypeRef[]){__VA_ARGS__, NULL})

static inline RLDictionaryRef server_with(const char *certificate)
{
    return TLS(kRLStreamSSLIsServer, kRLBooleanTrue, kRLStreamSSLCertificates, pem(certificate));
}

static inline RLDictionaryRef client_of(RLStringRef name)
{
    return TLS(kRLStreamSSLPeerName, name, kRLStreamSSLAuthorities, pem(pem_of_authority));
}

/* The streams of a connected socket, which they close; secured unless the settings are null. */
static inline struct tls_end make_tls_end(int handle, RLDictionaryRef settings)
{
    struct tls_end end;

    RLStreamCreatePairWithSocket(NULL, handle, &end.reader, &end.writer);
    check(RLReadStreamSetProperty(end.reader, kRLStreamPropertyShouldCloseNativeSocket,
                                  kRLBooleanTrue));
    if (settings) {
        check(RLReadStreamSetProperty(end.reader, kRLStreamPropertySSLSettings, settings));
    }
    at_return(^{
        RLReadStreamSetClient(end.reader, 0, NULL, NULL);
        RLWriteStreamSetClient(end.writer, 0, NULL, NULL);
        RLReadStreamClose(end.reader);
        RLWriteStreamClose(end.writer);
        RLRelease(end.reader);
        RLRelease(end.writer);
    });
    return end;
}

/* A socket that listens on this machine; returns its port too. */
static inline int listen_for_tls(UInt32 *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    check(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    check(listen(listener, 1) == 0);
    check(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    *ret_port = ntohs(address.sin_port);
    return listener;
}

static inline void make_tls_ends(RLDictionaryRef server, RLDictionaryRef client,
                                 struct tls_end *ret_server, struct tls_end *ret_client)
{
    int handles[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    *ret_server = make_tls_end(handles[0], server);
    *ret_client = make_tls_end(handles[1], client);
}

static inline const char *name_of_tls_error(RLStreamError error)
{
    if (error.domain == kRLStreamErrorDomainPOSIX) return strerrorname_np(error.error);
    if (error.domain != kRLStreamErrorDomainSSL) return "none";
    switch (error.error) {
    case kRLStreamErrorSSLProtocol: return "protocol";
    case kRLStreamErrorSSLNegotiation: return "no cipher";
    case kRLStreamErrorSSLClosedAbort: return "ended in the handshake";
    case kRLStreamErrorSSLBadCert: return "client has no certificate";
    case kRLStreamErrorSSLUnknownRootCert: return "signed by itself";
    case kRLStreamErrorSSLNoRootCert: return "unknown authority";
    case kRLStreamErrorSSLCertExpired: return "expired";
    case kRLStreamErrorSSLCertNotYetValid: return "not yet valid";
    case kRLStreamErrorSSLClosedNoNotify: return "truncated";
    case kRLStreamErrorSSLPeerBadCert: return "peer: bad certificate";
    case kRLStreamErrorSSLPeerCertExpired: return "peer: expired";
    case kRLStreamErrorSSLPeerHandshakeFail: return "peer: no handshake";
    case kRLStreamErrorSSLPeerUnknownCA: return "peer: unknown authority";
    case kRLStreamErrorSSLPeerProtocolVersion: return "no version";
    case kRLStreamErrorSSLHostNameMismatch: return "other name";
    case kRLStreamErrorSSLBadRecordMac: return "changed";
    case kRLStreamErrorSSLBadConfiguration: return "bad settings";
    default: return "another";
    }
}

static inline bool is_end_of_connection(const char *error)
{
    const char *const ends[] = {"ended in the handshake", "truncated", "EPIPE", "ECONNRESET"};

    for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
        if (strcmp(error, ends[index]) == 0) return true;
    }
    return false;
}

static inline void open_tls_ends(struct tls_end first, struct tls_end second)
{
    check(RLReadStreamOpen(first.reader) && RLWriteStreamOpen(first.writer));
    check(RLReadStreamOpen(second.reader) && RLWriteStreamOpen(second.writer));
}

/* Makes both ends shake hands by checks of readiness, without a loop; returns whether they have. */
static inline bool shake_hands(struct tls_end server, struct tls_end client)
{
    enum { MOST_LOOKS = 50 };
    bool is_over = false;

    for (int look = 0; look < MOST_LOOKS && !is_over; look++) {
        bool client_has_room = RLWriteStreamCanAcceptBytes(client.writer);
        is_over = RLWriteStreamCanAcceptBytes(server.writer) && client_has_room;
    }
    return is_over;
}

/* Reads the available bytes, less than 64, and notes them as text. */
static inline void read_text(RLReadStreamRef reader)
{
    char text[64] = "";
    long count = RLReadStreamRead(reader, (UInt8 *)text, sizeof text - 1);

    note("%s", count > 0 ? text : count == 0 ? "nothing" : "error");
}

static inline void write_tls_text(RLWriteStreamRef writer, const char *text)
{
    long length = (long)strlen(text);

    check(RLWriteStreamWrite(writer, (const UInt8 *)text, length) == length);
}

/* Makes an end echo its input, and stop the loop after the last bytes. */
static inline void echo_tls(struct tls_end end)
{
    RLWriteStreamRef writer = end.writer;

    serve_writer(writer, NULL, NULL);
    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[4096];
        if (event & (kRLStreamEventEndEncountered | kRLStreamEventErrorOccurred)) stop();
        if (event != kRLStreamEventHasBytesAvailable) return;
        long count = RLReadStreamRead(called, bytes, sizeof bytes);
        if (count > 0) check(RLWriteStreamWrite(writer, bytes, count) == count);
    });
}

/* Makes an end write a text once it can, and close when it has read the response. */
static inline void ask_tls(struct tls_end end, const char *text)
{
    RLWriteStreamRef writer = end.writer;
    __block bool is_written = false;

    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes || is_written) return;
        is_written = true;
        write_tls_text(called, text);
    });
    serve_reader(end.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        RLReadStreamClose(called);
        RLWriteStreamClose(writer);
    });
}

static inline void finish(struct tls_end end)
{
    RLReadStreamClose(end.reader);
    RLWriteStreamClose(end.writer);
}

/* --- A peer that asks for answers and does not read them -------------------------------------- */

/* A client of OpenSSL's own, by the functions that it has at run time. */
struct raw_client {
    void *ssl;
    int (*shake_hands)(void *ssl);
    int (*ask_for_new_keys)(void *ssl, int type);
};

static inline struct raw_client make_raw_client(int handle)
{
    void *library = dlopen("libssl.so.3", RTLD_NOW);
    void *(*method)(void) = (void *(*)(void))dlsym(library, "TLS_client_method");
    void *(*make_context)(void *) = (void *(*)(void *))dlsym(library, "SSL_CTX_new");
    void *(*make)(void *) = (void *(*)(void *))dlsym(library, "SSL_new");
    int (*set_handle)(void *, int) = (int (*)(void *, int))dlsym(library, "SSL_set_fd");
    void (*connect)(void *) = (void (*)(void *))dlsym(library, "SSL_set_connect_state");
    void (*drop_context)(void *) = (void (*)(void *))dlsym(library, "SSL_CTX_free");
    void (*drop)(void *) = (void (*)(void *))dlsym(library, "SSL_free");
    void *context = make_context(method());
    void *ssl = make(context);

    drop_context(context);
    at_end(^{ drop(ssl); });
    check(set_handle(ssl, handle) == 1);
    connect(ssl);
    return (struct raw_client){
        ssl,
        (int (*)(void *))dlsym(library, "SSL_do_handshake"),
        (int (*)(void *, int))dlsym(library, "SSL_key_update"),
    };
}

/** Opens the server's streams and has both ends shake hands, in this thread. */
static inline void shake_hands_with(const struct raw_client *client, struct tls_end server)
{
    enum { MOST_LOOKS = 1000 };
    bool has_shaken_hands = false;

    check(RLReadStreamOpen(server.reader) && RLWriteStreamOpen(server.writer));
    for (int look = 0; look < MOST_LOOKS && !has_shaken_hands; look++) {
        bool client_has = client->shake_hands(client->ssl) == 1;
        has_shaken_hands = RLWriteStreamCanAcceptBytes(server.writer) && client_has;
    }
    check(has_shaken_hands);
}

/* --- A peer that sends records without any bytes ---------------------------------------------- */

/* Connects two handles by TCP, whose buffers keep many small records. */
static inline void connect_by_tcp(int handles[2])
{
    UInt32 port;
    int listener = listen_for_tls(&port);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((UInt16)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    check(setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &(int){1 << 20}, sizeof(int)) == 0);
    handles[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(connect(handles[1], (struct sockaddr *)&address, sizeof address) == 0);
    check(fcntl(handles[1], F_SETFL, O_NONBLOCK) == 0);
    handles[0] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    check(handles[0] >= 0);
    close(listener);
}

static inline int bytes_in(int handle)
{
    int count = 0;

    check(ioctl(handle, FIONREAD, &count) == 0);
    return count;
}

#endif
