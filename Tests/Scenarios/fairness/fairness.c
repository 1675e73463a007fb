/*
 * Whatever else is ready, timers, the main queue and blocks have their turn.
 */

#include "queues.h"
#include "scenario.h"

/* A port that is ready again as soon as it has been served. */
static void add_busy_port(const char *mode)
{
    int counter = make_counter();

    add_source(PORT("busy", counter, .quiet = true, .perform = ^{ count_up(counter); }), mode);
    count_up(counter);
}

static void busy_port_and_timer(void)
{
    add_busy_port("DEF");
    run_for_timer();
}
SCENARIO(busy_port_and_timer,
         .title = "A timer fires beside a port that is always ready",
         .clauses = "RUN-19",
         .expected = "= Stopped; fired 10 times")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void busy_port_and_main_queue(void)
{
    __block bool is_done = false;
    int runs = 0;

    add_busy_port("DEF");
    enqueue("item", ^{ is_done = true; });
    /* Each run begins anew, and has no turn of the queue's in its only pass. */
    while (!is_done && runs++ < 100) {
        RLRunLoopRunInMode(mode_named("DEF"), 20, true);
    }
    note(is_done ? "served" : "starved");
}
SCENARIO(busy_port_and_main_queue,
         .title = "The main queue is served beside a port that ends each run",
         .clauses = "RUN-19 MAINQ-3 MAINQ-4",
         .main_thread = true,
         .deviation = "D47: the reference looks at the queue only when no port is ready",
         .expected = "item; served",
         .reference = "starved")

static void busy_timer_and_main_queue(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 0, .interval = 1000, .quiet = true);
    __block int served = 0;
    int runs = 0;

    add_timer(timer, "DEF");
    enqueue("item", ^{
        served++;
        enqueue("item", ^{ served++; });
    });
    /* The timer is due in each run, which makes one pass. */
    while (served < 2 && runs++ < 20) {
        RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() - 1);
        RLRunLoopRunInMode(mode_named("DEF"), 0, false);
    }
    if (served == 2) {
        note("served in %d runs", runs);
    } else {
        note("starved");
    }
}
SCENARIO(busy_timer_and_main_queue,
         .title = "Runs that only look serve the main queue beside a timer that is due in each",
         .clauses = "RUN-19 MAINQ-3 MAINQ-4",
         .main_thread = true,
         .deviation = "D47: the reference looks at the queue only when no timer is due",
         .expected = "item; item; served in 4 runs",
         .reference = "starved")
#endif

static void busy_port_and_blocks(void)
{
    RLRunLoopRef loop = this_loop();
    __block int left = 100;

    add_busy_port("DEF");
    struct helper_thread *client = start_thread(^{
        for (int count = 0; count < 100; count++) {
            RLRunLoopPerformBlock(loop, mode_named("DEF"), ^{
                if (--left == 0) stop();
            });
        }
    });
    run("DEF", 20, false);
    join_thread(client);
}
SCENARIO(busy_port_and_blocks,
         .title = "Blocks run beside a port that is always ready, even without a wake-up",
         .clauses = "RUN-19 BLK-7",
         .expected = "= Stopped")

static void stop_before_nesting_after_wait(void)
{
    watch("M");
    add_source(SOURCE("keeper"), "M");
    after(0, "t", "DEF", ^{
        stop();
        run("M", 0.002, false);
    });
    run("DEF", 10, false);
}
SCENARIO(stop_before_nesting_after_wait,
         .title = "A stop after the wait leaves no wake-up for a nested run",
         .clauses = "WAKE-2 RUN-25 RUN-23",
         .expected = "t; Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= TimedOut; = Stopped")

static void nested_run_without_wake_up(void)
{
    RLRunLoopRef loop = this_loop();
    struct gate *nested = make_gate();
    struct helper_thread *waker = start_thread(^{
        pass_gate(nested);
        wait_until_asleep(loop);
        stay_busy(0.003);
        note("wakes");
        RLRunLoopWakeUp(loop);
    });

    add_source(SOURCE("keeper"), "DEF");
    add_source(SOURCE("keeper"), "M");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        run("M", 0, false);
        queue_block("block", "DEF", ^{ stop(); });
        open_gate(nested);
    });
    run("DEF", 10, false);
    join_thread(waker);
}
SCENARIO(nested_run_without_wake_up,
         .title = "After a nested run that took no wake-up, a block waits for one",
         .clauses = "RUN-31 BLK-9",
         .expected = "= TimedOut; wakes; block; = Stopped")

