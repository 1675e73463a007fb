/*
 * Descriptors that are ready again after their callbacks, beside other events. Ours only.
 */

#include "../sources/port_words.h"
#include "../streams/stream_words.h"
#include "descriptor_words.h"
#include "scenario.h"

enum { ROUNDS = 3 };

/*
 * The callback of one end of a pair: takes the byte, makes a timer due, and then the end ready
 * again. The last round stops the loop.
 */
static action take_and_refill(const int *ends)
{
    __block int rounds = 0;

    check(write(ends[1], "a", 1) == 1);
    return copied(^{
        char byte;
        check(read(ends[0], &byte, 1) == 1);
        after(-1, "due", "DEF", ^{});
        stay_busy(0.0005);
        if (++rounds == ROUNDS) return stop();
        check(write(ends[1], "a", 1) == 1);
    });
}

static void run_and_drop(action body)
{
    run("DEF", 10, false);
    run("DEF", 0, false);
    release_block((const void *)body);
}

static void ready_again_after_due_timer(void)
{
    int *ends = make_pair();
    action body = take_and_refill(ends);
    RLRunLoopSourceRef source =
        watch_descriptor("source", ends[0], kRLRunLoopDescriptorRead, body, NULL);

    add_source(source, "DEF");
    run_and_drop(body);
    remove_source(source, "DEF");

    int *piped = make_pair();
    body = take_and_refill(piped);
    RLRunLoopSourceRef port = PORT("port", piped[0], .perform = body);
    add_source(port, "DEF");
    run_and_drop(body);
    remove_source(port, "DEF");

    int *watched = make_pair();
    action taken = body = take_and_refill(watched);
    RLFileDescriptorRef descriptor =
        watch_fd("fd", watched[0], ^(RLFileDescriptorRef called, RLOptionFlags types) {
            taken();
            RLFileDescriptorEnableCallBacks(called, types);
        });
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    run_and_drop(body);
}
SCENARIO(ready_again_after_due_timer,
         .title = "A descriptor that is ready again after its callback comes after a timer that "
                  "was due before",
         .clauses = "RUN-19 FD-3",
         .rl_only = true,
         .expected = "source read; due; source read; due; source read; = Stopped; due; = TimedOut; "
                     "port; due; port; due; port; = Stopped; due; = TimedOut; "
                     "fd read; due; fd read; due; fd read; = Stopped; due; = TimedOut")

static void stream_ready_again_after_due_timer(void)
{
    int *ends = make_pair();
    __block int rounds = 0;

    check(write(ends[1], "a", 1) == 1);
    open_reader("stream", ends, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 byte;
        if (event != kRLStreamEventHasBytesAvailable) return;
        check(RLReadStreamRead(called, &byte, 1) == 1);
        after(-1, "due", "DEF", ^{});
        stay_busy(0.0005);
        if (++rounds == ROUNDS) return stop();
        check(write(ends[1], "a", 1) == 1);
    });
    run("DEF", 10, false);
    run("DEF", 0, false);
}
SCENARIO(stream_ready_again_after_due_timer,
         .title = "Bytes that come after a timer was due are reported after it fires",
         .clauses = "RUN-19 STRM-4",
         .rl_only = true,
         .expected = "stream open; stream bytes; due; stream bytes; due; stream bytes; = Stopped; "
                     "due; = TimedOut")

static void ready_again_beside_another(void)
{
    int *first = make_pair(), *second = make_pair();
    __block int rounds = 0;

    add_source(watch_descriptor("first", first[0], kRLRunLoopDescriptorRead,
                                ^{
                                    if (++rounds < ROUNDS) return;
                                    if (rounds == ROUNDS) check(write(second[1], "a", 1) == 1);
                                    if (rounds == ROUNDS + 2) stop();
                                },
                                NULL),
               "DEF");
    add_source(watch_descriptor("second", second[0], kRLRunLoopDescriptorRead,
                                ^{
                                    char byte;
                                    check(read(second[0], &byte, 1) == 1);
                                },
                                NULL),
               "DEF");
    check(write(first[1], "a", 1) == 1);
    run("DEF", 10, false);
}
SCENARIO(ready_again_beside_another,
         .title = "A descriptor that stays ready comes after one that became ready in its callback",
         .clauses = "RUN-19",
         .rl_only = true,
         .expected = "first read; first read; first read; second read; first read; first read; "
                     "= Stopped")
