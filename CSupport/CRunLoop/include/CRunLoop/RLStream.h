/*
 * Streams of bytes, read and written: over sockets, files and memory, with events in a run loop.
 *
 * Make a stream, set its client, schedule it in modes of loops, and open it. The client is then
 * called with the stream's events on the loops' threads, with no lock held. A loop retains a stream
 * until it is closed or unscheduled. Without a client, reading and writing block. All functions may
 * be called from any thread, but one stream is read or written by one thread at a time.
 */

#ifndef CRUNLOOP_RLSTREAM_H
#define CRUNLOOP_RLSTREAM_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLError.h>
#include <CRunLoop/RLRunLoop.h>
#include <CRunLoop/RLSocket.h>
#include <CRunLoop/RLURL.h>

RL_EXTERN_C_BEGIN

/* libdispatch's: a dispatch_queue_t points to one. */
struct dispatch_queue_s;

#if defined(__swift__)
/** A stream that is read. CF: CFReadStreamRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_read_stream, rl_swift_release_read_stream)
    RL_SWIFT_NAME(RLReadStreamRef) RLOpaqueReadStream {
    uintptr_t _reserved;
};

/** A stream that is written. CF: CFWriteStreamRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_write_stream, rl_swift_release_write_stream)
    RL_SWIFT_NAME(RLWriteStreamRef) RLOpaqueWriteStream {
    uintptr_t _reserved;
};

#define RLReadStreamRef struct RLOpaqueReadStream *
#define RLWriteStreamRef struct RLOpaqueWriteStream *
#else
/** A reference to a stream that is read. CF: CFReadStreamRef. */
typedef struct __CFReadStream *RLReadStreamRef;
/** A reference to a stream that is written. CF: CFWriteStreamRef. */
typedef struct __CFWriteStream *RLWriteStreamRef;
#endif

/** The status of a stream. CF: CFStreamStatus. */
RL_CLOSED_ENUM(RLIndex, RLStreamStatus) {
    /** It has not been opened. CF: kCFStreamStatusNotOpen. */
    kRLStreamStatusNotOpen = 0,
    /** It is being opened. CF: kCFStreamStatusOpening. */
    kRLStreamStatusOpening,
    /** It is open. CF: kCFStreamStatusOpen. */
    kRLStreamStatusOpen,
    /** It is being read; not reported here. CF: kCFStreamStatusReading. */
    kRLStreamStatusReading,
    /** It is being written; not reported here. CF: kCFStreamStatusWriting. */
    kRLStreamStatusWriting,
    /** Everything was read. CF: kCFStreamStatusAtEnd. */
    kRLStreamStatusAtEnd,
    /** It was closed. CF: kCFStreamStatusClosed. */
    kRLStreamStatusClosed,
    /** It failed, see RLReadStreamGetError. CF: kCFStreamStatusError. */
    kRLStreamStatusError
};

/** The key of a property. CF: CFStreamPropertyKey. */
typedef RLStringRef RLStreamPropertyKey;

/** The events of a stream. CF: CFStreamEventType. */
RL_OPTIONS(RLOptionFlags, RLStreamEventType) {
    /** Nothing. CF: kCFStreamEventNone. */
    kRLStreamEventNone = 0,
    /** The stream is open. CF: kCFStreamEventOpenCompleted. */
    kRLStreamEventOpenCompleted = 1,
    /**
     * Bytes are available. Occurs again after a read that left some. CF:
     * kCFStreamEventHasBytesAvailable.
     */
    kRLStreamEventHasBytesAvailable = 2,
    /** A write would not block. Occurs again after a write. CF: kCFStreamEventCanAcceptBytes. */
    kRLStreamEventCanAcceptBytes = 4,
    /** The stream failed. CF: kCFStreamEventErrorOccurred. */
    kRLStreamEventErrorOccurred = 8,
    /** Everything was read. CF: kCFStreamEventEndEncountered. */
    kRLStreamEventEndEncountered = 16
};

/** The domain of an error's number. CF: CFStreamErrorDomain. */
RL_CLOSED_ENUM(RLIndex, RLStreamErrorDomain) {
    /** Custom. CF: kCFStreamErrorDomainCustom. */
    kRLStreamErrorDomainCustom = -1L,
    /**
     * It is an errno value. Errors of TLS have the domain kRLStreamErrorDomainSSL. CF:
     * kCFStreamErrorDomainPOSIX.
     */
    kRLStreamErrorDomainPOSIX = 1,
    /** From Mac OS. CF: kCFStreamErrorDomainMacOSStatus. */
    kRLStreamErrorDomainMacOSStatus = 2
};

