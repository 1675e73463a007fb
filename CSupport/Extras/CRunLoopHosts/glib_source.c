/*
 * A run loop serves a GLib context with a version-0 source, which the client adds to modes. The
 * schedule and cancel functions of the source add and remove two helpers in each mode:
 *
 * - an observer, which queries the context's descriptors and timeout before the run loop sleeps.
 *   The query begins an iteration, which the observer completes, so GLib is never in the middle of
 *   an iteration while other code runs;
 * - a version-2 source, whose descriptor is readable when the context has work. The source then
 *   makes one iteration.
 *
 * Call all functions on the run loop's thread.
 */

#include "diagnosis.h"
#include "glib.h"
#include "poll_mirror.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct service {
    /* Each source with this info has one reference. The last release invalidates the helpers. */
    atomic_int references;
    struct rl_glib glib;
    struct _GMainContext *context;
    struct rl_poll_mirror mirror;
    struct rl_glib_poll_fd *list;
    int capacity;
    RLRunLoopSourceRef worker;
    RLRunLoopObserverRef observer;
    /* The number of modes with the source. Unless it is 0, this thread owns the GMainContext. */
    unsigned modes;
    /* True if the last activity was BeforeWaiting. */
    bool was_before_waiting;
};

static void grow_service(struct service *self, int capacity)
{
    self->capacity = capacity;
    self->list = realloc(self->list, (size_t)capacity * sizeof self->list[0]);
    if (!self->list) {
        rl_hosts_client_error("RLGLibSourceCreate", "no memory for a GLib source: raise the memory "
                                                    "limit of the process, or use less memory");
    }
}

static int query_list(struct service *self, int priority, int *ret_timeout)
{
    for (;;) {
        int count = self->glib.main_context_query(self->context, priority, ret_timeout, self->list,
                                                  self->capacity);
        if (count <= self->capacity) return count;
        grow_service(self, count * 2);
    }
}

/* Queries the descriptors and the timeout, and completes the iteration without events. */
static void query_context(struct service *self)
{
    const struct rl_glib *glib = &self->glib;
    int priority = INT_MAX, timeout = -1;
    bool is_ready = glib->main_context_prepare(self->context, &priority);
    /* Reads the time after GLib has read it, so that GLib's timeouts do not expire early here. */
    int64_t now_ns = rl_poll_mirror_now_ns();
    int count = query_list(self, priority, &timeout);
    for (int i = 0; i < count; i++) self->list[i].ready = 0;
    is_ready |= glib->main_context_check(self->context, priority, self->list, count) != 0;
    rl_poll_mirror_update(&self->mirror, self->list, count, is_ready ? 0 : timeout, now_ns);
}

/*
 * The context is queried just before the run loop sleeps. A pass that has work does not sleep; the
 * context is then queried at the start of the next pass.
 */
static void observe_loop(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    struct service *self = info;
    bool was_before_waiting = self->was_before_waiting;
    self->was_before_waiting = activity == kRLRunLoopBeforeWaiting;
    if (activity != kRLRunLoopBeforeSources || !was_before_waiting) query_context(self);
}

static void make_iteration(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct service *self = info;
    /* Retains the worker during the iteration, because a callback may remove the source. */
    RLRunLoopSourceRef worker = (RLRunLoopSourceRef)(uintptr_t)RLRetain(self->worker);
    rl_poll_mirror_disarm(&self->mirror);
    self->glib.main_context_iteration(self->context, false);
    RLRelease(worker);
}

static int get_service_descriptor(void *info)
{
    return ((struct service *)info)->mirror.fd;
}

static void destroy_service(struct service *self)
{
    self->glib.main_context_unref(self->context);
    rl_poll_mirror_destroy(&self->mirror);
    free(self->list);
    free(self);
}

static const void *retain_service(const void *info)
{
    struct service *self = (struct service *)(uintptr_t)info;
    atomic_fetch_add(&self->references, 1);
    return info;
}

