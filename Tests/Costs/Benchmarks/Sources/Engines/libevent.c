/*
 * libevent, with its locks: bells ring from other threads.
 */

#include "support.h"

#if __has_include(<event2/event.h>)

#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

struct item {
    struct event *event;
    struct thunk thunk;
    int64_t interval_ns;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void use_threads(void)
{
    EXPECT(evthread_use_pthreads() == 0);
}

static void *open_loop(void)
{
    pthread_once(&once, use_threads);
    /* Without this its clock is a coarse one and its time-outs are milliseconds. */
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    EXPECT(base != NULL);
    /* What rings from other threads is made now and not at the first ring. */
    EXPECT(evthread_make_base_notifiable(base) == 0);
    return base;
}

LOOP_CALL(close_loop, event_base_free(loop))
LOOP_CALL(run, event_base_loop(loop, EVLOOP_NO_EXIT_ON_EMPTY))
LOOP_CALL(stop, event_base_loopbreak(loop))
LOOP_CALL(poll_once, event_base_loop(loop, EVLOOP_NONBLOCK | EVLOOP_NO_EXIT_ON_EMPTY))

static struct timeval time_of(int64_t ns)
{
    return (struct timeval){.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000};
}

static void happen(evutil_socket_t fd, short events, void *info)
{
    const struct item *item = info;
    if (item->interval_ns > 0) {
        struct timeval next = time_of(item->interval_ns);
        event_add(item->event, &next);
    }
    thunk_call(&item->thunk);
}

static struct item *new_item(void *loop, int fd, short events, engine_call call, void *info)
{
    struct item *item = allocate(sizeof *item);
    item->thunk = (struct thunk){call, info};
    item->event = event_new(loop, fd, events, happen, item);
    EXPECT(item->event != NULL);
    return item;
}

static void remove_item(void *loop, void *opaque)
{
    struct item *item = opaque;
    event_free(item->event);
    free(item);
}

static void *add_bell(void *loop, engine_call call, void *info)
{
    return new_item(loop, -1, 0, call, info);
}

static void ring(void *loop, void *bell)
{
    struct item *item = bell;
    event_active(item->event, 0, 0);
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    struct item *item = timer;
    struct timeval delay = time_of(delay_ns);
    event_add(item->event, &delay);
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    struct item *item = new_item(loop, -1, 0, thunk->call, thunk->info);
    item->interval_ns = interval_ns;
    move_timer(loop, item, delay_ns);
    return item;
}

LOOP_CALL(run_once, event_base_loop(loop, EVLOOP_ONCE))

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct item *item = new_item(loop, fd, EV_READ | EV_PERSIST, call, info);
    event_add(item->event, NULL);
    return item;
}

const struct engine engine_libevent = {ENGINE_FUNCTIONS, ONE_REMOVE_FUNCTION(remove_item),
                                       .run_once = run_once, .joins_pass = true};

#else
const struct engine engine_libevent;
#endif