/** The error of a stream. CF: CFStreamError. */
typedef struct {
    /** An RLStreamErrorDomain; 0 if there is no error. */
    RLIndex domain;
    /** The error's number, such as ECONNREFUSED. */
    SInt32 error;
} RLStreamError;

/** The client data of a stream; each function may be null. CF: CFStreamClientContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the client is set, and before callbacks. The first result becomes the info. */
    void *(*retain)(void *info);
    /** Called when the client is replaced or the stream destroyed, and after callbacks. */
    void (*release)(void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(void *info);
} RLStreamClientContext;

/** The callback of a read stream, with one event at a time. CF: CFReadStreamClientCallBack. */
typedef void (*RLReadStreamClientCallBack)(RLReadStreamRef stream, RLStreamEventType type,
                                           void *clientCallBackInfo);
/** The callback of a write stream, with one event at a time. CF: CFWriteStreamClientCallBack. */
typedef void (*RLWriteStreamClientCallBack)(RLWriteStreamRef stream, RLStreamEventType type,
                                            void *clientCallBackInfo);

/** The type number of read streams. CF: CFReadStreamGetTypeID. */
RL_EXPORT RLTypeID RLReadStreamGetTypeID(void);
/** The type number of write streams. CF: CFWriteStreamGetTypeID. */
RL_EXPORT RLTypeID RLWriteStreamGetTypeID(void);

/**
 * Makes a stream that reads bytes in memory.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - bytes: The bytes; must not change. May be null if `length` is 0.
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
 * Makes a stream that writes into the client's memory, which must outlive the stream. Writing more
 * than fits fails with ENOMEM. A null buffer or a negative capacity yields null.
 *
 * - CF: CFWriteStreamCreateWithBuffer.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithBuffer(
    RLAllocatorRef alloc, UInt8 *buffer, RLIndex bufferCapacity) RL_RETURNS_RETAINED;

/**
 * Makes a stream that writes into memory of its own: see kRLStreamPropertyDataWritten. Both
 * allocators are ignored. CF: CFWriteStreamCreateWithAllocatedBuffers.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithAllocatedBuffers(
    RLAllocatorRef alloc, RLAllocatorRef bufferAllocator) RL_RETURNS_RETAINED;

/**
 * As RLReadStreamCreateWithPath, with a URL. CF: CFReadStreamCreateWithFile.
 */
RL_EXPORT RLReadStreamRef RLReadStreamCreateWithFile(RLAllocatorRef alloc,
                                                     RLURLRef fileURL) RL_RETURNS_RETAINED;

/**
 * As RLWriteStreamCreateWithPath, with a URL. CF: CFWriteStreamCreateWithFile.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithFile(RLAllocatorRef alloc,
                                                       RLURLRef fileURL) RL_RETURNS_RETAINED;

/**
 * Makes a stream that reads a regular file, which is always ready. The path is used when the stream
 * is opened. Ours, no CF counterpart: CF takes a URL.
 */
RL_EXPORT RLReadStreamRef RLReadStreamCreateWithPath(RLAllocatorRef alloc,
                                                     RLStringRef path) RL_RETURNS_RETAINED;

/**
 * Makes a stream that writes a regular file and creates it if it does not exist. An existing file
 * is truncated, unless kRLStreamPropertyAppendToFile is set. Ours, no CF counterpart: CF takes a
 * URL.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithPath(RLAllocatorRef alloc,
                                                       RLStringRef path) RL_RETURNS_RETAINED;

/**
 * Makes two streams over a connected socket.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - sock: The handle. The client owns it, and closes it after both streams, unless
 *     kRLStreamPropertyShouldCloseNativeSocket is set. A negative one yields null streams.
 *   - readStream: Receives the stream to read, which the caller owns; may be null.
 *   - writeStream: Receives the stream to write, which the caller owns; may be null.
 * - CF: CFStreamCreatePairWithSocket.
 */
RL_EXPORT void RLStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock,
                                            RLReadStreamRef *readStream,
                                            RLWriteStreamRef *writeStream);

