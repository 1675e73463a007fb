/*
 * Mach ports: queues of messages that several threads and processes send to, and one receives from.
 *
 * Linux has no Mach ports; a socket pair (AF_UNIX, SOCK_SEQPACKET) takes their place, and a
 * descriptor that of a port's name. RLMachPortCreate makes both ends: the object receives, and
 * RLMachPortGetPort is the descriptor to send to, for all threads and for the processes that
 * inherit or get it. A descriptor that somebody else made goes to RLMachPortCreateWithPort.
 *
 * A message is a header and bytes that follow it in memory, as with mach_msg; RLMachPortSend sends
 * it. The queue is bounded by the kernel, in bytes (SO_SNDBUF): senders wait for room, as long as
 * they want to. One message is delivered per pass of a loop and port, in the order of sending. When
 * the receiving end is closed, by invalidation or because its process has ended, however it did,
 * senders are told: those that wait, too. What was queued then is lost.
 *
 * What a sender does wrong harms nobody else: what RLMachPortSend has not sent is dropped, with a
 * line on standard error for the first of a port. While the system refuses to receive, the port
 * tries again every five milliseconds, and its loop does nothing else in between.
 *
 * Descriptors are closed on exec. For a program that is to inherit one, take the flag away in the
 * child (fcntl, or dup2). In a child of fork without exec the ports of the parent are invalid, as
 * Mach ports are; their descriptors go on sending to the parent.
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

/** What messages are sent to and come from: a descriptor. Ours, no CF counterpart: mach_port_t. */
typedef SInt32 RLMachPortName;

/**
 * What a message begins with; its other bytes follow.
 *
 * Ours, no CF counterpart: mach_msg_header_t.
 */
typedef struct {
    /** The bytes of the message, header included. */
    UInt32 size;
    /** What the message is about: for the receiver to know. */
    SInt32 messageID;
    /**
     * Where an answer is to go, or -1. Of a message that was received, a descriptor for the
     * callback: it is closed after it, unless the callback takes it and puts -1 here.
     */
    RLMachPortName replyPort;
    /** Of a message that was received, what RLMachPortGetPort says of the port; else ignored. */
    RLMachPortName localPort;
} RLMachMessageHeader;

/** What RLMachPortSend returns. Ours, no CF counterpart: what mach_msg returns. */
RL_ENUM_CONSTANTS(SInt32) {
    /** The message is in the queue: MACH_MSG_SUCCESS. */
    kRLMachPortSuccess = 0,
    /** There was no room in time: MACH_SEND_TIMED_OUT. */
    kRLMachPortSendTimedOut = -1,
    /** Nobody receives any more, or the descriptor is none of a port: MACH_SEND_INVALID_DEST. */
    kRLMachPortInvalidDestination = -2,
    /** Less than a header, or more than 64 MiB and a header: MACH_SEND_MSG_TOO_SMALL. */
    kRLMachPortInvalidSize = -3,
    /** The reply port is no descriptor that can be sent: MACH_SEND_INVALID_RIGHT. */
    kRLMachPortInvalidReplyPort = -4,
    /** The system has no memory or descriptors for it: MACH_SEND_NO_BUFFER. */
    kRLMachPortNoResources = -5
};

/**
 * Receives a message, on the thread of the loop that serves the port: `message` is its header with
 * the bytes after it, `size` both together. It is valid until the callback returns.
 * CF: CFMachPortCallBack.
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
    /** Called when the port is made (what it returns becomes the info) and before each callback. */
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
 *   - shouldFreeInfo: Where to say whether the info was not taken; may be null.
 * - Returns: A port that the caller owns, or null if the process has no more descriptors.
 * - CF: CFMachPortCreate.
 */
