/*
 * Streams over sockets and files, which the reference for Linux lacks, or takes by URL.
 */

#include "../descriptors/descriptor_words.h"
#include "scenario.h"
#include "stream_words.h"

#include <CRunLoop/RLStreamWrapping.h>

static void stream_of_handle(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    char text[8] = "";

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    keep_pair(reader, writer);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable && read_and_note(called, 4) < 4) stop();
        if (event == kRLStreamEventEndEncountered) stop();
    });
    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        note("%ld", (long)RLWriteStreamWrite(called, (const UInt8 *)"hello", 5));
        RLWriteStreamClose(called);
        stop();
    });
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 10, false);
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    check(write(ends[1], "abcdef", 6) == 6);
    run("DEF", 10, false);
    run("DEF", 0, false);
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
         .rl_only = true,
         .expected = "r open; w open; w room; 5; = Stopped; r bytes; 4; r bytes; 2; = Stopped; "
                     "= TimedOut; r end; = Stopped; status 5")

/* The peer sees the end when the stream, which has the other end, is gone. */
static void unopened_stream_leaves_loop(void)
{
    int *ends = make_pair();
    char byte;
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    ends[0] = -1;
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
    RLReadStreamClose(reader);
    note("%ld", (long)RLReadStreamGetStatus(reader));
    RLRelease(reader);
    note("%zd", recv(ends[1], &byte, 1, MSG_DONTWAIT));
}
SCENARIO(unopened_stream_leaves_loop,
         .title = "A stream that is closed before it was opened is kept by no loop",
         .clauses = "STRM-12",
         .rl_only = true,
         .expected = "0; 0")

static void stream_read_before_its_turn(void)
{
    const int *one_ends = make_pair(), *two_ends = make_pair();
    __block RLReadStreamRef one, two;
    void (^read_both)(RLReadStreamRef, unsigned long) =
        ^(RLReadStreamRef called, unsigned long event) {
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
         .title = "A stream gets no event for bytes that were read before its turn",
         .clauses = "STRM-4",
         .rl_only = true,
         .expected = "one open; two open; = TimedOut; one bytes; 1; 1; = TimedOut; = TimedOut; "
                     "two bytes; 1; = TimedOut")

static void stream_event_without_bytes(void)
{
    int *ends = make_pair();
    __block int events = 0;

    open_reader("stream", ends, ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        if (events++ == 0) check(recv(ends[0], &(char){0}, 1, MSG_DONTWAIT) == 1);
        note_answer("bytes", RLReadStreamHasBytesAvailable(called));
        if (events > 1) read_and_note(called, 1);
    });
    for (int round = 0; round < 3; round++) {
        check(write(ends[1], "a", 1) == 1);
        run_quietly();
    }
}
SCENARIO(stream_event_without_bytes,
         .title = "After an event whose bytes were taken, the next bytes are an event",
         .clauses = "STRM-4",
         .rl_only = true,
         .expected = "stream open; stream bytes; bytes: no; stream bytes; bytes: yes; 1; "
                     "stream bytes; bytes: yes; 1")

