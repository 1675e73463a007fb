/*
 * Bound streams, which CF for Linux has not; with the words of streams.
 */

#include "../values/value_words.h"
#include "scenario.h"
#include "stream_words.h"

struct bound {
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
};

/* Two streams that live until the scenario returns. */
static struct bound bound_pair(long size)
{
    struct bound pair;
    RLStreamCreateBoundPair(NULL, &pair.reader, &pair.writer, size);
    RLReadStreamRef reader = pair.reader;
    RLWriteStreamRef writer = pair.writer;
    at_return(^{
        RLReadStreamClose(reader);
        RLWriteStreamClose(writer);
        RLRelease(reader);
        RLRelease(writer);
    });
    return pair;
}

static long write_and_note(RLWriteStreamRef stream, const char *characters)
{
    long count = RLWriteStreamWrite(stream, (const UInt8 *)characters, (long)strlen(characters));
    note("wrote %ld", count);
    return count;
}

static void bound_streams_carry_bytes(void)
{
    struct bound pair = bound_pair(4);

    note_answer("opened", RLReadStreamOpen(pair.reader) && RLWriteStreamOpen(pair.writer));
    note_answer("bytes", RLReadStreamHasBytesAvailable(pair.reader));
    note_answer("room", RLWriteStreamCanAcceptBytes(pair.writer));
    write_and_note(pair.writer, "abc");
    note_answer("bytes", RLReadStreamHasBytesAvailable(pair.reader));
    write_and_note(pair.writer, "def");
    note_answer("room", RLWriteStreamCanAcceptBytes(pair.writer));
    read_and_note(pair.reader, 3);
    write_and_note(pair.writer, "efgh");
    read_and_note(pair.reader, 10);
    RLIndex count = -5;
    check(!RLReadStreamGetBuffer(pair.reader, 0, &count) && count == 0);
    UInt8 bytes[4];
    write_and_note(pair.writer, "1234");
    check(RLReadStreamRead(pair.reader, bytes, 4) == 4 && memcmp(bytes, "1234", 4) == 0);
}
SCENARIO(bound_streams_carry_bytes,
         .title = "Bound streams carry bytes through a buffer of a size",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "opened: yes; bytes: no; room: yes; wrote 3; bytes: yes; wrote 1; room: no; "
                     "3; wrote 3; 4; wrote 4")

static void bound_streams_notify(void)
{
    struct bound pair = bound_pair(4);

    serve_reader(pair.reader, "reader", NULL);
    serve_writer(pair.writer, "writer", NULL);
    RLReadStreamOpen(pair.reader);
    RLWriteStreamOpen(pair.writer);
    run_quietly();
    write_and_note(pair.writer, "abcdef");
    run_quietly();
    read_and_note(pair.reader, 1);
    run_quietly();
    read_and_note(pair.reader, 5);
    run_quietly();
    write_and_note(pair.writer, "yz");
    RLWriteStreamClose(pair.writer);
    run_quietly();
    read_and_note(pair.reader, 5);
    run_quietly();
    note("status %ld", (long)RLReadStreamGetStatus(pair.reader));
    read_and_note(pair.reader, 5);
}
SCENARIO(bound_streams_notify,
         .title = "Bound streams report bytes, room that becomes available again, and the end",
         .clauses = "STRM-4 STRM-5",
         .rl_only = true,
         .expected = "reader open; writer open; writer room; wrote 4; reader bytes; 1; writer room; "
                     "reader bytes; 3; wrote 2; reader bytes; 2; reader end; status 5; 0")

static void bound_writer_without_reader(void)
{
    struct bound pair = bound_pair(4);

    serve_writer(pair.writer, "writer", NULL);
    RLReadStreamOpen(pair.reader);
    RLWriteStreamOpen(pair.writer);
    run_quietly();
    write_and_note(pair.writer, "full");
    RLReadStreamClose(pair.reader);
    run_quietly();
    write_and_note(pair.writer, "lost");
    run_quietly();
    RLErrorRef error = kept_error(RLWriteStreamCopyError(pair.writer));
    note("%ld, status %ld", RLErrorGetCode(error), (long)RLWriteStreamGetStatus(pair.writer));
}
SCENARIO(bound_writer_without_reader,
         .title = "Writing to a bound stream without a reader is EPIPE",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "writer open; writer room; wrote 4; writer room; wrote -1; writer error; "
                     "32, status 7")

static void bound_streams_end_empty(void)
{
    struct bound pair = bound_pair(4);

    serve_reader(pair.reader, "reader", NULL);
    RLWriteStreamOpen(pair.writer);
    write_and_note(pair.writer, "ab");
    RLWriteStreamClose(pair.writer);
    RLReadStreamOpen(pair.reader);
    run_quietly();
    read_and_note(pair.reader, 5);
    run_quietly();
    struct bound empty = bound_pair(4);
    serve_reader(empty.reader, "empty", NULL);
    RLReadStreamOpen(empty.reader);
    RLWriteStreamOpen(empty.writer);
    run_quietly();
    RLWriteStreamClose(empty.writer);
    run_quietly();
}
SCENARIO(bound_streams_end_empty,
         .title = "A bound stream that was closed before is read to its end",
         .clauses = "STRM-5",
         .rl_only = true,
         .expected = "wrote 2; reader open; reader bytes; 2; reader end; empty open; "
                     "empty end")

