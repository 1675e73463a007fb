/*
 * Poll sets, timers and event counters. Only this file uses epoll(7), timerfd_create(2) and
 * eventfd(2). Docs/Maintaining/Architecture.md explains how to port this file to another kernel.
 */

#include "base/system.h"

#include "base/kernel.h"

#include "base/check.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Some C libraries do not define RWF_NOWAIT in <sys/uio.h>. */
#if !defined(RWF_NOWAIT)
#include <linux/fs.h>
#endif

enum { NS_PER_S = 1000000000 };

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

static int result_or_error(int result)
{
    return result < 0 ? -errno : result;
}

int rl_kernel_make_event_counter(void)
{
    return result_or_error(rl_kernel_keep(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)));
}

int rl_kernel_make_ready_counter(void)
{
    return result_or_error(rl_kernel_keep(eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK)));
}

int rl_kernel_make_timer(void)
{
    return result_or_error(
        rl_kernel_keep(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)));
}

int rl_kernel_make_poll_set(void)
{
    return result_or_error(rl_kernel_keep(epoll_create1(EPOLL_CLOEXEC)));
}

/*
 * Aborts if `is_known` is false: other code has closed the engine's descriptor, or a sandbox
 * rejects the call.
 */
static void expect_own(bool is_known, int fd)
{
    if (RL_LIKELY(is_known)) return;
    bool is_refused = errno == EPERM || errno == EACCES || errno == ENOSYS;
    rl_client_error("run loop", "descriptor %d of a run loop %s (%s): %s", fd,
                    is_refused ? "cannot be used" : "was closed by other code", strerror(errno),
                    is_refused ? "allow epoll and timerfd calls in the sandbox"
                               : "search for code that closes a descriptor twice");
}

void rl_kernel_set_timer(int fd, int64_t deadline_ns)
{
    struct itimerspec when = {.it_value = timespec_of(deadline_ns)};
    if (RL_LIKELY(timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) == 0)) return;
    int failure = errno;
    /* EINVAL: the number refers to another file now, or a library intercepts the call. */
    if (failure == EINVAL && timerfd_gettime(fd, &when) == 0) {
        rl_client_error("run loop",
                        "timerfd_settime(2) rejects a time of clock_gettime(2): run without "
                        "libraries that replace the clock, such as libfaketime");
    }
    errno = failure;
    expect_own(false, fd);
}

static uint32_t epoll_mask(uint32_t interest)
{
    uint32_t mask = 0;
    if (interest & RL_KERNEL_READ) mask |= EPOLLIN | EPOLLRDHUP;
    if (interest & RL_KERNEL_WRITE) mask |= EPOLLOUT;
    if (interest & RL_KERNEL_PRIORITY) mask |= EPOLLPRI;
    if (interest & RL_KERNEL_EDGE) mask |= EPOLLET;
    return mask;
}

static uint32_t ready_mask(uint32_t events)
{
    uint32_t ready = 0;
    if (events & EPOLLIN) ready |= RL_KERNEL_READ;
    if (events & EPOLLOUT) ready |= RL_KERNEL_WRITE;
    if (events & EPOLLPRI) ready |= RL_KERNEL_PRIORITY;
    if (events & EPOLLHUP) ready |= RL_KERNEL_HANG_UP;
    if (events & EPOLLERR) ready |= RL_KERNEL_ERROR;
    if (events & EPOLLRDHUP) ready |= RL_KERNEL_PEER_CLOSED;
    return ready;
}

static int poll_control(int set, int operation, int fd, uint32_t interest, uint64_t payload)
{
    struct epoll_event event = {.events = epoll_mask(interest), .data.u64 = payload};
    return result_or_error(epoll_ctl(set, operation, fd, &event));
}

int rl_kernel_poll_add(int set, int fd, uint32_t interest, uint64_t payload)
{
    return poll_control(set, EPOLL_CTL_ADD, fd, interest, payload);
}

int rl_kernel_poll_change(int set, int fd, uint32_t interest, uint64_t payload)
{
    return poll_control(set, EPOLL_CTL_MOD, fd, interest, payload);
}

void rl_kernel_poll_remove(int set, int fd)
{
    /* The call fails without harm if the client has closed the descriptor already. */
    epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL);
}

/* The time structure of the kernel's newer system calls, which is the same on all machines. */
struct kernel_time {
    int64_t seconds;
    int64_t nanoseconds;
};

