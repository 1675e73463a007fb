/*
 * Blocks (BLK-1 to BLK-16).
 */

#include "scenario.h"

static void block_lists(void)
{
    const void *names[] = {mode_named("A"), mode_named("B")};
    RLArrayRef list = RLArrayCreate(NULL, names, 2, &kRLTypeArrayCallBacks);
    RLArrayRef nothing = RLArrayCreate(NULL, NULL, 0, &kRLTypeArrayCallBacks);
    RLRunLoopSourceRef source = SOURCE("S");

    RLRunLoopPerformBlock(this_loop(), list, ^{ note("list"); });
    RLRunLoopPerformBlock(this_loop(), nothing, ^{ note("empty list"); });
    RLRunLoopPerformBlock(this_loop(), source, ^{ note("source"); });
    RLRunLoopPerformBlock(this_loop(), mode_named("A"), NULL);
    RLRelease(list);
    RLRelease(nothing);
    run("DEF", 0, false);
    run("B", 0, false);
    run("B", 0, false);
    run("A", 0, false);
}
SCENARIO(block_lists,
         .title = "A block for a list of modes runs once, in the first of them that runs",
         .clauses = "BLK-1 BLK-2 BLK-5 BLK-16 MODE-1",
         .expected_hints = "the list of modes is empty; the block is dropped",
         .expected = "= Finished; list; = TimedOut; = Finished; = Finished")

static void block_queue(void)
{
    queue_block("1", "A", NULL);
    queue_block("2", "B", NULL);
    queue_block("3", "A", ^{ queue_block("5", "A", NULL); });
    queue_block("4", "B", NULL);
    run("A", 0, false);
    run("B", 0, false);
}
SCENARIO(block_queue,
         .title = "Blocks run in the order in which they were queued, by mode",
         .clauses = "BLK-4 BLK-5 BLK-7",
         .expected = "1; 3; 5; = TimedOut; 2; 4; = TimedOut")

static void block_order_kept(void)
{
    queue_block("a1", "A", ^{ queue_block("b2", "B", NULL); });
    queue_block("b1", "B", NULL);
    run("A", 0, false);
    run("B", 0, false);
}
SCENARIO(block_order_kept,
         .title = "Blocks that a drain puts back stay in front of those queued meanwhile",
         .clauses = "BLK-7",
         .expected = "a1; = TimedOut; b1; b2; = TimedOut")

static void block_in_common_modes(void)
{
    queue_block("1", "COM", NULL);
    run("other", 0, false);
    run("DEF", 0, false);
    queue_block("2", "COM", NULL);
    keep_alive("other");
    run("other", 0, false);
    make_common("other");
    run("other", 0, false);
}
SCENARIO(block_in_common_modes,
         .title = "A block for the common modes runs in a mode that is common at the drain",
         .clauses = "BLK-6",
         .expected = "= Finished; 1; = TimedOut; = TimedOut; 2; = TimedOut")

static void block_queued_in_drain(void)
{
    watch("DEF");
    queue_block("b1", "DEF", ^{ queue_block("b1.1", "DEF", NULL); });
    queue_block("b2", "DEF", NULL);
    keep_alive("DEF");
    run("DEF", 0.003, false);
}
SCENARIO(block_queued_in_drain,
         .title = "A block queued in a drain waits for the drain after the sleep",
         .clauses = "BLK-8 BLK-10",
         .expected = "Entry; BeforeTimers; BeforeSources; b1; b2; BeforeWaiting; AfterWaiting; "
                     "b1.1; Exit; = TimedOut")

static void block_nested(void)
{
    queue_block("b1", "DEF", ^{ run("DEF", 0.003, false); });
    queue_block("b2", "DEF", NULL);
    run("DEF", 0, false);
}
SCENARIO(block_nested,
         .title = "The blocks of an outer drain are invisible to a nested run",
         .clauses = "BLK-9 RUN-30",
         .expected = "b1; = Finished; b2; = TimedOut")

