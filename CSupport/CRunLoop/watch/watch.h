/*
 * The common part of objects that own a descriptor: the events that they want, and the source
 * through which loops wait for them.
 *
 * Events are wanted one at a time: an event that is delivered is no longer wanted until the owner
 * wants it again. So clients get it once, a nested run does not deliver an event whose callback
 * still runs, and one loop of several has it. The kernel's registration
 * is updated after the callback, if it differs then. So an event that is wanted again and again
 * costs no system call.
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
     * On a loop's thread, with no lock held. `events` are the wanted ones that have happened and,
     * beside them, a hang-up, an error and RL_WATCH_IS_FRESH.
     */
    void (*happened)(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
    /*
     * The object finds out by itself if an event is over when its turn comes. If not, the loop asks
     * for descriptors that block.
     */
    bool checks_events;
    /*
     * The source has entered its first mode, another one, or left its last one. No lock. Or null.
     */
    void (*scheduled)(struct rl_watch *watch);
    void (*joined)(struct rl_watch *watch);
    void (*unscheduled)(struct rl_watch *watch);
};

/*
 * Beside events: the loop has polled them since the watch wanted them. An object that
 * wants an event again after it has moved the bytes need not ask whether the event still holds.
 */
#define RL_WATCH_IS_FRESH ((RLRunLoopDescriptorEvents)1 << 16)

struct rl_watch {
    const struct rl_watch_class *class;
    /* The object that the watch is a part of; the source holds a reference to it. */
    struct rl_object *owner;
    struct rl_lock lock;
    /* -1 when the watch has ended. Written with the lock held. */
    atomic_int fd;
    /*
     * The events that the owner waits for, in all loops together: the first that finds one claims
     * it. Reading and writing only.
     */
    RLRunLoopDescriptorEvents wanted;
    /*
     * The last `epoll_wait` before events were last wanted or claimed: events of that one or
     * an earlier one, in any loop, may be over.
     */
    uint64_t changed_at;
    /*
     * The events that were last passed on to the kernel, by the source's slots or the poll set. A
     * claimed one stays, so that wanting it again costs no call.
     */
    RLRunLoopDescriptorEvents registered;
    /* The set by which a queue waits, in place of the source; or -1. */
    int poll_set;
    /* The poll set reports changes only: a socket's error lasts. */
    bool is_paced;
    /* The value of rl_fork_number when the poll set was made. */
    unsigned fork_number;
    struct rl_weak_source source;
    /* The order of the source. A source that replaces a released one takes over its order. */
    RLIndex order;
    bool has_order;
    /* The number of modes that the source is in. */
    unsigned modes;
    /*
     * The number of system calls that use the descriptor, counted without the lock. A futex for the
     * thread that ends the watch.
     */
    atomic_uint users;
    /* The number of threads that wait for the descriptor; the event counter that ends that, or -1.
     */
    unsigned waiters;
    int alarm;
};

void rl_watch_init(struct rl_watch *watch, const struct rl_watch_class *class,
                   struct rl_object *owner, int fd);

/* Returns the descriptor, or -1 if the watch has ended. */
static inline int rl_watch_descriptor(const struct rl_watch *watch)
{
    return atomic_load(&watch->fd);
}

/* Appends `<TYPE ADDRESS [ALLOCATOR]>{` and what the watch knows. */
void rl_watch_describe(struct rl_watch *watch, struct rl_text *text, const char *type);

/*
 * Returns the source, or null if the watch has ended. Makes it if there is no valid one. The caller
 * owns it.
 */
RLRunLoopSourceRef rl_watch_copy_source(struct rl_watch *watch, RLIndex order);

/* Returns the source, which the caller owns, or null. */
struct rl_source *rl_watch_hold_source(struct rl_watch *watch);

/*
 * Has a poll set of the caller's wait for the descriptor from now on, or none, for -1. The source
 * must be in no loop meanwhile.
 */
void rl_watch_use_poll_set(struct rl_watch *watch, int poll_set);

/* Serves the events of the poll set that are there. No lock held. */
void rl_watch_serve_poll_set(struct rl_watch *watch);

/* Removes the source from all loops for good. */
void rl_watch_drop_source(struct rl_watch *watch);

/*
 * For `happened`, with the lock held: wants the events again. The kernel's registration is updated
 * when `happened` has returned, if it differs.
 */
void rl_watch_want_again(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/* Changes what is wanted. No lock held. */
void rl_watch_want(struct rl_watch *watch, RLRunLoopDescriptorEvents events);
void rl_watch_want_no_more(struct rl_watch *watch, RLRunLoopDescriptorEvents events);

/*
 * Ends the watch: takes the source out of all loops, which wake up, ends the waits of threads, and
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
 * Returns the descriptor for a call or two that do not block, or -EBADF if the watch has ended.
 * Until the use ends, the number is no other file's. No client code may run meanwhile, as it may
 * end the watch.
 *
 * A use is counted before the descriptor is read, and the end of the watch takes the descriptor
 * away before it reads the count: one of the two sees the other.
 */
static inline int rl_watch_begin_use(struct rl_watch *watch)
{
    atomic_fetch_add(&watch->users, 1);
    int fd = rl_watch_descriptor(watch);
    if (fd < 0) rl_watch_end_use(watch);
    return fd < 0 ? -EBADF : fd;
}

/*
 * Blocks until the descriptor is ready for one direction. Returns -ETIMEDOUT if a moment comes
 * before that, -EBADF if the watch ends.
 */
int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns);

/* Like rl_watch_wait, but blocks only for a little while: for changes that no event announces. */
int rl_watch_pause(struct rl_watch *watch, int64_t deadline_ns);

#endif