/**
 * Makes two streams that connect to a host by TCP when the first of them is opened. Opening does
 * not block. A temporary thread looks the name up, and the streams connect to one address after the
 * other in the background. A numeric address needs no thread. An unknown name fails with
 * EHOSTUNREACH. In a child that is forked during the lookup, the streams stay in the state Opening.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - host: A name, or a numeric address of IPv4 or IPv6.
 *   - port: From 1 to 65535; a greater number stops the process.
 *   - readStream: As for RLStreamCreatePairWithSocket; null if the system has no more sockets.
 *   - writeStream: As for RLStreamCreatePairWithSocket.
 * - CF: CFStreamCreatePairWithSocketToHost.
 */
RL_EXPORT void RLStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host,
                                                  UInt32 port, RLReadStreamRef *readStream,
                                                  RLWriteStreamRef *writeStream);

/**
 * Makes two streams that connect to the signature's address when the first of them is opened;
 * otherwise as RLStreamCreatePairWithSocketToHost.
 *
 * If the queue of a listening Unix socket is full, the streams fail at once with EAGAIN, because
 * the kernel does not report space there. Retry later with new streams, or use
 * RLSocketConnectToAddress, which waits.
 *
 * - CF: CFStreamCreatePairWithPeerSocketSignature.
 */
RL_EXPORT void RLStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc,
                                                         const RLSocketSignature *signature,
                                                         RLReadStreamRef *readStream,
                                                         RLWriteStreamRef *writeStream);

/**
 * Makes two streams: one reads the bytes that are written to the other, through a buffer in memory.
 * Each is opened by itself. When the buffer is full, writing blocks until some bytes are read.
 * After the writing stream was closed, reading returns the rest and then the end. After the reading
 * stream was closed, writing fails with EPIPE. Two threads may use one stream each.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - readStream: Receives the stream to read, which the caller owns; not null.
 *   - writeStream: Receives the stream to write, which the caller owns; not null.
 *   - transferBufferSize: The size of the buffer in bytes, at least 1.
 * - CF: CFStreamCreateBoundPair, which CF for Linux does not have.
 */
RL_EXPORT void RLStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream,
                                       RLWriteStreamRef *writeStream, RLIndex transferBufferSize);

