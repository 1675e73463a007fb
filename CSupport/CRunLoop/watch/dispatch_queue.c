/*
 * libdispatch may call write(2), which is a cancellation point, in the middle of a change. So
 * cancellation is disabled around calls of libdispatch.
 *
 * libdispatch guarantees that the submission of a function happens before the call of the function.
 * Redundant atomic operations make this order visible to the thread sanitizer.
 */

#include "base/system.h"

#include "watch/dispatch_queue.h"

#include "base/dispatch.h"
#include "base/fork.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/callout.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rl_queue *rl_queue_create(const char *function, struct dispatch_queue_s *queue, void *owner,
                                 void *counterpart, void (*release_counterpart)(void *counterpart))
{
    rl_expect_dispatch(function);
    struct rl_queue *self = rl_allocate(sizeof *self);
    atomic_init(&self->references, 1);
    dispatch_retain(queue);
    self->queue = queue;
    self->owner = owner;
    self->counterpart = counterpart;
    self->release_counterpart = release_counterpart;
    return self;
}

struct rl_queue *rl_queue_retain(struct rl_queue *queue)
{
    atomic_fetch_add(&queue->references, 1);
    return queue;
}

void rl_queue_release(struct rl_queue *queue)
{
    if (!queue || atomic_fetch_sub(&queue->references, 1) > 1) return;
    dispatch_release(queue->queue);
    if (queue->counterpart) {
        rl_callout_release_variable(queue->release_counterpart, queue->counterpart);
    }
    free(queue);
}

struct dispatch_queue_s *rl_queue_copy(struct rl_queue *queue)
{
    if (!queue) return NULL;
    dispatch_retain(queue->queue);
    return queue->queue;
}

/* Returns 0 if the queue is concurrent, or if libdispatch's layout is unknown. */
static uintptr_t serial_number(const struct dispatch_queue_s *queue)
{
    const struct rl_dispatch_queue_offsets *offsets = &dispatch_queue_offsets;
    uint16_t width;
    uintptr_t number;
    if (!offsets) return 0;
    if (offsets->width[1] != sizeof width || offsets->number[1] != sizeof number) return 0;
    memcpy(&width, (const char *)queue + offsets->width[0], sizeof width);
    memcpy(&number, (const char *)queue + offsets->number[0], sizeof number);
    return width == 1 ? number : 0;
}

uintptr_t RLDispatchGetSerialQueueNumber(void)
{
    return RL_HAS_DISPATCH ? serial_number(dispatch_get_current_queue()) : 0;
}

uintptr_t RLDispatchGetQueueNumber(struct dispatch_queue_s *queue)
{
    return RL_HAS_DISPATCH ? serial_number(queue) : 0;
}

uintptr_t RLDispatchGetMainQueueNumber(void)
{
    return RL_HAS_DISPATCH ? serial_number(&_dispatch_main_q) : 0;
}

void rl_queue_call(struct rl_queue *queue, void (*function)(void *queue))
{
    RLRetain(queue->owner);
    int before = rl_cancellation_disable();
    dispatch_async_f(queue->queue, rl_queue_retain(queue), function);
    rl_cancellation_restore(before);
}

struct rl_queue *rl_queue_called(void *queue)
{
    struct rl_queue *self = queue;
    RL_ASSERT(atomic_load(&self->references) > 0);
    return self;
}

struct rl_queue_source {
    struct dispatch_source_s *source;
    int fd;
    void *owner;
    void (*serve)(void *owner);
    atomic_bool has_begun;
    unsigned fork_number;
};

static void serve_queue(void *context)
{
    struct rl_queue_source *self = context;
    if (atomic_load(&self->has_begun)) self->serve(self->owner);
    /* Shows the thread sanitizer that this call happens before the cancel handler. */
    atomic_store(&self->has_begun, true);
}

static void finish_queue(void *context)
{
    struct rl_queue_source *self = context;
    RL_ASSERT(atomic_load(&self->has_begun));
    rl_kernel_close(&self->fd);
    RLRelease(self->owner);
    free(self);
}

struct rl_queue_source *rl_queue_source_create(int fd, struct rl_queue *queue, void *owner,
                                               void (*serve_owner)(void *owner))
{
    struct rl_queue_source *self = rl_allocate(sizeof *self);
    self->fd = fd;
    self->owner = (void *)(uintptr_t)RLRetain(owner);
    self->serve = serve_owner;
    rl_fork_set_up();
    self->fork_number = rl_fork_number();
    self->source =
        dispatch_source_create(&_dispatch_source_type_read, (uintptr_t)fd, 0, queue->queue);
    dispatch_set_context(self->source, self);
    dispatch_source_set_event_handler_f(self->source, serve_queue);
    dispatch_source_set_cancel_handler_f(self->source, finish_queue);
    return self;
}

void rl_queue_source_begin(struct rl_queue_source *source)
{
    atomic_store(&source->has_begun, true);
    int before = rl_cancellation_disable();
    dispatch_resume(source->source);
    rl_cancellation_restore(before);
}

void rl_queue_source_end(struct rl_queue_source *source)
{
    /*
     * In a forked child, the rest leaks, because cancelling would change an epoll set that the
     * child shares with the parent.
     */
    if (source->fork_number != rl_fork_number()) {
        rl_kernel_close(&source->fd);
        return;
    }
    /* The cancel handler may free `source`, so its fields are read first. */
    struct dispatch_source_s *inner = source->source;
    bool had_begun = atomic_exchange(&source->has_begun, true);
    int before = rl_cancellation_disable();
    dispatch_source_cancel(inner);
    /* libdispatch calls no cancel handler of a suspended source, so the source is resumed. */
    if (!had_begun) dispatch_resume(inner);
    dispatch_release(inner);
    rl_cancellation_restore(before);
}

void rl_queue_source_leave_to_parent(struct rl_queue_source *source, int inert)
{
    if (inert >= 0) dup3(inert, source->fd, O_CLOEXEC);
}
