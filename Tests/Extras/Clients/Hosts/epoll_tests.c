/*
 * A loop written by hand on epoll serves a run loop.
 */

#include "hosts.h"

#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAYLOAD = 42 };

static int set;
static RLHostAdapterRef adapter;
static int waits;

static void begin(void)
{
    set = epoll_create1(EPOLL_CLOEXEC);
    adapter = RLHostAdapterCreateWithEpoll(set, PAYLOAD, NULL);
    CHECK(adapter != NULL);
}

static void end(void)
{
    struct epoll_event event;
    RLHostAdapterInvalidate(adapter);
    CHECK(epoll_wait(set, &event, 1, 0) == 0);
    RLHostAdapterRelease(adapter);
    close(set);
}

/* The host, until a condition holds. */
static void run_until(bool (^is_over)(void))
{
    struct epoll_event event;
    while (!is_over()) {
        waits++;
        CHECK(epoll_wait(set, &event, 1, -1) == 1);
        CHECK(event.data.u64 == PAYLOAD);
        RLHostAdapterServe(adapter);
    }
}

static void serves_everything(void)
{
    __block int left = 4;
    void (^done)(void) = ^{ left--; };
    RLRunLoopRef loop = RLRunLoopGetCurrent();

    begin();
    after(0.001, done);
    after(0.002, ^{
        int before = left;
        after(0.001, done);
        /* The host inside a callback of the run loop. */
        run_until(^bool(void) { return left < before; });
    });
    on_helper(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, done);
        RLRunLoopWakeUp(loop);
        on_main_queue(done);
    });
    run_until(^bool(void) { return left == 0; });
    join_helper();
    end();
}

static void idle_host_sleeps(void)
{
    __block bool is_over = false;
    RLRunLoopRef loop = RLRunLoopGetCurrent();

    begin();
    after(1000, ^{});
    after_idle_time(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ is_over = true; });
        RLRunLoopWakeUp(loop);
    });
    long before = count_sleeps();
    waits = 0;
    run_until(^bool(void) { return is_over; });
    CHECK(waits == 1);
    CHECK(count_sleeps() - before <= MOST_SLEEPS);
    join_helper();
    end();
}

static void take_late_call(void)
{
    __block bool is_over = false, is_late = false;
    bool has_more = true;
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    struct epoll_event event;

    begin();
    after(1000, ^{});
    before_next_ring(^{
        is_late = true;
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    });
    RLRunLoopWakeUp(loop);
    CHECK(is_late);
    for (waits = 0; epoll_wait(set, &event, 1, 0) == 1; waits++) {
        CHECK(waits < 2);
        /* The result is right: else the loop would not rest before its host sleeps. */
        has_more = RLRunLoopRunHosted(1);
    }
    CHECK(waits > 0 && !has_more);
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ is_over = true; });
    run_until(^bool(void) { return is_over; });
    end();
}

/*
 * A client marks the loop as called and writes to its port only after a run has taken the call
 * back. No pass reads the port of a loop that has no descriptors, nor the main queue.
 */
static void late_call_is_taken_away(void)
{
    on_helper(^{ take_late_call(); });
    join_helper();
}

/*
 * In the child of a fork: the hosting has ended, and what is left of it does nothing to a new one.
 */
static void host_anew(void)
{
    __block bool is_over = false;
    RLHostAdapterRef old = adapter;

    CHECK(!RLHostAdapterIsValid(old));
    CHECK(RLHostAdapterGetDescriptor(old) == -1);
    CHECK(!RLHostAdapterServe(old));
    begin();
    RLHostAdapterInvalidate(old);
    CHECK(RLHostAdapterIsValid(adapter));
    CHECK(!RLHostAdapterIsValid(old));
    after(0.001, ^{ is_over = true; });
    run_until(^bool(void) { return is_over; });
    RLHostAdapterRelease(old);
    end();
}

static void forks(void)
{
    __block bool is_over = false;
    int status = 0;

    begin();
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        host_anew();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    after(0.001, ^{ is_over = true; });
    run_until(^bool(void) { return is_over; });
    end();
}

static void bad_set(void)
{
    CHECK(RLHostAdapterCreateWithEpoll(-1, 0, NULL) == NULL);
    begin();
    end();
}

const struct test epoll_tests[] = {
    {"epoll_serves_everything", serves_everything},
    {"epoll_idle_host_sleeps", idle_host_sleeps},
    {"epoll_late_call_is_taken_away", late_call_is_taken_away},
    {"epoll_forks", forks},
    {"epoll_bad_set", bad_set},
    {NULL, NULL},
};
