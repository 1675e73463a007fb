/*
 * What ends streams that take too long to become usable.
 *
 * In loops it is timers. A queue has none that could be taken back, so there it is a descriptor of
 * the kernel's, for as long as the stream is not usable.
 */

#include "sockets/stream.h"

#include "base/clock.h"
#include "base/kernel.h"

#include <math.h>

static void see_alarm(void *owner)
{
    struct rl_stream *stream = owner;
    stream->class->give_up(stream);
    /* There may be more time by now. */
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

/* Sets the alarm of the stream's queue, or none. */
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

void rl_stream_end_alarm(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct rl_queue_source *queue_alarm = stream->queue_alarm;
    stream->queue_alarm = NULL;
    rl_unlock(&stream->lock);
    rl_alarm_end(&stream->alarm, &stream->lock);
    if (queue_alarm) rl_queue_source_end(queue_alarm);
}
