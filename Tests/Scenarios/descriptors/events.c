/*
 * Signals, ends of processes and changes of files as sources. Ours only.
 */

#include "descriptor_words.h"
#include "scenario.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

static void signals_arrive(void)
{
    const SInt32 both[] = {SIGUSR1, SIGRTMIN + 1};
    RLRunLoopSourceRef source =
        signal_source_of(both, 2, ^(RLRunLoopSourceRef called, const RLSignalEvent *event) {
            check(called != NULL && event->processID == getpid() && event->userID == getuid());
            bool is_queued = event->number == SIGRTMIN + 1;
            note("%s %d", is_queued ? "queued" : "user", is_queued ? event->value : 0);
            check(event->code == (is_queued ? SI_QUEUE : SI_USER));
        });

    add_source(source, "DEF");
    /* Sent twice, kept once; those for real time are all kept. */
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 7});
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 8});
    run("DEF", 10, true);
    run("DEF", 0, true);
}
SCENARIO(signals_arrive,
         .title = "Signals are delivered to their source, with what came with them",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "user 0; queued 7; queued 8; = HandledSource; = TimedOut")

static void signal_wakes(void)
{
    const SInt32 number = SIGTERM;
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source =
        signal_source_of(&number, 1, ^(RLRunLoopSourceRef called, const RLSignalEvent *event) {
            note("signal from a %s", event->processID == getppid() ? "parent" : "child");
            stop();
        });
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        pid_t child = fork();
        if (child == 0) _exit(kill(getppid(), SIGTERM));
        waitpid(child, NULL, 0);
    });

    add_source(source, "DEF");
    run("DEF", 10, false);
    join_thread(sender);
}
SCENARIO(signal_wakes,
         .title = "A signal of another process wakes a loop that sleeps",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "signal from a child; = Stopped")

static void *wait_for_ever(void *is_there)
{
    open_gate(is_there);
    for (;;) pause();
    return NULL;
}

/* Starts a thread that blocks no signals. */
static pthread_t start_greedy_thread(void)
{
    pthread_t thread;
    struct gate *is_there = make_gate();
    check(pthread_create(&thread, NULL, wait_for_ever, is_there) == 0);
    pass_gate(is_there);
    return thread;
}

static void signals_taken_by_threads(void)
{
    const SInt32 numbers[] = {SIGUSR1, SIGRTMIN + 1, SIGCHLD};
    __block int calls = 0;
    start_greedy_thread();
    pthread_t thread = start_greedy_thread();
    RLRunLoopSourceRef source =
        signal_source_of(numbers, 3, ^(RLRunLoopSourceRef called, const RLSignalEvent *event) {
            const char *code = event->code == SI_USER      ? "user"
                               : event->code == SI_QUEUE   ? "queue"
                               : event->code == SI_TKILL   ? "thread"
                               : event->code == CLD_EXITED ? "exited"
                                                           : "another code";
            bool is_child = event->number == SIGCHLD;
            check((event->processID == getpid()) == !is_child && event->userID == getuid());
            calls++;
            note("%s %d %d", code, event->value, is_child ? event->status : 0);
        });

    start_greedy_thread();
    add_source(source, "DEF");
    /* Another thread may take it once more when it has woken the loop. */
    void (^run_for_calls)(int) = ^(int most) {
        while (calls < most) RLRunLoopRunInMode(mode_named("DEF"), 10, true);
    };
    pthread_kill(thread, SIGUSR1);
    run_for_calls(1);
    kill(getpid(), SIGUSR1);
    run_for_calls(2);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 7});
    run_for_calls(3);
    pid_t child = fork();
    if (child == 0) _exit(3);
    run_for_calls(4);
    waitpid(child, NULL, 0);
}
SCENARIO(signals_taken_by_threads,
         .title = "A signal reaches its source although threads do not block it",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "thread 0 0; user 0 0; queue 7 0; exited 0 3")

