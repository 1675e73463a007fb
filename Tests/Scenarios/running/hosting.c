/*
 * Loops that are served inside another event loop, an extension of ours. The host is poll(2).
 */

#include "../descriptors/descriptor_words.h"
#include "../sources/port_words.h"
#include "host_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopHosting.h>
#include <poll.h>
#include <stdatomic.h>

/*
 * Waits for a call, and sees that the loop asks for another pass after one, and for none after
 * that.
 */
static void serve_twice(int descriptor)
{
    check(host_is_called(descriptor, 10000));
    check(RLRunLoopRunHosted(1));
    note("once");
    answer_host(descriptor);
    note("twice");
}

static void hosted_events(void)
{
    int counter = make_counter();
    int *ends = make_pair();
    RLRunLoopSourceRef port = PORT("port", counter);
    RLRunLoopSourceRef watched = watch_descriptor("socket", ends[0], 0,
                                                  ^{
                                                      char byte;
                                                      check(read(ends[0], &byte, 1) == 1);
                                                  },
                                                  NULL);

    keep_alive("DEF");
    int descriptor = begin_hosting();
    check(!host_is_called(descriptor, 0));

    RLRunLoopTimerRef timer = after(1000, "timer", "DEF", ^{});
    check(!host_is_called(descriptor, 0));
    RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 0.002);
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
         .rl_only = true,
         .expected = "timer; port; socket read; timer")

/* Ports that the kernel has reported and that were not served before the hosting begins. */
static void hosted_ready_ports(void)
{
    int counters[3], gone = make_counter();
    RLRunLoopSourceRef leaving = PORT("leaving", gone);

    for (int index = 0; index < 3; index++) {
        static const char *const names[] = {"one", "two", "three"};
        counters[index] = make_counter();
        add_source(PORT(names[index], counters[index]), "DEF");
    }
    add_source(leaving, "DEF");
    after(1000, "far", "DEF", ^{});
    count_up(counters[2]);
    count_up(gone);
    after(-1, "due", "DEF", ^{});
    stay_busy(0.0005);
    count_up(counters[0]);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
    remove_source(leaving, "DEF");
    count_up(counters[1]);
    int descriptor = begin_hosting();
    check(host_is_called(descriptor, 0));
    check(RLRunLoopRunHosted(1));
    check(host_is_called(descriptor, 0));
    check(!RLRunLoopRunHosted(10));
    check(!host_is_called(descriptor, 0));

    count_up(counters[0]);
    count_up(counters[1]);
    check(RLRunLoopRunHosted(1));
    check(host_is_called(descriptor, 0));
    uint64_t count;
    check(read(counters[1], &count, sizeof(count)) == sizeof(count));
    check(!host_is_called(descriptor, 0));
    count_up(counters[2]);
    count_up(counters[1]);
    RLRunLoopEndHosting();
    serve_ports(10);
}
SCENARIO(hosted_ready_ports,
         .title = "A host is called for ports that the loop knew to be ready before",
         .clauses = "extension",
         .rl_only = true,
         .expected = "three; due; one; two; one; three; = HandledSource; two; = HandledSource; "
                     "= TimedOut")

static void hosted_wake_ups(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    add_source(source, "DEF");
    int descriptor = begin_hosting();
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
         .rl_only = true,
         .expected = "block; A; A")

/* Wakes this loop from another thread, with nothing for it to do. */
static void wake_barely(void)
{
    RLRunLoopRef loop = this_loop();
    elsewhere(^{ RLRunLoopWakeUp(loop); });
}

static void hosted_bare_wake_ups(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ wake_barely(); });
    int *ends = make_pair();
    RLRunLoopSourceRef watched = watch_descriptor("socket", ends[0], 0,
                                                  ^{
                                                      char byte;
                                                      check(read(ends[0], &byte, 1) == 1);
                                                  },
                                                  NULL);

    add_source(source, "DEF");
    add_source(watched, "DEF");
    when(kRLRunLoopBeforeTimers, "DEF", ^{});
    int descriptor = begin_hosting();

    /*
     * One that comes in a callback before the look, which takes it; one that is dropped after it.
     */
    signal_source(source);
    serve_twice(descriptor);
    after(0.001, "timer", "DEF", ^{ wake_barely(); });
    serve_twice(descriptor);
    /* One that waits behind a descriptor, and is taken by the next pass. */
    when_next(kRLRunLoopBeforeSources, "DEF", ^{ wake_barely(); });
    check(write(ends[1], "a", 1) == 1);
    serve_twice(descriptor);

    /* A mode that is empty has no passes. */
    remove_source(watched, "DEF");
    after(0.001, "timer", "DEF", ^{
        remove_source(source, "DEF");
        wake_barely();
    });
    answer_host(descriptor);
    run("DEF", 0, false);
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();
}
SCENARIO(hosted_bare_wake_ups,
         .title = "A wake-up that comes while a hosted loop runs has it make another pass",
         .clauses = "extension WAKE-2",
         .rl_only = true,
         .expected = "A; once; twice; timer; once; twice; socket read; once; twice; timer; = Finished")

