/*
 * Finding loops, references, and the end of a thread (LIFE-1 to LIFE-19).
 */

#include "scenario.h"
#include "thread_words.h"

static void lookup(void)
{
    RLRunLoopRef loop = this_loop(), main_loop = RLRunLoopGetMain();

    check(loop != NULL && main_loop != NULL);
    check(this_loop() == loop);
    check(loop != main_loop);
    elsewhere(^{
        check(this_loop() != loop);
        check(RLRunLoopGetMain() == main_loop);
    });
}
SCENARIO(lookup,
         .title = "Every thread has one loop, and all agree on the main one",
         .clauses = "LIFE-1 LIFE-2 LIFE-3")

static void main_lookup(void)
{
    check(this_loop() == RLRunLoopGetMain());
    elsewhere(^{ check(this_loop() != RLRunLoopGetMain()); });
}
SCENARIO(main_lookup,
         .title = "The main thread's loop is the main loop",
         .clauses = "LIFE-2",
         .main_thread = true)

static void loop_references(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    RLRunLoopObserverRef observer = OBSERVER("o");
    long count = RLGetRetainCount(loop);

    add_timer(timer, "COM");
    add_observer(observer, "COM");
    note("timer and observer: %ld", RLGetRetainCount(loop) - count);
    add_source(source, "DEF");
    add_source(source, "M");
    add_source(source, "COM");
    note("source: %ld", RLGetRetainCount(loop) - count);
    remove_source(source, "M");
    note("source: %ld", RLGetRetainCount(loop) - count);
    RLRunLoopSourceInvalidate(source);
    note("invalid: %ld", RLGetRetainCount(loop) - count);
}
SCENARIO(loop_references,
         .title = "A source retains its loop once, timers and observers do not",
         .clauses = "LIFE-7",
         .expected_hints = "never ran",
         .expected = "timer and observer: 0; source: 1; source: 1; invalid: 0")

static void end_of_thread(void)
{
    RLRunLoopSourceRef one = SOURCE("one", .logs_modes = true, .logs_references = true);
    RLRunLoopSourceRef two = PORT("two", make_counter(), .logs_references = true);
    RLRunLoopObserverRef observer = OBSERVER("observer", .logs_references = true);
    RLRunLoopTimerRef timer = TIMER("timer", .after = 1000, .logs_references = true);
    RLRunLoopRef loop = this_loop();

    /* The port comes first, and leaves last. */
    add_source(two, "DEF");
    add_source(one, "DEF");
    add_observer(observer, "DEF");
    add_timer(timer, "DEF");
    queue_block("block", "DEF", NULL);
    in_rounds(2, ^(int round) {
        check(this_loop() == loop);
        check(has_source(one, "DEF") && has_timer(timer, "DEF"));
        note("round %d", round);
    });
    at_return(^{ note("end"); });
}
SCENARIO(end_of_thread,
         .title = "A loop that ends cancels sources, then releases observers, then timers",
         .clauses = "LIFE-8 LIFE-9 LIFE-10 LIFE-11 LIFE-12 BLK-15",
         .expected_hints = "never ran",
         .expected = "one retained; two retained; observer retained; timer retained; "
                     "one joins DEF; end; round 1; round 2; one leaves DEF; one released; "
                     "two released; observer released; "
                     "timer released")

static int null_balance;

static const void *retain_null(const void *info)
{
    check(info == NULL);
    null_balance++;
    return info;
}

static void release_null(const void *info)
{
    check(info == NULL);
    null_balance--;
}

static void timer_without_info(RLRunLoopTimerRef timer, void *info)
{
}

static void observer_without_info(RLRunLoopObserverRef observer, RLRunLoopActivity activity,
                                  void *info)
{
}

static void socket_without_info(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                                const void *data, void *info)
{
}