static void signal_source_ends_itself(void)
{
    const SInt32 number = SIGRTMIN;
    RLRunLoopSourceRef source =
        signal_source_of(&number, 1, ^(RLRunLoopSourceRef called, const RLSignalEvent *event) {
            note("%d", event->value);
            RLRunLoopSourceInvalidate(called);
        });

    keep_alive("DEF");
    add_source(source, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    int with_source = count_descriptors();
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1});
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2});
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    note_answer("valid", RLRunLoopSourceIsValid(source));
    check(count_descriptors() == with_source - 1);
    /* It stays blocked, and so ends no process. */
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 3});
    run("DEF", 0, false);
}
SCENARIO(signal_source_ends_itself,
         .title = "A signal source that is invalidated in its callback delivers nothing more and is closed",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "1; valid: no; = TimedOut")

/* Three signals wait when the first is delivered, and none is read before its turn. */
static void signals_nest(void)
{
    const SInt32 number = SIGRTMIN;
    RLRunLoopSourceRef source =
        signal_source_of(&number, 1, ^(RLRunLoopSourceRef called, const RLSignalEvent *event) {
            note("%d begins", event->value);
            if (event->value < 3) run("DEF", 0, true);
            note("%d ends", event->value);
        });

    add_source(source, "DEF");
    for (int value = 1; value <= 3; value++) {
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = value});
    }
    run("DEF", 10, true);
    run("DEF", 0, true);
}
SCENARIO(signals_nest,
         .title = "A run in a signal's callback delivers the signals that came with it",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "1 begins; 2 begins; 3 begins; 3 ends; = HandledSource; 2 ends; "
                     "= HandledSource; 1 ends; = HandledSource; = TimedOut")

static void signal_kill(void)
{
    const SInt32 number = SIGKILL;

    signal_source_of(&number, 1, ^(RLRunLoopSourceRef called, const RLSignalEvent *event){});
}
SCENARIO(signal_kill,
         .title = "A source for a signal that nobody can receive stops the process",
         .clauses = "extension",
         .rl_only = true,
         .dies = true,
         .expected = "dies")

/* A child that ends when the gate's other end is closed or written to. */
static pid_t child_behind(int gate, int exit_status)
{
    pid_t child = fork();

    if (child != 0) return child;
    char byte;
    while (read(gate, &byte, 1) < 0 && errno == EINTR) continue;
    _exit(exit_status);
}

static const char *status_text(int status)
{
    static char text[32];

    if (status == kRLProcessStatusUnknown) return "unknown";
    snprintf(text, sizeof(text), WIFSIGNALED(status) ? "signal %d" : "exit %d",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return text;
}

static void children_end(void)
{
    int gate[2];
    int before = count_descriptors();

    check(pipe2(gate, O_CLOEXEC) == 0);
    pid_t exits = child_behind(gate[0], 7);
    pid_t killed = child_behind(gate[0], 0);
    void (^reported)(RLRunLoopSourceRef, int, int) =
        ^(RLRunLoopSourceRef source, int process, int status) {
            note_answer("valid", RLRunLoopSourceIsValid(source));
            note("%s: %s", process == exits ? "first" : "second", status_text(status));
        };
    RLRunLoopSourceRef first = process_source_of(exits, true, reported);
    RLRunLoopSourceRef second = process_source_of(killed, true, reported);

    add_source(first, "DEF");
    add_source(second, "DEF");
    run("DEF", 0, true);
    kill(killed, SIGKILL);
    run("DEF", 10, true);
    check(write(gate[1], "x", 1) == 1);
    run("DEF", 10, true);
    check(waitpid(exits, NULL, 0) < 0 && errno == ECHILD);
    check(waitpid(killed, NULL, 0) < 0 && errno == ECHILD);
    close(gate[0]);
    close(gate[1]);
    run("DEF", 0, true);
    /* The wake-up port, the epoll set and the timer port of the mode are the loop's. */
    check(count_descriptors() <= before + 3);
}
SCENARIO(children_end,
         .title = "The end of a child is reported once, with its wait status, and the child is reaped",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; valid: no; second: signal 9; = HandledSource; valid: no; "
                     "first: exit 7; = HandledSource; = Finished")

static void child_is_left_to_client(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) _exit(3);
    add_source(process_source_of(child, false,
                                 ^(RLRunLoopSourceRef source, int process, int ended) {
                                     note("%s", status_text(ended));
                                 }),
               "DEF");
    run("DEF", 10, true);
    check(waitpid(child, &status, 0) == child);
    note("then %s", status_text(status));
    /* Gone, and so unknown. */
    check(RLProcessSourceCreate(NULL, 0, child, true, plan_process, NULL) == NULL);
    check(errno == ESRCH);
}
SCENARIO(child_is_left_to_client,
         .title = "A source that does not reap leaves the child to be waited for",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "pass the ID of a process that was not reaped",
         .expected = "exit 3; = HandledSource; then exit 3")

