#include "sockets/stream.h"

#include "base/check.h"
#include "base/swift_counts.h"
#include "sockets/stream_security.h"
#include "sockets/type_numbers.h"
#include "values/value.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLStreamSecurity.h>
#include <CRunLoop/RLStreamWrapping.h>

static struct rl_stream *checked_reader(RLReadStreamRef stream, const char *function)
{
    rl_expect(stream, RL_TYPE_READ_STREAM, function, "stream");
    return (struct rl_stream *)(void *)stream;
}

static struct rl_stream *checked_writer(RLWriteStreamRef stream, const char *function)
{
    rl_expect(stream, RL_TYPE_WRITE_STREAM, function, "stream");
    return (struct rl_stream *)(void *)stream;
}

static struct rl_stream *checked_stream(RLStreamRef stream, const char *function)
{
    if (!stream || RLGetTypeID(stream) != RL_TYPE_WRITE_STREAM) {
        rl_expect(stream, RL_TYPE_READ_STREAM, function, "stream");
    }
    return (struct rl_stream *)(uintptr_t)stream;
}

static RLTypeRef copy_stream_property(struct rl_stream *stream, RLStringRef name,
                                      const char *function)
{
    rl_expect_string(name, function, "propertyName");
    return stream->class->copy_property ? stream->class->copy_property(stream, name) : NULL;
}

static bool set_stream_property(struct rl_stream *stream, RLStringRef property_name,
                                RLTypeRef value, const char *function)
{
    rl_expect_string(property_name, function, "propertyName");
    RLStringRef name = RLStringCreateCopy(NULL, property_name);
    bool is_set = stream->class->set_property && stream->class->set_property(stream, name, value);
    if (!is_set && !stream->is_watched && rl_security_is_property(name)) {
        rl_warn(function,
                "cannot set %s, as the stream has no socket: pass a stream of a network connection",
                rl_string_characters(name));
    }
    RLRelease(name);
    return is_set;
}

/* Retains the stream during the call, because its source may hold the last reference. */
static void close_stream(struct rl_stream *stream)
{
    RLRetain(stream);
    rl_stream_close(stream);
    RLRelease(stream);
}

static void set_dispatch_queue(struct rl_stream *stream, struct dispatch_queue_s *queue,
                               const char *function)
{
    rl_stream_set_queue(stream,
                        queue ? rl_queue_create(function, queue, stream, NULL, NULL) : NULL);
}

RLStreamStatus RLReadStreamGetStatus(RLReadStreamRef stream)
{
    return rl_stream_get_status(checked_reader(stream, __func__));
}

RLStreamStatus RLWriteStreamGetStatus(RLWriteStreamRef stream)
{
    return rl_stream_get_status(checked_writer(stream, __func__));
}

RLStreamStatus RLStreamGetStatus(RLStreamRef stream)
{
    return rl_stream_get_status(checked_stream(stream, __func__));
}

RLStreamError RLReadStreamGetError(RLReadStreamRef stream)
{
    return rl_stream_get_error(checked_reader(stream, __func__));
}

RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream)
{
    return rl_stream_get_error(checked_writer(stream, __func__));
}

RLStreamError RLStreamGetError(RLStreamRef stream)
{
    return rl_stream_get_error(checked_stream(stream, __func__));
}

static RLErrorRef copy_error(struct rl_stream *stream)
{
    RLStreamError error = rl_stream_get_error(stream);
    if (error.domain == 0) return NULL;
    if (error.domain == kRLStreamErrorDomainSSL) return rl_security_create_error(error.error);
    return RLErrorCreate(NULL, kRLErrorDomainPOSIX, error.error, NULL);
}

RLErrorRef RLReadStreamCopyError(RLReadStreamRef stream)
{
    return copy_error(checked_reader(stream, __func__));
}

RLErrorRef RLWriteStreamCopyError(RLWriteStreamRef stream)
{
    return copy_error(checked_writer(stream, __func__));
}

RLErrorRef RLStreamCopyError(RLStreamRef stream)
{
    return copy_error(checked_stream(stream, __func__));
}

Boolean RLReadStreamOpen(RLReadStreamRef stream)
{
    return rl_stream_open(checked_reader(stream, __func__));
}

Boolean RLWriteStreamOpen(RLWriteStreamRef stream)
{
    return rl_stream_open(checked_writer(stream, __func__));
}

