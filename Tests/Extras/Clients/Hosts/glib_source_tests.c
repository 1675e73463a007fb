/*
 * A run loop serves GLib's context, the other way round.
 */

#include "hosts.h"

#include <Block.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

static RLRunLoopSourceRef service;

static void begin(void)
{
    service = RLGLibSourceCreate(NULL);
    CHECK(service != NULL);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), service, kRLRunLoopCommonModes);
}

static void end(void)
{
    RLRunLoopSourceInvalidate(service);
    RLRelease(service);
    /* Any thread may run the context again. */
    on_helper(^{ CHECK(g_main_context_acquire(NULL)); });
    join_helper();
}

static void stop(void)
{
    RLRunLoopStop(RLRunLoopGetCurrent());
}

static void run(void)
{
    CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 50, false) == kRLRunLoopRunStopped);
}

/* The number of passes of the run loop: a busy thread does not sleep. */
static uint64_t count_passes(void)
{
    RLRunLoopStatistics statistics;
    RLRunLoopGetStatistics(RLRunLoopGetCurrent(), &statistics);
    return statistics.passes;
}

/* Runs until the run loop is stopped after the idle time, and checks that it slept until then. */
static void run_idly(void)
{
    long sleeps = count_sleeps();
    uint64_t passes = count_passes();
    run();
    CHECK(count_sleeps() - sleeps <= MOST_SLEEPS);
    CHECK(count_passes() - passes <= 2);
    join_helper();
}

static gboolean call_once(gpointer block)
{
    ((void (^)(void))block)();
    return G_SOURCE_REMOVE;
}

static void release_block(gpointer block)
{
    Block_release(block);
}

static gboolean call_again(gpointer block)
{
    ((void (^)(void))block)();
    return G_SOURCE_CONTINUE;
}

static gboolean read_byte(gint fd, GIOCondition condition, gpointer block)
{
    char byte;
    CHECK((condition & G_IO_IN) && read(fd, &byte, 1) == 1);
    ((void (^)(void))block)();
    return G_SOURCE_CONTINUE;
}

struct pair {
    int near, far;
};

static struct pair make_pair(void)
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    return (struct pair){ends[0], ends[1]};
}

static void serves_everything(void)
{
    __block int left = 6;
    /* Kept beyond the blocks that hand it on. */
    void (^done)(void) = Block_copy(^{
        CHECK(left > 0);
        if (--left == 0) stop();
    });
    struct pair ends = make_pair();

    begin();
    g_timeout_add(2, call_once, (gpointer)done);
    g_idle_add(call_once, (gpointer)done);
    guint reader = g_unix_fd_add(ends.near, G_IO_IN, read_byte, (gpointer)done);
    after(0.002, done);
    on_main_queue(^{
        /* From our own callback, and from another thread, while the loop sleeps or not. */
        g_timeout_add(0, call_once, (gpointer)done);
        on_helper(^{
            CHECK(!g_main_context_acquire(NULL));
            CHECK(write(ends.far, "x", 1) == 1);
            g_main_context_invoke(NULL, call_once, (gpointer)done);
        });
    });
    run();
    CHECK(left == 0);
    join_helper();
    g_source_remove(reader);
    Block_release(done);
    end();
    close(ends.near);
    close(ends.far);
}

static void neither_starves(void)
{
    __block int ours = 0, theirs = 0, idle = 0;
    void (^look)(void) = ^{
        if (ours >= 200 && theirs >= 200) stop();
    };

    begin();
    __block RLRunLoopSourceRef source = add_source(^{
        ours++;
        RLRunLoopSourceSignal(source);
        look();
    });
    RLRunLoopSourceSignal(source);
    guint busy = g_timeout_add(0, call_again, (gpointer) ^ {
        theirs++;
        look();
    });
    run();
    g_source_remove(busy);
    RLRunLoopSourceInvalidate(source);

    /* Without busy sources of a higher priority idle ones have their turn. */
    busy = g_idle_add(call_again, (gpointer) ^ {
        if (++idle == 200) stop();
    });
    run();
    g_source_remove(busy);
    end();
}

/* Runs of either loop inside callbacks of the other. */
static void runs_nest(void)
{
    begin();
    GMainLoop *inner = g_main_loop_new(NULL, FALSE);
    __block int fired = 0;
    RLRunLoopTimerRef timer = every(0.001, ^{ fired++; });
    g_idle_add(call_once, (gpointer) ^ {
        guint busy = g_timeout_add(1, call_again, (gpointer) ^ {
            if (fired > 0) stop();
        });
        CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 50, false) == kRLRunLoopRunStopped);
        g_source_remove(busy);
        after(0, ^{
            g_timeout_add(1, call_once, (gpointer) ^ { g_main_loop_quit(inner); });
            g_main_loop_run(inner);
            g_timeout_add(1, call_once, (gpointer) ^ { stop(); });
        });
    });
    run();
    RLRunLoopTimerInvalidate(timer);
    g_main_loop_unref(inner);
    end();
}

/* Idle: one sleep, although GLib has a far time-out and a descriptor. */
static void idle_loop_sleeps(void)
{
    struct pair ends = make_pair();

    begin();
    guint reader = g_unix_fd_add(ends.near, G_IO_IN, read_byte, (gpointer) ^ { stop(); });
    guint far = g_timeout_add(1000000, call_once, NULL);
    g_idle_add(call_once, (gpointer) ^ { stop(); });
    run();

    after_idle_time(^{ CHECK(write(ends.far, "x", 1) == 1); });
    run_idly();
    g_source_remove(reader);
    g_source_remove(far);
    end();
    close(ends.near);
    close(ends.far);
}

