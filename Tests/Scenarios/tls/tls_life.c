/*
 * Secured streams, and what else happens to a process: forks, slow peers, other threads.
 */

#include "../streams/stream_words.h"
#include "scenario.h"
#include "tls_words.h"

#include <stdatomic.h>

static void give_up(struct tls_end end)
{
    RLReadStreamClose(end.reader);
    RLWriteStreamClose(end.writer);
    RLRelease(end.reader);
    RLRelease(end.writer);
}

/* Makes a connection, secures and ends it; returns whether all of that worked. */
static bool use_tls(RLDictionaryRef server_settings, RLDictionaryRef client_settings)
{
    struct tls_end ends[2];
    int handles[2];
    bool works = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0;

    for (int index = 0; index < 2; index++) {
        RLStreamCreatePairWithSocket(NULL, handles[index], &ends[index].reader,
                                     &ends[index].writer);
        works &= RLReadStreamSetProperty(ends[index].reader, kRLStreamPropertySSLSettings,
                                         index == 0 ? server_settings : client_settings) &&
                 RLReadStreamOpen(ends[index].reader) && RLWriteStreamOpen(ends[index].writer);
    }
    works = works && shake_hands(ends[0], ends[1]);
    for (int index = 0; index < 2; index++) {
        give_up(ends[index]);
        close(handles[index]);
    }
    return works;
}

/*
 * One thread makes contexts all the time, as there are more settings than contexts are kept, and
 * another one shakes hands: the child may find locks of both, of the engine's and of OpenSSL's.
 */
