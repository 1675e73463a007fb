/*
 * Serving objects of ours on a client's dispatch queue in place of a loop.
 */

#ifndef RL_DISPATCH_QUEUE_H
#define RL_DISPATCH_QUEUE_H

#include "base/object.h"

/* libdispatch's, whose headers are not on every include path. */
struct dispatch_queue_s;

/* A queue that serves an object. One of these is made each time that a client sets a queue. */
struct rl_queue {
    atomic_uint references;
    struct dispatch_queue_s *queue;
    /* The counterpart of a wrapping library for the queue, and its release; or null. */
    void *counterpart;
    void (*release_counterpart)(void *counterpart);
    /*
     * The object that is served, which a call retains; and, under that object's lock, whether a
     * call is on its way.
     */
    void *owner;
    bool is_signalled;
};

/*
 * Returns a queue that the caller owns. Retains the dispatch queue, not the owner, and takes over
 * the counterpart. `function` names the public function that was called with the queue, for the
 * message of an engine without libdispatch.
 */
struct rl_queue *rl_queue_create(const char *function, struct dispatch_queue_s *queue, void *owner,
                                 void *counterpart, void (*release_counterpart)(void *counterpart));
struct rl_queue *rl_queue_retain(struct rl_queue *queue);

/* Gives up a reference; null is ignored. */
void rl_queue_release(struct rl_queue *queue);

/* Returns the client's queue, retained, or null for null. */
struct dispatch_queue_s *rl_queue_copy(struct rl_queue *queue);

/*
 * Has a function called on the queue, soon. It gets a reference to `queue`, and one to its owner.
 */
void rl_queue_call(struct rl_queue *queue, void (*function)(void *queue));

/* Returns the queue that a function is called with. */
struct rl_queue *rl_queue_called(void *queue);

/* Has a descriptor's owner served on a queue whenever the descriptor can be read. */
struct rl_queue_source;

/*
 * Takes over the descriptor and retains the owner. When no call can come any more, the descriptor
 * is closed and the owner released. The source sleeps until it is begun.
 */
struct rl_queue_source *rl_queue_source_create(int fd, struct rl_queue *queue, void *owner,
                                               void (*serve)(void *owner));
void rl_queue_source_begin(struct rl_queue_source *source);

/*
 * Ends a source, begun or not. A call may still be on its way. In a forked child the source is only
 * forgotten.
 */
void rl_queue_source_end(struct rl_queue_source *source);

/* In a forked child, where libdispatch is dead: puts `inert` in the descriptor's place. */
void rl_queue_source_leave_to_parent(struct rl_queue_source *source, int inert);

#endif
