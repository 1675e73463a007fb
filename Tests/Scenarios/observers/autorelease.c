/*
 * Autorelease pools, by hand and of passes (NSAP-2), of callbacks not (NSAP-1, D44). Extensions of
 * ours on Linux.
 */

#include "../timers/clock_words.h"
#include "scenario.h"

#include <pthread.h>

/* Logs that a pool has released a thing. */
static void log_end(void *name)
{
    note("%s goes", (const char *)name);
}

/* Puts a thing into the pool on top. */
static void autorelease(const char *name)
{
    RLAutoreleasePoolAdd((void *)(uintptr_t)name, log_end);
}

static void nested_pools(void)
{
    void *outer = RLAutoreleasePoolPush();
    autorelease("a");
    autorelease("b");
    void *inner = RLAutoreleasePoolPush();
    autorelease("c");
    check(RLAutoreleasePoolGetCount() == 3);
    RLAutoreleasePoolPop(inner);
    note("inner popped");
    autorelease("d");
    RLAutoreleasePoolPop(outer);
    check(RLAutoreleasePoolGetCount() == 0);
}
SCENARIO(nested_pools,
         .title = "A pool releases what was put into it, last in first out",
         .clauses = "extension",
         .rl_only = true,
         .expected = "c goes; inner popped; d goes; b goes; a goes")

static void pool_of_objects(void)
{
    RLStringRef string = RLStringCreateWithFormat(NULL, NULL, RLSTR("%d"), 42);
    void *pool = RLAutoreleasePoolPush();
    check(RLAutorelease(RLRetain(string)) == string);
    check(RLAutorelease(RLSTR("constant")) != NULL);
    check(RLGetRetainCount(string) == 2);
    RLAutoreleasePoolPop(pool);
    check(RLGetRetainCount(string) == 1);
    RLRelease(string);
}
SCENARIO(pool_of_objects,
         .title = "A pool takes over a reference",
         .clauses = "extension",
         .rl_only = true)

static void autorelease_last(void *name)
{
    log_end(name);
    autorelease("last");
}

static void autorelease_more(void *name)
{
    void *pool = RLAutoreleasePoolPush();
    autorelease("short-lived");
    RLAutoreleasePoolPop(pool);
    log_end(name);
    RLAutoreleasePoolAdd("late", autorelease_last);
}

static void pool_that_grows(void)
{
    void *pool = RLAutoreleasePoolPush();
    autorelease("first");
    RLAutoreleasePoolAdd("second", autorelease_more);
    RLAutoreleasePoolPop(pool);
    note("popped");
}
SCENARIO(pool_that_grows,
         .title = "An object that is autoreleased while a pool is popped is released with the pool",
         .clauses = "extension",
         .rl_only = true,
         .expected = "short-lived goes; second goes; late goes; last goes; first goes; popped")

static long released;

static void count_end(void *object)
{
    released++;
}

static void pool_of_many(void)
{
    released = 0;
    void *outer = RLAutoreleasePoolPush();
    for (long i = 0; i < 20000; i++) {
        void *pool = i % 1000 == 0 ? RLAutoreleasePoolPush() : NULL;
        RLAutoreleasePoolAdd(NULL, count_end);
        if (pool && i % 2000 == 0) RLAutoreleasePoolPop(pool);
    }
    check(released == 10 && RLAutoreleasePoolGetCount() == 19990);
    RLAutoreleasePoolPop(outer);
    check(released == 20000 && RLAutoreleasePoolGetCount() == 0);
}
SCENARIO(pool_of_many,
         .title = "Pools hold any number of things, and one takes those above it along",
         .clauses = "extension",
         .rl_only = true)

static void pool_above(void)
{
    void *lower = RLAutoreleasePoolPush();
    autorelease("a");
    RLAutoreleasePoolPush();
    autorelease("b");
    RLAutoreleasePoolPop(lower);
    note("popped");
}
SCENARIO(pool_above,
         .title = "A pool that is popped too early takes those above it along",
         .clauses = "extension",
         .rl_only = true,
         .expected = "b goes; a goes; popped")

static void no_pool(void)
{
    autorelease("a");
    autorelease("b");
    check(RLAutoreleasePoolGetCount() == 2);
    void *pool = RLAutoreleasePoolPush();
    autorelease("c");
    RLAutoreleasePoolPop(pool);
    at_return(^{ note("the thread ends"); });
}
SCENARIO(no_pool,
         .title = "An object that is autoreleased without a pool is released at the end of the thread",
         .clauses = "extension",
         .rl_only = true,
         .expected = "c goes; the thread ends; b goes; a goes")

