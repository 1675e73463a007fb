/* Several ports that are ready at once, and callbacks that change the queued ones. */

#include "port_words.h"
#include "scenario.h"

static void ready_ports_emptied(void)
{
    struct ready_ports *ports = ring_five();

    ports->actions[0] = ^{
        ports->actions[0] = NULL;
        check(!counter_is_zero(ports->counters[1]));
        count_up(ports->counters[2]);
        check(!counter_is_zero(ports->counters[2]));
    };
    serve_ports(10);
    count_up(ports->counters[2]);
    count_up(ports->counters[1]);
    serve_ports(10);
}
SCENARIO(ready_ports_emptied,
         .title = "A ready port that a callback empties is skipped, and fires again later",
         .clauses = "PORT-4 PORT-7 RUN-19",
         .expected = "A; = HandledSource; D; = HandledSource; E; = HandledSource; = TimedOut; "
                     "C; = HandledSource; B; = HandledSource; = TimedOut")

static void ready_ports_removed(void)
{
    struct ready_ports *ports = ring_five();

    ports->actions[0] = ^{
        int old = ports->counters[2], reused = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        remove_source(ports->sources[1], "DEF");
        RLRunLoopSourceInvalidate(ports->sources[2]);
        /* The number is another counter's from here on, and so is the place. */
        check(dup3(reused, old, O_CLOEXEC) == old);
        close(reused);
        add_source(PORT("new", old), "DEF");
        count_up(old);
        close(ports->counters[3]);
        remove_source(ports->sources[3], "DEF");
        check(fcntl(ports->counters[0], F_DUPFD_CLOEXEC, 0) == ports->counters[3]);
        add_source(ports->sources[1], "DEF");
    };
    run("DEF", 0, true);
    ports->actions[0] = NULL;
    serve_ports(10);
}
SCENARIO(ready_ports_removed,
         .title = "Ready ports that a callback takes out, closes and replaces are those of their time",
         .clauses = "PORT-4 PORT-9 RUN-19",
         .own_process = true,
         .expected = "A; = HandledSource; E; = HandledSource; new; = HandledSource; B; "
                     "= HandledSource; = TimedOut")

static void ready_port_closed(void)
{
    struct ready_ports *ports = ring_five();

    ports->actions[0] = ^{
        close(ports->counters[1]);
        int again = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        check(again == ports->counters[1]);
        add_source(PORT("again", again), "DEF");
        count_up(again);
    };
    ports->actions[2] = ^{ close(ports->counters[3]); };
    serve_ports(10);
}
SCENARIO(ready_port_closed,
         .title = "A ready port that is closed under its source is passed over; its number is another's",
         .clauses = "PORT-4 PORT-9",
         .own_process = true,
         .expected = "A; = HandledSource; C; = HandledSource; E; = HandledSource; again; "
                     "= HandledSource; = TimedOut")

static void ready_ports_rung_again(void)
{
    struct ready_ports *ports = ring_five();

    remove_source(ports->sources[4], "DEF");
    ports->actions[0] = ^{
        ports->actions[0] = NULL;
        count_up(ports->counters[1]);
        add_source(ports->sources[4], "DEF");
        count_up(ports->counters[0]);
    };
    ports->actions[1] = ^{
        ports->actions[1] = NULL;
        count_up(ports->counters[1]);
    };
    serve_ports(20);
}
SCENARIO(ready_ports_rung_again,
         .title = "A port that becomes ready again after its turn may keep its earlier place",
         .clauses = "PORT-4 RUN-19",
         .deviation = "D1: the kernel has listed the port since it rang while it waited for its turn",
         .expected = "A; = HandledSource; B; = HandledSource; C; = HandledSource; D; "
                     "= HandledSource; B; = HandledSource; E; = HandledSource; A; "
                     "= HandledSource; = TimedOut",
         .reference = "A; = HandledSource; B; = HandledSource; C; = HandledSource; D; "
                      "= HandledSource; E; = HandledSource; A; = HandledSource; B; "
                      "= HandledSource; = TimedOut")

static void ready_ports_nested(void)
{
    struct ready_ports *ports = ring_five();

    add_source(ports->sources[3], "M");
    ports->actions[0] = ^{
        run("DEF", 0, true);
        run("M", 0, true);
        run("DEF", 10, true);
        count_up(ports->counters[3]);
    };
    serve_ports(20);
}
SCENARIO(ready_ports_nested,
         .title = "Ready ports are served in turn by nested runs too",
         .clauses = "PORT-4 RUN-19 RUN-31",
         .expected = "A; B; = HandledSource; D; = HandledSource; C; = HandledSource; "
                     "= HandledSource; D; = HandledSource; E; = HandledSource; = TimedOut")

