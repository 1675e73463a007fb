/*
 * Byte streams over sockets, files and memory, with events in a run loop.
 *
 * Create a stream, set its client, schedule the stream in modes of loops, and open it. The loops
 * then call the client with the stream's events, with no lock held. A loop retains a stream until
 * the stream is closed or unscheduled. Without a client, reading and writing block. All functions
 * may be called from any thread, but only one thread at a time may read or write a stream.
 */

#ifndef CRUNLOOP_RLSTREAM_H
#define CRUNLOOP_RLSTREAM_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLError.h>
#include <CRunLoop/RLRunLoop.h>
#include <CRunLoop/RLSocket.h>
#include <CRunLoop/RLURL.h>

RL_EXTERN_C_BEGIN

/* A type of libdispatch: a dispatch_queue_t is a pointer to it. */
struct dispatch_queue_s;

#if defined(__swift__)
/** A read stream. CF: CFReadStreamRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_read_stream, rl_swift_release_read_stream)
    RL_SWIFT_NAME(RLReadStreamRef) RLOpaqueReadStream {
    uintptr_t _reserved;
};

/** A write stream. CF: CFWriteStreamRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_write_stream, rl_swift_release_write_stream)
    RL_SWIFT_NAME(RLWriteStreamRef) RLOpaqueWriteStream {
    uintptr_t _reserved;
};

#define RLReadStreamRef struct RLOpaqueReadStream *
#define RLWriteStreamRef struct RLOpaqueWriteStream *
#else
/** A reference to a read stream. CF: CFReadStreamRef. */
typedef struct __CFReadStream *RLReadStreamRef;
/** A reference to a write stream. CF: CFWriteStreamRef. */
typedef struct __CFWriteStream *RLWriteStreamRef;
#endif

/** The status of a stream. CF: CFStreamStatus. */
RL_CLOSED_ENUM(RLIndex, RLStreamStatus) {
    /** The stream has not been opened. CF: kCFStreamStatusNotOpen. */
    kRLStreamStatusNotOpen = 0,
    /** The stream is being opened. CF: kCFStreamStatusOpening. */
    kRLStreamStatusOpening,
    /** The stream is open. CF: kCFStreamStatusOpen. */
    kRLStreamStatusOpen,
    /** The stream is being read. This status is not used. CF: kCFStreamStatusReading. */
    kRLStreamStatusReading,
    /** The stream is being written. This status is not used. CF: kCFStreamStatusWriting. */
    kRLStreamStatusWriting,
    /** All bytes were read, or writing was finished. CF: kCFStreamStatusAtEnd. */
    kRLStreamStatusAtEnd,
    /** The stream was closed. CF: kCFStreamStatusClosed. */
    kRLStreamStatusClosed,
    /** The stream failed: see RLReadStreamGetError. CF: kCFStreamStatusError. */
    kRLStreamStatusError
};

/** The key of a property. CF: CFStreamPropertyKey. */
typedef RLStringRef RLStreamPropertyKey;

/** The events of a stream. CF: CFStreamEventType. */
RL_OPTIONS(RLOptionFlags, RLStreamEventType) {
    /** No event. CF: kCFStreamEventNone. */
    kRLStreamEventNone = 0,
    /** The stream is open. CF: kCFStreamEventOpenCompleted. */
    kRLStreamEventOpenCompleted = 1,
    /**
     * Bytes are available. The event occurs again after a read that left bytes.
     * CF: kCFStreamEventHasBytesAvailable.
     */
    kRLStreamEventHasBytesAvailable = 2,
    /**
     * A write would not block. The event occurs again after a write.
     * CF: kCFStreamEventCanAcceptBytes.
     */
    kRLStreamEventCanAcceptBytes = 4,
    /** The stream failed. CF: kCFStreamEventErrorOccurred. */
    kRLStreamEventErrorOccurred = 8,
    /** All bytes were read, or writing was finished. CF: kCFStreamEventEndEncountered. */
    kRLStreamEventEndEncountered = 16
};

/** The domain of an error code. CF: CFStreamErrorDomain. */
RL_CLOSED_ENUM(RLIndex, RLStreamErrorDomain) {
    /** A custom domain. CF: kCFStreamErrorDomainCustom. */
    kRLStreamErrorDomainCustom = -1L,
    /**
     * The code is an errno value. TLS errors have the domain kRLStreamErrorDomainSSL.
     * CF: kCFStreamErrorDomainPOSIX.
     */
    kRLStreamErrorDomainPOSIX = 1,
    /** The code is an OSStatus of Mac OS. CF: kCFStreamErrorDomainMacOSStatus. */
    kRLStreamErrorDomainMacOSStatus = 2
};

