/*
 * Runs a program and reads its output, for example to run a symbolizer as sanitizers do. The client
 * does not notice the child process.
 */

#define _GNU_SOURCE

#include "uncanceled.h"

#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Converts a name in /proc/…/fd. Returns -1 for "." and "..". */
static int descriptor_of_name(const char *name)
{
    int number = 0;
    for (; *name; name++) {
        if (*name < '0' || *name > '9') return -1;
        number = number * 10 + (*name - '0');
    }
    return number;
}

/* The layout of getdents64(2). */
struct folder_entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

/*
 * Reads the directory without opendir(3), which would allocate. Closing a listed descriptor while
 * reading the directory is safe.
 */
static bool close_listed(int first)
{
    int folder = open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    _Alignas(struct folder_entry) char entries[1024];
    long size;
    while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long at = 0; at < size;) {
            const struct folder_entry *entry = (const void *)(entries + at);
            int fd = descriptor_of_name(entry->name);
            if (fd >= first && fd != folder) close(fd);
            at += entry->length;
        }
    }
    close(folder);
    return size == 0;
}

static bool close_from(int first)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return true;
#endif
    return close_listed(first);
}

/* Forks without atfork handlers. The child's end sends `signal` to the parent, unless it is 0. */
static pid_t copy_process(int signal)
{
    return (pid_t)syscall(SYS_clone, signal, 0, 0, 0, 0);
}

__attribute__((noreturn)) static void become(const char *path, const char *const *arguments)
{
    /* Without this, signals that the client ignores would stay ignored in the program. */
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal <= SIGRTMAX; signal++) sigaction(signal, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Signals to the client's process group, such as from Control-C, must not reach the program. */
    setsid();
    /* The client's environment might make the program query debug information servers. */
    char *const environment[] = {(char *)"LC_ALL=C", NULL};
    execve(path, (char *const *)arguments, environment);
    _exit(127);
}

/* Waits for the child, and kills it if the client no longer needs the program. */
static void await_end(pid_t child, int client, int child_events)
{
    struct pollfd waiting[] = {{client, POLLIN, 0}, {child_events, POLLIN, 0}};
    while (waitpid(child, NULL, WNOHANG) == 0) {
        poll(waiting, 2, -1);
        if (waiting[0].revents != 0) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return;
        }
        struct signalfd_siginfo event;
        if (waiting[1].revents != 0 && read(child_events, &event, sizeof event) < 0) continue;
    }
}

/*
 * Runs in a copy of the client process. Runs the program until it ends or the client shuts the
 * socket down, and then shuts the socket down. EOF of the output does not show the program's end,
 * because a child of the program may keep the pipe open. Other threads of the client may have held
 * locks, so this process only makes system calls. The program is a child of this process and not of
 * the client, because an executed program sends SIGCHLD to its parent.
 */
__attribute__((noreturn)) static void serve(const char *path, const char *const *arguments,
                                            int output, int client)
{
    enum { CLIENT = STDERR_FILENO + 1 };
    /* The client may have closed its standard descriptors, so ours are moved above them. */
    output = fcntl(output, F_DUPFD, CLIENT);
    client = fcntl(client, F_DUPFD, CLIENT);
    int null = open("/dev/null", O_RDWR);
    bool is_ready = output >= 0 && client >= 0 && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                    dup2(null, STDERR_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
                    dup2(client, CLIENT) >= 0 && close_from(CLIENT + 1);
    /* All signals are blocked here. If SIGCHLD were ignored, the kernel would not send it. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigset_t child_ends;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    int child_events = is_ready ? signalfd(-1, &child_ends, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
    if (child_events < 0) _exit(127);
    pid_t child = copy_process(SIGCHLD);
    if (child == 0) {
        close(CLIENT);
        become(path, arguments);
    }
    close(STDOUT_FILENO);
    if (child > 0) await_end(child, CLIENT, child_events);
    shutdown(CLIENT, SHUT_RDWR);
    _exit(0);
}

/* The server ends soon, unless it waits for a lock of a sanitizer. */
static void wait_for_server(pid_t server)
{
    for (int i = 0; i < 10000; i++) {
        if (waitpid(server, NULL, __WALL | WNOHANG) == server) return;
        usleep(1000);
    }
    kill(server, SIGKILL);
    while (waitpid(server, NULL, __WALL) < 0 && errno == EINTR) continue;
}

/* Returns false if the output is too long, or the program does not end by `end_ms`. */
static bool read_all(int fd, int server, char *text, size_t capacity, int64_t end_ms,
                     size_t *ret_length)
{
    bool has_ended = false;
    *ret_length = 0;
    while (*ret_length < capacity && now_ms() < end_ms) {
        ssize_t count = read(fd, text + *ret_length, capacity - *ret_length);
        if (count == 0) return true;
        if (count > 0) {
            *ret_length += (size_t)count;
        } else if (errno == EAGAIN && has_ended) {
            return true;
        } else if (errno == EAGAIN) {
            struct pollfd waiting[] = {{fd, POLLIN, 0}, {server, POLLIN, 0}};
            int64_t left_ms = end_ms - now_ms();
            poll(waiting, 2, left_ms > 0 ? (int)left_ms : 0);
            has_ended = waiting[1].revents != 0;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return false;
}

const char *RLProgramGetSearchPath(void)
{
    return secure_getenv("PATH");
}

char *RLProgramCopyOutput(const char *path, const char *const *arguments, RLIndex capacity,
                          RLTimeInterval seconds, RLIndex *ret_length)
{
    RL_UNCANCELED_HERE;
    int64_t end_ms = now_ms() + (int64_t)(seconds * 1000);
    int output[2], sockets[2];
    if (pipe2(output, O_CLOEXEC) != 0) return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        close(output[0]);
        close(output[1]);
        return NULL;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    /* Blocks all signals, because handlers of the client must not run in its copy. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* The server sends no signal when it ends, so wait(2) in the client does not return it. */
    pid_t server = copy_process(0);
    if (server == 0) serve(path, arguments, output[1], sockets[0]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(output[1]);
    close(sockets[0]);
    char *text = server > 0 ? malloc((size_t)capacity) : NULL;
    size_t length = 0;
    bool is_whole =
        text && read_all(output[0], sockets[1], text, (size_t)capacity, end_ms, &length);
    /* Closing is not enough: a child of another thread's fork may have the socket too. */
    shutdown(sockets[1], SHUT_RDWR);
    close(sockets[1]);
    if (server > 0) wait_for_server(server);
    /* Closed last, because SIGPIPE would end the program before its process group is killed. */
    close(output[0]);
    *ret_length = (RLIndex)length;
    if (is_whole) return text;
    free(text);
    return NULL;
}
