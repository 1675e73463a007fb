/*
 * GLib's main loop serves a run loop.
 */

#include "hosts.h"

#include "../../../../CSupport/Extras/CRunLoopHosts/glib.h"

#include <glib-unix.h>
#include <glib.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* GLib's ABI as the adapters have it. */
_Static_assert(sizeof(struct rl_glib_source) == sizeof(GSource), "GSource");
_Static_assert(sizeof(struct rl_glib_source_functions) == sizeof(GSourceFuncs), "GSourceFuncs");
_Static_assert(offsetof(struct rl_glib_source_functions, dispatch) ==
                   offsetof(GSourceFuncs, dispatch),
               "GSourceFuncs.dispatch");
_Static_assert(sizeof(struct rl_glib_poll_fd) == sizeof(GPollFD), "GPollFD");
_Static_assert(offsetof(struct rl_glib_poll_fd, ready) == offsetof(GPollFD, revents), "revents");
_Static_assert(G_IO_IN == 1 && G_SOURCE_CONTINUE == 1, "values");

static GMainLoop *main_loop;
static RLHostAdapterRef adapter;

static void begin(const RLHostAdapterOptions *options)
{
    main_loop = g_main_loop_new(NULL, FALSE);
    adapter = RLHostAdapterCreateWithGLib(NULL, options);
    CHECK(adapter != NULL);
}

static void end(void)
{
    RLHostAdapterInvalidate(adapter);
    CHECK(!RLHostAdapterIsValid(adapter));
    RLHostAdapterRelease(adapter);
    g_main_loop_unref(main_loop);
    CHECK(!g_main_context_pending(NULL));
}

static void quit(void)
{
    g_main_loop_quit(main_loop);
}

static gboolean call_once(gpointer block)
{
    ((void (^)(void))block)();
    return G_SOURCE_REMOVE;
}

static gboolean call_again(gpointer block)
{
    ((void (^)(void))block)();
    return G_SOURCE_CONTINUE;
}

/* The effect of each kind of item, and GLib's own items; the last of them quits. */
static void serves_everything(void)
{
    __block int left = 8;
    void (^done)(void) = ^{
        CHECK(left > 0);
        if (--left == 0) quit();
    };
    int counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    begin(NULL);
    after(0.002, done);
    after(-1, done);
    add_descriptor(counter, ^{
        eventfd_t count;
        CHECK(eventfd_read(counter, &count) == 0);
        done();
    });
    RLRunLoopSourceRef source = add_source(done);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    on_helper(^{
        RLRunLoopSourceSignal(source);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, done);
        RLRunLoopWakeUp(loop);
        eventfd_write(counter, 1);
        on_main_queue(done);
    });
    g_timeout_add(1, call_once, (gpointer)done);
    g_idle_add(call_once, (gpointer)done);
    g_main_loop_run(main_loop);
    CHECK(left == 0);
    join_helper();
    end();
    close(counter);
}

/* Both loops have work at any time; each gets to do some. */
static void neither_starves(void)
{
    __block int ours = 0, theirs = 0, queued = 0;
    __block void (^enqueue)(void);
    void (^look)(void) = ^{
        if (ours >= 200 && theirs >= 200 && queued >= 200) quit();
    };

    begin(NULL);
    __block RLRunLoopSourceRef source = add_source(^{
        ours++;
        RLRunLoopSourceSignal(source);
        RLRunLoopWakeUp(RLRunLoopGetCurrent());
        look();
    });
    enqueue = ^{
        queued++;
        on_main_queue(enqueue);
        look();
    };
    guint busy = g_timeout_add(0, call_again, (gpointer) ^ {
        theirs++;
        look();
    });
    RLRunLoopSourceSignal(source);
    RLRunLoopWakeUp(RLRunLoopGetCurrent());
    on_main_queue(enqueue);
    g_main_loop_run(main_loop);
    g_source_remove(busy);
    RLRunLoopSourceInvalidate(source);
    end();
}

