/*
 * Streams that are secured by TLS. Both ends are ours, on one connection in one loop, but for the
 * scenarios of tls_peers.c. OpenSSL is loaded, so each has a process of its own.
 */

#include "../streams/stream_words.h"
#include "scenario.h"
#include "tls_words.h"

#include <sys/resource.h>

static void tls_text_and_back(void)
{
    struct tls_end server, client;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    echo_tls(server);
    ask_tls(client, "secret");
    open_tls_ends(server, client);
    run("DEF", 20, false);
    note("status %ld", (long)RLReadStreamGetStatus(server.reader));
}
SCENARIO(tls_text_and_back,
         .title = "A text and its answer through a secured connection, which ends with a close_notify",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; w open; w room; w room; r bytes; secret; = Stopped; status 5")

/* The result of each pair: the error of each end. */
static void meet_tls(const char *name, RLDictionaryRef server_settings,
                     RLDictionaryRef client_settings)
{
    struct tls_end ends[2];
    __block int ended = 0;
    void (^see)(RLReadStreamRef, unsigned long) = ^(RLReadStreamRef called, unsigned long event) {
        UInt8 byte;
        if (event == kRLStreamEventHasBytesAvailable) RLReadStreamRead(called, &byte, 1);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) ended++;
        if (ended == 2) stop();
    };

    make_tls_ends(server_settings, client_settings, &ends[0], &ends[1]);
    for (int index = 0; index < 2; index++) {
        serve_writer(ends[index].writer, NULL, NULL);
        serve_reader(ends[index].reader, NULL, see);
    }
    open_tls_ends(ends[0], ends[1]);
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false) == kRLRunLoopRunStopped);
    note("%s: %s, %s", name, name_of_tls_error(RLReadStreamGetError(ends[1].reader)),
         name_of_tls_error(RLReadStreamGetError(ends[0].reader)));
    check(RLWriteStreamGetStatus(ends[1].writer) == kRLStreamStatusError);
}

static void tls_refusals(void)
{
    RLDictionaryRef client = client_of(RLSTR("localhost"));

    meet_tls("host", server_with(pem_of_elsewhere), client);
    meet_tls("address", server_with(pem_of_server), client_of(RLSTR("127.0.0.2")));
    meet_tls("expired", server_with(pem_of_expired), client);
    meet_tls("future", server_with(pem_of_future), client);
    meet_tls("alone", server_with(pem_of_alone), client);
    meet_tls("unknown", server_with(pem_of_unknown), client);
    meet_tls("system", server_with(pem_of_server), TLS(kRLStreamSSLPeerName, RLSTR("localhost")));
}
SCENARIO(tls_refusals,
         .title = "A client has an error of its own for each kind of certificate that it refuses",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "host: other name, peer: bad certificate; "
                     "address: other name, peer: bad certificate; "
                     "expired: expired, peer: expired; "
                     "future: not yet valid, peer: bad certificate; "
                     "alone: signed by itself, peer: unknown authority; "
                     "unknown: unknown authority, peer: unknown authority; "
                     "system: unknown authority, peer: unknown authority")

/* Whether a text comes back from an echo. */
static void echo_through(const char *name, RLDictionaryRef server_settings,
                         RLDictionaryRef client_settings)
{
    struct tls_end server, client;
    RLArrayRef certificates;

    make_tls_ends(server_settings, client_settings, &server, &client);
    echo_tls(server);
    RLWriteStreamRef writer = client.writer;
    serve_writer(writer, NULL, NULL);
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event) stop();
    });
    open_tls_ends(server, client);
    do {
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, true) == kRLRunLoopRunHandledSource);
    } while (!RLWriteStreamCanAcceptBytes(writer));
    write_tls_text(writer, name);
    do {
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false) == kRLRunLoopRunStopped);
    } while (!RLReadStreamHasBytesAvailable(client.reader));
    read_text(client.reader);
    certificates = RLReadStreamCopyProperty(server.reader, kRLStreamPropertySSLPeerCertificates);
    note("%ld", certificates ? (long)RLArrayGetCount(certificates) : 0);
    if (certificates) RLRelease(certificates);
}

