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
RL_EXPORT SInt32 RLStreamGetForeignThreadNumber(RLTypeRef stream);

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
RL_EXPORT void RLStreamEnd(RLTypeRef stream);

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
