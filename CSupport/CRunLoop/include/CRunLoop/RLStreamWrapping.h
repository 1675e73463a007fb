/*
 * Functions for libraries that wrap streams and the dispatch queues that serve streams. Programs do
 * not need these functions.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLSTREAMWRAPPING_H
#define CRUNLOOP_RLSTREAMWRAPPING_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A read stream or a write stream, which any thread may use. CF: none. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_stream, rl_swift_release_stream)
    RL_SWIFT_NAME(RLStreamRef) RL_SWIFT_SENDABLE RLOpaqueStream {
    uintptr_t _reserved;
};

#define RLStreamRef struct RLOpaqueStream *
#else
/** A reference to a read stream or a write stream. CF: none. */
typedef RLTypeRef RLStreamRef;
#endif

/**
 * Writes `length` bytes to a descriptor, which may be closed, as write(2) does, but raises neither
 * SIGPIPE nor SIGXFSZ. Returns the number of bytes written, or a negative `errno` value.
 * Async-signal-safe. CF: none.
 */
RL_EXPORT RLIndex RLWriteWithoutSignal(int descriptor, const void *bytes, RLIndex length);

/**
 * Sets the dispatch queue of a stream, and the object of a library that stands for the queue.
 *
 * - Parameters:
 *   - stream: A read stream or a write stream.
 *   - queue: See RLReadStreamSetDispatchQueue. Must not be null.
 *   - counterpart: The object. The stream takes over the caller's reference.
 *   - release: Releases the reference. Called on any thread when the stream gets another queue.
 * - CF: none.
 */
RL_EXPORT void RLStreamSetDispatchQueueWithCounterpart(RLTypeRef stream,
                                                       struct dispatch_queue_s *queue,
                                                       void *counterpart,
                                                       void (*release)(void *counterpart));

/**
 * Calls a function at once with the object that was set with the stream's queue, and retains the
 * object during the call. Does nothing if the stream has no queue, or if the queue was set without
 * an object. CF: none.
 */
RL_EXPORT void RLStreamUseDispatchQueueCounterpart(RLTypeRef stream,
                                                   void (*use)(void *counterpart, void *context),
                                                   void *context);

/**
 * Returns the kernel's ID of a live thread whose loop has a read or write stream; 0 if there is no
 * such thread, or if the stream is in the calling thread's loop. CF: none.
 */
RL_EXPORT SInt32 RLStreamGetForeignThreadNumber(RLStreamRef stream);

/**
 * Returns whether an open write stream has filled the client's buffer, so no more bytes can be
 * written. CF: none.
 */
RL_EXPORT Boolean RLStreamIsFull(RLTypeRef stream);

/** Additional events for a stream's client. The thread that causes an event calls the client. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /**
     * The stream was closed, was removed from a mode or from its queue, or lost its client. The
     * client may receive no other event.
     */
    kRLStreamEventInterrupted = 32,
    /** Another client has replaced the client, which receives no other event. */
    kRLStreamEventReplaced = 64
};

/** Closes a read or write stream permanently, even if the stream was not opened. CF: none. */
RL_EXPORT void RLStreamEnd(RLStreamRef stream);

/** Opens a read or write stream: see RLReadStreamOpen. CF: none. */
RL_EXPORT Boolean RLStreamOpen(RLStreamRef stream);

/** Closes a read or write stream: see RLReadStreamClose. CF: none. */
RL_EXPORT void RLStreamClose(RLStreamRef stream);

/** Returns the status of a read or write stream: see RLReadStreamGetStatus. CF: none. */
RL_EXPORT RLStreamStatus RLStreamGetStatus(RLStreamRef stream);

/** Returns the error of a read or write stream: see RLReadStreamGetError. CF: none. */
RL_EXPORT RLStreamError RLStreamGetError(RLStreamRef stream);

/** Returns the error of a read or write stream: see RLReadStreamCopyError. CF: none. */
RL_EXPORT RLErrorRef RLStreamCopyError(RLStreamRef stream) RL_RETURNS_RETAINED;

/** Returns a property of a read or write stream: see RLReadStreamCopyProperty. CF: none. */
RL_EXPORT RLTypeRef RLStreamCopyProperty(RLStreamRef stream, RLStringRef propertyName);

/** Sets a property of a read or write stream: see RLReadStreamSetProperty. CF: none. */
RL_EXPORT Boolean RLStreamSetProperty(RLStreamRef stream, RLStringRef propertyName,
                                      RLTypeRef propertyValue);

/**
 * Sets the client of a read or write stream: see RLReadStreamSetClient. Only the callback for the
 * stream's direction is used. CF: none.
 */
RL_EXPORT Boolean RLStreamSetClient(RLStreamRef stream, RLOptionFlags streamEvents,
                                    RLReadStreamClientCallBack readCB,
                                    RLWriteStreamClientCallBack writeCB,
                                    RLStreamClientContext *clientContext);

/** Schedules a read or write stream: see RLReadStreamScheduleWithRunLoop. CF: none. */
RL_EXPORT void RLStreamScheduleWithRunLoop(RLStreamRef stream, RLRunLoopRef runLoop,
                                           RLRunLoopMode runLoopMode);

/** Unschedules a read or write stream: see RLReadStreamUnscheduleFromRunLoop. CF: none. */
RL_EXPORT void RLStreamUnscheduleFromRunLoop(RLStreamRef stream, RLRunLoopRef runLoop,
                                             RLRunLoopMode runLoopMode);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_stream(RLStreamRef stream);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_stream(RLStreamRef stream);

/**
 * Returns the number of the serial dispatch queue whose work the calling thread performs.
 *
 * On the main thread outside of all queues, returns the number of the main queue. Returns 0 on a
 * concurrent queue, on another thread outside of all queues, and without libdispatch. In
 * `dispatch_sync`, returns the number of the queue, on whichever thread the block runs. A number is
 * unique in the process and never reused. CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetSerialQueueNumber(void);

/**
 * Returns the number of the main queue for RLDispatchGetSerialQueueNumber(); 0 without libdispatch.
 * CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetMainQueueNumber(void);

/**
 * Returns the number of a queue for RLDispatchGetSerialQueueNumber(); 0 for a concurrent queue.
 * CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetQueueNumber(struct dispatch_queue_s *queue);

RL_EXTERN_C_END

#endif
