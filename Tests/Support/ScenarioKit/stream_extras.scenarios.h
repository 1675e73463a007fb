/*
 * Streams over sockets and files, which the reference for Linux lacks, or takes by URL.
 */

#include <arpa/inet.h>
#include <netinet/tcp.h>

/* Has the streams of a pair closed and released when the scenario returns. */
static void keep_pair(RLReadStreamRef reader, RLWriteStreamRef writer)
{
    at_return(^{
        if (reader) {
            RLReadStreamSetClient(reader, 0, NULL, NULL);
            RLReadStreamClose(reader);
            RLRelease(reader);
        }
        if (writer) {
            RLWriteStreamSetClient(writer, 0, NULL, NULL);
            RLWriteStreamClose(writer);
            RLRelease(writer);
        }
    });
}

static void stream_of_handle(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    char text[8] = "";

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    keep_pair(reader, writer);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 4);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        note("%ld", (long)RLWriteStreamWrite(called, (const UInt8 *)"hello", 5));
        RLWriteStreamClose(called);
    });
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 0.01, false);
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    check(write(ends[1], "abcdef", 6) == 6);
    run("DEF", 0.01, false);
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 10, false);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    RLReadStreamClose(reader);
    check(fcntl(ends[0], F_GETFD) >= 0);
}
SCENARIO(stream_of_handle,
         .title = "A socket is read and written by a pair of streams, and stays the client's",
         .clauses = "STRM-3 STRM-4 STRM-5 STRM-6",
         .expected = "r open; w open; w room; 5; = TimedOut; r bytes; 4; r bytes; 2; = TimedOut; "
                     "r end; = Stopped; status 5")

/* An open reader over one end of a pair of sockets. */
static RLReadStreamRef open_reader(const char *name, const int *ends,
                                   void (^called)(RLReadStreamRef, unsigned long))
{
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, name, called);
    check(RLReadStreamOpen(reader));
    return reader;
}

static void stream_read_before_its_turn(void)
{
    const int *one_ends = make_pair(), *two_ends = make_pair();
    __block RLReadStreamRef one, two;
    void (^read_both)(RLReadStreamRef, unsigned long) =
        ^(RLReadStreamRef called, unsigned long event) {
            (void)called;
            if (event != kRLStreamEventHasBytesAvailable) return;
            if (RLReadStreamHasBytesAvailable(one)) read_and_note(one, 1);
            if (RLReadStreamHasBytesAvailable(two)) read_and_note(two, 1);
        };

    one = open_reader("one", one_ends, read_both);
    two = open_reader("two", two_ends, read_both);
    run("DEF", 0, false);
    check(write(one_ends[1], "a", 1) == 1 && write(two_ends[1], "a", 1) == 1);
    run("DEF", 0, false);
    run("DEF", 0, false);
    check(write(two_ends[1], "b", 1) == 1);
    run("DEF", 0, false);
}
SCENARIO(stream_read_before_its_turn,
         .title = "A stream is not told of bytes that were read before its turn",
         .clauses = "STRM-4",
         .expected = "one open; two open; = TimedOut; one bytes; 1; 1; = TimedOut; = TimedOut; "
                     "two bytes; 1; = TimedOut")

static void stream_reads_end(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;
    UInt8 bytes[8];

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    check(RLReadStreamOpen(reader));
    tell("bytes", RLReadStreamHasBytesAvailable(reader));
    struct helper_thread *peer = start_thread(^{ check(write(ends[1], "abc", 3) == 3); });
    note("%ld", (long)RLReadStreamRead(reader, bytes, sizeof bytes));
    join_thread(peer);
    close(ends[1]);
    ends[1] = -1;
    note("%ld", (long)RLReadStreamRead(reader, bytes, sizeof bytes));
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    RLReadStreamClose(reader);
    check(fcntl(ends[0], F_GETFD) == -1);
    ends[0] = -1;
}
SCENARIO(stream_reads_end,
         .title = "Reading waits for bytes, then the end; the handle is closed if so asked for",
         .clauses = "STRM-5",
         .own_process = true,
         .expected = "bytes: no; 3; 0; status 5")

/* A thread that reads and sleeps meanwhile; it notes what it got. */
static struct helper_thread *sleeping_reader(RLReadStreamRef reader)
{
    struct gate *begins = make_gate();
    __block pid_t thread = 0;
    struct helper_thread *helper = start_thread(^{
        UInt8 bytes[16];
        thread = gettid();
        open_gate(begins);
        note("%ld", (long)RLReadStreamRead(reader, bytes, sizeof bytes));
    });

