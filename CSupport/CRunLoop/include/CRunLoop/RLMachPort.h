/*
 * Mach ports: queues of messages with many senders, in any thread or process, and one receiver.
 *
 * Linux has no Mach ports. Here, a port is a socket pair (AF_UNIX, SOCK_SEQPACKET), and its name is
 * a descriptor. RLMachPortCreate creates both ends. The object receives, and RLMachPortGetPort
 * returns the descriptor to send to. All threads can use this descriptor, and so can processes that
 * inherit or receive it. RLMachPortCreateWithPort uses a descriptor that other code created.
 *
 * A message is a header followed by the other bytes, as with mach_msg. RLMachPortSend sends a
 * message. The kernel limits the bytes of the queue (SO_SNDBUF): senders wait for space until their
 * time-out. A loop delivers one message of each port per pass, in the order of sending. When the
 * receiving end is closed, by invalidation or by the end of its process, queued messages are lost,
 * and sends fail, including sends that wait.
 *
 * Data that other code has sent without RLMachPortSend is dropped. For the first such data, each
 * port logs a line on standard error. If receiving fails for lack of resources, the loop blocks for
 * five milliseconds, and the port then retries.
 *
 * Descriptors are closed on exec. To pass a descriptor to an executed program, clear FD_CLOEXEC in
 * the child (fcntl, or dup2). In a forked child that does not call exec, the ports of the parent
 * are invalid, as Mach ports are. Their descriptors still send to the parent.
 *
 * All functions may be called from any thread. No lock is held while a callback is called. An
 * argument that is null or of another type stops the process with a message that names the
 * function, unless stated otherwise.
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
 * The header of a message. The other bytes of the message follow in memory.
 * Ours, no CF counterpart: mach_msg_header_t.
 */
typedef struct {
    /** The size of the message in bytes, header included. */
    UInt32 size;
    /** A number that identifies the kind of message to the receiver. */
    SInt32 messageID;
    /**
     * The port for a reply, or -1. In a received message, the port is closed after the callback,
     * unless the callback takes ownership of the port and sets this field to -1.
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
     * The message is in the queue: MACH_MSG_SUCCESS. Ours, no CF counterpart: mach_msg returns
     * MACH_MSG_SUCCESS and the errors below.
     */
    kRLMachPortSuccess = 0,
    /** The queue was full until the time-out: MACH_SEND_TIMED_OUT. */
    kRLMachPortSendTimedOut = -1,
    /** The receiving end is closed, or the descriptor is not a port: MACH_SEND_INVALID_DEST. */
    kRLMachPortInvalidDestination = -2,
    /**
     * The size is less than the header's size, or more than the header's size plus 64 MiB:
     * MACH_SEND_MSG_TOO_SMALL.
     */
    kRLMachPortInvalidSize = -3,
    /** The reply port is not an open descriptor that can be sent: MACH_SEND_INVALID_RIGHT. */
    kRLMachPortInvalidReplyPort = -4,
    /** The system lacks memory or descriptors: MACH_SEND_NO_BUFFER. */
    kRLMachPortNoResources = -5
};

/**
 * Receives a message, on the thread of the loop that serves the port. `message` points to the
 * header and the bytes that follow it, and is valid until the callback returns. `size` is the size
 * of the header and these bytes. CF: CFMachPortCallBack.
 */
typedef void (*RLMachPortCallBack)(RLMachPortRef port, void *message, RLIndex size, void *info);

/** Called once, when the port has become invalid. CF: CFMachPortInvalidationCallBack. */
typedef void (*RLMachPortInvalidationCallBack)(RLMachPortRef port, void *info);

/** The client data of a port; each function may be null. CF: CFMachPortContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the port is created, and before each callback. The first result
     * becomes the info.
     */
    const void *(*retain)(const void *info);
    /** Releases the info. Called when the port has become invalid, and after each callback. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLMachPortContext;

/** Returns the type ID of Mach ports. CF: CFMachPortGetTypeID. */
RL_EXPORT RLTypeID RLMachPortGetTypeID(void);

/**
 * Creates a port with a receiving and a sending end.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - callout: Called with each message; if null, messages are dropped.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info; may be null.
 * - Returns: A port that the caller owns, or null if the process has no more descriptors.
 * - CF: CFMachPortCreate.
 */