/**
 * The bytes that a stream has written into its own memory so far: data. CF:
 * kCFStreamPropertyDataWritten.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyDataWritten;
/**
 * Whether a stream to a file appends, a Boolean; set it before opening. CF:
 * kCFStreamPropertyAppendToFile.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyAppendToFile;
/**
 * The stream's offset in its file, a number of bytes. It may be set before the stream is opened and
 * while it is open, unless the stream appends. A stream that has reached the end stays there. CF:
 * kCFStreamPropertyFileCurrentOffset.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyFileCurrentOffset;
/**
 * The host that a pair of streams was made to connect to, a string. CF:
 * kCFStreamPropertySocketRemoteHostName.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketRemoteHostName;
/**
 * The port that a pair of streams was made to connect to, a number. CF:
 * kCFStreamPropertySocketRemotePortNumber.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketRemotePortNumber;
/**
 * The handle of a stream over a socket, data that holds an RLSocketNativeHandle. If another
 * callback reads the bytes from it in the same pass, a later read of the stream blocks. CF:
 * kCFStreamPropertySocketNativeHandle.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketNativeHandle;
/**
 * Whether the handle is closed with both streams, a Boolean; true by default for handles that
 * the streams have made. CF: kCFStreamPropertyShouldCloseNativeSocket.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyShouldCloseNativeSocket;
/**
 * The time-out for establishing a connection, a number of seconds; 0 for none.
 * Ours, no CF counterpart.
 *
 * It starts when the first of the two streams is opened, and covers name lookup, connecting and the
 * TLS handshake. Setting security on open streams restarts it. When it expires, both streams fail
 * with ETIMEDOUT of kRLStreamErrorDomainPOSIX: in a loop or on a queue by
 * kRLStreamEventErrorOccurred, and in a blocking call. It may be set on either stream at any time,
 * and applies to both. A value that is negative or NaN is refused. The default is 60 for
 * the server's side of TLS (kRLStreamSSLIsServer), which closes silent connections. Otherwise it is
 * 0, and the kernel decides how often it retries.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyConnectTimeout;

/**
 * The purpose of a stream over a socket: one of the strings below. None by default; other values
 * are refused.
 *
 * Packets are marked with a code point of differentiated services (DSCP) as recommended by RFC
 * 4594, in the TOS field of IPv4 and the traffic class of IPv6. Routers and wireless networks may
 * ignore or clear it. The socket also has a priority in the queues of this system (SO_PRIORITY).
 * The value may be set on either stream at any time, and applies to both from then on. Where the
 * system refuses to mark packets, they are sent unmarked.
 *
 * | type | class in RFC 4594 | DSCP | SO_PRIORITY | |---|---|---|---| | Background | low-priority
 * data | CS1, 8 | 1 | | ResponsiveData | low-latency data | AF21, 18 | 4 | | AVStreaming |
 * multimedia streaming | AF31, 26 | 4 | | ResponsiveAV | real-time interactive | CS4, 32 | 4 | |
 * Video | multimedia conferencing | AF41, 34 | 4 | | VoIP, CallSignaling | signaling | CS5, 40 | 6
 * | | Voice | telephony | EF, 46 | 6 |
 *
 * - CF: kCFStreamNetworkServiceType, of CFNetwork.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceType;
/**
 * The control of voice calls over IP. Unlike iOS once did, the system wakes no app for it. CF:
 * kCFStreamNetworkServiceTypeVoIP.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoIP;
/**
 * The video of a conference: packets have DSCP AF41 and priority 4 (kRLStreamNetworkServiceType).
 * CF: kCFStreamNetworkServiceTypeVideo.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVideo;
/**
 * Background transfers: packets have DSCP CS1 and priority 1. CF:
 * kCFStreamNetworkServiceTypeBackground.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeBackground;
/**
 * The audio of a call: packets have DSCP EF and priority 6. CF: kCFStreamNetworkServiceTypeVoice.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoice;
/**
 * Data that the user waits for: packets have DSCP AF21 and priority 4. CF:
 * kCFStreamNetworkServiceTypeResponsiveData.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveData;
/**
 * Audio and video streams: packets have DSCP AF31 and priority 4. CF:
 * kCFStreamNetworkServiceTypeAVStreaming.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeAVStreaming;
/**
 * Interactive audio and video, which must not be late: packets have DSCP CS4 and priority 4. CF:
 * kCFStreamNetworkServiceTypeResponsiveAV.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveAV;
/**
 * Signaling of calls: packets have DSCP CS5 and priority 6. CF:
 * kCFStreamNetworkServiceTypeCallSignaling.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeCallSignaling;

/** The status of the stream. CF: CFReadStreamGetStatus. */
RL_EXPORT RLStreamStatus RLReadStreamGetStatus(RLReadStreamRef stream);

/** The status of the stream. CF: CFWriteStreamGetStatus. */
RL_EXPORT RLStreamStatus RLWriteStreamGetStatus(RLWriteStreamRef stream);

/**
 * The error with which the stream failed, of the domain of errno values or of TLS
 * (RLStreamSecurity.h); null if it did not fail. The caller owns it. CF: CFReadStreamCopyError.
 */
RL_EXPORT RLErrorRef RLReadStreamCopyError(RLReadStreamRef stream) RL_RETURNS_RETAINED;

/**
 * The error with which the stream failed, of the domain of errno values or of TLS
 * (RLStreamSecurity.h); null if it did not fail. The caller owns it. CF: CFWriteStreamCopyError.
 */
RL_EXPORT RLErrorRef RLWriteStreamCopyError(RLWriteStreamRef stream) RL_RETURNS_RETAINED;

/**
 * Reads bytes without copying them, if the stream reads bytes in memory.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - maxBytesToRead: The greatest number of bytes; 0 or less for all.
 *   - numBytesRead: Receives the number of bytes: -1 if the stream failed or is not open, 0 at the
 *     end and if the stream is not in memory. Not null.
 * - Returns: The bytes, valid until the stream is used again. If it is null, use RLReadStreamRead.
 * - CF: CFReadStreamGetBuffer.
 */
RL_EXPORT const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                             RLIndex *numBytesRead);

/**
 * The error with which the stream failed; a domain of 0 if it did not. CF: CFReadStreamGetError.
 */
RL_EXPORT RLStreamError RLReadStreamGetError(RLReadStreamRef stream);

/**
 * The error with which the stream failed; a domain of 0 if it did not. CF: CFWriteStreamGetError.
 */
RL_EXPORT RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream);

