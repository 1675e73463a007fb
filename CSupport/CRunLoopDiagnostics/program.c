/*
 * Runs a program for what it writes, as the sanitizers run a symbolizer: the client notices neither
 * its beginning nor its end.
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
#include <sys/resource.h>
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

static void close_from(int first)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) close(fd);
}

/* In place of fork(), which calls handlers; `signal` is sent at the end of the child. */
static pid_t copy_process(int signal)
{
    return (pid_t)syscall(SYS_clone, signal, 0, 0, 0, 0);
}

__attribute__((noreturn)) static void become(const char *path, const char *const *arguments)
{
    /* Signals that the client ignores would stay ignored. */
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal <= SIGRTMAX; signal++) sigaction(signal, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Nothing of the client's, by which it might ask servers for debug information. */
    char *const environment[] = {(char *)"LC_ALL=C", NULL};
    execve(path, (char *const *)arguments, environment);
    _exit(127);
}

/*
 * Runs the program until the other end of a pipe is closed. This is a copy of the client, with
 * locks that other threads held, and makes nothing but system calls. The program is its child, as
 * each that is executed sends SIGCHLD to its parent.
 */
__attribute__((noreturn)) static void serve(const char *path, const char *const *arguments,
                                            int output, int end)
{
    /* The client may have closed the standard descriptors. */
    output = fcntl(output, F_DUPFD, STDERR_FILENO + 1);
    end = fcntl(end, F_DUPFD, STDERR_FILENO + 1);
    int null = open("/dev/null", O_RDWR);
    bool is_ready = output >= 0 && end >= 0 && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                    dup2(null, STDERR_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
                    dup2(end, STDERR_FILENO + 1) >= 0;
    if (!is_ready) _exit(127);
    close_from(STDERR_FILENO + 2);
    pid_t child = copy_process(SIGCHLD);
    if (child == 0) {
        close(STDERR_FILENO + 1);
        become(path, arguments);
    }
    close(STDOUT_FILENO);
    char byte;
    while (read(STDERR_FILENO + 1, &byte, 1) < 0 && errno == EINTR) continue;
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    _exit(0);
}

/* The server ends soon, unless a sanitizer's lock holds it up. */
static void wait_for_server(pid_t server)
{
    for (int i = 0; i < 1000; i++) {
        if (waitpid(server, NULL, __WALL | WNOHANG) == server) return;
        usleep(1000);
    }
    kill(server, SIGKILL);
    while (waitpid(server, NULL, __WALL) < 0 && errno == EINTR) continue;
}

/* Reads until the end of a pipe. Returns whether it came in time, and the text had room. */
static bool read_all(int fd, char *text, size_t capacity, int64_t end_ms, size_t *ret_length)
{
    size_t length = 0;
    ssize_t count = 1;
    while (count != 0 && length < capacity) {
        struct pollfd waiting = {fd, POLLIN, 0};
        int64_t left_ms = end_ms - now_ms();
        if (left_ms <= 0) return false;
        if (poll(&waiting, 1, (int)left_ms) <= 0) continue;
        count = read(fd, text + length, capacity - length);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) length += (size_t)count;
    }
    *ret_length = length;
    return count == 0;
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
    int output[2], end[2];
    if (pipe2(output, O_CLOEXEC) != 0) return NULL;
    if (pipe2(end, O_CLOEXEC) != 0) {
        close(output[0]);
        close(output[1]);
        return NULL;
    }
    /* No handler of the client's may run in its copy. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* A child that sends no signal: no wait() of the client's waits for it. */
    pid_t server = copy_process(0);
    if (server == 0) serve(path, arguments, output[1], end[0]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(output[1]);
    close(end[0]);
    char *text = server > 0 ? malloc((size_t)capacity) : NULL;
    size_t length = 0;
    bool is_whole = text && read_all(output[0], text, (size_t)capacity, end_ms, &length);
    close(output[0]);
    close(end[1]);
    if (server > 0) wait_for_server(server);
    *ret_length = (RLIndex)length;
    if (is_whole) return text;
    free(text);
    return NULL;
}
