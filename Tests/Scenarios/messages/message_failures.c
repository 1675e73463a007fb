/* Message ports when the system refuses or interrupts their calls. Ours only. */

#include "raw_messages.h"
#include "scenario.h"
#include "system_calls.h"

#include <sys/resource.h>
#include <sys/time.h>

static void send_names_its_function(void)
{
    const char *plain =
        messages_of(^{ RLMessagePortSendRequest(NULL, 1, NULL, 1, 1, NULL, NULL); });
    const char *with_descriptors = messages_of(
        ^{ RLMessagePortSendRequestWithDescriptors(NULL, 1, NULL, NULL, 0, 1, 1, NULL, NULL); });

    note_answer("the one", strstr(plain, "RLMessagePortSendRequest:") != NULL);
    note_answer("the other",
                strstr(with_descriptors, "RLMessagePortSendRequestWithDescriptors:") != NULL);
}
SCENARIO(send_names_its_function,
         .title = "The diagnostic for a null port names the called function",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "the one: yes; the other: yes")

static _Atomic int signals_taken;

static void count_signal(int signal)
{
    signals_taken++;
}

static void connecting_while_signals_come(void)
{
    use_own_folder();
    int orders = start_busy_server("busy");
    int first = raw_connect("busy");
    struct gate *begins = make_gate(), *ends = make_gate();
    struct sigaction action = {.sa_handler = count_signal};
    __block pid_t thread = 0;
    __block pthread_t handle;
    __block RLMessagePortRef found = NULL;
    __block _Atomic bool has_ended = false;

    sigaction(SIGUSR1, &action, NULL);
    struct helper_thread *helper = start_thread(^{
        thread = gettid();
        handle = pthread_self();
        open_gate(begins);
        /* It waits for a second at most, and on a slow machine the signals may come later. */
        double began;
        do {
            began = clock_now();
            found = RLMessagePortCreateRemote(NULL, string_named("busy"));
        } while (!found && clock_now() - began >= 1);
        has_ended = true;
        pass_gate(ends);
    });
    pass_gate(begins);
    for (int round = 1; round <= 3; round++) {
        while (!has_ended && !is_asleep(thread)) sched_yield();
        pthread_kill(handle, SIGUSR1);
        while (signals_taken < round) sched_yield();
    }
    check(write(orders, "x", 1) == 1);
    open_gate(ends);
    join_thread(helper);
    note_answer("connected", found != NULL);
    if (found) RLRelease(found);
    close(first);
}
SCENARIO(connecting_while_signals_come,
         .title = "A signal does not end the wait for a busy port",
         .clauses = "MSGP-4",
         .rl_only = true,
         .own_process = true,
         .expected = "connected: yes")

static void connecting_ends_in_time(void)
{
    use_own_folder();
    start_busy_server("busy");
    int first = raw_connect("busy");
    const struct itimerval often = {.it_interval.tv_usec = 5000, .it_value.tv_usec = 5000};
    const struct itimerval never = {.it_value.tv_usec = 0};
    struct sigaction action = {.sa_handler = count_signal};

    /* They come to the main thread, which this is. */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    /* Time is the subject: a second, however often it was interrupted. */
    while (signals_taken <= 10) {
        double start = clock_now();
        check(RLMessagePortCreateRemote(NULL, string_named("busy")) == NULL);
        check(clock_now() - start >= 1);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    close(first);
}
SCENARIO(connecting_ends_in_time,
         .title = "The wait for a busy port ends after a second, however many signals come",
         .clauses = "MSGP-4",
         .rl_only = true,
         .main_thread = true)

static void lock_that_cannot_be_looked_at(void)
{
    use_own_folder();
    __block int calls = 0;
    /* The two directories are looked at before the lock. */
    call_answer answer =
        ^long(const long *arguments) { return ++calls > 2 ? -ENOMEM : let_through; };

    RLMessagePortRef port = make_local("before");
    check(port != NULL);
#if defined(SYS_newfstatat)
    answer_call(SYS_newfstatat, answer);
#endif
#if defined(SYS_fstat)
    answer_call(SYS_fstat, answer);
#endif
    note_answer("there is a port", make_local("port") != NULL);
    check(calls > 2 && calls < 10000);
    calls = 0;
    note_answer("there is another name", RLMessagePortSetName(port, string_named("after")));
    calls = -1000;
    note_answer("there is a port when it can be", make_local("port") != NULL);
}
SCENARIO(lock_that_cannot_be_looked_at,
         .title = "A name whose lock cannot be examined is given up, and not retried forever",
         .clauses = "MSGP-2",
         .rl_only = true,
         .own_process = true,
         .expected = "there is a port: no; there is another name: no; "
                     "there is a port when it can be: yes")

/* Serves for a while in which the loop has nothing to do but to try again now and then. */
static void serve_in_peace(double seconds)
{
    RLRunLoopStatistics before, after;

    RLRunLoopGetStatistics(this_loop(), &before);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, seconds, false);
    RLRunLoopGetStatistics(this_loop(), &after);
    check(after.passes - before.passes < 20);
}

