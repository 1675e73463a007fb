/* Streams over memory whose client is called on a dispatch queue (STRM-9). */

#include "queues.h"
#include "scenario.h"
#include "stream_words.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)

static void check_queue_of(RLReadStreamRef stream, struct dispatch_queue_s *expected)
{
    struct dispatch_queue_s *queue = RLReadStreamCopyDispatchQueue(stream);

    check(queue == expected);
    if (queue) dispatch_release(queue);
}

/*
 * Opens a stream that has a queue: ours on another thread than the queue's. There the reference
 * sometimes loses an event, if its queue takes the first event as the second occurs.
 */
static void open_beside(struct dispatch_queue_s *queue, action open)
{
    if (is_on_reference) {
        dispatch_sync(queue, open);
    } else {
        open();
    }
}

/* The lab of a scenario is its thread's own, so that a queue only answers. */
static void open_reader_beside(struct dispatch_queue_s *queue, RLReadStreamRef stream)
{
    __block bool is_open = false;

    open_beside(queue, ^{ is_open = RLReadStreamOpen(stream); });
    check(is_open);
}

static void open_writer_beside(struct dispatch_queue_s *queue, RLWriteStreamRef stream)
{
    __block bool is_open = false;

    open_beside(queue, ^{ is_open = RLWriteStreamOpen(stream); });
    check(is_open);
}

static void stream_on_queue(void)
{
    RLReadStreamRef stream = text_stream("0123456789");
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *ended = make_gate();

    serve_reader(stream, "r", ^(RLReadStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 4);
        if (event == kRLStreamEventEndEncountered) open_gate(ended);
    });
    check_queue_of(stream, NULL);
    /* It leaves the loop. */
    RLReadStreamSetDispatchQueue(stream, queue);
    check_queue_of(stream, queue);
    open_reader_beside(queue, stream);
    pass_gate(ended);
    note("status %ld", (long)RLReadStreamGetStatus(stream));
    leave_queue(stream, queue);
    check_queue_of(stream, NULL);
}
SCENARIO(stream_on_queue,
         .title = "A stream reports its events on a queue instead of in a loop, which does not run",
         .clauses = "STRM-3 STRM-9",
         .expected = "r open; r bytes; 4; r bytes; 4; r bytes; 2; r end; status 5")

static void stream_queue_before_loop(void)
{
    RLReadStreamRef stream = text_stream("0123");
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *ended = make_gate();

    RLReadStreamSetDispatchQueue(stream, queue);
    /* Scheduling comes too late: it has a queue. */
    serve_reader(stream, "r", ^(RLReadStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 4);
        if (event == kRLStreamEventEndEncountered) open_gate(ended);
    });
    check_queue_of(stream, queue);
    open_reader_beside(queue, stream);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.005, false);
    pass_gate(ended);
    RLReadStreamClose(stream);
    check_queue_of(stream, queue);
    leave_queue(stream, queue);
}
SCENARIO(stream_queue_before_loop,
         .title = "A stream with a queue cannot be scheduled, and keeps the queue when it is closed",
         .clauses = "STRM-9",
         .expected = "r open; r bytes; 4; r end")

static void stream_writes_on_queue(void)
{
    uint8_t buffer[8] = "";
    RLWriteStreamRef stream = kept_writer(RLWriteStreamCreateWithBuffer(NULL, buffer, 4));
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *failed = make_gate();

    RLWriteStreamSetDispatchQueue(stream, queue);
    serve_writer(stream, "w", ^(RLWriteStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event == kRLStreamEventCanAcceptBytes) {
            note("%ld", (long)RLWriteStreamWrite(called, (const uint8_t *)"abc", 3));
        }
        if (event == kRLStreamEventErrorOccurred) open_gate(failed);
    });
    open_writer_beside(queue, stream);
    pass_gate(failed);
    RLWriteStreamSetDispatchQueue(stream, NULL);
    dispatch_sync(queue, ^{});
    check(RLWriteStreamCopyDispatchQueue(stream) == NULL);
}
SCENARIO(stream_writes_on_queue,
         .title = "A stream for writing reports its events on its queue",
         .clauses = "STRM-9",
         .expected = "w open; w room; 3; w room; -1; w error")

#endif
