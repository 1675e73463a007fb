/*
 * Version-1 sources (PORT-1 to PORT-11).
 */

#include "port_words.h"
#include "scenario.h"

static void port_fires(void)
{
    int counter = make_counter();

    add_source(PORT("p", counter, .perform = ^{ check(counter_is_zero(counter)); }), "DEF");
    count_up(counter);
    count_up(counter);
    run("DEF", 0, false);
    run("DEF", 0, false);
    count_up(counter);
    run("DEF", 10, true);
    count_up(counter);
    run("DEF", 0, true);
}
SCENARIO(port_fires,
         .title = "A ready port is acknowledged and performed once, and counts as handled",
         .clauses = "PORT-3 PORT-7 RUN-16",
         .expected = "p; = TimedOut; = TimedOut; p; = HandledSource; p; = HandledSource")

static void port_wakes(void)
{
    int counter = make_counter();
    RLRunLoopRef loop = this_loop();
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        count_up(counter);
    });

    watch("DEF");
    add_source(PORT("p", counter), "DEF");
    run("DEF", 10, true);
    join_thread(sender);
}
SCENARIO(port_wakes,
         .title = "A port that becomes ready ends the wait",
         .clauses = "PORT-3 RUN-13",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; p; Exit; "
                     "= HandledSource")

