/*
 * Ports, descriptors and events of the system.
 */

#define _GNU_SOURCE

#include "workload.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void make_pair(int ends[2])
{
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) _exit(2);
    });
}

/* --- Version 1 -------------------------------------------------------------------------------- */

struct port {
    int fd;
    atomic_int count;
    /* Whether the client empties it, as the loop does not. */
    bool is_read;
};

static int port_of(void *info)
{
    return ((struct port *)info)->fd;
}

static void take_port(void *info)
{
    struct port *port = info;
    char bytes[8];
    struct pollfd query = {.fd = port->fd, .events = POLLIN};
    /* Without /proc the engine warns that it does not read counters. */
    bool is_left = port->is_read || (work_was_reported() && poll(&query, 1, 0) > 0);
    if (is_left && read(port->fd, bytes, sizeof bytes) < 0) return;
    atomic_fetch_add(&port->count, 1);
    work_stop(RLRunLoopGetCurrent());
}

static RLRunLoopSourceRef add_port(struct port *port)
{
    RLRunLoopSourceContext1 context = {
        .version = 1, .info = port, .getPort = port_of, .perform = take_port};
    RLRunLoopSourceRef source =
        RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    return source;
}

static void end_source(RLRunLoopSourceRef source)
{
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static void write_bytes(int fd)
{
    uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    (void)written;
}

void part_ports(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    enum { PORTS = 5 };
    static struct port ports[PORTS];
    static int fds[PORTS], ends[2];
    RLRunLoopSourceRef sources[PORTS];
    fault_spare(^{
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) _exit(2);
        fds[0] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        fds[1] = eventfd(0, EFD_CLOEXEC);
        fds[2] = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE | EFD_NONBLOCK);
        fds[3] = ends[0];
        fds[4] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    });
    for (int i = 0; i < PORTS; i++) {
        memset(&ports[i], 0, sizeof ports[i]);
        ports[i].fd = fds[i];
        ports[i].is_read = i == 3;
        sources[i] = add_port(&ports[i]);
    }
    for (int turn = 1; turn <= 2; turn++) {
        for (int i = 0; i < PORTS - 1; i++) {
            pthread_t helper = begin_thread(^{
                work_await_sleep(loop);
                write_bytes(i == 3 ? ends[1] : fds[i]);
            });
            work_wait_served(^bool { return ports[i].count >= turn; }, "a port is served");
            pthread_join(helper, NULL);
        }
    }
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    timerfd_settime(fds[4], 0, &soon, NULL);
    work_wait_served(^bool { return ports[4].count > 0; }, "a timerfd is served");
    /* Two sources for one file. */
    static struct port second;
    memset(&second, 0, sizeof second);
    second.fd = fds[0];
    RLRunLoopSourceRef source = add_port(&second);
    int before = ports[0].count;
    write_bytes(fds[0]);
    work_wait_served(^bool { return second.count + ports[0].count > before; },
                     "a port with two sources is served");
    end_source(source);
    work_rest();
    for (int i = 0; i < PORTS; i++) {
        end_source(sources[i]);
        close(fds[i]);
    }
    close(ends[1]);
}

/* --- Version 2 -------------------------------------------------------------------------------- */

struct watched {
    int fd;
    atomic_ulong wanted, seen;
    /* Reads what there is. */
    bool is_read;
};

static int descriptor_of(void *info)
{
    return ((struct watched *)info)->fd;
}

static RLRunLoopDescriptorEvents events_of(void *info)
{
    return (RLRunLoopDescriptorEvents)((struct watched *)info)->wanted;
}

static void see(void *info, RLRunLoopDescriptorEvents ready)
{
    struct watched *watched = info;
    char bytes[64];
    if (watched->is_read && ready & kRLRunLoopDescriptorRead) {
        ssize_t length = read(watched->fd, bytes, sizeof bytes);
        (void)length;
    }
    atomic_fetch_or(&watched->seen, ready);
    work_stop(RLRunLoopGetCurrent());
}

static RLRunLoopSourceRef add_watched(struct watched *watched)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = watched,
                                       .getDescriptor = descriptor_of,
                                       .getEvents = events_of,
                                       .perform = see};
    RLRunLoopSourceRef source =
        RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    return source;
}

void part_descriptors(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    static int ends[2];
    make_pair(ends);
    static struct watched watched[2];
    memset(watched, 0, sizeof watched);
    watched[0].fd = ends[0];
    watched[0].wanted = kRLRunLoopDescriptorRead;
    watched[0].is_read = true;
    RLRunLoopSourceRef source = add_watched(&watched[0]);
    pthread_t helper = begin_thread(^{
        work_await_sleep(loop);
        write_bytes(ends[1]);
    });
    work_wait_served(^bool { return watched[0].seen & kRLRunLoopDescriptorRead; },
                     "a readable descriptor is reported");
    pthread_join(helper, NULL);

    watched[0].wanted = kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite;
    RLRunLoopSourceUpdateEvents(source);
    work_wait_served(^bool { return watched[0].seen & kRLRunLoopDescriptorWrite; },
                     "an interest that changed is followed");
    watched[0].wanted = kRLRunLoopDescriptorRead;
    RLRunLoopSourceUpdateEvents(source);

    /* Two sources on one descriptor, and one that another thread takes out. */
    watched[1].fd = ends[0];
    watched[1].wanted = kRLRunLoopDescriptorWrite;
    RLRunLoopSourceRef second = add_watched(&watched[1]);
    work_wait_served(^bool { return watched[1].seen & kRLRunLoopDescriptorWrite; },
                     "a second source of a descriptor is called");
    end_source(second);

    /* A file that epoll refuses, as it is always readable. */
    static int file;
    fault_spare(^{ file = open("/dev/null", O_RDONLY | O_CLOEXEC); });
    memset(&watched[1], 0, sizeof watched[1]);
    watched[1].fd = file;
    watched[1].wanted = kRLRunLoopDescriptorRead;
    second = add_watched(&watched[1]);
    work_wait_served(^bool { return watched[1].seen & kRLRunLoopDescriptorRead; },
                     "a file that is always ready is reported");
    end_source(second);
    close(file);

    watched[0].seen = 0;
    helper = begin_thread(^{
        work_await_sleep(loop);
        close(ends[1]);
    });
    work_wait_served(^bool { return watched[0].seen & kRLRunLoopDescriptorHangUp; },
                     "a hang-up is reported");
    pthread_join(helper, NULL);
    work_rest();

    /* Closed before its source leaves, while the open file lives on. */
    __block int copy;
    fault_spare(^{ copy = dup(ends[0]); });
    watched[0].is_read = false;
    RLRunLoopSourceUpdateEvents(source);
    close(ends[0]);
    end_source(source);
    work_rest();
    close(copy);
}