    pass_gate(begins);
    while (!is_asleep(thread)) sched_yield();
    return helper;
}

static void stream_closed_while_read(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    char text[8] = "";

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    keep_pair(reader, writer);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    struct helper_thread *helper = sleeping_reader(reader);
    RLReadStreamClose(reader);
    join_thread(helper);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    /* The other stream goes on, and the handle is the client's. */
    check(RLWriteStreamWrite(writer, (const UInt8 *)"hello", 5) == 5);
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    RLWriteStreamClose(writer);
    check(write(ends[0], "x", 1) == 1);
}
SCENARIO(stream_closed_while_read,
         .title = "Closing a stream ends a read that waits, and nothing of the other stream",
         .clauses = "STRM-5",
         .expected = "-1; status 6")

static void stream_to_host(void)
{
    RLDataRef address;
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    int before = count_descriptors();
    RLSocketRef listener =
        listening_socket(NULL, ^(RLSocketRef called, unsigned long type, const void *data) {
            int handle = *(const int *)data;
            char text[8] = "";
            (void)called, (void)type;
            check(recv(handle, text, 5, MSG_WAITALL) == 5 && strcmp(text, "hello") == 0);
            write_text(handle, "welcome");
            close(handle);
        }, &address);

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
    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        (void)called, (void)event;
        stop();
    });
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
         .expected = "r error; w error; = Stopped; = TimedOut")

static struct gate *lookup_begun, *lookup_may_end;

static void hold_lookup(void)
{
    open_gate(lookup_begun);
    pass_gate(lookup_may_end);
}

/* Has look-ups wait until the second gate is opened. */
static void hold_lookups(void)
{
    lookup_begun = make_gate();
    lookup_may_end = make_gate();
    RLTestingSetBeforeLookup(hold_lookup);
    at_return(^{ RLTestingSetBeforeLookup(NULL); });
}

/* Streams to a port of this machine that says welcome. */
static void welcomed_pair(const char *host, RLReadStreamRef *reader, RLWriteStreamRef *writer)
{
    RLDataRef address;

    listening_socket(NULL, ^(RLSocketRef called, unsigned long type, const void *data) {
        int handle = *(const int *)data;
        (void)called, (void)type;
        write_text(handle, "welcome");
        close(handle);
    }, &address);
    RLStringRef name = string_named(host);
    RLStreamCreatePairWithSocketToHost(NULL, name, (UInt32)port_of(address), reader, writer);
    keep_pair(*reader, writer ? *writer : NULL);
}

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
    tell("opens", RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    pass_gate(lookup_begun);
    after(0.001, "t", "DEF", ^{ stop(); });
    run("DEF", 10, false);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    tell("room", RLWriteStreamCanAcceptBytes(writer));
    open_gate(lookup_may_end);
    run("DEF", 10, false);
}
SCENARIO(stream_looks_up,
         .title = "While a host's name is looked up, the loop goes on",
         .clauses = "STRM-3",
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
         .own_process = true,
         .expected = "")

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
         .own_process = true,
         .expected = "-1")

static void stream_read_in_lookup(void)
{
    RLReadStreamRef reader;
    loop_ref loop = this_loop();
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
    /* Fills the queue, so that the next connection is not answered until nobody listens. */
    int first = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(connect(first, (struct sockaddr *)&busy_address, sizeof busy_address) == 0);
    RLTestingSetFirstAddress("127.0.0.2");
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), ntohs(address.sin_port), &reader,
                                       NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        (void)called, (void)event;
        stop();
    });
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
        (void)event;
        note("%s", strerrorname_np(RLReadStreamGetError(called).error));
        stop();
    });
    /* It may have failed by now, which is told later all the same. */
    RLReadStreamOpen(reader);
    run("DEF", 60, false);
    UInt8 byte;
    check(RLReadStreamRead(reader, &byte, 1) == -1);
}
SCENARIO(stream_to_nowhere,
         .title = "A name that nobody has is an error, which comes later",
         .clauses = "STRM-3",
         .own_process = true,
         .expected = "r error; EHOSTUNREACH; = Stopped")

