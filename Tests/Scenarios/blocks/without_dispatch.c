/* The diagnostics of an engine without libdispatch for functions that need it. */

#include "../messages/message_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#if defined(SCENARIO_WITHOUT_DISPATCH)

/* Passes as a queue while nothing uses it. */
static struct dispatch_queue_s *some_queue(void)
{
    static long queue;

    return (struct dispatch_queue_s *)(void *)&queue;
}

/* The diagnostics are part of the trace. */
static void hear_errors(void)
{
    check(dup2(STDOUT_FILENO, STDERR_FILENO) == STDERR_FILENO);
}

static void no_queue_for_stream(void)
{
    static const UInt8 bytes[] = "abc";
    RLReadStreamRef stream =
        RLReadStreamCreateWithBytesNoCopy(NULL, bytes, sizeof bytes, kRLAllocatorNull);

    hear_errors();
    RLReadStreamSetDispatchQueue(stream, NULL);
    check(RLReadStreamCopyDispatchQueue(stream) == NULL);
    RLReadStreamSetDispatchQueue(stream, some_queue());
}
SCENARIO(no_queue_for_stream,
         .title = "Without libdispatch a stream that gets a queue stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "CoreRunLoop: RLReadStreamSetDispatchQueue: CoreRunLoop was built without libdispatch: build it with libdispatch, or do not call this function; dies")

static void no_queue_for_port(void)
{
    RLMessagePortRef port = RLMessagePortCreateLocal(NULL, NULL, no_reply, NULL, NULL);

    hear_errors();
    RLMessagePortSetDispatchQueue(port, NULL);
    RLMessagePortSetDispatchQueue(port, some_queue());
}
SCENARIO(no_queue_for_port,
         .title = "Without libdispatch a message port that gets a queue stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "CoreRunLoop: RLMessagePortSetDispatchQueue: CoreRunLoop was built without libdispatch: build it with libdispatch, or do not call this function; dies")

static void no_queue_to_drain(void)
{
    hear_errors();
    RLRunLoopDrainMainQueue();
}
SCENARIO(no_queue_to_drain,
         .title = "Without libdispatch there is no main queue to drain",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .dies = true,
         .expected = "CoreRunLoop: RLRunLoopDrainMainQueue: CoreRunLoop was built without libdispatch: build it with libdispatch, or do not call this function; dies")

static void main_loop_alone(void)
{
    run("DEF", 1e9, false);
    after(0, "t", "DEF", ^{});
    run("DEF", 1e9, false);
}
SCENARIO(main_loop_alone,
         .title = "Without libdispatch the main loop ends as any other one with nothing to do",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "= Finished; t; = Finished")

#endif
