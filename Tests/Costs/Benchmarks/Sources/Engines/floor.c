/*
 * The floor: what a loop written by hand for one program needs, and nothing else. An epoll set, an
 * eventfd that is written when an atomic flag was down, a timerfd over a heap, a list of what the
 * own thread has signalled. No locks but for what other threads touch.
 */

#define _GNU_SOURCE

#include "support.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct timer {
    struct thunk thunk;
    int64_t deadline_ns, interval_ns;
    size_t index;
};

struct source {
    struct thunk thunk;
    atomic_bool is_rung;
    struct source *next_signalled;
    struct source *next_bell;
    bool is_signalled;
};

struct descriptor {
    struct thunk thunk;
    int fd;
};

struct loop {
    int poll_fd, wake_fd, timer_fd;
    bool is_stopped;
    atomic_bool is_awake;
    struct timer **heap;
    size_t timer_count, timer_capacity;
    int64_t armed_ns;
    int64_t looking_ns;
    struct source *signalled, **last_signalled;
    struct source *bells;
};

enum { NOT_QUEUED = -1, EVENTS = 64 };

static void watch(const struct loop *loop, int fd, uint32_t events, void *payload)
{
    struct epoll_event event = {.events = events, .data.ptr = payload};
    EXPECT(epoll_ctl(loop->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0);
}

static void *open_loop(void)
{
    struct loop *loop = allocate(sizeof *loop);
    loop->poll_fd = epoll_create1(EPOLL_CLOEXEC);
    loop->wake_fd = make_event_descriptor();
    loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    loop->last_signalled = &loop->signalled;
    watch(loop, loop->wake_fd, EPOLLIN | EPOLLET, &loop->wake_fd);
    watch(loop, loop->timer_fd, EPOLLIN | EPOLLET, &loop->timer_fd);
    return loop;
}

static void close_loop(void *opaque)
{
    struct loop *loop = opaque;
    close(loop->poll_fd);
    close(loop->wake_fd);
    close(loop->timer_fd);
    free(loop->heap);
    free(loop);
}

/* --- Timers ----------------------------------------------------------------------------------- */

static void put(const struct loop *loop, size_t index, struct timer *timer)
{
    loop->heap[index] = timer;
    timer->index = index;
}

static void settle(const struct loop *loop, size_t index, struct timer *timer)
{
    while (index > 0 && timer->deadline_ns < loop->heap[(index - 1) / 2]->deadline_ns) {
        put(loop, index, loop->heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= loop->timer_count) break;
        if (child + 1 < loop->timer_count &&
            loop->heap[child + 1]->deadline_ns < loop->heap[child]->deadline_ns) {
            child++;
        }
        if (loop->heap[child]->deadline_ns >= timer->deadline_ns) break;
        put(loop, index, loop->heap[child]);
        index = child;
    }
    put(loop, index, timer);
}

static void enqueue(struct loop *loop, struct timer *timer)
{
    if (loop->timer_count == loop->timer_capacity) {
        loop->timer_capacity = loop->timer_capacity ? loop->timer_capacity * 2 : 64;
        loop->heap = realloc(loop->heap, loop->timer_capacity * sizeof loop->heap[0]);
        EXPECT(loop->heap != NULL);
    }
    size_t index = loop->timer_count++;
    put(loop, index, timer);
    settle(loop, index, timer);
}

static void dequeue(struct loop *loop, struct timer *timer)
{
    if (timer->index == (size_t)NOT_QUEUED) return;
    struct timer *last = loop->heap[--loop->timer_count];
    if (last != timer) settle(loop, timer->index, last);
    timer->index = (size_t)NOT_QUEUED;
}

static void *add_timer(void *opaque, int64_t delay_ns, int64_t interval_ns,
                       const struct thunk *thunk)
{
    struct timer *timer = allocate(sizeof *timer);
    *timer = (struct timer){*thunk, now_ns() + delay_ns, interval_ns, 0};
    enqueue(opaque, timer);
    return timer;
}

static void move_timer(void *opaque, void *handle, int64_t delay_ns)
{
    struct timer *timer = handle;
    timer->deadline_ns = now_ns() + delay_ns;
    if (timer->index == (size_t)NOT_QUEUED) {
        enqueue(opaque, timer);
    } else {
        settle(opaque, timer->index, timer);
    }
}

static void remove_timer(void *opaque, void *timer)
{
    dequeue(opaque, timer);
    free(timer);
}

static void fire_due(struct loop *loop)
{
    if (loop->timer_count == 0) return;
    int64_t now = now_ns();
    while (loop->timer_count > 0 && loop->heap[0]->deadline_ns <= now && !loop->is_stopped) {
        struct timer *timer = loop->heap[0];
        dequeue(loop, timer);
        if (timer->interval_ns > 0) {
            timer->deadline_ns += timer->interval_ns;
            enqueue(loop, timer);
        }
        thunk_call(&timer->thunk);
    }
}

/* --- Sources, bells and descriptors ----------------------------------------------------------- */

static void *add_idle_source(void *loop, engine_call call, void *info)
{
    struct source *source = allocate(sizeof *source);
    source->thunk = (struct thunk){call, info};
    return source;
}

static void remove_idle_source(void *loop, void *source)
{
    free(source);
}

static void *add_bell(void *opaque, engine_call call, void *info)
{
    struct loop *loop = opaque;
    struct source *source = add_idle_source(loop, call, info);
    source->next_bell = loop->bells;
    loop->bells = source;
    return source;
}

/* Only sources that are not signalled are removed by the workloads. */
static void remove_bell(void *opaque, void *source)
{
    struct loop *loop = opaque;
    struct source **link = &loop->bells;
    while (*link != source) link = &(*link)->next_bell;
    *link = (*link)->next_bell;
    free(source);
}

static void signal_source(void *opaque, void *handle)
{
    struct loop *loop = opaque;
    struct source *source = handle;
    if (source->is_signalled) return;
    source->is_signalled = true;
    source->next_signalled = NULL;
    *loop->last_signalled = source;
    loop->last_signalled = &source->next_signalled;
}

static void ring(void *opaque, void *bell)
{
    struct loop *loop = opaque;
    struct source *source = bell;
    atomic_store(&source->is_rung, true);
    if (atomic_load(&loop->is_awake) || atomic_exchange(&loop->is_awake, true)) return;
    ring_event_descriptor(loop->wake_fd);
}

static void answer_bells(struct loop *loop)
{
    for (struct source *bell = loop->bells; bell; bell = bell->next_bell) {
        if (!atomic_load(&bell->is_rung)) continue;
        atomic_store(&bell->is_rung, false);
        thunk_call(&bell->thunk);
    }
}

static void serve_signalled(struct loop *loop)
{
    struct source *source = loop->signalled;
    loop->signalled = NULL;
    loop->last_signalled = &loop->signalled;
    while (source) {
        struct source *next = source->next_signalled;
        source->is_signalled = false;
        thunk_call(&source->thunk);
        source = next;
    }
}

static void *add_descriptor(void *opaque, int fd, engine_call call, void *info)
{
    struct descriptor *descriptor = allocate(sizeof *descriptor);
    *descriptor = (struct descriptor){{call, info}, fd};
    watch(opaque, fd, EPOLLIN, descriptor);
    return descriptor;
}

static void remove_descriptor(void *opaque, void *handle)
{
    const struct loop *loop = opaque;
    struct descriptor *descriptor = handle;
    epoll_ctl(loop->poll_fd, EPOLL_CTL_DEL, descriptor->fd, NULL);
    free(descriptor);
}

/* --- Passes ----------------------------------------------------------------------------------- */

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

static void arm(struct loop *loop)
{
    int64_t wanted_ns = loop->timer_count > 0 ? loop->heap[0]->deadline_ns : 0;
    if (wanted_ns == loop->armed_ns) return;
    struct itimerspec when = {.it_value = timespec_of(wanted_ns)};
    timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &when, NULL);
    loop->armed_ns = wanted_ns;
}

