#include "base/system.h"

#include "base/check.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "events/event_source.h"
#include "loop/callout.h"
#include "loop/report.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

RL_CALLOUT_FUNCTION void rl_callout_signal(RLSignalCallBack function, RLRunLoopSourceRef source,
                                           const RLSignalEvent *event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, event, info);
    RL_STAY_ON_THE_STACK;
}

/*
 * The signals must be blocked in all threads. If a thread does not block a signal, the handler
 * blocks the signal on this thread and sends it to the process again. So the signal is late but not
 * lost.
 *
 * The kernel lets a process send any siginfo only if `si_code` is negative and not SI_TKILL. So the
 * handler encodes other codes as SENT_AGAIN - code.
 */
enum { SENT_AGAIN = -1000, LEAST_CODE = SI_TKILL, GREATEST_CODE = SI_KERNEL };

static void send_again(int number, siginfo_t *taken, void *context)
{
    int error = errno;
    sigaddset(&((ucontext_t *)context)->uc_sigmask, number);
    siginfo_t signal = *taken;
    if (signal.si_code >= 0 || signal.si_code == SI_TKILL) {
        signal.si_code = SENT_AGAIN - taken->si_code;
        signal.si_value.sival_int = number == SIGCHLD ? taken->si_status : 0;
    }
    if (syscall(SYS_rt_sigqueueinfo, getpid(), number, &signal) != 0) kill(getpid(), number);
    errno = error;
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
    int code = SENT_AGAIN - event.code;
    if (code >= LEAST_CODE && code <= GREATEST_CODE) {
        event.code = code;
        event.status = event.value;
        event.value = 0;
    }
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
        rl_client_error(function,
                        "signal %d cannot be caught: remove SIGKILL and SIGSTOP from `numbers`",
                        number);
    }
    if (sigaddset(set, number) != 0) {
        rl_client_error(
            function, "signal %d does not exist: pass numbers of signals, such as SIGTERM", number);
    }
}

RLRunLoopSourceRef RLSignalSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                        const SInt32 *numbers, RLIndex count,
                                        RLSignalCallBack callback, RLEventSourceContext *context)
{
    (void)allocator;
    rl_event_source_expect_callback((const void *)(uintptr_t)callback, __func__);
    if (!numbers || count < 1) {
        rl_client_error(__func__, "argument `numbers` is empty or null: pass at least one signal");
    }
    sigset_t set;
    sigemptyset(&set);
    for (RLIndex i = 0; i < count; i++) add_signal(&set, numbers[i], __func__);

    int descriptor = rl_kernel_keep(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    RL_HINT(descriptor < 0, __func__,
            "cannot create a signalfd: %s: raise the limit of open files; returning NULL",
            strerror(errno));
    if (descriptor < 0) return NULL;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    struct sigaction action = {.sa_sigaction = send_again,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    for (RLIndex i = 0; i < count; i++) sigaction(numbers[i], &action, NULL);
    struct rl_event_source self = {.descriptor = descriptor, .callback.signal = callback};
    return rl_event_source_create(&self, &kind, order, context);
}
