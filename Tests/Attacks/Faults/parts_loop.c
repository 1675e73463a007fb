/*
 * Timers, wake-ups, blocks, sources, hosting, the main queue, and the end of threads and processes.
 */

#define _GNU_SOURCE

#include "workload.h"

#include <dispatch/dispatch.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Timers ----------------------------------------------------------------------------------- */

static RLRunLoopTimerRef add_timer(double seconds, double interval, double tolerance,
                                   void (^fire)(RLRunLoopTimerRef timer))
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(NULL, work_date(seconds), interval, 0, 0, fire);
    RLRunLoopTimerSetTolerance(timer, tolerance);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    return timer;
}

static void end_timer(RLRunLoopTimerRef timer)
{
    RLRunLoopTimerInvalidate(timer);
    RLRelease(timer);
}

void part_timers(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    __block atomic_int fired = 0, changed = 0, sent = 0;
    RLRunLoopTimerRef once = add_timer(0.002, 0, 0, ^(RLRunLoopTimerRef timer) { fired++; });
    RLRunLoopTimerRef often = add_timer(0.001, 0.001, 0.0004, ^(RLRunLoopTimerRef timer) {
        if (++fired >= 5) work_stop(loop);
    });
    RLRunLoopTimerRef far = add_timer(1000, 0, 0, ^(RLRunLoopTimerRef timer) {
        changed++;
        work_stop(loop);
    });
    work_wait(^bool { return fired >= 5; }, "timers fire");
    end_timer(once);
    end_timer(often);

    /* The loop sleeps already when it gets another deadline. */
    pthread_t helper = begin_thread(^{
        work_await_sleep(loop);
        RLRunLoopTimerSetNextFireDate(far, work_date(0.002));
    });
    work_wait(^bool { return changed > 0; }, "a timer that another thread moved fires");
    pthread_join(helper, NULL);

    RLRunLoopTimerRef keep = add_timer(1000, 1000, 0, ^(RLRunLoopTimerRef timer) { (void)timer; });
    helper = begin_thread(^{
        work_await_sleep(loop);
        RLRunLoopTimerRef timer = RLRunLoopTimerCreateWithHandler(NULL, work_date(0.002), 0, 0, 0,
                                                                  ^(RLRunLoopTimerRef fires) {
                                                                      sent++;
                                                                      work_stop(loop);
                                                                  });
        RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
        RLRelease(timer);
    });
    work_wait(^bool { return sent > 0; }, "a timer that another thread added fires");
    pthread_join(helper, NULL);
    work_rest();
    end_timer(far);
    end_timer(keep);
}

/* --- Wake-ups --------------------------------------------------------------------------------- */

static void count_performed(void *info)
{
    atomic_fetch_add((atomic_int *)info, 1);
    work_stop(RLRunLoopGetCurrent());
}

static RLRunLoopSourceRef make_signalled(atomic_int *count)
{
    RLRunLoopSourceContext context = {.info = count, .perform = count_performed};
    return RLRunLoopSourceCreate(NULL, 0, &context);
}

static void count_passes(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    atomic_fetch_add((atomic_int *)info, 1);
}

/* Two threads use one loop at once, so that its lock is asked for while it is taken. */
static void contend(RLRunLoopRef loop)
{
    pthread_t helpers[2];
    for (int i = 0; i < 2; i++) {
        helpers[i] = begin_thread(^{
            for (int turn = 0; turn < 30; turn++) {
                RLRunLoopTimerRef timer =
                    RLRunLoopTimerCreate(NULL, work_date(1000), 0, 0, 0, NULL, NULL);
                RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
                RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{});
                RLRunLoopTimerInvalidate(timer);
                RLRelease(timer);
            }
        });
    }
    for (int i = 0; i < 2; i++) pthread_join(helpers[i], NULL);
}

void part_wakes(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    static atomic_int performed, passes;
    __block atomic_int blocks = 0, nested = 0;
    performed = passes = 0;
    RLRunLoopSourceRef source = make_signalled(&performed);
    RLRunLoopObserverContext context = {.info = &passes};
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopAllActivities, true, 0, count_passes, &context);
    RLRunLoopAddSource(loop, source, kRLRunLoopCommonModes);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopCommonModes);

    for (int i = 1; i <= 4; i++) {
        pthread_t helper = begin_thread(^{
            work_await_sleep(loop);
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
                blocks++;
                work_stop(loop);
            });
            RLRunLoopWakeUp(loop);
        });
        work_wait(^bool { return blocks >= i; }, "a block of another thread runs");
        pthread_join(helper, NULL);
        helper = begin_thread(^{
            work_await_sleep(loop);
            RLRunLoopSourceSignalAndWakeUp(source, loop);
        });
        work_wait(^bool { return performed >= i; },
                  "a source that another thread signalled performs");
        pthread_join(helper, NULL);
    }

    work_step("a stop from another thread");
    pthread_t helper = begin_thread(^{
        work_await_sleep(loop);
        RLRunLoopStop(loop);
    });
    work_must(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false) == kRLRunLoopRunStopped,
              "a stop from another thread ends the run");
    pthread_join(helper, NULL);

    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
        pthread_t inner = begin_thread(^{
            work_await_sleep(loop);
            RLRunLoopSourceSignal(source);
            RLRunLoopWakeUp(loop);
        });
        int before = performed;
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, true);
        nested = performed - before;
        pthread_join(inner, NULL);
        work_stop(loop);
    });
    work_wait(^bool { return nested > 0; }, "a nested run is woken");
    work_must(passes > 0, "observers are called");
    contend(loop);
    work_rest();
    RLRunLoopObserverInvalidate(observer);
    RLRunLoopSourceInvalidate(source);
    RLRelease(observer);
    RLRelease(source);
}

