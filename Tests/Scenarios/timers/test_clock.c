/*
 * Clocks that tests own: what passes when they are advanced, and who serves it.
 */

#include "../running/host_words.h"
#include "clock_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopHosting.h>
#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>
#include <math.h>
#include <stdatomic.h>

/* Notes how many seconds the thread's clock has been advanced by. */
static void note_time(const char *name)
{
    note("%s %g", name, (double)(RLClockGetNanoseconds() - second_ns) / 1e9);
}

/* A timer that notes when it fires. It is of the thread's clock; its first date is `after`. */
static RLRunLoopTimerRef timed(const char *name, double after, double interval, action then)
{
    RLRunLoopTimerRef timer = TIMER(name, .after = after, .interval = interval, .quiet = true,
                                    .fire = ^(RLRunLoopTimerRef fired) {
                                        note_time(name);
                                        if (then) then();
                                    });

    add_timer(timer, "DEF");
    return timer;
}

static void frozen_clock(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopTimerRef first = TIMER("first", .after = -5, .order = 9);
    RLRunLoopTimerRef second = TIMER("second", .after = -5, .order = 0);
    RLRunLoopTimerRef third = TIMER("third", .after = -5, .order = -9);

    add_timer(second, "DEF");
    add_timer(first, "DEF");
    add_timer(third, "DEF");
    run("DEF", 10, false);
    RLTestClockEnd(clock);
}
SCENARIO(frozen_clock,
         .title = "Timers that are due at the same instant fire in the order of addition",
         .clauses = "TMR-13",
         .rl_only = true,
         .expected = "second; first; third; = Finished")

static void automatic_clock(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopTimerRef timer = TIMER("t", .after = 3600, .quiet = true);

    RLTestClockSetAutomatic(clock, true);
    add_timer(timer, "DEF");
    check(RLTestClockGetNextMoment(clock) == 3601 * second_ns);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1800, false);
    check(RLTestClockGetNanoseconds(clock) == 1801 * second_ns);
    check(RLRunLoopTimerIsValid(timer));
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    check(RLTestClockGetNanoseconds(clock) == 3601 * second_ns);
    check(RLTestClockGetNextMoment(clock) == INT64_MAX);
    check(!RLRunLoopTimerIsValid(timer));
    RLTestingVerifyLoop(this_loop());
    RLTestClockEnd(clock);
}
SCENARIO(automatic_clock,
         .title = "By an automatic clock, an idle loop is at its next deadline at once",
         .clauses = "extension RUN-38 TMR-12",
         .rl_only = true)

static void advanced_clock(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopTimerRef repeating = timed("repeating", 0.1, 0.1, NULL);

    RLRunLoopTimerSetTolerance(repeating, 0.05);
    timed("once", 0.25, 0, ^{ timed("added", 0.01, 0, NULL); });
    RLTestClockAdvance(clock, second_ns * 3 / 10 - 1, NULL);
    note_time("then");
    RLTestClockAdvance(clock, 1, NULL);
    check(RLTestClockGetNanoseconds(clock) == second_ns * 13 / 10);
    check(RLRunLoopTimerGetNextFireDate(repeating) - RLTestClockGetDate(clock) < 0.1001);
    RLTestingVerifyLoop(this_loop());
    RLTestClockEnd(clock);
}
SCENARIO(advanced_clock,
         .title = "Items that become due while a clock is advanced are served in order, each at its date",
         .clauses = "extension TMR-21",
         .rl_only = true,
         .expected = "repeating 0.1; repeating 0.2; once 0.25; added 0.26; then 0.3; repeating 0.3")

static void advanced_to_dates(void)
{
    RLTestClockRef clock = own_clock();

    RLTestClockSetDate(clock, 800000000.1);
    for (int i = 1; i <= 1000; i++) {
        double after = 0.001 * i, interval = 3600.7 * i;
        RLRunLoopTimerRef timer = TIMER("t", .after = after, .interval = interval, .quiet = true);
        add_timer(timer, "DEF");
        RLTestClockAdvance(clock, 1000000LL * i - 1, NULL);
        check(RLRunLoopTimerGetNextFireDate(timer) - RLTestClockGetDate(clock) < 0.00001);
        RLTestClockAdvance(clock, 1, NULL);
        check(RLRunLoopTimerGetNextFireDate(timer) - RLTestClockGetDate(clock) > interval - 1);
        remove_timer(timer, "DEF");
    }
    RLTestClockEnd(clock);
}
SCENARIO(advanced_to_dates,
         .title = "A date is reached when its seconds have passed, neither before nor later",
         .clauses = "extension CONST-8",
         .rl_only = true)