/* A run of ours inside a callback of GLib's. */
static void ours_inside_theirs(void)
{
    __block RLRunLoopRunResult result = (RLRunLoopRunResult)0;
    __block int fired = 0;

    begin(NULL);
    after(0.004, ^{ fired++; });
    RLRunLoopSourceRef source = add_source(^{ CHECK(fired == 1); });
    g_timeout_add(0, call_once, (gpointer) ^ {
        after(0.008, ^{
            RLRunLoopSourceSignal(source);
            RLRunLoopWakeUp(RLRunLoopGetCurrent());
        });
        result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 50, true);
        quit();
    });
    g_main_loop_run(main_loop);
    CHECK(result == kRLRunLoopRunHandledSource);
    /* And the host is called as before. */
    after(0.001, ^{ quit(); });
    g_main_loop_run(main_loop);
    end();
}

/* GLib's loop inside callbacks of ours: of a timer, a source, and an item of the main queue. */
static void run_theirs_inside(void)
{
    GMainLoop *inner = g_main_loop_new(NULL, FALSE);
    __block int left = 3;
    void (^done)(void) = ^{
        if (--left == 0) g_main_loop_quit(inner);
    };
    RLRunLoopRef loop = RLRunLoopGetCurrent();

    after(0.001, done);
    g_timeout_add(1, call_once, (gpointer)done);
    on_helper(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, done);
        RLRunLoopWakeUp(loop);
    });
    g_main_loop_run(inner);
    CHECK(left == 0);
    join_helper();
    g_main_loop_unref(inner);
}

static void theirs_inside_ours(void)
{
    begin(NULL);
    RLRunLoopSourceRef source = add_source(^{
        run_theirs_inside();
        on_main_queue(^{
            run_theirs_inside();
            quit();
        });
    });
    after(0, ^{
        run_theirs_inside();
        RLRunLoopSourceSignal(source);
        RLRunLoopWakeUp(RLRunLoopGetCurrent());
    });
    g_main_loop_run(main_loop);
    end();
}

static int poll_calls;

static gint counting_poll(GPollFD *fds, guint count, gint timeout)
{
    poll_calls++;
    return g_poll(fds, count, timeout);
}

/* A nested loop sleeps while the main queue, which cannot be served in it, has work. */
static void nested_loop_sleeps(void)
{
    begin(NULL);
    on_main_queue(^{
        __block bool is_served = false;
        on_main_queue(^{ is_served = true; });
        GMainLoop *inner = g_main_loop_new(NULL, FALSE);
        after_idle_time(^{ g_main_loop_quit(inner); });
        long before = count_sleeps();
        poll_calls = 0;
        g_main_context_set_poll_func(NULL, counting_poll);
        g_main_loop_run(inner);
        g_main_context_set_poll_func(NULL, NULL);
        CHECK(count_sleeps() - before <= MOST_SLEEPS);
        /* One for the run loop, whose main queue it cannot serve, and one for the end. */
        CHECK(poll_calls <= 3);
        join_helper();
        CHECK(!is_served);
        g_main_loop_unref(inner);
        on_main_queue(^{
            CHECK(is_served);
            quit();
        });
    });
    g_main_loop_run(main_loop);
    end();
}

/* With a far timer and nothing to do, GLib polls once and sleeps once. */
static void idle_host_sleeps(void)
{
    begin(NULL);
    after(1000, ^{});
    add_source(^{});
    after(0.001, ^{ quit(); });
    g_main_loop_run(main_loop);

    RLRunLoopRef loop = RLRunLoopGetCurrent();
    g_main_context_set_poll_func(NULL, counting_poll);
    on_main_queue(^{
        poll_calls = 0;
        after_idle_time(^{
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ quit(); });
            RLRunLoopWakeUp(loop);
        });
    });
    long before = count_sleeps();
    g_main_loop_run(main_loop);
    CHECK(count_sleeps() - before <= MOST_SLEEPS);
    /* None if the block is already there when the queue has been served. */
    CHECK(poll_calls <= 1);
    join_helper();
    g_main_context_set_poll_func(NULL, NULL);
    end();
}

