/*
 * Ends the children of tests.
 *
 * A child that outlives `swift test`'s process of tests keeps the pipe of its output open, and
 * `swift test` waits for the end of the pipe. SwiftPM makes the process of tests the leader of a
 * process group, which its children inherit.
 */

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Much later than needed, as machines are busy and sanitizers slow. */
#define CHILD_SECONDS 300

/* The default action of SIGALRM needs no thread and no lock of the child. */
static void limit_child(void)
{
    sigset_t limit;

    alarm(CHILD_SECONDS);
    sigemptyset(&limit);
    sigaddset(&limit, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &limit, NULL);
}

static bool leads_process_of_tests(void)
{
    static const char ending[] = ".xctest";
    char path[4096];

    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    ssize_t start = length - (ssize_t)strlen(ending);
    return getpgrp() == getpid() && start > 0 && strncmp(path + start, ending, strlen(ending)) == 0;
}

/*
 * Kills the group when its leader has ended, or the parent of the leader. A number of a group with
 * members is not reused.
 */
_Noreturn static void guard(pid_t leader, int leader_fd, int parent_fd)
{
    struct pollfd ends[] = {{.fd = leader_fd, .events = POLLIN},
                            {.fd = parent_fd, .events = POLLIN}};

    setsid();
    for (int fd = 0; fd <= STDERR_FILENO; fd++) close(fd);
    while (poll(ends, 2, -1) < 0) continue;
    kill(-leader, SIGKILL);
    _exit(EXIT_SUCCESS);
}

/* The guard is a grandchild: tests may wait for any child. */
static void start_guard(void)
{
    pid_t leader = getpid();
    int leader_fd = (int)syscall(SYS_pidfd_open, leader, 0);
    int parent_fd = (int)syscall(SYS_pidfd_open, getppid(), 0);

    /* Linux 5.3 is the first with these descriptors. */
    if (leader_fd < 0) return;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) guard(leader, leader_fd, parent_fd);
        _exit(EXIT_SUCCESS);
    }
    close(leader_fd);
    if (parent_fd >= 0) close(parent_fd);
    while (child > 0 && waitpid(child, NULL, 0) < 0) continue;
}

/* Before other constructors: the limit must precede handlers of forks that may hang. */
__attribute__((constructor(101))) static void limit_children(void)
{
    if (leads_process_of_tests()) start_guard();
    /* Swift Testing sets the variable for the process of an exit test. */
    if (getenv("SWT_EXIT_TEST_ID") != NULL) limit_child();
    pthread_atfork(NULL, NULL, limit_child);
}
