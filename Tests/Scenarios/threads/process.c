/* The whole process: forbidden calls, the main thread's end, many threads. */

#include "../messages/message_words.h"
#include "scenario.h"

STOPS(source_of_nothing, RLRunLoopSourceCreate(NULL, 0, NULL),
      .title = "A source without a context stops the process", .clauses = "SRC-1")

static void over_released_loop(void)
{
    RLRunLoopRef loop = this_loop();

    note("releasing");
    for (int count = 0; count < 3; count++) RLRelease(loop);
    note("released");
}
SCENARIO(over_released_loop,
         .title = "Releasing a living loop to nothing stops the process",
         .clauses = "LIFE-5",
         .dies = true,
         .expected = "releasing; dies")

static void over_released_once(void)
{
    RLRunLoopRef loop = RLRunLoopGetMain();

    RLRelease(RLRetain(loop));
    elsewhere(^{ check(RLRunLoopGetMain() == loop); });
    note("releasing");
    RLRelease(loop);
    note("released");
}
SCENARIO(over_released_once,
         .title = "The first release of the main loop too many stops the process",
         .clauses = "LIFE-5",
         .rl_only = true,
         .dies = true,
         .expected = "releasing; dies")

/*
 * Joining the main thread is not known to sanitizers; the kernel shows its remains as a zombie. An
 * emulator makes the process's own status up, not that of its threads.
 */
static void wait_for_main_thread_to_end(void)
{
    char path[64], status[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
    while (!strstr(status, ") Z ")) {
        sched_yield();
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(status, 1, sizeof status - 1, file) : 0;
        status[length] = '\0';
        if (file) fclose(file);
    }
}

static void main_thread_gone(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);
    RLRunLoopTimerRef timer = TIMER("t", .after = -1);

    RLRetain(loop);
    start_thread(^{
        wait_for_main_thread_to_end();
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ note("never"); });
        RLRunLoopWakeUp(loop);
        note_answer("source", RLRunLoopContainsSource(loop, source, kRLRunLoopDefaultMode));
        note_answer("timer", RLRunLoopContainsTimer(loop, timer, kRLRunLoopDefaultMode));
        check(RLRunLoopCopyCurrentMode(loop) == NULL);
        check(RLRunLoopGetMain() == loop);
        note("alive");
        _exit(0);
    });
    pthread_exit(NULL);
}
SCENARIO(main_thread_gone,
         .title = "When the main thread has ended, its loop accepts no items, but can be queried",
         .clauses = "LIFE-19",
         .main_thread = true,
         .deviation = "D13: the reference destroys its main loop, or adds to one that is retained",
         .expected = "source: no; timer: no; alive")

/* /proc/self is that of the main thread, and empty without it. */
static void proc_without_main_thread(void)
{
    use_own_folder();
    start_thread(^{
        __block int count = 0;
        int counter = make_counter();
        wait_for_main_thread_to_end();
        add_source(PORT("p", counter, .quiet = true, .perform = ^{ count++; }), "DEF");
        count_up(counter);
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true) == kRLRunLoopRunHandledSource);
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true) == kRLRunLoopRunTimedOut);
        note("called %d time", count);
        note_answer("local port", make_local("port") != NULL);
        note_answer("remote port", remote_port("port") != NULL);
        _exit(0);
    });
    pthread_exit(NULL);
}
SCENARIO(proc_without_main_thread,
         .title = "When the main thread is gone, counters are read and ports have names",
         .clauses = "PORT-4",
         .rl_only = true,
         .main_thread = true,
         .expected = "called 1 time; local port: yes; remote port: yes")

static void many_threads(void)
{
    enum { rounds = 100, width = 20 };
    struct helper_thread *threads[width];

    elsewhere(^{ keep_alive("DEF"); });
    int before = count_descriptors();
    for (int round = 0; round < rounds; round++) {
        for (int index = 0; index < width; index++) {
            threads[index] = start_thread(^{
                __block int fired = 0;
                RLRunLoopTimerRef timer = TIMER("t", .after = 0.0005, .quiet = true, .owned = true,
                                                .fire = ^(RLRunLoopTimerRef called) { fired++; });
                add_timer(timer, "COM");
                RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
                RLRelease(timer);
                check(fired == 1);
            });
        }
        for (int index = 0; index < width; index++) join_thread(threads[index]);
    }
    check(count_descriptors() == before);
    note("done");
}
SCENARIO(many_threads,
         .title = "Two thousand threads use loops and leave no descriptor behind",
         .clauses = "LIFE-8 LIFE-12 WAKE-12",
         .own_process = true,
         .deviation = "the reference's dispatch timers keep descriptors of their own",
         .expected = "done")
