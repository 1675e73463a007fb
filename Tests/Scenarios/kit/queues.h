/*
 * Dispatch queues: the functions of libdispatch that scenarios use, as its headers are not on every
 * include path, and words for them.
 */

#ifndef SCENARIOS_QUEUES_H
#define SCENARIOS_QUEUES_H

#include "words.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)

struct dispatch_queue_s;
struct dispatch_queue_attr_s;
struct dispatch_source_s;
struct dispatch_source_type_s;

extern struct dispatch_queue_s _dispatch_main_q;
extern struct dispatch_queue_attr_s _dispatch_queue_attr_concurrent;
extern struct dispatch_source_type_s _dispatch_source_type_read;
extern int _dispatch_get_main_queue_handle_4CF(void);

extern void dispatch_async(struct dispatch_queue_s *queue, void (^block)(void));
extern void dispatch_sync(struct dispatch_queue_s *queue, void (^block)(void));
extern void dispatch_barrier_sync(struct dispatch_queue_s *queue, void (^block)(void));
extern struct dispatch_queue_s *dispatch_queue_create(const char *label,
                                                      struct dispatch_queue_attr_s *attributes);
extern void dispatch_queue_set_specific(struct dispatch_queue_s *queue, const void *key,
                                        void *context, void (*destructor)(void *));
extern void *dispatch_get_specific(const void *key);
extern struct dispatch_source_s *dispatch_source_create(struct dispatch_source_type_s *type,
                                                        uintptr_t handle, unsigned long mask,
                                                        struct dispatch_queue_s *queue);
extern void dispatch_source_set_event_handler(struct dispatch_source_s *source,
                                              void (^handler)(void));
extern void dispatch_source_set_cancel_handler(struct dispatch_source_s *source,
                                               void (^handler)(void));
extern void dispatch_source_cancel(struct dispatch_source_s *source);
extern void dispatch_resume(struct dispatch_source_s *source);
extern void dispatch_release(void *object);

/** Puts an item on the main queue. */
static inline void enqueue(const char *name, action body)
{
    dispatch_async(&_dispatch_main_q, ^{
        note("%s", name);
        if (body) body();
    });
}

/* The key by which such a queue is known. */
static int queue_key;

/** A queue that knows itself; gone when the scenario returns. */
static inline struct dispatch_queue_s *make_queue(struct dispatch_queue_attr_s *attributes)
{
    struct dispatch_queue_s *queue = dispatch_queue_create("scenario", attributes);

    dispatch_queue_set_specific(queue, &queue_key, &queue_key, NULL);
    at_return(^{ dispatch_release(queue); });
    return queue;
}

/** Whether a queue of make_queue calls. */
static inline bool is_on_queue(void)
{
    return dispatch_get_specific(&queue_key) == &queue_key;
}

/** Waits until a queue has delivered a stream's events: no callback follows. */
static inline void leave_queue(RLReadStreamRef stream, struct dispatch_queue_s *queue)
{
    RLReadStreamSetDispatchQueue(stream, NULL);
    /* Also what runs at the same time as this would. */
    dispatch_barrier_sync(queue, ^{});
}

#endif

#endif