static void tls_forked(void)
{
    enum { FORKS = 50, SETTINGS = 10 };
    RLDictionaryRef server = server_with(pem_of_server), clients[SETTINGS];
    RLDictionaryRef *of_clients = clients;
    struct gate *ready = make_gate();
    __block atomic_bool is_over = false;

    for (int index = 0; index < SETTINGS; index++) {
        char text[sizeof pem_of_authority + SETTINGS];
        /* A text that differs by what follows the certificate. */
        snprintf(text, sizeof text, "%s%.*s", pem_of_authority, index, "\n\n\n\n\n\n\n\n\n\n");
        clients[index] =
            TLS(kRLStreamSSLPeerName, RLSTR("localhost"), kRLStreamSSLAuthorities, pem(text));
    }
    check(use_tls(server, clients[0]));
    struct helper_thread *maker = start_thread(^{
        for (int index = 0; !atomic_load(&is_over); index++) {
            check(use_tls(server, of_clients[index % SETTINGS]));
            if (index == 0) open_gate(ready);
        }
    });
    struct helper_thread *user = start_thread(^{
        while (!atomic_load(&is_over)) check(use_tls(server, of_clients[0]));
    });
    pass_gate(ready);
    for (int count = 0, status = 0; count < FORKS && status == 0; count++) {
        pid_t child = fork();
        if (child == 0) {
            _exit(use_tls(server, clients[count % SETTINGS]) ? 0 : 1);
        }
        check(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(maker);
    join_thread(user);
}
SCENARIO(tls_forked,
         .title = "A child secures streams although other threads did so when it was forked",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true)

static void tls_inherited(void)
{
    struct tls_end server, client;
    pid_t child;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    child = fork();
    if (child == 0) {
        finish(client);
        finish(server);
        _exit(0);
    }
    note_child(child);
    write_tls_text(client.writer, "continues");
    read_text(server.reader);
}
SCENARIO(tls_inherited,
         .title = "A child that closes the streams it inherited does not end the parent's session",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0; continues")

static RLSocketNativeHandle handle_of(RLReadStreamRef reader)
{
    RLDataRef data = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
    RLSocketNativeHandle handle;

    memcpy(&handle, RLDataGetBytePtr(data), sizeof handle);
    RLRelease(data);
    return handle;
}

/* Writes until there is room for no more, and for only a part of the last record. */
static long fill_tls(RLReadStreamRef reader, RLWriteStreamRef writer)
{
    UInt8 bytes[10000] = {0};
    long written = 0;
    int least = 0;

    check(setsockopt(handle_of(reader), SOL_SOCKET, SO_SNDBUF, &least, sizeof least) == 0);
    while (RLWriteStreamCanAcceptBytes(writer)) {
        long count = RLWriteStreamWrite(writer, bytes, sizeof bytes);
        check(count > 0);
        written += count;
    }
    return written;
}

static void tls_closed_without_room(void)
{
    struct tls_end server, client;
    UInt8 bytes[20000];
    long received = 0, count;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    RLReadStreamScheduleWithRunLoop(client.reader, this_loop(), kRLRunLoopDefaultMode);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    long written = fill_tls(client.reader, client.writer);
    finish(client);
    while ((count = RLReadStreamRead(server.reader, bytes, sizeof bytes)) > 0) received += count;
    note_answer("all", received == written);
    note("%ld, %s", (long)count, name_of_tls_error(RLReadStreamGetError(server.reader)));
}
SCENARIO(tls_closed_without_room,
         .title = "Closing waits for no room in a loop, and what was written arrives all the same",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "all: yes; 0, none")

/* The peer reads only when the client has begun to finish, and then answers. */
static void tls_finished_without_room(void)
{
    struct tls_end server, client;
    __block long received = 0, count = 0;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    serve_writer(client.writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventEndEncountered) stop();
    });
    RLWriteStreamUnscheduleFromRunLoop(client.writer, this_loop(), kRLRunLoopDefaultMode);
    RLWriteStreamSetClient(client.writer, 0, NULL, NULL);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    long written = fill_tls(client.reader, client.writer);
    serve_writer(client.writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(RLWriteStreamFinishWriting(client.writer) && RLWriteStreamFinishWriting(client.writer));
    note_answer("unsent", RLWriteStreamGetStatus(client.writer) == kRLStreamStatusOpen);
    struct helper_thread *reader = start_thread(^{
        UInt8 bytes[20000];
        while ((count = RLReadStreamRead(server.reader, bytes, sizeof bytes)) > 0) {
            received += count;
        }
        write_tls_text(server.writer, "answer");
        check(RLWriteStreamFinishWriting(server.writer));
    });
    run("DEF", 20, false);
    join_thread(reader);
    note_answer("all", received == written);
    note("%ld, %s", count, name_of_tls_error(RLReadStreamGetError(server.reader)));
    read_text(client.reader);
    read_text(client.reader);
}
SCENARIO(tls_finished_without_room,
         .title = "Ending a direction waits for no room in a loop: the rest and the end follow",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "unsent: yes; w end; = Stopped; all: yes; 0, none; answer; nothing")

static void tls_finished_in_child(void)
{
    struct tls_end server, client;
    pid_t child;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    child = fork();
    if (child == 0) _exit(RLWriteStreamFinishWriting(client.writer) ? 0 : 1);
    note_child(child);
    write_tls_text(client.writer, "continues");
    read_text(server.reader);
}
SCENARIO(tls_finished_in_child,
         .title = "A child that ends a direction which it inherited does not end the parent's",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0; continues")

static void tls_ended_without_closing(void)
{
    struct tls_end server, client;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    check(RLReadStreamSetProperty(server.reader, kRLStreamPropertyShouldCloseNativeSocket,
                                  kRLBooleanFalse));
    int handle = handle_of(server.reader);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    write_tls_text(server.writer, "a");
    write_tls_text(server.writer, "ll");
    finish(server);
    /* One read takes the bytes, and the close_notify behind them. */
    serve_reader(client.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_text(called);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    run("DEF", 20, false);
    close(handle);
}
SCENARIO(tls_ended_without_closing,
         .title = "A close_notify that is received with bytes ends the stream, and its socket remains usable",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "r bytes; all; r end; = Stopped")

/* Closes both streams of an end in a callback, and releases the only references to them. */
static void tls_released_in_callback(void)
{
    struct tls_end server;
    __block struct tls_end client;
    __block int released = 0;
    int handles[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    server = make_tls_end(handles[0], server_with(pem_of_server));
    RLStreamCreatePairWithSocket(NULL, handles[1], &client.reader, &client.writer);
    check(RLReadStreamSetProperty(client.reader, kRLStreamPropertySSLSettings,
                                  client_of(RLSTR("localhost"))));
    check(RLReadStreamSetProperty(client.reader, kRLStreamPropertyShouldCloseNativeSocket,
                                  kRLBooleanTrue));
    serve_writer(client.writer, NULL, NULL);
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        check(event == kRLStreamEventOpenCompleted && called == client.reader);
        /* The handshake has begun by its first bytes, and so its settings stay. */
        check(!RLReadStreamHasBytesAvailable(called));
        check(!RLReadStreamSetProperty(called, kRLStreamPropertySocketSecurityLevel,
                                       kRLStreamSocketSecurityLevelNone));
        released++;
        give_up(client);
    });
    serve_writer(server.writer, NULL, NULL);
    serve_reader(server.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    check(RLReadStreamOpen(server.reader) && RLWriteStreamOpen(server.writer));
    check(RLReadStreamOpen(client.reader) && RLWriteStreamOpen(client.writer));
    run("DEF", 20, false);
    note("%d", released);
    note_answer("ended",
                is_end_of_connection(name_of_tls_error(RLReadStreamGetError(server.reader))));
}
SCENARIO(tls_released_in_callback,
         .title = "Streams that go in their callback, while they shake hands, end the connection",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 1; ended: yes")

/* Writes so much by a stream in the calling thread's loop. */
static void write_by_loop(RLWriteStreamRef writer, long total)
{
    __block long written = 0;

    serve_writer(writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        UInt8 bytes[9000];
        if (event == kRLStreamEventErrorOccurred) stop();
        if (event != kRLStreamEventCanAcceptBytes || written == total) return;
        for (size_t index = 0; index < sizeof bytes; index++) {
            bytes[index] = byte_at(written + (long)index);
        }
        long most = total - written < (long)sizeof bytes ? total - written : (long)sizeof bytes;
        long count = RLWriteStreamWrite(called, bytes, most);
        if (count > 0) written += count;
        if (written == total) stop();
    });
    check(RLWriteStreamOpen(writer));
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false) == kRLRunLoopRunStopped);
}

/* Reads so much by a stream in the calling thread's loop; returns how much was right. */
static long read_by_loop(RLReadStreamRef reader, long total)
{
    __block long received = 0;

    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[30000];
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
        if (event != kRLStreamEventHasBytesAvailable) return;
        long count = RLReadStreamRead(called, bytes, sizeof bytes);
        for (long index = 0; index < count && bytes[index] == byte_at(received); index++) {
            received++;
        }
        if (received >= total) stop();
    });
    check(RLReadStreamOpen(reader));
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false) == kRLRunLoopRunStopped);
    return received;
}

