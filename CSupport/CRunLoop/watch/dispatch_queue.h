/* Serves objects of the engine on a client's dispatch queue instead of a loop. */

#ifndef RL_DISPATCH_QUEUE_H
#define RL_DISPATCH_QUEUE_H

#include "base/object.h"

/* A libdispatch type. The headers of libdispatch may not be in the include path. */
struct dispatch_queue_s;

/* A queue that serves an object. Each client call that sets a queue creates one. */
struct rl_queue {
    atomic_uint references;
    struct dispatch_queue_s *queue;
    /*
     * The wrapping library's object for the queue, and the function that releases it. Both may be
     * null.
     */
    void *counterpart;
    void (*release_counterpart)(void *counterpart);
    /*
     * The object that is served, not retained; a queued call retains it. The object's lock guards
     * `is_signalled`, which is set while a call is queued.
     */
    void *owner;
    bool is_signalled;
};

/*
 * Creates a queue. The caller releases it. Retains the dispatch queue, but not the owner, and takes
 * over the counterpart. `function` is the name of the public function, for the diagnostic of a
 * build without libdispatch.
 */
struct rl_queue *rl_queue_create(const char *function, struct dispatch_queue_s *queue, void *owner,
                                 void *counterpart, void (*release_counterpart)(void *counterpart));
struct rl_queue *rl_queue_retain(struct rl_queue *queue);

/* `queue` may be null. */
void rl_queue_release(struct rl_queue *queue);

/* Returns the client's dispatch queue, retained. `queue` may be null; then returns null. */
struct dispatch_queue_s *rl_queue_copy(struct rl_queue *queue);

/*
 * Calls a function asynchronously on the queue. Retains `queue` and its owner, which the function
 * must release.
 */
void rl_queue_call(struct rl_queue *queue, void (*function)(void *queue));

/* Converts the argument of a function that rl_queue_call has called. */
struct rl_queue *rl_queue_called(void *queue);

/*
 * A source that calls the owner of a descriptor, on a queue, whenever the descriptor is readable.
 */
struct rl_queue_source;

/*
 * Creates a source. Takes over the descriptor, and retains the owner. After the last call, the
 * source closes the descriptor and releases the owner. The source is suspended until
 * rl_queue_source_begin.
 */
struct rl_queue_source *rl_queue_source_create(int fd, struct rl_queue *queue, void *owner,
                                               void (*serve)(void *owner));
void rl_queue_source_begin(struct rl_queue_source *source);

/*
 * Ends a source, which may never have begun. One more call may follow. In a forked child, this only
 * closes the descriptor.
 */
void rl_queue_source_end(struct rl_queue_source *source);

/* In a forked child, where libdispatch does not work: replaces the descriptor with `inert`. */
void rl_queue_source_leave_to_parent(struct rl_queue_source *source, int inert);

#endif
