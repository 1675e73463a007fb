/* Service of the engine's objects on a client's dispatch queue instead of a loop. */

#ifndef RL_DISPATCH_QUEUE_H
#define RL_DISPATCH_QUEUE_H

#include "base/object.h"

/* A type of libdispatch, whose headers are not on every include path. */
struct dispatch_queue_s;

/* A queue that serves an object. Each call of a client that sets a queue makes one. */
struct rl_queue {
    atomic_uint references;
    struct dispatch_queue_s *queue;
    /* The counterpart of a wrapping library for the queue, and its release; or null. */
    void *counterpart;
    void (*release_counterpart)(void *counterpart);
    /*
     * The served object, which a call retains; and, under that object's lock, whether a call is
     * queued.
     */
    void *owner;
    bool is_signalled;
};

/*
 * Returns a queue that the caller owns. Retains the dispatch queue, not the owner, and takes over
 * the counterpart. `function` names the public function, for the diagnostic of an engine without
 * libdispatch.
 */
struct rl_queue *rl_queue_create(const char *function, struct dispatch_queue_s *queue, void *owner,
                                 void *counterpart, void (*release_counterpart)(void *counterpart));
struct rl_queue *rl_queue_retain(struct rl_queue *queue);

/* Null is ignored. */
void rl_queue_release(struct rl_queue *queue);

/* Returns the client's queue, retained, or null for null. */
struct dispatch_queue_s *rl_queue_copy(struct rl_queue *queue);

/*
 * Calls a function on the queue asynchronously, with a reference to `queue` and one to its owner.
 */
void rl_queue_call(struct rl_queue *queue, void (*function)(void *queue));

/* Converts the argument of such a function. */
struct rl_queue *rl_queue_called(void *queue);

/* Calls the owner of a descriptor on a queue whenever the descriptor is readable. */
struct rl_queue_source;

/*
 * Takes over the descriptor and retains the owner. After the last call, the descriptor is closed
 * and the owner released. The source is suspended until it is begun.
 */
struct rl_queue_source *rl_queue_source_create(int fd, struct rl_queue *queue, void *owner,
                                               void (*serve)(void *owner));
void rl_queue_source_begin(struct rl_queue_source *source);

/*
 * Ends a source, begun or not. One more call may follow. In a forked child this only forgets the
 * source.
 */
void rl_queue_source_end(struct rl_queue_source *source);

/* For a forked child, where libdispatch does not work: replaces the descriptor by `inert`. */
void rl_queue_source_leave_to_parent(struct rl_queue_source *source, int inert);

#endif
