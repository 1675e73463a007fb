/*
 * Determines the signals in use from /proc, which lists the blocked signals and the current system
 * call of each thread, and the signals of each signalfd.
 */

#define _GNU_SOURCE

#include "signal_use.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define NAMED_FILE 64

bool rl_signal_is_handled(int signal)
{
    struct sigaction action;
    if (sigaction(signal, NULL, &action) != 0) return true;
    return (action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL;
}

static bool read_mask(const char *path, const char *word, uint64_t *ret_mask)
{
    FILE *file = fopen(path, "re");
    if (!file) return false;
    char line[128];
    bool is_there = false;
    while (!is_there && fgets(line, sizeof line, file)) {
        is_there = strncmp(line, word, strlen(word)) == 0;
    }
    fclose(file);
    if (is_there) *ret_mask = strtoull(line + strlen(word), NULL, 16);
    return is_there;
}

int rl_signals_blocked_by(int thread, uint64_t *ret_blocked)
{
    char path[NAMED_FILE];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
    return read_mask(path, "SigBlk:", ret_blocked) ? 0 : -ESRCH;
}

static uint64_t realtime_signals(void)
{
    uint64_t mask = 0;
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) mask |= rl_signal_bit(signal);
    return mask;
}

static bool blocks_most(uint64_t mask)
{
    uint64_t all = realtime_signals();
    return 2 * __builtin_popcountll(mask & all) > __builtin_popcountll(all);
}

bool rl_thread_blocks_wholesale(void)
{
    sigset_t blocked;
    uint64_t mask = 0;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        if (sigismember(&blocked, signal) == 1) mask |= rl_signal_bit(signal);
    }
    return blocks_most(mask) && syscall(SYS_gettid) != getpid();
}

static bool is_wait_for_signals(long call)
{
#ifdef SYS_rt_sigtimedwait_time64
    if (call == SYS_rt_sigtimedwait_time64) return true;
#endif
#ifdef SYS_rt_sigtimedwait
    if (call == SYS_rt_sigtimedwait) return true;
#endif
    return false;
}

/*
 * Returns the signals that a thread waits for in sigwait(3) or a similar call. Such a call unblocks
 * the signals.
 */
static uint64_t awaited_by(int thread)
{
    char path[NAMED_FILE];
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    long call = -1;
    unsigned long address = 0;
    bool is_in_call = fscanf(file, "%ld %lx", &call, &address) == 2;
    fclose(file);
    if (!is_in_call || !is_wait_for_signals(call)) return 0;
    /* Lets the kernel copy the mask: the thread may have returned, and its stack be unmapped. */
    uint64_t mask = 0;
    struct iovec here = {&mask, sizeof mask}, there = {(void *)address, sizeof mask};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof mask ? mask : 0;
}

/*
 * The C library blocks all signals briefly while it creates a thread, and the thread sanitizer does
 * so while a handler runs. So this function retries if most signals are blocked.
 */
static int settled_signals_blocked_by(int thread, uint64_t *ret_blocked)
{
    enum { TRIES = 20, MILLISECOND_NS = 1000000 };
    const struct timespec moment = {.tv_nsec = MILLISECOND_NS};
    int result = rl_signals_blocked_by(thread, ret_blocked);
    bool is_self = thread == syscall(SYS_gettid);
    for (int i = 0; i < TRIES && result == 0 && !is_self && blocks_most(*ret_blocked); i++) {
        nanosleep(&moment, NULL);
        result = rl_signals_blocked_by(thread, ret_blocked);
    }
    return result;
}

static uint64_t used_by_thread(int thread)
{
    uint64_t blocked = 0;
    bool is_main = thread == getpid();
    int result = is_main ? settled_signals_blocked_by(thread, &blocked)
                         : rl_signals_blocked_by(thread, &blocked);
    if (result != 0) return 0;
    bool means_it = is_main || !blocks_most(blocked);
    return (means_it ? blocked : 0) | awaited_by(thread);
}

/* Returns no signals for a descriptor that is not a signalfd. */
static uint64_t used_by_descriptor(int directory, const char *number)
{
    char target[NAMED_FILE] = "", path[NAMED_FILE];
    if (readlinkat(directory, number, target, sizeof target - 1) < 0) return 0;
    if (strcmp(target, "anon_inode:[signalfd]") != 0) return 0;
    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%.16s", number);
    uint64_t mask = 0;
    return read_mask(path, "sigmask:", &mask) ? mask : 0;
}

uint64_t rl_signals_awaited(void)
{
    DIR *threads = opendir("/proc/self/task"), *descriptors = opendir("/proc/thread-self/fd");
    uint64_t used = threads && descriptors ? 0 : UINT64_MAX;
    struct dirent *entry;
    while (threads && (entry = readdir(threads))) {
        int thread = atoi(entry->d_name);
        if (thread > 0) used |= used_by_thread(thread);
    }
    while (descriptors && (entry = readdir(descriptors))) {
        used |= used_by_descriptor(dirfd(descriptors), entry->d_name);
    }
    if (threads) closedir(threads);
    if (descriptors) closedir(descriptors);
    return used;
}
