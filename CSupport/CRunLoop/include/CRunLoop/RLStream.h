/*
 * Streams of bytes, read and written: over sockets, files and memory, with events in a run loop.
 *
 * Make a stream, give it a client, schedule it in modes of loops, and open it; then the client is
 * called on the loops' threads, with no lock held, when there is something to do. A loop retains a
 * stream that is scheduled in it until that is closed or unscheduled. A stream may also be used
 * without a client: reading and writing block then. All functions may be called from any thread,
 * but one stream is read or written by one thread at a time.
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
     * There is something to read. Comes again after a read that left something. CF:
     * kCFStreamEventHasBytesAvailable.
     */
    kRLStreamEventHasBytesAvailable = 2,
    /** There is room to write. Comes again after a write. CF: kCFStreamEventCanAcceptBytes. */
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

/** Why a stream failed. CF: CFStreamError. */
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
    /** Called when the client is set (what it returns becomes the info) and before callbacks. */
    void *(*retain)(void *info);
    /** Called when the client is replaced or the stream destroyed, and after callbacks. */
    void (*release)(void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(void *info);
} RLStreamClientContext;

/** The callback of a read stream: one event at a time. CF: CFReadStreamClientCallBack. */
typedef void (*RLReadStreamClientCallBack)(RLReadStreamRef stream, RLStreamEventType type,
                                           void *clientCallBackInfo);
/** The callback of a write stream: one event at a time. CF: CFWriteStreamClientCallBack. */
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
 *   - length: How many; a negative number yields null.
 *   - bytesDeallocator: Frees the bytes when the stream is destroyed; null for the thread's default
 *     allocator, kRLAllocatorNull if nothing is to free them and they outlive the stream.
 * - Returns: A stream that the caller owns, or null.
 * - CF: CFReadStreamCreateWithBytesNoCopy.
 */
RL_EXPORT RLReadStreamRef
RLReadStreamCreateWithBytesNoCopy(RLAllocatorRef alloc, const UInt8 *bytes, RLIndex length,
                                  RLAllocatorRef bytesDeallocator) RL_RETURNS_RETAINED;

/**
 * Makes a stream that writes into the client's memory, which must outlive it. Writing more than
 * fits is the error ENOMEM. A null buffer or a negative capacity yields null.
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
 * Makes a stream that writes a regular file, which is made if it does not exist, and emptied if it
 * does unless kRLStreamPropertyAppendToFile is set. Ours, no CF counterpart: CF takes a URL.
 */
RL_EXPORT RLWriteStreamRef RLWriteStreamCreateWithPath(RLAllocatorRef alloc,
                                                       RLStringRef path) RL_RETURNS_RETAINED;

/**
 * Makes two streams over a connected socket.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - sock: The handle. The client closes it when both streams are closed, unless
 *     kRLStreamPropertyShouldCloseNativeSocket is set. A negative one yields null streams.
 *   - readStream: Where to put the stream to read, which the caller owns; may be null.
 *   - writeStream: Where to put the stream to write, which the caller owns; may be null.
 * - CF: CFStreamCreatePairWithSocket.
 */
RL_EXPORT void RLStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock,
                                            RLReadStreamRef *readStream,
                                            RLWriteStreamRef *writeStream);

/**
 * Makes two streams that connect to a host when the first of them is opened, by TCP.
 *
 * Opening does not wait. It looks the name up on a temporary thread and connects in the background,
 * to one address after the other; a numeric address needs no thread. An unknown name is the error
 * EHOSTUNREACH. In a child that is forked during the look-up, the streams stay in the state
 * Opening.
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
 * If the queue of a listening Unix socket is full, the streams fail at once with EAGAIN, as the
 * kernel does not report when there is room: try again later with new streams, or use
 * RLSocketConnectToAddress, which waits.
 *
 * - CF: CFStreamCreatePairWithPeerSocketSignature.
 */
