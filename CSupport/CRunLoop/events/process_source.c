#include "base/system.h"

#include "base/check.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "events/event_source.h"
#include "loop/callout.h"
#include "loop/report.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The value of P_PIDFD, which some C libraries do not define. */
enum { WAIT_FOR_PIDFD = 3 };

/* Converts the status to the format of waitpid(2). */
static SInt32 wait_status(const siginfo_t *ended)
{
    if (ended->si_code == CLD_EXITED) return (ended->si_status & 0xFF) << 8;
    return ended->si_status | (ended->si_code == CLD_DUMPED ? 0x80 : 0);
}

static bool take_status(struct rl_event_source *self, SInt32 *ret_status)
{
    siginfo_t ended = {0};
    int options = WEXITED | WNOHANG | __WALL | (self->reaps ? 0 : WNOWAIT);
    int result = -1;
    rl_lock(&self->lock);
    int descriptor = atomic_load(&self->descriptor);
    do {
        if (descriptor >= 0) {
            result =
                RL_UNCANCELED(waitid((idtype_t)WAIT_FOR_PIDFD, (id_t)descriptor, &ended, options));
        }
    } while (descriptor >= 0 && result != 0 && errno == EINTR);
    rl_unlock(&self->lock);
    if (descriptor < 0) return false;
    *ret_status = result == 0 ? wait_status(&ended) : kRLProcessStatusUnknown;
    return result != 0 || ended.si_pid != 0;
}

RL_CALLOUT_FUNCTION void rl_callout_process(RLProcessCallBack function, RLRunLoopSourceRef source,
                                            SInt32 process, SInt32 status, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, process, status, info);
    RL_STAY_ON_THE_STACK;
}

static void perform_process_source(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct rl_event_source *self = info;
    SInt32 status = kRLProcessStatusUnknown;
    if (!take_status(self, &status)) return;
    /* The descriptor stays ready, so a nested run would call the callback again. */
    RLRunLoopSourceInvalidate(self->source);
    rl_callout_process(self->callback.process, self->source, self->process, status,
                       self->client.info);
}

static const struct rl_event_source_kind kind = {.name = "RLProcessSource",
                                                 .perform = perform_process_source};

RLRunLoopSourceRef RLProcessSourceCreate(RLAllocatorRef allocator, RLIndex order, SInt32 processID,
                                         Boolean reaps, RLProcessCallBack callback,
                                         RLEventSourceContext *context)
{
    (void)allocator;
    rl_event_source_expect_callback((const void *)(uintptr_t)callback, __func__);
    if (processID <= 0) {
        rl_client_error(
            __func__, "argument `processID` (%d) must be greater than 0: pass the ID of a process",
            processID);
    }
    /* pidfd_open sets close-on-exec by default. */
    int descriptor = rl_kernel_keep((int)syscall(SYS_pidfd_open, processID, 0));
    RL_HINT(descriptor < 0, __func__, "cannot watch process %d: %s: %s; returning NULL", processID,
            strerror(errno),
            errno == ESRCH ? "pass the ID of a process that was not reaped"
                           : "check the limit of open files and the sandbox");
    if (descriptor < 0) return NULL;
    struct rl_event_source self = {
        .descriptor = descriptor,
        .callback.process = callback,
        .process = processID,
        .reaps = reaps,
    };
    return rl_event_source_create(&self, &kind, order, context);
}