static void advanced_in_steps(void)
{
    RLTestClockRef clock = own_clock();
    __block int count = 0;
    RLRunLoopTimerRef missed = TIMER("missed", .after = 1, .interval = 1, .quiet = true,
                                     .fire = ^(RLRunLoopTimerRef fired) { count++; });

    add_timer(missed, "DEF");
    RLTestClockAdvance(clock, 3600 * second_ns, NULL);
    check(count == 3600);
    RLTestClockSetNanoseconds(clock, RLTestClockGetNanoseconds(clock) + 100 * second_ns);
    run("DEF", 0, false);
    check(count == 3601);
    RLTestClockEnd(clock);
}
SCENARIO(advanced_in_steps,
         .title = "An advance comes to every date of a repeating timer; a clock that is set does not",
         .clauses = "extension TMR-22",
         .rl_only = true,
         .expected = "= TimedOut")

static void advanced_inside(void)
{
    RLTestClockRef clock = own_clock();

    timed("outer", 1, 0, ^{
        RLTestClockAdvance(clock, 3 * second_ns, NULL);
        note_time("inside");
    });
    timed("other", 2, 0, NULL);
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    note_time("after");

    timed("waits", 1, 0, ^{
        run("DEF", 5, false);
        note_time("waited");
    });
    timed("beside", 3, 0, NULL);
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    note_time("after");
    RLTestClockEnd(clock);
}
SCENARIO(advanced_inside,
         .title = "An advance or a run inside a callback takes the time that it takes",
         .clauses = "extension",
         .rl_only = true,
         .expected = "outer 1; other 2; inside 4; after 4; waits 5; beside 7; = TimedOut; "
                     "waited 10; after 10")

static void advanced_and_stopped(void)
{
    RLTestClockRef clock = own_clock();

    timed("stops", 1, 0, ^{ stop(); });
    timed("later", 2, 0, NULL);
    RLTestClockAdvance(clock, 3 * second_ns, NULL);
    note_time("after");

    keep_alive("DEF");
    timed("stops", 1, 0, ^{ stop(); });
    queue_block("block", "DEF", ^{
        RLTestClockAdvance(clock, 3 * second_ns, NULL);
        note_time("inside");
    });
    run("DEF", 100, false);
    RLTestClockEnd(clock);
}
SCENARIO(advanced_and_stopped,
         .title = "A stop does not end an advance, but the run around it",
         .clauses = "extension RUN-23",
         .rl_only = true,
         .expected = "stops 1; later 2; after 3; block; stops 4; inside 6; = Stopped")

STOPS(advanced_backwards, RLTestClockAdvance(own_clock(), -1, NULL),
      .title = "Moving time backwards stops the process", .clauses = "extension", .rl_only = true)

STOPS(advanced_past_all_dates, RLTestClockAdvance(own_clock(), INT64_MAX, NULL),
      .title = "An advance past the last date stops the process", .clauses = "extension CONST-4",
      .rl_only = true)
STOPS(set_past_all_dates, RLTestClockSetNanoseconds(own_clock(), INT64_MIN),
      .title = "A clock that is set before the first date stops the process",
      .clauses = "extension", .rl_only = true)
STOPS(set_to_no_date, RLTestClockSetDate(own_clock(), NAN),
      .title = "A date that is NaN stops the process", .clauses = "extension", .rl_only = true)

static void advanced_by_decades(void)
{
    RLTestClockRef clock = own_clock();
    const int64_t year_ns = 366 * 86400 * second_ns;

    RLTestClockSetDate(clock, 0);
    timed("eleven years", 11.0 * 366 * 86400, 0, NULL);
    RLTestClockAdvance(clock, 12 * year_ns, NULL);
    check(RLTestClockGetNanoseconds(clock) == second_ns + 12 * year_ns);
    RLTestClockAdvance(clock, 100 * year_ns, NULL);
    RLTestClockSetAutomatic(clock, true);
    keep_alive("DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 15.0 * 366 * 86400, false);
    check(RLTestClockGetNanoseconds(clock) == second_ns + 127 * year_ns);
    RLTestClockEnd(clock);
}
SCENARIO(advanced_by_decades,
         .title = "An advance and the limit of a run may be more than ten years",
         .clauses = "extension CONST-5",
         .rl_only = true,
         .expected = "eleven years 3.47846e+08")

/* Queues a block that queues another, and so on. */
static void queue_chain(int length)
{
    if (length == 0) return note("end of the chain");
    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{ queue_chain(length - 1); });
}