/** The error of a stream. CF: CFStreamError. */
typedef struct {
    /** An RLStreamErrorDomain; 0 if there is no error. */
    RLIndex domain;
    /** The error code, such as ECONNREFUSED. */
    SInt32 error;
} RLStreamError;

/** The client data of a stream; each function may be null. CF: CFStreamClientContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the client is set, and before callbacks. The first result
     * becomes the info.
     */
    void *(*retain)(void *info);
    /**
     * Releases the info. Called when the client is replaced, when the stream is destroyed, and
     * after callbacks.
     */
    void (*release)(void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(void *info);
} RLStreamClientContext;

/**
 * The callback of a read stream, called with one event at a time. CF: CFReadStreamClientCallBack.
 */
typedef void (*RLReadStreamClientCallBack)(RLReadStreamRef stream, RLStreamEventType type,
                                           void *clientCallBackInfo);
/**
 * The callback of a write stream, called with one event at a time. CF: CFWriteStreamClientCallBack.
 */
typedef void (*RLWriteStreamClientCallBack)(RLWriteStreamRef stream, RLStreamEventType type,
                                            void *clientCallBackInfo);

/** Returns the type ID of read streams. CF: CFReadStreamGetTypeID. */
RL_EXPORT RLTypeID RLReadStreamGetTypeID(void);
/** Returns the type ID of write streams. CF: CFWriteStreamGetTypeID. */
RL_EXPORT RLTypeID RLWriteStreamGetTypeID(void);

/**
 * Creates a stream that reads bytes in memory.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - bytes: The bytes, which must not change. May be null if `length` is 0.
 *   - length: The number of bytes; a negative number yields null.
 *   - bytesDeallocator: Frees the bytes when the stream is destroyed; null for the thread's default
 *     allocator. With kRLAllocatorNull they are not freed, and must outlive the stream.
 * - Returns: A stream that the caller owns, or null.
 * - CF: CFReadStreamCreateWithBytesNoCopy.
 */
RL_EXPORT RLReadStreamRef
RLReadStreamCreateWithBytesNoCopy(RLAllocatorRef alloc, const UInt8 *bytes, RLIndex length,
                                  RLAllocatorRef bytesDeallocator) RL_RETURNS_RETAINED;

/**
 * Creates a stream that writes into the client's memory, which must outlive the stream. Writing
 * more bytes than fit fails with ENOMEM.
 *
 * - Returns: A stream that the caller owns; null for a null buffer or a negative capacity.
 *
 * - CF: CFWriteStreamCreateWithBuffer.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithBuffer(
    RLAllocatorRef alloc, UInt8 *buffer, RLIndex bufferCapacity) RL_RETURNS_RETAINED;

/**
 * Creates a stream that writes into memory that the stream allocates. kRLStreamPropertyDataWritten
 * returns the bytes. Both allocators are ignored. The caller owns the stream.
 * CF: CFWriteStreamCreateWithAllocatedBuffers.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithAllocatedBuffers(
    RLAllocatorRef alloc, RLAllocatorRef bufferAllocator) RL_RETURNS_RETAINED;

/**
 * Creates a stream that reads the file of a URL. See RLReadStreamCreateWithPath.
 * CF: CFReadStreamCreateWithFile.
 */
RL_EXPORT RLReadStreamRef RLReadStreamCreateWithFile(RLAllocatorRef alloc,
                                                     RLURLRef fileURL) RL_RETURNS_RETAINED;

/**
 * Creates a stream that writes the file of a URL. See RLWriteStreamCreateWithPath.
 * CF: CFWriteStreamCreateWithFile.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithFile(RLAllocatorRef alloc,
                                                       RLURLRef fileURL) RL_RETURNS_RETAINED;

/**
 * Creates a stream that reads a regular file; such a stream is always ready. The path is resolved
 * when the stream is opened. The caller owns the stream. Ours, no CF counterpart: CF takes a URL.
 */
RL_EXPORT RLReadStreamRef RLReadStreamCreateWithPath(RLAllocatorRef alloc,
                                                     RLStringRef path) RL_RETURNS_RETAINED;

