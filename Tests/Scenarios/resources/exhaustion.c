/*
 * Failures of the kernel: registrations that cannot be removed, descriptors that run out and come
 * back, and files that are always ready. Ours only.
 */

#include "../descriptors/descriptor_words.h"
#include "../running/host_words.h"
#include "queues.h"
#include "resource_words.h"
#include "scenario.h"
#include "system_calls.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

/*
 * Closes a readable descriptor whose file stays open, removes its source, and returns the other
 * number.
 */
static int leave_registration(void)
{
    int *ends = make_pair();
    int kept = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
    RLRunLoopSourceRef source = watch_descriptor("gone", ends[0], 0, NULL, NULL);

    at_end(^{ close(kept); });
    add_source(source, "DEF");
    check(write(ends[1], "a", 1) == 1);
    check(dup2(ends[1], ends[0]) == ends[0]);
    remove_source(source, "DEF");
    return kept;
}

static void closed_while_duplicated(void)
{
    RLRunLoopRef loop = this_loop();

    keep_alive("DEF");
    leave_registration();
    leave_registration();
    rest_for(0.2);
    after(0.002, "timer", "DEF", ^{ stop(); });
    run("DEF", 20, false);
    struct helper_thread *stopper = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopStop(loop);
    });
    run("DEF", 20, false);
    join_thread(stopper);
}
SCENARIO(closed_while_duplicated,
         .title = "A descriptor that is closed before its source leaves costs no spinning, though its file lives",
         .clauses = "RUN-39 PORT-9",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; asleep: yes; timer; = Stopped; = Stopped")

static void closed_while_hosted(void)
{
    keep_alive("DEF");
    int descriptor = begin_hosting();
    int *ends = make_pair();
    RLRunLoopSourceRef watched = watch_descriptor("socket", ends[0], 0,
                                                  ^{
                                                      char byte;
                                                      check(read(ends[0], &byte, 1) == 1);
                                                  },
                                                  NULL);

    add_source(watched, "DEF");
    leave_registration();
    for (int count = 0; count < 1000 && host_is_called(descriptor, 0); count++) {
        RLRunLoopRunHosted(1);
    }
    check(!host_is_called(descriptor, 0));
    /* The set is another one by now, of which the host knows nothing. */
    check(write(ends[1], "a", 1) == 1);
    answer_host(descriptor);
    after(0.002, "timer", "DEF", ^{});
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(closed_while_hosted,
         .title = "A host is called for nothing a few times at most, and is called for all that follows",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "socket read; timer")

static void semaphore_used_again(void)
{
    int semaphore = eventfd(1, EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK);
    int kept = fcntl(semaphore, F_DUPFD_CLOEXEC, 0);
    RLRunLoopSourceRef source = PORT("gone", semaphore);

    keep_alive("DEF");
    add_source(source, "DEF");
    int other = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    check(dup3(other, semaphore, O_CLOEXEC) == semaphore);
    rest_for(0.2);
    after(0.002, "timer", "DEF", ^{ stop(); });
    run("DEF", 20, false);
    count_up(semaphore);
    run("DEF", 0, false);
    close(kept);
    close(other);
    close(semaphore);
}
SCENARIO(semaphore_used_again,
         .title = "A port whose number becomes another file's while its file lives costs no spinning",
         .clauses = "RUN-39 PORT-9",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; asleep: yes; timer; = Stopped; gone; = TimedOut")

static void events_updated_after_reuse(void)
{
    int *first = make_pair(), *second = make_pair();
    struct watcher *watcher = NULL;
    RLRunLoopSourceRef source =
        watch_descriptor("d", first[0], kRLRunLoopDescriptorRead, NULL, &watcher);

    add_source(source, "DEF");
    check(dup2(second[0], first[0]) == first[0]);
    watcher->events = kRLRunLoopDescriptorWrite;
    RLRunLoopSourceUpdateEvents(source);
    run("DEF", 0, true);
}
SCENARIO(events_updated_after_reuse,
         .title = "Updated events reach the file that has the descriptor's number by now",
         .clauses = "FD-6 PORT-9",
         .rl_only = true,
         .own_process = true,
         .expected = "d write; = HandledSource")

/* --- Without descriptors ---------------------------------------------------------------------- */

static struct rlimit whole_limit;

static void take_descriptors_away(void)
{
    getrlimit(RLIMIT_NOFILE, &whole_limit);
    struct rlimit none = {.rlim_cur = 0, .rlim_max = whole_limit.rlim_max};
    check(setrlimit(RLIMIT_NOFILE, &none) == 0);
}

static void give_descriptors_back(void)
{
    check(setrlimit(RLIMIT_NOFILE, &whole_limit) == 0);
}

static void timer_added_without_descriptors(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopTimerRef timer =
        TIMER("timer", .after = 0.002, .fire = ^(RLRunLoopTimerRef fired) { stop(); });

    keep_alive("DEF");
    /* The set is made, and no timer port. */
    run("DEF", 0.001, false);
    struct helper_thread *client = start_thread(^{
        wait_until_asleep(loop);
        take_descriptors_away();
        RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    });
    run("DEF", 20, false);
    join_thread(client);
    give_descriptors_back();
}
SCENARIO(timer_added_without_descriptors,
         .title = "A timer that is added to a sleeping loop fires though there is no descriptor for its port",
         .clauses = "WAKE-11 WAKE-13",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; timer; = Stopped")

/* Runs the loop, which does not end itself, while another thread acts on it. */
static void run_while_asleep(void (^reach)(RLRunLoopRef loop))
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *client = start_thread(^{
        wait_until_asleep(loop);
        reach(loop);
    });

    run("DEF", 20, false);
    join_thread(client);
}

static void reached_without_descriptors(void)
{
    int *ends = make_pair();
    RLRunLoopSourceRef source = SOURCE("source", .perform = ^{ stop(); });
    RLRunLoopSourceRef watched = watch_descriptor("descriptor", ends[0], 0, ^{ stop(); }, NULL);
    RLRunLoopTimerRef timer =
        TIMER("timer", .after = 0.001, .fire = ^(RLRunLoopTimerRef fired) { stop(); });

    take_descriptors_away();
    add_source(source, "DEF");
    run_while_asleep(^(RLRunLoopRef loop) { RLRunLoopStop(loop); });
    run_while_asleep(^(RLRunLoopRef loop) {
        RLRunLoopSourceSignal(source);
        RLRunLoopWakeUp(loop);
    });
    run_while_asleep(^(RLRunLoopRef loop) {
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{
            note("block");
            stop();
        });
        RLRunLoopWakeUp(loop);
    });
    run_while_asleep(
        ^(RLRunLoopRef loop) { RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode); });
    check(write(ends[1], "a", 1) == 1);
    run_while_asleep(^(RLRunLoopRef loop) {
        RLRunLoopAddSource(loop, watched, kRLRunLoopDefaultMode);
        give_descriptors_back();
    });
}
SCENARIO(reached_without_descriptors,
         .title = "A loop that sleeps without descriptors is reached by all that reaches a loop",
         .clauses = "WAKE-11 WAKE-13",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; source; = Stopped; block; = Stopped; timer; = Stopped; descriptor read; = Stopped")

/* The number of sleeps of the process's threads so far. */
static long count_sleeps(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw;
}

static void crowd_without_descriptors(void)
{
    enum { LOOPS = 60, PATIENT = 30 };
    static RLRunLoopRef loops[LOOPS];
    static struct gate *ready[LOOPS];
    struct helper_thread *threads[LOOPS];
    int *ends = make_pair();

    take_descriptors_away();
    for (int index = 0; index < LOOPS; index++) {
        ready[index] = make_gate();
        threads[index] = start_thread(^{
            loops[index] = (RLRunLoopRef)(uintptr_t)RLRetain(RLRunLoopGetCurrent());
            after(1000, "timer", "DEF", ^{});
            /* The others have descriptors to look for. */
            if (index >= PATIENT) {
                add_source(watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, NULL, NULL),
                           "DEF");
            }
            open_gate(ready[index]);
            RLRunLoopRun();
        });
    }
    for (int index = 0; index < LOOPS; index++) {
        pass_gate(ready[index]);
        wait_until_asleep(loops[index]);
    }
    stay_busy(0.05);
    long before = count_sleeps();
    double begin = clock_now();
    stay_busy(0.5);
    /* Alone, each would look for descriptors two hundred times a second: all, 12,000 times. */
    double sleeps = (double)(count_sleeps() - before);
    check(sleeps < 2000 * (clock_now() - begin));
    for (int index = 0; index < LOOPS; index++) {
        RLRunLoopStop(loops[index]);
        join_thread(threads[index]);
        RLRelease(loops[index]);
    }
    give_descriptors_back();
}
SCENARIO(crowd_without_descriptors,
         .title = "Many loops that get no descriptors sleep, or all look for some as often as one would",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void timer_hosted_without_descriptors(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopTimerRef timer = TIMER("timer", .after = 0.002);

    keep_alive("DEF");
    int descriptor = begin_hosting();
    take_descriptors_away();
    struct helper_thread *client =
        start_thread(^{ RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode); });
    join_thread(client);
    /* The host's own poll(2) wants a limit. */
    give_descriptors_back();
    answer_host(descriptor);
    RLRunLoopEndHosting();
}
SCENARIO(timer_hosted_without_descriptors,
         .title = "A host is called for a timer that is added when there are no descriptors",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "timer")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void main_queue_without_descriptors(void)
{
    RLRunLoopRef loop = this_loop();
    struct gate *fired = make_gate();

    take_descriptors_away();
    /* Two timers, so that a pass comes in which the queue has its own turn. */
    after(0.001, "first", "DEF", ^{});
    after(0.003, "second", "DEF", ^{ open_gate(fired); });
    struct helper_thread *client = start_thread(^{
        pass_gate(fired);
        wait_until_asleep(loop);
        give_descriptors_back();
        /* Only the queue wakes the loop. */
        enqueue("item", ^{ RLRunLoopStop(loop); });
    });
    run("DEF", 20, false);
    join_thread(client);
}
SCENARIO(main_queue_without_descriptors,
         .title = "A main loop that begins without descriptors serves the main queue when there are some",
         .clauses = "MAINQ-9 WAKE-13",
         .rl_only = true,
         .main_thread = true,
         .expected = "first; second; item; = Stopped")
#endif

static void refused_registration(void)
{
    int *ends = make_pair();
    int before = count_descriptors();
    struct gate *fired = make_gate();
    RLRunLoopSourceRef first =
        watch_descriptor("first", ends[0], kRLRunLoopDescriptorRead, NULL, NULL);
    RLRunLoopSourceRef second =
        watch_descriptor("second", ends[0], kRLRunLoopDescriptorRead, ^{ stop(); }, NULL);

    add_source(first, "DEF");
    check(count_descriptors() > before);
    take_descriptors_away();
    /* Its descriptor is known to the kernel already: it needs a duplicate. */
    add_source(second, "DEF");
    remove_source(first, "DEF");
    after(0.002, "timer", "DEF", ^{ open_gate(fired); });
    struct helper_thread *client = start_thread(^{
        pass_gate(fired);
        give_descriptors_back();
        check(write(ends[1], "a", 1) == 1);
    });
    run("DEF", 20, false);
    join_thread(client);
}
SCENARIO(refused_registration,
         .title = "A source whose descriptor could not be registered is served when there is room",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "timer; second read; = Stopped")

static void refused_registrations(void)
{
    enum { SOURCES = 400 };
    static volatile bool is_refusing;
    static _Atomic int tries;
    int last = -1;

    answer_call(SYS_epoll_ctl, ^long(const long *arguments) {
        if (!is_refusing || arguments[1] != EPOLL_CTL_ADD) return let_through;
        tries++;
        return -ENOSPC;
    });
    for (int index = 0; index <= SOURCES; index++) {
        /* With a first source the loop has its wait set. */
        if (index == 1) run("DEF", 0, false);
        is_refusing = index > 0;
        last = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        add_source(watch_descriptor("last", last, kRLRunLoopDescriptorRead, ^{ stop(); }, NULL),
                   "DEF");
    }
    check(tries >= SOURCES);
    tries = 0;
    run("DEF", 0, false);
    /* They were tried again, and not all of them at a time. */
    check(tries > 0 && tries < SOURCES);
    is_refusing = false;
    check(eventfd_write(last, 1) == 0);
    run("DEF", 20, false);
}
SCENARIO(refused_registrations,
         .title = "A loop tries few of the registrations again that were refused, until there is room",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; = TimedOut; last read; = Stopped")

/* --- Files that are always ready -------------------------------------------------------------- */

/* Opens a file, which is closed at the end. */
static int open_file(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC);

    check(descriptor >= 0);
    at_end(^{ close(descriptor); });
    return descriptor;
}

static void files_always_ready(void)
{
    static const struct {
        const char *name, *path;
        int flags;
    } files[] = {
        {"file", "/proc/self/exe", O_RDONLY},
        {"folder", "/", O_RDONLY | O_DIRECTORY},
        {"null", "/dev/null", O_RDWR},
    };

    for (int index = 0; index < 3; index++) {
        int descriptor = open_file(files[index].path, files[index].flags);
        struct watcher *watcher = NULL;
        RLRunLoopSourceRef source = watch_descriptor(files[index].name, descriptor,
                                                     kRLRunLoopDescriptorRead, NULL, &watcher);
        add_source(source, "DEF");
        run("DEF", 10, true);
        run("DEF", 10, true);
        watcher->events = kRLRunLoopDescriptorWrite;
        RLRunLoopSourceUpdateEvents(source);
        run("DEF", 10, true);
        remove_source(source, "DEF");
    }
}
SCENARIO(files_always_ready,
         .title = "A file that poll(2) reports as always ready is always ready as the descriptor of a source",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "file read; = HandledSource; file read; = HandledSource; file write; = HandledSource; "
                     "folder read; = HandledSource; folder read; = HandledSource; folder write; "
                     "= HandledSource; null read; = HandledSource; null read; = HandledSource; null write; "
                     "= HandledSource")

static void file_ready(RLFileDescriptorRef file, RLOptionFlags events, void *info)
{
    note("ready for%s%s", events & kRLFileDescriptorReadCallBack ? " reading" : "",
         events & kRLFileDescriptorWriteCallBack ? " writing" : "");
    check(RLFileDescriptorIsValid(file));
}

static void file_descriptor_of_file(void)
{
    RLFileDescriptorRef file = RLFileDescriptorCreate(NULL, open_file("/proc/self/exe", O_RDONLY),
                                                      false, file_ready, NULL);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, file, 0);

    add_source(source, "DEF");
    RLFileDescriptorEnableCallBacks(file, kRLFileDescriptorReadCallBack);
    run("DEF", 10, true);
    /* Nothing is enabled any more: the loop sleeps. */
    rest_for(0.1);
    RLFileDescriptorEnableCallBacks(file, kRLFileDescriptorReadCallBack);
    run("DEF", 10, true);
    RLFileDescriptorInvalidate(file);
    RLRelease(source);
    RLRelease(file);
}
SCENARIO(file_descriptor_of_file,
         .title = "A file descriptor object of a regular file is ready whenever a callback is enabled",
         .clauses = "FD-6",
         .rl_only = true,
         .own_process = true,
         .expected = "ready for reading; = HandledSource; = TimedOut; asleep: yes; ready for reading; "
                     "= HandledSource")

