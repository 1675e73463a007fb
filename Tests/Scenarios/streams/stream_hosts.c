/*
 * Streams that connect: to hosts by name, whose lookup may take long, and to addresses. Ours only.
 */

#include "../descriptors/descriptor_words.h"
#include "../sockets/socket_words.h"
#include "scenario.h"
#include "stream_words.h"

#include <CRunLoop/RLTesting.h>
#include <arpa/inet.h>
#include <netinet/tcp.h>

static void stream_to_host(void)
{
    RLDataRef address;
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    int before = count_descriptors();
    RLSocketRef listener = listening_socket(
        NULL,
        ^(RLSocketRef called, unsigned long type, const void *data) {
            int handle = *(const int *)data;
            char text[8] = "";
            check(recv(handle, text, 5, MSG_WAITALL) == 5 && strcmp(text, "hello") == 0);
            write_text(handle, "welcome");
            close(handle);
        },
        &address);

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), (UInt32)port_of(address), &reader,
                                       &writer);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    RLWriteStreamSetClient(writer, 0, NULL, NULL);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    /* The writer is in no loop: writing waits until it is connected. */
    note("%ld", (long)RLWriteStreamWrite(writer, (const UInt8 *)"hello", 5));
    run("DEF", 10, false);
    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    RLRelease(reader);
    RLRelease(writer);
    RLSocketInvalidate(listener);
    /* The wake-up port and the mode's set and timer stay with the loop. */
    check(count_descriptors() <= before + 3);
}
SCENARIO(stream_to_host,
         .title = "Streams connect to a host by name, talk, and leave nothing open",
         .clauses = "STRM-3 STRM-5 STRM-10",
         .rl_only = true,
         .own_process = true,
         .expected = "5; r open; r bytes; 7; r end; = Stopped")

static void stream_refused(void)
{
    RLDataRef address = dead_address();
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), (UInt32)port_of(address), &reader,
                                       &writer);
    keep_pair(reader, writer);
    serve_reader(reader, "r", NULL);
    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) { stop(); });
    RLReadStreamOpen(reader);
    RLWriteStreamOpen(writer);
    run("DEF", 10, false);
    run("DEF", 0.005, false);
    check(RLReadStreamGetError(reader).domain == kRLStreamErrorDomainPOSIX);
    check(RLReadStreamGetError(reader).error == ECONNREFUSED);
    check(RLWriteStreamGetError(writer).error == ECONNREFUSED);
    check(RLReadStreamGetStatus(reader) == kRLStreamStatusError);
}
SCENARIO(stream_refused,
         .title = "A refused connection is an error of both streams",
         .clauses = "STRM-1 STRM-3",
         .rl_only = true,
         .expected = "r error; w error; = Stopped; = TimedOut")

/* Notes how packets of a handle are marked: code points of both families, and the priority. */
static void note_marks(RLReadStreamRef reader)
{
    const int levels[] = {IPPROTO_IP, IPPROTO_IPV6, SOL_SOCKET};
    const int options[] = {IP_TOS, IPV6_TCLASS, SO_PRIORITY};
    int values[3] = {-1, -1, -1};
    RLDataRef data = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);

    for (int i = 0; i < 3; i++) {
        socklen_t length = sizeof values[i];
        getsockopt(*(const int *)(const void *)RLDataGetBytePtr(data), levels[i], options[i],
                   &values[i], &length);
    }
    RLRelease(data);
    /* A system without IPv6 has no traffic class. */
    check(values[0] % 4 == 0 && (values[1] < 0 || values[0] == values[1]));
    note("%d/%d", values[0] / 4, values[2]);
}

/* Sets a type of service by one stream, and gets it by the other. */
static void ask_for_service(RLReadStreamRef reader, RLWriteStreamRef writer, RLStringRef type)
{
    check(RLReadStreamSetProperty(reader, kRLStreamNetworkServiceType, type));
    RLTypeRef found = RLWriteStreamCopyProperty(writer, kRLStreamNetworkServiceType);
    check(found && RLEqual(found, type));
    RLRelease(found);
    note_marks(reader);
}

static void stream_service_types(void)
{
    const RLStringRef types[] = {
        kRLStreamNetworkServiceTypeBackground,   kRLStreamNetworkServiceTypeResponsiveData,
        kRLStreamNetworkServiceTypeAVStreaming,  kRLStreamNetworkServiceTypeResponsiveAV,
        kRLStreamNetworkServiceTypeVideo,        kRLStreamNetworkServiceTypeVoIP,
        kRLStreamNetworkServiceTypeCallSignaling};
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    welcomed_pair("localhost", &reader, &writer);
    check(!RLReadStreamCopyProperty(reader, kRLStreamNetworkServiceType));
    note_marks(reader);
    for (int i = 0; i < 7; i++) ask_for_service(reader, writer, types[i]);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 10, false);
    /* It is still marked as before, and then anew. */
    note_marks(reader);
    ask_for_service(reader, writer, kRLStreamNetworkServiceTypeVoice);
    const RLTypeRef refused[] = {RLSTR("Voice"), kRLBooleanTrue, NULL};
    for (int i = 0; i < 3; i++) {
        check(!RLWriteStreamSetProperty(writer, kRLStreamNetworkServiceType, refused[i]));
    }
    note_marks(reader);
}
SCENARIO(stream_service_types,
         .title = "Packets are marked for the type of service, before a stream is opened and later",
         .clauses = "extension",
         .rl_only = true,
         .expected = "0/0; 8/1; 18/4; 26/4; 32/4; 34/4; 40/6; 40/6; r open; r bytes; 7; r end; "
                     "= Stopped; 40/6; 46/6; 46/6")