static void hosted_twice(void)
{
    keep_alive("DEF");
    check(RLRunLoopBeginHosting(mode_named("M"), 0, NULL) >= 0);
    check(RLRunLoopBeginHosting(mode_named("DEF"), 0, NULL) == -EBUSY);
    RLRunLoopEndHosting();
    RLRunLoopEndHosting();
    queue_block("inside", "DEF",
                ^{ check(RLRunLoopBeginHosting(mode_named("M"), 0, NULL) == -EBUSY); });
    run("DEF", 0, false);
    check(RLRunLoopBeginHosting(mode_named("DEF"), 0, NULL) >= 0);
    note("dying while hosted");
    elsewhere(^{
        keep_alive("DEF");
        begin_hosting();
    });
}
SCENARIO(hosted_twice,
         .title = "A loop has one host at a time, and may end with its thread while hosted",
         .clauses = "extension",
         .rl_only = true,
         .expected = "inside; = TimedOut; dying while hosted")

static void hosted_at_once(void)
{
    int descriptor = begin_hosting();
    int *ends = make_pair();
    RLRunLoopSourceRef source = SOURCE("A");

    check(RLRunLoopGetPollDescriptor() == descriptor);
    check(!host_is_called(descriptor, 0));
    after(-1, "timer", "DEF", ^{});
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);

    add_source(source, "DEF");
    check(!host_is_called(descriptor, 0));
    elsewhere(^{ signal_source(source); });
    check(!host_is_called(descriptor, 0));
    wake_up();
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);

    /* A loop's own thread need not wake it, as the loop checks for all work before it sleeps. */
    signal_source(source);
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);
    queue_block("block", "DEF", NULL);
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);

    check(write(ends[1], "x", 1) == 1);
    RLRunLoopSourceRef watched = watch_descriptor("socket", ends[0], 0,
                                                  ^{
                                                      char byte;
                                                      check(read(ends[0], &byte, 1) == 1);
                                                  },
                                                  NULL);
    check(!host_is_called(descriptor, 0));
    add_source(watched, "DEF");
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);

    RLRunLoopTimerRef timer = TIMER("early", .after = 1000);
    add_timer(timer, "DEF");
    check(!host_is_called(descriptor, 0));
    RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent());
    answer_host(descriptor);
    RLRunLoopEndHosting();
    check(RLRunLoopGetPollDescriptor() == -1);
}
SCENARIO(hosted_at_once,
         .title = "An item that is added to a hosted loop affects its descriptor at once",
         .clauses = "extension",
         .rl_only = true,
         .expected = "timer; A; A; block; socket read; early")

/* An empty mode has no pass, and a wake-up must not call the host for ever. */
static void hosted_empty(void)
{
    int descriptor = begin_hosting();

    wake_up();
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);
    wake_up();
    run("DEF", 0, false);
    check(!host_is_called(descriptor, 0));
    queue_block("block", "DEF", NULL);
    wake_up();
    answer_host(descriptor);
    RLRunLoopTimerRef timer = TIMER("gone", .after = 0.001);
    add_timer(timer, "DEF");
    check(host_is_called(descriptor, 10000));
    RLRunLoopTimerInvalidate(timer);
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();
}
SCENARIO(hosted_empty,
         .title = "A hosted loop with nothing in it calls its host for a wake-up, and once",
         .clauses = "extension",
         .rl_only = true,
         .expected = "= Finished; block")