static void foreign_process_ends(void)
{
    int pipes[2], number = 0;

    check(pipe2(pipes, O_CLOEXEC) == 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            pause();
            _exit(0);
        }
        check(write(pipes[1], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
        /* The grandchild's parent does not know of it and never waits. */
        pause();
        _exit(0);
    }
    check(read(pipes[0], &number, sizeof(number)) == sizeof(number));
    add_source(process_source_of(number, true,
                                 ^(RLRunLoopSourceRef source, int process, int status) {
                                     check(process == number);
                                     note("%s", status_text(status));
                                 }),
               "DEF");
    kill(number, SIGKILL);
    run("DEF", 10, true);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
}
SCENARIO(foreign_process_ends,
         .title = "The end of a process that is not a child is reported without its status",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "unknown; = HandledSource")

/* Of the engine's resources. */

static void write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    check(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static void files_change(void)
{
    const char *folder = make_folder();
    __block unsigned cookie = 0;
    int before = count_descriptors();
    RLRunLoopSourceRef source = file_source_of(^(RLRunLoopSourceRef called,
                                                 const RLFileEvent *event) {
        const char *name = event->name ? event->name : "itself";
        if (event->events & kRLFileEventCreate) {
            note("%s made%s", name, event->events & kRLFileEventIsDirectory ? " as folder" : "");
        }
        if (event->events & kRLFileEventCloseWrite) note("%s written", name);
        if (event->events & kRLFileEventMovedFrom) cookie = event->cookie;
        if (event->events & kRLFileEventMovedTo) {
            note("moved to %s", name);
            check(event->cookie == cookie && cookie != 0);
        }
        if (event->events & kRLFileEventDelete) note("%s deleted", name);
        if (event->events & kRLFileEventDeleteSelf) note("%s gone", name);
        if (event->events & kRLFileEventWatchEnded) note("watch ended");
    });
    int watch =
        RLFileSourceAddWatch(source, folder,
                             kRLFileEventCreate | kRLFileEventCloseWrite | kRLFileEventMovedFrom |
                                 kRLFileEventMovedTo | kRLFileEventDelete | kRLFileEventDeleteSelf);

    check(watch > 0);
    add_source(source, "DEF");
    write_file(path_in(folder, "a"), "text");
    mkdir(path_in(folder, "d"), 0700);
    rename(path_in(folder, "a"), path_in(folder, "b"));
    run("DEF", 10, true);
    unlink(path_in(folder, "b"));
    rmdir(path_in(folder, "d"));
    rmdir(folder);
    run("DEF", 10, true);
    mkdir(folder, 0700);
    check(!RLFileSourceRemoveWatch(source, watch));
    check(RLFileSourceAddWatch(source, path_in(folder, "none"), kRLFileEventOpen) == -ENOENT);
    check(RLFileSourceAddWatch(source, folder, kRLFileEventCreate) > 0);
    RLRunLoopSourceInvalidate(source);
    check(RLFileSourceAddWatch(source, folder, kRLFileEventOpen) == -EBADF);
    check(count_descriptors() <= before + 3);
}
SCENARIO(files_change,
         .title = "Changes in a directory are reported by name and in order, and so is its own end",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "a made; a written; d made as folder; moved to b; = HandledSource; b deleted; "
                     "d deleted; itself gone; watch ended; = HandledSource")

/* Names of all lengths: an event is as long as its name, and each is read separately. */
static void files_nest(void)
{
    enum { FILES = 20, STEP = 12 };
    const char *folder = make_folder();
    __block int made = 0;
    RLRunLoopSourceRef source =
        file_source_of(^(RLRunLoopSourceRef called, const RLFileEvent *event) {
            int number = made++;
            check(event->name && strlen(event->name) == (size_t)(1 + number * STEP));
            if (number % 5 != 0 || number + 1 == FILES) return;
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
            check(made > number + 1);
        });

    add_source(source, "DEF");
    check(RLFileSourceAddWatch(source, folder, kRLFileEventCreate) > 0);
    for (int number = 0; number < FILES; number++) {
        char name[NAME_MAX + 1] = "";
        memset(name, 'n', (size_t)(1 + number * STEP));
        write_file(path_in(folder, name), "");
    }
    run("DEF", 10, true);
    note("%d", made);
}
SCENARIO(files_nest,
         .title = "A run in a callback for a file delivers the changes that came with it",
         .clauses = "extension",
         .rl_only = true,
         .expected = "= HandledSource; 20")

static void files_overflow(void)
{
    const char *folder = make_folder();
    const char *names[] = {path_in(folder, "a"), path_in(folder, "b")};
    __block bool has_overflowed = false;
    __block long reported = 0;
    char text[32] = "";
    RLRunLoopSourceRef source =
        file_source_of(^(RLRunLoopSourceRef called, const RLFileEvent *event) {
            reported++;
            if (event->events & kRLFileEventOverflow) {
                check(event->watch == -1);
                has_overflowed = true;
            }
        });
    int limits = open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC);

    check(read(limits, text, sizeof(text) - 1) > 0);
    close(limits);
    add_source(source, "DEF");
    check(RLFileSourceAddWatch(source, folder, kRLFileEventMovedTo | kRLFileEventMovedFrom) > 0);
    write_file(names[0], "text");
    /* Two events each; neighbors that are equal would count as one. */
    for (long index = 0; index <= atol(text) / 2; index++) {
        check(rename(names[index % 2], names[1 - index % 2]) == 0);
    }
    while (RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true) == kRLRunLoopRunHandledSource) {
        continue;
    }
    check(reported == atol(text) + 1);
    note_answer("overflow reported", has_overflowed);
}
SCENARIO(files_overflow,
         .title = "Lost events of files are reported",
         .clauses = "extension",
         .rl_only = true,
         .expected = "overflow reported: yes")

