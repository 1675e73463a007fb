/*
 * Streams that end their own direction only: RLWriteStreamFinishWriting.
 */

#include "../tls/tls_words.h"
#include "scenario.h"
#include "stream_words.h"

static const char *error_of_writer(RLWriteStreamRef writer)
{
    return name_of_tls_error(RLWriteStreamGetError(writer));
}

/* Asks, ends the direction, and reads the answer, in calls that block. */
static void ask_and_finish(const int handles[2])
{
    struct tls_end requester = make_tls_end(handles[1], NULL),
                   peer = make_tls_end(handles[0], NULL);

    open_tls_ends(requester, peer);
    write_tls_text(requester.writer, "question");
    check(RLWriteStreamFinishWriting(requester.writer));
    check(RLWriteStreamGetStatus(requester.writer) == kRLStreamStatusAtEnd);
    check(RLWriteStreamFinishWriting(requester.writer));
    read_text(peer.reader);
    read_text(peer.reader);
    check(RLReadStreamGetStatus(peer.reader) == kRLStreamStatusAtEnd);
    write_tls_text(peer.writer, "answer");
    check(RLWriteStreamFinishWriting(peer.writer));
    read_text(requester.reader);
    read_text(requester.reader);
    check(RLWriteStreamWrite(requester.writer, (const UInt8 *)"more", 4) == -1);
    note("%s", error_of_writer(requester.writer));
}

static void sockets_finished(void)
{
    int handles[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    ask_and_finish(handles);
    connect_by_tcp(handles);
    ask_and_finish(handles);
}
SCENARIO(sockets_finished,
         .title = "The answer arrives after a direction has ended, over Unix sockets and TCP",
         .clauses = "STRM-5 STRM-10",
         .rl_only = true,
         .expected = "question; nothing; answer; nothing; EPIPE; "
                     "question; nothing; answer; nothing; EPIPE")

static void finished_in_loop(void)
{
    struct tls_end requester, peer;
    int handles[2];

    connect_by_tcp(handles);
    requester = make_tls_end(handles[1], NULL);
    peer = make_tls_end(handles[0], NULL);
    serve_writer(requester.writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventCanAcceptBytes) return;
        write_tls_text(called, "question");
        check(RLWriteStreamFinishWriting(called));
    });
    serve_reader(requester.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_text(called);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(RLReadStreamOpen(peer.reader) && RLWriteStreamOpen(peer.writer));
    serve_reader(peer.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[8];
        if (event == kRLStreamEventHasBytesAvailable) {
            check(RLReadStreamRead(called, bytes, sizeof bytes) == sizeof bytes);
        }
        if (event != kRLStreamEventEndEncountered) return;
        write_tls_text(peer.writer, "answer");
        check(RLWriteStreamFinishWriting(peer.writer));
    });
    check(RLReadStreamOpen(requester.reader) && RLWriteStreamOpen(requester.writer));
    run("DEF", 20, false);
    note_answer("idle",
                RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false) == kRLRunLoopRunTimedOut);
}
SCENARIO(finished_in_loop,
         .title = "The end of a direction is an end for both, and no error, and the loop rests",
         .clauses = "STRM-3 STRM-5",
         .rl_only = true,
         .expected = "r open; w open; w room; w end; r bytes; answer; r end; = Stopped; idle: yes")

static void finished_while_connecting(void)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    UInt32 port;
    int listener = listen_for_tls(&port);
    char byte;

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), port, &reader, &writer);
    keep_pair(reader, writer);
    serve_writer(writer, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(!RLWriteStreamFinishWriting(writer));
    hold_lookups();
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    check(RLWriteStreamFinishWriting(writer));
    check(RLWriteStreamGetStatus(writer) == kRLStreamStatusOpening);
    open_gate(lookup_may_end);
    run("DEF", 20, false);
    int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    note("%zd", read(accepted, &byte, 1));
    check(write(accepted, "answer", 6) == 6);
    read_text(reader);
    close(accepted);
    close(listener);
}
SCENARIO(finished_while_connecting,
         .title = "A direction that ends before the connection exists ends with the connection",
         .clauses = "STRM-3 STRM-10",
         .rl_only = true,
         .expected_hints = "was not opened",
         .expected = "w open; w end; = Stopped; 0; answer")

/* Kinds of streams without a peer, and peers that are gone. */
static void other_kinds_finished(void)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer, memory, to_pipe;
    int pipe_ends[2], handles[2];

    RLStreamCreateBoundPair(NULL, &reader, &writer, 16);
    keep_pair(reader, writer);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    write_tls_text(writer, "bound");
    check(RLWriteStreamFinishWriting(writer));
    read_text(reader);
    read_text(reader);

    memory = kept_writer(RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL));
    check(RLWriteStreamOpen(memory));
    write_tls_text(memory, "memory");
    check(RLWriteStreamFinishWriting(memory));
    RLDataRef data = RLWriteStreamCopyProperty(memory, kRLStreamPropertyDataWritten);
    note("%ld", (long)RLDataGetLength(data));
    RLRelease(data);

    check(pipe2(pipe_ends, O_CLOEXEC) == 0);
    RLStreamCreatePairWithSocket(NULL, pipe_ends[1], NULL, &to_pipe);
    kept_writer(to_pipe);
    check(RLWriteStreamOpen(to_pipe));
    check(!RLWriteStreamFinishWriting(to_pipe));
    note("%s", error_of_writer(to_pipe));
    close(pipe_ends[0]);

    connect_by_tcp(handles);
    struct tls_end end = make_tls_end(handles[1], NULL);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    struct linger at_once = {.l_onoff = 1};
    check(setsockopt(handles[0], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
    close(handles[0]);
    note_answer("reset", !RLWriteStreamFinishWriting(end.writer));
    note("%s, %s", error_of_writer(end.writer),
         read_and_note(end.reader, 8) < 0 ? name_of_tls_error(RLReadStreamGetError(end.reader))
                                          : "an end");
}
SCENARIO(other_kinds_finished,
         .title = "A bound pair and memory end, a pipe and a connection that was reset fail",
         .clauses = "extension",
         .rl_only = true,
         .expected = "bound; nothing; 6; ENOTSOCK; reset: yes; -1; ENOTCONN, ECONNRESET")
