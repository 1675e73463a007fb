/*
 * Programs whose surroundings give them little: small stacks, no memory files, a limit on the size
 * of files, more rights than their caller has. Ours only.
 */

#include "../messages/message_words.h"
#include "scenario.h"
#include "system_calls.h"

#include <limits.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* --- Small stacks ----------------------------------------------------------------------------- */

static void count_received(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                           const void *data, void *info)
{
    *(long *)info += RLDataGetLength((RLDataRef)(uintptr_t)data);
}

static void *use_small_stack(void *unused)
{
    static char bytes[1000];
    long received = 0;
    int sockets[2], streams[2];
    RLSocketContext context = {.info = &received};
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    check(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, sockets[0], kRLSocketDataCallBack, count_received, &context);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    check(send(sockets[1], bytes, sizeof(bytes), 0) == sizeof(bytes));
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, true) == kRLRunLoopRunHandledSource);
    check(received == sizeof(bytes));
    RLSocketInvalidate(socket);
    RLRelease(source);
    RLRelease(socket);
    close(sockets[1]);

    check(socketpair(AF_UNIX, SOCK_STREAM, 0, streams) == 0);
    RLStreamCreatePairWithSocket(NULL, streams[0], &reader, &writer);
    RLReadStreamScheduleWithRunLoop(reader, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    check(RLWriteStreamWrite(writer, (const UInt8 *)bytes, sizeof(bytes)) == sizeof(bytes));
    check(recv(streams[1], bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes));
    check(send(streams[1], bytes, sizeof(bytes), 0) == sizeof(bytes));
    check(RLReadStreamRead(reader, (UInt8 *)bytes, sizeof(bytes)) == sizeof(bytes));
    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    RLRelease(reader);
    RLRelease(writer);
    close(streams[0]);
    close(streams[1]);
    return NULL;
}