/* Both ends move bytes in both directions at once, each stream in the loop of its own thread. */
static void pass_on_threads(long total)
{
    struct tls_end ends[2];
    struct helper_thread *threads[4];
    __block long received[2] = {0, 0};
    long *counts = received;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &ends[0], &ends[1]);
    for (int index = 0; index < 2; index++) {
        struct tls_end end = ends[index];
        threads[2 * index] = start_thread(^{ write_by_loop(end.writer, total); });
        threads[2 * index + 1] =
            start_thread(^{ counts[index] = read_by_loop(end.reader, total); });
    }
    for (int index = 0; index < 4; index++) join_thread(threads[index]);
    note_answer("all", received[0] == total && received[1] == total);
}

static void tls_on_threads(void)
{
    pass_on_threads(1);
    pass_on_threads(1000000);
}
SCENARIO(tls_on_threads,
         .title = "The two streams of a connection are used in the loops of two threads",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "all: yes; all: yes")

/* A process connects to a port, writes after the server has written, and ends at once. */
static void print_and_exit(UInt32 port, RLDictionaryRef settings, bool reads)
{
    struct tls_end client;

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), port, &client.reader,
                                       &client.writer);
    check(RLReadStreamSetProperty(client.reader, kRLStreamPropertySSLSettings, settings));
    serve_writer(client.writer, NULL, NULL);
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[64];
        if (event != kRLStreamEventHasBytesAvailable) return;
        if (reads) check(RLReadStreamRead(called, bytes, sizeof bytes) == 2);
        write_tls_text(client.writer, "fir");
        write_tls_text(client.writer, "st and last");
        finish(client);
        _exit(0);
    });
    check(RLReadStreamOpen(client.reader) && RLWriteStreamOpen(client.writer));
    run("DEF", 20, false);
    _exit(1);
}

static void tls_closed_at_exit(void)
{
    RLDictionaryRef server_settings = server_with(pem_of_server);
    RLDictionaryRef client_settings = client_of(RLSTR("127.0.0.1"));

    for (int reads = 0; reads < 2; reads++) {
        UInt32 port;
        int listener = listen_for_tls(&port);
        pid_t child = fork();
        if (child == 0) print_and_exit(port, client_settings, reads);
        struct tls_end server =
            make_tls_end(accept4(listener, NULL, NULL, SOCK_CLOEXEC), server_settings);
        close(listener);
        check(RLReadStreamOpen(server.reader) && RLWriteStreamOpen(server.writer));
        write_tls_text(server.writer, "go");
        note_child(child);
        read_text(server.reader);
        read_text(server.reader);
        note("%s", name_of_tls_error(RLReadStreamGetError(server.reader)));
    }
}
SCENARIO(tls_closed_at_exit,
         .title = "Written bytes and the end are in the kernel once Close returns: the process may exit",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0; first and last; nothing; none; "
                     "child: 0; first and last; nothing; none")