static void null_infos(void)
{
    RLRunLoopTimerContext of_timer = {.retain = retain_null, .release = release_null};
    RLRunLoopObserverContext of_observer = {.retain = retain_null, .release = release_null};
    RLSocketContext of_socket = {.retain = retain_null, .release = release_null};
    int ends[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent(), 0.001, 0, 0,
                                                   timer_without_info, &of_timer);
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(NULL, kRLRunLoopAllActivities, true, 0,
                                                            observer_without_info, &of_observer);
    RLSocketRef socket = RLSocketCreateWithNative(NULL, ends[0], kRLSocketWriteCallBack,
                                                  socket_without_info, &of_socket);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);

    add_timer(timer, "DEF");
    add_observer(observer, "DEF");
    add_source(source, "DEF");
    run("DEF", 0.005, false);
    note("%d", null_balance);
    RLRunLoopTimerInvalidate(timer);
    RLRunLoopObserverInvalidate(observer);
    RLSocketInvalidate(socket);
    note("%d", null_balance);
    RLRelease(timer);
    RLRelease(observer);
    RLRelease(source);
    RLRelease(socket);
    close(ends[1]);
    note("%d", null_balance);
}
SCENARIO(null_infos,
         .title = "A context retains and releases an info that is null like any other",
         .clauses = "TMR-8 TMR-18 OBS-9 SOCK-22",
         .own_process = true,
         .expected = "= TimedOut; 3; 0; 0")

static void cancel_at_end(void)
{
    pthread_t thread = pthread_self();
    RLRunLoopRef loop = this_loop();
    __block RLRunLoopSourceRef source = NULL;

    source = SOURCE("A", .cancel = ^{
        check(pthread_equal(thread, pthread_self()));
        check(this_loop() == loop);
    });
    add_source(source, "DEF");
    add_source(source, "M");
    add_source(source, "M");
}
SCENARIO(cancel_at_end,
         .title = "At the end of a thread a source is cancelled there, with the loop still current",
         .clauses = "LIFE-11 LIFE-14",
         .deviation = "MODE-17: the order of modes is open",
         .expected = "A joins DEF; A joins M; A leaves DEF; A leaves M")

static void items_survive(void)
{
    __block RLRunLoopSourceRef source = NULL;
    __block RLRunLoopTimerRef timer = NULL;
    __block RLRunLoopObserverRef observer = NULL;

    elsewhere(^{
        source = SOURCE("A", .logs_modes = true);
        timer = TIMER("t", .after = -1);
        observer = OBSERVER("o", .activities = kRLRunLoopEntry);
        add_source(source, "DEF");
        add_timer(timer, "DEF");
        add_observer(observer, "DEF");
        signal_source(source);
    });
    check(RLRunLoopSourceIsValid(source) && RLRunLoopTimerIsValid(timer));
    check(RLRunLoopObserverIsValid(observer));
    add_source(source, "DEF");
    add_timer(timer, "DEF");
    add_observer(observer, "DEF");
    run("DEF", 0, false);
}
SCENARIO(items_survive,
         .title = "Items of a loop that died are valid and can be added to another",
         .clauses = "LIFE-13 TMR-9 OBS-3",
         .expected_hints = "never ran",
         .expected = "A joins DEF; A leaves DEF; A joins DEF; o Entry; A; t; = TimedOut; "
                     "A leaves DEF")

static void retained_loop(void)
{
    __block RLRunLoopRef loop = NULL;
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);
    RLRunLoopTimerRef timer = TIMER("t", .after = -1);
    RLRunLoopObserverRef observer = OBSERVER("o");

    elsewhere(^{
        loop = (RLRunLoopRef)RLRetain(this_loop());
        keep_alive("DEF");
    });
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRunLoopRemoveTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);
    RLRunLoopRemoveObserver(loop, observer, kRLRunLoopDefaultMode);
    RLRunLoopRemoveSource(loop, source, kRLRunLoopDefaultMode);
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ note("never"); });
    RLRunLoopWakeUp(loop);
    RLRunLoopStop(loop);
    check(!RLRunLoopIsWaiting(loop));
    check(RLRunLoopCopyCurrentMode(loop) == NULL);
    RLRelease(loop);
    note("released");
}
SCENARIO(retained_loop,
         .title = "A loop that outlives its thread can be used without effect and released",
         .clauses = "LIFE-17 BLK-15",
         .expected_hints = "the block is dropped",
         .expected = "released")

static void adding_to_dead_loop(void)
{
    __block RLRunLoopRef loop = NULL;
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    elsewhere(^{ loop = (RLRunLoopRef)RLRetain(this_loop()); });
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    note_answer("contained", RLRunLoopContainsSource(loop, source, kRLRunLoopDefaultMode));
    RLRunLoopRemoveSource(loop, source, kRLRunLoopDefaultMode);
    RLRelease(loop);
}
SCENARIO(adding_to_dead_loop,
         .title = "A loop whose thread ended takes no source",
         .clauses = "LIFE-17",
         .deviation = "D5: the reference takes it, so that each keeps the other alive",
         .expected = "contained: no",
         .reference = "A joins DEF; contained: yes; A leaves DEF")