/**
 * Creates a stream that writes a regular file and creates it if it does not exist. An existing file
 * is truncated, unless kRLStreamPropertyAppendToFile is set. The caller owns the stream.
 * Ours, no CF counterpart: CF takes a URL.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithPath(RLAllocatorRef alloc,
                                                       RLStringRef path) RL_RETURNS_RETAINED;

/**
 * Creates a read stream and a write stream over a connected socket.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - sock: The descriptor. The client owns the descriptor and closes it after both streams, unless
 *     kRLStreamPropertyShouldCloseNativeSocket is set. A negative descriptor yields null streams.
 *   - readStream: Receives the read stream, which the caller owns; may be null.
 *   - writeStream: Receives the write stream, which the caller owns; may be null.
 * - CF: CFStreamCreatePairWithSocket.
 */
RL_EXPORT void RLStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock,
                                            RLReadStreamRef *readStream,
                                            RLWriteStreamRef *writeStream);

/**
 * Creates a read stream and a write stream that connect to a host by TCP when the first of them is
 * opened. Opening does not block. A temporary thread looks up the name, and the streams try the
 * addresses one after the other in the background. A numeric address needs no thread. If the name
 * is unknown, the streams fail with EHOSTUNREACH. In a child that is forked during the lookup, the
 * status stays kRLStreamStatusOpening.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - host: A name, or a numeric address of IPv4 or IPv6.
 *   - port: The port, from 1 to 65535; a greater number stops the process.
 *   - readStream: See RLStreamCreatePairWithSocket. Receives null if the system has no more
 *     sockets.
 *   - writeStream: See RLStreamCreatePairWithSocket.
 * - CF: CFStreamCreatePairWithSocketToHost.
 */
RL_EXPORT void RLStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host,
                                                  UInt32 port, RLReadStreamRef *readStream,
                                                  RLWriteStreamRef *writeStream);

/**
 * Creates a read stream and a write stream that connect to the signature's address when the first
 * of them is opened. Otherwise the same as RLStreamCreatePairWithSocketToHost.
 *
 * If the queue of a listening Unix socket is full, the streams fail at once with EAGAIN, because
 * the kernel does not report when the queue has space. Retry later with new streams, or use
 * RLSocketConnectToAddress, which waits. CF: CFStreamCreatePairWithPeerSocketSignature.
 */
RL_EXPORT void RLStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc,
                                                         const RLSocketSignature *signature,
                                                         RLReadStreamRef *readStream,
                                                         RLWriteStreamRef *writeStream);

/**
 * Creates a bound pair: a read stream that reads the bytes that are written to a write stream,
 * through a buffer in memory. Each stream is opened separately. When the buffer is full, writing
 * blocks until some bytes are read. After the write stream is closed, reading returns the remaining
 * bytes and then EOF. After the read stream is closed, writing fails with EPIPE. Two threads may
 * use one stream each.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - readStream: Receives the read stream, which the caller owns; not null.
 *   - writeStream: Receives the write stream, which the caller owns; not null.
 *   - transferBufferSize: The size of the buffer in bytes, at least 1.
 * - CF: CFStreamCreateBoundPair, which CF for Linux does not have.
 */
RL_EXPORT void RLStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream,
                                       RLWriteStreamRef *writeStream, RLIndex transferBufferSize);

