/*
 * Streams over memory, which the reference for Linux has too.
 */

#include "scenario.h"
#include "stream_words.h"

static void *stream_retain(void *info)
{
    note("%s retained", ((struct stream_gadget *)info)->name);
    return info;
}

static void stream_release(void *info)
{
    note("%s released", ((struct stream_gadget *)info)->name);
}

static void stream_numbers(void)
{
    check(kRLStreamEventOpenCompleted == 1 && kRLStreamEventHasBytesAvailable == 2);
    check(kRLStreamEventCanAcceptBytes == 4 && kRLStreamEventErrorOccurred == 8);
    check(kRLStreamEventEndEncountered == 16 && kRLStreamEventNone == 0);
    check(kRLStreamStatusNotOpen == 0 && kRLStreamStatusOpen == 2 && kRLStreamStatusAtEnd == 5);
    check(kRLStreamStatusClosed == 6 && kRLStreamStatusError == 7);
}
SCENARIO(stream_numbers,
         .title = "Events and states have their numbers",
         .clauses = "STRM-1")

static void stream_is_read(void)
{
    RLReadStreamRef stream = text_stream("0123456789");

    serve_reader(stream, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 4);
    });
    note("opens");
    check(RLReadStreamOpen(stream));
    note("opened %ld", (long)RLReadStreamGetStatus(stream));
    for (int pass = 0; pass < 4; pass++) run("DEF", 10, true);
    run("DEF", 0, true);
    note("status %ld", (long)RLReadStreamGetStatus(stream));
    read_and_note(stream, 4);
}
SCENARIO(stream_is_read,
         .title = "A stream opens, has bytes after each read that leaves some, and ends",
         .clauses = "STRM-3 STRM-4 STRM-5 STRM-6",
         .expected = "opens; opened 2; r open; r bytes; 4; = HandledSource; r bytes; 4; "
                     "= HandledSource; r bytes; 2; = HandledSource; r end; = HandledSource; "
                     "= TimedOut; status 5; 0")

static void stream_closed_before_opened(void)
{
    RLReadStreamRef reader = text_stream("0123");
    uint8_t buffer[4];
    RLWriteStreamRef writer = kept_writer(RLWriteStreamCreateWithBuffer(NULL, buffer, 4));

    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
    serve_reader(reader, "r", NULL);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 0.005, false);
    read_and_note(reader, 4);
    note("%ld", (long)RLWriteStreamWrite(writer, buffer, 4));
}
SCENARIO(stream_closed_before_opened,
         .title = "A stream that is closed before it was opened can be opened",
         .clauses = "STRM-12",
         .expected = "status 0; r open; r bytes; = TimedOut; 4; 4")

static void stream_waits_for_client(void)
{
    RLReadStreamRef stream = text_stream("0123456789");

    serve_reader(stream, "r", NULL);
    check(RLReadStreamOpen(stream));
    run("DEF", 0.005, false);
    read_and_note(stream, 1);
    run("DEF", 0.005, false);
}
SCENARIO(stream_waits_for_client,
         .title = "Available bytes are reported once until the client reads",
         .clauses = "STRM-4",
         .expected = "r open; r bytes; = TimedOut; 1; r bytes; = TimedOut")

static void stream_empty(void)
{
    RLReadStreamRef stream = text_stream("");

    serve_reader(stream, "r", NULL);
    check(RLReadStreamOpen(stream));
    run("DEF", 10, true);
    run("DEF", 0, true);
    note("status %ld", (long)RLReadStreamGetStatus(stream));
}
SCENARIO(stream_empty,
         .title = "An empty stream opens and ends",
         .clauses = "STRM-5",
         .expected = "r open; r end; = HandledSource; = TimedOut; status 5")

static void stream_states(void)
{
    RLReadStreamRef stream = text_stream("0123");

    note("status %ld", (long)RLReadStreamGetStatus(stream));
    read_and_note(stream, 4);
    note_answer("has bytes", RLReadStreamHasBytesAvailable(stream));
    note_answer("opens", RLReadStreamOpen(stream));
    note_answer("opens again", RLReadStreamOpen(stream));
    note_answer("has bytes", RLReadStreamHasBytesAvailable(stream));
    read_and_note(stream, 0);
    read_and_note(stream, 16);
    read_and_note(stream, 16);
    note_answer("has bytes", RLReadStreamHasBytesAvailable(stream));
    RLReadStreamClose(stream);
    note("status %ld", (long)RLReadStreamGetStatus(stream));
    read_and_note(stream, 4);
    note_answer("opens after closing", RLReadStreamOpen(stream));
    note("error %ld", (long)RLReadStreamGetError(stream).domain);
}
SCENARIO(stream_states,
         .title = "A stream is opened once, read while it is open, and closed",
         .clauses = "STRM-1",
         .expected_hints = "was not opened",
         .expected = "status 0; -1; has bytes: no; opens: yes; opens again: no; has bytes: yes; 0; "
                     "4; 0; has bytes: no; status 6; -1; opens after closing: no; error 0")

