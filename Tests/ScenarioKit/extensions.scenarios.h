/*
 * Extensions of ours beside descriptors: statistics, signal handlers, forked children.
 */

#include <CRunLoop/RLTesting.h>

static void statistics(void)
{
    RLRunLoopStatistics numbers;
    loop_ref loop = this_loop();
    int counter = make_counter();
    source_ref source = SOURCE("A", .quiet = true, .perform = ^{
        RLRunLoopStatistics inside;
        RLRunLoopGetStatistics(loop, &inside);
        check(inside.phase == kRLRunLoopPhaseSource0);
        check(inside.callout != NULL);
    });

    RLRunLoopGetStatistics(loop, &numbers);
    check(numbers.runs == 0 && numbers.passes == 0 && numbers.phase == kRLRunLoopPhaseIdle);
    check(numbers.threadID == gettid());
    add_source(source, "DEF");
    signal_source(source);
    when(K(RunLoopEntry), "DEF", ^{
        RLRunLoopStatistics inside;
        RLRunLoopGetStatistics(loop, &inside);
        check(inside.phase == kRLRunLoopPhaseObserver);
    });
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{});
    add_timer(TIMER("t", .after = -1, .quiet = true), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    add_source(PORT("p", counter, .quiet = true), "DEF");
    count_up(counter);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.003, false);

    RLRunLoopGetStatistics(loop, &numbers);
    check(numbers.runs == 2);
    check(numbers.passes == 3);
    check(numbers.sleeps == 1);
    check(numbers.wakeUpsByTimer == 1);
    check(numbers.wakeUpsByDescriptor == 1);
    check(numbers.wakeUpsByTimeout == 1);
    check(numbers.wakeUpsByToken == 0);
    check(numbers.wakeUpsByMainQueue == 0);
    check(numbers.observerCallouts == 2);
    check(numbers.blockCallouts == 1);
    check(numbers.source0Callouts == 1);
    check(numbers.source1Callouts == 1);
    check(numbers.timerCallouts == 1);
    check(numbers.nanosecondsAsleep >= 2000000);
    check(numbers.phase == kRLRunLoopPhaseIdle && numbers.callout == NULL);
}
SCENARIO(statistics,
         .title = "The statistics of a loop count what it did and tell what it does",
         .clauses = "extension",
         .expected = "")

static void statistics_from_elsewhere(void)
{
    loop_ref loop = this_loop();
    pid_t thread = gettid();
    struct helper_thread *asker = start_thread(^{
        RLRunLoopStatistics numbers;
        wait_until_asleep(loop);
        RLRunLoopGetStatistics(loop, &numbers);
        check(numbers.phase == kRLRunLoopPhaseWaiting);
        check(numbers.threadID == thread);
        RLRunLoopStop(loop);
    });

    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(asker);
}
SCENARIO(statistics_from_elsewhere,
         .title = "Another thread can see that a loop sleeps",
         .clauses = "extension",
         .expected = "= Stopped")

static bool is_listed(loop_ref loop)
{
    RLArrayRef loops = RLRunLoopCopyAllLoops();
    bool found = false;

    for (long index = 0; index < RLArrayGetCount(loops); index++) {
        if (RLArrayGetValueAtIndex(loops, index) == loop) found = true;
    }
    RLRelease(loops);
    return found;
}

static void all_loops(void)
{
    loop_ref loop = this_loop();
    __block loop_ref other = NULL;

    check(is_listed(loop));
    check(is_listed(RLRunLoopGetMain()));
    elsewhere(^{
        other = (loop_ref)RLRetain(this_loop());
        check(is_listed(loop) && is_listed(other));
    });
    check(!is_listed(other));
    RLRelease(other);
}
SCENARIO(all_loops,
         .title = "The list of all loops has those of living threads",
         .clauses = "extension",
         .expected = "")

/* For the handlers below, which get no argument. */
static RLRunLoopRef loop_of_handler;

static void stop_in_handler(int number)
{
    (void)number;
    RLRunLoopStop(loop_of_handler);
}

static void wake_in_handler(int number)
{
    (void)number;
    RLRunLoopWakeUp(loop_of_handler);
}

