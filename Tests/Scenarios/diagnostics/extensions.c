/*
 * Extensions of ours beside descriptors: statistics and signal handlers.
 */

#include "queues.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopTracer.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdatomic.h>

/* Waits until a loop of another thread sleeps, and returns its statistics then. */
static RLRunLoopStatistics statistics_of_sleeper(RLRunLoopRef loop)
{
    RLRunLoopStatistics numbers;

    do {
        sched_yield();
        RLRunLoopGetStatistics(loop, &numbers);
    } while (numbers.phase != kRLRunLoopPhaseWaiting);
    return numbers;
}

static void statistics(void)
{
    RLRunLoopStatistics numbers;
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{
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
    when(kRLRunLoopEntry, "DEF", ^{
        RLRunLoopStatistics inside;
        RLRunLoopGetStatistics(loop, &inside);
        check(inside.phase == kRLRunLoopPhaseObserver);
    });
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{});
    add_timer(TIMER("t", .after = -1, .quiet = true), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    struct gate *performed = make_gate();
    add_source(PORT("p", counter, .quiet = true, .perform = ^{ open_gate(performed); }), "DEF");
    count_up(counter);
    struct helper_thread *stopper = start_thread(^{
        pass_gate(performed);
        statistics_of_sleeper(loop);
        stop_later(loop, 0.002);
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
    join_thread(stopper);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);

    RLRunLoopGetStatistics(loop, &numbers);
    check(numbers.runs == 3);
    check(numbers.passes == 4);
    check(numbers.sleeps == 3);
    check(numbers.wakeUpsByTimer == 1);
    check(numbers.wakeUpsByDescriptor == 1);
    check(numbers.wakeUpsByTimeout == 1);
    check(numbers.wakeUpsByToken == 1);
    check(numbers.wakeUpsByMainQueue == 0);
    check(numbers.observerCallouts == 3);
    check(numbers.blockCallouts == 1);
    check(numbers.source0Callouts == 1);
    check(numbers.source1Callouts == 1);
    check(numbers.timerCallouts == 1);
    check(numbers.nanosecondsAsleep >= 2000000);
    check(numbers.phase == kRLRunLoopPhaseIdle && numbers.callout == NULL);
}
SCENARIO(statistics,
         .title = "The statistics of a loop count its work and contain its current phase",
         .clauses = "extension",
         .rl_only = true)

/* For how long the loop has been in its phase. */
static double seconds_in_phase(RLRunLoopRef loop)
{
    RLRunLoopStatistics numbers;

    RLRunLoopGetStatistics(loop, &numbers);
    return (double)numbers.nanosecondsInPhase / 1e9;
}

static void phase_since(void)
{
    RLRunLoopRef loop = this_loop();
    __block double inner_began = 0;
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{
        RLRunLoopRunInMode(mode_named("M"), 0, false);
        /* The inner callout took 50 ms; the clock of phases has ticks of some milliseconds. */
        check(seconds_in_phase(loop) < clock_now() - inner_began - 0.02);
    });

    add_timer(TIMER("t", .after = -1, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            inner_began = clock_now();
                            stay_busy(0.05);
                            check(seconds_in_phase(loop) >= 0.03);
                        }),
              "M");
    add_source(source, "DEF");
    signal_source(source);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    check(inner_began > 0);

    when_next(kRLRunLoopEntry, "DEF", ^{
        RLRunLoopStatistics numbers;
        add_timer(TIMER("far", .after = 1000, .quiet = true), "M");
        RLRunLoopRunInMode(mode_named("M"), 0.001, false);
        RLRunLoopGetStatistics(loop, &numbers);
        /* Not the nested run's activity after its sleep. */
        check(numbers.sleeps == 1 && numbers.phase == kRLRunLoopPhaseObserver);
        note("asked");
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}
SCENARIO(phase_since,
         .title = "Statistics contain the duration of the loop's current phase",
         .clauses = "extension",
         .rl_only = true,
         .expected = "asked")

static void statistics_from_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    pid_t thread = gettid();
    struct helper_thread *requester = start_thread(^{
        check(statistics_of_sleeper(loop).threadID == thread);
        RLRunLoopStop(loop);
    });

    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(requester);
}
SCENARIO(statistics_from_elsewhere,
         .title = "Another thread can see that a loop sleeps",
         .clauses = "extension",
         .rl_only = true,
         .expected = "= Stopped")

static bool is_listed(RLRunLoopRef loop)
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
    RLRunLoopRef loop = this_loop();
    __block RLRunLoopRef other = NULL;

    check(is_listed(loop));
    check(is_listed(RLRunLoopGetMain()));
    elsewhere(^{
        other = (RLRunLoopRef)RLRetain(this_loop());
        check(is_listed(loop) && is_listed(other));
    });
    check(!is_listed(other));
    RLRelease(other);
}
SCENARIO(all_loops,
         .title = "The list of all loops has those of living threads",
         .clauses = "extension",
         .rl_only = true)

