/*
 * Streams: the functions of both directions, which check what they are given.
 */

#include "sockets/stream.h"

#include <CRunLoop/RLRunLoopWrapping.h>

static struct rl_stream *reader(RLReadStreamRef stream, const char *function)
{
    rl_expect(stream, RL_TYPE_READ_STREAM, function, "stream");
    return (struct rl_stream *)(void *)stream;
}

static struct rl_stream *writer(RLWriteStreamRef stream, const char *function)
{
    rl_expect(stream, RL_TYPE_WRITE_STREAM, function, "stream");
    return (struct rl_stream *)(void *)stream;
}

static RLTypeRef copy_stream_property(struct rl_stream *stream, RLStringRef name,
                                      const char *function)
{
    rl_expect_string(name, function, "propertyName");
    return stream->class->copy_property(stream, name);
}

static bool set_stream_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value,
                                const char *function)
{
    rl_expect_string(name, function, "propertyName");
    if (rl_stream_refuses_security(name, function)) return false;
    return stream->class->set_property(stream, name, value);
}

/* The source that is given up may hold the last reference to the stream. */
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

RLTypeID RLReadStreamGetTypeID(void)
{
    return RL_TYPE_READ_STREAM;
}

RLTypeID RLWriteStreamGetTypeID(void)
{
    return RL_TYPE_WRITE_STREAM;
}

RLStreamStatus RLReadStreamGetStatus(RLReadStreamRef stream)
{
    return rl_stream_get_status(reader(stream, __func__));
}

RLStreamStatus RLWriteStreamGetStatus(RLWriteStreamRef stream)
{
    return rl_stream_get_status(writer(stream, __func__));
}

RLStreamError RLReadStreamGetError(RLReadStreamRef stream)
{
    return rl_stream_get_error(reader(stream, __func__));
}

RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream)
{
    return rl_stream_get_error(writer(stream, __func__));
}

static RLErrorRef copy_error(struct rl_stream *stream)
{
    RLStreamError error = rl_stream_get_error(stream);
    return error.domain == 0 ? NULL : RLErrorCreate(NULL, kRLErrorDomainPOSIX, error.error, NULL);
}

RLErrorRef RLReadStreamCopyError(RLReadStreamRef stream)
{
    return copy_error(reader(stream, __func__));
}

RLErrorRef RLWriteStreamCopyError(RLWriteStreamRef stream)
{
    return copy_error(writer(stream, __func__));
}

Boolean RLReadStreamOpen(RLReadStreamRef stream)
{
    return rl_stream_open(reader(stream, __func__));
}

Boolean RLWriteStreamOpen(RLWriteStreamRef stream)
{
    return rl_stream_open(writer(stream, __func__));
}

void RLReadStreamClose(RLReadStreamRef stream)
{
    close_stream(reader(stream, __func__));
}

void RLWriteStreamClose(RLWriteStreamRef stream)
{
    close_stream(writer(stream, __func__));
}

Boolean RLReadStreamHasBytesAvailable(RLReadStreamRef stream)
{
    return rl_stream_is_ready(reader(stream, __func__));
}

Boolean RLWriteStreamCanAcceptBytes(RLWriteStreamRef stream)
{
    return rl_stream_is_ready(writer(stream, __func__));
}

RLIndex RLReadStreamRead(RLReadStreamRef stream, UInt8 *buffer, RLIndex bufferLength)
{
    return rl_stream_transfer(reader(stream, __func__), buffer, bufferLength);
}

const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                   RLIndex *numBytesRead)
{
    if (!numBytesRead) rl_client_error(__func__, "argument `numBytesRead` is null");
    return rl_stream_borrow(reader(stream, __func__), maxBytesToRead, numBytesRead);
}

RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer, RLIndex bufferLength)
{
    /* A stream that writes only reads the bytes. */
    return rl_stream_transfer(writer(stream, __func__), (UInt8 *)(uintptr_t)buffer, bufferLength);
}

RLTypeRef RLReadStreamCopyProperty(RLReadStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(reader(stream, __func__), propertyName, __func__);
}

RLTypeRef RLWriteStreamCopyProperty(RLWriteStreamRef stream, RLStringRef propertyName)
{
    return copy_stream_property(writer(stream, __func__), propertyName, __func__);
}

Boolean RLReadStreamSetProperty(RLReadStreamRef stream, RLStringRef propertyName,
                                RLTypeRef propertyValue)
{
    return set_stream_property(reader(stream, __func__), propertyName, propertyValue, __func__);
}

Boolean RLWriteStreamSetProperty(RLWriteStreamRef stream, RLStringRef propertyName,
                                 RLTypeRef propertyValue)
{
    return set_stream_property(writer(stream, __func__), propertyName, propertyValue, __func__);
}

Boolean RLReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents,
                              RLReadStreamClientCallBack clientCB,
                              RLStreamClientContext *clientContext)
{
    struct rl_stream *self = reader(stream, __func__);
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
    struct rl_stream *self = writer(stream, __func__);
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
    rl_stream_schedule(reader(stream, __func__), runLoop, runLoopMode);
}

void RLWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                      RLRunLoopMode runLoopMode)
{
    rl_stream_schedule(writer(stream, __func__), runLoop, runLoopMode);
}

void RLReadStreamSetDispatchQueue(RLReadStreamRef stream, struct dispatch_queue_s *queue)
{
    set_dispatch_queue(reader(stream, __func__), queue, __func__);
}

void RLWriteStreamSetDispatchQueue(RLWriteStreamRef stream, struct dispatch_queue_s *queue)
{
    set_dispatch_queue(writer(stream, __func__), queue, __func__);
}

struct dispatch_queue_s *RLReadStreamCopyDispatchQueue(RLReadStreamRef stream)
{
    return rl_stream_copy_queue(reader(stream, __func__));
}

struct dispatch_queue_s *RLWriteStreamCopyDispatchQueue(RLWriteStreamRef stream)
{
    return rl_stream_copy_queue(writer(stream, __func__));
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

void RLReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                       RLRunLoopMode runLoopMode)
{
    rl_stream_unschedule(reader(stream, __func__), runLoop, runLoopMode);
}

void RLWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                        RLRunLoopMode runLoopMode)
{
    rl_stream_unschedule(writer(stream, __func__), runLoop, runLoopMode);
}
