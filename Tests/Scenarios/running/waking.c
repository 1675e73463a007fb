/*
 * Waking and waiting (WAKE-1 to WAKE-11).
 */

#include "scenario.h"

#include <stdatomic.h>

/*
 * Runs until the loop has woken up `wake_ups` times and sleeps on, and logs how often it woke up,
 * the end included.
 */
static void count_wake_ups(const char *situation, int wake_ups)
{
    RLRunLoopRef loop = this_loop();
    __block atomic_int count = 0;
    __block atomic_bool is_over = false;
    RLRunLoopObserverRef counter = when(kRLRunLoopAfterWaiting, "DEF", ^{ count++; });
    struct helper_thread *stopper = start_thread(^{
        while (!is_over && (count < wake_ups || !RLRunLoopIsWaiting(loop))) sched_yield();
        stop_later(loop, 0.003);
    });

    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false) == kRLRunLoopRunStopped);
    is_over = true;
    join_thread(stopper);
    note("%s: %d", situation, count);
    RLRunLoopObserverInvalidate(counter);
}

static void dropped_wake_ups(void)
{
    __block int wakes = 0;
    RLRunLoopObserverRef observer = NULL;

    keep_alive("DEF");
    wake_up();
    count_wake_ups("before", 0);
    observer = when(kRLRunLoopEntry, "DEF", ^{
        wake_up();
        wake_up();
    });
    count_wake_ups("twice in Entry", 1);
    RLRunLoopObserverInvalidate(observer);
    observer = when(kRLRunLoopAfterWaiting, "DEF", ^{ wake_up(); });
    count_wake_ups("in AfterWaiting", 0);
    RLRunLoopObserverInvalidate(observer);
    after(-1, "t", "DEF", ^{ wake_up(); });
    count_wake_ups("in a timer", 1);
    observer = when(kRLRunLoopBeforeWaiting, "DEF", ^{
        if (wakes++ == 0) wake_up();
    });
    count_wake_ups("in BeforeWaiting", 1);
    RLRunLoopObserverInvalidate(observer);
    when_next(kRLRunLoopExit, "DEF", ^{ wake_up(); });
    count_wake_ups("in Exit", 0);
    count_wake_ups("after Exit", 0);
}
SCENARIO(dropped_wake_ups,
         .title = "Wake-ups count from Entry to the wait, and as one; others are dropped",
         .clauses = "WAKE-2 WAKE-3 WAKE-4 WAKE-5",
         .expected = "before: 1; twice in Entry: 2; in AfterWaiting: 1; t; in a timer: 2; "
                     "in BeforeWaiting: 2; in Exit: 1; after Exit: 1")

static void wake_up_from_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *waker = start_thread(^{
        wait_until_asleep(loop);
        for (int count = 0; count < 100; count++) RLRunLoopWakeUp(loop);
    });

    watch("DEF");
    keep_alive("DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        join_thread(waker);
        after(0.002, "t", "DEF", ^{ stop(); });
    });
    run("DEF", 10, false);
}
SCENARIO(wake_up_from_elsewhere,
         .title = "Many wake-ups before the next pass cause one",
         .clauses = "WAKE-1 WAKE-4 WAKE-6",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; Exit; = Stopped",
         .deviation = "the token may be read between two of the hundred calls")

static void is_waiting(void)
{
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    action ask = ^{ check(!RLRunLoopIsWaiting(loop)); };
    RLRunLoopSourceRef source = SOURCE("A", .perform = ask);
    struct gate *second_run = make_gate();
    struct helper_thread *sleeper = start_thread(^{
        pass_gate(second_run);
        wait_until_asleep(loop);
        note("asleep");
        count_up(counter);
    });

    ask();
    when(kRLRunLoopAllActivities, "DEF", ask);
    add_source(source, "DEF");
    add_source(PORT("p", counter, .perform = ask), "DEF");
    signal_source(source);
    queue_block("b", "DEF", ask);
    after(-1, "t", "DEF", ask);
    run("DEF", 10, true);
    when_next(kRLRunLoopEntry, "DEF", ^{ open_gate(second_run); });
    run("DEF", 10, true);
    join_thread(sleeper);
    ask();
}
SCENARIO(is_waiting,
         .title = "A loop is waiting in its sleep only, never in a callout",
         .clauses = "WAKE-8",
         .expected = "b; A; t; = HandledSource; asleep; p; = HandledSource")

static void nested_is_waiting(void)
{
    RLRunLoopRef loop = this_loop();
    struct gate *nested = make_gate();
    struct helper_thread *sleeper = start_thread(^{
        pass_gate(nested);
        wait_until_asleep(loop);
        note("asleep");
        RLRunLoopStop(loop);
    });
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        keep_alive("inner");
        open_gate(nested);
        run("inner", 10, false);
    });

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, true);
    join_thread(sleeper);
}
SCENARIO(nested_is_waiting,
         .title = "A nested sleep makes the loop waiting, and a stop then ends the nested run",
         .clauses = "WAKE-8 RUN-23",
         .expected = "A; asleep; = Stopped; = HandledSource")

static void take_signal(int number)
{
}

static void signals_do_not_wake(void)
{
    RLRunLoopRef loop = this_loop();
    pthread_t thread = pthread_self();
    struct sigaction handling = {.sa_handler = take_signal};
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        for (int count = 0; count < 5; count++) {
            pthread_kill(thread, SIGUSR1);
            stay_busy(0.002);
        }
        note("sent");
        RLRunLoopStop(loop);
    });

    sigaction(SIGUSR1, &handling, NULL);
    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(sender);
}
SCENARIO(signals_do_not_wake,
         .title = "UNIX signals do not end the wait",
         .clauses = "WAKE-10",
         .own_process = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; sent; AfterWaiting; Exit; "
                     "= Stopped")