/* For the handlers below, which get no argument. */
static RLRunLoopRef loop_of_handler;

static void stop_in_handler(int number)
{
    RLRunLoopStop(loop_of_handler);
}

static void wake_in_handler(int number)
{
    RLRunLoopWakeUp(loop_of_handler);
}

static void signal_handlers(void)
{
    RLRunLoopRef loop = this_loop();
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
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{ open_gate(awake); });
    keep_alive("DEF");
    run("DEF", __builtin_inf(), false);
    join_thread(sender);
}
SCENARIO(signal_handlers,
         .title = "A signal handler on the loop's own thread can wake and stop it",
         .clauses = "extension WAKE-1 RUN-26",
         .rl_only = true,
         .own_process = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; = Stopped")

static void storm_of_handlers(void)
{
    RLRunLoopRef loop = this_loop();
    pthread_t thread = pthread_self();
    struct sigaction waking = {.sa_handler = wake_in_handler};
    __block int performed = 0;
    struct gate *ready = make_gate();
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{
        if (performed++ == 0) open_gate(ready);
    });
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
    when(kRLRunLoopBeforeTimers, "DEF", ^{ signal_source(source); });
    run("DEF", 20, false);
    join_thread(sender);
}
SCENARIO(storm_of_handlers,
         .title = "Signal handlers may interrupt the loop anywhere",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped")

/* The number of the loop's sleeps. */
static unsigned long long sleeps(RLRunLoopRef loop)
{
    RLRunLoopStatistics numbers;

    RLRunLoopGetStatistics(loop, &numbers);
    return numbers.sleeps;
}

/* Runs until the helper has done something to the loop, which waits by then. */
static void run_and_meanwhile(action something)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *helper = start_thread(^{
        wait_until_asleep(loop);
        something();
    });

    run("DEF", 1000, true);
    join_thread(helper);
}

static void note_argument(void *text)
{
    RLRunLoopStatistics numbers;

    RLRunLoopGetStatistics(this_loop(), &numbers);
    check(numbers.phase == kRLRunLoopPhaseBlock);
    check(numbers.callout == (const void *)(uintptr_t)note_argument);
    note("%s", (const char *)text);
}

static void stop_loop(void *loop)
{
    RLRunLoopStop(loop);
}

static void perform_function(void)
{
    RLRunLoopRef loop = this_loop();
    const void *names[] = {mode_named("A"), mode_named("B")};
    RLArrayRef modes = RLArrayCreate(NULL, names, 2, &kRLTypeArrayCallBacks);

    queue_block("block", "DEF", NULL);
    RLRunLoopPerformFunction(loop, kRLRunLoopDefaultMode, note_argument, "function");
    queue_block("other block", "DEF", NULL);
    RLRunLoopPerformFunction(loop, kRLRunLoopCommonModes, note_argument, "common");
    RLRunLoopPerformFunction(loop, modes, note_argument, "array");
    RLRunLoopPerformFunction(loop, kRLRunLoopDefaultMode, NULL, "no function");
    RLRunLoopPerformFunction(loop, NULL, note_argument, "no mode");
    run("DEF", 0, false);
    run("B", 0, false);
    run("A", 0, false);
    keep_alive("DEF");
    run_and_meanwhile(^{
        RLRunLoopPerformFunction(loop, kRLRunLoopDefaultMode, note_argument, "elsewhere");
        RLRunLoopPerformFunction(loop, kRLRunLoopDefaultMode, stop_loop, (void *)loop);
        RLRunLoopWakeUp(loop);
    });
    /* Never called. */
    RLRunLoopPerformFunction(loop, mode_named("C"), note_argument, "left");
    RLRelease(modes);
}
SCENARIO(perform_function,
         .title = "A function is queued as a block is",
         .clauses = "extension BLK-1 BLK-2 BLK-4",
         .rl_only = true,
         .expected_hints = "the block is dropped",
         .expected = "block; function; other block; common; = TimedOut; array; = TimedOut; "
                     "= Finished; elsewhere; = Stopped")

/* A closure whose words are a function, which is never called, and its text. */
static void call_words(void *words)
{
    note("%s", ((const char **)words)[1]);
}

