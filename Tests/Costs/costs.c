/*
 * Does one thing a number of times, for count.py to count its cost.
 */

#include "costs.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct side {
    RLRunLoopRef loop;
    RLRunLoopSourceRef bell;
};

static struct side near_side, far_side;
static long left;
static RLRunLoopTimerRef *timers;
static long timer_count;
static RLRunLoopObserverRef *observers;
static long observer_count;
static int port_fd;

static void do_nothing(void *info)
{
}

void give_source(RLRunLoopSourceRef source)
{
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, MODE);
    RLRelease(source);
}

/* The loop holds the source. */
static RLRunLoopSourceRef add_source(void *info, void (*perform)(void *))
{
    RLRunLoopSourceContext context = {.info = info, .perform = perform};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
    give_source(source);
    return source;
}

static void add_sources(long count)
{
    for (long number = 1; number <= count; number++) add_source((void *)number, do_nothing);
}

/* The main loop serves the main dispatch queue in this mode. */
static void enter_main_loop(long count)
{
    CHECK(RLRunLoopGetCurrent() == RLRunLoopGetMain());
    RLRunLoopAddSource(RLRunLoopGetCurrent(), add_source(NULL, do_nothing), kRLRunLoopDefaultMode);
}

static void add_traced_sources(long count)
{
    add_sources(count);
    RLRunLoopTracerStart(RLRunLoopTracerCreate(kRLAllocatorDefault, 0), RLRunLoopGetCurrent());
}

static void ignore_timer(RLRunLoopTimerRef timer, void *info)
{
}

/* Different for all, and in no order. */
static double far_date(long number)
{
    static double now;
    if (now == 0) now = RLAbsoluteTimeGetCurrent();
    return now + 1.0e6 + (double)(number * 7919 % 1000003);
}

static RLRunLoopTimerRef make_timer(double date, double interval, RLRunLoopTimerCallBack call)
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(kRLAllocatorDefault, date, interval, 0, 0, call, NULL);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, MODE);
    return timer;
}

static RLRunLoopTimerRef add_far_timer(long number)
{
    return make_timer(far_date(number), 0, ignore_timer);
}

static void add_timers(long count)
{
    timer_count = count;
    timers = calloc((size_t)count, sizeof timers[0]);
    CHECK(timers != NULL);
    for (long number = 0; number < count; number++) timers[number] = add_far_timer(number);
}

static void add_timer(long number)
{
    RLRelease(add_far_timer(number));
}

static void ignore_activity(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
}

static RLRunLoopObserverRef add_observer(void)
{
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(kRLAllocatorDefault, kRLRunLoopExit,
                                                            true, 0, ignore_activity, NULL);
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, MODE);
    return observer;
}

static void add_observers(long count)
{
    observer_count = count;
    observers = calloc((size_t)count, sizeof observers[0]);
    CHECK(observers != NULL);
    for (long number = 0; number < count; number++) observers[number] = add_observer();
}

static void add_bell(long count)
{
    add_sources(count);
    near_side.bell = add_source(NULL, do_nothing);
}

static int get_port(void *info)
{
    return *(int *)info;
}

static void open_port(int *fd, void (*perform)(void *))
{
    *fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    RLRunLoopSourceContext1 context = {
        .version = 1, .info = fd, .getPort = get_port, .perform = perform};
    give_source(RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context));
}

static void add_port(long count)
{
    open_port(&port_fd, do_nothing);
}

static void ring_fd(int fd)
{
    uint64_t one = 1;
    CHECK(write(fd, &one, sizeof one) == sizeof one);
}

static void ring_port(long number)
{
    ring_fd(port_fd);
    RLRunLoopRunInMode(MODE, 0, false);
}

/* --- What is repeated ------------------------------------------------------------------------- */

static void poll_once(long number)
{
    RLRunLoopRunInMode(MODE, 0, false);
}

static void poll_main_loop(long number)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}

static void churn_timer(long number)
{
    long index = number * 7919 % timer_count;
    RLRunLoopTimerInvalidate(timers[index]);
    RLRelease(timers[index]);
    timers[index] = add_far_timer(number);
}

static void move_timer(long number)
{
    RLRunLoopTimerSetNextFireDate(timers[number * 7919 % timer_count], far_date(number));
}