static pthread_key_t late_key;

static void autorelease_late(void *name)
{
    autorelease(name);
}

static void pool_after_the_end(void)
{
    RLAutoreleasePoolPush();
    autorelease("a");
    /* Keys are destroyed in the order in which they were made. */
    check(pthread_key_create(&late_key, autorelease_late) == 0);
    at_end(^{ pthread_key_delete(late_key); });
    check(pthread_setspecific(late_key, "late") == 0);
}
SCENARIO(pool_after_the_end,
         .title = "Destructors of a thread's data may still autorelease",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "a goes; late goes")

/* Logs, at an order, when the loop has served everything of a pass. */
static void log_rest(long order)
{
    add_observer(OBSERVER("rest", .activities = kRLRunLoopBeforeWaiting, .order = order), "COM");
}

static void pool_of_a_pass(void)
{
    use_virtual_time();
    RLRunLoopInstallAutoreleasePool(this_loop());
    log_rest(2147483646);
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        autorelease("a");
        queue_block("block", "DEF", ^{ autorelease("b"); });
    });
    add_source(source, "DEF");
    signal_source(source);
    after(-1, "t", "DEF", ^{
        autorelease("c");
        after(0.002, "u", "DEF", ^{
            autorelease("d");
            check(RLAutoreleasePoolGetCount() == 1);
            stop();
        });
    });
    when_next(kRLRunLoopExit, "DEF", ^{ note("exit"); });
    run("DEF", 10, false);
    check(RLAutoreleasePoolGetCount() == 0);
}
SCENARIO(pool_of_a_pass,
         .title = "Objects that callbacks autorelease live until the end of the pass, and no longer",
         .clauses = "NSAP-2",
         .rl_only = true,
         .expected = "A; block; t; rest BeforeWaiting; c goes; b goes; a goes; u; exit; d goes; "
                     "= Stopped")

static void pools_of_callbacks(void)
{
    RLRunLoopInstallAutoreleasePool(this_loop());
    RLRunLoopSourceRef plain =
        SOURCE("plain", .order = 1, .perform = ^{ autorelease("of plain"); });
    RLRunLoopSourceRef own = SOURCE("own", .order = 2, .perform = ^{
        void *pool = RLAutoreleasePoolPush();
        autorelease("of own");
        RLAutoreleasePoolPop(pool);
        note("end of own");
    });
    add_source(plain, "DEF");
    add_source(own, "DEF");
    signal_source(plain);
    signal_source(own);
    run("DEF", 0, false);
}
SCENARIO(pools_of_callbacks,
         .title = "Callbacks have no pools but those that they make and that of the pass",
         .clauses = "NSAP-1",
         .rl_only = true,
         .expected = "plain; own; of own goes; end of own; of plain goes; = TimedOut")

static void pools_of_nested_runs(void)
{
    RLRunLoopInstallAutoreleasePool(this_loop());
    RLRunLoopSourceRef inner = SOURCE("inner", .perform = ^{ autorelease("of inner"); });
    RLRunLoopSourceRef outer = SOURCE("outer", .perform = ^{
        autorelease("of outer");
        add_source(inner, "DEF");
        signal_source(inner);
        run("DEF", 0, true);
        autorelease("of outer again");
        note("end of outer");
    });
    add_source(outer, "DEF");
    signal_source(outer);
    run("DEF", 0, true);
}
SCENARIO(pools_of_nested_runs,
         .title = "A nested run has its own pools and leaves the outer run's alone",
         .clauses = "NSAP-2",
         .rl_only = true,
         .expected = "outer; inner; of inner goes; = HandledSource; end of outer; "
                     "of outer again goes; of outer goes; = HandledSource")

static void pool_installed_in_a_run(void)
{
    use_virtual_time();
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        void *pool = RLAutoreleasePoolPush();
        RLRunLoopInstallAutoreleasePool(this_loop());
        RLRunLoopInstallAutoreleasePool(this_loop());
        RLAutoreleasePoolPop(pool);
    });
    add_source(source, "DEF");
    signal_source(source);
    after(0.002, "t", "DEF", ^{
        autorelease("a");
        after(0.002, "u", "DEF", ^{
            autorelease("b");
            stop();
        });
    });
    void *pool = RLAutoreleasePoolPush();
    autorelease("of the caller");
    run("DEF", 10, false);
    RLAutoreleasePoolPop(pool);
}
SCENARIO(pool_installed_in_a_run,
         .title = "Pools that are installed in a run begin with its next pass",
         .clauses = "NSAP-2",
         .rl_only = true,
         .expected = "A; t; a goes; u; b goes; = Stopped; of the caller goes")

