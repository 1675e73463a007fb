/*
 * Streams over memory, which the reference for Linux has too.
 */

/* The info of a stream; one of the blocks is used. Without a name it logs nothing. */
struct stream_gadget {
    const char *name;
    struct lab *lab;
    void (^read)(E(ReadStreamRef) stream, unsigned long event);
    void (^write)(E(WriteStreamRef) stream, unsigned long event);
};

static const char *name_of_stream_event(unsigned long event)
{
    switch (event) {
    case K(StreamEventOpenCompleted): return "open";
    case K(StreamEventHasBytesAvailable): return "bytes";
    case K(StreamEventCanAcceptBytes): return "room";
    case K(StreamEventErrorOccurred): return "error";
    case K(StreamEventEndEncountered): return "end";
    default: return "unknown event";
    }
}

static void *stream_retain(void *info)
{
    note("%s retained", ((struct stream_gadget *)info)->name);
    return info;
}

static void stream_release(void *info)
{
    note("%s released", ((struct stream_gadget *)info)->name);
}

static void reader_called(E(ReadStreamRef) stream, E(StreamEventType) event, void *info)
{
    struct stream_gadget *gadget = info;

    lab_join(gadget->lab);
    if (gadget->name) note("%s %s", gadget->name, name_of_stream_event(event));
    if (gadget->read) gadget->read(stream, event);
}

static void writer_called(E(WriteStreamRef) stream, E(StreamEventType) event, void *info)
{
    struct stream_gadget *gadget = info;

    lab_join(gadget->lab);
    if (gadget->name) note("%s %s", gadget->name, name_of_stream_event(event));
    if (gadget->write) gadget->write(stream, event);
}

static struct stream_gadget *stream_gadget(const char *name)
{
    struct stream_gadget *gadget = calloc(1, sizeof(*gadget));

    gadget->name = name;
    /* A client may be told on the thread of a queue. */
    gadget->lab = lab_here();
    at_end(^{
        release_block((const void *)gadget->read);
        release_block((const void *)gadget->write);
        free(gadget);
    });
    return gadget;
}

enum { ALL_STREAM_EVENTS = 31 };

/* Sets a client that logs, and then does something; adds the stream to the default mode. */
static void serve_reader(E(ReadStreamRef) stream, const char *name,
                         void (^called)(E(ReadStreamRef), unsigned long))
{
    struct stream_gadget *gadget = stream_gadget(name);
    E(StreamClientContext) context = {.info = gadget};

    gadget->read = copied((const void *)called);
    check(E(ReadStreamSetClient)(stream, ALL_STREAM_EVENTS, reader_called, &context));
    E(ReadStreamScheduleWithRunLoop)(stream, this_loop(), K(RunLoopDefaultMode));
}

/* @see serve_reader */
static void serve_writer(E(WriteStreamRef) stream, const char *name,
                         void (^called)(E(WriteStreamRef), unsigned long))
{
    struct stream_gadget *gadget = stream_gadget(name);
    E(StreamClientContext) context = {.info = gadget};

    gadget->write = copied((const void *)called);
    check(E(WriteStreamSetClient)(stream, ALL_STREAM_EVENTS, writer_called, &context));
    E(WriteStreamScheduleWithRunLoop)(stream, this_loop(), K(RunLoopDefaultMode));
}

/* A stream over a literal, closed when the scenario returns. */
static E(ReadStreamRef) text_stream(const char *text)
{
    E(ReadStreamRef) stream = E(ReadStreamCreateWithBytesNoCopy)(
        NULL, (const uint8_t *)text, (long)strlen(text), K(AllocatorNull));

    at_return(^{
        E(ReadStreamSetClient)(stream, 0, NULL, NULL);
        E(ReadStreamClose)(stream);
        E(Release)(stream);
    });
    return stream;
}

/* Has a stream closed and released when the scenario returns. */
static E(WriteStreamRef) kept_writer(E(WriteStreamRef) stream)
{
    at_return(^{
        E(WriteStreamSetClient)(stream, 0, NULL, NULL);
        E(WriteStreamClose)(stream);
        E(Release)(stream);
    });
    return stream;
}

/* Reads up to `length` bytes and logs how many came. */
static long read_and_note(E(ReadStreamRef) stream, long length)
{
    uint8_t bytes[64];
    long count = (long)E(ReadStreamRead)(stream, bytes, length);

    note("%ld", count);
    return count;
}

static void stream_numbers(void)
{
    check(K(StreamEventOpenCompleted) == 1 && K(StreamEventHasBytesAvailable) == 2);
    check(K(StreamEventCanAcceptBytes) == 4 && K(StreamEventErrorOccurred) == 8);
    check(K(StreamEventEndEncountered) == 16 && K(StreamEventNone) == 0);
    check(K(StreamStatusNotOpen) == 0 && K(StreamStatusOpen) == 2 && K(StreamStatusAtEnd) == 5);
    check(K(StreamStatusClosed) == 6 && K(StreamStatusError) == 7);
}
SCENARIO(stream_numbers,
         .title = "Events and states have their numbers",
         .clauses = "STRM-1")