/* Timers of ours do not fire early. */
static void timers_keep_time(void)
{
    __block int left = 20;

    begin(NULL);
    for (int i = 1; i <= 20; i++) {
        RLAbsoluteTime due = RLAbsoluteTimeGetCurrent() + i * 0.0013;
        after(i * 0.0013, ^{
            CHECK(RLAbsoluteTimeGetCurrent() >= due);
            if (--left == 0) quit();
        });
    }
    g_main_loop_run(main_loop);
    end();
}

/* In callbacks of either loop, and for good. */
static void invalidated_in_callbacks(void)
{
    for (int round = 0; round < 2; round++) {
        __block int rounds = 0;
        begin(NULL);
        after(0.001, ^{
            if (round == 0) RLHostAdapterInvalidate(adapter);
        });
        guint busy = g_timeout_add(1, call_again, (gpointer) ^ {
            if (round == 1) RLHostAdapterInvalidate(adapter);
            if (RLHostAdapterIsValid(adapter)) return;
            after(-1, ^{ CHECK(RLHostAdapterIsValid(adapter)); });
            if (++rounds == 5) quit();
        });
        g_main_loop_run(main_loop);
        g_source_remove(busy);
        CHECK(RLHostAdapterGetDescriptor(adapter) == -1 && !RLHostAdapterServe(adapter));
        end();
    }
}

static void one_host_at_a_time(void)
{
    begin(NULL);
    CHECK(RLHostAdapterCreateWithGLib(NULL, NULL) == NULL);
    CHECK(RLHostAdapterCreateWithDescriptor(NULL) == NULL);
    end();
    begin(&(RLHostAdapterOptions){.mode = RLSTR("mode"), .passes = 1, .priority = G_PRIORITY_LOW});
    RLRunLoopEndHosting();
    CHECK(!RLHostAdapterIsValid(adapter));
    end();
}

/* A thread with its own context, which ends without notice. */
static void forks(void)
{
    int status = 0;

    begin(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        /* GLib finds the closed descriptor once, and is rid of it. */
        g_main_context_iteration(NULL, FALSE);
        CHECK(!g_main_context_pending(NULL));
        _exit(RLHostAdapterIsValid(adapter) ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    after(0.001, ^{ g_main_loop_quit(main_loop); });
    g_main_loop_run(main_loop);
    end();
}

static void thread_ends(void)
{
    on_helper(^{
        GMainContext *context = g_main_context_new();
        g_main_context_push_thread_default(context);
        GMainLoop *loop = g_main_loop_new(context, FALSE);
        RLHostAdapterRelease(RLHostAdapterCreateWithGLib(NULL, NULL));
        after(0.001, ^{ g_main_loop_quit(loop); });
        g_main_loop_run(loop);
        g_main_loop_unref(loop);
        g_main_context_pop_thread_default(context);
        g_main_context_unref(context);
    });
    join_helper();
}

/* With the option, the main queue is left to the host. */
static void main_queue_left_alone(void)
{
    __block bool is_served = false;

    begin(&(RLHostAdapterOptions){.options = kRLRunLoopHostingLeavesMainQueue});
    on_main_queue(^{ is_served = true; });
    after(0.002, ^{ quit(); });
    g_main_loop_run(main_loop);
    CHECK(!is_served);
    end();
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    CHECK(is_served);
}

const struct test glib_host_tests[] = {
    {"glib_serves_everything", serves_everything},
    {"glib_neither_starves", neither_starves},
    {"glib_ours_inside_theirs", ours_inside_theirs},
    {"glib_theirs_inside_ours", theirs_inside_ours},
    {"glib_nested_loop_sleeps", nested_loop_sleeps},
    {"glib_idle_host_sleeps", idle_host_sleeps},
    {"glib_timers_keep_time", timers_keep_time},
    {"glib_invalidated_in_callbacks", invalidated_in_callbacks},
    {"glib_one_host_at_a_time", one_host_at_a_time},
    {"glib_forks", forks},
    {"glib_thread_ends", thread_ends},
    {"glib_main_queue_left_alone", main_queue_left_alone},
    {NULL, NULL},
};
