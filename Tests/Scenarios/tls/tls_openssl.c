/*
 * Secured streams whose other end is OpenSSL's own program, which performs on request the actions
 * of peers after the handshake. Where it is missing (`CSupport/bootstrap.sh --tests`) these fail.
 */

#include "../streams/stream_words.h"
#include "scenario.h"
#include "tls_relay.h"

/* A connection in this thread's loop, and its received bytes. */
struct tls_talk {
    struct tls_end end;
    char heard[512];
    size_t length;
};

static struct tls_talk *begin_talk(struct tls_end end)
{
    struct tls_talk *talk = calloc(1, sizeof *talk);

    at_end(^{ free(talk); });
    talk->end = end;
    serve_writer(end.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) { stop(); });
    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        size_t room = sizeof talk->heard - 1 - talk->length;
        if (event == kRLStreamEventHasBytesAvailable) {
            long count = RLReadStreamRead(called, (UInt8 *)talk->heard + talk->length, (long)room);
            if (count > 0) talk->length += (size_t)count;
        }
        stop();
    });
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    return talk;
}

static bool is_going_on(const struct tls_talk *talk)
{
    RLStreamStatus status = RLReadStreamGetStatus(talk->end.reader);

    return status != kRLStreamStatusError && status != kRLStreamStatusAtEnd &&
           RLWriteStreamGetStatus(talk->end.writer) != kRLStreamStatusError;
}

static void wait_for_more(void)
{
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false) == kRLRunLoopRunStopped);
}

/* Notes the text if it comes, or how the connection has ended. */
static void hear(struct tls_talk *talk, const char *text)
{
    while (!strstr(talk->heard, text) && is_going_on(talk)) wait_for_more();
    if (strstr(talk->heard, text)) {
        note("%.*s", (int)strcspn(text, "\n"), text);
        memset(talk->heard, 0, sizeof talk->heard);
        talk->length = 0;
        return;
    }
    const char *error = name_of_tls_error(RLReadStreamGetError(talk->end.reader));
    if (strcmp(error, "none") == 0) {
        error = name_of_tls_error(RLWriteStreamGetError(talk->end.writer));
    }
    note("%s", strcmp(error, "none") == 0 ? "the end" : error);
}

/* Writes a text, unless the connection ends before it is secured. */
static void write_line(struct tls_talk *talk, const char *text)
{
    while (is_going_on(talk) && !RLWriteStreamCanAcceptBytes(talk->end.writer)) wait_for_more();
    (void)RLWriteStreamWrite(talk->end.writer, (const UInt8 *)text, (long)strlen(text));
}

/* Reads a program's output up to a text, and the rest of its line into `ret_rest`, or null. */
static void read_output(const struct peer *peer, const char *text, char *ret_rest, size_t size)
{
    size_t matched = 0, length = 0;
    char byte;

    while (text[matched] && read(peer->output, &byte, 1) == 1) {
        matched = byte == text[matched] ? matched + 1 : byte == text[0];
    }
    if (text[matched]) note("a peer does not send '%s'", text);
    if (!ret_rest) return;
    while (length < size - 1 && read(peer->output, &byte, 1) == 1 && byte != '\n') {
        ret_rest[length++] = byte;
    }
    ret_rest[length] = '\0';
}

static void send_text(const struct peer *peer, const char *text)
{
    check(write(peer->input, text, strlen(text)) == (ssize_t)strlen(text));
}

