/*
 * Schedules streams in loops and on queues, and delivers their events.
 *
 * A stream in a loop has two sources. The watch's source reports the readiness of the descriptor
 * directly. The signal source, a version-0 source, delivers all other events. Timers fail a stream
 * whose opening takes too long.
 *
 * On a dispatch queue, asynchronous calls deliver events, and a queue source serves the watch. A
 * timerfd replaces the timers, because timers of a queue cannot be cancelled.
 */

#include "sockets/stream.h"

#include "base/clock.h"
#include "base/kernel.h"
#include "loop/item_lock.h"

#include <errno.h>
#include <math.h>

/* --- The signal source ------------------------------------------------------------------------ */

static const void *retain_stream(const void *info)
{
    return RLRetain(info);
}

static void release_stream(const void *info)
{
    struct rl_stream *stream = (struct rl_stream *)(uintptr_t)info;
    rl_weak_source_forget(&stream->signal_source, &stream->lock);
    RLRelease(stream);
}

static void perform_stream(void *info)
{
    rl_stream_notify_client(info);
}

static struct rl_source *make_signal_source(void *stream)
{
    RLRunLoopSourceContext context = {.info = stream,
                                      .retain = retain_stream,
                                      .release = release_stream,
                                      .perform = perform_stream};
    return (struct rl_source *)(void *)RLRunLoopSourceCreate(NULL, 0, &context);
}

/* Creates the source if there is none. Returns null if the stream is closed or has a queue. */
static struct rl_source *copy_signal_source(struct rl_stream *stream)
{
    struct rl_source *signal_source = NULL;
    rl_lock(&stream->lock);
    if (stream->status != kRLStreamStatusClosed && !stream->queue) {
        signal_source =
            rl_weak_source_hold_or_make(&stream->signal_source, make_signal_source, stream);
    }
    rl_unlock(&stream->lock);
    return signal_source;
}

/* --- Signals ---------------------------------------------------------------------------------- */

/* Delivers one round at a time, even on a concurrent queue. Ignores a queue that was replaced. */
static void notify_on_queue(void *context)
{
    struct rl_queue *queue = rl_queue_called(context);
    struct rl_stream *stream = queue->owner;
    rl_lock(&stream->lock);
    bool is_current = stream->queue == queue;
    rl_unlock(&stream->lock);
    if (is_current) rl_stream_notify_client(stream);

    rl_lock(&stream->lock);
    queue->is_signalled = false;
    bool comes_again = stream->queue == queue && stream->pending != 0;
    rl_unlock(&stream->lock);
    if (comes_again) rl_stream_signal(stream);
    rl_queue_release(queue);
    RLRelease(stream);
}

/* Returns false if the stream has no queue. */
static bool signal_queue(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct rl_queue *queue = stream->queue;
    bool is_due = queue && stream->pending != 0 && !queue->is_signalled;
    if (is_due) queue->is_signalled = true;
    if (is_due) rl_queue_call(queue, notify_on_queue);
    rl_unlock(&stream->lock);
    return queue;
}

void rl_stream_signal(struct rl_stream *stream)
{
    if (!signal_queue(stream)) rl_weak_source_signal(&stream->signal_source, &stream->lock);
}

/* --- Alarms ----------------------------------------------------------------------------------- */

static void see_alarm(void *owner)
{
    struct rl_stream *stream = owner;
    stream->class->give_up(stream);
    /* The time limit may have been extended, so the alarm is set again. */
    rl_stream_set_alarm(stream);
}

static void timer_fired(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    see_alarm(info);
}

static struct rl_queue_source *make_queue_alarm(struct rl_stream *stream, struct rl_queue *queue,
                                                RLTimeInterval seconds)
{
    int fd = rl_kernel_make_timer();
    if (fd < 0) return NULL;
    int64_t left_ns = rl_clock_ns_of(seconds);
    rl_kernel_set_timer(fd, rl_kernel_monotonic_ns() + (left_ns > 0 ? left_ns : 1));
    return rl_queue_source_create(fd, queue, stream, see_alarm);
}

static void set_queue_alarm(struct rl_stream *stream, RLTimeInterval seconds)
{
    rl_lock(&stream->lock);
    struct rl_queue *queue = stream->queue ? rl_queue_retain(stream->queue) : NULL;
    bool has_alarm = stream->queue_alarm;
    rl_unlock(&stream->lock);
    if (!queue && !has_alarm) return;
    struct rl_queue_source *alarm =
        queue && !isnan(seconds) ? make_queue_alarm(stream, queue, seconds) : NULL;
    rl_lock(&stream->lock);
    bool is_current = stream->queue == queue && stream->status != kRLStreamStatusClosed;
    struct rl_queue_source *outdated = is_current ? stream->queue_alarm : alarm;
    if (is_current) stream->queue_alarm = alarm;
    if (is_current && alarm) rl_queue_source_begin(alarm);
    rl_unlock(&stream->lock);
    if (outdated) rl_queue_source_end(outdated);
    rl_queue_release(queue);
}