/**
 * A stream property: the bytes that were written to a stream of
 * RLWriteStreamCreateWithAllocatedBuffers, as data. CF: kCFStreamPropertyDataWritten.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyDataWritten;
/**
 * A stream property: whether the stream appends to its file, as a Boolean. Set the property before
 * you open the stream. CF: kCFStreamPropertyAppendToFile.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyAppendToFile;
/**
 * A stream property: the offset in the stream's file, as a number of bytes. The property may be set
 * before the stream is opened and while it is open, unless the stream appends. A stream that has
 * reached EOF stays at EOF. CF: kCFStreamPropertyFileCurrentOffset.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyFileCurrentOffset;
/**
 * A stream property: the host that the pair of streams was created to connect to, as a string.
 * CF: kCFStreamPropertySocketRemoteHostName.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketRemoteHostName;
/**
 * A stream property: the port that the pair of streams was created to connect to, as a number.
 * CF: kCFStreamPropertySocketRemotePortNumber.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketRemotePortNumber;
/**
 * A stream property: the descriptor of the stream's socket, as data with the type
 * RLSocketNativeHandle. If another callback reads the bytes from the descriptor in the same pass, a
 * later read of the stream blocks. CF: kCFStreamPropertySocketNativeHandle.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketNativeHandle;
/**
 * A stream property: whether the descriptor is closed after both streams are closed, as a Boolean.
 * True by default if the streams created the socket, otherwise false.
 * CF: kCFStreamPropertyShouldCloseNativeSocket.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyShouldCloseNativeSocket;
/**
 * A stream property: the time-out for establishing a connection, as a number of seconds; 0 for
 * none. Ours, no CF counterpart.
 *
 * The time-out begins when the first of the two streams is opened, and covers name lookup,
 * connecting and the TLS handshake. Setting security on open streams restarts the time-out. When
 * the time-out expires, both streams fail with ETIMEDOUT of kRLStreamErrorDomainPOSIX: the client
 * receives kRLStreamEventErrorOccurred, and a blocking call fails. The property may be set on
 * either stream at any time, and applies to both. A negative value or NaN cannot be set. For the
 * server side of TLS (kRLStreamSSLIsServer) the default is 60, so that silent connections are
 * closed. Otherwise the default is 0, and the kernel determines how long it tries to connect.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyConnectTimeout;

/**
 * A stream property: the network service type of a stream over a socket, one of the strings
 * `kRLStreamNetworkServiceType…`. No type is set by default, and no other value can be set.
 *
 * The type determines the code point of differentiated services (DSCP) of the stream's packets, as
 * RFC 4594 recommends, in the TOS field of IPv4 and the traffic class of IPv6. Routers and wireless
 * networks may ignore or clear the code point. The type also determines the priority of the socket
 * in the queues of this system (SO_PRIORITY). The type may be set on either stream at any time, and
 * applies to both from then on. If the system does not allow marking packets, they are sent
 * unmarked. CF: kCFStreamNetworkServiceType, of CFNetwork.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceType;
/**
 * The control of voice calls over IP: packets have DSCP CS5 (40) and priority 6. Unlike in iOS, the
 * system does not wake the process for such a stream. CF: kCFStreamNetworkServiceTypeVoIP.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoIP;
/**
 * The video of a conference: packets have DSCP AF41 (34) and priority 4.
 * CF: kCFStreamNetworkServiceTypeVideo.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVideo;
/**
 * Background transfers: packets have DSCP CS1 (8) and priority 1.
 * CF: kCFStreamNetworkServiceTypeBackground.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeBackground;
/**
 * The audio of a call: packets have DSCP EF (46) and priority 6.
 * CF: kCFStreamNetworkServiceTypeVoice.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoice;
/**
 * Data that the user waits for: packets have DSCP AF21 (18) and priority 4.
 * CF: kCFStreamNetworkServiceTypeResponsiveData.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveData;
/**
 * Audio and video streams: packets have DSCP AF31 (26) and priority 4.
 * CF: kCFStreamNetworkServiceTypeAVStreaming.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeAVStreaming;
/**
 * Interactive audio and video, which must not be late: packets have DSCP CS4 (32) and priority 4.
 * CF: kCFStreamNetworkServiceTypeResponsiveAV.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveAV;
/**
 * Signaling of calls: packets have DSCP CS5 (40) and priority 6.
 * CF: kCFStreamNetworkServiceTypeCallSignaling.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeCallSignaling;

/** Returns the status of the stream. CF: CFReadStreamGetStatus. */
RL_EXPORT RLStreamStatus RLReadStreamGetStatus(RLReadStreamRef stream);

/** Returns the status of the stream. CF: CFWriteStreamGetStatus. */
RL_EXPORT RLStreamStatus RLWriteStreamGetStatus(RLWriteStreamRef stream);

/**
 * Returns the error with which the stream failed, or null if the stream did not fail. The caller
 * owns the error. Its domain is kRLErrorDomainPOSIX or, for TLS errors, kRLErrorDomainOSStatus.
 * CF: CFReadStreamCopyError.
 */
RL_EXPORT RLErrorRef RLReadStreamCopyError(RLReadStreamRef stream) RL_RETURNS_RETAINED;

/** Returns the error of the stream, like RLReadStreamCopyError. CF: CFWriteStreamCopyError. */
RL_EXPORT RLErrorRef RLWriteStreamCopyError(RLWriteStreamRef stream) RL_RETURNS_RETAINED;

/**
 * Reads bytes without copying them, if the stream reads bytes in memory.
 *
 * - Parameters:
 *  - stream: The stream.
 *  - maxBytesToRead: The greatest number of bytes; 0 or less for all bytes.
 *  - numBytesRead: Receives the number of bytes; -1 if the stream failed or is not open; 0 at EOF,
 *    or if the stream does not read memory. Must not be null.
 * - Returns: The bytes, valid until the stream is used again. If the result is null, use
 *   RLReadStreamRead.
 * - CF: CFReadStreamGetBuffer.
 */