static void adding_callbacks_to_dead_loop(void)
{
    __block RLRunLoopRef loop = NULL;
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    RLRunLoopObserverRef observer = OBSERVER("o");
    RLRunLoopMode mode = kRLRunLoopDefaultMode;

    elsewhere(^{ loop = (RLRunLoopRef)RLRetain(this_loop()); });
    RLRunLoopAddTimer(loop, timer, mode);
    RLRunLoopAddObserver(loop, observer, mode);
    note_answer("timer", RLRunLoopContainsTimer(loop, timer, mode));
    note_answer("observer", RLRunLoopContainsObserver(loop, observer, mode));
    check(RLRunLoopTimerIsValid(timer) && RLRunLoopObserverIsValid(observer));
    RLRelease(loop);
}
SCENARIO(adding_callbacks_to_dead_loop,
         .title = "A loop whose thread ended takes no timer and no observer, which stay valid",
         .clauses = "LIFE-17",
         .deviation = "D5: the reference takes them, but never calls them",
         .expected = "timer: no; observer: no",
         .reference = "timer: yes; observer: yes")

static void queueing_in_dead_loop(void)
{
    __block RLRunLoopRef loop = NULL;

    elsewhere(^{ loop = (RLRunLoopRef)RLRetain(this_loop()); });
    RLRunLoopPerformBlock(loop, mode_named("M"), ^{ note("never"); });
    RLArrayRef modes = RLRunLoopCopyAllModes(loop);
    RLRange all = {0, RLArrayGetCount(modes)};
    note_answer("mode", RLArrayContainsValue(modes, all, mode_named("M")));
    RLRelease(modes);
    RLRelease(loop);
}
SCENARIO(queueing_in_dead_loop,
         .title = "A block that is queued in a loop whose thread ended makes no mode",
         .clauses = "LIFE-17 BLK-2",
         .deviation = "D5: the reference makes it, and never calls the block",
         .expected_hints = "the block is dropped",
         .expected = "mode: no",
         .reference = "mode: yes")

static void end_of_kept_loop(void)
{
    __block RLRunLoopRef loop = NULL;

    elsewhere(^{
        RLRunLoopTimerRef timer =
            TIMER("timer", .after = 1000, .logs_references = true, .owned = true);
        RLRunLoopObserverRef observer =
            OBSERVER("observer", .logs_references = true, .owned = true);
        RLRunLoopSourceRef source = SOURCE("source", .logs_references = true, .owned = true);
        add_timer(timer, "DEF");
        add_observer(observer, "DEF");
        add_source(source, "DEF");
        RLRelease(timer);
        RLRelease(observer);
        RLRelease(source);
        loop = (RLRunLoopRef)RLRetain(this_loop());
    });
    note("gone");
    RLRelease(loop);
}
SCENARIO(end_of_kept_loop,
         .title = "Items in a loop are released with its thread, even if the loop is still retained",
         .clauses = "LIFE-10 LIFE-11 LIFE-12 LIFE-17",
         .deviation = "D45: in the reference all but the sources goes with the last reference",
         .expected_hints = "never ran",
         .expected = "timer retained; observer retained; source retained; source released; "
                     "observer released; timer released; gone",
         .reference = "timer retained; observer retained; source retained; source released; gone; "
                      "observer released; timer released")

static void end_with_common_source(void)
{
    __block RLRunLoopRef loop = NULL;
    RLRunLoopSourceRef source = SOURCE("source", .logs_modes = true);

    elsewhere(^{
        add_source(source, "COM");
        loop = (RLRunLoopRef)RLRetain(this_loop());
    });
    note_answer("common", RLRunLoopContainsSource(loop, source, kRLRunLoopCommonModes));
    note_answer("default", RLRunLoopContainsSource(loop, source, kRLRunLoopDefaultMode));
    RLRelease(loop);
}
SCENARIO(end_with_common_source,
         .title = "A common source leaves the loop with its thread, even if the loop is still retained",
         .clauses = "LIFE-11 LIFE-17",
         .deviation = "D45: in the reference it stays a common item of the loop that it has left",
         .expected = "source joins DEF; source leaves DEF; common: no; default: no",
         .reference = "source joins DEF; source leaves DEF; common: yes; default: no")