RL_EXPORT void RLStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc,
                                                         const RLSocketSignature *signature,
                                                         RLReadStreamRef *readStream,
                                                         RLWriteStreamRef *writeStream);

/**
 * Makes two streams, of which one reads what is written to the other, through a buffer in memory.
 *
 * Each is opened by itself. When the buffer is full, there is no room to write until something is
 * read. After the writing stream was closed, reading returns what is left and then the end; after
 * the reading stream was closed, writing fails with EPIPE. Two threads may use one stream each.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - readStream: Where to put the stream to read, which the caller owns; not null.
 *   - writeStream: Where to put the stream to write, which the caller owns; not null.
 *   - transferBufferSize: The size of the buffer in bytes, at least 1.
 * - CF: CFStreamCreateBoundPair, which CF for Linux does not have.
 */
RL_EXPORT void RLStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream,
                                       RLWriteStreamRef *writeStream, RLIndex transferBufferSize);

/**
 * The bytes that a stream into memory of its own has written so far, data. CF:
 * kCFStreamPropertyDataWritten.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyDataWritten;
/**
 * Whether a stream to a file appends, a truth value; set it before opening. CF:
 * kCFStreamPropertyAppendToFile.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyAppendToFile;
/**
 * The position of the stream in its file, a number of bytes; may be set before the stream is opened
 * and while it is open, unless it appends. A stream that has reached the end stays there. CF:
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
 * The handle of a stream over a socket, data that holds an RLSocketNativeHandle. If the callback of
 * something else takes the bytes by it, a stream that is announced after that in the same round of
 * the loop waits in its read. CF: kCFStreamPropertySocketNativeHandle.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketNativeHandle;
/**
 * Whether the handle is closed with both streams, a truth value; true by default for handles that
 * the streams have made. CF: kCFStreamPropertyShouldCloseNativeSocket.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyShouldCloseNativeSocket;
/**
 * The time limit for opening a stream over a socket, a number of seconds; 0 for no limit.
 * Ours, no CF counterpart.
 *
 * The time begins when the first of the two streams is opened, and covers looking the name up,
 * connecting and the TLS handshake. Security that is set on open streams begins it anew. When it is
 * over, both streams fail with ETIMEDOUT of kRLStreamErrorDomainPOSIX: in a loop or on a queue by
 * kRLStreamEventErrorOccurred, and in the call that waits. It may be set on either stream at any
 * time, and counts for both; a value that is negative or not a number is not taken. The default is
 * 60 for the server's side of TLS (kRLStreamSSLIsServer), so that clients that say nothing do not
 * stay, and otherwise 0: the kernel decides how often it tries to connect.
 */
RL_EXPORT RLStringRef const kRLStreamPropertyConnectTimeout;

/**
 * The purpose of a stream over a socket: one of the strings that follow. None by default; a value
 * that is none of them is not taken.
 *
 * Packets are marked so that routers and wireless networks can tell them apart, with a code point
 * of differentiated services (DSCP) as RFC 4594 recommends it, in the TOS field of IPv4 and the
 * traffic class of IPv6. Whether they go by it is up to them: most networks of others clear it. And
 * the socket has a priority in the queues of this system (SO_PRIORITY). The value may be set on
 * either stream at any time, and counts for both: before opening, packets are marked from the first
 * one on, later from then on. Where the system refuses to mark packets, they go unmarked.
 *
 * | type | class in RFC 4594 | DSCP | SO_PRIORITY |
 * |---|---|---|---|
 * | Background | low-priority data | CS1, 8 | 1 |
 * | ResponsiveData | low-latency data | AF21, 18 | 4 |
 * | AVStreaming | multimedia streaming | AF31, 26 | 4 |
 * | ResponsiveAV | real-time interactive | CS4, 32 | 4 |
 * | Video | multimedia conferencing | AF41, 34 | 4 |
 * | VoIP, CallSignaling | signaling | CS5, 40 | 6 |
 * | Voice | telephony | EF, 46 | 6 |
 *
 * - CF: kCFStreamNetworkServiceType, of CFNetwork.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceType;
/**
 * The control of voice calls over IP. No app is woken up for it, as iOS once did. CF:
 * kCFStreamNetworkServiceTypeVoIP.
 */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoIP;
