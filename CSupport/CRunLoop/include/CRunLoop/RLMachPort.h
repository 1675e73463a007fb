/*
 * Mach ports: queues of messages with many senders, in any thread or process, and one receiver.
 *
 * Linux has no Mach ports; here a port is a socket pair (AF_UNIX, SOCK_SEQPACKET), and its name is
 * a descriptor. RLMachPortCreate makes both ends: the object receives, and RLMachPortGetPort is the
 * descriptor to send to, for all threads and for the processes that inherit or receive it.
 * RLMachPortCreateWithPort takes a descriptor that other code made.
 *
 * A message is a header and bytes that follow it in memory, as with mach_msg; RLMachPortSend sends
 * it. The queue is bounded by the kernel, in bytes (SO_SNDBUF): senders wait for space, up to their
 * time-out. One message is delivered per pass of a loop and port, in the order of sending. When the
 * receiving end is closed, by invalidation or by the end of its process, sending fails, also for
 * senders that wait. Queued messages are lost then.
 *
 * Data that was not sent by RLMachPortSend is dropped, with a line on standard error for the first
 * of each port. If receiving fails for lack of resources, the port retries every five milliseconds;
 * its loop does nothing else in between.
 *
 * Descriptors are closed on exec. To pass one to an executed program, clear the flag in the child
 * (fcntl, or dup2). In a child of fork without exec the ports of the parent are invalid, as Mach
 * ports are. Their descriptors still send to the parent.
 *
 * All functions may be called from any thread. No lock is held while a callback is called. A null
 * argument, or one of another type, stops the process with a line that names the function, unless
 * stated otherwise.
 */

#ifndef CRUNLOOP_RLMACHPORT_H
#define CRUNLOOP_RLMACHPORT_H

#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A Mach port. CF: CFMachPortRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_mach_port, rl_swift_release_mach_port)
    RL_SWIFT_NAME(RLMachPortRef) RLOpaqueMachPort {
    uintptr_t _reserved;
};

#define RLMachPortRef struct RLOpaqueMachPort *
#else
/** A reference to a Mach port. CF: CFMachPortRef. */
typedef struct __CFMachPort *RLMachPortRef;
#endif

/**
 * The name of a port: a descriptor to send to or to receive from. Ours, no CF counterpart:
 * mach_port_t.
 */
typedef SInt32 RLMachPortName;

/**
 * The header of a message; its other bytes follow.
 *
 * Ours, no CF counterpart: mach_msg_header_t.
 */
typedef struct {
    /** The size of the message in bytes, header included. */
    UInt32 size;
    /** A number that identifies the kind of message to the receiver. */
    SInt32 messageID;
    /**
     * The port for a reply, or -1. In a received message it is closed after the callback, unless
     * the callback takes it over and sets this to -1.
     */
    RLMachPortName replyPort;
    /**
     * In a received message, the result of RLMachPortGetPort for the port; ignored otherwise.
     */
    RLMachPortName localPort;
} RLMachMessageHeader;

/** The results of RLMachPortSend. */
RL_ENUM_CONSTANTS(SInt32) {
    /**
     * The message is in the queue: MACH_MSG_SUCCESS. Ours, no CF counterpart: mach_msg returns it,
     * and the errors below.
     */
    kRLMachPortSuccess = 0,
    /** The queue was full until the time-out: MACH_SEND_TIMED_OUT. */
    kRLMachPortSendTimedOut = -1,
    /** The receiving end is closed, or the descriptor is not a port: MACH_SEND_INVALID_DEST. */
    kRLMachPortInvalidDestination = -2,
    /**
     * The size is less than a header, or more than 64 MiB and a header: MACH_SEND_MSG_TOO_SMALL.
     */
    kRLMachPortInvalidSize = -3,
    /** The reply port is not a descriptor that can be sent: MACH_SEND_INVALID_RIGHT. */
    kRLMachPortInvalidReplyPort = -4,
    /** The system lacks memory or descriptors: MACH_SEND_NO_BUFFER. */
    kRLMachPortNoResources = -5
};

/**
 * Receives a message, on the thread of the loop that serves the port: `message` points to its
 * header, which the other bytes follow; `size` is the size of both. Valid until the callback
 * returns. CF: CFMachPortCallBack.
 */
typedef void (*RLMachPortCallBack)(RLMachPortRef port, void *message, RLIndex size, void *info);

/** Called once, when the port has become invalid. CF: CFMachPortInvalidationCallBack. */
typedef void (*RLMachPortInvalidationCallBack)(RLMachPortRef port, void *info);

/** The client data of a port; each function may be null. CF: CFMachPortContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Called when the port is made, and before each callback. The first result becomes the info.
     */
    const void *(*retain)(const void *info);
    /** Called when the port has become invalid, and after each callback. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLMachPortContext;

/** The type number of Mach ports. CF: CFMachPortGetTypeID. */
RL_EXPORT RLTypeID RLMachPortGetTypeID(void);