/* Work that arrives after its step of the pass calls the host when the run has ended. */
static void hosted_leftovers(void)
{
    int descriptor = begin_hosting();
    RLRunLoopSourceRef source = SOURCE("A");

    add_source(source, "DEF");
    after(-1, "timer", "DEF", ^{
        elsewhere(^{ signal_source(source); });
        wake_up();
    });
    check(host_is_called(descriptor, 10000));
    check(RLRunLoopRunHosted(1));
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);
    when_next(kRLRunLoopExit, "DEF", ^{ queue_block("block at the exit", "DEF", NULL); });
    run("DEF", 0, false);
    answer_host(descriptor);
    after(-1, "ends a long run", "DEF", ^{
        signal_source(source);
        stop();
    });
    run("DEF", 10, false);
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(hosted_leftovers,
         .title = "Work that a run leaves undone makes the descriptor ready after the run",
         .clauses = "extension",
         .rl_only = true,
         .expected = "timer; A; = TimedOut; block at the exit; ends a long run; = Stopped; A")

/* The host's own loop, inside a callback: it serves until a moment comes. */
static void host_nested(int descriptor, bool (^is_over)(void))
{
    while (!is_over()) {
        check(host_is_called(descriptor, 10000));
        RLRunLoopRunHosted(1);
    }
    while (host_is_called(descriptor, 0)) RLRunLoopRunHosted(1);
}

static void hosted_inside(void)
{
    int descriptor = begin_hosting();
    __block bool is_over = false;
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef second = SOURCE("second", .order = 2);
    RLRunLoopSourceRef third = SOURCE("third", .perform = ^{ is_over = true; });
    RLRunLoopSourceRef first = SOURCE("first", .order = 1, .perform = ^{
        /* The second one is signalled already, the third one will be when all are at rest. */
        answer_host(descriptor);
        after(0.002, "timer", "DEF", ^{});
        answer_host(descriptor);
        struct helper_thread *helper = start_thread(^{
            signal_source(third);
            RLRunLoopWakeUp(loop);
        });
        host_nested(descriptor, ^bool(void) { return is_over; });
        join_thread(helper);
        note("end of first");
    });

    add_source(first, "DEF");
    add_source(second, "DEF");
    add_source(third, "DEF");
    signal_source(first);
    signal_source(second);
    wake_up();
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(hosted_inside,
         .title = "A host that runs inside a callback of the loop is called for all that is left",
         .clauses = "extension",
         .rl_only = true,
         .expected = "first; second; timer; third; end of first")

/* A wait has used a wake-up, and no pass has served its source yet. */
static void hosted_inside_later(void)
{
    int descriptor = begin_hosting();
    int *ends = make_pair();
    RLRunLoopRef loop = this_loop();
    __block bool is_woken = false;
    RLRunLoopSourceRef second = SOURCE("second");
    RLRunLoopSourceRef first = SOURCE("first", .perform = ^{
        elsewhere(^{
            signal_source(second);
            RLRunLoopWakeUp(loop);
        });
        is_woken = true;
    });

    /* With a descriptor in the mode the pass asks the kernel. */
    add_source(watch_descriptor("socket", ends[0], 0, ^{}, NULL), "DEF");
    add_source(first, "DEF");
    add_source(second, "DEF");
    when(kRLRunLoopBeforeTimers, "DEF", ^{
        if (!is_woken) return;
        is_woken = false;
        answer_host(descriptor);
        note("end of observer");
    });
    signal_source(first);
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(hosted_inside_later,
         .title = "A host inside a callback is called for work whose wake-up was used",
         .clauses = "extension",
         .rl_only = true,
         .expected = "first; second; end of observer")

static void note_ended(void *info, Boolean is_thread_ending)
{
    int *descriptor = info;
    check(RLRunLoopGetPollDescriptor() == *descriptor);
    check(!host_is_called(*descriptor, 0));
    note("ended%s", is_thread_ending ? " with the thread" : "");
}

static void hosted_to_the_end(void)
{
    RLRunLoopHostingContext context = {.ended = note_ended};
    __block int descriptor;

    context.info = &descriptor;
    descriptor = RLRunLoopBeginHosting(mode_named("DEF"), 0, &context);
    RLRunLoopEndHosting();
    check(!RLRunLoopRunHosted(1));
    RLRunLoopEndHosting();

    descriptor = begin_hosting();
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ RLRunLoopEndHosting(); });
    add_source(source, "DEF");
    signal_source(source);
    wake_up();
    check(host_is_called(descriptor, 0));
    check(!RLRunLoopRunHosted(10));
    wake_up();
    check(!host_is_called(descriptor, 0));
    check(!RLRunLoopIsWaiting(this_loop()));
    signal_source(source);
    run("DEF", 10, true);

    elsewhere(^{
        RLRunLoopHostingContext other = {.info = &descriptor, .ended = note_ended};
        descriptor = RLRunLoopBeginHosting(mode_named("DEF"), 0, &other);
    });
}
SCENARIO(hosted_to_the_end,
         .title = "A hosting ends once, in a callback too, and with its thread",
         .clauses = "extension",
         .rl_only = true,
         .expected = "ended; A; A; = HandledSource; ended with the thread")

