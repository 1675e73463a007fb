/*
 * Stopping (RUN-22 to RUN-28, RUN-40).
 */

#include "scenario.h"

#include <CRunLoop/RLRunLoopStatistics.h>
#include <CRunLoop/RLRunLoopWrapping.h>

static void stop_when_idle(void)
{
    double start = clock_now();

    stop();
    keep_alive("DEF");
    stop();
    run("DEF", 0.005, false);
    check(clock_now() - start >= 0.005);
}
SCENARIO(stop_when_idle,
         .title = "A stop of an idle loop is not remembered",
         .clauses = "RUN-22",
         .expected = "= TimedOut")

static void stop_in_exit(void)
{
    keep_alive("DEF");
    when(kRLRunLoopExit, "DEF", ^{
        note("stop");
        stop();
    });
    run("DEF", 0, false);
    run("DEF", 0.002, false);
}
SCENARIO(stop_in_exit,
         .title = "A stop in an Exit observer has no effect after its run",
         .clauses = "RUN-23",
         .expected = "stop; = TimedOut; stop; = TimedOut")

static void stop_before_the_wait(void)
{
    watch("DEF");
    keep_alive("DEF");
    when(kRLRunLoopBeforeTimers, "DEF", ^{ stop(); });
    run("DEF", 10, false);
}
SCENARIO(stop_before_the_wait,
         .title = "A stop before the wait still performs the rest of the pass",
         .clauses = "RUN-24",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= Stopped")

static void stop_before_nesting(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        stop();
        run("inner", 0.003, false);
    });

    keep_alive("inner");
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, false);
}
SCENARIO(stop_before_nesting,
         .title = "A stop before a nested run ends the outer run, not the nested one",
         .clauses = "RUN-25 RUN-23",
         .expected = "A; = TimedOut; = Stopped")

static void stop_while_nested(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        after(0.002, "t", "inner", ^{ stop(); });
        keep_alive("inner");
        run("inner", 10, false);
    });

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 0.004, false);
}
SCENARIO(stop_while_nested,
         .title = "A stop inside a nested run ends only the nested run",
         .clauses = "RUN-23 RUN-29",
         .expected = "A; t; = Stopped; = TimedOut")

static void nested_run_forever(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        after(0.002, "t1", "DEF", ^{ stop(); });
        RLRunLoopRun();
        note("nested returned");
        after(0.002, "t2", "DEF", ^{ stop(); });
    });

    add_source(source, "DEF");
    signal_source(source);
    RLRunLoopRun();
    note("outer returned");
}
SCENARIO(nested_run_forever,
         .title = "A stop inside a nested RunLoopRun ends only that one",
         .clauses = "RUN-27",
         .expected = "A; t1; nested returned; t2; outer returned")

static void stop_from_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *stopper = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopStop(loop);
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", __builtin_inf(), false);
    join_thread(stopper);
    run("DEF", 0.002, false);
}
SCENARIO(stop_from_elsewhere,
         .title = "A stop from another thread ends a sleep without limit, once",
         .clauses = "RUN-26 RUN-22 WAKE-7",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= Stopped; Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "Exit; = TimedOut")

static void wake_up_in_perform(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ wake_up(); });

    watch("DEF");
    add_source(source, "DEF");
    signal_source(source);
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ after(0.002, "t", "DEF", ^{ stop(); }); });
    run("DEF", 10, false);
}
SCENARIO(wake_up_in_perform,
         .title = "A wake-up in a perform callout is absorbed by the poll of its pass",
         .clauses = "RUN-40",
         .expected = "Entry; BeforeTimers; BeforeSources; A; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; t; Exit; = Stopped")

static void note_code(void)
{
    SInt32 code = RLRunLoopRunUntilStopped();
    note(code == 7 ? "code 7" : code == -1 ? "code -1" : code == 0 ? "code 0" : "another code");
}

static void run_until_stopped(void)
{
    RLRunLoopRef loop = this_loop();
    /* Nothing is in the loop. */
    struct helper_thread *stopper = start_thread(^{
        wait_until_asleep(loop);
        /* A pass that finds nothing. */
        struct gate *has_looked = make_gate();
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ open_gate(has_looked); });
        RLRunLoopWakeUp(loop);
        pass_gate(has_looked);
        wait_until_asleep(loop);
        RLRunLoopStopWithCode(loop, 7);
    });
    note_code();
    join_thread(stopper);
    queue_block("block", "DEF", ^{ stop(); });
    note_code();
    /* Both in one run. */
    queue_block("block", "DEF", ^{
        RLRunLoopStopWithCode(loop, 7);
        RLRunLoopStopWithCode(loop, 8);
    });
    note_code();
    RLRunLoopStatistics numbers;
    RLRunLoopGetStatistics(loop, &numbers);
    check(numbers.passes < 10);
}
SCENARIO(run_until_stopped,
         .title = "A run until it is stopped ends by nothing else, and has the first stop's code",
         .clauses = "extension NSRL-16 NSRL-17",
         .rl_only = true,
         .expected = "code 7; block; code 0; block; code 7")

static void stop_before_the_run(void)
{
    RLRunLoopRef loop = this_loop();
    watch("DEF");
    elsewhere(^{ RLRunLoopStopWithCode(loop, -1); });
    /* Another run leaves it alone. */
    keep_alive("DEF");
    run("DEF", 0, false);
    note_code();
    queue_block("block", "DEF", ^{ RLRunLoopStopWithCode(loop, 0); });
    note_code();
}
SCENARIO(stop_before_the_run,
         .title = "A stop with a code waits for the run that it is to end",
         .clauses = "extension NSRL-17 RUN-6",
         .rl_only = true,
         .expected = "Entry; BeforeTimers; BeforeSources; Exit; = TimedOut; Entry; Exit; code -1; "
                     "Entry; BeforeTimers; BeforeSources; block; BeforeWaiting; AfterWaiting; "
                     "Exit; code 0")

static void stop_with_code_while_nested(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        keep_alive("inner");
        after(0.002, "t1", "inner", ^{
            /* In two runs at once: the stop is for the inner one of its kind. */
            queue_block("block", "DEF", ^{ RLRunLoopStopWithCode(loop, 7); });
            note_code();
        });
        after(0.004, "t2", "inner", ^{ RLRunLoopStopWithCode(loop, -1); });
        run("inner", 10, false);
        /* This one does not know of the stop. */
        run("inner", 0.002, false);
    });

    add_source(source, "DEF");
    signal_source(source);
    note_code();
}
SCENARIO(stop_with_code_while_nested,
         .title = "A stop with a code ends the nested run, and then the one that waits for it",
         .clauses = "extension NSRL-17 RUN-23",
         .rl_only = true,
         .expected = "A; t1; block; code 7; t2; = Stopped; = TimedOut; code -1")
