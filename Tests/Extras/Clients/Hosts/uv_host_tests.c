/*
 * libuv serves a run loop.
 */

#include "hosts.h"

#include <stdlib.h>
#include <uv.h>

/* libuv's ABI as the adapter has it. */
_Static_assert(UV_POLL == 8 && UV_READABLE == 1 && UV_VERSION_MAJOR == 1, "values");

static RLHostAdapterRef adapter;

static uv_loop_t *begin(void)
{
    uv_loop_t *loop = uv_default_loop();
    adapter = RLHostAdapterCreateWithUV(loop, NULL);
    CHECK(adapter != NULL);
    return loop;
}

/* Nothing of the adapter is left in the loop. */
static void end(uv_loop_t *loop)
{
    RLHostAdapterInvalidate(adapter);
    RLHostAdapterRelease(adapter);
    uv_run(loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(loop) == 0);
}

static void call(uv_timer_t *timer)
{
    ((void (^)(void))timer->data)();
}

static void begin_timer(uv_timer_t *timer, uint64_t interval, void (^body)(void))
{
    uv_timer_init(uv_default_loop(), timer);
    timer->data = (void *)body;
    uv_timer_start(timer, call, interval, interval);
}

static void serves_everything(void)
{
    uv_timer_t timer;
    uv_loop_t *host = begin();
    __block int left = 6;
    void (^done)(void) = ^{
        CHECK(left > 0);
        if (--left == 0) RLHostAdapterInvalidate(adapter);
    };

    begin_timer(&timer, 0, done);
    after(0.002, done);
    after(-1, done);
    RLRunLoopSourceRef source = add_source(done);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    on_helper(^{
        RLRunLoopSourceSignal(source);
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, done);
        RLRunLoopWakeUp(loop);
        on_main_queue(done);
    });
    /* Comes to an end by itself when the adapter is invalid and the timer is over. */
    uv_run(host, UV_RUN_DEFAULT);
    CHECK(left == 0);
    join_helper();
    uv_close((uv_handle_t *)&timer, NULL);
    end(host);
}

static void neither_starves(void)
{
    uv_timer_t timer;
    uv_loop_t *host = begin();
    __block int ours = 0, theirs = 0;
    void (^look)(void) = ^{
        if (ours >= 200 && theirs >= 20) uv_stop(host);
    };
    void (^tick)(void) = ^{
        theirs++;
        look();
    };

    begin_timer(&timer, 1, tick);
    __block RLRunLoopSourceRef source = add_source(^{
        ours++;
        RLRunLoopSourceSignal(source);
        RLRunLoopWakeUp(RLRunLoopGetCurrent());
        look();
    });
    RLRunLoopSourceSignal(source);
    RLRunLoopWakeUp(RLRunLoopGetCurrent());
    uv_run(host, UV_RUN_DEFAULT);
    RLRunLoopSourceInvalidate(source);
    uv_close((uv_handle_t *)&timer, NULL);
    end(host);
}

static void ours_inside_theirs(void)
{
    uv_timer_t timer;
    uv_loop_t *host = begin();
    void (^run)(void) = ^{
        after(0.002, ^{ RLRunLoopStop(RLRunLoopGetCurrent()); });
        CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 50, false) == kRLRunLoopRunStopped);
        after(0.001, ^{ uv_stop(host); });
    };

    begin_timer(&timer, 0, run);
    uv_run(host, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    end(host);
}

static void count_turn(uv_prepare_t *prepare)
{
    *(int *)prepare->data += 1;
}

/* One sleep, and one turn of the host's: a busy thread would not sleep either. */
static void idle_host_sleeps(void)
{
    int turns = 0;
    uv_prepare_t prepare;
    uv_loop_t *host = begin();
    RLRunLoopRef loop = RLRunLoopGetCurrent();

    uv_prepare_init(host, &prepare);
    prepare.data = &turns;
    uv_prepare_start(&prepare, count_turn);
    after(1000, ^{});
    after_idle_time(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ uv_stop(host); });
        RLRunLoopWakeUp(loop);
    });
    long before = count_sleeps();
    uv_run(host, UV_RUN_DEFAULT);
    CHECK(count_sleeps() - before <= MOST_SLEEPS);
    CHECK(turns == 1);
    join_helper();
    uv_close((uv_handle_t *)&prepare, NULL);
    end(host);
}

/* A loop of another thread, and what the thread does in good order. */
static void on_another_thread(void)
{
    on_helper(^{
        uv_loop_t loop;
        uv_loop_init(&loop);
        RLHostAdapterRef own = RLHostAdapterCreateWithUV(&loop, NULL);
        CHECK(own != NULL && RLHostAdapterCreateWithUV(&loop, NULL) == NULL);
        after(0.001, ^{ RLHostAdapterInvalidate(own); });
        uv_run(&loop, UV_RUN_DEFAULT);
        CHECK(uv_loop_close(&loop) == 0);
        RLHostAdapterRelease(own);
    });
    join_helper();
}

const struct test uv_host_tests[] = {
    {"uv_serves_everything", serves_everything},   {"uv_neither_starves", neither_starves},
    {"uv_ours_inside_theirs", ours_inside_theirs}, {"uv_idle_host_sleeps", idle_host_sleeps},
    {"uv_on_another_thread", on_another_thread},   {NULL, NULL},
};