static void chains_in_an_advance(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopObserverRef rest = OBSERVER("rest", .activities = kRLRunLoopBeforeWaiting,
                                         .observe = ^(RLRunLoopObserverRef o, unsigned long a) {
                                             queue_block("for the next pass", "DEF", ^{});
                                         });

    queue_chain(1000);
    timed("timer", 1, 0, ^{ queue_chain(1000); });
    timed("later", 2, 0, NULL);
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    RLTestClockEnd(clock);

    queue_chain(1000);
    add_observer(rest, "DEF");
    RLTestingRunUntilIdle(NULL);
}
SCENARIO(chains_in_an_advance,
         .title = "Blocks that blocks queue are served before time passes, and before a run is idle",
         .clauses = "extension BLK-8",
         .rl_only = true,
         .expected = "end of the chain; timer 1; end of the chain; later 2; end of the chain; "
                     "rest BeforeWaiting; for the next pass")

static void advanced_by_two(void)
{
    RLTestClockRef clock = own_clock();

    timed("advances", 1, 0, ^{ elsewhere(^{ RLTestClockAdvance(clock, 1, NULL); }); });
    RLTestClockAdvance(clock, second_ns, NULL);
}
SCENARIO(advanced_by_two,
         .title = "A clock that two threads advance at once stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "advances 1; dies")

static void clock_of_two(void)
{
    own_clock();
    note("another");
    own_clock();
}
SCENARIO(clock_of_two,
         .title = "Giving a loop a second clock stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "another; dies")

static void everything_in_an_advance(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopSourceRef source = SOURCE("source", .perform = ^{ queue_block("block", "DEF", ^{}); });
    int counter = make_counter();
    RLRunLoopSourceRef port = PORT("port", counter);

    add_source(source, "DEF");
    add_source(port, "DEF");
    timed("timer", 1, 0, ^{
        signal_source(source);
        count_up(counter);
    });
    timed("later", 2, 0, NULL);
    queue_block("first", "DEF", ^{});
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    RLTestClockEnd(clock);
}
SCENARIO(everything_in_an_advance,
         .title = "All consequences of a date are served before the clock advances",
         .clauses = "extension",
         .rl_only = true,
         .expected = "first; timer 1; source; block; port; later 2")

static void runs_until_idle(void)
{
    RLRunLoopSourceRef source = SOURCE("source", .perform = ^{
        queue_block("block", "DEF", ^{ after(0, "timer", "DEF", ^{ note("done"); }); });
    });
    RLRunLoopObserverRef observer =
        OBSERVER("rest", .activities = kRLRunLoopBeforeWaiting, .once = true,
                 .observe = ^(RLRunLoopObserverRef called, unsigned long activity) {
                     signal_source(source);
                     RLRunLoopWakeUp(this_loop());
                 });

    add_source(source, "DEF");
    add_observer(observer, "DEF");
    after(1000, "far", "DEF", ^{});
    RLTestingRunUntilIdle(NULL);
    note("idle");
    RLTestingRunUntilIdle(kRLRunLoopDefaultMode);
}
SCENARIO(runs_until_idle,
         .title = "A run until idle serves all work, and the work that follows, and does not wait",
         .clauses = "extension",
         .rl_only = true,
         .expected = "rest BeforeWaiting; source; block; timer; done; idle")

static void clock_that_comes_in_a_run_until_idle(void)
{
    RLTestClockRef clock = RLTestClockCreate();

    queue_block("block", "DEF", ^{ RLTestClockAddLoop(clock, this_loop()); });
    after(1000, "far", "DEF", ^{});
    RLTestingRunUntilIdle(NULL);
    note("idle");
    RLTestClockEnd(clock);
}
SCENARIO(clock_that_comes_in_a_run_until_idle,
         .title = "A run until idle ends although the loop is given a clock meanwhile",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "block; idle")

/* --- Other threads ---------------------------------------------------------------------------- */

/* Makes a loop of another thread call a block, and wakes it. */
static void send_block(RLRunLoopRef loop, const char *name, action body)
{
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
        note("%s", name);
        body();
    });
    RLRunLoopWakeUp(loop);
}

