/*
 * Signals as a source: signalfd(2).
 */

#include "base/system.h"

#include "base/check.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "loop/callout.h"
#include "watch/event_source.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

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
    struct rl_event_source self = {.descriptor = descriptor, .callback.signal = callback};
    return rl_event_source_create(&self, &kind, order, context);
}