Boolean RLStreamOpen(RLStreamRef stream)
{
    return rl_stream_open(checked_stream(stream, __func__));
}

void RLReadStreamClose(RLReadStreamRef stream)
{
    close_stream(checked_reader(stream, __func__));
}

void RLWriteStreamClose(RLWriteStreamRef stream)
{
    close_stream(checked_writer(stream, __func__));
}

void RLStreamClose(RLStreamRef stream)
{
    close_stream(checked_stream(stream, __func__));
}

Boolean RLWriteStreamFinishWriting(RLWriteStreamRef stream)
{
    struct rl_stream *self = checked_writer(stream, __func__);
    RL_HINT(rl_stream_get_status(self) == kRLStreamStatusNotOpen, __func__,
            "stream %p was not opened: call RLWriteStreamOpen() first", (const void *)stream);
    return rl_stream_finish(self);
}

Boolean RLReadStreamHasBytesAvailable(RLReadStreamRef stream)
{
    return rl_stream_is_ready(checked_reader(stream, __func__));
}

Boolean RLWriteStreamCanAcceptBytes(RLWriteStreamRef stream)
{
    return rl_stream_is_ready(checked_writer(stream, __func__));
}

RLTypeRef RLReadStreamCopyProperty(RLReadStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(checked_reader(stream, __func__), propertyName, __func__);
}

RLTypeRef RLWriteStreamCopyProperty(RLWriteStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(checked_writer(stream, __func__), propertyName, __func__);
}

RLTypeRef RLStreamCopyProperty(RLStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(checked_stream(stream, __func__), propertyName, __func__);
}

Boolean RLReadStreamSetProperty(RLReadStreamRef stream, RLStringRef propertyName,
                                RLTypeRef propertyValue)
{
    return set_stream_property(checked_reader(stream, __func__), propertyName, propertyValue,
                               __func__);
}

Boolean RLWriteStreamSetProperty(RLWriteStreamRef stream, RLStringRef propertyName,
                                 RLTypeRef propertyValue)
{
    return set_stream_property(checked_writer(stream, __func__), propertyName, propertyValue,
                               __func__);
}

Boolean RLStreamSetProperty(RLStreamRef stream, RLStringRef propertyName, RLTypeRef propertyValue)
{
    struct rl_stream *self = checked_stream(stream, __func__);
    return set_stream_property(self, propertyName, propertyValue,
                               self->is_writer ? "RLWriteStreamSetProperty"
                                               : "RLReadStreamSetProperty");
}

static bool set_client(struct rl_stream *stream, RLOptionFlags events,
                       RLReadStreamClientCallBack read_callout,
                       RLWriteStreamClientCallBack write_callout,
                       const RLStreamClientContext *context)
{
    bool has_client = read_callout || write_callout;
    struct rl_stream_client *client = has_client ? rl_allocate(sizeof *client) : NULL;
    if (has_client) {
        atomic_init(&client->references, 1);
        /* A stream never delivers events of the other direction. */
        client->events = events & ~(stream->is_writer ? kRLStreamEventHasBytesAvailable
                                                      : kRLStreamEventCanAcceptBytes);
        client->read_callout = read_callout;
        client->write_callout = write_callout;
    }
    if (has_client && context) {
        RLFileDescriptorContext parts = {0, context->info, context->retain, context->release,
                                         context->copyDescription};
        rl_client_begin_variable(&client->client, &parts);
    }
    rl_stream_set_client(stream, client);
    return true;
}

Boolean RLReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents,
                              RLReadStreamClientCallBack clientCB,
                              RLStreamClientContext *clientContext)
{
    return set_client(checked_reader(stream, __func__), streamEvents, clientCB, NULL,
                      clientContext);
}

Boolean RLWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents,
                               RLWriteStreamClientCallBack clientCB,
                               RLStreamClientContext *clientContext)
{
    return set_client(checked_writer(stream, __func__), streamEvents, NULL, clientCB,
                      clientContext);
}

Boolean RLStreamSetClient(RLStreamRef stream, RLOptionFlags streamEvents,
                          RLReadStreamClientCallBack readCB, RLWriteStreamClientCallBack writeCB,
                          RLStreamClientContext *clientContext)
{
    struct rl_stream *self = checked_stream(stream, __func__);
    return set_client(self, streamEvents, self->is_writer ? NULL : readCB,
                      self->is_writer ? writeCB : NULL, clientContext);
}

void RLReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                     RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_schedule(checked_reader(stream, __func__), runLoop, runLoopMode);
}

void RLWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                      RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_schedule(checked_writer(stream, __func__), runLoop, runLoopMode);
}

void RLStreamScheduleWithRunLoop(RLStreamRef stream, RLRunLoopRef runLoop,
                                 RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_schedule(checked_stream(stream, __func__), runLoop, runLoopMode);
}

void RLReadStreamSetDispatchQueue(RLReadStreamRef stream, struct dispatch_queue_s *queue)
{
    set_dispatch_queue(checked_reader(stream, __func__), queue, __func__);
}

void RLWriteStreamSetDispatchQueue(RLWriteStreamRef stream, struct dispatch_queue_s *queue)
{
    set_dispatch_queue(checked_writer(stream, __func__), queue, __func__);
}

struct dispatch_queue_s *RLReadStreamCopyDispatchQueue(RLReadStreamRef stream)
{
    return rl_stream_copy_queue(checked_reader(stream, __func__));
}

struct dispatch_queue_s *RLWriteStreamCopyDispatchQueue(RLWriteStreamRef stream)
{
    return rl_stream_copy_queue(checked_writer(stream, __func__));
}

void RLStreamSetDispatchQueueWithCounterpart(RLTypeRef stream, struct dispatch_queue_s *queue,
                                             void *counterpart, void (*release)(void *counterpart))
{
    struct rl_stream *self = checked_stream(stream, __func__);
    if (!queue) rl_client_error(__func__, "argument `queue` must not be null");
    rl_stream_set_queue(self, rl_queue_create(__func__, queue, self, counterpart, release));
}

void RLStreamUseDispatchQueueCounterpart(RLTypeRef stream,
                                         void (*use)(void *counterpart, void *context),
                                         void *context)
{
    struct rl_stream *self = checked_stream(stream, __func__);
    rl_lock(&self->lock);
    struct rl_queue *queue = self->queue ? rl_queue_retain(self->queue) : NULL;
    rl_unlock(&self->lock);
    if (queue && queue->counterpart) use(queue->counterpart, context);
    rl_queue_release(queue);
}

SInt32 RLStreamGetForeignThreadNumber(RLStreamRef stream)
{
    return rl_stream_foreign_thread(checked_stream(stream, __func__));
}

void RLStreamEnd(RLStreamRef stream)
{
    struct rl_stream *self = checked_stream(stream, __func__);
    RLRetain(self);
    rl_stream_end(self);
    RLRelease(self);
}

void RLReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                       RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_unschedule(checked_reader(stream, __func__), runLoop, runLoopMode);
}

void RLWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                        RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_unschedule(checked_writer(stream, __func__), runLoop, runLoopMode);
}

void RLStreamUnscheduleFromRunLoop(RLStreamRef stream, RLRunLoopRef runLoop,
                                   RLRunLoopMode runLoopMode)
{
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_stream_unschedule(checked_stream(stream, __func__), runLoop, runLoopMode);
}

/* --- Objects ---------------------------------------------------------------------------------- */

static void destroy_stream(struct rl_object *object)
{
    struct rl_stream *stream = (struct rl_stream *)object;
    rl_stream_end(stream);
    rl_stream_set_client(stream, NULL);
    rl_queue_release(stream->queue);
    stream->class->destroy(stream);
    rl_object_free(object);
}

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

static const struct rl_class read_stream_class = {
    .name = "RLReadStream",
    .destroy = destroy_stream,
    .copy_description = describe_stream,
};

RL_REGISTER_CLASS(RLReadStream, RL_TYPE_READ_STREAM, read_stream_class)
RL_DEFINE_SWIFT_COUNTS(read_stream, RLReadStreamRef)

static const struct rl_class write_stream_class = {
    .name = "RLWriteStream",
    .destroy = destroy_stream,
    .copy_description = describe_stream,
};

RL_REGISTER_CLASS(RLWriteStream, RL_TYPE_WRITE_STREAM, write_stream_class)
RL_DEFINE_SWIFT_COUNTS(write_stream, RLWriteStreamRef)

RL_DEFINE_SWIFT_COUNTS(stream, RLStreamRef)