static void ready_ports_elsewhere(void)
{
    struct ready_ports *ports = ring_five();
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    RLRunLoopSourceRef added = PORT("added", counter);

    ports->actions[0] = ^{
        elsewhere(^{
            RLRunLoopRemoveSource(loop, ports->sources[1], kRLRunLoopDefaultMode);
            RLRunLoopSourceInvalidate(ports->sources[3]);
            count_up(counter);
            RLRunLoopAddSource(loop, added, kRLRunLoopDefaultMode);
            count_up(ports->counters[2]);
        });
    };
    serve_ports(20);
}
SCENARIO(ready_ports_elsewhere,
         .title = "Another thread takes ready ports out and adds one",
         .clauses = "PORT-4 PORT-9 RUN-19",
         .expected = "A; = HandledSource; C; = HandledSource; E; = HandledSource; added; "
                     "= HandledSource; = TimedOut")

static void ready_ports_and_timers(void)
{
    int first = make_counter(), second = make_counter(), third = make_counter();
    RLRunLoopTimerRef gone = TIMER("gone", .after = -1);

    add_source(PORT("first", first, .perform = ^{ remove_timer(gone, "DEF"); }), "DEF");
    add_source(PORT("second", second), "DEF");
    add_source(PORT("third", third), "DEF");
    after(1000, "far", "DEF", ^{});
    count_up(first);
    add_timer(gone, "DEF");
    stay_busy(0.0005);
    count_up(second);
    for (int pass = 0; pass < 3; pass++) run("DEF", 0, true);

    count_up(second);
    after(-1, "due", "DEF", ^{ count_up(second); });
    stay_busy(0.0005);
    count_up(third);
    for (int pass = 0; pass < 5; pass++) run("DEF", 0, true);
}
SCENARIO(ready_ports_and_timers,
         .title = "A timer that was due between two ports has its turn between them, if it is there",
         .clauses = "PORT-4 RUN-19",
         .expected = "first; = HandledSource; second; = HandledSource; = TimedOut; second; "
                     "= HandledSource; due; = TimedOut; third; = HandledSource; second; "
                     "= HandledSource; = TimedOut")

static void ready_ports_that_block(void)
{
    int first = eventfd(0, EFD_CLOEXEC), second = eventfd(0, EFD_CLOEXEC);

    at_end(^{ close(first), close(second); });
    add_source(PORT("first", first,
                    .perform =
                        ^{
                            uint64_t count = 0;
                            check(read(second, &count, sizeof(count)) == sizeof(count) &&
                                  count == 1);
                        }),
               "DEF");
    add_source(PORT("second", second), "DEF");
    count_up(first);
    count_up(second);
    serve_ports(10);
    count_up(second);
    serve_ports(10);
}
SCENARIO(ready_ports_that_block,
         .title = "A ready port that a callback empties is passed over even if reading it would block",
         .clauses = "PORT-4 PORT-7",
         .expected = "first; = HandledSource; = TimedOut; second; = HandledSource; = TimedOut")

static void ready_ports_made_to_block(void)
{
    int first = make_counter(), second = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int third = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), ends[2];

    check(pipe2(ends, O_CLOEXEC) == 0);
    int silent = ends[0], writer = ends[1];
    at_end(^{ close(second), close(third), close(silent), close(writer); });
    add_source(PORT("first", first,
                    .perform =
                        ^{
                            uint64_t count = 0;
                            check(read(second, &count, sizeof(count)) == sizeof(count));
                            check(fcntl(second, F_SETFL, 0) == 0);
                            /* By mistake: its source is in the mode still. */
                            check(dup3(silent, third, O_CLOEXEC) == third);
                        }),
               "DEF");
    add_source(PORT("second", second), "DEF");
    add_source(PORT("third", third), "DEF");
    count_up(first);
    count_up(second);
    count_up(third);
    serve_ports(10);
}
SCENARIO(ready_ports_made_to_block,
         .title = "A ready port does not stop the loop if it has come to block, or another file has its number",
         .clauses = "PORT-4 PORT-7",
         .expected = "first; = HandledSource; = TimedOut")

/* More than the kernel reports at once, in a special order, some of them signaled twice. */
static void ready_ports_by_the_hundred(void)
{
    enum { COUNT = 300, STEP = 77 };
    __block int next = 0, served = 0;
    int *counters = calloc(COUNT, sizeof(counters[0]));

    at_end(^{ free(counters); });
    for (int index = 0; index < COUNT; index++) {
        int counter = counters[index] = make_counter();
        add_source(PORT("p", counter, .quiet = true,
                        .perform =
                            ^{
                                served++;
                                /* The second time round only every third one rings. */
                                check(index == next % COUNT * STEP % COUNT);
                                next += next < COUNT ? 1 : 3;
                                if (next <= COUNT && next % 3 == 1) count_up(counter);
                                if (served == COUNT + COUNT / 3) stop();
                            }),
                   "DEF");
    }
    for (int turn = 0; turn < COUNT; turn++) {
        count_up(counters[turn * STEP % COUNT]);
        if (turn % 5 == 0) count_up(counters[0]);
    }
    run("DEF", 10, false);
    check(served == COUNT + COUNT / 3);
    run("DEF", 0, true);
}
SCENARIO(ready_ports_by_the_hundred,
         .title = "Hundreds of ready ports are served in the order in which they became ready",
         .clauses = "PORT-4 RUN-14 RUN-19",
         .expected = "= Stopped; = TimedOut")