/* Linux 5.11 and later take nanoseconds. Earlier kernels take milliseconds, rounded up here. */
static int wait_once(int set, struct epoll_event *events, int most, int64_t left_ns)
{
#if defined(SYS_epoll_pwait2) && !defined(RL_NEEDS_KNOWN_CALLS)
    static atomic_bool is_missing;
    if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
        struct kernel_time timeout = {left_ns / NS_PER_S, left_ns % NS_PER_S};
        int count = (int)syscall(SYS_epoll_pwait2, set, events, most,
                                 left_ns == RL_NEVER_NS ? NULL : &timeout, NULL, 0);
        /* A sandbox may let the call fail with any error. If the error is real, both calls fail. */
        if (count >= 0 || errno == EINTR) return count;
        atomic_store_explicit(&is_missing, true, memory_order_relaxed);
    }
#endif
    enum { NS_PER_MS = 1000000 };
    int64_t left_ms = -1;
    if (left_ns != RL_NEVER_NS) left_ms = left_ns / NS_PER_MS + (left_ns % NS_PER_MS > 0);
    return RL_UNCANCELED(
        epoll_wait(set, events, most, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms));
}

/* Calls syscall(2) because nearly every pass polls: see uncanceled.h. */
static int poll_once(int set, struct epoll_event *events, int most)
{
#if defined(RL_NEEDS_KNOWN_CALLS)
    return RL_UNCANCELED(epoll_wait(set, events, most, 0));
#elif defined(SYS_epoll_wait)
    return (int)syscall(SYS_epoll_wait, set, events, most, 0);
#else
    return (int)syscall(SYS_epoll_pwait, set, events, most, 0, NULL, 0);
#endif
}

static int64_t time_left(int64_t deadline_ns)
{
    if (deadline_ns == RL_NEVER_NS || deadline_ns == 0) return deadline_ns;
    int64_t left = deadline_ns - rl_kernel_monotonic_ns();
    return left > 0 ? left : 0;
}

static int wait_until(int set, struct epoll_event *events, int most, int64_t deadline_ns)
{
    for (;;) {
        int64_t left_ns = time_left(deadline_ns);
        int count =
            left_ns == 0 ? poll_once(set, events, most) : wait_once(set, events, most, left_ns);
        if (count > 0) return count;
        expect_own(count == 0 || errno == EINTR, set);
        if (count == 0 && time_left(deadline_ns) == 0) return 0;
    }
}

uint32_t rl_kernel_poll_wait(int set, int64_t deadline_ns, struct rl_kernel_event *ret_events,
                             uint32_t most)
{
    struct epoll_event events[RL_KERNEL_MOST_EVENTS];
    uint32_t count = (uint32_t)wait_until(set, events, (int)most, deadline_ns);
    for (uint32_t i = 0; i < count; i++) {
        ret_events[i].payload = events[i].data.u64;
        ret_events[i].ready = ready_mask(events[i].events);
    }
    return count;
}

int rl_kernel_poll(struct pollfd *queries, unsigned count, int left_ms)
{
    int found = RL_UNCANCELED(poll(queries, count, left_ms));
    /* A sandbox may let poll(2) fail with any error. */
    if (found >= 0 || errno == EINTR) return found;
    struct timespec left = timespec_of(left_ms * INT64_C(1000000));
    return RL_UNCANCELED(ppoll(queries, count, left_ms < 0 ? NULL : &left, NULL));
}

/* The events of poll(2) and of epoll have the same bits. */
uint32_t rl_kernel_poll_now(int fd, uint32_t interest)
{
    struct pollfd query = {.fd = fd, .events = (short)epoll_mask(interest & ~RL_KERNEL_EDGE)};
    return rl_kernel_poll(&query, 1, 0) > 0 ? ready_mask((uint32_t)query.revents) : 0;
}

void rl_kernel_sleep(int64_t deadline_ns)
{
    struct timespec left = timespec_of(time_left(deadline_ns));
    RL_UNCANCELED(ppoll(NULL, 0, &left, NULL));
}

/* syscall(2) is the cheapest way to write without a cancellation point. */
static long write_number(int fd, uint64_t number)
{
#ifdef RL_NEEDS_KNOWN_CALLS
    return RL_UNCANCELED(write(fd, &number, sizeof number));
#else
    return syscall(SYS_write, fd, &number, sizeof number);
#endif
}

/* Returns false if the descriptor is not a counter. A full counter is readable already. */
static bool add_one(int fd)
{
    long written;
    do {
        written = write_number(fd, 1);
    } while (written < 0 && errno == EINTR);
    return written >= 0 || errno == EAGAIN;
}

