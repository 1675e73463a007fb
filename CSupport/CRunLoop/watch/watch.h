/*
 * A watch: the common part of objects that own a descriptor. It has the events that the object
 * wants, and the source through which loops wait for them.
 *
 * Events are wanted one at a time: a delivered event is no longer wanted until the owner wants it
 * again. So clients get it once, a nested run does not deliver an event whose callback still runs,
 * and one loop of several delivers it. The kernel's registration is updated after the callback, if
 * it differs then. So an event that is always wanted again costs no system call.
 *
 * The lock is the innermost one: it is taken with a loop and an item locked. It also guards the
 * rest of the object around the watch.
 */

#ifndef RL_WATCH_H
#define RL_WATCH_H

#include "base/kernel.h"
#include "base/lock.h"
#include "base/object.h"
#include "loop/source.h"
#include "values/text.h"
#include "watch/weak_source.h"

#include <errno.h>

struct rl_watch;

struct rl_watch_class {
    /*
     * On a loop's thread, with no lock held. `events` are the wanted events that have occurred and,
     * in addition, a hang-up, an error and RL_WATCH_IS_FRESH.
     */
    void (*happened)(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
    /*
     * The object detects spurious events itself. Otherwise the loop polls descriptors that block
     * once more.
     */
    bool checks_events;
    /*
     * The source has entered its first mode, entered another mode, or left its last mode. No lock.
     * Or null.
     */
    void (*scheduled)(struct rl_watch *watch);
    void (*joined)(struct rl_watch *watch);
    void (*unscheduled)(struct rl_watch *watch);
};

/*
 * An extra bit in `events`: the loop has polled them since the watch wanted them. An object that
 * transfers bytes and then wants the event again need not poll first.
 */
#define RL_WATCH_IS_FRESH ((RLRunLoopDescriptorEvents)1 << 16)

struct rl_watch {
    const struct rl_watch_class *class;
    /* The object that contains the watch; the source retains it. */
    struct rl_object *owner;
    struct rl_lock lock;
    /* -1 when the watch has ended. Written with the lock held. */
    atomic_int fd;
    /*
     * The wanted events, for all loops together: the first loop that finds an event claims it.
     * Reading and writing only.
     */
    RLRunLoopDescriptorEvents wanted;
    /*
     * The number of the last `epoll_wait` before events were wanted or claimed: events of that call
     * or an earlier one, in any loop, may be over.
     */
    uint64_t changed_at;
    /*
     * The events that are registered with the kernel, by the source's slots or the poll set. A
     * claimed event stays registered, so that wanting it again costs no call.
     */
    RLRunLoopDescriptorEvents registered;
    /* The epoll set for service on a queue instead of the source; or -1. */
    int poll_set;
    /* The poll set is edge-triggered, because of a socket's lasting error. */
    bool is_paced;
    unsigned fork_number;
    struct rl_weak_source source;
    /* The order of the source, also for a source that replaces a released one. */
    RLIndex order;
    bool has_order;
    unsigned modes;
    /*
     * The number of current system calls on the descriptor, counted without the lock. Also a futex
     * for the thread that ends the watch.
     */
    atomic_uint users;
    /*
     * The number of threads that wait for the descriptor; the event counter that ends their waits,
     * or -1.
     */
    unsigned waiters;
    int interrupt;
};

void rl_watch_init(struct rl_watch *watch, const struct rl_watch_class *class,
                   struct rl_object *owner, int fd);

static inline int rl_watch_descriptor(const struct rl_watch *watch)
{
    return atomic_load(&watch->fd);
}

/* Appends `<TYPE ADDRESS [ALLOCATOR]>{` and the watch's state. */
void rl_watch_describe(struct rl_watch *watch, struct rl_text *text, const char *type);

/*
 * Returns the source, or null if the watch has ended. Makes a source if there is no valid one. The
 * caller owns it.
 */
RLRunLoopSourceRef rl_watch_copy_source(struct rl_watch *watch, RLIndex order);

/* Returns the source, which the caller owns, or null. */
struct rl_source *rl_watch_hold_source(struct rl_watch *watch);

/*
 * Makes a poll set of the caller's wait for the descriptor, or none if -1. The source must be in no
 * loop meanwhile.
 */
void rl_watch_use_poll_set(struct rl_watch *watch, int poll_set);

/* Serves the current events of the poll set. No lock held. */
void rl_watch_serve_poll_set(struct rl_watch *watch);

/* Removes the source from all loops for good. */
void rl_watch_drop_source(struct rl_watch *watch);

/*
 * For `happened`, with the lock held. The kernel's registration is updated after `happened` has
 * returned, if it differs.
 */
void rl_watch_want_again(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/* Add and remove wanted events. No lock held. */
void rl_watch_want(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
void rl_watch_want_no_more(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/*
 * Ends the watch: removes the source from all loops, which wake up, ends the waits of threads, and
 * waits until no use is left. Returns the descriptor, which the caller may close, or -1 if the
 * watch had ended before.
 */
int rl_watch_end(struct rl_watch *watch);

static inline void rl_watch_end_use(struct rl_watch *watch)
{
    bool is_last = atomic_fetch_sub(&watch->users, 1) == 1;
    if (is_last && rl_watch_descriptor(watch) < 0) rl_kernel_futex_wake_all(&watch->users);
}

/*
 * Returns the descriptor for a few calls that do not block, or -EBADF if the watch has ended. Until
 * rl_watch_end_use, the number is no other file's. No client code may run meanwhile, as it may end
 * the watch.
 *
 * A use is counted before the descriptor is read, and the end of the watch clears the descriptor
 * before it reads the count: at least one of the two sees the other.
 */
static inline int rl_watch_begin_use(struct rl_watch *watch)
{
    atomic_fetch_add(&watch->users, 1);
    int fd = rl_watch_descriptor(watch);
    if (fd < 0) rl_watch_end_use(watch);
    return fd < 0 ? -EBADF : fd;
}

/*
 * Blocks until the descriptor is ready for one direction. Returns -ETIMEDOUT at the deadline,
 * -EBADF if the watch ends.
 */
int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns);

/*
 * Like rl_watch_wait, but blocks for two milliseconds at most: for changes that no event reports.
 */
int rl_watch_pause(struct rl_watch *watch, int64_t deadline_ns);

#endif