static void adding_in_teardown(void)
{
    RLRunLoopSourceRef late = SOURCE("late", .logs_modes = true);

    elsewhere(^{
        RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true, .cancel = ^{
            add_source(late, "DEF");
            note_answer("contained", has_source(late, "DEF"));
        });
        add_source(source, "DEF");
    });
    note("gone");
}
SCENARIO(adding_in_teardown,
         .title = "A source added while a loop is being torn down is refused",
         .clauses = "LIFE-14",
         .deviation = "D5: the reference takes it, and both leak",
         .expected = "A joins DEF; A leaves DEF; contained: no; gone",
         .reference = "A joins DEF; A leaves DEF; late joins DEF; contained: yes; gone")

/* The thread sanitizer takes its own thread state down before the fourth round. */
#if !__has_feature(thread_sanitizer)
static void lookup_after_teardown(void)
{
    RLRunLoopRef loop = this_loop();

    in_rounds(4, ^(int round) {
        RLRunLoopRef found = this_loop();
        /* In the third round it depends on the order of keys who is first. */
        const char *answer = found == loop ? "the loop" : found == NULL ? "none" : "another";
        if (round != 3) note("round %d: %s", round, answer);
    });
}
SCENARIO(lookup_after_teardown,
         .title = "After its loop was torn down, a thread has none",
         .clauses = "LIFE-9 LIFE-16",
         .deviation = "D8: the reference crashes",
         .expected = "round 1: the loop; round 2: the loop; round 4: none")
#endif

static void thread_exit_in_callout(void)
{
    elsewhere(^{
        RLRunLoopSourceRef source =
            SOURCE("A", .logs_modes = true, .perform = ^{ pthread_exit(NULL); });
        add_source(source, "DEF");
        signal_source(source);
        run("DEF", 10, false);
    });
    note("gone");
}
SCENARIO(thread_exit_in_callout,
         .title = "A thread that exits in a callout still tears its loop down",
         .clauses = "RUN-42 LIFE-8",
         .deviation = "RUN-42: undefined in the reference",
         .expected = "A joins DEF; A; A leaves DEF; gone")

static void run_after_exit_in_callout(void)
{
    elsewhere(^{
        RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
            in_rounds(1, ^(int round) {
                /* The former stack of the callback. */
                volatile char frame[16384];
                for (size_t index = 0; index < sizeof(frame); index++) frame[index] = index & 1;
                run("M", 0, false);
                run("M", 0.001, false);
                for (size_t index = 0; index < sizeof(frame); index++) {
                    check(frame[index] == (index & 1));
                }
                note("round %d", round);
            });
            pthread_exit(NULL);
        });
        add_source(source, "DEF");
        add_timer(TIMER("t", .after = 1000), "M");
        signal_source(source);
        run("DEF", 10, false);
    });
}
SCENARIO(run_after_exit_in_callout,
         .title = "Destructors may run the loop of a thread that left a callout",
         .clauses = "RUN-42 LIFE-9",
         .deviation = "RUN-42: undefined in the reference",
         .expected = "A; = TimedOut; = TimedOut; round 1")

static void exit_in_timer_and_observer(void)
{
    __block bool is_first = true;
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 0.002, .fire = ^(RLRunLoopTimerRef fired) {
            if (is_first) pthread_exit(NULL);
            stop();
        });
    RLRunLoopObserverRef observer =
        OBSERVER("o", .activities = kRLRunLoopEntry,
                 .observe = ^(RLRunLoopObserverRef called, unsigned long activity) {
                     if (is_first) pthread_exit(NULL);
                 });

    elsewhere(^{
        add_timer(timer, "DEF");
        run("DEF", 10, false);
    });
    elsewhere(^{
        keep_alive("DEF");
        add_observer(observer, "DEF");
        run("DEF", 10, false);
    });
    is_first = false;
    add_timer(timer, "DEF");
    add_observer(observer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(exit_in_timer_and_observer,
         .title = "A timer or observer whose callback left by pthread_exit serves another loop",
         .clauses = "RUN-42 LIFE-12",
         .deviation = "RUN-42: undefined in the reference",
         .expected = "t; o Entry; o Entry; t; = Stopped")

static void end_without_use(void)
{
    int before = count_descriptors();

    for (int count = 0; count < 50; count++) {
        elsewhere(^{
            keep_alive("DEF");
            add_timer(TIMER("t", .after = 1000), "M");
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
        });
    }
    check(count_descriptors() == before);
}
SCENARIO(end_without_use,
         .title = "Threads that come and go leave no descriptors behind",
         .clauses = "LIFE-12",
         .own_process = true,
         .deviation = "the reference's dispatch timers have descriptors of their own")
