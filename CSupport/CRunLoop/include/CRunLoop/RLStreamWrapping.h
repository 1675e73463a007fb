/*
 * Streams, and the dispatch queues that serve them, for libraries that wrap them. Programs do not
 * need it.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLSTREAMWRAPPING_H
#define CRUNLOOP_RLSTREAMWRAPPING_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

/**
 * Writes to a descriptor as write(2) does, but raises neither SIGPIPE nor SIGXFSZ.
 * Async-signal-safe.
 *
 * - Parameters:
 *   - descriptor: The descriptor. It may be closed.
 *   - bytes: The bytes.
 *   - length: Their number, 0 or more.
 * - Returns: The number of bytes written, or a negative `errno` value.
 * - CF: none.
 */
RL_EXPORT RLIndex RLWriteWithoutSignal(int descriptor, const void *bytes, RLIndex length);

/**
 * Sets the dispatch queue of a stream together with an object that a library has for the queue.
 *
 * - Parameters:
 *   - stream: A stream to read or to write.
 *   - queue: As for RLReadStreamSetDispatchQueue, but not null.
 *   - counterpart: The object; its reference is taken over.
 *   - release: Releases the reference, on any thread, when the stream gets another queue.
 * - CF: none.
 */
RL_EXPORT void RLStreamSetDispatchQueueWithCounterpart(RLTypeRef stream,
                                                       struct dispatch_queue_s *queue,
                                                       void *counterpart,
                                                       void (*release)(void *counterpart));

/**
 * Calls a function at once with the object that was set with the stream's queue, and retains the
 * object during the call. Does nothing if the stream has no queue, or one without an object.
 *
 * - CF: none.
 */
RL_EXPORT void RLStreamUseDispatchQueueCounterpart(RLTypeRef stream,
                                                   void (*use)(void *counterpart, void *context),
                                                   void *context);

/**
 * The id of a live thread whose loop has a stream of either direction; 0 if there is none, and if
 * the stream is in the calling thread's loop.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLStreamGetForeignThreadNumber(RLTypeRef stream);

/**
 * Whether an open write stream has filled the client's buffer, so that no more bytes can be
 * written.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLStreamIsFull(RLTypeRef stream);

/** An additional event for the client of a stream. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /** The stream was closed. The client is called by the thread that closes it. */
    kRLStreamEventClosed = 32
};

/**
 * Closes a stream of either direction for good, also one that was not opened.
 *
 * - CF: none.
 */
RL_EXPORT void RLStreamEnd(RLTypeRef stream);

/**
 * The number of the serial dispatch queue whose work the calling thread performs.
 *
 * On the main thread outside of all queues it is the main queue's. It is 0 on a concurrent queue,
 * on another thread outside of all queues, and without libdispatch. In `dispatch_sync` it is the
 * number of the queue, on any thread. A number is unique in the process and never reused.
 *
 * - CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetSerialQueueNumber(void);

/**
 * The number of the main queue, as by RLDispatchGetSerialQueueNumber(); 0 without libdispatch.
 *
 * - CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetMainQueueNumber(void);

/**
 * The number of a queue, as by RLDispatchGetSerialQueueNumber(); 0 for a concurrent one. CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetQueueNumber(struct dispatch_queue_s *queue);

RL_EXTERN_C_END

#endif
