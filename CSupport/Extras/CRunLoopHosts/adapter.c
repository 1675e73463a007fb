/* The lifetime of adapters, and their service of the run loop. */

#include "adapter.h"

#include "diagnosis.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_PASSES = 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint forks;

static void count_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void set_up_adapters(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

/*
 * In a forked child, the run loop has no host, and `ended` is not called. So adapters from before
 * the fork are invalid, and do not affect a later hosting. They leak, because the host may still
 * refer to them.
 */
static bool is_valid(const struct RLHostAdapter *self)
{
    return self->descriptor >= 0 && self->forks == atomic_load(&forks);
}

/* The engine calls this when the hosting ends, for any reason. */
static void hosting_ended(void *info, Boolean is_thread_ending)
{
    RLHostAdapterRef self = info;
    if (self->detach) self->detach(self, is_thread_ending);
    self->descriptor = -1;
    RLHostAdapterRelease(self);
}

static RLHostAdapterRef make_adapter(size_t size, const char *function)
{
    RLHostAdapterRef self = calloc(1, size);
    if (!self) {
        rl_hosts_client_error(
            function,
            "no memory for an adapter: raise the memory limit of the process, or use less memory");
    }
    atomic_init(&self->references, 2);
    pthread_once(&once, set_up_adapters);
    self->forks = atomic_load(&forks);
    self->loop = (RLRunLoopRef)(uintptr_t)RLRetain(RLRunLoopGetCurrent());
    return self;
}

static const char *reason_of(int error)
{
    return error == -EBUSY ? "the loop already runs or has a host: end its run or its host first"
                           : strerror(-error);
}

void *rl_adapter_begin(size_t size, const RLHostAdapterOptions *options,
                       void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending),
                       const char *function)
{
    static const RLHostAdapterOptions usual;
    if (!options) options = &usual;
    if (!RLRunLoopGetCurrent()) {
        rl_hosts_warn(function, "this thread is ending and has no run loop: create the adapter "
                                "earlier; returning NULL");
        return NULL;
    }
    RLHostAdapterRef self = make_adapter(size, function);
    self->passes = options->passes > 0 ? options->passes : USUAL_PASSES;
    RLRunLoopHostingContext context = {.info = self, .ended = hosting_ended};
    RLRunLoopMode mode = options->mode ? options->mode : kRLRunLoopDefaultMode;
    self->descriptor = RLRunLoopBeginHosting(mode, options->options, &context);
    if (self->descriptor >= 0) {
        self->detach = detach;
        return self;
    }
    rl_hosts_warn(function, "cannot host run loop %p: %s; returning NULL", (const void *)self->loop,
                  reason_of(self->descriptor));
    RLHostAdapterRelease(self);
    RLHostAdapterRelease(self);
    return NULL;
}

void rl_adapter_give_up(RLHostAdapterRef adapter)
{
    adapter->detach = NULL;
    RLRunLoopEndHosting();
    RLHostAdapterRelease(adapter);
}

static void expect_own_thread(RLHostAdapterRef adapter, const char *function)
{
    if (RLRunLoopIsCurrent(adapter->loop)) return;
    rl_hosts_client_error(function,
                          "called on another thread than that of run loop %p, which adapter %p "
                          "serves: use an adapter on the thread that created it",
                          (const void *)adapter->loop, (void *)adapter);
}

RLHostAdapterRef RLHostAdapterCreateWithDescriptor(const RLHostAdapterOptions *options)
{
    return rl_adapter_begin(sizeof(struct RLHostAdapter), options, NULL, __func__);
}

int RLHostAdapterGetDescriptor(RLHostAdapterRef adapter)
{
    return is_valid(adapter) ? adapter->descriptor : -1;
}

Boolean RLHostAdapterServe(RLHostAdapterRef adapter)
{
    expect_own_thread(adapter, __func__);
    return is_valid(adapter) && RLRunLoopRunHosted(adapter->passes);
}

void RLHostAdapterInvalidate(RLHostAdapterRef adapter)
{
    expect_own_thread(adapter, __func__);
    if (is_valid(adapter)) RLRunLoopEndHosting();
}

Boolean RLHostAdapterIsValid(RLHostAdapterRef adapter)
{
    return is_valid(adapter);
}

RLHostAdapterRef RLHostAdapterRetain(RLHostAdapterRef adapter)
{
    atomic_fetch_add(&adapter->references, 1);
    return adapter;
}

void RLHostAdapterRelease(RLHostAdapterRef adapter)
{
    if (atomic_fetch_sub(&adapter->references, 1) > 1) return;
    RLRelease(adapter->loop);
    free(adapter);
}
