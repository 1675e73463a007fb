/*
 * Nested runs (RUN-29 to RUN-33).
 */

#include "scenario.h"

static void nesting_same_mode(void)
{
    __block int depth = 0;
    __block RLRunLoopSourceRef source = NULL;

    source = SOURCE("A", .perform = ^{
        if (++depth < 4) {
            signal_source(source);
            run("DEF", 10, true);
        }
    });
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, true);
}
SCENARIO(nesting_same_mode,
         .title = "A source that is being performed is performed again by a nested run",
         .clauses = "RUN-29 RUN-30 SRC-16",
         .expected = "A; A; A; A; = HandledSource; = HandledSource; = HandledSource; "
                     "= HandledSource")

static void nesting_in_timer(void)
{
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 0.001, .fire = ^(RLRunLoopTimerRef fired) {
            stay_busy(0.003);
            run("DEF", 0.003, false);
            RLRunLoopTimerInvalidate(fired);
        });

    keep_alive("DEF");
    add_timer(timer, "DEF");
    run("DEF", 0.01, false);
}
SCENARIO(nesting_in_timer,
         .title = "A timer that is firing does not fire in a nested run",
         .clauses = "RUN-30 TMR-19 MODE-19",
         .expected = "t; = TimedOut; = TimedOut")

static void firing_timer_counts(void)
{
    after(-1, "t", "DEF", ^{ run("DEF", 0.003, false); });
    run("DEF", 10, false);
}
SCENARIO(firing_timer_counts,
         .title = "A firing timer keeps its mode from being empty for a nested run",
         .clauses = "MODE-19 RUN-21",
         .expected = "t; = TimedOut; = Finished")

static void nesting_in_observer(void)
{
    add_observer(OBSERVER("first", .activities = kRLRunLoopBeforeTimers | kRLRunLoopBeforeSources,
                          .observe =
                              ^(RLRunLoopObserverRef observer, unsigned long activity) {
                                  if (activity == kRLRunLoopBeforeTimers) run("DEF", 0, false);
                              }),
                 "DEF");
    add_observer(OBSERVER("second", .activities = kRLRunLoopBeforeTimers | kRLRunLoopBeforeSources),
                 "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
}
SCENARIO(nesting_in_observer,
         .title = "An observer that is being called misses all activities of nested runs",
         .clauses = "OBS-6 RUN-30",
         .expected = "first BeforeTimers; second BeforeTimers; second BeforeSources; = TimedOut; "
                     "second BeforeTimers; first BeforeSources; second BeforeSources; = TimedOut")

static void current_mode_when_nested(void)
{
    action log_mode = ^{
        char buffer[64];
        RLRunLoopMode mode = RLRunLoopCopyCurrentMode(this_loop());

        note("in %s", name_of_mode(mode, buffer, sizeof(buffer)));
        if (mode) RLRelease(mode);
    };
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        log_mode();
        run("inner", 0, false);
        log_mode();
    });

    log_mode();
    when(kRLRunLoopEntry | kRLRunLoopExit, "DEF", log_mode);
    when(kRLRunLoopEntry | kRLRunLoopExit, "inner", log_mode);
    keep_alive("inner");
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 0, false);
    log_mode();
}
SCENARIO(current_mode_when_nested,
         .title = "The current mode is that of the innermost run, from Entry to Exit",
         .clauses = "MODE-6 RUN-4",
         .expected = "in none; in DEF; A; in DEF; in inner; in inner; = TimedOut; in DEF; in DEF; "
                     "= TimedOut; in none")

static void outer_limit_passes_while_nested(void)
{
    double start = clock_now();

    keep_alive("DEF");
    keep_alive("inner");
    queue_block("block", "DEF", ^{ run("inner", 0.02, false); });
    run("DEF", 0.01, false);
    check(clock_now() - start >= 0.02);
}
SCENARIO(outer_limit_passes_while_nested,
         .title = "A limit that passes during a nested run in a block ends the outer run",
         .clauses = "RUN-31",
         .deviation = "D4: the reference loses the limit and sleeps for ever",
         .expected = "block; = TimedOut; = TimedOut")

