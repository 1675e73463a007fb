/*
 * Streams: their status, their events, and where clients are called.
 *
 * Events are noted as pending, and a version-0 source, the signal source, delivers them: it is
 * scheduled wherever the stream is. The descriptor's own source delivers its readiness at once.
 */

#include "sockets/stream.h"

#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/mode.h"

#include <CRunLoop/RLStreamSecurity.h>

#include <errno.h>
#include <stdlib.h>

/* The kernel has no error above; those of TLS are. */
enum { RL_GREATEST_ERRNO = 4095 };

static RLOptionFlags ready_event(const struct rl_stream *stream)
{
    return stream->is_writer ? kRLStreamEventCanAcceptBytes : kRLStreamEventHasBytesAvailable;
}

/* What the descriptor has to be ready for, so that bytes can be moved. */
static RLRunLoopDescriptorEvents awaited_events(struct rl_stream *stream)
{
    if (stream->class->awaits) return stream->class->awaits(stream);
    return stream->is_writer ? kRLRunLoopDescriptorWrite : kRLRunLoopDescriptorRead;
}

/* --- Clients --- */

static void drop_client(struct rl_stream_client *client)
{
    if (atomic_fetch_sub(&client->references, 1) == 1) free(client);
}

/*
 * Takes what is pending for a round of callbacks. Returns the client, retained as its info is, or
 * null if there is nothing to tell.
 */
static struct rl_stream_client *begin_stream_round(struct rl_stream *stream,
                                                   RLOptionFlags *ret_events, void **ret_info)
{
    rl_lock(&stream->lock);
    struct rl_stream_client *client = stream->pending ? stream->client : NULL;
    if (client) {
        atomic_fetch_add(&client->references, 1);
        *ret_events = stream->pending;
        *ret_info = rl_client_pin(&client->client);
        stream->pending = 0;
    }
    rl_unlock(&stream->lock);
    if (client) *ret_info = rl_client_retain_pinned(&client->client, *ret_info);
    return client;
}

static bool is_still_told(struct rl_stream *stream, const struct rl_stream_client *client)
{
    rl_lock(&stream->lock);
    bool result = stream->client == client && stream->status != kRLStreamStatusClosed;
    rl_unlock(&stream->lock);
    return result;
}

/*
 * Delivers the pending events to the client, lowest bits first. Events that occur meanwhile wait
 * for the next round.
 */
static void tell_client(struct rl_stream *stream)
{
    RLOptionFlags events = 0;
    void *info = NULL;
    struct rl_stream_client *client = begin_stream_round(stream, &events, &info);
    if (!client) return;
    for (RLOptionFlags event = 1; event <= events; event <<= 1) {
        if (!(events & event) || !is_still_told(stream, client)) continue;
        if (client->read_callout) {
            rl_callout_read_stream(client->read_callout, rl_read_stream_ref(stream), event, info);
        } else {
            rl_callout_write_stream(client->write_callout, rl_write_stream_ref(stream), event,
                                    info);
        }
    }
    rl_client_release_retained(&client->client, info);
    drop_client(client);
}

/* --- The signal source --- */

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
    tell_client(info);
}

static struct rl_source *make_signal_source(void *stream)
{
    RLRunLoopSourceContext context = {.info = stream,
                                      .retain = retain_stream,
                                      .release = release_stream,
                                      .perform = perform_stream};
    return (struct rl_source *)(void *)RLRunLoopSourceCreate(NULL, 0, &context);
}

/*
 * Returns the signal source, which the caller owns, and makes it if there is none; null for a
 * closed stream.
 */
static struct rl_source *copy_signal_source(struct rl_stream *stream)
{
    struct rl_source *signal_source = NULL;
    rl_lock(&stream->lock);
    if (stream->status != kRLStreamStatusClosed) {
        signal_source =
            rl_weak_source_hold_or_make(&stream->signal_source, make_signal_source, stream);
    }
    rl_unlock(&stream->lock);
    return signal_source;
}

static void wake_loop(struct rl_membership *member)
{
    if (!rl_mode_is_common_list(member->mode)) rl_loop_wake_up(member->mode->loop);
}

/* --- Queues --- */

static void signal_events(struct rl_stream *stream);