/* A port of this thread that notes the numbers of messages, and counts them. */
static void serve_counting(const char *name, int *got)
{
    serve(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        note("got %d", id);
        ++*got;
        return NULL;
    });
}

static void serve_until(const int *got, int wanted)
{
    while (*got < wanted) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
}

static int failure, got;

static void senders_that_cannot_be_accepted(void)
{
    static const int failures[] = {ENOMEM, EPERM, EMFILE};
    use_own_folder();
    serve_counting("strict", &got);
    freopen("/dev/null", "w", stderr);
    fail_call(SYS_accept4, &failure);
    for (int index = 0; index < 3; index++) {
        start_sender("strict", index);
        failure = failures[index];
        /* Time is the subject: so long the system refuses. */
        serve_in_peace(0.25);
        check(got == index);
        failure = 0;
        serve_until(&got, index + 1);
    }
}
SCENARIO(senders_that_cannot_be_accepted,
         .title = "A port pauses while it cannot accept senders, and accepts them as soon as it can",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "got 0; got 1; got 2")

static void messages_that_cannot_be_received(void)
{
    use_own_folder();
    serve_counting("deaf", &got);
    freopen("/dev/null", "w", stderr);
    fail_call(SYS_recvmsg, &failure);
    start_sender("deaf", 1);
    serve_until(&got, 1);
    start_sender("deaf", 2);
    start_sender("deaf", 3);
    failure = ENOMEM;
    serve_in_peace(0.25);
    check(got == 1);
    failure = 0;
    serve_until(&got, 3);
}
SCENARIO(messages_that_cannot_be_received,
         .title = "A port pauses while it cannot receive, and loses no message",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "got 1; got 2; got 3")

/* Gives a name to the function of a number, which may have a port of it or not. */
static bool use_name(int function, RLMessagePortRef unnamed)
{
    RLStringRef name = string_named("x");

    switch (function) {
    case 0: return RLMessagePortCreateLocal(NULL, name, no_reply, NULL, NULL) != NULL;
    case 1: return RLMessagePortCreateRemote(NULL, name) != NULL;
    default: return RLMessagePortSetName(unnamed, name);
    }
}

/* Expects one line when no port can be made, from each function with a name. */
static void note_output(const char *path, action preparation)
{
    static const char *const functions[] = {
        "RLMessagePortCreateLocal:", "RLMessagePortCreateRemote:", "RLMessagePortSetName:"};
    for (int index = 0; index < 3; index++) {
        const char *text = messages_of(^{
            RLMessagePortRef unnamed = RLMessagePortCreateLocal(NULL, NULL, no_reply, NULL, NULL);
            if (preparation) preparation();
            for (int twice = 0; twice < 2; twice++) {
                if (use_name(index, unnamed)) fprintf(stderr, "it works\n");
            }
        });
        const char *end = strchr(text, '\n');
        bool is_as_expected = strstr(text, functions[index]) && strstr(text, path) && end &&
                              end[1] == '\0' && !strstr(text, "it works");
        if (!is_as_expected) note("%s printed: %s", functions[index], text);
    }
}

