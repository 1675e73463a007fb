/* Serves objects on a client's dispatch queue instead of a loop. */

#ifndef RL_DISPATCH_QUEUE_H
#define RL_DISPATCH_QUEUE_H

#include "base/object.h"

/* A type of libdispatch, declared here because the include path may lack libdispatch's headers. */
struct dispatch_queue_s;

/* A queue that serves an object. Each call of a client that sets a queue creates an rl_queue. */
struct rl_queue {
    atomic_uint references;
    struct dispatch_queue_s *queue;
    /* The wrapping library's object for the queue, and the function that releases it; or null. */
    void *counterpart;
    void (*release_counterpart)(void *counterpart);
    /* The object. Only a queued call retains it. The object's lock guards `is_signalled`. */
    void *owner;
    bool is_signalled;
};

/*
 * Retains the dispatch queue, but not the owner; takes over the counterpart. `function` is the
 * public function, for the diagnostic of a build without libdispatch.
 */
struct rl_queue *rl_queue_create(const char *function, struct dispatch_queue_s *queue, void *owner,
                                 void *counterpart, void (*release_counterpart)(void *counterpart));
struct rl_queue *rl_queue_retain(struct rl_queue *queue);

/* `queue` may be null. */
void rl_queue_release(struct rl_queue *queue);

/* Returns the dispatch queue, retained, or null if `queue` is null. */
struct dispatch_queue_s *rl_queue_copy(struct rl_queue *queue);

/* Retains `queue` and its owner for the asynchronous call; the function must release both. */
void rl_queue_call(struct rl_queue *queue, void (*function)(void *queue));

/* Converts the argument that rl_queue_call passes to its function. */
struct rl_queue *rl_queue_called(void *queue);

/* A source that calls the owner of a descriptor on a queue while the descriptor is readable. */
struct rl_queue_source;

/*
 * Takes over the descriptor, and retains the owner. After its last call, the source closes the
 * descriptor and releases the owner. The source is suspended until rl_queue_source_begin.
 */
struct rl_queue_source *rl_queue_source_create(int fd, struct rl_queue *queue, void *owner,
                                               void (*serve)(void *owner));
void rl_queue_source_begin(struct rl_queue_source *source);

/* Ends a source, even if it has never begun. One more call may follow, except in a forked child. */
void rl_queue_source_end(struct rl_queue_source *source);

/* For a forked child, in which libdispatch does not work. Replaces the descriptor with `inert`. */
void rl_queue_source_leave_to_parent(struct rl_queue_source *source, int inert);

#endif