/*
 * Delivers events on a queue: one round at a time, even if the queue is concurrent, and none if the
 * stream has another queue by now.
 */
static void tell_on_queue(void *context)
{
    struct rl_queue *queue = rl_queue_called(context);
    struct rl_stream *stream = queue->owner;
    rl_lock(&stream->lock);
    bool is_current = stream->queue == queue;
    rl_unlock(&stream->lock);
    if (is_current) tell_client(stream);

    rl_lock(&stream->lock);
    queue->is_signalled = false;
    bool comes_again = stream->queue == queue && stream->pending != 0;
    rl_unlock(&stream->lock);
    if (comes_again) signal_events(stream);
    rl_queue_release(queue);
    RLRelease(stream);
}

/* Returns whether the stream has a queue, which then delivers the events. */
static bool signal_queue(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct rl_queue *queue = stream->queue;
    bool is_due = queue && stream->pending != 0 && !queue->is_signalled;
    if (is_due) queue->is_signalled = true;
    if (is_due) rl_queue_call(queue, tell_on_queue);
    rl_unlock(&stream->lock);
    return queue;
}

/* Has pending events delivered where the stream is scheduled. */
static void signal_events(struct rl_stream *stream)
{
    if (signal_queue(stream)) return;
    struct rl_source *signal_source = rl_weak_source_hold(&stream->signal_source, &stream->lock);
    if (!signal_source) return;
    RLRunLoopSourceSignal((RLRunLoopSourceRef)(void *)signal_source);
    rl_item_for_each_membership(&signal_source->item, wake_loop);
    RLRelease(signal_source);
}

static void signal_if_pending(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_pending = stream->pending != 0;
    rl_unlock(&stream->lock);
    if (is_pending) signal_events(stream);
}

/* --- What happens --- */

/*
 * Notes those of the events that the client wants as pending. Returns whether there are any. Stream
 * locked.
 */
static bool note_events(struct rl_stream *stream, RLOptionFlags events)
{
    RLOptionFlags wanted = stream->client ? events & stream->client->events : 0;
    stream->pending |= wanted;
    return wanted != 0;
}

static void note_and_signal(struct rl_stream *stream, RLOptionFlags events)
{
    rl_lock(&stream->lock);
    bool is_told = note_events(stream, events);
    rl_unlock(&stream->lock);
    if (is_told) signal_events(stream);
}

static void fail_stream(struct rl_stream *stream, int error)
{
    rl_lock(&stream->lock);
    bool is_new = stream->status != kRLStreamStatusClosed && stream->status != kRLStreamStatusError;
    if (is_new) {
        stream->status = kRLStreamStatusError;
        stream->error = error;
    }
    rl_unlock(&stream->lock);
    if (is_new) note_and_signal(stream, kRLStreamEventErrorOccurred);
}

static void reach_end(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_new = stream->status == kRLStreamStatusOpen;
    if (is_new) stream->status = kRLStreamStatusAtEnd;
    rl_unlock(&stream->lock);
    if (is_new) note_and_signal(stream, kRLStreamEventEndEncountered);
}

static RLStreamStatus status_of(const struct rl_stream *stream)
{
    return atomic_load_explicit(&stream->status, memory_order_acquire);
}

/*
 * Notes that the stream is ready, unless the client knows. Returns whether to tell the client.
 * Stream locked.
 */
static bool announce_readiness(struct rl_stream *stream)
{
    if (stream->is_announced) return false;
    stream->is_announced = note_events(stream, ready_event(stream));
    return stream->is_announced;
}

/*
 * Looks whether a stream without a descriptor is ready. If it is not, its other end says when it
 * is.
 */
static void look_for_readiness(struct rl_stream *stream)
{
    if (!stream->is_writer && stream->class->find_end(stream) > 0) {
        reach_end(stream);
        return;
    }
    if (!stream->class->is_ready(stream)) return;
    rl_lock(&stream->lock);
    bool is_told = stream->status == kRLStreamStatusOpen && announce_readiness(stream);
    rl_unlock(&stream->lock);
    if (is_told) signal_events(stream);
}