void rl_kernel_bump(int fd)
{
    int saved_errno = errno;
    expect_own(add_one(fd) || fd < 0, fd);
    errno = saved_errno;
}

void rl_kernel_bump_if_open(int fd)
{
    int saved_errno = errno;
    add_one(fd);
    errno = saved_errno;
}

bool rl_kernel_is_readable(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLIN};
    return rl_kernel_poll(&query, 1, 0) > 0;
}

bool rl_kernel_is_always_ready(int fd)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    return rl_kernel_poll(&query, 1, 0) > 0 && query.revents == (POLLIN | POLLOUT);
}

static ssize_t read_number(int fd, uint64_t *ret_number)
{
#ifdef RL_NEEDS_KNOWN_CALLS
    return RL_UNCANCELED(read(fd, ret_number, sizeof *ret_number));
#else
    return syscall(SYS_read, fd, ret_number, sizeof *ret_number);
#endif
}

/* The system call takes the position -1 as two halves, on machines of any word size. */
static ssize_t read_without_waiting(int fd, const struct iovec *buffer)
{
#ifdef RL_NEEDS_KNOWN_CALLS
    return RL_UNCANCELED(preadv2(fd, buffer, 1, -1, RWF_NOWAIT));
#else
    return syscall(SYS_preadv2, fd, buffer, 1ul, -1l, -1l, RWF_NOWAIT);
#endif
}

/* Reads a client's counter without blocking, because another thread may have read it first. */
static ssize_t read_number_now(int fd, uint64_t *ret_number)
{
    struct iovec buffer = {.iov_base = ret_number, .iov_len = sizeof *ret_number};
    ssize_t length = read_without_waiting(fd, &buffer);
    bool is_answer = errno == EAGAIN || errno == EINTR || errno == ECANCELED;
    if (length >= 0 || is_answer) return length;
    /* The file or the kernel does not support RWF_NOWAIT, or a sandbox rejects the call. */
    if (rl_kernel_is_readable(fd)) return read_number(fd, ret_number);
    errno = EAGAIN;
    return -1;
}

uint64_t rl_kernel_take_count(int fd, bool may_block)
{
    uint64_t count = 0;
    ssize_t length;
    do {
        length = may_block ? read_number_now(fd, &count) : read_number(fd, &count);
    } while (length < 0 && errno == EINTR);
    /* The wall clock was set. The client's timerfd reports this by ECANCELED instead of a count. */
    if (may_block && length < 0 && errno == ECANCELED) return 1;
    /* If the engine's own counter could not be read, it would stay ready forever. */
    if (!may_block) expect_own(length >= 0 || errno == EAGAIN || fd < 0, fd);
    return length == (ssize_t)sizeof count ? count : 0;
}

/* Recent kernels report in proc_pid_fdinfo(5) whether an eventfd is a semaphore. */
static bool is_plain_eventfd(int fd)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", fd);
    int info = rl_kernel_keep(RL_UNCANCELED(open(path, O_RDONLY | O_CLOEXEC)));
    if (info < 0) return false;
    ssize_t length = RL_UNCANCELED(read(info, text, sizeof text - 1));
    RL_UNCANCELED(close(info));
    text[length < 0 ? 0 : length] = '\0';
    return strstr(text, "eventfd-semaphore: 0") != NULL;
}

/*
 * Only /proc shows whether a descriptor is an eventfd or a timerfd. Without /proc, the engine does
 * not read the counters of clients.
 */
static void warn_without_proc(int fd, int error)
{
    static atomic_bool was_warned;
    bool is_open = fcntl(fd, F_GETFD) >= 0;
    if (!is_open || atomic_exchange(&was_warned, true)) return;
    rl_warn("RLRunLoopAddSource",
            "cannot read /proc/thread-self/fd (%s), so eventfds and timerfds of version-1 sources "
            "are not drained: mount /proc, or read them in `perform`",
            strerror(error));
}

struct rl_kernel_counter rl_kernel_classify_counter(int fd)
{
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) warn_without_proc(fd, errno);
    target[length < 0 ? 0 : length] = '\0';
    bool is_eventfd = strcmp(target, "anon_inode:[eventfd]") == 0;
    bool is_timerfd = strcmp(target, "anon_inode:[timerfd]") == 0;
    return (struct rl_kernel_counter){
        .is_counter = is_eventfd || is_timerfd,
        .is_emptied = is_timerfd || (is_eventfd && is_plain_eventfd(fd)),
    };
}