/* The path of a file with a text. */
static const char *file_with(const char *text)
{
    char path[] = "/tmp/scenario-XXXXXX";
    int file = mkstemp(path);

    check(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    const char *kept = kept_text("%s", path);
    at_end(^{ unlink(kept); });
    return kept;
}

/* Starts a server with a certificate and up to five more arguments; returns its port too. */
static struct peer start_s_server(const char *certificate, const char *const more[5],
                                  UInt32 *ret_port)
{
    char place[64];
    struct peer server = start_peer((const char *const[]){
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-cert",
        file_with(certificate), more[0], more[1], more[2], more[3], more[4], NULL});

    read_output(&server, "ACCEPT ", place, sizeof place);
    *ret_port = (UInt32)port_in(place);
    return server;
}

/* A connection to a server, as a client that trusts the authority of these certificates. */
static struct tls_talk *talk_to(UInt32 port, RLStringRef host, const char *certificate)
{
    RLTypeRef authorities = pem(pem_of_authority);
    struct tls_end end;

    RLStreamCreatePairWithSocketToHost(NULL, host, port, &end.reader, &end.writer);
    keep_pair(end.reader, end.writer);
    check(RLReadStreamSetProperty(end.reader, kRLStreamPropertySSLSettings,
                                  certificate ? TLS(kRLStreamSSLAuthorities, authorities,
                                                    kRLStreamSSLCertificates, pem(certificate))
                                              : TLS(kRLStreamSSLAuthorities, authorities)));
    return begin_talk(end);
}

#define ARGUMENTS(...) ((const char *const[5]){__VA_ARGS__})

static void tls_keys_updated(void)
{
    UInt32 port;
    need_openssl();
    struct peer server = start_s_server(pem_of_server, ARGUMENTS("-tls1_3", "-msg"), &port);
    struct tls_talk *talk = talk_to(port, RLSTR("localhost"), NULL);

    write_line(talk, "first\n");
    read_output(&server, "first\n", NULL, 0);
    /* New keys for what the server sends, then for both directions. */
    send_text(&server, "k\n");
    read_output(&server, "KeyUpdate", NULL, 0);
    send_text(&server, "second\n");
    hear(talk, "second\n");
    send_text(&server, "K\n");
    read_output(&server, "KeyUpdate", NULL, 0);
    send_text(&server, "third\n");
    hear(talk, "third\n");
    write_line(talk, "fourth\n");
    read_output(&server, "fourth\n", NULL, 0);
}
SCENARIO(tls_keys_updated,
         .title = "A server of TLS 1.3 sends tickets and changes the keys, and bytes keep arriving",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "second; third")

static void tls_renegotiation(void)
{
    UInt32 port;
    need_openssl();
    struct peer server = start_s_server(pem_of_server, ARGUMENTS("-tls1_2"), &port);
    struct tls_talk *talk = talk_to(port, RLSTR("localhost"), NULL);

    write_line(talk, "first\n");
    read_output(&server, "first\n", NULL, 0);
    send_text(&server, "second\n");
    hear(talk, "second\n");
    send_text(&server, "r\n");
    hear(talk, "third\n");
}
SCENARIO(tls_renegotiation,
         .title = "A server of TLS 1.2 that requests a renegotiation is refused, and neither end hangs",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "second; peer: no handshake")

static void meet_s_server(const char *name, const char *certificate, RLStringRef host,
                          const char *own, const char *const more[5])
{
    UInt32 port;
    struct peer server = start_s_server(certificate, more, &port);
    struct tls_talk *talk = talk_to(port, host, own);

    note("%s", name);
    write_line(talk, "text\n");
    /* A server of TLS 1.3 refuses a client's certificate after the client's handshake. */
    if (RLWriteStreamGetStatus(talk->end.writer) != kRLStreamStatusError) {
        send_text(&server, "answer\n");
    }
    hear(talk, "answer");
    finish(talk->end);
}

static void tls_refusals_of_servers(void)
{
    need_openssl();
    const char *authority = file_with(pem_of_authority);
    RLStringRef host = RLSTR("localhost");

    meet_s_server("right", pem_of_server, host, NULL, ARGUMENTS(NULL));
    meet_s_server("address", pem_of_server, RLSTR("127.0.0.1"), NULL, ARGUMENTS(NULL));
    meet_s_server("host", pem_of_elsewhere, host, NULL, ARGUMENTS(NULL));
    meet_s_server("expired", pem_of_expired, host, NULL, ARGUMENTS(NULL));
    meet_s_server("future", pem_of_future, host, NULL, ARGUMENTS(NULL));
    meet_s_server("alone", pem_of_alone, host, NULL, ARGUMENTS(NULL));
    meet_s_server("unknown", pem_of_unknown, host, NULL, ARGUMENTS(NULL));
    meet_s_server("version", pem_of_server, host, NULL,
                  ARGUMENTS("-tls1_1", "-cipher", "ALL:@SECLEVEL=0"));
    const char *const asks[5] = {"-Verify", "1", "-verify_return_error", "-CAfile", authority};
    meet_s_server("client", pem_of_server, host, pem_of_client, asks);
    meet_s_server("no client", pem_of_server, host, NULL, asks);
    meet_s_server("strange client", pem_of_server, host, pem_of_unknown, asks);
}
SCENARIO(tls_refusals_of_servers,
         .title = "OpenSSL's server is refused, or refuses, each time with an error of its own",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "right; answer; address; answer; host; other name; expired; expired; "
                     "future; not yet valid; alone; signed by itself; unknown; unknown authority; "
                     "version; no version; client; answer; no client; peer: bad certificate; "
                     "strange client; peer: unknown authority")

static void tls_refused_without_checks(void)
{
    UInt32 port;
    struct tls_end end;

    need_openssl();
    start_s_server(pem_of_server, ARGUMENTS("-tls1_2", "-Verify", "1"), &port);
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), port, &end.reader, &end.writer);
    keep_pair(end.reader, end.writer);
    check(RLReadStreamSetProperty(end.reader, kRLStreamPropertySSLSettings,
                                  TLS(kRLStreamSSLValidatesCertificateChain, kRLBooleanFalse)));
    hear(begin_talk(end), "more");
}
SCENARIO(tls_refused_without_checks,
         .title = "A client that verifies nothing gets the reason why the server rejects it",
         .clauses = "extension",
         .rl_only = true,
         .expected_hints = "so anyone can pose as the peer",
         .own_process = true,
         .expected = "peer: no handshake")

