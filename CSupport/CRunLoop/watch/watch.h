/*
 * A watch is the part of an object that owns a descriptor: the events that the object wants, and
 * the source by which loops wait for them.
 *
 * The events are one-shot: after an event was delivered, the watch waits for it only when the owner
 * wants it again. So a nested run does not deliver an event whose callback is running, and only one
 * of several loops delivers it. The registration with the kernel is updated after the callback, so
 * an event that is wanted again in each callback costs no system call.
 *
 * The watch's lock is an innermost lock, taken with a loop and an item locked. It also guards the
 * rest of the object.
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
     * Called on a loop's thread without a lock. `events` are the wanted events that have occurred,
     * and possibly a hang-up, an error, and RL_WATCH_IS_FRESH.
     */
    void (*happened)(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
    /* If false, the loop polls blocking descriptors again, to detect spurious events. */
    bool checks_events;
    /*
     * Called without a lock when the source has entered its first mode, has entered another mode,
     * or has left its last mode. May be null.
     */
    void (*scheduled)(struct rl_watch *watch);
    void (*joined)(struct rl_watch *watch);
    void (*unscheduled)(struct rl_watch *watch);
};

/*
 * A flag in `events`: the loop has polled the descriptor since the events were wanted, so an object
 * need not poll before it transfers bytes.
 */
#define RL_WATCH_IS_FRESH ((RLRunLoopDescriptorEvents)1 << 16)

struct rl_watch {
    const struct rl_watch_class *class;
    /* The object that contains the watch. The source retains the owner. */
    struct rl_object *owner;
    struct rl_lock lock;
    /* The descriptor; -1 when the watch has ended. Changes with the lock held. */
    atomic_int fd;
    /* Wanted in all loops, only reading and writing. The loop that detects an event claims it. */
    RLRunLoopDescriptorEvents wanted;
    /* The last fetch before events were wanted or claimed. Its events may be stale. */
    uint64_t changed_at;
    /*
     * The events that are registered with the kernel, by the source's slots or in the poll set. A
     * claimed event stays registered, so wanting it again costs no system call.
     */
    RLRunLoopDescriptorEvents registered;
    /* The epoll set that a queue uses instead of the source, or -1. */
    int poll_set;
    /* The socket has a lasting error, so it is edge-triggered in the poll set. */
    bool is_paced;
    unsigned fork_number;
    struct rl_weak_source source;
    /* The order of the source. A source that replaces a released source gets the same order. */
    RLIndex order;
    bool has_order;
    unsigned modes;
    /*
     * Counts the threads that use the descriptor in a system call. Changes without the lock. The
     * thread that ends the watch sleeps on this futex.
     */
    atomic_uint users;
    /* The number of waiting threads, and the event counter that interrupts them, or -1. */
    unsigned waiters;
    int interrupt;
};

void rl_watch_init(struct rl_watch *watch, const struct rl_watch_class *class,
                   struct rl_object *owner, int fd);

static inline int rl_watch_descriptor(const struct rl_watch *watch)
{
    return atomic_load(&watch->fd);
}

/* Appends `<TYPE ADDRESS [ALLOCATOR]>{` and the state. */
void rl_watch_describe(struct rl_watch *watch, struct rl_text *text, const char *type);

/* Returns a valid source, retained, which may be new. Returns null if the watch has ended. */
RLRunLoopSourceRef rl_watch_copy_source(struct rl_watch *watch, RLIndex order);

/* Returns the source, retained, or null if there is none. */
struct rl_source *rl_watch_hold_source(struct rl_watch *watch);

/* Uses the caller's epoll set, or none if -1, instead of the source, which must be in no loop. */
void rl_watch_use_poll_set(struct rl_watch *watch, int poll_set);

/* Call this without a lock. */
void rl_watch_serve_poll_set(struct rl_watch *watch);

/* Removes the source from all loops. */
void rl_watch_drop_source(struct rl_watch *watch);

/* For a call in `happened`, with the lock held. The registration is updated afterwards. */
void rl_watch_want_again(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/* Call these without a lock. */
void rl_watch_want(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
void rl_watch_want_no_more(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/*
 * Interrupts the waits of threads, and waits until no thread uses the descriptor. Then removes the
 * source from all loops, and wakes the loops. Returns the descriptor, which the caller may close,
 * or -1 if the watch had ended before.
 */
int rl_watch_end(struct rl_watch *watch);

static inline void rl_watch_end_use(struct rl_watch *watch)
{
    bool is_last = atomic_fetch_sub(&watch->users, 1) == 1;
    if (is_last && rl_watch_descriptor(watch) < 0) rl_kernel_futex_wake_all(&watch->users);
}

/*
 * Returns -EBADF if the watch has ended. Use the descriptor only for a few nonblocking calls: the
 * descriptor is not closed before rl_watch_end_use. Do not call client code in between, because
 * client code may end the watch.
 *
 * This function increments `users` before it reads the descriptor. The end of the watch clears the
 * descriptor before it reads `users`. So at least one of the two threads sees the other's write.
 */
static inline int rl_watch_begin_use(struct rl_watch *watch)
{
    atomic_fetch_add(&watch->users, 1);
    int fd = rl_watch_descriptor(watch);
    if (fd < 0) rl_watch_end_use(watch);
    return fd < 0 ? -EBADF : fd;
}

/* Blocks until the descriptor is ready: -ETIMEDOUT at the deadline, -EBADF if the watch ends. */
int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns);

/* Blocks for at most two milliseconds, to wait for a change that no event reports. */
int rl_watch_pause(struct rl_watch *watch, int64_t deadline_ns);

#endif