RL_EXPORT const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                             RLIndex *numBytesRead);

/**
 * Returns the error with which the stream failed; the domain is 0 if the stream did not fail.
 * CF: CFReadStreamGetError.
 */
RL_EXPORT RLStreamError RLReadStreamGetError(RLReadStreamRef stream);

/** Returns the error of the stream, like RLReadStreamGetError. CF: CFWriteStreamGetError. */
RL_EXPORT RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream);

/**
 * Opens the stream, or begins to open it. The loops and queues in which the stream is scheduled
 * report the result to the client, possibly on another thread before this function returns. Returns
 * false if opening fails at once, or if the stream was opened before. CF: CFReadStreamOpen.
 */
RL_EXPORT Boolean RLReadStreamOpen(RLReadStreamRef stream);

/** Opens the stream, or begins to open it, like RLReadStreamOpen. CF: CFWriteStreamOpen. */
RL_EXPORT Boolean RLWriteStreamOpen(RLWriteStreamRef stream);

/**
 * Closes the stream, removes it from all loops, and ends its events. A stream can be opened only
 * once. A stream that was not opened is removed from its loops and its queue, and can still be
 * opened. A descriptor that two streams share is closed with the second stream; until then, the
 * peer receives no EOF: see RLWriteStreamFinishWriting. A blocking read on another thread ends.
 * CF: CFReadStreamClose.
 */
RL_EXPORT void RLReadStreamClose(RLReadStreamRef stream);

/**
 * Closes the stream, like RLReadStreamClose. A blocking write on another thread ends.
 * CF: CFWriteStreamClose.
 */
RL_EXPORT void RLWriteStreamClose(RLWriteStreamRef stream);

/**
 * Half-closes the stream: the peer receives all bytes written so far and then EOF, and the client
 * can still read the peer's response. A socket sends a FIN; a TLS session sends a close_notify
 * first. In a bound pair, the read stream receives EOF. For other kinds of streams, only this
 * stream ends.
 *
 * If the stream was ever in a loop or on a queue, the call does not block: the remaining bytes are
 * sent in the loop or on the queue, while the other stream of the pair is read, or after both
 * streams are closed. Otherwise, the call blocks like a write until all bytes are sent. Then the
 * status is kRLStreamStatusAtEnd, and the client receives kRLStreamEventEndEncountered. A later
 * write fails with EPIPE. Idempotent. A stream over a pipe, which is not a socket, fails with
 * ENOTSOCK: close the stream instead. In a forked child, a TLS session sends nothing.
 *
 * - Returns: True; false if the stream is neither open nor opening, or if the call fails at once.
 * - Ours, no CF counterpart: shutdown(2) with SHUT_WR, or closeWrite() of NSURLSessionStreamTask.
 */
RL_EXPORT Boolean RLWriteStreamFinishWriting(RLWriteStreamRef stream) RL_SWIFT_BLOCKING;

/**
 * Returns a property of the stream, which the caller owns, or null if the stream has no such
 * property. CF: CFReadStreamCopyProperty.
 */
RL_EXPORT RLTypeRef RLReadStreamCopyProperty(RLReadStreamRef stream, RLStringRef propertyName);

/**
 * Returns a property of the stream, like RLReadStreamCopyProperty. CF: CFWriteStreamCopyProperty.
 */
RL_EXPORT RLTypeRef RLWriteStreamCopyProperty(RLWriteStreamRef stream, RLStringRef propertyName);

/**
 * Sets a property of the stream. Returns whether the property was set. CF: CFReadStreamSetProperty.
 */
RL_EXPORT Boolean RLReadStreamSetProperty(RLReadStreamRef stream, RLStringRef propertyName,
                                          RLTypeRef propertyValue);

/** Sets a property of the stream, like RLReadStreamSetProperty. CF: CFWriteStreamSetProperty. */
RL_EXPORT Boolean RLWriteStreamSetProperty(RLWriteStreamRef stream, RLStringRef propertyName,
                                           RLTypeRef propertyValue);

/**
 * Sets the client that receives the stream's events, and returns true. Replaces the former client;
 * a null callback removes the client. `streamEvents` are the events to receive (RLStreamEventType);
 * events that do not occur for this kind of stream are ignored. The context is copied, and may be
 * null. CF: CFReadStreamSetClient.
 */