static void tls_accepted(void)
{
    RLDictionaryRef server = server_with(pem_of_server);

    echo_through("by name", server, client_of(RLSTR("localhost")));
    echo_through("by address", server, client_of(RLSTR("127.0.0.1")));
    echo_through("no name", server, client_of((RLStringRef)kRLNull));
    echo_through("itself", server_with(pem_of_unknown),
                 TLS(kRLStreamSSLPeerName, RLSTR("localhost"), kRLStreamSSLAuthorities,
                     pem(pem_of_unknown)));
    echo_through("not validated", server_with(pem_of_expired),
                 TLS(kRLStreamSSLValidatesCertificateChain, kRLBooleanFalse));
    echo_through("client's certificate",
                 TLS(kRLStreamSSLIsServer, kRLBooleanTrue, kRLStreamSSLCertificates,
                     pem(pem_of_server), kRLStreamSSLAuthorities, pem(pem_of_authority)),
                 TLS(kRLStreamSSLPeerName, RLSTR("localhost"), kRLStreamSSLAuthorities,
                     pem(pem_of_authority), kRLStreamSSLCertificates, pem(pem_of_client)));
}
SCENARIO(tls_accepted,
         .title = "Names, addresses, a certificate that is trusted itself, no checks, and clients'",
         .clauses = "extension",
         .rl_only = true,
         .expected_hints = "so anyone can pose as the peer",
         .own_process = true,
         .expected = "by name; 0; by address; 0; no name; 0; itself; 0; not validated; 0; "
                     "client's certificate; 2")

static void tls_client_refused(void)
{
    RLDictionaryRef server =
        TLS(kRLStreamSSLIsServer, kRLBooleanTrue, kRLStreamSSLCertificates, pem(pem_of_server),
            kRLStreamSSLAuthorities, pem(pem_of_authority));

    meet_tls("none", server, client_of(RLSTR("localhost")));
    meet_tls("unknown", server,
             TLS(kRLStreamSSLPeerName, RLSTR("localhost"), kRLStreamSSLAuthorities,
                 pem(pem_of_authority), kRLStreamSSLCertificates, pem(pem_of_unknown)));
}
SCENARIO(tls_client_refused,
         .title = "A server that has authorities requires a certificate by one of them",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "none: peer: bad certificate, client has no certificate; "
                     "unknown: peer: unknown authority, unknown authority")