/* A thread whose loop runs by a clock until it is stopped. */
struct timed_worker {
    struct helper_thread *thread;
    _Atomic(RLRunLoopRef) loop;
};

static void start_worker(struct timed_worker *worker, RLTestClockRef clock, double limit,
                         action prepare)
{
    struct gate *ready = make_gate();

    worker->thread = start_thread(^{
        worker->loop = this_loop();
        RLTestClockAddLoop(clock, this_loop());
        prepare();
        keep_alive("DEF");
        queue_block("runs", "DEF", ^{ open_gate(ready); });
        run("DEF", limit, false);
        note_time("ended");
    });
    pass_gate(ready);
}

static void advanced_from_elsewhere(void)
{
    RLTestClockRef clock = RLTestClockCreate();
    struct timed_worker worker = {0};

    RLTestClockSetNanoseconds(clock, second_ns);
    start_worker(&worker, clock, 3.5, ^{ timed("tick", 1, 1, NULL); });
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    note("two seconds");
    RLTestClockAdvance(clock, second_ns * 3 / 2, NULL);
    join_thread(worker.thread);
    RLTestClockEnd(clock);
}
SCENARIO(advanced_from_elsewhere,
         .title = "A loop that sleeps in another thread is served at each date, and its limit comes",
         .clauses = "extension",
         .rl_only = true,
         .expected = "runs; tick 1; tick 2; two seconds; tick 3; = TimedOut; ended 3.5")

static void advanced_in_turns(void)
{
    RLTestClockRef clock = own_clock();
    struct timed_worker worker = {0}, *shared = &worker;
    RLRunLoopRef own = this_loop();

    start_worker(&worker, clock, 100, ^{
        timed("theirs", 1, 2, ^{ send_block(own, "from them", ^{ note_time("here"); }); });
    });
    timed("ours", 2, 2, ^{ send_block(shared->loop, "from us", ^{ note_time("there"); }); });
    RLTestClockAdvance(clock, 4 * second_ns, NULL);
    RLRunLoopStop(worker.loop);
    join_thread(worker.thread);
    RLTestClockEnd(clock);
}
SCENARIO(advanced_in_turns,
         .title = "Blocks that loops send each other arrive at the date at which they were sent",
         .clauses = "extension",
         .rl_only = true,
         .expected = "runs; theirs 1; from them; here 1; ours 2; from us; there 2; theirs 3; "
                     "from them; here 3; ours 4; from us; there 4; = Stopped; ended 4")

static void timer_from_elsewhere(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopRef own = this_loop();
    /* When exactly it fires depends on how long the other thread's real clock takes. */
    RLRunLoopTimerRef timer = TIMER("ours", .after = 100);

    add_timer(timer, "DEF");
    RLTestClockAdvance(clock, 50 * second_ns, NULL);
    elsewhere(^{
        RLRunLoopTimerRef theirs = TIMER("theirs", .after = 10);
        RLRunLoopAddTimer(own, theirs, kRLRunLoopCommonModes);
        RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 20);
    });
    RLTestClockAdvance(clock, 9 * second_ns, NULL);
    note("nothing yet");
    RLTestClockAdvance(clock, second_ns, NULL);
    note("one");
    RLTestClockAdvance(clock, 9 * second_ns, NULL);
    note("two");
    RLTestClockAdvance(clock, second_ns, NULL);
    RLTestClockEnd(clock);
}
SCENARIO(timer_from_elsewhere,
         .title = "A timer that comes from a thread with another clock keeps its distance",
         .clauses = "extension",
         .rl_only = true,
         .expected = "nothing yet; theirs; one; two; ours")