/* Starts OpenSSL's client, and serves it in this thread's loop. */
static struct tls_talk *serve_s_client(RLDictionaryRef settings, const char *const more[5],
                                       struct peer *ret_client)
{
    UInt32 port;
    int listener = listen_for_tls(&port);

    *ret_client = start_peer((const char *const[]){
        "openssl", "s_client", "-connect", kept_text("127.0.0.1:%u", port), "-CAfile",
        file_with(pem_of_authority), "-verify_return_error", "-verify_hostname", "localhost",
        more[0], more[1], more[2], more[3], more[4], NULL});
    int handle = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    close(listener);
    return begin_talk(make_tls_end(handle, settings));
}

static void tls_from_s_client(void)
{
    struct peer client;
    char text[64];
    RLDictionaryRef server = server_with(pem_of_server);

    struct tls_talk *newest = serve_s_client(server, ARGUMENTS("-tls1_3"), &client);
    send_text(&client, "first\n");
    hear(newest, "first\n");
    write_line(newest, "second\n");
    read_output(&client, "second\n", NULL, 0);
    send_text(&client, "K\n");
    read_after(&client, "KEYUPDATE", text, sizeof text);
    send_text(&client, "third\n");
    hear(newest, "third\n");
    send_text(&client, "Q\n");
    hear(newest, "more");

    struct tls_talk *older = serve_s_client(server, ARGUMENTS("-tls1_2"), &client);
    send_text(&client, "first\n");
    hear(older, "first\n");
    send_text(&client, "R\n");
    hear(older, "more");

    const char *own = file_with(pem_of_client);
    RLDictionaryRef strict =
        TLS(kRLStreamSSLIsServer, kRLBooleanTrue, kRLStreamSSLCertificates, pem(pem_of_server),
            kRLStreamSSLAuthorities, pem(pem_of_authority));
    struct tls_talk *known = serve_s_client(strict, ARGUMENTS("-cert", own), &client);
    send_text(&client, "trusted\n");
    hear(known, "trusted\n");
    struct tls_talk *unknown = serve_s_client(strict, ARGUMENTS(NULL), &client);
    hear(unknown, "strange\n");
}
SCENARIO(tls_from_s_client,
         .title = "OpenSSL's client is served: new keys, a refused renegotiation, and certificates",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "first; third; the end; first; peer: no handshake; trusted; "
                     "client has no certificate")