/* Whether a client's end takes a property. */
static void set_tls(const char *name, RLStringRef property, RLTypeRef value)
{
    int handles[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    struct tls_end end = make_tls_end(handles[0], NULL);
    bool is_taken = RLWriteStreamSetProperty(end.writer, property, value);
    RLTypeRef level = RLReadStreamCopyProperty(end.reader, kRLStreamPropertySocketSecurityLevel);
    note("%s %d%s", name, is_taken, level ? " with a level" : "");
    if (level) RLRelease(level);
    close(handles[1]);
}

static void tls_settings_refused(void)
{
    RLStringRef level = kRLStreamPropertySocketSecurityLevel;
    RLStringRef settings = kRLStreamPropertySSLSettings;
    RLTypeRef long_name = kept_value(RLStringCreateWithFormat(NULL, NULL, RLSTR("%0256d"), 1));

    set_tls("none", level, kRLStreamSocketSecurityLevelNone);
    set_tls("SSL 2", level, kRLStreamSocketSecurityLevelSSLv2);
    set_tls("SSL 3", level, kRLStreamSocketSecurityLevelSSLv3);
    set_tls("no level", level, kRLBooleanTrue);
    set_tls("nothing", level, NULL);
    set_tls("no name", level, kRLStreamSocketSecurityLevelNegotiatedSSL);
    set_tls("no dictionary", settings, level);
    set_tls("strange key", settings, TLS(level, level));
    set_tls("strange value", settings, TLS(kRLStreamSSLIsServer, level));
    set_tls("any root", settings, TLS(kRLStreamSSLAllowsAnyRoot, kRLBooleanTrue));
    set_tls("server without certificate", settings, TLS(kRLStreamSSLIsServer, kRLBooleanTrue));
    set_tls("no certificate", settings, server_with("nothing"));
    set_tls("no key", settings, server_with(pem_of_authority));
    set_tls("no authority", settings,
            TLS(kRLStreamSSLPeerName, RLSTR("a"), kRLStreamSSLAuthorities, pem("nothing")));
    set_tls("broken authority", settings,
            TLS(kRLStreamSSLPeerName, RLSTR("a"), kRLStreamSSLAuthorities,
                pem(kept_text("%s-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                              pem_of_authority))));
    set_tls("no data", settings,
            TLS(kRLStreamSSLPeerName, RLSTR("a"), kRLStreamSSLAuthorities,
                kept_value(RLArrayCreate(NULL, (const void **)&level, 1, &kRLTypeArrayCallBacks))));
    set_tls("empty name", settings, TLS(kRLStreamSSLPeerName, RLSTR("")));
    set_tls("a domain", settings, TLS(kRLStreamSSLPeerName, RLSTR(".example")));
    set_tls("long name", settings, TLS(kRLStreamSSLPeerName, long_name));
    set_tls("context", kRLStreamPropertySSLContext, level);
    set_tls("name", settings,
            TLS(kRLStreamSSLPeerName, RLSTR("a"), kRLStreamSSLLevel,
                kRLStreamSocketSecurityLevelTLSv1));
}
SCENARIO(tls_settings_refused,
         .title = "Unsupported settings are rejected, and nothing changes",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "none 1 with a level; SSL 2 0; SSL 3 0; no level 0; nothing 0; no name 0; "
                     "no dictionary 0; strange key 0; strange value 0; any root 0; "
                     "server without certificate 0; no certificate 0; no key 0; no authority 0; "
                     "broken authority 0; no data 0; empty name 0; a domain 0; long name 0; "
                     "context 0; name 1 with a level")

static void tls_settings_copied(void)
{
    RLMutableDictionaryRef settings = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    RLMutableArrayRef authorities = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    RLMutableStringRef name = RLStringCreateMutableCopy(NULL, 0, RLSTR("localhost"));
    struct tls_end server, client;

    need_openssl();
    RLDataAppendBytes(data, (const UInt8 *)pem_of_authority, sizeof pem_of_authority - 1);
    RLArrayAppendValue(authorities, data);
    RLDictionarySetValue(settings, kRLStreamSSLAuthorities, authorities);
    RLDictionarySetValue(settings, kRLStreamSSLPeerName, name);
    make_tls_ends(server_with(pem_of_server), settings, &server, &client);
    RLDataSetLength(data, 10);
    RLArraySetValueAtIndex(authorities, 0, name);
    RLStringAppend(name, RLSTR(".example"));
    RLDictionarySetValue(settings, kRLStreamSSLIsServer, name);
    open_tls_ends(server, client);
    note_answer("secured", shake_hands(server, client));
    RLTypeRef taken = RLReadStreamCopyProperty(client.reader, kRLStreamPropertySSLSettings);
    note("%ld", (long)RLDictionaryGetCount(taken));
    RLTypeRef all[] = {taken, settings, authorities, data, name};
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++) RLRelease(all[index]);
}
SCENARIO(tls_settings_copied,
         .title = "Settings are taken as they are when they are set, whatever becomes of their objects",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "secured: yes; 2")

static void tls_started_later(void)
{
    struct tls_end server, client;
    RLDictionaryRef server_settings = server_with(pem_of_server);
    RLDictionaryRef client_settings = client_of(RLSTR("localhost"));
    __block int server_texts = 0, client_texts = 0;

    make_tls_ends(NULL, NULL, &server, &client);
    RLWriteStreamRef answers = server.writer, questions = client.writer;
    serve_writer(answers, NULL, NULL);
    serve_reader(server.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        server_texts++;
        write_tls_text(answers, server_texts == 1 ? "go ahead" : "all is secret");
        if (server_texts > 1) return;
        check(RLReadStreamSetProperty(called, kRLStreamPropertySSLSettings, server_settings));
    });
    serve_writer(questions, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        if (client_texts == 0) write_tls_text(called, "STARTTLS");
        if (client_texts == 2) write_tls_text(called, "hello");
        client_texts++;
    });
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        if (server_texts > 1) stop();
        client_texts = 2;
        check(server_texts > 1 ||
              (RLWriteStreamSetProperty(questions, kRLStreamPropertySocketSecurityLevel,
                                        kRLStreamSocketSecurityLevelNone) &&
               RLWriteStreamSetProperty(questions, kRLStreamPropertySSLSettings, client_settings)));
    });
    open_tls_ends(server, client);
    run("DEF", 20, false);
    note_answer("taken again",
                RLWriteStreamSetProperty(questions, kRLStreamPropertySSLSettings, client_settings));
    note_answer("taken back",
                RLReadStreamSetProperty(server.reader, kRLStreamPropertySocketSecurityLevel,
                                        kRLStreamSocketSecurityLevelNone));
}
SCENARIO(tls_started_later,
         .title = "Both sides agree to secure a connection that is open (STARTTLS), and that stays",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "STARTTLS; go ahead; hello; all is secret; = Stopped; taken again: no; "
                     "taken back: no")