static void churn_observer(long number)
{
    long index = number * 7919 % observer_count;
    RLRunLoopObserverInvalidate(observers[index]);
    RLRelease(observers[index]);
    observers[index] = add_observer();
}

/* Serves one signalled source, and would sleep if there were none. */
static void run_once(long number)
{
    RLRunLoopSourceSignal(near_side.bell);
    RLRunLoopRunInMode(MODE, 10, true);
}

static void run_shortly(long number)
{
    RLRunLoopRunInMode(MODE, 1.0e-4, false);
}

static void count_down(void *info)
{
    if (--left == 0) RLRunLoopStop(RLRunLoopGetCurrent());
}

static void signal_again(void *info)
{
    RLRunLoopSourceSignal(near_side.bell);
    count_down(info);
}

/* A source that signals itself in each pass, `left` times. */
static void signal_often(long count)
{
    left = count;
    near_side.bell = add_source(NULL, signal_again);
    RLRunLoopSourceSignal(near_side.bell);
    RLRunLoopRunInMode(MODE, 1.0e10, false);
}

/* Ports that are ready at once, a hundred at a time. */
static void serve_ready_ports(long count)
{
    enum { READY = 100 };
    static int fds[READY];
    for (int i = 0; i < READY; i++) open_port(&fds[i], count_down);
    for (long number = 0; number < count; number += READY) {
        for (int i = 0; i < READY; i++) ring_fd(fds[i]);
        left = READY;
        RLRunLoopRunInMode(MODE, 1.0e10, false);
    }
}

/* A block that queues itself in each pass, `left` times. */
static void post_again(void)
{
    count_down(NULL);
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), MODE, ^{ post_again(); });
    RLRunLoopWakeUp(RLRunLoopGetCurrent());
}

static void post_often(long count)
{
    left = count;
    add_sources(1);
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), MODE, ^{ post_again(); });
    RLRunLoopRunInMode(MODE, 1.0e10, false);
}

static void count_tick(RLRunLoopTimerRef timer, void *info)
{
    count_down(info);
}

/* Timers that are all due, each once, and with that gone. */
static void fire_all(long count)
{
    left = count;
    RLAbsoluteTime now = RLAbsoluteTimeGetCurrent();
    for (long number = 0; number < count; number++) RLRelease(make_timer(now, 0, count_tick));
    RLRunLoopRunInMode(MODE, 1.0e10, false);
}

/* Runs the loop until a repeating timer has fired `count` times. */
static void tick(long count)
{
    left = count;
    RLRelease(make_timer(RLAbsoluteTimeGetCurrent(), 1.0e-4, count_tick));
    while (left > 0) RLRunLoopRunInMode(MODE, 1.0e10, false);
}

static pthread_barrier_t is_ready;

/*
 * Rings a loop that waits: one that is still awake may see the signal first and the wake-up later.
 */
static void ring(struct side *side)
{
    while (!RLRunLoopIsWaiting(side->loop)) sched_yield();
    RLRunLoopSourceSignal(side->bell);
    RLRunLoopWakeUp(side->loop);
}

static void answer(void *info)
{
    if (left > 0) {
        ring(&near_side);
    } else {
        RLRunLoopStop(RLRunLoopGetCurrent());
    }
}

static void arrive(void *info)
{
    count_down(NULL);
    ring(&far_side);
}

static void *serve_far_side(void *info)
{
    far_side = (struct side){RLRunLoopGetCurrent(), add_source(info, answer)};
    pthread_barrier_wait(&is_ready);
    RLRunLoopRunInMode(MODE, 1.0e10, false);
    return NULL;
}

/* Two loops that wake each other. */
static void make_round_trips(long count)
{
    left = count;
    pthread_t thread;
    pthread_barrier_init(&is_ready, NULL, 2);
    near_side = (struct side){RLRunLoopGetCurrent(), add_source(NULL, arrive)};
    CHECK(pthread_create(&thread, NULL, serve_far_side, NULL) == 0);
    pthread_barrier_wait(&is_ready);
    ring(&far_side);
    RLRunLoopRunInMode(MODE, 1.0e10, false);
    pthread_join(thread, NULL);
}