RL_EXPORT Boolean RLReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents,
                                        RLReadStreamClientCallBack clientCB,
                                        RLStreamClientContext *clientContext);

/**
 * Sets the client that receives the stream's events, like RLReadStreamSetClient.
 * CF: CFWriteStreamSetClient.
 */
RL_EXPORT Boolean RLWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents,
                                         RLWriteStreamClientCallBack clientCB,
                                         RLStreamClientContext *clientContext);

/**
 * Schedules the stream in a mode of a loop, in addition to other modes: the loop delivers events to
 * the client, including pending events. Has no effect on a closed stream.
 * CF: CFReadStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                               RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Schedules the stream in a mode of a loop, like RLReadStreamScheduleWithRunLoop.
 * CF: CFWriteStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Unschedules the stream from a mode of a loop. If no other mode is left, events are pending until
 * the stream is scheduled again. CF: CFReadStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                                 RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Unschedules the stream from a mode of a loop, like RLReadStreamUnscheduleFromRunLoop.
 * CF: CFWriteStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                  RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client on a dispatch queue, a dispatch_queue_t, instead of in loops. Null
 * removes the queue; events then stay pending. Events are delivered one at a time, even on a
 * concurrent queue. While the stream has a queue, which it retains, scheduling the stream in a loop
 * has no effect. The queue retains a stream over a socket until the stream is closed or its queue
 * is removed. Dispatch does not work after a fork: no events are delivered in the child, and
 * closing the stream in the child does not affect the parent's stream. Without libdispatch, the
 * call stops the process. CF: CFReadStreamSetDispatchQueue.
 */
RL_EXPORT void RLReadStreamSetDispatchQueue(RLReadStreamRef stream,
                                            struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client on a dispatch queue instead of in loops, like
 * RLReadStreamSetDispatchQueue. CF: CFWriteStreamSetDispatchQueue.
 */
RL_EXPORT void RLWriteStreamSetDispatchQueue(RLWriteStreamRef stream,
                                             struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns the dispatch queue of the stream, or null. The caller releases the queue with
 * dispatch_release. CF: CFReadStreamCopyDispatchQueue.
 */
RL_EXPORT struct dispatch_queue_s *
RLReadStreamCopyDispatchQueue(RLReadStreamRef stream) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns the dispatch queue of the stream, like RLReadStreamCopyDispatchQueue.
 * CF: CFWriteStreamCopyDispatchQueue.
 */
RL_EXPORT struct dispatch_queue_s *
RLWriteStreamCopyDispatchQueue(RLWriteStreamRef stream) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns whether reading would not block: bytes, EOF or an error are pending. Returns false if the
 * stream is not open. If another thread has taken the bytes of the last event, the client gets an
 * event for the next bytes. CF: CFReadStreamHasBytesAvailable.
 */
RL_EXPORT Boolean RLReadStreamHasBytesAvailable(RLReadStreamRef stream);

/**
 * Reads the available bytes, and blocks if there are none.
 *
 * - Returns: The number of bytes, at most `bufferLength`; 0 at EOF; -1 if the stream fails or is
 *   not open.
 * - CF: CFReadStreamRead.
 */
RL_EXPORT RLIndex RLReadStreamRead(RLReadStreamRef stream, UInt8 *buffer,
                                   RLIndex bufferLength) RL_SWIFT_BLOCKING;

/**
 * Returns whether writing would not block. Returns false if the stream is not open. If another
 * thread has filled the space of the last event, the client gets an event for the next space.
 * CF: CFWriteStreamCanAcceptBytes.
 */
RL_EXPORT Boolean RLWriteStreamCanAcceptBytes(RLWriteStreamRef stream);

/**
 * Writes as many bytes as the stream's buffer takes, and blocks if the buffer is full. If the peer
 * or the reader of a pipe has closed, or a file has the size of RLIMIT_FSIZE, the call fails;
 * neither SIGPIPE nor SIGXFSZ is raised.
 *
 * - Returns: The number of bytes, at least 1 unless `bufferLength` is 0; -1 if the stream fails or
 *   is not open.
 * - CF: CFWriteStreamWrite.
 */
RL_EXPORT RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer,
                                     RLIndex bufferLength) RL_SWIFT_BLOCKING;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_read_stream(RLReadStreamRef stream);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_read_stream(RLReadStreamRef stream);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_write_stream(RLWriteStreamRef stream);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_write_stream(RLWriteStreamRef stream);

RL_EXTERN_C_END

#endif