/* Is silent after the handshake, and ends without a close_notify. */
static void tls_truncated(void)
{
    struct tls_end server, client;
    RLSocketNativeHandle handle;
    RLDataRef data;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    RLReadStreamRef reader = server.reader;
    data = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
    memcpy(&handle, RLDataGetBytePtr(data), sizeof handle);
    RLRelease(data);
    serve_writer(server.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        write_tls_text(called, "all");
        check(shutdown(handle, SHUT_RDWR) == 0);
        RLWriteStreamSetClient(called, 0, NULL, NULL);
    });
    serve_reader(client.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_text(called);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    serve_reader(reader, NULL, NULL);
    serve_writer(client.writer, NULL, NULL);
    open_tls_ends(server, client);
    run("DEF", 20, false);
    note("%s", name_of_tls_error(RLReadStreamGetError(client.reader)));
    RLErrorRef error = RLReadStreamCopyError(client.reader);
    note_answer("OSStatus", RLEqual(RLErrorGetDomain(error), kRLErrorDomainOSStatus));
    RLStringRef text = RLErrorCopyDescription(error);
    note("%s", RLStringGetCStringPtr(text, kRLStringEncodingUTF8));
    RLRelease(text);
    RLRelease(error);
}
SCENARIO(tls_truncated,
         .title = "A connection that ends without a close_notify is an error, not an end",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; all; r error; = Stopped; truncated; OSStatus: yes; "
                     "The connection ended without a close_notify: data may be missing.")

/* The client has read in vain, just before its own bytes lose their receiver. */
static void tls_broken_pipe(void)
{
    struct tls_end server, client;
    RLSocketNativeHandle handle;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    RLDataRef data = RLReadStreamCopyProperty(server.reader, kRLStreamPropertySocketNativeHandle);
    memcpy(&handle, RLDataGetBytePtr(data), sizeof handle);
    RLRelease(data);
    serve_writer(server.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        write_tls_text(called, "all");
        RLWriteStreamSetClient(called, 0, NULL, NULL);
    });
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        stop();
    });
    serve_reader(server.reader, NULL, NULL);
    serve_writer(client.writer, NULL, NULL);
    open_tls_ends(server, client);
    run("DEF", 20, false);
    note_answer("more", RLReadStreamHasBytesAvailable(client.reader));
    check(shutdown(handle, SHUT_RDWR) == 0);
    note("%ld", (long)RLWriteStreamWrite(client.writer, (const UInt8 *)"x", 1));
    note("%s", name_of_tls_error(RLWriteStreamGetError(client.writer)));
}
SCENARIO(tls_broken_pipe,
         .title = "Writing to a connection that is gone fails, though reading would have to wait",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "all; = Stopped; more: no; -1; EPIPE")

enum { TLS_CROWD = 500 };

/* Many connections in one loop, both ends of them. */
static void tls_crowd(void)
{
    struct rlimit limit;
    __block int answered = 0;

    check(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (int index = 0; index < TLS_CROWD; index++) {
        struct tls_end server, client;
        make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
        RLWriteStreamRef answers = server.writer;
        __block bool is_written = false;
        serve_writer(answers, NULL, NULL);
        serve_reader(server.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
            UInt8 bytes[64];
            if (event != kRLStreamEventHasBytesAvailable) return;
            long count = RLReadStreamRead(called, bytes, sizeof bytes);
            if (count > 0) check(RLWriteStreamWrite(answers, bytes, count) == count);
        });
        serve_writer(client.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
            if (event != kRLStreamEventCanAcceptBytes || is_written) return;
            is_written = true;
            write_tls_text(called, "hello");
        });
        serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
            UInt8 bytes[64];
            if (event == kRLStreamEventErrorOccurred) stop();
            if (event != kRLStreamEventHasBytesAvailable) return;
            if (RLReadStreamRead(called, bytes, sizeof bytes) == 5) answered++;
            if (answered == TLS_CROWD) stop();
        });
        open_tls_ends(server, client);
    }
    run("DEF", 60, false);
    note("%d", answered);
}
SCENARIO(tls_crowd,
         .title = "Five hundred secured connections in one loop",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 500")