static void signal_handlers(void)
{
    loop_ref loop = this_loop();
    pthread_t thread = pthread_self();
    struct sigaction stopping = {.sa_handler = stop_in_handler};
    struct sigaction waking = {.sa_handler = wake_in_handler};
    struct gate *awake = make_gate();
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        pthread_kill(thread, SIGUSR1);
        pass_gate(awake);
        wait_until_asleep(loop);
        pthread_kill(thread, SIGUSR2);
    });

    /* A thread started by a dispatch worker inherits its mask, which blocks signals. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    loop_of_handler = loop;
    sigaction(SIGUSR1, &waking, NULL);
    sigaction(SIGUSR2, &stopping, NULL);
    watch("DEF");
    when_next(K(RunLoopAfterWaiting), "DEF", ^{ open_gate(awake); });
    keep_alive("DEF");
    run("DEF", __builtin_inf(), false);
    join_thread(sender);
}
SCENARIO(signal_handlers,
         .title = "A signal handler on the loop's own thread can wake and stop it",
         .clauses = "extension WAKE-1 RUN-26",
         .own_process = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; = Stopped")

static void storm_of_handlers(void)
{
    loop_ref loop = this_loop();
    pthread_t thread = pthread_self();
    struct sigaction waking = {.sa_handler = wake_in_handler};
    __block int performed = 0;
    source_ref source = SOURCE("A", .quiet = true, .perform = ^{ performed++; });
    struct gate *ready = make_gate();
    struct helper_thread *sender = start_thread(^{
        pass_gate(ready);
        for (int count = 0; count < 3000; count++) pthread_kill(thread, SIGUSR1);
        RLRunLoopStop(loop);
    });

    /* A thread started by a dispatch worker inherits its mask, which blocks signals. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    loop_of_handler = loop;
    sigaction(SIGUSR1, &waking, NULL);
    add_source(source, "DEF");
    when(K(RunLoopBeforeTimers), "DEF", ^{ signal_source(source); });
    when_next(K(RunLoopEntry), "DEF", ^{ open_gate(ready); });
    run("DEF", 20, false);
    join_thread(sender);
    check(performed > 0);
}
SCENARIO(storm_of_handlers,
         .title = "Signal handlers may interrupt the loop anywhere",
         .clauses = "extension",
         .own_process = true,
         .expected = "= Stopped")

/* Uses the inherited loop in a forked child; returns 0 if all went well. */
static int use_in_child(loop_ref inherited)
{
    __block int fired = 0;
    __block int fed = 0;
    int counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop_ref loop = this_loop();

    alarm(10);
    if (loop != inherited) return 1;
    add_source(PORT("p", counter, .quiet = true, .perform = ^{ fed++; }), "DEF");
    add_timer(TIMER("t", .after = 0.005, .quiet = true, .fire = ^(timer_ref timer) {
                  (void)timer;
                  fired++;
                  RLRunLoopWakeUp(loop);
              }), "DEF");
    count_up(counter);
    int result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.02, false);
    if (result != kRLRunLoopRunTimedOut) return 2;
    if (fired != 1) return 3;
    if (fed != 1) return 4;

    pthread_t thread;
    void *(*start)(void *) = (void *(*)(void *))(void *)RLRunLoopGetCurrent;
    void *other = NULL;
    if (pthread_create(&thread, NULL, start, NULL) != 0) return 5;
    pthread_join(thread, &other);
    return other == NULL || other == loop ? 6 : 0;
}

static void forked_child(void)
{
    loop_ref loop = this_loop();
    int counter = make_counter();
    int status = 0;

    add_source(PORT("parent", counter), "DEF");
    add_timer(TIMER("parent timer", .after = 0.4), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    pid_t child = fork();
    if (child == 0) _exit(use_in_child(loop));
    count_up(counter);
    run("DEF", 10, true);
    waitpid(child, &status, 0);
    check(WIFEXITED(status));
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    remove_source(keep_alive("DEF"), "DEF");
    count_up(counter);
    run("DEF", 10, true);
    after(0.5, "stop", "DEF", ^{ stop(); });
    run("DEF", 10, false);
}
SCENARIO(forked_child,
         .title = "A forked child uses the inherited loop without disturbing its parent",
         .clauses = "LIFE-20 LIFE-21 DEF-23",
         .own_process = true,
         .expected = "parent; = HandledSource; child: 0; parent; = HandledSource; parent timer; "
                     "stop; = Stopped")

static void forked_child_of_main(void)
{
    forked_child();
}
SCENARIO(forked_child_of_main,
         .title = "A child forked on the main thread uses the inherited main loop",
         .clauses = "LIFE-20 LIFE-21 DEF-23",
         .main_thread = true,
         .expected = "parent; = HandledSource; child: 0; parent; = HandledSource; parent timer; "
                     "stop; = Stopped")

static void forked_in_callout(void)
{
    loop_ref loop = this_loop();
    int status = 0;
    __block pid_t child = 0;
    source_ref source = SOURCE("A", .quiet = true, .perform = ^{ child = fork(); });

    add_source(source, "DEF");
    signal_source(source);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.003, false);
    if (child == 0) _exit(use_in_child(loop));
    waitpid(child, &status, 0);
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
SCENARIO(forked_in_callout,
         .title = "A child forked in a callout goes on in its copy of the run",
         .clauses = "LIFE-20 LIFE-21",
         .own_process = true,
         .expected = "child: 0")

/* The hooks exist in debug builds only, and so do these. */
#if defined(RL_TESTING)
static void frozen_clock(void)
{
    RLTestingSetClock(1000000000);
    timer_ref first = TIMER("first", .after = -5, .order = 9);
    timer_ref second = TIMER("second", .after = -5, .order = 0);
    timer_ref third = TIMER("third", .after = -5, .order = -9);

    add_timer(second, "DEF");
    add_timer(first, "DEF");
    add_timer(third, "DEF");
    run("DEF", 10, false);
    RLTestingUseRealClock();
}
SCENARIO(frozen_clock,
         .title = "Timers that are due at the same instant fire in the order of addition",
         .clauses = "TEST-10 TMR-13",
         .expected = "second; first; third; = Finished")

static void jumping_clock(void)
{
    RLTestingSetClock(1000000000);
    timer_ref timer = TIMER("t", .after = 3600, .quiet = true);

    add_timer(timer, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1800, false);
    check(RLTestingGetClock() >= 1000000000 + 1800LL * 1000000000);
    check(RLRunLoopTimerIsValid(timer));
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    check(RLTestingGetClock() >= 1000000000 + 3599LL * 1000000000);
    check(!RLRunLoopTimerIsValid(timer));
    RLTestingVerifyLoop(this_loop());
    RLTestingUseRealClock();
}
SCENARIO(jumping_clock,
         .title = "With a clock that tests own, an idle loop is at its next deadline at once",
         .clauses = "extension RUN-38 TMR-12",
         .expected = "")
#endif

static const struct scenario *const extensions_scenarios[] = {
#if defined(RL_TESTING)
    LISTED(frozen_clock),
    LISTED(jumping_clock),
#endif
    LISTED(statistics),
    LISTED(statistics_from_elsewhere),
    LISTED(all_loops),
    LISTED(signal_handlers),
    LISTED(storm_of_handlers),
    LISTED(forked_child),
    LISTED(forked_child_of_main),
    LISTED(forked_in_callout),
    NULL,
};