static void small_stack(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    /* The address sanitizer puts room around each variable. */
    size_t size = 2 * (size_t)PTHREAD_STACK_MIN;

    pthread_attr_init(&attributes);
    check(pthread_attr_setstacksize(&attributes, size) == 0);
    check(pthread_create(&thread, &attributes, use_small_stack, NULL) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
SCENARIO(small_stack,
         .title = "Sockets and streams work on a thread with a stack of 32 KB",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* --- Memory files ----------------------------------------------------------------------------- */

/* Sends large messages on two threads to a process that does not read for a while. */
static void send_large_ones(action restrict_self)
{
    static int release[2];
    struct helper_thread *threads[2];

    use_own_folder();
    check(pipe2(release, O_CLOEXEC) == 0);
    start_server("server", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        if (id == 0) await_byte(release[0]);
        return id == 0 ? NULL : echo(data);
    });
    RLMessagePortRef remote = remote_port("server");
    RLDataRef large = pattern(1000000);
    restrict_self();
    check(RLMessagePortSendRequest(remote, 0, NULL, 10, 0, NULL, NULL) == 0);
    for (int index = 0; index < 2; index++) {
        threads[index] = start_thread(^{
            RLDataRef reply = NULL;
            note_answer("arrived", RLMessagePortSendRequest(remote, 1, large, 600, 600,
                                                            kRLRunLoopDefaultMode, &reply) == 0 &&
                                       RLEqual(reply, large));
            if (reply) RLRelease(reply);
        });
    }
    /* Longer than the parts of a message wait for their receiver. */
    stay_busy(0.02);
    send_byte(release[1]);
    join_thread(threads[0]);
    join_thread(threads[1]);
    RLRelease(large);
}

static void no_memory_files(void)
{
    send_large_ones(^{ refuse_call(SYS_memfd_create, ENOSYS); });
}
SCENARIO(no_memory_files,
         .title = "Large messages arrive where the kernel has no memory files, whatever the receiver does meanwhile",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "arrived: yes; arrived: yes")

static void no_seals(void)
{
    send_large_ones(^{
        answer_call(SYS_fcntl, ^long(const long *arguments) {
            return arguments[1] == F_ADD_SEALS ? -EPERM : let_through;
        });
    });
}
SCENARIO(no_seals,
         .title = "Large messages arrive where memory files cannot be sealed",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "arrived: yes; arrived: yes")

static void limited_files(void)
{
    send_large_ones(^{
        const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
        check(setrlimit(RLIMIT_FSIZE, &none) == 0);
    });
}
SCENARIO(limited_files,
         .title = "Large messages arrive, and no signal comes, where files must not grow",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "arrived: yes; arrived: yes")

/* --- More rights than the caller's ------------------------------------------------------------ */

enum { not_privileged = 77 };

/* Starts this program with the rights of another user. Gives its exit status. */
static int run_privileged(const char *program, uid_t owner)
{
    char command[2 * PATH_MAX];
    int status = 0;

    snprintf(command, sizeof(command), "cp /proc/%d/exe '%s' && chown %d '%s' && chmod 4755 '%s'",
             (int)getpid(), program, (int)owner, program, program);
    check(system(command) == 0);
    pid_t process = fork();
    if (process == 0) {
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
        execl(program, program, "rl", "foreign_environment", NULL);
        _exit(1);
    }
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void foreign_environment(void)
{
    if (getenv("SCENARIO_IS_PRIVILEGED")) {
        if (!getauxval(AT_SECURE)) _exit(not_privileged);
        _exit(make_local("port") ? 0 : 1);
    }
    /* Only the superuser can make a program of another user's. */
    if (geteuid() != 0) return;
    const char *folder = use_own_folder();
    uid_t owner = other_user();
    const char *common = common_folder(owner);
    check(chown(folder, owner, owner) == 0);
    setenv("SCENARIO_IS_PRIVILEGED", "", 1);
    int status = run_privileged(path_in(folder, "program"), owner);
    /* The file system may allow none. */
    if (status == not_privileged) return;
    check(status == 0);
    check(access(path_in(folder, "corerunloop"), F_OK) != 0);
    check(access(common, F_OK) == 0);
    char command[PATH_MAX];
    snprintf(command, sizeof(command), "rm -r %s", common);
    check(system(command) == 0);
}
SCENARIO(foreign_environment,
         .title = "A set-user-ID program ignores its caller's directory for message ports",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* --- Refused calls ---------------------------------------------------------------------------- */

/* Uses each call that is newer than its substitute: the loop must work as before. */
static void use_newer_calls(void)
{
    int counter = eventfd(0, EFD_CLOEXEC);
    int pair[2];
    __block int count = 0;
    add_source(PORT("p", counter, .quiet = true, .perform = ^{ count++; }), "DEF");
    count_up(counter);
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true) == kRLRunLoopRunHandledSource);
    /* The count was read: the sleep ends by the limit. */
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, true) == kRLRunLoopRunTimedOut);
    check(count == 1);
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    RLWriteStreamRef writer;
    RLStreamCreatePairWithSocket(NULL, pair[0], NULL, &writer);
    check(RLWriteStreamOpen(writer) && RLWriteStreamCanAcceptBytes(writer));
    check(RLWriteStreamWrite(writer, (const UInt8 *)"a", 1) == 1);
    RLRelease(writer);
}

static void refused_newer_calls(void)
{
    static const unsigned errors[] = {EPERM, EACCES, ENOSYS, EINVAL};
    for (unsigned index = 0; index < COUNT(errors); index++) {
        const char *text = messages_of(^{
            refuse_call(SYS_epoll_pwait2, errors[index]);
            refuse_call(SYS_preadv2, errors[index]);
#if defined(SYS_poll)
            refuse_call(SYS_poll, errors[index]);
#endif
            use_newer_calls();
            fprintf(stderr, "used");
        });
        note("%s", text);
    }
}
SCENARIO(refused_newer_calls,
         .title = "An older call replaces a newer call, whatever the error with which a sandbox rejects the newer call",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "used; used; used; used")

/* --- Lines ------------------------------------------------------------------------------------ */

static void calls_that_must_work(void)
{
    const char *nameless = messages_of(^{
        refuse_call(SYS_gettid, EPERM);
        start_thread(^{ RLRunLoopGetCurrent(); });
        pause();
    });
    const char *timeless = messages_of(^{
        answer_call(SYS_timerfd_settime, ^long(const long *arguments) { return -EINVAL; });
        after(10, "timer", "DEF", ^{});
        run("DEF", 20, false);
    });

    note_answer("threads", strstr(nameless, "gettid(2) failed, probably because of a sandbox"));
    note_answer("time", strstr(timeless, "timerfd_settime(2) rejects a time of clock_gettime(2)"));
}
SCENARIO(calls_that_must_work,
         .title = "If threads have no IDs, or the kernel rejects a time of the clock, one line reports it",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "threads: yes; time: yes")
