/*
 * Loops that are served inside another event loop, an extension of ours. The host is poll(2).
 */

#include <CRunLoop/RLRunLoopWrapping.h>
#include <errno.h>
#include <poll.h>

/* Whether the loop wants to be served, within some milliseconds. */
static bool host_is_called(int descriptor, int milliseconds)
{
    struct pollfd query = {.fd = descriptor, .events = POLLIN};

    return poll(&query, 1, milliseconds) == 1;
}

/* Serves the loop until it has nothing more to do. */
static void serve_hosted(int descriptor)
{
    while (host_is_called(descriptor, 0)) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}

static void hosted_events(void)
{
    int counter = make_counter();
    int *ends = make_pair();
    source_ref port = PORT("port", counter);
    source_ref watched = watch_descriptor("socket", ends[0], 0, ^{
        char byte;
        check(read(ends[0], &byte, 1) == 1);
    }, NULL);

    keep_alive("DEF");
    int descriptor = RLRunLoopBeginHosting(kRLRunLoopDefaultMode);
    check(!host_is_called(descriptor, 0));

    after(0.002, "timer", "DEF", ^{});
    check(!host_is_called(descriptor, 0));
    check(host_is_called(descriptor, 10000));
    serve_hosted(descriptor);

    add_source(port, "DEF");
    add_source(watched, "DEF");
    check(!host_is_called(descriptor, 0));
    count_up(counter);
    check(host_is_called(descriptor, 10000));
    serve_hosted(descriptor);
    check(write(ends[1], "x", 1) == 1);
    check(host_is_called(descriptor, 10000));
    serve_hosted(descriptor);
    after(0.002, "timer", "DEF", ^{});
    check(host_is_called(descriptor, 10000));
    serve_hosted(descriptor);
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();
}
SCENARIO(hosted_events,
         .title = "A hosted loop's descriptor is ready exactly when the loop has work",
         .clauses = "extension",
         .expected = "timer; port; socket read; timer")

static void hosted_wake_ups(void)
{
    loop_ref loop = this_loop();
    source_ref source = SOURCE("A");
    add_source(source, "DEF");
    int descriptor = RLRunLoopBeginHosting(kRLRunLoopDefaultMode);
    check(RLRunLoopIsWaiting(loop));

    struct helper_thread *waker = start_thread(^{
        signal_source(source);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ note("block"); });
        RLRunLoopWakeUp(loop);
    });
    check(host_is_called(descriptor, 10000));
    join_thread(waker);
    serve_hosted(descriptor);

    /* A wake-up before a run of another kind, and one after it. */
    RLRunLoopWakeUp(loop);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    serve_hosted(descriptor);
    check(!host_is_called(descriptor, 0));
    signal_source(source);
    RLRunLoopWakeUp(loop);
    check(host_is_called(descriptor, 0));
    serve_hosted(descriptor);
    RLRunLoopEndHosting();
    check(!RLRunLoopIsWaiting(loop));
    RLRunLoopWakeUp(loop);
    check(!host_is_called(descriptor, 0));
}
SCENARIO(hosted_wake_ups,
         .title = "Waking a hosted loop calls its host, also after runs of other kinds",
         .clauses = "extension",
         .expected = "block; A; A")

static void hosted_twice(void)
{
    keep_alive("DEF");
    check(RLRunLoopBeginHosting(mode_named("M")) >= 0);
    check(RLRunLoopBeginHosting(mode_named("DEF")) == -EBUSY);
    RLRunLoopEndHosting();
    RLRunLoopEndHosting();
    queue_block("inside", "DEF", ^{ check(RLRunLoopBeginHosting(mode_named("M")) == -EBUSY); });
    run("DEF", 0, false);
    check(RLRunLoopBeginHosting(mode_named("DEF")) >= 0);
    note("dying while hosted");
    elsewhere(^{
        keep_alive("DEF");
        check(RLRunLoopBeginHosting(mode_named("DEF")) >= 0);
    });
}
SCENARIO(hosted_twice,
         .title = "A loop has one host at a time, and may end with its thread while hosted",
         .clauses = "extension",
         .expected = "inside; = TimedOut; dying while hosted")

static void drained_main_queue(void)
{
    check(!RLRunLoopDrainMainQueue());
    enqueue("item", ^{ check(!RLRunLoopDrainMainQueue()); });
    check(RLRunLoopDrainMainQueue());
    check(!RLRunLoopDrainMainQueue());
    elsewhere(^{ check(!RLRunLoopDrainMainQueue()); });
    /* While the loop is hosted, the queue is the host's. */
    keep_alive("DEF");
    check(RLRunLoopBeginHosting(mode_named("DEF")) >= 0);
    enqueue("item of the host", NULL);
    run("DEF", 0.001, false);
    check(!RLRunLoopDrainMainQueue());
    RLRunLoopEndHosting();
    run("DEF", 0.001, false);
}
SCENARIO(drained_main_queue,
         .title = "The main queue can be drained without a run, and is the host's while hosted",
         .clauses = "extension",
         .main_thread = true,
         .expected = "item; = TimedOut; item of the host; = TimedOut")

static void release_loudly(void *counterpart)
{
    note(counterpart ? "released" : "released nothing");
}

static void counterparts(void)
{
    __block loop_ref other = NULL;
    loop_ref loop = this_loop();
    check(RLRunLoopGetCounterpart(loop) == NULL);
    elsewhere(^{
        static char first, second;
        other = (loop_ref)(uintptr_t)RLRetain(this_loop());
        check(RLRunLoopSetCounterpart(other, &first, release_loudly) == &first);
        check(RLRunLoopSetCounterpart(other, &second, release_loudly) == &first);
        check(RLRunLoopGetCounterpart(other) == &first);
    });
    check(RLRunLoopGetCounterpart(other) == NULL);
    check(RLRunLoopSetCounterpart(other, &other, NULL) == NULL);
    RLRelease(other);
}
SCENARIO(counterparts,
         .title = "A loop keeps one object for a library until its thread ends",
         .clauses = "extension",
         .expected = "released")

static const struct scenario *const hosting_scenarios[] = {
    LISTED(hosted_events),      LISTED(hosted_wake_ups), LISTED(hosted_twice),
    LISTED(drained_main_queue), LISTED(counterparts),    NULL,
};