void rl_stream_set_alarm(struct rl_stream *stream)
{
    if (!stream->class->time_left) return;
    RLTimeInterval seconds = stream->class->time_left(stream);
    struct rl_source *source = rl_weak_source_hold(&stream->signal_source, &stream->lock);
    if (source && !isnan(seconds)) {
        rl_alarm_set(&stream->alarm, &stream->lock, source, seconds, timer_fired, stream);
    } else {
        rl_alarm_forget(&stream->alarm, &stream->lock);
    }
    if (source) RLRelease(source);
    set_queue_alarm(stream, seconds);
}

/* --- Loops ------------------------------------------------------------------------------------ */

static void signal_if_pending(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_pending = stream->pending != 0;
    rl_unlock(&stream->lock);
    if (is_pending) rl_stream_signal(stream);
}

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct rl_source *signal_source = copy_signal_source(stream);
    if (!signal_source) return;
    atomic_store(&stream->was_scheduled, true);
    RLRunLoopAddSource(loop, (RLRunLoopSourceRef)(void *)signal_source, mode);
    RLRelease(signal_source);
    RLRunLoopSourceRef source = rl_watch_copy_source(&stream->watch, 0);
    if (source) {
        RLRunLoopAddSource(loop, source, mode);
        RLRelease(source);
    }
    rl_stream_set_alarm(stream);
    rl_stream_await(stream, 0);
    signal_if_pending(stream);
}

void rl_stream_unschedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct rl_source *sources[] = {rl_weak_source_hold(&stream->signal_source, &stream->lock),
                                   rl_watch_hold_source(&stream->watch)};
    for (int i = 0; i < 2; i++) {
        if (!sources[i]) continue;
        RLRunLoopRemoveSource(loop, (RLRunLoopSourceRef)(void *)sources[i], mode);
        RLRelease(sources[i]);
    }
    rl_lock(&stream->lock);
    stream->removals++;
    rl_unlock(&stream->lock);
    rl_stream_set_alarm(stream);
    rl_stream_interrupt_client(stream);
}

pid_t rl_stream_foreign_thread(struct rl_stream *stream)
{
    struct rl_source *source = rl_weak_source_hold(&stream->signal_source, &stream->lock);
    if (!source) return 0;
    pid_t thread = rl_item_foreign_thread((struct rl_item *)(void *)source);
    RLRelease(source);
    return thread;
}

/* --- Queues ----------------------------------------------------------------------------------- */

static void serve_stream_on_queue(void *owner)
{
    rl_watch_serve_poll_set(&((struct rl_stream *)owner)->watch);
}

/* Returns null if the stream has no descriptor or the creation fails. */
static struct rl_queue_source *make_queue_source(struct rl_stream *stream, struct rl_queue *queue,
                                                 int *ret_poll_set)
{
    *ret_poll_set = queue && stream->is_watched ? rl_kernel_make_poll_set() : -1;
    if (*ret_poll_set < 0) return NULL;
    return rl_queue_source_create(*ret_poll_set, queue, stream, serve_stream_on_queue);
}

void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue)
{
    int poll_set;
    struct rl_queue_source *source = make_queue_source(stream, queue, &poll_set);
    if (queue) atomic_store(&stream->was_scheduled, true);
    if (queue) rl_weak_source_drop(&stream->signal_source, &stream->lock);
    if (queue) rl_watch_drop_source(&stream->watch);
    rl_lock(&stream->lock);
    struct rl_queue *old = stream->queue;
    struct rl_queue_source *old_source = stream->queue_source;
    bool is_closed = stream->status == kRLStreamStatusClosed;
    stream->queue = queue;
    stream->queue_source = is_closed ? NULL : source;
    if (!is_closed) rl_watch_use_poll_set(&stream->watch, poll_set);
    if (!is_closed && source) rl_queue_source_begin(source);
    rl_unlock(&stream->lock);
    if (is_closed && source) rl_queue_source_end(source);
    if (old_source) rl_queue_source_end(old_source);
    rl_queue_release(old);
    rl_stream_set_alarm(stream);
    if (!queue) {
        rl_stream_interrupt_client(stream);
        return;
    }
    /* Without a queue source, no event would ever occur, so the stream fails. */
    if (stream->is_watched && !source) rl_stream_fail(stream, EMFILE);
    rl_stream_await(stream, 0);
    rl_stream_signal(stream);
}

struct dispatch_queue_s *rl_stream_copy_queue(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct dispatch_queue_s *queue = rl_queue_copy(stream->queue);
    rl_unlock(&stream->lock);
    return queue;
}

/* --- Leaving ---------------------------------------------------------------------------------- */

void rl_stream_leave_loops(struct rl_stream *stream)
{
    rl_weak_source_drop(&stream->signal_source, &stream->lock);
    rl_watch_drop_source(&stream->watch);
    rl_stream_set_queue(stream, NULL);
}

void rl_stream_leave(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct rl_queue_source *queue_source = stream->queue_source;
    struct rl_queue_source *queue_alarm = stream->queue_alarm;
    stream->queue_source = stream->queue_alarm = NULL;
    rl_unlock(&stream->lock);
    rl_alarm_end(&stream->alarm, &stream->lock);
    if (queue_alarm) rl_queue_source_end(queue_alarm);
    rl_weak_source_drop(&stream->signal_source, &stream->lock);
    (void)rl_watch_end(&stream->watch);
    if (queue_source) rl_queue_source_end(queue_source);
}