RL_EXPORT RLMachPortRef RLMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout,
                                         const RLMachPortContext *context,
                                         Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Makes a port that receives from a descriptor, which stays the client's: to be closed after the
 * port has become invalid, and not before. When its other end is closed, the port becomes invalid.
 * So does, in time, a port of the end that sends, which receives nothing.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - port: An end of RLMachPortCreatePair, or a descriptor that another process made so. For one
 *     that RLMachPortGetPort has told, the port that has it is returned, retained.
 *   - callout: Called with each message; null drops them.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Where to say whether the info was not taken, as there was a port; may be
 *     null.
 * - Returns: A port that the caller owns; null, with a line on standard error, if the descriptor is
 *   no such socket.
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
 *   - ret_receiver: Where to write the end for RLMachPortCreateWithPort.
 *   - ret_sender: Where to write the end for RLMachPortSend.
 * - Returns: Whether there are such; no if the process has no more descriptors.
 * - Ours, no CF counterpart: mach_port_allocate and mach_port_insert_right.
 */
RL_EXPORT Boolean RLMachPortCreatePair(RLMachPortName *ret_receiver, RLMachPortName *ret_sender);

/**
 * The descriptor to send to; of a port of RLMachPortCreateWithPort, the one that it was made with.
 * It is open as long as the object exists, also when that is invalid.
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
 * Makes the port invalid for ever: calls the invalidation callback, invalidates the source, closes
 * the receiving end if the port made it, and releases the info. Once is enough, twice is harmless.
 * Does not wait for a callback that runs on another thread. The last release does the same, but
 * calls no invalidation callback.
 *
 * - CF: CFMachPortInvalidate.
 */
RL_EXPORT void RLMachPortInvalidate(RLMachPortRef port);

/** Whether the port can receive. CF: CFMachPortIsValid. */
RL_EXPORT Boolean RLMachPortIsValid(RLMachPortRef port);

/**
 * What is called when the port has become invalid; may be null.
 *
 * - CF: CFMachPortGetInvalidationCallBack.
 */
RL_EXPORT RLMachPortInvalidationCallBack RLMachPortGetInvalidationCallBack(RLMachPortRef port);

/**
 * Sets what is called when the port has become invalid; null for nothing. If it is so already, it
 * is called at once, unless another one has been: then a line on standard error says so.
 *
 * - CF: CFMachPortSetInvalidationCallBack.
 */
RL_EXPORT void RLMachPortSetInvalidationCallBack(RLMachPortRef port,
                                                 RLMachPortInvalidationCallBack callout);

/**
 * The source of the port, for any loops and modes: always the same one, unless that was
 * invalidated. It holds the port.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - port: The port.
 *   - order: The order of the source when it is made first; stored, without effect.
 * - Returns: A source of version 2 that the caller owns, or null if the port is invalid.
 * - CF: CFMachPortCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLMachPortCreateRunLoopSource(RLAllocatorRef allocator,
                                                           RLMachPortRef port,
                                                           RLIndex order) RL_RETURNS_RETAINED;

/**
 * Sends a message, and waits while the queue is full, without running a loop. Any number of threads
 * and processes may send to one port.
 *
 * - Parameters:
 *   - port: What RLMachPortGetPort says, the sending end of a pair, or the reply port of a message.
 *     It must stay open during the call.
 *   - message: The header, with the other bytes after it. The reply port is duplicated.
 *   - timeout: How many seconds to wait for room; 0 or less not at all, ten days or more for ever.
 * - Returns: `kRLMachPortSuccess`, or one of the errors next to it; then nothing was sent.
 * - Ours, no CF counterpart: mach_msg.
 */
RL_EXPORT SInt32 RLMachPortSend(RLMachPortName port, const RLMachMessageHeader *message,
                                RLTimeInterval timeout);

/**
 * The reference functions that Swift calls for Mach ports, also with null, which they ignore; C
 * uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_mach_port(RLMachPortRef port);
/** @see rl_swift_retain_mach_port */
RL_EXPORT void rl_swift_release_mach_port(RLMachPortRef port);

RL_EXTERN_C_END

#endif