/**
 * Opens the stream, or begins to. The loops and queues in which the stream is scheduled call the
 * client; on other threads that may happen before this returns.
 *
 * - Returns: False if it fails at once, or was opened before.
 * - CF: CFReadStreamOpen.
 */
RL_EXPORT Boolean RLReadStreamOpen(RLReadStreamRef stream);

/**
 * Opens the stream, or begins to. The loops and queues in which the stream is scheduled call the
 * client; on other threads that may happen before this returns.
 *
 * - Returns: False if it fails at once, or was opened before.
 * - CF: CFWriteStreamOpen.
 */
RL_EXPORT Boolean RLWriteStreamOpen(RLWriteStreamRef stream);

/**
 * Closes the stream, removes it from all loops, and ends its events. A stream can be opened only
 * once. One that was not opened is removed from its loops and its queue, and can still be opened. A
 * handle that two streams share is closed with the second one; until then the peer receives no end:
 * see RLWriteStreamFinishWriting. A blocking read on another thread ends.
 *
 * - CF: CFReadStreamClose.
 */
RL_EXPORT void RLReadStreamClose(RLReadStreamRef stream);

/**
 * Closes the stream, removes it from all loops, and ends its events. A stream can be opened only
 * once; closing one that was not opened does nothing. A handle that two streams share is closed
 * with the second one; until then the peer receives no end: see RLWriteStreamFinishWriting. A
 * blocking write on another thread ends.
 *
 * - CF: CFWriteStreamClose.
 */
RL_EXPORT void RLWriteStreamClose(RLWriteStreamRef stream);

/**
 * Half-closes the stream: the peer receives all bytes written so far and then EOF, and its response
 * can still be read. A socket sends a FIN, a TLS session a close_notify before it. The reader of a
 * bound pair, of which this is the writer, receives the end. For other kinds of streams it ends
 * only this stream.
 *
 * Does not block a stream that was ever in a loop or on a queue: the rest is sent there, or while
 * the other stream of the pair is read, or after both are closed. In others it blocks until all is
 * sent, like a write. Then the status is kRLStreamStatusAtEnd, and the client receives
 * kRLStreamEventEndEncountered. A later write fails with EPIPE. Calling it again does nothing. A
 * pipe, whose handle is no socket, fails with ENOTSOCK: close the stream instead. In a forked child
 * a TLS session sends nothing.
 *
 * - Returns: False if the stream is not open or opening, or if it fails at once.
 * - Ours, no CF counterpart: shutdown(2) with SHUT_WR, or closeWrite() of NSURLSessionStreamTask.
 */
RL_EXPORT Boolean RLWriteStreamFinishWriting(RLWriteStreamRef stream) RL_SWIFT_BLOCKING;

/**
 * Returns a property of the stream, which the caller owns, or null if it has no such property. CF:
 * CFReadStreamCopyProperty.
 */
RL_EXPORT RLTypeRef RLReadStreamCopyProperty(RLReadStreamRef stream, RLStringRef propertyName);

/**
 * Returns a property of the stream, which the caller owns, or null if it has no such property. CF:
 * CFWriteStreamCopyProperty.
 */
RL_EXPORT RLTypeRef RLWriteStreamCopyProperty(RLWriteStreamRef stream, RLStringRef propertyName);

/** Sets a property. Returns whether it can be set. CF: CFReadStreamSetProperty. */
RL_EXPORT Boolean RLReadStreamSetProperty(RLReadStreamRef stream, RLStringRef propertyName,
                                          RLTypeRef propertyValue);

/** Sets a property. Returns whether it can be set. CF: CFWriteStreamSetProperty. */
RL_EXPORT Boolean RLWriteStreamSetProperty(RLWriteStreamRef stream, RLStringRef propertyName,
                                           RLTypeRef propertyValue);

/**
 * Sets the client that receives the stream's events, and replaces the former one.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - streamEvents: The events to receive, RLStreamEventType. Events that do not occur for this
 *     kind of stream are ignored.
 *   - clientCB: The callback; null removes the client.
 *   - clientContext: The client's data, copied; may be null.
 * - Returns: True.
 * - CF: CFReadStreamSetClient.
 */
RL_EXPORT Boolean RLReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents,
                                        RLReadStreamClientCallBack clientCB,
                                        RLStreamClientContext *clientContext);

/**
 * Sets the client that receives the stream's events, and replaces the former one.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - streamEvents: The events to receive, RLStreamEventType. Events that do not occur for this
 *     kind of stream are ignored.
 *   - clientCB: The callback; null removes the client.
 *   - clientContext: The client's data, copied; may be null.
 * - Returns: True.
 * - CF: CFWriteStreamSetClient.
 */