static void stream_to_signature(void)
{
    RLDataRef address;
    RLReadStreamRef reader;
    listening_socket(NULL, ^(RLSocketRef called, unsigned long type, const void *data) {
        (void)called, (void)type;
        write_text(*(const int *)data, "hi");
        close(*(const int *)data);
    }, &address);
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
    tell("opens", RLReadStreamOpen(reader));
    note("%s", strerrorname_np(RLReadStreamGetError(reader).error));
    close(first);
    close(listener);
}
SCENARIO(stream_to_full_queue,
         .title = "A Unix socket whose queue is full is an error at once",
         .clauses = "STRM-3",
         .expected = "opens: no; EAGAIN")

static void stream_of_file(void)
{
    char path[] = "/tmp/scenario-stream-XXXXXX";
    int handle = mkstemp(path);
    RLStringRef name = RLStringCreateWithCString(NULL, path, kRLStringEncodingUTF8);
    RLWriteStreamRef writer = RLWriteStreamCreateWithPath(NULL, name);
    int64_t offset = 0;

    close(handle);
    check(RLWriteStreamSetProperty(writer, kRLStreamPropertyAppendToFile, kRLBooleanTrue));
    check(RLWriteStreamOpen(writer));
    check(RLWriteStreamWrite(writer, (const UInt8 *)"hello", 5) == 5);
    RLNumberRef number = RLWriteStreamCopyProperty(writer, kRLStreamPropertyFileCurrentOffset);
    check(RLNumberGetValue(number, kRLNumberSInt64Type, &offset) && offset == 5);
    RLRelease(number);
    RLWriteStreamClose(writer);
    RLRelease(writer);

    RLReadStreamRef reader = RLReadStreamCreateWithPath(NULL, name);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
    });
    check(RLReadStreamOpen(reader));
    run("DEF", 0.005, false);
    unlink(path);

    RLReadStreamRef missing = RLReadStreamCreateWithPath(NULL, name);
    keep_pair(missing, NULL);
    serve_reader(missing, "missing", NULL);
    tell("opens", RLReadStreamOpen(missing));
    note("%s", strerrorname_np(RLReadStreamGetError(missing).error));
    run("DEF", 0.005, false);
    RLRelease(name);
}
SCENARIO(stream_of_file,
         .title = "Files are written and read; one that does not exist is an error",
         .clauses = "STRM-5",
         .expected = "r open; r bytes; 5; r bytes; 0; r end; = TimedOut; opens: no; ENOENT; "
                     "missing error; = TimedOut")

static bool seek_reader(RLReadStreamRef reader, int64_t offset)
{
    RLNumberRef number = RLNumberCreate(NULL, kRLNumberSInt64Type, &offset);
    bool result = RLReadStreamSetProperty(reader, kRLStreamPropertyFileCurrentOffset, number);

    RLRelease(number);
    return result;
}

static bool seek_writer(RLWriteStreamRef writer, int64_t offset)
{
    RLNumberRef number = RLNumberCreate(NULL, kRLNumberSInt64Type, &offset);
    bool result = RLWriteStreamSetProperty(writer, kRLStreamPropertyFileCurrentOffset, number);

    RLRelease(number);
    return result;
}

/* Where a stream is, or -1 if it does not know. */
static int64_t offset_of(RLReadStreamRef reader)
{
    RLNumberRef number = RLReadStreamCopyProperty(reader, kRLStreamPropertyFileCurrentOffset);
    int64_t offset = -1;

    if (!number) return offset;
    check(RLNumberGetValue(number, kRLNumberSInt64Type, &offset));
    RLRelease(number);
    return offset;
}