static void block_of_another_thread_before_waiting(void)
{
    RLRunLoopRef loop = this_loop();

    add_source(SOURCE("keeper"), "DEF");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        elsewhere(^{
            /* The loop does not wait, so this client does not wake it. */
            check(!RLRunLoopIsWaiting(loop));
            RLRunLoopPerformBlock(loop, mode_named("DEF"), ^{
                note("block");
                stop();
            });
        });
    });
    run("DEF", is_on_reference ? 0.05 : 10, false);
}
SCENARIO(block_of_another_thread_before_waiting,
         .title = "A block that another thread queues before the sleep is not left behind",
         .clauses = "WAKE-5 BLK-7",
         .deviation = "D46: the reference sleeps, until its limit here",
         .expected = "block; = Stopped",
         .reference = "block; = TimedOut")

static void own_block_before_waiting(void)
{
    watch("DEF");
    add_source(SOURCE("keeper"), "DEF");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ queue_block("block", "DEF", ^{ stop(); }); });
    run("DEF", 0.01, false);
}
SCENARIO(own_block_before_waiting,
         .title = "A block that an observer queues before the sleep waits for its end",
         .clauses = "WAKE-7 BLK-7",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; block; Exit; "
                     "= TimedOut")

static void due_timer_nested_after_waiting(void)
{
    after(0.001, "t", "DEF", ^{});
    add_source(SOURCE("keeper"), "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        note("nested");
        run("DEF", 0, false);
    });
    run("DEF", 0.01, false);
}
SCENARIO(due_timer_nested_after_waiting,
         .title = "A timer that ended the wait fires in a run that an observer nests before it",
         .clauses = "RUN-29 TMR-13",
         .deviation = "D49: the reference leaves it to the run whose wait it ended",
         .expected = "nested; t; = TimedOut; = TimedOut",
         .reference = "nested; = TimedOut; t; = TimedOut")

static void batch_gives_up_sources(void)
{
    __block RLRunLoopSourceRef first = NULL;
    RLRunLoopSourceRef second = SOURCE("B", .order = 2);

    first = SOURCE("A", .order = 1, .owned = true, .logs_references = true,
                   .perform = ^{ remove_source(first, "DEF"); });
    add_source(first, "DEF");
    add_source(second, "DEF");
    signal_source(first);
    signal_source(second);
    RLRelease(first);
    run("DEF", 0, false);
}
SCENARIO(batch_gives_up_sources,
         .title = "A source that leaves in its own call is released before the next of the batch",
         .clauses = "SRC-20 SRC-24",
         .deviation = "D50: the reference releases the whole batch at its end",
         .expected = "A retained; A; A released; B; = TimedOut",
         .reference = "A retained; A; B; A released; = TimedOut")

static void invalid_common_items_in_no_mode(void)
{
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopObserverRef observer = OBSERVER("o");
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    add_source(source, "COM");
    add_observer(observer, "COM");
    add_timer(timer, "COM");
    remove_source(source, "DEF");
    remove_observer(observer, "DEF");
    remove_timer(timer, "DEF");
    RLRunLoopSourceInvalidate(source);
    RLRunLoopObserverInvalidate(observer);
    RLRunLoopTimerInvalidate(timer);
    note_answer("source", has_source(source, "COM"));
    note_answer("observer", has_observer(observer, "COM"));
    note_answer("timer", has_timer(timer, "COM"));
    RLRunLoopRemoveSource(this_loop(), source, kRLRunLoopCommonModes);
    RLRunLoopRemoveObserver(this_loop(), observer, kRLRunLoopCommonModes);
}
SCENARIO(invalid_common_items_in_no_mode,
         .title = "Items that are invalidated when they are common and in no mode are common no more",
         .clauses = "SRC-28",
         .deviation = "D20: the reference keeps sources and observers",
         .expected = "source: no; observer: no; timer: no",
         .reference = "source: yes; observer: yes; timer: no")