static void squatted_folder(void)
{
    const char *folder = use_own_folder();
    const char *path = path_in(folder, "corerunloop");

    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    note_output(path, NULL);
    check(unlink(path) == 0 && symlink("/tmp", path) == 0);
    note_output(path, NULL);
    check(unlink(path) == 0 && mkdir(path, 0755) == 0);
    note_output(path, NULL);
    check(chmod(path, 0700) == 0);
    const char *nothing = messages_of(^{
        if (remote_port("nobody") || !make_local("port")) fprintf(stderr, "not as it should be");
    });
    check(strcmp(nothing, "") == 0);
    if (geteuid() != 0) return;

    /* Only the superuser can test a directory in /tmp that another user owns. */
    uid_t victim = other_user();
    const char *common = common_folder(victim);
    check(mkdir(common, 0700) == 0);
    unsetenv("XDG_RUNTIME_DIR");
    note_output(common, ^{ check(setresuid(victim, victim, victim) == 0); });
    check(rmdir(common) == 0);
}
SCENARIO(squatted_folder,
         .title = "If the directory of ports belongs to another user, one line reports it",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/*
 * Makes creating a port's name files fail in the given way. Returns the errno that the diagnostic
 * must name; 0 after the last way.
 */
static int deny_files(const char *folder, unsigned way)
{
    static const struct {
        int call, error;
    } ways[] = {
        {SYS_bind, EROFS},      {SYS_bind, ENOSPC},     {SYS_flock, ENOSYS},
#if defined(SYS_renameat)
        {SYS_renameat, ENOSYS}, {SYS_renameat, EACCES},
#endif
    };
    if (way < COUNT(ways)) {
        failure = ways[way].error;
        fail_call(ways[way].call, &failure);
        return failure;
    }
    /* Directories instead of the socket's file, and then of the lock's. */
    bool is_last = way > COUNT(ways);
    check(mkdir(path_in(folder, is_last ? "corerunloop/lnx" : "corerunloop/nx"), 0700) == 0);
    if (!is_last) check(mkdir(path_in(folder, "corerunloop/nx/full"), 0700) == 0);
    return way > COUNT(ways) + 1 ? 0 : EISDIR;
}

static void folder_without_room(void)
{
    __block int error = 1;
    for (unsigned way = 0; error != 0; way++) {
        const char *folder = use_own_folder();
        /* The child process prints strerror() of the expected error last. */
        const char *text = messages_of(^{
            RLMessagePortRef unnamed = RLMessagePortCreateLocal(NULL, NULL, no_reply, NULL, NULL);
            check(make_local("first") != NULL);
            int expected = deny_files(folder, way);
            for (int twice = 0; twice < 2 && expected != 0; twice++) {
                if (use_name(0, unnamed) || use_name(2, unnamed)) fprintf(stderr, "it works\n");
            }
            if (!remote_port("first")) fprintf(stderr, "the first is gone\n");
            fprintf(stderr, "=%s", expected != 0 ? strerror(expected) : "");
        });
        const char *words = strrchr(text, '=');
        const char *end = strchr(text, '\n');
        error = words && words[1] != '\0';
        bool is_as_expected =
            error == 0 || (strstr(text, "RLMessagePort: cannot create files in ") && end &&
                           strstr(text, words + 1) < end && end + 1 == words);
        if (!is_as_expected) note("way %u printed: %s", way, text);
    }
}
SCENARIO(folder_without_room,
         .title = "If the files of a name cannot be created, one line reports that no port gets a name",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void ports_without_proc(void)
{
    use_own_folder();
    failure = ENOENT;
    note_output("/proc/thread-self/fd is not accessible", ^{
        fail_call(SYS_bind, &failure);
        fail_call(SYS_connect, &failure);
        fail_call(SYS_faccessat, &failure);
#if defined(SYS_access)
        fail_call(SYS_access, &failure);
#endif
    });
}
SCENARIO(ports_without_proc,
         .title = "Without /proc, one line reports that ports have no names",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)
