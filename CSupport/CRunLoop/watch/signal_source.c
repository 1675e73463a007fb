/*
 * Signals as a source: signalfd(2).
 */

#include "base/system.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "watch/event_source.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

RL_CALLOUT_FUNCTION void rl_callout_signal(RLSignalCallBack function, RLRunLoopSourceRef source,
                                           const RLSignalEvent *event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, event, info);
    RL_STAY_ON_THE_STACK;
}

static void deliver_signal(struct rl_event_source *self, const struct signalfd_siginfo *signal)
{
    RLSignalEvent event = {
        .number = (SInt32)signal->ssi_signo,
        .code = signal->ssi_code,
        .processID = (SInt32)signal->ssi_pid,
        .userID = signal->ssi_uid,
        .status = signal->ssi_status,
        .value = signal->ssi_int,
    };
    rl_callout_signal(self->callback.signal, self->source, &event, self->client.info);
}

static void perform_signal_source(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct rl_event_source *self = info;
    struct signalfd_siginfo signal;
    for (int i = 0; i < RL_EVENTS_AT_ONCE; i++) {
        if (rl_event_source_read(self, &signal, sizeof signal) != sizeof signal) return;
        deliver_signal(self, &signal);
    }
}

#if RL_HAS_HINTS
/* A thread that takes a signal away from its source. */
struct taker {
    int thread;
    int signal;
    char name[32];
};

/* Reads what the kernel tells of a thread. Returns whether it does not block one of the signals. */
static bool takes_one(struct taker *self, const sigset_t *set)
{
    char path[64], line[128], state = 'Z';
    unsigned long long blocked = ~0ULL;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", self->thread);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "Name: %31[^\n]", self->name);
        sscanf(line, "State: %c", &state);
        sscanf(line, "SigBlk: %llx", &blocked);
    }
    if (file) fclose(file);
    bool has_ended = state == 'Z' || state == 'X';
    for (int signal = 1; signal < NSIG && !has_ended; signal++) {
        if (sigismember(set, signal) != 1 || blocked >> (signal - 1) & 1) continue;
        self->signal = signal;
        return true;
    }
    return false;
}

/* Threads of libdispatch block signals a moment after they began. */
static bool goes_on_taking(struct taker *self, const sigset_t *set)
{
    enum { TRIES = 20, MOMENT_NS = 1000000 };
    for (int i = 0; i < TRIES; i++) {
        if (!takes_one(self, set)) return false;
        rl_kernel_sleep(rl_clock_now_ns() + MOMENT_NS);
    }
    return true;
}

/*
 * Finds a thread other than this one that does not block all of the signals: once in a process, as
 * it takes its time.
 */
static bool find_taker(const sigset_t *set, struct taker *ret_taker)
{
    static atomic_bool was_found;
    bool is_found = false;
    if (atomic_load(&was_found)) return false;
    DIR *threads = opendir("/proc/self/task");
    struct dirent *entry;
    while (threads && !is_found && (entry = readdir(threads))) {
        *ret_taker = (struct taker){.thread = atoi(entry->d_name)};
        if (ret_taker->thread <= 0 || ret_taker->thread == rl_kernel_thread_id()) continue;
        is_found = goes_on_taking(ret_taker, set);
    }
    if (threads) closedir(threads);
    return is_found && !atomic_exchange(&was_found, true);
}
#endif

static void look_for_taker(const sigset_t *set, const char *function)
{
#if RL_HAS_HINTS
    struct taker taker;
    RL_HINT(RL_UNCANCELED(find_taker(set, &taker)), function,
            "thread %d (%s) does not block signal %d and may take it, with its default action or "
            "handler: block it there by pthread_sigmask, or before that thread is started",
            taker.thread, taker.name, taker.signal);
#else
    (void)set, (void)function;
#endif
}

static const struct rl_event_source_kind kind = {.name = "RLSignalSource",
                                                 .perform = perform_signal_source};

static void add_signal(sigset_t *set, SInt32 number, const char *function)
{
    if (number == SIGKILL || number == SIGSTOP) {
        rl_client_error(function, "signal %d cannot be received by anybody", number);
    }
    if (sigaddset(set, number) != 0) rl_client_error(function, "there is no signal %d", number);
}

RLRunLoopSourceRef RLSignalSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                        const SInt32 *signals, RLIndex count,
                                        RLSignalCallBack callback, RLEventSourceContext *context)
{
    (void)allocator;
    rl_event_source_expect_callback((const void *)(uintptr_t)callback, __func__);
    if (!signals || count < 1) rl_client_error(__func__, "argument `signals` names none");
    sigset_t set;
    sigemptyset(&set);
    for (RLIndex i = 0; i < count; i++) add_signal(&set, signals[i], __func__);

    int descriptor = rl_kernel_keep(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    RL_HINT(descriptor < 0, __func__, "no source is made: %s", strerror(errno));
    if (descriptor < 0) return NULL;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    look_for_taker(&set, __func__);
    struct rl_event_source self = {.descriptor = descriptor, .callback.signal = callback};
    return rl_event_source_create(&self, &kind, order, context);
}