static void release_service(const void *info)
{
    struct service *self = (struct service *)(uintptr_t)info;
    if (atomic_fetch_sub(&self->references, 1) == 1) destroy_service(self);
}

static void expect_own_thread(RLRunLoopRef loop, const char *what)
{
    if (RLRunLoopIsCurrent(loop)) return;
    rl_hosts_client_error("RLGLibSourceCreate",
                          "another thread %s run loop %p: use the loop's own thread", what,
                          (const void *)loop);
}

static void enter_mode(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct service *self = info;
    expect_own_thread(loop, "added a GLib source to");
    if (self->modes++ == 0 && !self->glib.main_context_acquire(self->context)) {
        rl_hosts_client_error("RLGLibSourceCreate",
                              "another thread owns GLib context %p, so run loop %p cannot serve "
                              "it: end g_main_loop_run on that thread first",
                              (void *)self->context, (const void *)loop);
    }
    query_context(self);
    RLRunLoopAddSource(loop, self->worker, mode);
    RLRunLoopAddObserver(loop, self->observer, mode);
}

static void leave_mode(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct service *self = info;
    expect_own_thread(loop, "removed a GLib source from");
    RLRunLoopRemoveSource(loop, self->worker, mode);
    RLRunLoopRemoveObserver(loop, self->observer, mode);
    if (--self->modes == 0) self->glib.main_context_release(self->context);
}

/* Called when the client's source is released. The helpers hold references to the service. */
static void release_all(const void *info)
{
    struct service *self = (struct service *)(uintptr_t)info;
    RLRunLoopObserverInvalidate(self->observer);
    RLRunLoopSourceInvalidate(self->worker);
    RLRelease(self->observer);
    RLRelease(self->worker);
    release_service(self);
}

static RLStringRef describe_service(const void *info)
{
    const struct service *self = info;
    return RLStringCreateWithFormat(kRLAllocatorDefault, NULL, RLSTR("GLib context %p"),
                                    (void *)self->context);
}

static RLRunLoopSourceRef make_service_source(struct service *self)
{
    RLRunLoopSourceContext2 worker = {
        .version = 2,
        .info = self,
        .retain = retain_service,
        .release = release_service,
        .copyDescription = describe_service,
        .getDescriptor = get_service_descriptor,
        .perform = make_iteration,
    };
    self->worker = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, (RLRunLoopSourceContext *)&worker);
    RLRunLoopObserverContext observer = {
        .info = self, .retain = retain_service, .release = release_service};
    self->observer = RLRunLoopObserverCreate(
        kRLAllocatorDefault, kRLRunLoopBeforeSources | kRLRunLoopBeforeWaiting | kRLRunLoopExit,
        true, LONG_MAX, observe_loop, &observer);
    RLRunLoopSourceContext client = {
        .info = self,
        .release = release_all,
        .copyDescription = describe_service,
        .schedule = enter_mode,
        .cancel = leave_mode,
    };
    return RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &client);
}

RLRunLoopSourceRef RLGLibSourceCreate(struct _GMainContext *context)
{
    struct rl_glib glib;
    if (!rl_glib_find(&glib, __func__)) return NULL;
    struct service *self = calloc(1, sizeof *self);
    if (!self) {
        rl_hosts_client_error(__func__, "no memory for a GLib source: raise the memory limit of "
                                        "the process, or use less memory");
    }
    if (!rl_poll_mirror_init(&self->mirror)) {
        rl_hosts_warn(__func__,
                      "cannot create descriptors for a GLib context: %s: raise the limit of open "
                      "files; returning NULL",
                      strerror(errno));
        free(self);
        return NULL;
    }
    atomic_init(&self->references, 1);
    self->glib = glib;
    self->context = rl_glib_retain_context(&glib, context);
    grow_service(self, 8);
    return make_service_source(self);
}