/* --- Hosting ---------------------------------------------------------------------------------- */

/* Another event loop: waits for the descriptor, and serves the loop. */
static void host_until(int fd, bool (^is_so)(void), const char *what)
{
    work_step(what);
    for (int turn = 0; !is_so() && turn < 2000; turn++) {
        struct pollfd query = {.fd = fd, .events = POLLIN};
        if (poll(&query, 1, 20000) <= 0) break;
        RLRunLoopRunHosted(10);
    }
    work_must(is_so(), what);
}

void part_hosting(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    static atomic_int performed;
    __block atomic_int fired = 0, blocks = 0;
    performed = 0;
    RLRunLoopSourceRef source = make_signalled(&performed);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    int fd = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);
    if (work_did(fd >= 0, "RLRunLoopBeginHosting")) {
        RLRunLoopTimerRef timer = add_timer(0.002, 0, 0, ^(RLRunLoopTimerRef fires) { fired++; });
        host_until(fd, ^bool { return fired > 0; }, "the timer of a hosted loop fires");
        end_timer(timer);
        pthread_t helper = begin_thread(^{
            work_await_sleep(loop);
            RLRunLoopTimerRef other = RLRunLoopTimerCreateWithHandler(
                NULL, work_date(0.002), 0, 0, 0, ^(RLRunLoopTimerRef fires) { fired++; });
            RLRunLoopAddTimer(loop, other, kRLRunLoopDefaultMode);
            RLRelease(other);
        });
        host_until(fd, ^bool { return fired > 1; },
                   "a timer that another thread added to a hosted loop fires");
        pthread_join(helper, NULL);
        helper = begin_thread(^{
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ blocks++; });
            RLRunLoopSourceSignal(source);
            RLRunLoopWakeUp(loop);
        });
        host_until(fd, ^bool { return blocks > 0 && performed > 0; }, "a hosted loop is woken");
        pthread_join(helper, NULL);
        work_step("an idle hosted loop");
        struct pollfd query = {.fd = fd, .events = POLLIN};
        int reported = 0;
        for (int turn = 0; turn < 20 && poll(&query, 1, 1) > 0; turn++) {
            RLRunLoopRunHosted(10);
            reported++;
        }
        work_must(reported < 10, "an idle hosted loop is quiet");
        RLRunLoopEndHosting();
    }
    work_rest();
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

/* --- The main loop ---------------------------------------------------------------------------- */

static void count_and_stop(void *info)
{
    atomic_fetch_add((atomic_int *)info, 1);
    work_stop(RLRunLoopGetMain());
}

/*
 * Without descriptors the queue's first work ends the process, in libdispatch: this one has some.
 */
static void queue_work(atomic_int *served, void (*function)(void *))
{
    fault_spare(^{ dispatch_async_f(dispatch_get_main_queue(), served, function); });
}

/*
 * Work that is queued while the queue's port cannot be made waits for the port: the second round
 * begins with the work that the first has left.
 */
static atomic_int served, queued;

void part_main_loop(void)
{
    __block atomic_int fired = 0, blocks = 0;
    RLRunLoopRef loop = RLRunLoopGetMain();
    for (int i = 1; i <= 3; i++) {
        queued++;
        pthread_t helper = begin_thread(^{
            work_await_sleep(loop);
            queue_work(&served, count_and_stop);
        });
        work_wait_served(^bool { return served == queued; }, "the main queue is served");
        pthread_join(helper, NULL);
        helper = begin_thread(^{
            work_await_sleep(loop);
            RLRunLoopPerformBlock(loop, kRLRunLoopCommonModes, ^{
                blocks++;
                work_stop(loop);
            });
            RLRunLoopWakeUp(loop);
        });
        work_wait(^bool { return blocks >= i; }, "the main loop is woken");
        pthread_join(helper, NULL);
    }
    RLRunLoopTimerRef timer = add_timer(0.002, 0, 0, ^(RLRunLoopTimerRef fires) {
        fired++;
        work_stop(loop);
    });
    work_wait(^bool { return fired > 0; }, "a timer of the main loop fires");
    end_timer(timer);
    work_rest();
}