/* Memory that a thread uses while the process exits is no leak. */
void __lsan_disable(void) __attribute__((weak));

/* Connects again and again, until the process has ended. */
static void connect_for_ever(struct gate *begun)
{
    if (&__lsan_disable) __lsan_disable();
    RLDictionaryRef server_settings = server_with(pem_of_server);
    RLDictionaryRef client_settings = client_of(RLSTR("localhost"));

    for (bool is_first = true;; is_first = false) {
        struct tls_end server, client;
        make_tls_ends(server_settings, client_settings, &server, &client);
        open_tls_ends(server, client);
        check(shake_hands(server, client));
        finish(client);
        finish(server);
        if (is_first) open_gate(begun);
    }
}

static void tls_used_at_exit(void)
{
    int status = 0;

    for (int count = 0; count < 20 && status == 0; count++) {
        pid_t child = fork();
        if (child == 0) {
            if (&__lsan_disable) __lsan_disable();
            struct gate *begun = make_gate();
            start_thread(^{ connect_for_ever(begun); });
            pass_gate(begun);
            exit(0);
        }
        check(waitpid(child, &status, 0) == child);
    }
    note("status: %d", status);
}
SCENARIO(tls_used_at_exit,
         .title = "A thread uses secured streams while the process exits",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "status: 0")

/* --- Clients' data in settings ---------------------------------------------------------------- */

/* Settings of a client whose data do something when they are destroyed. */
static RLDictionaryRef make_settings_calling(action body)
{
    RLTypeRef data = data_calling(pem_of_authority, (long)strlen(pem_of_authority), body);
    RLTypeRef array = RLArrayCreate(NULL, &data, 1, &kRLTypeArrayCallBacks);
    const void *keys[] = {kRLStreamSSLPeerName, kRLStreamSSLAuthorities};
    const void *values[] = {RLSTR("localhost"), array};
    RLDictionaryRef settings = RLDictionaryCreate(
        NULL, keys, values, 2, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    RLRelease(data);
    RLRelease(array);
    return settings;
}

/* Makes as many contexts as are kept, in place of all older ones. */
static void replace_kept_contexts(RLReadStreamRef reader)
{
    enum { CONTEXTS_KEPT = 8 };

    for (int index = 1; index <= CONTEXTS_KEPT; index++) {
        const char *text = kept_text("%s%.*s", pem_of_authority, index, "\n\n\n\n\n\n\n\n");
        RLDictionaryRef settings =
            TLS(kRLStreamSSLPeerName, RLSTR("localhost"), kRLStreamSSLAuthorities, pem(text));
        check(RLReadStreamSetProperty(reader, kRLStreamPropertySSLSettings, settings));
    }
}

static void tls_settings_freed_unlocked(void)
{
    struct tls_end server, client;
    need_openssl();
    make_tls_ends(NULL, NULL, &server, &client);
    RLDictionaryRef settings = make_settings_calling(^{
        RLRelease(RLReadStreamCopyProperty(client.reader, kRLStreamPropertySSLSettings));
        note("freed");
    });
    check(RLReadStreamSetProperty(client.reader, kRLStreamPropertySSLSettings, settings));
    RLRelease(settings);
    replace_kept_contexts(server.reader);
    note("other contexts");
    replace_kept_contexts(client.reader);
    note("other settings");
}
SCENARIO(tls_settings_freed_unlocked,
         .title = "TLS settings hold no data of a client, which frees its data unlocked",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "freed; other contexts; other settings")

static void tls_contexts_freed_unlocked(void)
{
    struct tls_end server, client;
    need_openssl();
    make_tls_ends(NULL, NULL, &server, &client);
    RLDictionaryRef settings = make_settings_calling(^{
        check(RLReadStreamSetProperty(server.reader, kRLStreamPropertySSLSettings,
                                      client_of(RLSTR("localhost"))));
        note("freed");
    });
    check(RLReadStreamSetProperty(client.reader, kRLStreamPropertySSLSettings, settings));
    RLRelease(settings);
    replace_kept_contexts(client.reader);
    note("other contexts");
}
SCENARIO(tls_contexts_freed_unlocked,
         .title = "Kept TLS contexts hold no data of a client, which frees its data unlocked",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "freed; other contexts")