static void release_words(const void *words)
{
    note("%s released", ((const char *const *)words)[1]);
}

static bool perform_closure_in(RLTypeRef mode, const char *text)
{
    const void *words[] = {NULL, text};
    return RLRunLoopPerformClosure(this_loop(), mode, call_words, release_words, words);
}

static void perform_closure(void)
{
    queue_block("block", "DEF", NULL);
    check(perform_closure_in(kRLRunLoopDefaultMode, "first"));
    check(perform_closure_in(kRLRunLoopCommonModes, "second"));
    check(!perform_closure_in(NULL, "no mode"));
    run("DEF", 0, false);
    /* Never called, but released with the loop. */
    check(perform_closure_in(mode_named("C"), "left"));
}
SCENARIO(perform_closure,
         .title = "A closure is queued as a block is, and released once",
         .clauses = "extension BLK-1 BLK-2",
         .rl_only = true,
         .expected_hints = "the block is dropped",
         .expected = "block; first; first released; second; second released; = TimedOut; "
                     "left released")

/* Shows the entries of a tracer's first recording. */
static void visit_entries(RLRunLoopTracerRef tracer,
                          void (^visit)(RLRunLoopRecordingRef, const RLRunLoopTraceEntry *))
{
    RLArrayRef recordings = RLRunLoopTracerCopyRecordings(tracer);
    RLRunLoopRecordingRef recording =
        (RLRunLoopRecordingRef)(uintptr_t)RLArrayGetValueAtIndex(recordings, 0);
    RLRunLoopTraceEntry entries[64];
    RLIndex count = RLRunLoopRecordingGetEntries(recording, 0, entries, 64);
    for (RLIndex index = 0; index < count; index++) visit(recording, &entries[index]);
    RLRelease(recordings);
}

static void function_traced(void)
{
    static char text[] = "function";
    RLRunLoopTracerRef tracer = RLRunLoopTracerCreate(NULL, 0);

    check(RLRunLoopTracerStart(tracer, this_loop()));
    RLRunLoopPerformFunction(this_loop(), kRLRunLoopDefaultMode, note_argument, text);
    run("DEF", 0, false);
    RLRunLoopTracerStop(tracer, this_loop());

    visit_entries(tracer, ^(RLRunLoopRecordingRef recording, const RLRunLoopTraceEntry *entry) {
        if (entry->kind != kRLRunLoopTraceCalloutBegin) return;
        check(entry->function == (const void *)(uintptr_t)note_argument);
        check(entry->captured == text);
        note("traced");
    });
    RLRelease(tracer);
}
SCENARIO(function_traced,
         .title = "A tracer records the called function and its argument",
         .clauses = "extension",
         .rl_only = true,
         .expected = "function; = TimedOut; traced")

static void note_entry(RLRunLoopRecordingRef recording, const RLRunLoopTraceEntry *entry)
{
    static const char *const kinds[] = {
        [kRLRunLoopTraceRunBegin] = "run",
        [kRLRunLoopTraceRunEnd] = "end of run",
        [kRLRunLoopTraceActivity] = "activity",
        [kRLRunLoopTraceCalloutBegin] = "call",
        [kRLRunLoopTraceCalloutEnd] = "end of call",
        [kRLRunLoopTraceCalloutFunction] = "function",
        [kRLRunLoopTraceSleep] = "sleep",
        [kRLRunLoopTraceWakeUp] = "wake-up",
    };
    bool is_run = entry->kind == kRLRunLoopTraceRunBegin;
    RLStringRef mode = is_run ? RLRunLoopRecordingCopyModeName(recording, entry->mode) : NULL;
    if (mode) {
        note("%s in %s", kinds[entry->kind], RLStringGetCStringPtr(mode, kRLStringEncodingUTF8));
        RLRelease(mode);
    } else {
        note("%s", kinds[entry->kind]);
    }
}