static void block_alone(void)
{
    double start = clock_now();

    watch("DEF");
    queue_block("block", "DEF", NULL);
    run("DEF", 0.01, false);
    check(clock_now() - start >= 0.01);
}
SCENARIO(block_alone,
         .title = "A mode with only a block runs it at once and then sleeps until the limit",
         .clauses = "BLK-12 MODE-21",
         .expected = "Entry; BeforeTimers; BeforeSources; block; BeforeWaiting; AfterWaiting; "
                     "Exit; = TimedOut")

static void block_points(void)
{
    int counter = make_counter();

    keep_alive("DEF");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        queue_block("from BeforeWaiting", "DEF", NULL);
        wake_up();
    });
    /* Only there, so that on a busy machine the timer does not overtake the wake-up. */
    action start_timer = ^{
        after(0.001, "t", "DEF", ^{
            queue_block("from timer", "DEF", NULL);
            count_up(counter);
        });
    };
    when_next(kRLRunLoopAfterWaiting, "DEF",
              ^{ queue_block("from AfterWaiting", "DEF", start_timer); });
    when_next(kRLRunLoopExit, "DEF", ^{ queue_block("from Exit", "DEF", NULL); });
    add_source(PORT("p", counter,
                    .perform =
                        ^{
                            queue_block("from port", "DEF", NULL);
                            stop();
                        }),
               "DEF");
    watch("DEF");
    run("DEF", 10, false);
    run("DEF", 0, false);
}
SCENARIO(block_points,
         .title = "Blocks run after BeforeSources, after handled sources and at the end of a pass",
         .clauses = "BLK-10 BLK-11",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "from BeforeWaiting; from AfterWaiting; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; t; from timer; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; p; from port; Exit; = Stopped; Entry; "
                     "BeforeTimers; BeforeSources; from Exit; Exit; = TimedOut")

static void block_is_no_source(void)
{
    queue_block("block", "DEF", NULL);
    run("DEF", 0.002, true);
}
SCENARIO(block_is_no_source,
         .title = "A block does not count as a handled source",
         .clauses = "BLK-13 RUN-16",
         .expected = "block; = TimedOut")

static void block_wakes_nobody(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ note("block"); });
        note("queued");
        stop_later(loop, 0.003);
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(sender);
}
SCENARIO(block_wakes_nobody,
         .title = "Queueing a block does not wake the loop; the block runs when the sleep ends",
         .clauses = "BLK-3 WAKE-7 BLK-10",
         .expected_hints = "?had queued a block",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; queued; AfterWaiting; "
                     "block; Exit; = Stopped")

static void block_released(void)
{
    RLRunLoopSourceRef one = SOURCE("one", .logs_references = true, .owned = true);
    RLRunLoopSourceRef two = SOURCE("two", .logs_references = true, .owned = true);

    add_source(one, "M");
    add_source(two, "M");
    RLRelease(one);
    RLRelease(two);
    queue_block("b1", "DEF", ^{ remove_source(one, "M"); });
    queue_block("b2", "DEF", ^{ remove_source(two, "M"); });
    run("DEF", 0, false);
}
SCENARIO(block_released,
         .title = "Blocks run one by one, each with all effects of the one before",
         .clauses = "BLK-14",
         .expected = "one retained; two retained; b1; one released; b2; two released; = TimedOut")

static void mode_becomes_common_in_drain(void)
{
    keep_alive("M");
    queue_block("b1", "M", ^{ make_common("M"); });
    queue_block("b2", "COM", NULL);
    run("M", 0, false);
}
SCENARIO(mode_becomes_common_in_drain,
         .title = "The mode of a block is checked at its turn, after changes by earlier blocks",
         .clauses = "BLK-6 BLK-7",
         .expected = "b1; b2; = TimedOut")