static void clock_of_all(void)
{
    struct gate *ready = make_gate();
    RLRunLoopTimerRef before = TIMER("before", .after = 1000);

    add_timer(before, "DEF");
    __block RLRunLoopRef loop_of_thread = NULL;
    struct helper_thread *thread = start_thread(^{
        loop_of_thread = this_loop();
        queue_block("runs", "DEF", ^{ open_gate(ready); });
        keep_alive("DEF");
        run("DEF", 2000, false);
    });
    pass_gate(ready);
    wait_until_asleep(loop_of_thread);
    RLTestClockRef clock = RLTestClockCreate();
    RLTestClockAddAllLoops(clock);
    double date = RLAbsoluteTimeGetCurrent();
    elsewhere(^{
        RLTestClockAdvance(clock, 10 * second_ns, NULL);
        check(RLAbsoluteTimeGetCurrent() - date > 9.999);
    });
    RLTestClockAdvance(clock, 990 * second_ns, NULL);
    note("a thousand");
    RLTestClockAdvance(clock, 1000 * second_ns, NULL);
    join_thread(thread);
    RLTestClockEnd(clock);
    check(RLAbsoluteTimeGetCurrent() - date < 900);
}
SCENARIO(clock_of_all,
         .title = "All loops may use one clock, also while they sleep",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "runs; before; a thousand; = TimedOut")

/* A thread's loop sleeps until a timer or a limit, and its clock ends meanwhile. */
static void end_clock_in_sleep(double timer_seconds, double limit_seconds)
{
    RLTestClockRef clock = RLTestClockCreate();
    __block RLRunLoopRef loop = NULL;
    struct gate *ready = make_gate();
    struct helper_thread *thread = start_thread(^{
        loop = this_loop();
        RLTestClockAddLoop(clock, loop);
        after(timer_seconds, "timer", "DEF", ^{ stop(); });
        queue_block("runs", "DEF", ^{ open_gate(ready); });
        run("DEF", limit_seconds, false);
    });

    pass_gate(ready);
    wait_until_asleep(loop);
    RLTestClockEnd(clock);
    join_thread(thread);
}

static void clock_that_ends(void)
{
    end_clock_in_sleep(0.01, 10);
    end_clock_in_sleep(1000, 0.05);
}
SCENARIO(clock_that_ends,
         .title = "A loop that sleeps when its clock ends uses the kernel's then",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "runs; timer; = Stopped; runs; = TimedOut")

static void worker_that_answers_late(void)
{
    RLTestClockRef clock = own_clock();
    struct timed_worker worker = {0};
    struct gate *asked = make_gate();
    RLRunLoopRef own = this_loop();

    start_worker(&worker, clock, 100, ^{
        timed("asks", 1, 0, ^{
            send_block(own, "answer", ^{ open_gate(asked); });
            pass_gate(asked);
            note("answered");
        });
    });
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    RLRunLoopStop(worker.loop);
    join_thread(worker.thread);
    RLTestClockEnd(clock);
}
SCENARIO(worker_that_answers_late,
         .title = "A thread that advances serves those who wait for it",
         .clauses = "extension",
         .rl_only = true,
         .expected = "runs; asks 1; answer; answered; = Stopped; ended 2")

static void hosted_by_a_clock(void)
{
    RLTestClockRef clock = own_clock();
    int descriptor = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);

    timed("timer", 3600, 0, NULL);
    check(!host_is_called(descriptor, 0));
    elsewhere(^{ RLTestClockSetNanoseconds(clock, 3602 * second_ns); });
    check(host_is_called(descriptor, 10000));
    serve_hosted(descriptor);
    RLRunLoopEndHosting();
    RLTestClockEnd(clock);
}
SCENARIO(hosted_by_a_clock,
         .title = "A host is called when the clock of a test has come to a timer",
         .clauses = "extension",
         .rl_only = true,
         .expected = "timer 3601")

static void thread_that_leaves_an_advance(void)
{
    RLTestClockRef clock = RLTestClockCreate();

    elsewhere(^{
        RLTestClockAddLoop(clock, this_loop());
        RLRunLoopTimerRef timer =
            TIMER("leaves", .after = 1, .fire = ^(RLRunLoopTimerRef fired) { pthread_exit(NULL); });
        add_timer(timer, "DEF");
        RLTestClockAdvance(clock, 2 * second_ns, NULL);
    });
    RLTestClockAdvance(clock, 2 * second_ns, NULL);
    note("again");
    RLTestClockEnd(clock);
}
SCENARIO(thread_that_leaves_an_advance,
         .title = "A thread that ends in an advance leaves the clock to others",
         .clauses = "extension",
         .rl_only = true,
         .expected = "leaves; again")