static void callouts_traced(void)
{
    RLRunLoopTracerRef tracer = RLRunLoopTracerCreateForCallouts(NULL, 0);

    keep_alive("A");
    check(RLRunLoopTracerStart(tracer, this_loop()));
    /* Wants an activity in the middle of a run. */
    RLRunLoopObserverRef observer = when(kRLRunLoopBeforeSources, "A", ^{});
    /* The mode B comes while the loop is traced. */
    queue_block("block", "A", ^{
        keep_alive("B");
        run("B", 0.001, false);
    });
    run("A", 0, false);
    /* The mode's remaining observed activities are the tracer's. */
    RLRunLoopObserverInvalidate(observer);
    run("A", 0, false);
    RLRunLoopTracerStop(tracer, this_loop());
    run("A", 0, false);

    visit_entries(tracer, ^(RLRunLoopRecordingRef recording, const RLRunLoopTraceEntry *entry) {
        note_entry(recording, entry);
    });
    RLRelease(tracer);
}
SCENARIO(callouts_traced,
         .title = "A tracer of callbacks records them and runs, and nothing in between",
         .clauses = "extension",
         .rl_only = true,
         .expected = "block; = TimedOut; = TimedOut; = TimedOut; = TimedOut; "
                     "run in A; call; end of call; call; run in B; end of run; end of call; "
                     "end of run; run in A; end of run")

static void note_descriptor(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    note("descriptor");
}

/* The loop calls a function of the engine, which calls the client's. */
static void client_function_traced(void)
{
    RLRunLoopTracerRef tracer = RLRunLoopTracerCreateForCallouts(NULL, 0);
    int ends[2];

    check(pipe2(ends, O_CLOEXEC) == 0 && write(ends[1], "x", 1) == 1);
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, ends[0], true, note_descriptor, NULL);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
    add_source(source, "DEF");
    check(RLRunLoopTracerStart(tracer, this_loop()));
    run("DEF", 10, true);
    RLRunLoopTracerStop(tracer, this_loop());

    visit_entries(tracer, ^(RLRunLoopRecordingRef recording, const RLRunLoopTraceEntry *entry) {
        bool is_client = entry->function == (const void *)(uintptr_t)note_descriptor;
        bool is_function = entry->kind == kRLRunLoopTraceCalloutFunction;
        if (is_function && is_client) note("traced");
    });
    RLRelease(tracer);
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(source);
    RLRelease(descriptor);
    close(ends[1]);
}
SCENARIO(client_function_traced,
         .title = "A tracer records the client's function that an adaptor of the engine calls",
         .clauses = "extension",
         .rl_only = true,
         .expected = "descriptor; = HandledSource; traced")

static void signal_and_wake_up(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopSourceRef busy = SOURCE("B", .perform = ^{
        for (int count = 0; count < 3; count++) RLRunLoopSourceSignalAndWakeUp(source, loop);
        check(RLRunLoopSourceIsSignalled(source));
    });

    add_source(source, "DEF");
    run_and_meanwhile(^{ RLRunLoopSourceSignalAndWakeUp(source, loop); });
    add_source(busy, "DEF");
    RLRunLoopSourceSignalAndWakeUp(busy, loop);
    for (int pass = 0; pass < 3; pass++) run("DEF", 0, true);
    RLRunLoopSourceInvalidate(source);
    /* A wake-up and nothing else. */
    after(1000, "far", "DEF", ^{});
    when(kRLRunLoopAfterWaiting, "DEF", ^{
        note("woken");
        stop();
    });
    run_and_meanwhile(^{ RLRunLoopSourceSignalAndWakeUp(source, loop); });
}
SCENARIO(signal_and_wake_up,
         .title = "A source is signalled and a loop woken by one call",
         .clauses = "extension SRC-16 SRC-17 WAKE-1",
         .rl_only = true,
         .expected = "A; = HandledSource; B; = HandledSource; A; = HandledSource; = TimedOut; "
                     "woken; = Stopped")

/*
 * Of the last signal of each volley the loop must hear, whatever it does at that moment: claims the
 * source for the one before, calls it, or falls asleep.
 */
static void storm_of_signals(void)
{
    enum { VOLLEYS = 20000, SIGNALS = 3 };
    RLRunLoopRef loop = this_loop();
    __block atomic_int sent = 0, seen = 0;
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{
        int count = atomic_load_explicit(&sent, memory_order_relaxed);
        atomic_store(&seen, count);
        if (count == VOLLEYS * SIGNALS) stop();
    });

    add_source(source, "DEF");
    struct helper_thread *sender = start_thread(^{
        for (int count = 1; count <= VOLLEYS * SIGNALS; count++) {
            atomic_store_explicit(&sent, count, memory_order_relaxed);
            RLRunLoopSourceSignalAndWakeUp(source, loop);
            while (count % SIGNALS == 0 && atomic_load(&seen) < count) sched_yield();
        }
    });
    run("DEF", 1000, false);
    atomic_store(&seen, VOLLEYS * SIGNALS);
    join_thread(sender);
}
SCENARIO(storm_of_signals,
         .title = "No signal from another thread is lost while the loop sleeps and serves alternately",
         .clauses = "extension SRC-16 WAKE-1",
         .rl_only = true,
         .expected = "= Stopped")