static void outer_limit_wakes_no_nested_run(void)
{
    keep_alive("DEF");
    keep_alive("inner");
    watch("inner");
    queue_block("block", "DEF", ^{ run("inner", 0.02, false); });
    run("DEF", 0.01, false);
}
SCENARIO(outer_limit_wakes_no_nested_run,
         .title = "A limit that passes during a nested run makes no pass of that",
         .clauses = "RUN-32",
         .deviation = "D11: the reference makes a pass, and then loses the limit (D4)",
         .expected = "block; Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= TimedOut; = TimedOut")

static void signal_while_nested(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    RLStringRef inner = mode_named("inner");
    struct gate *nested = make_gate();
    struct helper_thread *signaller = start_thread(^{
        pass_gate(nested);
        wait_until_asleep(loop);
        signal_source(source);
        RLRunLoopWakeUp(loop);
    });

    add_source(source, "DEF");
    keep_alive("inner");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        open_gate(nested);
        note("= %s", name_of_result(RLRunLoopRunInMode(inner, 0.02, false)));
    });
    run("DEF", 20, true);
    join_thread(signaller);
}
SCENARIO(signal_while_nested,
         .title = "A source of the outer mode that is signalled during a nested run performs next",
         .clauses = "RUN-31",
         .deviation = "D4: the reference performs it only when something else wakes the loop",
         .expected = "= TimedOut; A; = HandledSource")

static void stop_before_nesting_in_observer(void)
{
    keep_alive("DEF");
    keep_alive("inner");
    when_next(kRLRunLoopBeforeSources, "DEF", ^{
        stop();
        run("inner", 0.005, false);
    });
    run("DEF", 10, false);
}
SCENARIO(stop_before_nesting_in_observer,
         .title = "A stop before a nested run in an observer ends the outer run",
         .clauses = "RUN-25 RUN-31",
         .deviation = "D4: the nested run of the reference swallows the wake-up of the stop",
         .expected = "= TimedOut; = Stopped")

static void block_while_nested(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *sender;
    struct gate *nested = make_gate();

    sender = start_thread(^{
        pass_gate(nested);
        wait_until_asleep(loop);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
            note("block");
            stop();
        });
        RLRunLoopWakeUp(loop);
    });
    keep_alive("DEF");
    keep_alive("inner");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        open_gate(nested);
        run("inner", 0.02, false);
    });
    run("DEF", 20, false);
    join_thread(sender);
}
SCENARIO(block_while_nested,
         .title = "A block for the outer mode that is sent during a nested run is run next",
         .clauses = "RUN-31",
         .deviation = "D4: the reference runs it only when something else wakes the loop",
         .expected = "= TimedOut; block; = Stopped")

static void emptied_while_nested(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = keep_alive("DEF");
    struct gate *nested = make_gate();
    struct helper_thread *remover = start_thread(^{
        pass_gate(nested);
        wait_until_asleep(loop);
        RLRunLoopSourceInvalidate(source);
        RLRunLoopWakeUp(loop);
    });

    keep_alive("inner");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        open_gate(nested);
        run("inner", 0.02, false);
    });
    run("DEF", 20, false);
    join_thread(remover);
}
SCENARIO(emptied_while_nested,
         .title = "A run whose mode another thread empties during a nested run ends after that run",
         .clauses = "RUN-31 WAKE-5",
         .deviation = "D4: the reference ends only when something else wakes the loop",
         .expected = "= TimedOut; = Finished")

static void woken_after_nesting_in_entry(void)
{
    keep_alive("DEF");
    keep_alive("inner");
    when_next(kRLRunLoopEntry, "DEF", ^{
        run("inner", 0, false);
        wake_up();
    });
    when(kRLRunLoopAfterWaiting, "DEF", ^{
        note("woken");
        stop();
    });
    run("DEF", 10, false);
}
SCENARIO(woken_after_nesting_in_entry,
         .title = "A wake-up in an Entry observer counts, after a nested run too",
         .clauses = "WAKE-3 RUN-31",
         .expected = "= TimedOut; woken; = Stopped")