static void bound_streams_of_threads(void)
{
    enum { total = 100000 };
    struct bound pair = bound_pair(7);

    RLReadStreamOpen(pair.reader);
    RLWriteStreamOpen(pair.writer);
    struct helper_thread *thread = start_thread(^{
        UInt8 bytes[13];
        for (long sent = 0; sent < total;) {
            long count = total - sent < 13 ? total - sent : 13;
            for (long i = 0; i < count; i++) bytes[i] = (UInt8)((sent + i) % 251);
            long written = RLWriteStreamWrite(pair.writer, bytes, count);
            check(written > 0);
            sent += written;
        }
        RLWriteStreamClose(pair.writer);
    });
    long received = 0, count;
    bool is_right = true;
    UInt8 bytes[5];
    while ((count = RLReadStreamRead(pair.reader, bytes, sizeof bytes)) > 0) {
        for (long i = 0; i < count; i++) is_right &= bytes[i] == (UInt8)((received + i) % 251);
        received += count;
    }
    join_thread(thread);
    note("%ld %ld %s", received, count, is_right ? "right" : "wrong");
}
SCENARIO(bound_streams_of_threads,
         .title = "Two threads wait for one another through bound streams",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "100000 0 right")

static void bound_streams_wake_loops(void)
{
    enum { total = 20000 };
    struct bound pair = bound_pair(16);
    __block long received = 0;

    serve_reader(pair.reader, NULL, ^(RLReadStreamRef stream, unsigned long event) {
        UInt8 bytes[9];
        if (event == kRLStreamEventHasBytesAvailable) {
            check(RLReadStreamHasBytesAvailable(stream));
            received += RLReadStreamRead(stream, bytes, sizeof bytes);
        }
        if (event == kRLStreamEventEndEncountered) stop();
    });
    RLReadStreamOpen(pair.reader);
    RLWriteStreamRef writer = pair.writer;
    struct helper_thread *thread = start_thread(^{
        __block long sent = 0;
        serve_writer(writer, NULL, ^(RLWriteStreamRef stream, unsigned long event) {
            UInt8 bytes[11] = {0};
            long left = total - sent;
            if (event == kRLStreamEventCanAcceptBytes && left > 0) {
                check(RLWriteStreamCanAcceptBytes(stream));
                sent += RLWriteStreamWrite(stream, bytes, left < 11 ? left : 11);
            }
            if (sent == total) RLWriteStreamClose(stream);
        });
        RLWriteStreamOpen(writer);
        while (sent < total) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    });
    run("DEF", 60, false);
    join_thread(thread);
    note("%ld", received);
}
SCENARIO(bound_streams_wake_loops,
         .title = "Bound streams of two loops wake one another, and each event is true",
         .clauses = "STRM-4 STRM-5",
         .rl_only = true,
         .expected = "= Stopped; 20000")

static void bound_read_ends(void)
{
    struct bound pair = bound_pair(4);
    RLReadStreamRef reader = pair.reader;

    RLReadStreamOpen(pair.reader);
    RLWriteStreamOpen(pair.writer);
    struct gate *gate = make_gate();
    struct helper_thread *thread = start_thread(^{
        UInt8 byte;
        open_gate(gate);
        note("read %ld", RLReadStreamRead(reader, &byte, 1));
    });
    pass_gate(gate);
    RLReadStreamClose(pair.reader);
    join_thread(thread);
}
SCENARIO(bound_read_ends,
         .title = "A read of a bound stream that waits ends when the stream is closed",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "read -1")

static void bound_streams_go(void)
{
    for (int i = 0; i < 2; i++) {
        RLReadStreamRef reader;
        RLWriteStreamRef writer;
        UInt8 byte = 'x';
        RLStreamCreateBoundPair(NULL, &reader, &writer, 4);
        RLReadStreamOpen(reader);
        RLWriteStreamOpen(writer);
        check(RLWriteStreamWrite(writer, &byte, 1) == 1);
        RLRelease(i == 0 ? (const void *)writer : (const void *)reader);
        if (i == 0) {
            read_and_note(reader, 1);
            read_and_note(reader, 1);
            RLRelease(reader);
        } else {
            write_and_note(writer, "x");
            RLRelease(writer);
        }
    }
}
SCENARIO(bound_streams_go,
         .title = "A bound stream that is released is closed to the other one",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "1; 0; wrote -1")

STOPS(bound_pair_of_nothing,
      RLStreamCreateBoundPair(NULL, &(RLReadStreamRef){NULL}, &(RLWriteStreamRef){NULL}, 0),
      .title = "Bound streams with a buffer of no bytes stop the process", .clauses = "STRM-2",
      .rl_only = true)

static void stream_to_host_properties(void)
{
    RLReadStreamRef reader;
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), 9, &reader, NULL);
    note_text(kept(RLReadStreamCopyProperty(reader, kRLStreamPropertySocketRemoteHostName)));
    RLNumberRef port =
        kept(RLReadStreamCopyProperty(reader, kRLStreamPropertySocketRemotePortNumber));
    int value = 0;
    check(RLNumberGetValue(port, kRLNumberIntType, &value));
    note("%d", value);
    RLRelease(reader);
}
SCENARIO(stream_to_host_properties,
         .title = "Streams to a host know its name and port",
         .clauses = "STRM-2",
         .rl_only = true,
         .expected = "\"127.0.0.1\"; 9")