STOPS(stream_to_great_port,
      RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), 65536 + 80, NULL, NULL),
      .title = "A port beyond 65535 stops the process", .clauses = "extension", .rl_only = true,
      .own_process = true)

static void stream_service_kept(void)
{
    int *ends = make_pair();
    UInt8 byte = 1;
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    /* Such a socket has no packets to mark, and the client's handle is left alone after closing. */
    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    keep_pair(reader, writer);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    check(RLWriteStreamSetProperty(writer, kRLStreamNetworkServiceType,
                                   kRLStreamNetworkServiceTypeVoice));
    int priority = -1;
    socklen_t length = sizeof priority;
    check(getsockopt(ends[0], SOL_SOCKET, SO_PRIORITY, &priority, &length) == 0);
    note("%d", priority);
    reader = RLReadStreamCreateWithBytesNoCopy(NULL, &byte, 1, kRLAllocatorNull);
    note("%d", RLReadStreamSetProperty(reader, kRLStreamNetworkServiceType,
                                       kRLStreamNetworkServiceTypeVoice));
    RLRelease(reader);
}
SCENARIO(stream_service_kept,
         .title = "A type of service is for sockets, and does not touch the handle of a closed stream",
         .clauses = "extension",
         .rl_only = true,
         .expected = "0; 0")

static void stream_looks_up(void)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    welcomed_pair("localhost", &reader, &writer);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    note_answer("opens", RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    pass_gate(lookup_begun);
    after(0.001, "t", "DEF", ^{ stop(); });
    run("DEF", 10, false);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    note_answer("room", RLWriteStreamCanAcceptBytes(writer));
    open_gate(lookup_may_end);
    run("DEF", 10, false);
}
SCENARIO(stream_looks_up,
         .title = "While a host's name is looked up, the loop continues",
         .clauses = "STRM-3",
         .rl_only = true,
         .own_process = true,
         .expected = "opens: yes; t; = Stopped; status 1; room: no; r open; r bytes; 7; r end; "
                     "= Stopped")

static void stream_closed_in_lookup(void)
{
    RLReadStreamRef reader;

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), 1, &reader, NULL);
    RLDataRef handle = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
    serve_reader(reader, "r", NULL);
    check(RLReadStreamOpen(reader));
    pass_gate(lookup_begun);
    RLReadStreamClose(reader);
    RLRelease(reader);
    check(fcntl(*(const int *)(const void *)RLDataGetBytePtr(handle), F_GETFD) == -1);
    RLRelease(handle);
    open_gate(lookup_may_end);
}
SCENARIO(stream_closed_in_lookup,
         .title = "A stream may be closed while its host is looked up",
         .clauses = "STRM-5",
         .rl_only = true,
         .own_process = true)

static void stream_closed_while_read_in_lookup(void)
{
    RLReadStreamRef reader;

    if (!RLTestingIsAvailable()) {
        note("-1");
        return;
    }
    hold_lookups();
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), 1, &reader, NULL);
    keep_pair(reader, NULL);
    check(RLReadStreamOpen(reader));
    pass_gate(lookup_begun);
    struct helper_thread *helper = sleeping_reader(reader);
    RLReadStreamClose(reader);
    join_thread(helper);
    open_gate(lookup_may_end);
}
SCENARIO(stream_closed_while_read_in_lookup,
         .title = "Closing a stream ends a read that waits for a look-up",
         .clauses = "STRM-5 STRM-10",
         .rl_only = true,
         .own_process = true,
         .expected = "-1")

static void stream_read_in_lookup(void)
{
    RLReadStreamRef reader;
    RLRunLoopRef loop = this_loop();
    __block pid_t thread = 0;

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    welcomed_pair("localhost", &reader, NULL);
    check(RLReadStreamOpen(reader));
    pass_gate(lookup_begun);
    struct gate *begins = make_gate();
    struct helper_thread *helper = start_thread(^{
        UInt8 bytes[16];
        thread = gettid();
        open_gate(begins);
        note("%ld", (long)RLReadStreamRead(reader, bytes, sizeof bytes));
        RLRunLoopStop(loop);
    });
    pass_gate(begins);
    while (!is_asleep(thread)) sched_yield();
    open_gate(lookup_may_end);
    /* The peer is served here. */
    run("DEF", 10, false);
    join_thread(helper);
}
SCENARIO(stream_read_in_lookup,
         .title = "Reading waits for the end of a look-up",
         .clauses = "STRM-5 STRM-10",
         .rl_only = true,
         .own_process = true,
         .expected = "7; = Stopped")