RL_EXPORT Boolean RLWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents,
                                         RLWriteStreamClientCallBack clientCB,
                                         RLStreamClientContext *clientContext);

/**
 * Delivers events to the client in a mode of a loop, in addition to others. Pending events are
 * delivered then. Has no effect on a closed stream.
 *
 * - CF: CFReadStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                               RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client in a mode of a loop, in addition to others. Pending events are
 * delivered then. Has no effect on a closed stream.
 *
 * - CF: CFWriteStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Stops delivering events in a mode of a loop. Events are pending until the stream is scheduled
 * again. CF: CFReadStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                                 RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Stops delivering events in a mode of a loop. Events are pending until the stream is scheduled
 * again. CF: CFWriteStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                  RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client on a dispatch queue and no longer in loops. Events are delivered
 * one at a time, also on a concurrent queue. Scheduling the stream in a loop has no effect while it
 * has a queue. The queue retains a stream over a socket until it is closed or its queue is removed.
 * Dispatch does not work after a fork: in the child no events are delivered, and closing the stream
 * there does not affect the parent's. Without libdispatch the process stops.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - q: A dispatch_queue_t, which is retained. Null removes the queue; events are pending then.
 * - CF: CFReadStreamSetDispatchQueue.
 */
RL_EXPORT void RLReadStreamSetDispatchQueue(RLReadStreamRef stream,
                                            struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/** As RLReadStreamSetDispatchQueue. CF: CFWriteStreamSetDispatchQueue. */
RL_EXPORT void RLWriteStreamSetDispatchQueue(RLWriteStreamRef stream,
                                             struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/**
 * The queue of the stream, or null. The caller releases it by dispatch_release. CF:
 * CFReadStreamCopyDispatchQueue.
 */
RL_EXPORT struct dispatch_queue_s *
RLReadStreamCopyDispatchQueue(RLReadStreamRef stream) RL_SWIFT_SECOND_CHOICE;

/**
 * The queue of the stream, or null. The caller releases it by dispatch_release. CF:
 * CFWriteStreamCopyDispatchQueue.
 */
RL_EXPORT struct dispatch_queue_s *
RLWriteStreamCopyDispatchQueue(RLWriteStreamRef stream) RL_SWIFT_SECOND_CHOICE;

/**
 * Whether reading would not block: there are bytes, the end, or an error. False unless the stream
 * is open. CF: CFReadStreamHasBytesAvailable.
 */
RL_EXPORT Boolean RLReadStreamHasBytesAvailable(RLReadStreamRef stream);

/**
 * Reads the available bytes, and blocks if there are none.
 *
 * - Returns: The number of bytes, at most `bufferLength`; 0 at the end; -1 if the stream fails or
 *   is not open.
 * - CF: CFReadStreamRead.
 */
RL_EXPORT RLIndex RLReadStreamRead(RLReadStreamRef stream, UInt8 *buffer,
                                   RLIndex bufferLength) RL_SWIFT_BLOCKING;

/**
 * Whether writing would not block. False unless the stream is open. CF:
 * CFWriteStreamCanAcceptBytes.
 */
RL_EXPORT Boolean RLWriteStreamCanAcceptBytes(RLWriteStreamRef stream);

/**
 * Writes as many bytes as the buffer takes, and blocks if it is full. If the peer, or the reader of
 * a pipe, has closed, this is an error; SIGPIPE is not sent.
 *
 * - Returns: The number of bytes, at least 1 unless `bufferLength` is 0; -1 if the stream fails or
 *   is not open.
 * - CF: CFWriteStreamWrite.
 */
RL_EXPORT RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer,
                                     RLIndex bufferLength) RL_SWIFT_BLOCKING;

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_read_stream(RLReadStreamRef stream);
/** @see rl_swift_retain_read_stream */
RL_EXPORT void rl_swift_release_read_stream(RLReadStreamRef stream);
/** @see rl_swift_retain_read_stream */
RL_EXPORT void rl_swift_retain_write_stream(RLWriteStreamRef stream);
/** @see rl_swift_retain_read_stream */
RL_EXPORT void rl_swift_release_write_stream(RLWriteStreamRef stream);

RL_EXTERN_C_END

#endif