static void count_only(void *info)
{
    atomic_fetch_add((atomic_int *)info, 1);
}

void part_main_host(void)
{
    int fd = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);
    if (!work_did(fd >= 0, "RLRunLoopBeginHosting")) return;
    for (int i = 1; i <= 2; i++) {
        queued++;
        pthread_t helper = begin_thread(^{ queue_work(&served, count_only); });
        host_until(fd, ^bool { return served == queued; },
                   "the main queue of a hosted loop is served");
        pthread_join(helper, NULL);
    }
    RLRunLoopEndHosting();
    work_rest();
}

/* --- Threads and processes -------------------------------------------------------------------- */

void part_threads(void)
{
    __block atomic_int ended = 0, performed = 0;
    __block RLRunLoopRef kept = NULL;
    static atomic_int signalled;
    signalled = 0;
    for (int i = 0; i < 3; i++) {
        call_on_thread(^{
            RLRunLoopRef loop = RLRunLoopGetCurrent();
            if (!work_got(loop, "RLRunLoopGetCurrent")) return;
            RLRunLoopTimerRef timer =
                add_timer(1000, 0, 0, ^(RLRunLoopTimerRef fires) { (void)fires; });
            RLRunLoopSourceRef source = make_signalled(&signalled);
            RLRunLoopAddSource(loop, source, kRLRunLoopCommonModes);
            RLRelease(source);
            RLRelease(timer);
            if (i == 2) kept = (RLRunLoopRef)RLRetain(loop);
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
                performed++;
                if (i == 1) pthread_exit(NULL);
            });
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
            ended++;
        });
    }
    work_should(performed == 3 && ended == 2, "threads run their loops and end");
    if (kept) {
        RLRunLoopPerformBlock(kept, kRLRunLoopDefaultMode, ^{});
        RLRunLoopWakeUp(kept);
        RLRunLoopStop(kept);
        RLRelease(kept);
    }
    work_rest();
}

static RLDataRef no_reply(RLMessagePortRef local, SInt32 number, RLDataRef data, void *info)
{
    return NULL;
}

static int use_in_child(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    __block int fired = 0;
    if (!loop) return 3;
    RLRunLoopTimerRef timer = add_timer(0.001, 0, 0, ^(RLRunLoopTimerRef fires) {
        fired++;
        RLRunLoopStop(loop);
    });
    pthread_t helper = begin_thread(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
            fired++;
            RLRunLoopStop(loop);
        });
        RLRunLoopWakeUp(loop);
    });
    for (int turn = 0; turn < 20 && fired < 2; turn++) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1, false);
    }
    pthread_join(helper, NULL);
    end_timer(timer);
    return fired == 2 ? 0 : 4;
}

void part_forks(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    static atomic_int performed;
    performed = 0;
    RLRunLoopSourceRef source = make_signalled(&performed);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    RLMessagePortRef port = RLMessagePortCreateLocal(NULL, RLSTR("forked"), no_reply, NULL, NULL);
    RLMessagePortRef remote =
        port ? RLMessagePortCreateRemote(NULL, RLMessagePortGetName(port)) : NULL;
    RLRunLoopSourceRef end = remote ? RLMessagePortCreateInvalidationSource(NULL, remote, 0) : NULL;
    if (end) RLRunLoopAddSource(loop, end, kRLRunLoopDefaultMode);
    dispatch_queue_t queue = dispatch_queue_create("faults", NULL);
    if (port) RLMessagePortSetDispatchQueue(port, (struct dispatch_queue_s *)queue);
    work_step("a child uses its loop");
    pid_t child = fork();
    if (child == 0) {
        alarm(300);
        _exit(use_in_child());
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) continue;
    work_must(WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) == 0,
              "a forked child's loop works");
    pthread_t helper = begin_thread(^{
        work_await_sleep(loop);
        RLRunLoopSourceSignalAndWakeUp(source, loop);
    });
    work_wait(^bool { return performed > 0; }, "the parent's loop is woken after a fork");
    pthread_join(helper, NULL);
    work_rest();
    if (work_got(port, "RLMessagePortCreateLocal")) {
        if (work_got(remote, "RLMessagePortCreateRemote")) {
            if (work_got(end, "RLMessagePortCreateInvalidationSource")) {
                RLRunLoopSourceInvalidate(end);
                RLRelease(end);
            }
            RLRelease(remote);
        }
        RLMessagePortInvalidate(port);
        RLRelease(port);
    }
    dispatch_sync_f(queue, NULL, free);
    dispatch_release(queue);
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}