static void stream_is_read(void)
{
    E(ReadStreamRef) stream = text_stream("0123456789");

    serve_reader(stream, "r", ^(E(ReadStreamRef) called, unsigned long event) {
        if (event == K(StreamEventHasBytesAvailable)) read_and_note(called, 4);
    });
    note("opens");
    check(E(ReadStreamOpen)(stream));
    note("opened %ld", (long)E(ReadStreamGetStatus)(stream));
    for (int pass = 0; pass < 4; pass++) run("DEF", 1, true);
    run("DEF", 0, true);
    note("status %ld", (long)E(ReadStreamGetStatus)(stream));
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
    E(ReadStreamRef) reader = text_stream("0123");
    uint8_t buffer[4];
    E(WriteStreamRef) writer = kept_writer(E(WriteStreamCreateWithBuffer)(NULL, buffer, 4));

    E(ReadStreamClose)(reader);
    E(WriteStreamClose)(writer);
    note("status %ld", (long)E(ReadStreamGetStatus)(reader));
    serve_reader(reader, "r", NULL);
    check(E(ReadStreamOpen)(reader) && E(WriteStreamOpen)(writer));
    run("DEF", 0.005, false);
    read_and_note(reader, 4);
    note("%ld", (long)E(WriteStreamWrite)(writer, buffer, 4));
}
SCENARIO(stream_closed_before_opened,
         .title = "A stream that is closed before it was opened can be opened",
         .clauses = "STRM-12",
         .expected = "status 0; r open; r bytes; = TimedOut; 4; 4")

static void stream_waits_for_client(void)
{
    E(ReadStreamRef) stream = text_stream("0123456789");

    serve_reader(stream, "r", NULL);
    check(E(ReadStreamOpen)(stream));
    run("DEF", 0.005, false);
    read_and_note(stream, 1);
    run("DEF", 0.005, false);
}
SCENARIO(stream_waits_for_client,
         .title = "That there are bytes is told once until the client reads",
         .clauses = "STRM-4",
         .expected = "r open; r bytes; = TimedOut; 1; r bytes; = TimedOut")

static void stream_empty(void)
{
    E(ReadStreamRef) stream = text_stream("");

    serve_reader(stream, "r", NULL);
    check(E(ReadStreamOpen)(stream));
    run("DEF", 1, true);
    run("DEF", 0, true);
    note("status %ld", (long)E(ReadStreamGetStatus)(stream));
}
SCENARIO(stream_empty,
         .title = "An empty stream opens and ends",
         .clauses = "STRM-5",
         .expected = "r open; r end; = HandledSource; = TimedOut; status 5")

static void stream_states(void)
{
    E(ReadStreamRef) stream = text_stream("0123");

    note("status %ld", (long)E(ReadStreamGetStatus)(stream));
    read_and_note(stream, 4);
    tell("has bytes", E(ReadStreamHasBytesAvailable)(stream));
    tell("opens", E(ReadStreamOpen)(stream));
    tell("opens again", E(ReadStreamOpen)(stream));
    tell("has bytes", E(ReadStreamHasBytesAvailable)(stream));
    read_and_note(stream, 0);
    read_and_note(stream, 16);
    read_and_note(stream, 16);
    tell("has bytes", E(ReadStreamHasBytesAvailable)(stream));
    E(ReadStreamClose)(stream);
    note("status %ld", (long)E(ReadStreamGetStatus)(stream));
    read_and_note(stream, 4);
    tell("opens after closing", E(ReadStreamOpen)(stream));
    note("error %ld", (long)E(ReadStreamGetError)(stream).domain);
}
SCENARIO(stream_states,
         .title = "A stream is opened once, read while it is open, and closed",
         .clauses = "STRM-1",
         .says = "was not opened",
         .expected = "status 0; -1; has bytes: no; opens: yes; opens again: no; has bytes: yes; 0; "
                     "4; 0; has bytes: no; status 6; -1; opens after closing: no; error 0")