/* Returns whether the stream can do what the descriptor is ready for, without another look. */
static bool is_surely_ready(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    bool is_over = events & (kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError);
    return (events & RL_WATCH_IS_FRESH) && !is_over && stream->class->is_plain(stream);
}

/*
 * Looks what an open stream with a descriptor can do, and writes it down. Returns whether it can do
 * anything. The client would wait in its call for what is over.
 */
static bool look_at_open(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    bool is_sure = is_surely_ready(stream, events);
    if (!is_sure && !stream->class->is_ready(stream)) return false;
    int end = is_sure ? 0 : stream->class->find_end(stream);
    if (end < 0) {
        fail_stream(stream, -end);
    } else if (end > 0) {
        reach_end(stream);
    } else {
        rl_lock(&stream->lock);
        (void)announce_readiness(stream);
        rl_unlock(&stream->lock);
    }
    return true;
}

/*
 * Watches the descriptor of an open stream if the client wants to know that it is ready, and does
 * not yet.
 */
static void watch_for_readiness(struct rl_stream *stream)
{
    RLOptionFlags seen_by_waiting =
        ready_event(stream) | kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered;
    rl_lock(&stream->lock);
    bool is_wanted = stream->status == kRLStreamStatusOpen && stream->client &&
                     (stream->client->events & seen_by_waiting);
    bool is_announced = stream->is_announced;
    rl_unlock(&stream->lock);
    if (!is_wanted) return;
    /* There nearly always is room to write, and to ask is less than to have the kernel tell. */
    bool is_to_be_looked_at =
        (stream->is_writer && !is_announced) ||
        (stream->class->is_to_be_looked_at && stream->class->is_to_be_looked_at(stream));
    if (is_to_be_looked_at && look_at_open(stream, 0)) {
        signal_if_pending(stream);
    } else if (!is_announced) {
        rl_watch_want(&stream->watch, awaited_events(stream));
    }
}

static void watch_for_opening(struct rl_stream *stream)
{
    bool is_preparing = stream->class->is_preparing && stream->class->is_preparing(stream);
    if (!is_preparing) rl_watch_want(&stream->watch, kRLRunLoopDescriptorWrite);
}

/* Prepares the next event of the client: that the stream is open, or that it is ready. */
static void await_readiness(struct rl_stream *stream)
{
    RLStreamStatus status = status_of(stream);
    if (status == kRLStreamStatusOpen && !stream->is_watched) look_for_readiness(stream);
    if (status == kRLStreamStatusOpen && stream->is_watched) watch_for_readiness(stream);
    if (status == kRLStreamStatusOpening && stream->is_watched) watch_for_opening(stream);
}

void rl_stream_look(struct rl_stream *stream)
{
    await_readiness(stream);
}

void rl_stream_become_ready_anew(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_open = stream->status == kRLStreamStatusOpen;
    stream->is_announced = false;
    stream->pending &= ~ready_event(stream);
    rl_unlock(&stream->lock);
    rl_stream_set_alarm(stream);
    /* Room is there in a moment, unlike bytes, and then somebody looks. */
    if (is_open) rl_watch_want(&stream->watch, kRLRunLoopDescriptorWrite);
}

/* Goes on from the result of opening, which may have ended or be under way. */
static void take_opening(struct rl_stream *stream, int result)
{
    rl_lock(&stream->lock);
    bool is_opened = result == 0 && stream->status <= kRLStreamStatusOpening;
    if (is_opened) stream->status = kRLStreamStatusOpen;
    if (is_opened) note_events(stream, kRLStreamEventOpenCompleted);
    rl_unlock(&stream->lock);
    rl_stream_set_alarm(stream);
    if (result < 0 && result != -EINPROGRESS) {
        fail_stream(stream, -result);
        return;
    }
    await_readiness(stream);
    if (is_opened) signal_events(stream);
}

/*
 * Goes on opening, and waits until it has ended if so asked. A kind that opens in one call has
 * nothing to go on with: another thread is in that call.
 */
static void continue_opening(struct rl_stream *stream, bool waits)
{
    if (status_of(stream) != kRLStreamStatusOpening || !stream->class->continue_opening) return;
    take_opening(stream, stream->class->continue_opening(stream, waits));
}

void rl_stream_proceed(struct rl_stream *stream)
{
    continue_opening(stream, false);
}