static bool is_bell_rung(const struct loop *loop)
{
    const struct source *bell = loop->bells;
    while (bell && !atomic_load(&bell->is_rung)) bell = bell->next_bell;
    return bell != NULL;
}

/* For those who ask. */
static void look_before_sleeping(void *opaque, double seconds)
{
    struct loop *loop = opaque;
    loop->looking_ns = (int64_t)(seconds * 1.0e9);
}

static void look(const struct loop *loop)
{
    int64_t end_ns = now_ns() + loop->looking_ns;
    while (!is_bell_rung(loop) && now_ns() < end_ns) continue;
}

/* Waits so long at most, forever with a negative limit. */
static int wait_for(struct loop *loop, struct epoll_event *events, int64_t limit_ns)
{
    if (limit_ns == 0) return epoll_wait(loop->poll_fd, events, EVENTS, 0);
    if (loop->looking_ns > 0) look(loop);
    arm(loop);
    atomic_store(&loop->is_awake, false);
    struct timespec limit = timespec_of(limit_ns);
    int count;
    if (is_bell_rung(loop)) {
        /* Who rings without end must not keep descriptors and timers waiting. */
        count = epoll_wait(loop->poll_fd, events, EVENTS, 0);
    } else {
        count = (int)syscall(SYS_epoll_pwait2, loop->poll_fd, events, EVENTS,
                             limit_ns < 0 ? NULL : &limit, NULL, 0);
    }
    atomic_store(&loop->is_awake, true);
    return count;
}

static void make_pass(struct loop *loop, int64_t limit_ns)
{
    struct epoll_event events[EVENTS];
    bool has_work = loop->signalled != NULL || (loop->timer_count > 0 && limit_ns != 0 &&
                                                loop->heap[0]->deadline_ns <= now_ns());
    int count = wait_for(loop, events, has_work ? 0 : limit_ns);
    EXPECT(count >= 0 || errno == EINTR);
    for (int i = 0; i < count; i++) {
        void *payload = events[i].data.ptr;
        if (payload == &loop->wake_fd) continue;
        if (payload == &loop->timer_fd) {
            loop->armed_ns = 0;
            continue;
        }
        const struct descriptor *descriptor = payload;
        thunk_call(&descriptor->thunk);
    }
    fire_due(loop);
    answer_bells(loop);
    serve_signalled(loop);
}

static void run(void *opaque)
{
    struct loop *loop = opaque;
    loop->is_stopped = false;
    while (!loop->is_stopped) make_pass(loop, -1);
}

static void run_for(void *opaque, double seconds)
{
    struct loop *loop = opaque;
    loop->is_stopped = false;
    make_pass(loop, (int64_t)(seconds * 1.0e9));
}

LOOP_CALL(stop, ((struct loop *)loop)->is_stopped = true)
LOOP_CALL(poll_once, run_for(loop, 0))

const struct engine engine_floor = {ENGINE_FUNCTIONS,
                                    REMOVE_FUNCTIONS,
                                    .run_for = run_for,
                                    .add_source = add_idle_source,
                                    .signal = signal_source,
                                    .remove_source = remove_idle_source,
                                    .look_before_sleeping = look_before_sleeping};