static void stream_client(void)
{
    RLReadStreamRef stream = text_stream("0123");
    RLStreamClientContext context = {
        .info = stream_gadget("r"), .retain = stream_retain, .release = stream_release};
    RLStreamClientContext other = {
        .info = stream_gadget("other"), .retain = stream_retain, .release = stream_release};

    RLReadStreamSetClient(stream, kRLStreamEventOpenCompleted, reader_called, &context);
    RLReadStreamScheduleWithRunLoop(stream, this_loop(), kRLRunLoopDefaultMode);
    check(RLReadStreamOpen(stream));
    run("DEF", 0.005, false);
    note("replaced");
    RLReadStreamSetClient(stream, kRLStreamEventEndEncountered, reader_called, &other);
    read_and_note(stream, 16);
    run("DEF", 0.005, false);
    note("removed");
    RLReadStreamSetClient(stream, 0, NULL, NULL);
}
SCENARIO(stream_client,
         .title = "A client is notified of the events that it has chosen, and its info is retained meanwhile",
         .clauses = "STRM-2",
         .expected = "r retained; r retained; r open; r released; = TimedOut; replaced; "
                     "other retained; r released; 4; other retained; other end; other released; "
                     "= TimedOut; removed; other released",
         .reference = "r retained; r retained; r open; r released; = TimedOut; replaced; "
                      "r released; other retained; 4; other retained; other end; other released; "
                      "= TimedOut; removed; other released",
         .deviation = "D30: an info that both clients share does not die in between")

static void stream_late_client(void)
{
    RLReadStreamRef stream = text_stream("0123");

    check(RLReadStreamOpen(stream));
    serve_reader(stream, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 16);
        if (event == kRLStreamEventEndEncountered) stop();
    });
    run("DEF", 10, false);
    run("DEF", 0, false);
}
SCENARIO(stream_late_client,
         .title = "A client of an open stream is notified of available bytes",
         .clauses = "STRM-2 STRM-3",
         .expected = "r bytes; 4; r end; = Stopped; = TimedOut")

static void stream_unscheduled(void)
{
    RLReadStreamRef stream = text_stream("0123456789");

    serve_reader(stream, "r", NULL);
    check(RLReadStreamOpen(stream));
    RLReadStreamUnscheduleFromRunLoop(stream, this_loop(), kRLRunLoopDefaultMode);
    run("DEF", 0.002, false);
    RLReadStreamScheduleWithRunLoop(stream, this_loop(), mode_named("M"));
    run("DEF", 0, false);
    run("M", 0.002, false);
}
SCENARIO(stream_unscheduled,
         .title = "Events of a stream that is not scheduled are reported when it is scheduled again",
         .clauses = "STRM-7 STRM-8",
         .expected = "= Finished; = Finished; r open; r bytes; = TimedOut")

static void stream_closed_in_callback(void)
{
    RLReadStreamRef stream = text_stream("0123456789");

    serve_reader(stream, "r",
                 ^(RLReadStreamRef called, unsigned long event) { RLReadStreamClose(called); });
    check(RLReadStreamOpen(stream));
    run("DEF", 10, false);
}
SCENARIO(stream_closed_in_callback,
         .title = "A closed stream reports nothing more, and has left the loop",
         .clauses = "STRM-6",
         .expected = "r open; = Finished",
         .deviation = "D30: the reference reports the rest of the round",
         .reference = "r open; r bytes; = Finished")

static void stream_into_buffer(void)
{
    uint8_t *buffer = calloc(1, 12);
    RLWriteStreamRef stream = kept_writer(RLWriteStreamCreateWithBuffer(NULL, buffer, 12));

    at_end(^{ free(buffer); });
    serve_writer(stream, "w", ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventErrorOccurred) stop();
        if (event != kRLStreamEventCanAcceptBytes) return;
        note("%ld", (long)RLWriteStreamWrite(called, (const uint8_t *)"hello", 5));
    });
    check(RLWriteStreamOpen(stream));
    run("DEF", 10, false);
    run("DEF", 0, false);
    check(memcmp(buffer, "hellohello", 10) == 0);
    note("status %ld", (long)RLWriteStreamGetStatus(stream));
    note_answer("room", RLWriteStreamCanAcceptBytes(stream));
    RLStreamError error = RLWriteStreamGetError(stream);
    note("error %ld %d", (long)error.domain, error.error);
}
SCENARIO(stream_into_buffer,
         .title = "A buffer is filled, and more than it holds is an error",
         .clauses = "STRM-1 STRM-2",
         .expected = "w open; w room; 5; w room; 5; w room; -1; w error; = Stopped; = TimedOut; "
                     "status 7; room: no; error 1 12")

static void stream_into_memory(void)
{
    RLWriteStreamRef stream = kept_writer(RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL));

    note("%ld", (long)RLWriteStreamWrite(stream, (const uint8_t *)"x", 1));
    check(RLWriteStreamOpen(stream));
    note("%ld", (long)RLWriteStreamWrite(stream, (const uint8_t *)"hello", 5));
    note("%ld", (long)RLWriteStreamWrite(stream, (const uint8_t *)" you", 4));
    note("%ld", (long)RLWriteStreamWrite(stream, (const uint8_t *)"", 0));
    RLWriteStreamClose(stream);
    note("%ld", (long)RLWriteStreamWrite(stream, (const uint8_t *)"x", 1));
    RLDataRef written = RLWriteStreamCopyProperty(stream, kRLStreamPropertyDataWritten);
    check(RLDataGetLength(written) == 9);
    check(memcmp(RLDataGetBytePtr(written), "hello you", 9) == 0);
    RLRelease(written);
}
SCENARIO(stream_into_memory,
         .title = "A stream keeps what was written while it was open",
         .clauses = "STRM-1",
         .expected_hints = "was not opened",
         .expected = "-1; 5; 4; 0; -1")
