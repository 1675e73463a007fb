#include "watch/watch.h"

#include "base/check.h"
#include "base/fork.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "loop/loop.h"
#include "wait/wait_set.h"

#include <stdio.h>
#include <string.h>

void rl_watch_init(struct rl_watch *watch, const struct rl_watch_class *class,
                   struct rl_object *owner, int fd)
{
    watch->class = class;
    watch->owner = owner;
    atomic_init(&watch->fd, fd);
    watch->poll_set = watch->interrupt = -1;
}

static int descriptor_of_watch(void *info)
{
    return rl_watch_descriptor(info);
}

static RLRunLoopDescriptorEvents events_of_watch(void *info)
{
    struct rl_watch *watch = info;
    rl_lock(&watch->lock);
    RLRunLoopDescriptorEvents events = watch->registered = watch->wanted;
    rl_unlock(&watch->lock);
    return events;
}

static const void *retain_owner(const void *info)
{
    RLRetain(((const struct rl_watch *)info)->owner);
    return info;
}

static void release_owner(const void *info)
{
    struct rl_watch *watch = (struct rl_watch *)(uintptr_t)info;
    rl_weak_source_forget(&watch->source, &watch->lock);
    RLRelease(watch->owner);
}

/*
 * A forked child shares the set with its parent: if the child removed a descriptor, the parent's
 * set would lack it. Call this with the lock held.
 */
static bool has_own_poll_set(const struct rl_watch *watch)
{
    return watch->poll_set >= 0 && watch->fork_number == rl_fork_number();
}

static void warn_of_refused_watch(const struct rl_watch *watch, int error)
{
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    /* Only streams have poll sets, so the owner is a stream. */
    char function[64];
    snprintf(function, sizeof function, "%sSetDispatchQueue",
             rl_type_name(rl_type_of(watch->owner)));
    rl_warn(
        function,
        "cannot add descriptor %d of stream %p to epoll, so its callback is not called: %s: raise "
        "the memory limit or fs.epoll.max_user_watches",
        atomic_load(&watch->fd), (const void *)watch->owner, strerror(-error));
}

/*
 * If the owner wants no event, unregisters the descriptor, because epoll would report hang-ups.
 * Call this with the lock held.
 */
static void update_poll_set(struct rl_watch *watch)
{
    uint32_t interest = 0;
    if (!has_own_poll_set(watch) || watch->fd < 0) return;
    if (watch->wanted & kRLRunLoopDescriptorRead) interest |= RL_KERNEL_READ;
    if (watch->wanted & kRLRunLoopDescriptorWrite) interest |= RL_KERNEL_WRITE;
    if (interest && watch->is_paced) interest |= RL_KERNEL_EDGE;
    watch->registered = watch->wanted;
    rl_kernel_poll_remove(watch->poll_set, watch->fd);
    int result = interest ? rl_kernel_poll_add(watch->poll_set, watch->fd, interest, 0) : 0;
    if (result < 0) warn_of_refused_watch(watch, result);
}

static void update_registration(struct rl_watch *watch)
{
    rl_lock(&watch->lock);
    update_poll_set(watch);
    rl_unlock(&watch->lock);
    struct rl_source *source = rl_watch_hold_source(watch);
    if (!source) return;
    RLRunLoopSourceUpdateEvents((RLRunLoopSourceRef)(void *)source);
    RLRelease(source);
}

/*
 * A lasting error of a socket is not an event for the owner. Returns whether to update the poll
 * set. (In a loop, the wait set handles such errors.) Call this with the lock held.
 */
static bool note_error(struct rl_watch *watch, bool is_error, bool has_claimed)
{
    if (watch->poll_set < 0) return false;
    bool was_paced = watch->is_paced;
    watch->is_paced = is_error;
    return is_error != was_paced || (is_error && has_claimed);
}

/*
 * The event may be stale if another loop, or a nested run of an observer, has wanted or claimed
 * events since the event was reported. Then the descriptor is polled again.
 */
static void serve_watch(void *info, RLRunLoopDescriptorEvents ready, uint64_t fetch)
{
    struct rl_watch *watch = info;
    rl_lock(&watch->lock);
    bool is_fresh = fetch > watch->changed_at;
    if (!is_fresh && watch->wanted) {
        ready = (ready & kRLRunLoopDescriptorHangUp) | rl_socket_poll_now(watch->fd);
    }
    RLRunLoopDescriptorEvents claimed = rl_socket_directions(watch->fd, ready) & watch->wanted;
    if (claimed) watch->changed_at = rl_wait_last_fetch();
    watch->wanted &= ~claimed;
    rl_unlock(&watch->lock);

    bool is_error = ready & kRLRunLoopDescriptorError;
    RLRunLoopDescriptorEvents beside =
        ready & (kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError);
    if (is_fresh) beside |= RL_WATCH_IS_FRESH;
    if (claimed) watch->class->happened(watch, claimed | beside);

    rl_lock(&watch->lock);
    bool is_unwanted = claimed == 0 && !(is_error && watch->wanted);
    bool is_outdated =
        note_error(watch, is_error, claimed) || watch->registered != watch->wanted || is_unwanted;
    rl_unlock(&watch->lock);
    if (is_outdated) update_registration(watch);
}

static void perform_watch(void *info, RLRunLoopDescriptorEvents ready)
{
    serve_watch(info, ready, 0);
}