/* Called by the watch when the descriptor is ready. */
static void see_ready(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    struct rl_stream *stream = (struct rl_stream *)watch->owner;
    RLStreamStatus status = status_of(stream);
    if (status == kRLStreamStatusOpening) {
        continue_opening(stream, false);
    } else if (status == kRLStreamStatusOpen && !look_at_open(stream, events)) {
        rl_watch_want(watch, awaited_events(stream));
    }
    if (!signal_queue(stream)) tell_client(stream);
}

static const struct rl_watch_class watch_class = {.happened = see_ready, .checks_events = true};

/* --- Making and ending --- */

struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport)
{
    enum rl_type type = is_writer ? RL_TYPE_WRITE_STREAM : RL_TYPE_READ_STREAM;
    struct rl_stream *stream = rl_object_create(type, sizeof *stream);
    stream->class = class;
    stream->transport = transport;
    stream->is_writer = is_writer;
    stream->is_watched = fd >= 0;
    rl_watch_init(&stream->watch, &watch_class, &stream->object, fd);
    return stream;
}

bool rl_stream_open(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_first = stream->status == kRLStreamStatusNotOpen;
    if (is_first) stream->status = kRLStreamStatusOpening;
    rl_unlock(&stream->lock);
    if (!is_first) return false;
    int result = stream->class->open(stream);
    take_opening(stream, result);
    /* Opening may have failed on another thread by now, which the client is told by an event. */
    return result == 0 || result == -EINPROGRESS;
}

void rl_stream_close(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_new = stream->status != kRLStreamStatusClosed;
    struct rl_queue_source *queue_source = stream->queue_source;
    stream->queue_source = NULL;
    stream->status = kRLStreamStatusClosed;
    stream->pending = 0;
    rl_unlock(&stream->lock);
    if (!is_new) return;
    rl_stream_end_alarm(stream);
    rl_weak_source_drop(&stream->signal_source, &stream->lock);
    (void)rl_watch_end(&stream->watch);
    stream->class->close(stream);
    if (queue_source) rl_queue_source_end(queue_source);
}

void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client)
{
    rl_lock(&stream->lock);
    struct rl_stream_client *old = stream->client;
    stream->client = client;
    stream->pending &= client ? client->events : 0;
    /* A new client does not know that the stream is ready. */
    stream->is_announced = stream->pending & ready_event(stream);
    rl_unlock(&stream->lock);
    if (old) {
        rl_client_end(&old->client, &stream->lock);
        drop_client(old);
    }
    if (client) await_readiness(stream);
}

struct rl_stream_client *rl_stream_client_create(RLOptionFlags events, RLOptionFlags foreign,
                                                 const RLStreamClientContext *context)
{
    struct rl_stream_client *client = rl_allocate(sizeof *client);
    atomic_init(&client->references, 1);
    client->events = events & ~foreign;
    if (!context) return client;
    RLFileDescriptorContext parts = {0, context->info, context->retain, context->release,
                                     context->copyDescription};
    rl_client_begin_variable(&client->client, &parts);
    return client;
}

static void destroy_stream(struct rl_object *object)
{
    struct rl_stream *stream = (struct rl_stream *)object;
    rl_stream_close(stream);
    rl_stream_set_client(stream, NULL);
    rl_queue_release(stream->queue);
    stream->class->destroy(stream);
    rl_object_free(object);
}

/* --- Scheduling --- */

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode)
{
    rl_lock(&stream->lock);
    bool has_queue = stream->queue;
    rl_unlock(&stream->lock);
    struct rl_source *signal_source = has_queue ? NULL : copy_signal_source(stream);
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
    await_readiness(stream);
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
    rl_stream_set_alarm(stream);
}

static void serve_stream_on_queue(void *owner)
{
    rl_watch_serve_poll_set(&((struct rl_stream *)owner)->watch);
}

/* Makes what serves the stream's descriptor on a queue; null for a stream without a descriptor. */
static struct rl_queue_source *make_stream_queue_source(struct rl_stream *stream,
                                                        struct rl_queue *queue, int *ret_poll_set)
{
    *ret_poll_set = queue && stream->is_watched ? rl_kernel_make_poll_set() : -1;
    if (*ret_poll_set < 0) return NULL;
    return rl_queue_source_create(*ret_poll_set, queue, stream, serve_stream_on_queue);
}