/**
 * Makes a port with both ends.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - callout: Called with each message; null drops them.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info; may be null.
 * - Returns: A port that the caller owns, or null if the process has no more descriptors.
 * - CF: CFMachPortCreate.
 */
RL_EXPORT RLMachPortRef RLMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout,
                                         const RLMachPortContext *context,
                                         Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Makes a port that receives from a descriptor. The client owns the descriptor, and closes it after
 * the port has become invalid. When the other end is closed, the port becomes invalid. A port made
 * from the sending end receives nothing and becomes invalid in time.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - port: An end of RLMachPortCreatePair, or a descriptor that another process made so. For the
 *     result of RLMachPortGetPort, the port that has it is returned, retained.
 *   - callout: Called with each message; null drops them.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info, because there was a port
 *     already; may be null.
 * - Returns: A port that the caller owns; null, with a line on standard error, if the descriptor is
 *   not such a socket.
 * - CF: CFMachPortCreateWithPort.
 */
RL_EXPORT RLMachPortRef RLMachPortCreateWithPort(RLAllocatorRef allocator, RLMachPortName port,
                                                 RLMachPortCallBack callout,
                                                 const RLMachPortContext *context,
                                                 Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Makes the two ends of a port, for a receiver in another process; the caller closes both.
 *
 * - Parameters:
 *   - ret_receiver: Receives the end for RLMachPortCreateWithPort.
 *   - ret_sender: Receives the end for RLMachPortSend.
 * - Returns: Whether they were made: false if the process has no more descriptors.
 * - Ours, no CF counterpart: mach_port_allocate and mach_port_insert_right.
 */
RL_EXPORT Boolean RLMachPortCreatePair(RLMachPortName *ret_receiver, RLMachPortName *ret_sender);

/**
 * The descriptor to send to; for a port made by RLMachPortCreateWithPort, the one that it was made
 * with. It stays open as long as the object exists, even if the port is invalid.
 *
 * - CF: CFMachPortGetPort.
 */
RL_EXPORT RLMachPortName RLMachPortGetPort(RLMachPortRef port);

/**
 * Copies the client data. The info is null when the port is invalid. `context` must not be null;
 * its version is set.
 *
 * - CF: CFMachPortGetContext.
 */
RL_EXPORT void RLMachPortGetContext(RLMachPortRef port, RLMachPortContext *context);

/**
 * Makes the port invalid for good: calls the invalidation callback, invalidates the source, closes
 * the receiving end if the port made it, and releases the info. Idempotent. Does not wait for a
 * callback that runs on another thread. The last release of the port does the same, but calls no
 * invalidation callback.
 *
 * - CF: CFMachPortInvalidate.
 */
RL_EXPORT void RLMachPortInvalidate(RLMachPortRef port);

/** Whether the port can receive. CF: CFMachPortIsValid. */
RL_EXPORT Boolean RLMachPortIsValid(RLMachPortRef port);

/**
 * The callback for when the port has become invalid; may be null.
 *
 * - CF: CFMachPortGetInvalidationCallBack.
 */
RL_EXPORT RLMachPortInvalidationCallBack RLMachPortGetInvalidationCallBack(RLMachPortRef port);

/**
 * Sets the callback for when the port has become invalid; null for none. If the port is invalid
 * already, it is called at once. If another callback was called before, this only prints a line on
 * standard error.
 *
 * - CF: CFMachPortSetInvalidationCallBack.
 */
RL_EXPORT void RLMachPortSetInvalidationCallBack(RLMachPortRef port,
                                                 RLMachPortInvalidationCallBack callout);

/**
 * Returns the source of the port, for any loops and modes: always the same one, unless that was
 * invalidated. The source retains the port.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - port: The port.
 *   - order: The order of a new source; stored, without effect.
 * - Returns: A source of version 2 that the caller owns, or null if the port is invalid.
 * - CF: CFMachPortCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLMachPortCreateRunLoopSource(RLAllocatorRef allocator,
                                                           RLMachPortRef port,
                                                           RLIndex order) RL_RETURNS_RETAINED;

/**
 * Sends a message. Blocks while the queue is full, without running a loop. Any number of threads
 * and processes may send to one port.
 *
 * - Parameters:
 *   - port: The result of RLMachPortGetPort, the sending end of a pair, or the reply port of a
 *     message. It must stay open during the call.
 *   - message: The header, with the other bytes after it. The reply port is duplicated.
 *   - timeout: The time-out for space in the queue, in seconds. 0 or less does not wait; ten days
 *     or more means
 *     no time-out.
 * - Returns: `kRLMachPortSuccess`, or an error if nothing was sent.
 * - Ours, no CF counterpart: mach_msg.
 */
RL_EXPORT SInt32 RLMachPortSend(RLMachPortName port, const RLMachMessageHeader *message,
                                RLTimeInterval timeout);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_mach_port(RLMachPortRef port);
/** @see rl_swift_retain_mach_port */
RL_EXPORT void rl_swift_release_mach_port(RLMachPortRef port);

RL_EXTERN_C_END

#endif