static void file_data(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                      const void *data, void *info)
{
    char byte;
    check(type == kRLSocketReadCallBack);
    note("readable");
    check(read(RLSocketGetNative(socket), &byte, 1) == 1);
}

static void socket_of_file(void)
{
    RLSocketRef socket = RLSocketCreateWithNative(NULL, open_file("/proc/self/exe", O_RDONLY),
                                                  kRLSocketReadCallBack, file_data, NULL);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);

    add_source(source, "DEF");
    run("DEF", 10, true);
    run("DEF", 10, true);
    RLSocketDisableCallBacks(socket, kRLSocketReadCallBack);
    rest_for(0.1);
    RLSocketInvalidate(socket);
    RLRelease(source);
    RLRelease(socket);
}
SCENARIO(socket_of_file,
         .title = "A socket object of a regular file calls back for reading, as with select(2)",
         .clauses = "SOCK-7",
         .rl_only = true,
         .own_process = true,
         .expected = "readable; = HandledSource; readable; = HandledSource; = TimedOut; asleep: yes")

/* --- Busy descriptors ------------------------------------------------------------------------- */

static RLRunLoopDescriptorEvents only_write(void *info)
{
    return kRLRunLoopDescriptorWrite;
}

static int descriptor_in(void *info)
{
    return *(int *)info;
}

static void serve_nothing(void *info, RLRunLoopDescriptorEvents ready)
{
}

static void writable_descriptor_and_timer(void)
{
    int *ends = make_pair(), *unread = make_pair();

    check(write(unread[1], "a", 1) == 1);
    for (int index = 0; index < 2; index++) {
        RLRunLoopSourceContext2 context = {
            .version = 2,
            .info = index == 0 ? ends : unread,
            .getDescriptor = descriptor_in,
            .getEvents = index == 0 ? only_write : NULL,
            .perform = serve_nothing,
        };
        RLRunLoopSourceRef source =
            RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
        add_source(source, "DEF");
        RLRelease(source);
    }
    run_for_timer();
}
SCENARIO(writable_descriptor_and_timer,
         .title = "A timer fires beside descriptors that stay ready",
         .clauses = "RUN-19 TMR-13",
         .rl_only = true,
         .expected = "= Stopped; fired 10 times")
