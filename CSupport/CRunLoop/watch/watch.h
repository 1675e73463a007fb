/*
 * A watch is the part of an object that owns a descriptor. It has the events that the object wants,
 * and the source by which loops wait for them.
 *
 * The events are one-shot: a delivered event is no longer wanted until the owner wants it again. So
 * a client gets an event once, a nested run does not deliver an event whose callback is running,
 * and only one of several loops delivers it. The registration with the kernel is updated after the
 * callback, if it has changed. So an event that is wanted again in each callback costs no system
 * call.
 *
 * The watch's lock is an innermost lock: it may be taken with a loop and an item locked. It also
 * guards the rest of the object that contains the watch.
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
     * Called on a loop's thread without a lock. `events` are the wanted events that have occurred.
     * They may also contain a hang-up, an error, and RL_WATCH_IS_FRESH.
     */
    void (*happened)(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
    /*
     * The object detects spurious events itself. If this is false, the loop polls blocking
     * descriptors again.
     */
    bool checks_events;
    /*
     * Called without a lock when the source has entered its first mode, entered another mode, or
     * left its last mode. Each may be null.
     */
    void (*scheduled)(struct rl_watch *watch);
    void (*joined)(struct rl_watch *watch);
    void (*unscheduled)(struct rl_watch *watch);
};

/*
 * A flag in `events`: the loop has polled the descriptor since the events were wanted. So an object
 * that transfers bytes before it wants the event again need not poll.
 */
#define RL_WATCH_IS_FRESH ((RLRunLoopDescriptorEvents)1 << 16)

struct rl_watch {
    const struct rl_watch_class *class;
    /* The object that contains the watch. The source retains this object. */
    struct rl_object *owner;
    struct rl_lock lock;
    /* The descriptor, or -1 when the watch has ended. Changes with the lock held. */
    atomic_int fd;
    /*
     * The wanted events of all loops together, only reading and writing. The first loop that
     * detects an event claims it.
     */
    RLRunLoopDescriptorEvents wanted;
    /*
     * The number of the last fetch (`epoll_wait`) before events were wanted or claimed. Events of
     * this fetch or an earlier fetch, in any loop, may be stale.
     */
    uint64_t changed_at;
    /*
     * The events that are registered with the kernel, by the source's slots or in the poll set. A
     * claimed event stays registered, so that wanting it again costs no system call.
     */
    RLRunLoopDescriptorEvents registered;
    /* The epoll set by which a queue waits for the descriptor instead of the source, or -1. */
    int poll_set;
    /* The descriptor is edge-triggered in the poll set, because its socket has a lasting error. */
    bool is_paced;
    unsigned fork_number;
    struct rl_weak_source source;
    /* The order of the source. A source that replaces a released source gets the same order. */
    RLIndex order;
    bool has_order;
    unsigned modes;
    /*
     * The number of threads that are using the descriptor in a system call. Changes without the
     * lock. Also a futex, on which the thread that ends the watch waits.
     */
    atomic_uint users;
    /*
     * The number of threads that wait for the descriptor, and the event counter that interrupts
     * their waits, or -1.
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

/* Appends `<TYPE ADDRESS [ALLOCATOR]>{` and the state of the watch. */
void rl_watch_describe(struct rl_watch *watch, struct rl_text *text, const char *type);

/*
 * Returns the source, or null if the watch has ended. Creates a source if there is no valid source.
 * The caller releases the source.
 */
RLRunLoopSourceRef rl_watch_copy_source(struct rl_watch *watch, RLIndex order);

/* Returns the source, or null if there is none. The caller releases the source. */
struct rl_source *rl_watch_hold_source(struct rl_watch *watch);

/*
 * Registers the descriptor with an epoll set of the caller, or with none if `poll_set` is -1. The
 * source must not be in a loop while a poll set is used.
 */
void rl_watch_use_poll_set(struct rl_watch *watch, int poll_set);

/* Serves the current events of the poll set. Call this without a lock. */
void rl_watch_serve_poll_set(struct rl_watch *watch);

/* Invalidates the source, which removes it from all loops. */
void rl_watch_drop_source(struct rl_watch *watch);

/*
 * Call this in `happened`, with the lock held. If the registration with the kernel has changed, it
 * is updated after `happened` has returned.
 */
void rl_watch_want_again(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/* Add and remove wanted events. Call these without a lock. */
void rl_watch_want(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
void rl_watch_want_no_more(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/*
 * Ends the watch: interrupts the waits of threads, waits until no thread uses the descriptor, and
 * removes the source from all loops, which wake up. Returns the descriptor, which the caller may
 * close, or -1 if the watch has ended before.
 */
int rl_watch_end(struct rl_watch *watch);

static inline void rl_watch_end_use(struct rl_watch *watch)
{
    bool is_last = atomic_fetch_sub(&watch->users, 1) == 1;
    if (is_last && rl_watch_descriptor(watch) < 0) rl_kernel_futex_wake_all(&watch->users);
}

/*
 * Returns the descriptor, or -EBADF if the watch has ended. Use the descriptor only for a few
 * nonblocking calls: until rl_watch_end_use, the descriptor is not closed. Do not call client code
 * in between, as it may end the watch.
 *
 * This increments `users` before it reads the descriptor. The end of the watch clears the
 * descriptor before it reads `users`. So at least one of the two threads sees the other's write.
 */
static inline int rl_watch_begin_use(struct rl_watch *watch)
{
    atomic_fetch_add(&watch->users, 1);
    int fd = rl_watch_descriptor(watch);
    if (fd < 0) rl_watch_end_use(watch);
    return fd < 0 ? -EBADF : fd;
}

/*
 * Blocks until the descriptor is ready in one direction, and returns 0. Returns -ETIMEDOUT at the
 * deadline, or -EBADF if the watch ends.
 */
int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns);

/*
 * Like rl_watch_wait, but blocks for at most two milliseconds. Use it to wait for a change that no
 * event reports.
 */
int rl_watch_pause(struct rl_watch *watch, int64_t deadline_ns);

#endif