static void *post_all(void *info)
{
    RLRunLoopRef loop = near_side.loop;
    for (long number = (long)info; number > 0; number--) {
        RLRunLoopPerformBlock(loop, MODE, ^{ count_down(NULL); });
        RLRunLoopWakeUp(loop);
    }
    return NULL;
}

/*
 * Blocks that another thread posts, with a wake-up for each, while the loop is busy waiting for it.
 */
static void receive_posts(long count)
{
    left = count;
    near_side.loop = RLRunLoopGetCurrent();
    add_sources(1);
    RLRunLoopPerformBlock(near_side.loop, MODE, ^{
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, post_all, (void *)count) == 0);
        pthread_join(thread, NULL);
    });
    RLRunLoopRunInMode(MODE, 1.0e10, false);
}

static void *retain_loop(void *info)
{
    RLRetain(RLRunLoopGetCurrent());
    return info;
}

/* The thread ends: it has memory of its own, which is not the loop's. */
static void keep_loop(long number)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, retain_loop, NULL) == 0);
    pthread_join(thread, NULL);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 4) {
        fprintf(stderr, "usage: %s TIMES WHAT COUNT\n", arguments[0]);
        return 64;
    }
    long times = atol(arguments[1]), count = atol(arguments[3]);
    const struct {
        const char *name;
        void (*prepare)(long count);
        /* Either of them. */
        void (*repeat)(long number);
        void (*make_all)(long times);
    } subjects[] = {
        {"sources", add_sources, poll_once, NULL},
        {"main", enter_main_loop, poll_main_loop, NULL},
        {"timers", add_timers, poll_once, NULL},
        {"churn", add_timers, churn_timer, NULL},
        {"move", add_timers, move_timer, NULL},
        {"add", add_timers, add_timer, NULL},
        {"observers", add_observers, churn_observer, NULL},
        {"due", NULL, NULL, fire_all},
        {"once", add_bell, run_once, NULL},
        {"hot", add_sources, NULL, signal_often},
        {"self", NULL, NULL, post_often},
        {"limit", add_sources, run_shortly, NULL},
        {"ticks", NULL, NULL, tick},
        {"trips", NULL, NULL, make_round_trips},
        {"posts", NULL, NULL, receive_posts},
        {"port", add_port, poll_once, NULL},
        {"rung", add_port, ring_port, NULL},
        {"ready", NULL, NULL, serve_ready_ports},
        {"echo-sockets", NULL, NULL, echo_by_sockets},
        {"echo-sources", NULL, NULL, echo_by_sources},
        {"echo-streams", NULL, NULL, echo_by_streams},
        {"echo-clients", NULL, NULL, echo_by_clients},
        {"one-way", NULL, NULL, send_one_way},
        {"requests", NULL, NULL, send_and_await},
        {"large-requests", NULL, NULL, send_large_and_await},
        {"tolerant", add_tolerant_timers, poll_once, NULL},
        {"tolerant-move", add_tolerant_timers, move_and_poll, NULL},
        {"nested", add_due_timers, NULL, poll_in_callback},
        {"find-mode", add_modes, find_mode, NULL},
        {"common", add_modes, churn_common_source, NULL},
        {"everywhere", add_timer_to_modes, churn_timer_everywhere, NULL},
        {"refused", add_refused_sources, poll_once, NULL},
        {"one-refused", add_one_refused_source, poll_once, NULL},
        {"traced", add_traced_sources, poll_once, NULL},
        {"keep-loops", NULL, keep_loop, NULL},
        {"keep-sources", NULL, NULL, add_sources},
        {"keep-timers", NULL, add_timer, NULL},
    };
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        if (strcmp(arguments[2], subjects[i].name) != 0) continue;
        if (subjects[i].prepare) subjects[i].prepare(count);
        if (subjects[i].make_all) subjects[i].make_all(times);
        for (long number = 0; subjects[i].repeat && number < times; number++) {
            subjects[i].repeat(number);
        }
        if (strncmp(arguments[2], "keep-", 5) == 0) printf("%zu bytes\n", mallinfo2().uordblks);
        return 0;
    }
    fprintf(stderr, "%s: nothing is called %s\n", arguments[0], arguments[2]);
    return 64;
}