static void note_ready(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    char bytes[64];
    if (types & kRLFileDescriptorReadCallBack) {
        ssize_t length = read(RLFileDescriptorGetNativeDescriptor(descriptor), bytes, sizeof bytes);
        (void)length;
    }
    atomic_fetch_or((atomic_ulong *)info, types);
    work_stop(RLRunLoopGetCurrent());
}

void part_objects(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    static atomic_ulong seen;
    seen = 0;
    static int ends[2];
    make_pair(ends);
    RLFileDescriptorContext context = {.info = &seen};
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, ends[0], true, note_ready, &context);
    if (!work_got(descriptor, "RLFileDescriptorCreate")) {
        close(ends[0]);
        close(ends[1]);
        return;
    }
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
    if (work_got(source, "RLFileDescriptorCreateRunLoopSource")) {
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        for (int turn = 0; turn < 2; turn++) {
            seen = 0;
            RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
            pthread_t helper = begin_thread(^{
                work_await_sleep(loop);
                write_bytes(ends[1]);
            });
            work_wait_served(^bool { return seen & kRLFileDescriptorReadCallBack; },
                             "an object's descriptor can be read");
            pthread_join(helper, NULL);
        }
        pthread_t helper = begin_thread(^{
            work_await_sleep(loop);
            RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
        });
        work_wait_served(^bool { return seen & kRLFileDescriptorWriteCallBack; },
                         "an object's descriptor can be written to");
        pthread_join(helper, NULL);
        RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
        work_rest();
        RLRelease(source);
    }
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(descriptor);
    close(ends[1]);
}

/* --- Events of the system --------------------------------------------------------------------- */

static atomic_int reported;

static void report_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    reported++;
    work_stop(RLRunLoopGetCurrent());
}

static void report_process(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
    reported++;
    if (status == kRLProcessStatusUnknown) work_failed("the status of a child is known");
    work_stop(RLRunLoopGetCurrent());
}

static void report_file(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
    reported++;
    work_stop(RLRunLoopGetCurrent());
}

static void receive_signal(RLRunLoopRef loop)
{
    SInt32 signals[] = {SIGUSR1};
    reported = 0;
    RLRunLoopSourceRef source = RLSignalSourceCreate(NULL, 0, signals, 1, report_signal, NULL);
    if (!work_got(source, "RLSignalSourceCreate")) return;
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    kill(getpid(), SIGUSR1);
    work_wait_served(^bool { return reported > 0; }, "a signal is reported");
    /* A thread that does not block the signal takes it. */
    pthread_t helper = begin_thread(^{
        sigset_t taken;
        sigemptyset(&taken);
        sigaddset(&taken, SIGUSR1);
        pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
        pthread_kill(pthread_self(), SIGUSR1);
    });
    pthread_join(helper, NULL);
    work_wait_served(^bool { return reported > 1; }, "a signal that a thread took is reported");
    end_source(source);
    /* Not for the next one. */
    sigset_t pending;
    struct timespec at_once = {0};
    sigemptyset(&pending);
    sigaddset(&pending, SIGUSR1);
    sigtimedwait(&pending, NULL, &at_once);
}

static void see_process_end(RLRunLoopRef loop)
{
    pid_t child = fork();
    if (child == 0) _exit(7);
    reported = 0;
    RLRunLoopSourceRef source = RLProcessSourceCreate(NULL, 0, child, true, report_process, NULL);
    if (work_got(source, "RLProcessSourceCreate")) {
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        work_wait_served(^bool { return reported > 0; }, "the end of a process is reported");
        end_source(source);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
}

static void see_file_change(RLRunLoopRef loop)
{
    reported = 0;
    RLRunLoopSourceRef source = RLFileSourceCreate(NULL, 0, report_file, NULL);
    if (!work_got(source, "RLFileSourceCreate")) return;
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    SInt32 watch = RLFileSourceAddWatch(source, work_folder(), kRLFileEventCreate);
    static char path[128];
    snprintf(path, sizeof path, "%s/file", work_folder());
    if (work_did(watch >= 0, "RLFileSourceAddWatch")) {
        fault_spare(^{ close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600)); });
        work_wait_served(^bool { return reported > 0; }, "a change of a file is reported");
        work_rest();
        /* An event that this call cannot deliver comes by the loop. */
        fault_spare(^{
            unlink(path);
            close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600));
        });
        reported = 0;
        RLFileSourceDeliver(source);
        work_wait_served(^bool { return reported > 0; },
                         "a change of a file is reported after a delivery");
        work_did(RLFileSourceRemoveWatch(source, watch), "RLFileSourceRemoveWatch");
    }
    end_source(source);
    unlink(path);
}

void part_events(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    receive_signal(loop);
    see_process_end(loop);
    see_file_change(loop);
}