/*
 * GLib's poll skips a negative descriptor, which means that a source has no descriptor at
 * present.
 */
static void absent_descriptor(void)
{
    static GSourceFuncs functions = {.prepare = NULL};
    GPollFD absent = {.fd = -1, .events = G_IO_IN};
    GSource *source = g_source_new(&functions, sizeof *source);

    begin();
    g_source_add_poll(source, &absent);
    g_source_attach(source, NULL);
    g_idle_add(call_once, (gpointer) ^ { stop(); });
    run();

    after_idle_time(^{ g_idle_add(call_once, (gpointer) ^ { stop(); }); });
    run_idly();
    g_source_destroy(source);
    g_source_unref(source);
    end();
}

static void timeouts_keep_time(void)
{
    __block int left = 20;

    begin();
    for (guint i = 1; i <= 20; i++) {
        gint64 due = g_get_monotonic_time() + i * 1000;
        void (^fire)(void) = Block_copy(^{
            CHECK(g_get_monotonic_time() >= due);
            if (--left == 0) stop();
        });
        g_timeout_add_full(G_PRIORITY_DEFAULT, i, call_once, (gpointer)fire, release_block);
    }
    run();
    end();
}

/*
 * A descriptor is closed, its file lives on elsewhere and stays readable, and its number becomes
 * another file's: the old one must not keep the loop busy, the new one must be heard.
 */
static void descriptors_change_hands(void)
{
    struct pair old = make_pair(), new = make_pair();
    int number = old.near, other = fcntl(number, F_DUPFD_CLOEXEC, 0);

    begin();
    guint reader = g_unix_fd_add(number, G_IO_IN, read_byte, (gpointer) ^ { CHECK(false); });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.002, false);
    /* Both in one callback, between two looks of the loop. */
    after(0, ^{
        g_source_remove(reader);
        CHECK(dup2(new.near, number) == number);
        CHECK(write(old.far, "x", 1) == 1);
        g_unix_fd_add(number, G_IO_IN, read_byte, (gpointer) ^ { stop(); });
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.002, false);
    after_idle_time(^{ CHECK(write(new.far, "x", 1) == 1); });
    run_idly();
    close(number);
    close(other);
    close(old.far);
    close(new.near);
    close(new.far);
    end();
}

/* Taken away by a callback of GLib's, and added again, to another mode. */
static void invalidated_in_callback(void)
{
    begin();
    g_idle_add(call_once, (gpointer) ^ {
        RLRunLoopSourceInvalidate(service);
        after(0.002, ^{ stop(); });
    });
    run();
    CHECK(!RLRunLoopSourceIsValid(service));
    g_idle_add(call_once, (gpointer) ^ { stop(); });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.002, false);
    RLRelease(service);

    service = RLGLibSourceCreate(NULL);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), service, RLSTR("mode"));
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.002, false);
    CHECK(RLRunLoopRunInMode(RLSTR("mode"), 50, false) == kRLRunLoopRunStopped);
    RLRunLoopRemoveSource(RLRunLoopGetCurrent(), service, RLSTR("mode"));
    end();
}

/* Thread and context end without notice. */
static void thread_ends(void)
{
    on_helper(^{
        GMainContext *context = g_main_context_new();
        RLRunLoopSourceRef source = RLGLibSourceCreate(context);
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
        RLRelease(source);
        GSource *idle = g_idle_source_new();
        g_source_set_callback(idle, call_once, (gpointer) ^ { stop(); }, NULL);
        g_source_attach(idle, context);
        g_source_unref(idle);
        g_main_context_unref(context);
        run();
    });
    join_helper();
}

/* libuv hosts a run loop, which serves GLib: three loops on one thread, and one sleep when idle. */
static void three_loops(void)
{
    uv_loop_t *host = uv_default_loop();
    RLHostAdapterRef adapter = RLHostAdapterCreateWithUV(host, NULL);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    __block int left = 3;
    /* Kept beyond the blocks that hand them on. */
    void (^done)(void) = Block_copy(^{
        if (--left == 0) uv_stop(host);
    });
    void (^stop_host)(void) = Block_copy(^{ uv_stop(host); });

    begin();
    g_timeout_add(1, call_once, (gpointer)done);
    after(0.001, done);
    on_helper(^{ g_main_context_invoke(NULL, call_once, (gpointer)done); });
    RLRunLoopWakeUp(loop);
    uv_run(host, UV_RUN_DEFAULT);
    CHECK(left == 0);
    join_helper();

    after_idle_time(^{ g_main_context_invoke(NULL, call_once, (gpointer)stop_host); });
    long sleeps = count_sleeps();
    uint64_t passes = count_passes();
    uv_run(host, UV_RUN_DEFAULT);
    CHECK(count_sleeps() - sleeps <= MOST_SLEEPS);
    CHECK(count_passes() - passes <= 3);
    join_helper();
    RLHostAdapterInvalidate(adapter);
    RLHostAdapterRelease(adapter);
    uv_run(host, UV_RUN_NOWAIT);
    CHECK(uv_loop_close(host) == 0);
    Block_release(done);
    Block_release(stop_host);
    end();
}

const struct test glib_source_tests[] = {
    {"source_serves_everything", serves_everything},
    {"source_neither_starves", neither_starves},
    {"source_runs_nest", runs_nest},
    {"source_idle_loop_sleeps", idle_loop_sleeps},
    {"source_absent_descriptor", absent_descriptor},
    {"source_timeouts_keep_time", timeouts_keep_time},
    {"source_descriptors_change_hands", descriptors_change_hands},
    {"source_invalidated_in_callback", invalidated_in_callback},
    {"source_thread_ends", thread_ends},
    {"source_three_loops", three_loops},
    {NULL, NULL},
};
