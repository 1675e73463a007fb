/*
 * Streams over memory whose client is told on a dispatch queue (STRM-9).
 */

/* Of libdispatch, whose headers are not on every include path. */
struct dispatch_queue_s;
struct dispatch_queue_attr_s;
extern struct dispatch_queue_s *dispatch_queue_create(const char *label,
                                                      struct dispatch_queue_attr_s *attributes);
extern void dispatch_queue_set_specific(struct dispatch_queue_s *queue, const void *key,
                                        void *context, void (*destructor)(void *));
extern void *dispatch_get_specific(const void *key);
extern void dispatch_release(void *object);
extern void dispatch_sync(struct dispatch_queue_s *queue, void (^block)(void));
extern void dispatch_barrier_sync(struct dispatch_queue_s *queue, void (^block)(void));

static int queue_key;

/* A queue that knows itself; gone when the scenario returns. */
static struct dispatch_queue_s *make_queue(struct dispatch_queue_attr_s *attributes)
{
    struct dispatch_queue_s *queue = dispatch_queue_create("scenario", attributes);

    dispatch_queue_set_specific(queue, &queue_key, &queue_key, NULL);
    at_return(^{ dispatch_release(queue); });
    return queue;
}

static bool is_on_queue(void)
{
    return dispatch_get_specific(&queue_key) == &queue_key;
}

static void check_queue_of(E(ReadStreamRef) stream, struct dispatch_queue_s *expected)
{
    struct dispatch_queue_s *queue = E(ReadStreamCopyDispatchQueue)(stream);

    check(queue == expected);
    if (queue) dispatch_release(queue);
}

/* Has what a stream was told on a queue come to an end: nothing is called later. */
static void leave_queue(E(ReadStreamRef) stream, struct dispatch_queue_s *queue)
{
    E(ReadStreamSetDispatchQueue)(stream, NULL);
    /* Also what runs at the same time as this would. */
    dispatch_barrier_sync(queue, ^{});
}

/*
 * Opens a stream that has a queue: ours on another thread than the queue's. There the reference now
 * and then loses what it has to tell, if its queue takes the first event as the second comes.
 */
static void open_beside(struct dispatch_queue_s *queue, action open)
{
#if defined(ENGINE_IS_CF)
    dispatch_sync(queue, open);
#else
    open();
#endif
}

/* The lab of a scenario is its thread's own, so that a queue only answers. */
static void open_reader_beside(struct dispatch_queue_s *queue, E(ReadStreamRef) stream)
{
    __block bool is_open = false;

    open_beside(queue, ^{ is_open = E(ReadStreamOpen)(stream); });
    check(is_open);
}

static void open_writer_beside(struct dispatch_queue_s *queue, E(WriteStreamRef) stream)
{
    __block bool is_open = false;

    open_beside(queue, ^{ is_open = E(WriteStreamOpen)(stream); });
    check(is_open);
}

static void stream_on_queue(void)
{
    E(ReadStreamRef) stream = text_stream("0123456789");
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *ended = make_gate();

    serve_reader(stream, "r", ^(E(ReadStreamRef) called, unsigned long event) {
        check(is_on_queue());
        if (event == K(StreamEventHasBytesAvailable)) read_and_note(called, 4);
        if (event == K(StreamEventEndEncountered)) open_gate(ended);
    });
    check_queue_of(stream, NULL);
    /* It leaves the loop. */
    E(ReadStreamSetDispatchQueue)(stream, queue);
    check_queue_of(stream, queue);
    open_reader_beside(queue, stream);
    pass_gate(ended);
    note("status %ld", (long)E(ReadStreamGetStatus)(stream));
    leave_queue(stream, queue);
    check_queue_of(stream, NULL);
}
SCENARIO(stream_on_queue,
         .title = "A stream tells on a queue instead of in a loop, which does not run",
         .clauses = "STRM-3 STRM-9",
         .expected = "r open; r bytes; 4; r bytes; 4; r bytes; 2; r end; status 5")

static void stream_queue_before_loop(void)
{
    E(ReadStreamRef) stream = text_stream("0123");
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *ended = make_gate();

    E(ReadStreamSetDispatchQueue)(stream, queue);
    /* To be scheduled comes too late: it has a queue. */
    serve_reader(stream, "r", ^(E(ReadStreamRef) called, unsigned long event) {
        check(is_on_queue());
        if (event == K(StreamEventHasBytesAvailable)) read_and_note(called, 4);
        if (event == K(StreamEventEndEncountered)) open_gate(ended);
    });
    check_queue_of(stream, queue);
    open_reader_beside(queue, stream);
    E(RunLoopRunInMode)(K(RunLoopDefaultMode), 0.005, false);
    pass_gate(ended);
    E(ReadStreamClose)(stream);
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
    E(WriteStreamRef) stream = kept_writer(E(WriteStreamCreateWithBuffer)(NULL, buffer, 4));
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *failed = make_gate();

    E(WriteStreamSetDispatchQueue)(stream, queue);
    serve_writer(stream, "w", ^(E(WriteStreamRef) called, unsigned long event) {
        check(is_on_queue());
        if (event == K(StreamEventCanAcceptBytes)) {
            note("%ld", (long)E(WriteStreamWrite)(called, (const uint8_t *)"abc", 3));
        }
        if (event == K(StreamEventErrorOccurred)) open_gate(failed);
    });
    open_writer_beside(queue, stream);
    pass_gate(failed);
    E(WriteStreamSetDispatchQueue)(stream, NULL);
    dispatch_sync(queue, ^{});
    check(E(WriteStreamCopyDispatchQueue)(stream) == NULL);
}
SCENARIO(stream_writes_on_queue,
         .title = "A stream that is written tells on its queue",
         .clauses = "STRM-9",
         .expected = "w open; w room; 3; w room; -1; w error")