void rl_watch_use_poll_set(struct rl_watch *watch, int poll_set)
{
    rl_fork_set_up();
    rl_lock(&watch->lock);
    watch->poll_set = poll_set;
    watch->fork_number = rl_fork_number();
    update_poll_set(watch);
    rl_unlock(&watch->lock);
}

void rl_watch_serve_poll_set(struct rl_watch *watch)
{
    struct rl_kernel_event event;
    rl_lock(&watch->lock);
    bool is_served = watch->poll_set >= 0;
    /* Takes the edge-triggered event, so that the set is no longer readable. */
    if (watch->is_paced && has_own_poll_set(watch)) {
        (void)rl_kernel_poll_wait(watch->poll_set, 0, &event, 1);
    }
    rl_unlock(&watch->lock);
    if (is_served) perform_watch(watch, 0);
}

void rl_watch_drop_source(struct rl_watch *watch)
{
    rl_weak_source_drop(&watch->source, &watch->lock);
}

static void watch_entered(void *info, struct rl_loop *loop)
{
    struct rl_watch *watch = info;
    (void)loop;
    rl_lock(&watch->lock);
    bool is_first = watch->modes++ == 0;
    rl_unlock(&watch->lock);
    void (*notify)(struct rl_watch *) = is_first ? watch->class->scheduled : watch->class->joined;
    if (notify) notify(watch);
}

static void watch_left(void *info, struct rl_loop *loop)
{
    struct rl_watch *watch = info;
    rl_lock(&watch->lock);
    bool is_last = --watch->modes == 0;
    bool has_ended = watch->fd < 0;
    rl_unlock(&watch->lock);
    if (is_last && watch->class->unscheduled) watch->class->unscheduled(watch);
    /* The loop may have lost its last source, so it must check whether its mode is empty. */
    if (has_ended) rl_loop_wake_up(loop);
}

static const struct rl_source_owner plain_owner = {
    .entered = watch_entered, .left = watch_left, .serve = serve_watch};
static const struct rl_source_owner checking_owner = {
    .entered = watch_entered, .left = watch_left, .serve = serve_watch, .checks_events = true};

static struct rl_source *make_watch_source(void *object)
{
    struct rl_watch *watch = object;
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = watch,
        .retain = retain_owner,
        .release = release_owner,
        .getDescriptor = descriptor_of_watch,
        .getEvents = events_of_watch,
        .perform = perform_watch,
    };
    const struct rl_source_owner *owner =
        watch->class->checks_events ? &checking_owner : &plain_owner;
    return (struct rl_source *)(void *)rl_source_create_owned(watch->order, &context, owner);
}

RLRunLoopSourceRef rl_watch_copy_source(struct rl_watch *watch, RLIndex order)
{
    struct rl_source *source = NULL;
    rl_lock(&watch->lock);
    if (watch->fd >= 0) {
        const struct rl_source *last = watch->source.source;
        bool is_invalid = last && !atomic_load(&last->item.is_valid);
        if (!watch->has_order || is_invalid) watch->order = order;
        watch->has_order = true;
        source = rl_weak_source_hold_or_make(&watch->source, make_watch_source, watch);
    }
    rl_unlock(&watch->lock);
    return (RLRunLoopSourceRef)(void *)source;
}

struct rl_source *rl_watch_hold_source(struct rl_watch *watch)
{
    return rl_weak_source_hold(&watch->source, &watch->lock);
}

void rl_watch_want_again(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    watch->wanted |= events;
    watch->changed_at = rl_wait_last_fetch();
}

void rl_watch_want(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    rl_lock(&watch->lock);
    rl_watch_want_again(watch, events);
    bool is_outdated = (watch->wanted & ~watch->registered) != 0;
    rl_unlock(&watch->lock);
    if (is_outdated) update_registration(watch);
}

void rl_watch_want_no_more(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    rl_lock(&watch->lock);
    watch->wanted &= ~events;
    bool is_outdated = (watch->registered & ~watch->wanted) != 0;
    rl_unlock(&watch->lock);
    if (is_outdated) update_registration(watch);
}

int rl_watch_end(struct rl_watch *watch)
{
    rl_lock(&watch->lock);
    int fd = watch->fd;
    if (fd >= 0 && has_own_poll_set(watch)) rl_kernel_poll_remove(watch->poll_set, fd);
    watch->poll_set = -1;
    atomic_store(&watch->fd, -1);
    watch->wanted = 0;
    if (watch->interrupt >= 0) rl_kernel_bump(watch->interrupt);
    rl_unlock(&watch->lock);
    if (fd < 0) return fd;
    for (unsigned users; (users = atomic_load(&watch->users)) > 0;) {
        rl_kernel_futex_wait(&watch->users, users);
    }
    rl_watch_drop_source(watch);
    return fd;
}

void rl_watch_describe(struct rl_watch *watch, struct rl_text *text, const char *type)
{
    rl_lock(&watch->lock);
    int fd = watch->fd;
    unsigned modes = watch->modes;
    RLRunLoopDescriptorEvents wanted = watch->wanted;
    const void *source = watch->source.source;
    rl_unlock(&watch->lock);
    rl_text_add(text, "<%s %p [%p]>{valid = %s, descriptor = %d, modes = %u, wanted =%s%s, ", type,
                (const void *)watch->owner, (const void *)kRLAllocatorDefault,
                fd < 0 ? "No" : "Yes", fd, modes, wanted & kRLRunLoopDescriptorRead ? " read" : "",
                wanted & kRLRunLoopDescriptorWrite ? " write" : "");
    rl_text_add(text, "source = %p", source);
}