static void pools_of_modes(void)
{
    RLRunLoopInstallAutoreleasePool(this_loop());
    RLRunLoopSourceRef inner = SOURCE("inner", .perform = ^{
        autorelease("of inner");
        /* The next pass of this run comes to a pool that is not its own. */
        make_common("M");
    });
    when_next(kRLRunLoopBeforeWaiting, "M", ^{
        after(-1, "end", "M", ^{
            autorelease("of the end");
            stop();
        });
    });
    RLRunLoopSourceRef outer = SOURCE("outer", .perform = ^{
        autorelease("of outer");
        add_source(inner, "M");
        signal_source(inner);
        run("M", 10, false);
    });
    add_source(outer, "DEF");
    signal_source(outer);
    run("DEF", 0, true);
}
SCENARIO(pools_of_modes,
         .title = "A mode that becomes common in a nested run does not release what is outside",
         .clauses = "NSAP-2",
         .rl_only = true,
         .expected = "outer; inner; end; of the end goes; = Stopped; of inner goes; of outer goes; "
                     "= HandledSource")

static void run_in_release(void *name)
{
    log_end(name);
    autorelease("beside");
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ autorelease("of A"); });
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 0, true);
    after(0.001, "u", "DEF", ^{
        autorelease("b");
        stop();
    });
}

static void run_while_popping(void)
{
    use_virtual_time();
    RLRunLoopInstallAutoreleasePool(this_loop());
    keep_alive("DEF");
    after(-1, "t", "DEF", ^{ RLAutoreleasePoolAdd("a", run_in_release); });
    run("DEF", 10, false);
    check(RLAutoreleasePoolGetCount() == 0);
}
SCENARIO(run_while_popping,
         .title = "Destructors of objects that a pass releases may run the loop",
         .clauses = "NSAP-2 OBS-6",
         .rl_only = true,
         .expected = "t; a goes; A; = HandledSource; of A goes; beside goes; u; b goes; = Stopped")

static void exit_with_pools(void)
{
    struct helper_thread *thread = start_thread(^{
        RLRunLoopInstallAutoreleasePool(this_loop());
        queue_block("block", "DEF", ^{
            autorelease("a");
            pthread_exit(NULL);
        });
        run("DEF", 10, false);
    });
    join_thread(thread);
    note("joined");
}
SCENARIO(exit_with_pools,
         .title = "A thread that ends in a callback releases what is in its pools",
         .clauses = "NSAP-2",
         .rl_only = true,
         .expected = "block; a goes; joined")

static void pool_popped_twice(void)
{
    void *pool = RLAutoreleasePoolPush();
    RLAutoreleasePoolPush();
    RLAutoreleasePoolPop(pool);
    note("again");
    RLAutoreleasePoolPop(pool);
}
SCENARIO(pool_popped_twice,
         .title = "Popping a pool again stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "again; dies")

static void pool_of_another_thread(void)
{
    __block void *pool = NULL;
    RLAutoreleasePoolPush();
    elsewhere(^{
        RLAutoreleasePoolPush();
        pool = RLAutoreleasePoolPush();
    });
    note("popping");
    RLAutoreleasePoolPop(pool);
}
SCENARIO(pool_of_another_thread,
         .title = "Popping a pool of another thread stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "popping; dies")

static void pop_again(void *pool)
{
    note("releasing");
    RLAutoreleasePoolPop(pool);
}

static void pool_popped_in_release(void)
{
    void *pool = RLAutoreleasePoolPush();
    RLAutoreleasePoolAdd(pool, pop_again);
    RLAutoreleasePoolPop(pool);
}
SCENARIO(pool_popped_in_release,
         .title = "Popping a pool in what it releases stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "releasing; dies")

static void lower_pool_popped_in_release(void)
{
    void *lower = RLAutoreleasePoolPush();
    void *upper = RLAutoreleasePoolPush();
    RLAutoreleasePoolAdd(lower, pop_again);
    RLAutoreleasePoolPop(upper);
}
SCENARIO(lower_pool_popped_in_release,
         .title = "Popping a pool in what one above it releases stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "releasing; dies")

STOPS(autoreleased_nothing, RLAutorelease(NULL), .title = "Autoreleasing null stops the process",
      .clauses = "extension", .rl_only = true)
