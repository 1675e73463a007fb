/*
 * Streams: the functions of both directions, which check what they are given.
 */

#include "sockets/stream.h"

#include "base/check.h"
#include "base/hint.h"
#include "sockets/stream_security.h"
#include "sockets/type_numbers.h"
#include "values/value.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLStreamSecurity.h>

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
        rl_warn(function, "%s is not taken: the stream is over no socket",
                rl_string_characters(name));
    }
    RLRelease(name);
    return is_set;
}

/* Closes a stream, retained meanwhile: its source may have held the last reference. */
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

RLStreamError RLReadStreamGetError(RLReadStreamRef stream)
{
    return rl_stream_get_error(checked_reader(stream, __func__));
}

RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream)
{
    return rl_stream_get_error(checked_writer(stream, __func__));
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

Boolean RLReadStreamOpen(RLReadStreamRef stream)
{
    return rl_stream_open(checked_reader(stream, __func__));
}

Boolean RLWriteStreamOpen(RLWriteStreamRef stream)
{
    return rl_stream_open(checked_writer(stream, __func__));
}

void RLReadStreamClose(RLReadStreamRef stream)
{
    close_stream(checked_reader(stream, __func__));
}

void RLWriteStreamClose(RLWriteStreamRef stream)
{
    close_stream(checked_writer(stream, __func__));
}

Boolean RLReadStreamHasBytesAvailable(RLReadStreamRef stream)
{
    return rl_stream_is_ready(checked_reader(stream, __func__));
}

Boolean RLWriteStreamCanAcceptBytes(RLWriteStreamRef stream)
{
    return rl_stream_is_ready(checked_writer(stream, __func__));
}

/* Hints that a stream was not opened, once for each function. */
#define RL_HINT_IF_NOT_OPEN(stream, function)                                                      \
    RL_HINT(rl_stream_get_status(stream) == kRLStreamStatusNotOpen, function,                      \
            "stream %p was not opened: call RLReadStreamOpen() or RLWriteStreamOpen() first",      \
            (const void *)(stream))

RLIndex RLReadStreamRead(RLReadStreamRef stream, UInt8 *buffer, RLIndex bufferLength)
{
    struct rl_stream *self = checked_reader(stream, __func__);
    RL_HINT_IF_NOT_OPEN(self, __func__);
    return rl_stream_transfer(self, buffer, bufferLength);
}

const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                   RLIndex *numBytesRead)
{
    if (!numBytesRead) rl_client_error(__func__, "argument `numBytesRead` is null");
    return rl_stream_borrow(checked_reader(stream, __func__), maxBytesToRead, numBytesRead);
}

RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer, RLIndex bufferLength)
{
    struct rl_stream *self = checked_writer(stream, __func__);
    RL_HINT_IF_NOT_OPEN(self, __func__);
    /* A stream that writes only reads the bytes. */
    return rl_stream_transfer(self, (UInt8 *)(uintptr_t)buffer, bufferLength);
}

RLTypeRef RLReadStreamCopyProperty(RLReadStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(checked_reader(stream, __func__), propertyName, __func__);
}

RLTypeRef RLWriteStreamCopyProperty(RLWriteStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(checked_writer(stream, __func__), propertyName, __func__);
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

Boolean RLReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents,
                              RLReadStreamClientCallBack clientCB,
                              RLStreamClientContext *clientContext)
{
    struct rl_stream *self = checked_reader(stream, __func__);
    struct rl_stream_client *client = NULL;
    if (clientCB) {
        client = rl_stream_client_create(streamEvents, kRLStreamEventCanAcceptBytes, clientContext);
        client->read_callout = clientCB;
    }
    rl_stream_set_client(self, client);
    return true;
}

Boolean RLWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents,
                               RLWriteStreamClientCallBack clientCB,
                               RLStreamClientContext *clientContext)
{
    struct rl_stream *self = checked_writer(stream, __func__);
    struct rl_stream_client *client = NULL;
    if (clientCB) {
        client =
            rl_stream_client_create(streamEvents, kRLStreamEventHasBytesAvailable, clientContext);
        client->write_callout = clientCB;
    }
    rl_stream_set_client(self, client);
    return true;
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

static struct rl_stream *checked_stream(RLTypeRef stream, const char *function)
{
    if (!stream || RLGetTypeID(stream) != RL_TYPE_WRITE_STREAM) {
        rl_expect(stream, RL_TYPE_READ_STREAM, function, "stream");
    }
    return (struct rl_stream *)(uintptr_t)stream;
}

void RLStreamSetDispatchQueueWithCounterpart(RLTypeRef stream, struct dispatch_queue_s *queue,
                                             void *counterpart, void (*release)(void *counterpart))
{
    struct rl_stream *self = checked_stream(stream, __func__);
    if (!queue) rl_client_error(__func__, "argument `queue` is null");
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

SInt32 RLStreamGetForeignThreadNumber(RLTypeRef stream)
{
    return rl_stream_foreign_thread(checked_stream(stream, __func__));
}

void RLStreamEnd(RLTypeRef stream)
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