static void stream_client(void)
{
    E(ReadStreamRef) stream = text_stream("0123");
    E(StreamClientContext) context = {
        .info = stream_gadget("r"), .retain = stream_retain, .release = stream_release};
    E(StreamClientContext) other = {
        .info = stream_gadget("other"), .retain = stream_retain, .release = stream_release};

    E(ReadStreamSetClient)(stream, K(StreamEventOpenCompleted), reader_called, &context);
    E(ReadStreamScheduleWithRunLoop)(stream, this_loop(), K(RunLoopDefaultMode));
    check(E(ReadStreamOpen)(stream));
    run("DEF", 0.005, false);
    note("replaced");
    E(ReadStreamSetClient)(stream, K(StreamEventEndEncountered), reader_called, &other);
    read_and_note(stream, 16);
    run("DEF", 0.005, false);
    note("removed");
    E(ReadStreamSetClient)(stream, 0, NULL, NULL);
}
SCENARIO(stream_client,
         .title = "A client is told of what it asked for, and its info retained meanwhile",
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
    E(ReadStreamRef) stream = text_stream("0123");

    check(E(ReadStreamOpen)(stream));
    serve_reader(stream, "r", ^(E(ReadStreamRef) called, unsigned long event) {
        if (event == K(StreamEventHasBytesAvailable)) read_and_note(called, 16);
    });
    run("DEF", 0.005, false);
}
SCENARIO(stream_late_client,
         .title = "A client of a stream that is open is told of what is there to read",
         .clauses = "STRM-2 STRM-3",
         .expected = "r bytes; 4; r end; = TimedOut")

static void stream_unscheduled(void)
{
    E(ReadStreamRef) stream = text_stream("0123456789");

    serve_reader(stream, "r", NULL);
    check(E(ReadStreamOpen)(stream));
    E(ReadStreamUnscheduleFromRunLoop)(stream, this_loop(), K(RunLoopDefaultMode));
    run("DEF", 0.002, false);
    E(ReadStreamScheduleWithRunLoop)(stream, this_loop(), mode_named("M"));
    run("DEF", 0, false);
    run("M", 0.002, false);
}
SCENARIO(stream_unscheduled,
         .title = "What happens while a stream is not scheduled is told when it is again",
         .clauses = "STRM-7 STRM-8",
         .expected = "= Finished; = Finished; r open; r bytes; = TimedOut")

static void stream_closed_in_callback(void)
{
    E(ReadStreamRef) stream = text_stream("0123456789");

    serve_reader(stream, "r",
                 ^(E(ReadStreamRef) called, unsigned long event) { E(ReadStreamClose)(called); });
    check(E(ReadStreamOpen)(stream));
    run("DEF", 10, false);
}
SCENARIO(stream_closed_in_callback,
         .title = "A stream that was closed tells nothing more, and has left the loop",
         .clauses = "STRM-6",
         .expected = "r open; = Finished",
         .deviation = "D30: the reference tells what is left of the round",
         .reference = "r open; r bytes; = Finished")

static void stream_into_buffer(void)
{
    uint8_t *buffer = calloc(1, 12);
    E(WriteStreamRef) stream = kept_writer(E(WriteStreamCreateWithBuffer)(NULL, buffer, 12));

    at_end(^{ free(buffer); });
    serve_writer(stream, "w", ^(E(WriteStreamRef) called, unsigned long event) {
        if (event != K(StreamEventCanAcceptBytes)) return;
        note("%ld", (long)E(WriteStreamWrite)(called, (const uint8_t *)"hello", 5));
    });
    check(E(WriteStreamOpen)(stream));
    run("DEF", 0.005, false);
    check(memcmp(buffer, "hellohello", 10) == 0);
    note("status %ld", (long)E(WriteStreamGetStatus)(stream));
    tell("room", E(WriteStreamCanAcceptBytes)(stream));
    E(StreamError) error = E(WriteStreamGetError)(stream);
    note("error %ld %d", (long)error.domain, error.error);
}
SCENARIO(stream_into_buffer,
         .title = "A buffer is filled, and more than it holds is an error",
         .clauses = "STRM-1 STRM-2",
         .expected = "w open; w room; 5; w room; 5; w room; -1; w error; = TimedOut; status 7; "
                     "room: no; error 1 12")

static void stream_into_memory(void)
{
    E(WriteStreamRef) stream = kept_writer(E(WriteStreamCreateWithAllocatedBuffers)(NULL, NULL));

    note("%ld", (long)E(WriteStreamWrite)(stream, (const uint8_t *)"x", 1));
    check(E(WriteStreamOpen)(stream));
    note("%ld", (long)E(WriteStreamWrite)(stream, (const uint8_t *)"hello", 5));
    note("%ld", (long)E(WriteStreamWrite)(stream, (const uint8_t *)" you", 4));
    note("%ld", (long)E(WriteStreamWrite)(stream, (const uint8_t *)"", 0));
    E(WriteStreamClose)(stream);
    note("%ld", (long)E(WriteStreamWrite)(stream, (const uint8_t *)"x", 1));
    E(DataRef) written = E(WriteStreamCopyProperty)(stream, K(StreamPropertyDataWritten));
    check(E(DataGetLength)(written) == 9);
    check(memcmp(E(DataGetBytePtr)(written), "hello you", 9) == 0);
    E(Release)(written);
}
SCENARIO(stream_into_memory,
         .title = "A stream keeps what was written while it was open",
         .clauses = "STRM-1",
         .says = "was not opened",
         .expected = "-1; 5; 4; 0; -1")