static void hosted_rest(void)
{
    RLRunLoopSourceRef source = SOURCE("A");
    int descriptor = begin_hosting();

    add_source(source, "DEF");
    add_observer(OBSERVER(NULL, .activities = kRLRunLoopBeforeWaiting | kRLRunLoopAfterWaiting),
                 "DEF");
    signal_source(source);
    wake_up();
    answer_host(descriptor);
    note("elsewhere");
    signal_source(source);
    wake_up();
    /* Work that is queued by observers before the rest is served before the host sleeps. */
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ queue_block("block", "DEF", NULL); });
    check(RLRunLoopRunHosted(10));
    answer_host(descriptor);
    RLRunLoopEndHosting();
    run("DEF", 0, false);

    /* Without a host: a loop that runs and rests once a frame. */
    note("frame");
    run("DEF", 0, false);
    RLRunLoopRest(mode_named("DEF"));
    RLRunLoopRest(mode_named("DEF"));
    run("DEF", 0, false);
}
SCENARIO(hosted_rest,
         .title = "A hosted loop that has nothing more to do rests, until it is served again",
         .clauses = "extension OBS-1",
         .rl_only = true,
         .expected = "A; BeforeWaiting; elsewhere; AfterWaiting; A; BeforeWaiting; AfterWaiting; block; "
                     "BeforeWaiting; AfterWaiting; = TimedOut; frame; = TimedOut; BeforeWaiting; "
                     "AfterWaiting; = TimedOut")

/*
 * Threads make work, one piece after the other; a host that sleeps without a limit does all of it.
 */
static void hosted_under_fire(void)
{
    enum { THREADS = 4, ROUNDS = 300 };
    RLRunLoopRef loop = this_loop();
    int descriptor = begin_hosting();
    atomic_int *done = calloc(THREADS + 1, sizeof(atomic_int));
    struct helper_thread *helpers[THREADS];

    at_end(^{ free(done); });
    for (int i = 0; i < THREADS; i++) {
        void (^work)(void) = ^{
            atomic_fetch_add(&done[i], 1);
            atomic_fetch_add(&done[THREADS], 1);
        };
        RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = work);
        add_source(source, "DEF");
        helpers[i] = start_thread(^{
            for (int round = 0; round < ROUNDS; round++) {
                if (round % 2) {
                    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, work);
                } else {
                    signal_source(source);
                }
                RLRunLoopWakeUp(loop);
                while (atomic_load(&done[i]) <= round) sched_yield();
            }
        });
    }
    while (atomic_load(&done[THREADS]) < THREADS * ROUNDS) {
        check(host_is_called(descriptor, 10000));
        RLRunLoopRunHosted(1);
    }
    for (int i = 0; i < THREADS; i++) join_thread(helpers[i]);
    check(!RLRunLoopRunHosted(10));
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();
}
SCENARIO(hosted_under_fire,
         .title = "No wake-up of a hosted loop is lost, whatever it is doing",
         .clauses = "extension",
         .rl_only = true)

static void hosted_and_forked(void)
{
    int descriptor = begin_hosting(), status = 0;
    RLRunLoopSourceRef source = SOURCE("A");

    add_source(source, "DEF");
    pid_t child = fork();
    if (child == 0) {
        bool is_free = RLRunLoopGetPollDescriptor() == -1;
        RLRunLoopWakeUp(this_loop());
        int again = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);
        RLRunLoopWakeUp(this_loop());
        _exit(is_free && again >= 0 && host_is_called(again, 10000) ? 0 : 1);
    }
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check(!host_is_called(descriptor, 0));
    signal_source(source);
    wake_up();
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(hosted_and_forked,
         .title = "The child of a hosted loop's thread has no host and may begin anew",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "A")