static void busy_poll(void)
{
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    RLRunLoopSourceRef source = SOURCE("A");

    check(RLRunLoopGetBusyPollInterval(loop) == 0);
    add_source(source, "DEF");
    run_and_meanwhile(^{ RLRunLoopStop(loop); });
    check(sleeps(loop) == 1);

    RLRunLoopSetBusyPollInterval(loop, 1e6);
    check(RLRunLoopGetBusyPollInterval(loop) == 1e6);
    run_and_meanwhile(^{
        signal_source(source);
        RLRunLoopWakeUp(loop);
    });
    run_and_meanwhile(^{ RLRunLoopStop(loop); });
    run_and_meanwhile(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
            note("block");
            RLRunLoopStop(loop);
        });
        RLRunLoopWakeUp(loop);
    });
    after(0.001, "t", "DEF", ^{ RLRunLoopStop(loop); });
    run("DEF", 1000, true);
    add_source(PORT("p", counter), "DEF");
    run_and_meanwhile(^{ count_up(counter); });
    check(sleeps(loop) == 1);
    run("DEF", 0.002, true);

    RLRunLoopSetBusyPollInterval(loop, -1);
    check(RLRunLoopGetBusyPollInterval(loop) == 0);
    RLRunLoopSetBusyPollInterval(loop, __builtin_nan(""));
    check(RLRunLoopGetBusyPollInterval(loop) == 0);
}
SCENARIO(busy_poll,
         .title = "A loop with a busy-poll interval polls before it sleeps, and misses no event",
         .clauses = "extension",
         .rl_only = true,
         .expected = "= Stopped; A; = HandledSource; = Stopped; block; = Stopped; t; = Stopped; "
                     "p; = HandledSource; = TimedOut")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void busy_poll_main_queue(void)
{
    RLRunLoopSetBusyPollInterval(this_loop(), 1e6);
    keep_alive("DEF");
    run_and_meanwhile(^{ dispatch_async(&_dispatch_main_q, ^{ note("item"); }); });
    check(sleeps(this_loop()) == 0);
}
SCENARIO(busy_poll_main_queue,
         .title = "The main dispatch queue ends a busy wait",
         .clauses = "extension MAINQ-2",
         .rl_only = true,
         .main_thread = true,
         .expected = "item; = HandledSource")
#endif

static long count_loops(void)
{
    RLArrayRef loops = RLRunLoopCopyAllLoops();
    long count = RLArrayGetCount(loops);

    RLRelease(loops);
    return count;
}

static void asked_by_wrappers(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopMode mode = kRLRunLoopDefaultMode;

    check(RLRunLoopIsCurrent(loop));
    check(!RLRunLoopIsCurrent(RLRunLoopGetMain()));
    check(RLRunLoopGetRunningOrMain() == RLRunLoopGetMain());
    RLRunLoopPerformBlock(loop, mode, ^{ check(RLRunLoopGetRunningOrMain() == loop); });
    RLRunLoopRunInMode(mode, 0, false);
    check(RLRunLoopGetRunningOrMain() == RLRunLoopGetMain());
    elsewhere(^{
        long before = count_loops();
        check(!RLRunLoopIsCurrent(loop));
        check(RLRunLoopGetRunningOrMain() == RLRunLoopGetMain());
        check(!RLRunLoopRunUnlessEmpty(loop, mode, 0, false));
        check(count_loops() == before);
    });

    check(RLRunLoopModeIsEmpty(loop, mode));
    when(kRLRunLoopAllActivities, "DEF", ^{});
    check(RLRunLoopModeIsEmpty(loop, mode));
    check(!RLRunLoopRunUnlessEmpty(loop, mode, 0, false));
    RLRunLoopSourceRef source = keep_alive("DEF");
    check(!RLRunLoopModeIsEmpty(loop, mode));
    remove_source(source, "DEF");
    check(RLRunLoopModeIsEmpty(loop, mode));
    queue_block("block", "DEF", NULL);
    check(!RLRunLoopModeIsEmpty(loop, mode));
    check(RLRunLoopRunUnlessEmpty(loop, mode, 0, false));
}
SCENARIO(asked_by_wrappers,
         .title = "Wrappers can check whether a loop is the thread's own, and whether a mode is empty",
         .clauses = "SPI-1 SPI-2 SPI-3 MODE-18",
         .rl_only = true,
         .own_process = true,
         .expected = "block")