void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue)
{
    int poll_set;
    struct rl_queue_source *source = make_stream_queue_source(stream, queue, &poll_set);
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
    if (!queue) return;
    /* Without a descriptor for the queue's source, no event would ever come. */
    if (stream->is_watched && !source) fail_stream(stream, EMFILE);
    await_readiness(stream);
    signal_events(stream);
}

struct dispatch_queue_s *rl_stream_copy_queue(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    struct dispatch_queue_s *queue = rl_queue_copy(stream->queue);
    rl_unlock(&stream->lock);
    return queue;
}

/* --- Bytes --- */

/* Waits for a stream that is opening. Returns whether it is open or at its end. */
static bool is_stream_usable(struct rl_stream *stream)
{
    continue_opening(stream, true);
    RLStreamStatus status = status_of(stream);
    return status == kRLStreamStatusOpen || status == kRLStreamStatusAtEnd;
}

/* After bytes were moved, the client is told again if the stream still is ready. */
static void go_on_after(struct rl_stream *stream, ssize_t moved)
{
    rl_lock(&stream->lock);
    stream->is_announced = false;
    stream->pending &= ~ready_event(stream);
    rl_unlock(&stream->lock);
    if (moved == 0) reach_end(stream);
    await_readiness(stream);
}

RLIndex rl_stream_transfer(struct rl_stream *stream, UInt8 *bytes, RLIndex length)
{
    if (!is_stream_usable(stream)) return -1;
    if (length <= 0 || status_of(stream) == kRLStreamStatusAtEnd) return 0;
    ssize_t moved = stream->class->transfer(stream, bytes, (size_t)length);
    if (moved < 0) {
        fail_stream(stream, (int)-moved);
        return -1;
    }
    go_on_after(stream, moved);
    return moved;
}

const UInt8 *rl_stream_borrow(struct rl_stream *stream, RLIndex most, RLIndex *ret_length)
{
    *ret_length = -1;
    if (!is_stream_usable(stream)) return NULL;
    *ret_length = 0;
    if (!stream->class->borrow || status_of(stream) == kRLStreamStatusAtEnd) return NULL;
    size_t length = 0;
    const UInt8 *bytes = stream->class->borrow(stream, most > 0 ? (size_t)most : SIZE_MAX, &length);
    *ret_length = (RLIndex)length;
    if (bytes) go_on_after(stream, (ssize_t)length);
    return bytes;
}

bool rl_stream_is_ready(struct rl_stream *stream)
{
    return status_of(stream) == kRLStreamStatusOpen && stream->class->is_ready(stream);
}

RLStreamStatus rl_stream_get_status(struct rl_stream *stream)
{
    rl_stream_proceed(stream);
    return status_of(stream);
}

RLStreamError rl_stream_get_error(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    int error = stream->error;
    rl_unlock(&stream->lock);
    if (error > RL_GREATEST_ERRNO) return (RLStreamError){kRLStreamErrorDomainSSL, -error};
    return (RLStreamError){error ? kRLStreamErrorDomainPOSIX : 0, error};
}

/* --- Types --- */

static RLStringRef describe_stream(RLTypeRef object)
{
    struct rl_stream *stream = (struct rl_stream *)(uintptr_t)object;
    const char *type = stream->is_writer ? "RLWriteStream" : "RLReadStream";
    struct rl_text text = {0};
    rl_watch_describe(&stream->watch, &text, type);
    rl_lock(&stream->lock);
    rl_text_add(&text, ", status = %ld, error = %d, events = 0x%lx, pending = 0x%lx}",
                (long)stream->status, stream->error, stream->client ? stream->client->events : 0,
                stream->pending);
    rl_unlock(&stream->lock);
    return rl_text_finish(&text);
}

const struct rl_class rl_read_stream_class = {
    .name = "RLReadStream",
    .destroy = destroy_stream,
    .copy_description = describe_stream,
};

const struct rl_class rl_write_stream_class = {
    .name = "RLWriteStream",
    .destroy = destroy_stream,
    .copy_description = describe_stream,
};