static void stream_event_without_space(void)
{
    int *ends = make_pair();
    __block bool was_full = false;
    static char bytes[4096];
    RLWriteStreamRef writer;

    RLStreamCreatePairWithSocket(NULL, ends[0], NULL, &writer);
    keep_pair(NULL, writer);
    serve_writer(writer, "stream", ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        while (!was_full && send(ends[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
        was_full = true;
        note_answer("space", RLWriteStreamCanAcceptBytes(called));
    });
    check(RLWriteStreamOpen(writer));
    run_quietly();
    while (recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
    run_quietly();
}
SCENARIO(stream_event_without_space,
         .title = "After an event whose space was filled, the next space is an event",
         .clauses = "STRM-4",
         .rl_only = true,
         .expected = "stream open; stream room; space: no; stream room; space: yes")

static void stream_reads_end(void)
{
    int *ends = make_pair();
    RLReadStreamRef reader;
    UInt8 bytes[8];

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    check(RLReadStreamOpen(reader));
    note_answer("bytes", RLReadStreamHasBytesAvailable(reader));
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
         .title = "Reading waits for bytes, then the end; the handle is closed if requested",
         .clauses = "STRM-5",
         .rl_only = true,
         .own_process = true,
         .expected = "bytes: no; 3; 0; status 5")

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
    /* The other stream continues, and the handle is the client's. */
    check(RLWriteStreamWrite(writer, (const UInt8 *)"hello", 5) == 5);
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    RLWriteStreamClose(writer);
    check(write(ends[0], "x", 1) == 1);
}
SCENARIO(stream_closed_while_read,
         .title = "Closing a stream ends a read that waits, and nothing of the other stream",
         .clauses = "STRM-5",
         .rl_only = true,
         .expected = "-1; status 6")

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
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(RLReadStreamOpen(reader));
    run("DEF", 10, false);
    unlink(path);

    RLReadStreamRef missing = RLReadStreamCreateWithPath(NULL, name);
    keep_pair(missing, NULL);
    serve_reader(missing, "missing", NULL);
    note_answer("opens", RLReadStreamOpen(missing));
    note("%s", strerrorname_np(RLReadStreamGetError(missing).error));
    run("DEF", 0.005, false);
    RLRelease(name);
}
SCENARIO(stream_of_file,
         .title = "Files are written and read; one that does not exist is an error",
         .clauses = "STRM-5",
         .rl_only = true,
         .expected = "r open; r bytes; 5; r bytes; 0; r end; = Stopped; opens: no; ENOENT; "
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

/* The offset of a stream, or -1 if unknown. */
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
    note_answer("appends elsewhere", seek_writer(appending, 1));
    RLRelease(appending);
    RLRelease(name);
    unlink(path);
    close(handle);
}
SCENARIO(stream_offset,
         .title = "A stream of a file goes where it is set to, before it is opened and after",
         .clauses = "STRM-5",
         .rl_only = true,
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
         .rl_only = true,
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
         .rl_only = true,
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
    /* Opening waits for a writer. */
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
         .rl_only = true,
         .own_process = true,
         .expected = "1; -1; not ready; 1")

/* --- Clients that are set in callbacks of their predecessors ---------------------------------- */

/* A client with an action for its replacement, and an action for the release of its info. */
struct replaced_client {
    const char *name;
    action replaced, released;
};

static void replaced_client_called(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    const struct replaced_client *client = info;
    bool is_replaced = event == kRLStreamEventReplaced;

    note("%s %s", client->name, is_replaced ? "replaced" : name_of_stream_event(event));
    if (is_replaced && client->replaced) client->replaced();
    if (event == kRLStreamEventHasBytesAvailable) read_and_note(stream, 16);
}

static void replaced_client_released(void *info)
{
    const struct replaced_client *client = info;

    note("%s released", client->name);
    if (client->released) client->released();
}

static void set_replaced_client(RLReadStreamRef stream, struct replaced_client client)
{
    struct replaced_client *info = calloc(1, sizeof *info);
    RLStreamClientContext context = {.info = info, .release = replaced_client_released};

    *info = (struct replaced_client){client.name, copied((const void *)client.replaced),
                                     copied((const void *)client.released)};
    at_end(^{
        release_block((const void *)info->replaced);
        release_block((const void *)info->released);
        free(info);
    });
    check(RLReadStreamSetClient(stream, ALL_STREAM_EVENTS | kRLStreamEventReplaced,
                                replaced_client_called, &context));
}

static void client_set_while_replaced(void)
{
    RLReadStreamRef stream = text_stream("0123");
    action set_third = ^{ set_replaced_client(stream, (struct replaced_client){.name = "c"}); };
    action set_fifth = ^{ set_replaced_client(stream, (struct replaced_client){.name = "e"}); };

    RLReadStreamScheduleWithRunLoop(stream, this_loop(), kRLRunLoopDefaultMode);
    set_replaced_client(stream, (struct replaced_client){.name = "a", .replaced = set_third});
    check(RLReadStreamOpen(stream));
    set_replaced_client(stream, (struct replaced_client){.name = "b"});
    note("set");
    set_replaced_client(stream, (struct replaced_client){.name = "d", .released = set_fifth});
    RLReadStreamSetClient(stream, 0, NULL, NULL);
    note("removed");
    run_quietly();
}
SCENARIO(client_set_while_replaced,
         .title = "A client that a callback of a replaced or removed client sets is the last one",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "a replaced; b replaced; b released; a released; set; c replaced; "
                     "c released; d released; removed; e bytes; 4; e end; e released")