static void port_removed_after_waiting(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef source = PORT("p", counter);

    keep_alive("DEF");
    add_source(source, "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        remove_source(source, "DEF");
        RLRunLoopStop(this_loop());
    });
    watch("DEF");
    count_up(counter);
    run("DEF", 10, true);
}
SCENARIO(port_removed_after_waiting,
         .title = "A source that an observer of AfterWaiting takes out of the mode is not called",
         .clauses = "PORT-9 RUN-13",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= Stopped")

static void port_is_asked(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef source = PORT("p", counter, .logs_modes = true);

    note("created");
    add_source(source, "DEF");
    add_source(source, "DEF");
    note("added");
    count_up(counter);
    run("DEF", 0, false);
    remove_source(source, "DEF");
    note("removed");
}
SCENARIO(port_is_asked,
         .title = "A source's getPort is called when the source enters and when it leaves a mode",
         .clauses = "PORT-1 PORT-11",
         .expected = "created; p asked; added; p; = TimedOut; p asked; removed")

static void no_port(void)
{
    RLRunLoopSourceRef source = PORT("p", -1);

    add_source(source, "DEF");
    note_answer("contained", has_source(source, "DEF"));
    run("DEF", 0.002, false);
    remove_source(source, "DEF");
    run("DEF", 0.002, false);
}
SCENARIO(no_port,
         .title = "A source without a port is a member that never fires",
         .clauses = "PORT-2 MODE-18",
         .expected = "contained: yes; = TimedOut; = Finished")

static void ports_by_readiness(void)
{
    int one = make_counter(), two = make_counter(), three = make_counter();

    watch("DEF");
    add_source(PORT("one", one, .order = 0), "DEF");
    add_source(PORT("two", two, .order = -5), "DEF");
    add_source(PORT("three", three, .order = 5), "DEF");
    count_up(three);
    count_up(one);
    count_up(two);
    run("DEF", 10, true);
    run("DEF", 10, true);
    run("DEF", 10, true);
}
SCENARIO(ports_by_readiness,
         .title = "Ports are served one a pass, in the order in which they became ready",
         .clauses = "PORT-4 RUN-14 RUN-19",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; three; "
                     "Exit; = HandledSource; Entry; BeforeTimers; BeforeSources; BeforeWaiting; "
                     "AfterWaiting; one; Exit; = HandledSource; Entry; BeforeTimers; "
                     "BeforeSources; BeforeWaiting; AfterWaiting; two; Exit; = HandledSource")

static void port_signalled(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef source = PORT("p", counter);

    add_source(source, "DEF");
    signal_source(source);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    run("DEF", 0, false);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    count_up(counter);
    run("DEF", 0, false);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
}
SCENARIO(port_signalled,
         .title = "Signalling a version-1 source marks it until its port fires",
         .clauses = "PORT-5",
         .expected = "signalled: yes; = TimedOut; signalled: yes; p; = TimedOut; signalled: no")

static void port_in_modes(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef source = PORT("p", counter);

    add_source(source, "M");
    add_source(source, "N");
    keep_alive("DEF");
    count_up(counter);
    run("DEF", 0, false);
    run("M", 0, false);
    run("N", 0, false);
    count_up(counter);
    remove_source(source, "M");
    run("M", 0, false);
    run("N", 0, false);
}
SCENARIO(port_in_modes,
         .title = "A port fires only in the modes of its source",
         .clauses = "PORT-3 MODE-18",
         .expected = "= TimedOut; p; = TimedOut; = TimedOut; = Finished; p; = TimedOut")

static void port_of_invalid_source(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef source = PORT("p", counter);

    keep_alive("DEF");
    add_source(source, "DEF");
    count_up(counter);
    when_next(kRLRunLoopBeforeTimers, "DEF", ^{ RLRunLoopSourceInvalidate(source); });
    run("DEF", 0, true);
    check(!counter_is_zero(counter));
}
SCENARIO(port_of_invalid_source,
         .title = "The port of an invalid source is neither read nor performed",
         .clauses = "PORT-9 SRC-28",
         .expected = "= TimedOut")

static void port_added_elsewhere(void)
{
    int counter = make_counter();
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = PORT("p", counter);
    struct helper_thread *adder = start_thread(^{
        count_up(counter);
        wait_until_asleep(loop);
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, true);
    join_thread(adder);
}
SCENARIO(port_added_elsewhere,
         .title = "A ready port added during the wait fires at once",
         .clauses = "WAKE-11",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; p; Exit; "
                     "= HandledSource")

static void bytes_in_pipe(void)
{
    int ends[2];
    char first = 0;
    char *seen = &first;

    check(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    int reader = ends[0], writer = ends[1];
    add_source(PORT("p", reader,
                    .perform =
                        ^{
                            if (read(reader, seen, 1) == 1) note("read %c", *seen);
                        }),
               "DEF");
    check(write(writer, "abc", 3) == 3);
    for (int pass = 0; pass < 4; pass++) run("DEF", 0, true);
    close(writer);
    close(reader);
}
SCENARIO(bytes_in_pipe,
         .title = "A port that is not a counter is never read, and fires while it has data",
         .clauses = "PORT-6 PORT-7",
         .deviation = "D3: the reference eats eight bytes and fires only for new data",
         .expected = "p; read a; = HandledSource; p; read b; = HandledSource; p; read c; "
                     "= HandledSource; = TimedOut",
         .reference = "p; = HandledSource; = TimedOut; = TimedOut; = TimedOut")

static void hung_up_pipe(void)
{
    int ends[2];
    __block int calls = 0;

    check(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    add_source(PORT("p", ends[0], .quiet = true, .perform = ^{ calls++; }), "DEF");
    close(ends[1]);
    run("DEF", 0.005, false);
    check(calls <= 1);
    close(ends[0]);
}
SCENARIO(hung_up_pipe,
         .title = "A hung-up port that is left in the loop does not keep it busy",
         .clauses = "PORT-7",
         .deviation = "D3: the reference does not define it",
         .expected = "= TimedOut")

static void timer_descriptor(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    struct itimerspec soon = {.it_value = {.tv_nsec = 2000000}};
    uint64_t count = 0;

    add_source(PORT("p", timer), "DEF");
    timerfd_settime(timer, 0, &soon, NULL);
    run("DEF", 10, true);
    check(read(timer, &count, sizeof(count)) < 0);
    close(timer);
}
SCENARIO(timer_descriptor,
         .title = "A timer descriptor is acknowledged like a counter",
         .clauses = "PORT-7",
         .expected = "p; = HandledSource")

static void shared_port(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef one = PORT("one", counter), two = PORT("two", counter);

    add_source(one, "DEF");
    add_source(two, "DEF");
    remove_source(two, "DEF");
    count_up(counter);
    run("DEF", 0, false);
}
SCENARIO(shared_port,
         .title = "Of two sources with one port, removing the later restores the earlier",
         .clauses = "PORT-8",
         .deviation = "PORT-8: in the reference the earlier one stays deaf",
         .expected = "one; = TimedOut",
         .reference = "= TimedOut")

static void shared_port_added_after_waiting(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef one = PORT("one", counter), two = PORT("two", counter);

    add_source(one, "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        add_source(two, "DEF");
        stop();
    });
    count_up(counter);
    run("DEF", 10, true);
}
SCENARIO(shared_port_added_after_waiting,
         .title = "A source that is added after the wait gets the count of the port that it shares",
         .clauses = "PORT-8 RUN-13",
         .expected = "two; = HandledSource")

static void shared_port_removed_after_waiting(void)
{
    int counter = make_counter();
    RLRunLoopSourceRef one = PORT("one", counter), two = PORT("two", counter);

    add_source(one, "DEF");
    add_source(two, "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        remove_source(two, "DEF");
        stop();
    });
    count_up(counter);
    run("DEF", 10, true);
}
SCENARIO(shared_port_removed_after_waiting,
         .title = "The earlier source gets the count if the later one leaves after the wait",
         .clauses = "PORT-8 RUN-13",
         .deviation = "D14: in the reference the earlier one stays deaf",
         .expected = "one; = HandledSource",
         .reference = "= Stopped")

static void counted_after_waiting(void)
{
    int counter = make_counter();

    add_source(PORT("p", counter), "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{ count_up(counter); });
    count_up(counter);
    run("DEF", 10, true);
    run("DEF", 10, true);
    run("DEF", 0, true);
}
SCENARIO(counted_after_waiting,
         .title = "A count that is added after the wait is another event",
         .clauses = "PORT-7 RUN-13",
         .expected = "p; = HandledSource; p; = HandledSource; = TimedOut")