RL_EXPORT RLMachPortRef RLMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout,
                                         const RLMachPortContext *context,
                                         Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Creates a port that receives from a descriptor. The client owns the descriptor, and closes it
 * after the port has become invalid. When the other end is closed, the port becomes invalid. A port
 * made from the sending end receives nothing.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - port: The receiving end of RLMachPortCreatePair, from this or another process. For the result
 *     of RLMachPortGetPort, the existing port is returned, retained.
 *   - callout: Called with each message; if null, messages are dropped.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info, because the port already
 *     existed or could not be created; may be null.
 * - Returns: A port that the caller owns; null, with a line on standard error, if the descriptor is
 *   not a SOCK_SEQPACKET socket.
 * - CF: CFMachPortCreateWithPort.
 */
RL_EXPORT RLMachPortRef RLMachPortCreateWithPort(RLAllocatorRef allocator, RLMachPortName port,
                                                 RLMachPortCallBack callout,
                                                 const RLMachPortContext *context,
                                                 Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Creates the two ends of a port, for a receiver in another process. The caller closes both ends.
 *
 * - Parameters:
 *   - ret_receiver: Receives the end for RLMachPortCreateWithPort.
 *   - ret_sender: Receives the end for RLMachPortSend.
 * - Returns: True; false if the process has no more descriptors.
 * - Ours, no CF counterpart: mach_port_allocate and mach_port_insert_right.
 */
RL_EXPORT Boolean RLMachPortCreatePair(RLMachPortName *ret_receiver, RLMachPortName *ret_sender);

/**
 * Returns the descriptor to send to; for a port of RLMachPortCreateWithPort, the descriptor that it
 * was created with. If RLMachPortCreate created the port, the descriptor stays open as long as the
 * object exists, even if the port is invalid. CF: CFMachPortGetPort.
 */
RL_EXPORT RLMachPortName RLMachPortGetPort(RLMachPortRef port);

/**
 * Copies the client data and the version to `context`, which must not be null. The info is null if
 * the port is invalid. CF: CFMachPortGetContext.
 */
RL_EXPORT void RLMachPortGetContext(RLMachPortRef port, RLMachPortContext *context);

/**
 * Invalidates the port permanently: calls the invalidation callback, invalidates the source, closes
 * the receiving end if the port created it, and releases the info. Idempotent. Does not wait for a
 * callback that is running on another thread. The last release of the port does the same, but calls
 * no invalidation callback. CF: CFMachPortInvalidate.
 */
RL_EXPORT void RLMachPortInvalidate(RLMachPortRef port);

/** Returns whether the port can receive. CF: CFMachPortIsValid. */
RL_EXPORT Boolean RLMachPortIsValid(RLMachPortRef port);

/** Returns the invalidation callback, or null. CF: CFMachPortGetInvalidationCallBack. */
RL_EXPORT RLMachPortInvalidationCallBack RLMachPortGetInvalidationCallBack(RLMachPortRef port);

/**
 * Sets the invalidation callback, which is called when the port has become invalid; null for none.
 * If the port is already invalid, the callback is called at once. If another callback was already
 * called, the function only logs a line on standard error. CF: CFMachPortSetInvalidationCallBack.
 */
RL_EXPORT void RLMachPortSetInvalidationCallBack(RLMachPortRef port,
                                                 RLMachPortInvalidationCallBack callout);

/**
 * Returns the run loop source of the port: a version-2 source that the caller owns, or null if the
 * port is invalid. The source can be added to any loops and modes, and retains the port. Returns
 * the same source each time, until the source is invalidated. `allocator` is ignored; `order` is
 * stored, but has no effect. CF: CFMachPortCreateRunLoopSource.
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
 *     message. The descriptor must stay open during the call.
 *   - message: The header, followed by the other bytes. The reply port is duplicated: the caller
 *     keeps its descriptor.
 *   - timeout: The time-out for space in the queue, in seconds. With 0 or less, the call does not
 *     wait; ten days or more means no time-out.
 * - Returns: `kRLMachPortSuccess`, or an error if nothing was sent.
 * - Ours, no CF counterpart: mach_msg.
 */
RL_EXPORT SInt32 RLMachPortSend(RLMachPortName port, const RLMachMessageHeader *message,
                                RLTimeInterval timeout);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_mach_port(RLMachPortRef port);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_mach_port(RLMachPortRef port);

RL_EXTERN_C_END

#endif