/* A handle that listens at a port of an address of this machine; 0 is any port. */
static int listening_handle(const char *host, in_port_t port, int backlog,
                            struct sockaddr_in *ret_address)
{
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof *ret_address;

    *ret_address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port};
    check(inet_pton(AF_INET, host, &ret_address->sin_addr) == 1);
    check(bind(handle, (const struct sockaddr *)ret_address, size) == 0);
    check(listen(handle, backlog) == 0);
    check(getsockname(handle, (struct sockaddr *)ret_address, &size) == 0);
    return handle;
}

static void wait_until_connecting(RLReadStreamRef reader)
{
    RLDataRef data = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
    int handle = *(const int *)(const void *)RLDataGetBytePtr(data);
    struct tcp_info info = {0};
    socklen_t size = sizeof info;

    RLRelease(data);
    while (info.tcpi_state != TCP_SYN_SENT) {
        sched_yield();
        check(getsockopt(handle, IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
    }
}

static void stream_tries_next_address(void)
{
    struct sockaddr_in address, busy_address;
    RLReadStreamRef reader;

    if (!RLTestingIsAvailable()) {
        note("r open");
        note("= Stopped");
        return;
    }
    int listener = listening_handle("127.0.0.1", 0, 1, &address);
    int busy = listening_handle("127.0.0.2", address.sin_port, 0, &busy_address);
    /* Fills the queue, so that the next connection is not answered until the listener is closed. */
    int first = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(connect(first, (struct sockaddr *)&busy_address, sizeof busy_address) == 0);
    RLTestingSetFirstAddress("127.0.0.2");
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), ntohs(address.sin_port), &reader,
                                       NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) { stop(); });
    check(RLReadStreamOpen(reader));
    wait_until_connecting(reader);
    close(busy);
    /* The kernel asks again after a second, and is refused. */
    run("DEF", 60, false);
    RLTestingSetFirstAddress(NULL);
    close(first);
    close(listener);
}
SCENARIO(stream_tries_next_address,
         .title = "An address that fails in the background is followed by the host's next one",
         .clauses = "STRM-3",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; = Stopped")

static void stream_to_nowhere(void)
{
    RLReadStreamRef reader;
    /* More than the 63 characters that a part of a name has: no server is asked. */
    char name[] = "0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-";

    RLStreamCreatePairWithSocketToHost(NULL, string_named(name), 1, &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        note("%s", strerrorname_np(RLReadStreamGetError(called).error));
        stop();
    });
    /* It may have failed already, which is reported later. */
    RLReadStreamOpen(reader);
    run("DEF", 60, false);
    UInt8 byte;
    check(RLReadStreamRead(reader, &byte, 1) == -1);
}
SCENARIO(stream_to_nowhere,
         .title = "An unknown name is an error, which is reported later",
         .clauses = "STRM-3",
         .rl_only = true,
         .own_process = true,
         .expected = "r error; EHOSTUNREACH; = Stopped")

static void stream_to_signature(void)
{
    RLDataRef address;
    RLReadStreamRef reader;
    listening_socket(NULL,
                     ^(RLSocketRef called, unsigned long type, const void *data) {
                         write_text(*(const int *)data, "hi");
                         close(*(const int *)data);
                     },
                     &address);
    RLSocketSignature signature = {PF_INET, SOCK_STREAM, IPPROTO_TCP, address};

    RLStreamCreatePairWithPeerSocketSignature(NULL, &signature, &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    RLReadStreamOpen(reader);
    run("DEF", 10, false);
    RLDataRef handle = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
    check(RLDataGetLength(handle) == sizeof(int));
    RLRelease(handle);
}
SCENARIO(stream_to_signature,
         .title = "A signature makes a stream that connects to its address",
         .clauses = "STRM-3",
         .rl_only = true,
         .expected = "r open; r bytes; 2; r end; = Stopped")

static void stream_to_full_queue(void)
{
    int listener, first = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    RLDataRef address = unix_name("streams", SOCK_STREAM, &listener);
    RLSocketSignature signature = {PF_UNIX, SOCK_STREAM, 0, address};
    RLReadStreamRef reader;

    check(listen(listener, 0) == 0);
    check(connect(first, (const struct sockaddr *)RLDataGetBytePtr(address),
                  (socklen_t)RLDataGetLength(address)) == 0);
    RLStreamCreatePairWithPeerSocketSignature(NULL, &signature, &reader, NULL);
    keep_pair(reader, NULL);
    note_answer("opens", RLReadStreamOpen(reader));
    note("%s", strerrorname_np(RLReadStreamGetError(reader).error));
    close(first);
    close(listener);
}
SCENARIO(stream_to_full_queue,
         .title = "A Unix socket whose queue is full is an error at once",
         .clauses = "STRM-3",
         .rl_only = true,
         .expected = "opens: no; EAGAIN")