static void block_for_set(void)
{
    const void *names[] = {mode_named("M"), mode_named("N")};
    RLSetRef set = RLSetCreate(NULL, names, 2, &kRLTypeSetCallBacks);
    RLSetRef none = RLSetCreate(NULL, NULL, 0, &kRLTypeSetCallBacks);

    RLRunLoopPerformBlock(this_loop(), set, ^{ note("in a set"); });
    RLRunLoopPerformBlock(this_loop(), none, ^{ note("in no mode"); });
    queue_block("in M", "M", NULL);
    run("N", 0, false);
    run("M", 0, false);
    RLRelease(set);
    RLRelease(none);
}
SCENARIO(block_for_set,
         .title = "A block for a set of modes runs once, in the first of them",
         .clauses = "BLK-1",
         .expected_hints = "the list of modes is empty",
         .expected = "in a set; = TimedOut; in M; = TimedOut")

/* The captures of blocks of different kinds. */
struct captured {
    int few;
    int many[40];
};

static void block_kinds(void)
{
    RLRunLoopRef loop = this_loop();
    for (int i = 0; i < 50; i++) {
        int few = i;
        struct captured large = {.few = i, .many = {[39] = 2 * i}};
        __block int shared = 3 * i;
        action inner = ^{ shared++; };
        RLRunLoopPerformBlock(loop, mode_named("DEF"), ^{ check(few == i); });
        RLRunLoopPerformBlock(loop, mode_named("DEF"),
                              ^{ check(large.many[39] == 2 * large.few); });
        RLRunLoopPerformBlock(loop, mode_named("DEF"), ^{
            inner();
            check(shared == 3 * i + 1);
        });
    }
    action global = ^{ note("captures nothing"); };
    RLRunLoopPerformBlock(loop, mode_named("DEF"), global);
    RLRunLoopPerformBlock(loop, mode_named("DEF"), global);
    run("DEF", 0, false);
}
SCENARIO(block_kinds,
         .title = "Blocks are copied with what they captured, be it little, much or shared",
         .clauses = "BLK-2 BLK-5",
         .expected = "captures nothing; captures nothing; = TimedOut")

static void block_of_ended_thread(void)
{
    RLRunLoopRef loop = this_loop();
    __block int count = 0;
    for (int round = 0; round < 3; round++) {
        join_thread(start_thread(^{
            for (int i = 0; i < 30; i++) {
                int number = 30 * round + i;
                RLRunLoopPerformBlock(loop, mode_named(i % 3 ? "DEF" : "M"),
                                      ^{ count += number % 3 ? 1 : 100; });
            }
        }));
    }
    run("DEF", 0, false);
    note("%d", count);
    run("M", 0, false);
    note("%d", count);
}
SCENARIO(block_of_ended_thread,
         .title = "Blocks of threads that have ended run",
         .clauses = "BLK-3 BLK-5",
         .expected = "= TimedOut; 60; = TimedOut; 3060")

static void blocks_of_threads(void)
{
    enum { THREADS = 4, BLOCKS = 2000 };
    RLRunLoopRef loop = this_loop();
    int *next = calloc(2 * THREADS, sizeof *next);
    struct helper_thread *threads[THREADS];
    keep_alive("DEF");
    keep_alive("M");
    for (int t = 0; t < THREADS; t++) {
        threads[t] = start_thread(^{
            for (int i = 0; i < BLOCKS; i++) {
                int place = 2 * t + i % 2, number = i / 2;
                RLRunLoopPerformBlock(loop, mode_named(i % 2 ? "DEF" : "M"),
                                      ^{ check(next[place]++ == number); });
                RLRunLoopWakeUp(loop);
            }
        });
    }
    int done = 0;
    while (done < THREADS * BLOCKS) {
        RLRunLoopRunInMode(mode_named("DEF"), 0, false);
        RLRunLoopRunInMode(mode_named("M"), 0, false);
        done = 0;
        for (int i = 0; i < 2 * THREADS; i++) done += next[i];
    }
    for (int t = 0; t < THREADS; t++) join_thread(threads[t]);
    note("%d", done);
    free(next);
}
SCENARIO(blocks_of_threads,
         .title = "The blocks of each thread run once, by mode in the order in which it queued them",
         .clauses = "BLK-3 BLK-4 BLK-5 BLK-7",
         .expected = "8000")
