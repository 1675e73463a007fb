/*
 * Processes beside this one, and what they tell about each other.
 */

#define _GNU_SOURCE

#include "peer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATENCIES = 1 << 17 };

struct report *report_create(void)
{
    size_t size = sizeof(struct report) + LATENCIES * sizeof(double);
    struct report *report =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(report != MAP_FAILED);
    double none = __builtin_nan("");
    *report = (struct report){none, none, none, 0, (double *)(void *)(report + 1)};
    return report;
}

pid_t peer_start(int processor, void (*run)(void *info), void *info)
{
    /* Whoever writes to a connection that is gone is told so by the call. */
    signal(SIGPIPE, SIG_IGN);
    pid_t parent = getpid(), peer = fork();
    EXPECT(peer >= 0);
    if (peer > 0) return peer;
    EXPECT(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent);
    bind_to_processor(processor_count() > processor ? processor : 0);
    run(info);
    _exit(0);
}

void peer_join(pid_t peer)
{
    int status;
    EXPECT(waitpid(peer, &status, 0) == peer);
    EXPECT(status == 0);
}

int64_t processor_ns_of(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    EXPECT(clock_getcpuclockid(process, &clock) == 0);
    EXPECT(clock_gettime(clock, &time) == 0);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = write(fd, bytes, size);
        EXPECT(count > 0);
        bytes += count;
        size -= (size_t)count;
    }
}

void peer_kill(pid_t peer)
{
    EXPECT(kill(peer, SIGKILL) == 0);
    EXPECT(waitpid(peer, NULL, 0) == peer);
}

/* The number in the first line of a file that begins with a word, or -1. */
static long read_number(const char *path, const char *word)
{
    FILE *file = fopen(path, "re");
    char line[256];
    long number = -1;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, word, strlen(word)) != 0) continue;
        number = atol(line + strlen(word));
        break;
    }
    if (file) fclose(file);
    return number;
}

double anonymous_bytes_of(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    long kilobytes = read_number(path, "Anonymous:");
    EXPECT(kilobytes >= 0);
    return (double)kilobytes * 1024;
}

/* --- Counting system calls -------------------------------------------------------------------- */

static bool are_all_traced(pid_t process)
{
    if (process == 0) return true;
    char path[300];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    EXPECT(threads != NULL);
    bool are_traced = true;
    for (struct dirent *entry; are_traced && (entry = readdir(threads));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/status", process, entry->d_name);
        are_traced = read_number(path, "TracerPid:") > 0;
    }
    closedir(threads);
    return are_traced;
}

static void become_strace(const char *path, pid_t first, pid_t second)
{
    char numbers[32];
    /* A list of numbers may be separated by commas. */
    snprintf(numbers, sizeof numbers, second ? "%d,%d" : "%d", first, second);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDERR_FILENO);
    execlp("strace", "strace", "-f", "-c", "-U", "calls,name", "-S", "calls", "-o", path, "-p",
           numbers, NULL);
    _exit(127);
}

bool call_counter_start(struct call_counter *counter, pid_t first, pid_t second)
{
    strcpy(counter->path, "/tmp/system-calls-XXXXXX");
    int fd = mkstemp(counter->path);
    EXPECT(fd >= 0);
    close(fd);
    counter->process = fork();
    EXPECT(counter->process >= 0);
    if (counter->process == 0) become_strace(counter->path, first, second);
    while (!are_all_traced(first) || !are_all_traced(second)) {
        if (waitpid(counter->process, NULL, WNOHANG) == counter->process) {
            unlink(counter->path);
            return false;
        }
        sched_yield();
    }
    return true;
}

double call_counter_stop(struct call_counter *counter)
{
    kill(counter->process, SIGINT);
    waitpid(counter->process, NULL, 0);
    FILE *file = fopen(counter->path, "re");
    EXPECT(file != NULL);
    double sum = 0;
    long count;
    char line[256], name[64];
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%ld %63s", &count, name) != 2 || strcmp(name, "total") == 0) continue;
        sum += (double)count;
    }
    fclose(file);
    unlink(counter->path);
    return sum;
}