STOPS(watch_on_other_source, RLFileSourceAddWatch(SOURCE("A"), "/", kRLFileEventOpen),
      .title = "A watch on a source that is of another kind stops the process",
      .clauses = "extension", .rl_only = true)

static const void *count_retain(const void *info)
{
    ++*(int *)(uintptr_t)info;
    return info;
}

static void count_release(const void *info)
{
    --*(int *)(uintptr_t)info;
}

static void event_sources_leave_nothing(void)
{
    int references = 0;
    const SInt32 number = SIGUSR2;
    RLEventSourceContext context = {
        .info = &references, .retain = count_retain, .release = count_release};

    /* The loop's own descriptors come with its first one. */
    add_source(PORT("p", make_counter(), .quiet = true), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    int before = count_descriptors();
    for (int round = 0; round < 100; round++) {
        RLRunLoopSourceRef sources[] = {
            RLSignalSourceCreate(NULL, 0, &number, 1, plan_signal, &context),
            RLProcessSourceCreate(NULL, 0, getpid(), false, plan_process, &context),
            RLFileSourceCreate(NULL, 0, plan_file, &context),
        };
        check(references == 3);
        for (int index = 0; index < 3; index++) {
            add_source(sources[index], "DEF");
            if (round % 2) RLRunLoopSourceInvalidate(sources[index]);
            remove_source(sources[index], "DEF");
            RLRelease(sources[index]);
        }
        check(references == 0);
    }
    check(count_descriptors() == before);
}
SCENARIO(event_sources_leave_nothing,
         .title = "Sources for system events keep neither descriptors nor infos",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void event_sources_closed_on_exec(void)
{
    const SInt32 number = SIGUSR2;
    int before = count_inheritable();
    RLRunLoopSourceRef sources[] = {
        RLSignalSourceCreate(NULL, 0, &number, 1, plan_signal, NULL),
        RLProcessSourceCreate(NULL, 0, getpid(), false, plan_process, NULL),
        RLFileSourceCreate(NULL, 0, plan_file, NULL),
    };

    check(count_inheritable() == before);
    for (int index = 0; index < 3; index++) RLRelease(sources[index]);
}
SCENARIO(event_sources_closed_on_exec,
         .title = "Started programs do not inherit sources for system events",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)