static void stream_offset(void)
{
    char path[] = "/tmp/scenario-stream-XXXXXX", text[8] = "";
    int handle = mkstemp(path);
    RLStringRef name = RLStringCreateWithCString(NULL, path, kRLStringEncodingUTF8);
    RLWriteStreamRef writer = RLWriteStreamCreateWithPath(NULL, name);
    RLReadStreamRef reader = RLReadStreamCreateWithPath(NULL, name);
    keep_pair(reader, writer);

    check(seek_writer(writer, 2) && RLWriteStreamOpen(writer));
    check(RLWriteStreamWrite(writer, (const UInt8 *)"cde", 3) == 3);
    check(seek_writer(writer, 0));
    check(RLWriteStreamWrite(writer, (const UInt8 *)"ab", 2) == 2);
    check(pread(handle, text, sizeof text, 0) == 5 && strcmp(text, "abcde") == 0);

    check(offset_of(reader) == -1 && !seek_reader(reader, -1));
    check(seek_reader(reader, 3) && offset_of(reader) == 3);
    check(RLReadStreamOpen(reader));
    read_and_note(reader, 1);
    check(seek_reader(reader, 1) && offset_of(reader) == 1);
    check(!RLReadStreamSetProperty(reader, kRLStreamPropertyFileCurrentOffset, kRLBooleanTrue));
    check(!RLReadStreamSetProperty(reader, kRLStreamPropertyFileCurrentOffset, NULL));
    read_and_note(reader, 64);
    read_and_note(reader, 64);
    check(seek_reader(reader, 0));
    read_and_note(reader, 64);
    RLReadStreamClose(reader);
    check(!seek_reader(reader, 0) && offset_of(reader) == -1);

    RLWriteStreamRef appending = RLWriteStreamCreateWithPath(NULL, name);
    check(RLWriteStreamSetProperty(appending, kRLStreamPropertyAppendToFile, kRLBooleanTrue));
    tell("appends elsewhere", seek_writer(appending, 1));
    RLRelease(appending);
    RLRelease(name);
    unlink(path);
    close(handle);
}
SCENARIO(stream_offset,
         .title = "A stream of a file goes where it is set to, before it is opened and after",
         .clauses = "STRM-5",
         .expected = "1; 4; 0; 0; appends elsewhere: no")

static void stream_released_in_loop(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) RLReadStreamClose(called);
    });
    check(RLReadStreamOpen(reader));
    RLRelease(reader);
    check(write(ends[1], "abc", 3) == 3);
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 10, false);
}
SCENARIO(stream_released_in_loop,
         .title = "A loop holds a stream that is scheduled in it, until that is closed",
         .clauses = "STRM-7",
         .expected = "r open; r bytes; 3; r end; = Finished")

static void stream_security(void)
{
    UInt8 byte = 1;
    RLReadStreamRef reader = RLReadStreamCreateWithBytesNoCopy(NULL, &byte, 1, kRLAllocatorNull);
    RLStringRef const keys[] = {kRLStreamPropertySocketSecurityLevel, kRLStreamPropertySSLSettings};

    for (int index = 0; index < 2; index++) {
        note("%d", RLReadStreamSetProperty(reader, keys[index],
                                           kRLStreamSocketSecurityLevelNegotiatedSSL));
        check(!RLReadStreamCopyProperty(reader, keys[index]));
    }
    check(kRLStreamErrorDomainSSL == 3);
    RLRelease(reader);
}
SCENARIO(stream_security,
         .title = "Security is refused for streams over no socket",
         .clauses = "extension",
         .own_process = true,
         .expected = "0; 0")

static void stream_opened_elsewhere(void)
{
    char folder[] = "/tmp/scenario-XXXXXX", path[64];
    UInt8 byte;

    check(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    check(mkfifo(path, 0600) == 0);
    RLStringRef text = RLStringCreateWithCString(NULL, path, kRLStringEncodingUTF8);
    RLURLRef url = RLURLCreateWithFileSystemPath(NULL, text, kRLURLPOSIXPathStyle, false);
    RLReadStreamRef reader = RLReadStreamCreateWithFile(NULL, url);
    /* Opening waits for somebody who writes. */
    struct helper_thread *thread = start_thread(^{ check(RLReadStreamOpen(reader)); });
    while (RLReadStreamGetStatus(reader) == kRLStreamStatusNotOpen) sched_yield();
    note("%ld", (long)RLReadStreamGetStatus(reader));
    note("%ld", (long)RLReadStreamRead(reader, &byte, 1));
    note("%s", RLReadStreamHasBytesAvailable(reader) ? "ready" : "not ready");
    int writer = open(path, O_WRONLY | O_CLOEXEC);
    check(writer >= 0 && write(writer, "x", 1) == 1);
    join_thread(thread);
    note("%ld", (long)RLReadStreamRead(reader, &byte, 1));
    close(writer);
    RLReadStreamClose(reader);
    RLRelease(reader);
    RLRelease(url);
    RLRelease(text);
    unlink(path);
    rmdir(folder);
}
SCENARIO(stream_opened_elsewhere,
         .title = "A stream that another thread opens is opening, and gives no bytes until it is open",
         .clauses = "extension",
         .own_process = true,
         .expected = "1; -1; not ready; 1")