/** The pictures of a conference. CF: kCFStreamNetworkServiceTypeVideo. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVideo;
/** Background transfers. CF: kCFStreamNetworkServiceTypeBackground. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeBackground;
/** The voice of a call. CF: kCFStreamNetworkServiceTypeVoice. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeVoice;
/** Data that the user waits for. CF: kCFStreamNetworkServiceTypeResponsiveData. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveData;
/** Sound and pictures that are played as they come. CF: kCFStreamNetworkServiceTypeAVStreaming. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeAVStreaming;
/** Sound and pictures that must not be late. CF: kCFStreamNetworkServiceTypeResponsiveAV. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeResponsiveAV;
/** Signaling of calls. CF: kCFStreamNetworkServiceTypeCallSignaling. */
RL_EXPORT RLStringRef const kRLStreamNetworkServiceTypeCallSignaling;

/** The status of the stream. CF: CFReadStreamGetStatus. */
RL_EXPORT RLStreamStatus RLReadStreamGetStatus(RLReadStreamRef stream);

/** The status of the stream. CF: CFWriteStreamGetStatus. */
RL_EXPORT RLStreamStatus RLWriteStreamGetStatus(RLWriteStreamRef stream);

/**
 * Why the stream failed, an error that the caller owns, of the domain of errno values or of TLS
 * (RLStreamSecurity.h); null if it did not. CF: CFReadStreamCopyError.
 */
RL_EXPORT RLErrorRef RLReadStreamCopyError(RLReadStreamRef stream) RL_RETURNS_RETAINED;

/**
 * Why the stream failed, an error that the caller owns, of the domain of errno values or of TLS
 * (RLStreamSecurity.h); null if it did not. CF: CFWriteStreamCopyError.
 */
RL_EXPORT RLErrorRef RLWriteStreamCopyError(RLWriteStreamRef stream) RL_RETURNS_RETAINED;

/**
 * Reads bytes without copying them, if the stream reads bytes in memory.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - maxBytesToRead: How many at most; if not greater than 0, all.
 *   - numBytesRead: Set to the number of bytes; -1 if the stream failed or is not open, 0 at the
 *     end and if the stream is not in memory. Not null.
 * - Returns: The bytes, valid until the stream is used again; or null, and then use
 *   RLReadStreamRead.
 * - CF: CFReadStreamGetBuffer.
 */
RL_EXPORT const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                             RLIndex *numBytesRead);

/** Why the stream failed; a domain of 0 if it did not. CF: CFReadStreamGetError. */
RL_EXPORT RLStreamError RLReadStreamGetError(RLReadStreamRef stream);

/** Why the stream failed; a domain of 0 if it did not. CF: CFWriteStreamGetError. */
RL_EXPORT RLStreamError RLWriteStreamGetError(RLWriteStreamRef stream);

/**
 * Opens the stream, or begins to. The client is not called from here, but by the loops and queues
 * in which the stream is scheduled; on other threads that may happen before this returns.
 *
 * - Returns: False if it fails at once, or was opened before.
 * - CF: CFReadStreamOpen.
 */
RL_EXPORT Boolean RLReadStreamOpen(RLReadStreamRef stream);

/**
 * Opens the stream, or begins to. The client is not called from here, but by the loops and queues
 * in which the stream is scheduled; on other threads that may happen before this returns.
 *
 * - Returns: False if it fails at once, or was opened before.
 * - CF: CFWriteStreamOpen.
 */
RL_EXPORT Boolean RLWriteStreamOpen(RLWriteStreamRef stream);

/**
 * Closes the stream, removes it from all loops, and ends its events. A stream can be opened only
 * once; one that was not opened leaves its loops and its queue, and can be opened still. A handle
 * that two streams share is closed with the second one. A read that waits on another thread ends.
 *
 * - CF: CFReadStreamClose.
 */
RL_EXPORT void RLReadStreamClose(RLReadStreamRef stream);

/**
 * Closes the stream, removes it from all loops, and ends its events. A stream can be opened only
 * once; closing one that was not opened does nothing. A handle that two streams share is closed
 * with the second one. A write that waits on another thread ends.
 *
 * - CF: CFWriteStreamClose.
 */
RL_EXPORT void RLWriteStreamClose(RLWriteStreamRef stream);

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
 *   - clientCB: What to call; null removes the client.
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
 *   - clientCB: What to call; null removes the client.
 *   - clientContext: The client's data, copied; may be null.
 * - Returns: True.
 * - CF: CFWriteStreamSetClient.
 */
RL_EXPORT Boolean RLWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents,
                                         RLWriteStreamClientCallBack clientCB,
                                         RLStreamClientContext *clientContext);

/**
 * Delivers events to the client in a mode of a loop, in addition to others. Events that were not
 * delivered before come then. Has no effect on a closed stream.
 *
 * - CF: CFReadStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                               RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client in a mode of a loop, in addition to others. Events that were not
 * delivered before come then. Has no effect on a closed stream.
 *
 * - CF: CFWriteStreamScheduleWithRunLoop.
 */
RL_EXPORT void RLWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Stops delivering events in a mode of a loop; events are kept until the stream is scheduled again.
 * CF: CFReadStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop,
                                                 RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Stops delivering events in a mode of a loop; events are kept until the stream is scheduled again.
 * CF: CFWriteStreamUnscheduleFromRunLoop.
 */
RL_EXPORT void RLWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop,
                                                  RLRunLoopMode runLoopMode) RL_SWIFT_SECOND_CHOICE;

/**
 * Delivers events to the client on a dispatch queue, and in no loop any more. Events are delivered
 * one at a time, also on a concurrent queue. Scheduling the stream in a loop has no effect while it
 * has a queue.
 *
 * A stream over a socket lives until it is closed or its queue is removed. Dispatch does not
 * survive a fork: in the child no events are delivered, and closing the stream there does not
 * affect the parent's. Without libdispatch the process stops.
 *
 * - Parameters:
 *   - stream: The stream.
 *   - q: A dispatch_queue_t, which is retained; null removes the queue, and events are kept then.
 * - CF: CFReadStreamSetDispatchQueue.
 */
RL_EXPORT void RLReadStreamSetDispatchQueue(RLReadStreamRef stream,
                                            struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/** As RLReadStreamSetDispatchQueue. CF: CFWriteStreamSetDispatchQueue. */
RL_EXPORT void RLWriteStreamSetDispatchQueue(RLWriteStreamRef stream,
                                             struct dispatch_queue_s *q) RL_SWIFT_SECOND_CHOICE;

/**
 * The queue of the stream, which the caller gives to dispatch_release, or null. CF:
 * CFReadStreamCopyDispatchQueue.
 */
RL_EXPORT struct dispatch_queue_s *
RLReadStreamCopyDispatchQueue(RLReadStreamRef stream) RL_SWIFT_SECOND_CHOICE;

/**
 * The queue of the stream, which the caller gives to dispatch_release, or null. CF:
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
 * Reads what is available, and waits if nothing is.
 *
 * - Returns: How many bytes, at most `bufferLength`; 0 at the end; -1 if the stream fails or is not
 *   open.
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
 * Writes as much as there is room for, and waits if there is none. If the peer is gone, this is an
 * error and sends no signal.
 *
 * - Returns: How many bytes, at least 1 unless `bufferLength` is 0; -1 if the stream fails or is
 *   not open.
 * - CF: CFWriteStreamWrite.
 */
RL_EXPORT RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer,
                                     RLIndex bufferLength) RL_SWIFT_BLOCKING;

/**
 * The reference functions that Swift calls for streams, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
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
