/*
 * Message ports: named queues for messages and replies between processes. A local port receives, a
 * remote port sends. They find each other by name among the processes of one user, by sockets in
 * the directory `corerunloop` of `$XDG_RUNTIME_DIR`, or without that in `/tmp/corerunloop-<user
 * id>`; both processes need the same setting. Only processes of the user can connect. A name is
 * free again as soon as its port is invalidated or its process has ended, in any way. The next
 * process that makes a port removes the files that killed processes leave. If no port can have a
 * name, because the directory belongs to another user or /proc is not mounted, a line on standard
 * error reports it.
 *
 * A message has up to 64 MiB. A port has no helper thread: a local port works while a loop serves
 * its source. One message is delivered per pass and port, with at most 16 successive messages of
 * one sender. A malformed message closes the connection of its sender only. A port buffers up to
 * 256 MiB of unread replies and incomplete messages; beyond that, it closes the connections of
 * stalled senders. If accepting or receiving fails for lack of resources, the port retries every
 * 0.1 s, and senders wait.
 *
 * A port has 4 connections to one process at most, and 256 in all. Beyond that, the connection that
 * was idle for longest is closed. Its remote port reconnects at its next use: no message is lost,
 * and none is delivered twice. A new sender waits only if all connections are busy or watched by
 * the other side (RLMessagePortCreateInvalidationSource, a queue).
 *
 * All functions may be called from any thread. No lock is held while a callback is called. A null
 * argument, or one of another type, stops the process with a line that names the function, unless
 * stated otherwise. After a fork without exec, the child's copies of the ports are invalid.
 */

#ifndef CRUNLOOP_RLMESSAGEPORT_H
#define CRUNLOOP_RLMESSAGEPORT_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

/* libdispatch's: a dispatch_queue_t points to one. */
struct dispatch_queue_s;

#if defined(__swift__)
/** A message port. CF: CFMessagePortRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_message_port, rl_swift_release_message_port)
    RL_SWIFT_NAME(RLMessagePortRef) RLOpaqueMessagePort {
    uintptr_t _reserved;
};

#define RLMessagePortRef struct RLOpaqueMessagePort *
#else
/** A reference to a message port. CF: CFMessagePortRef. */
typedef struct __CFMessagePort *RLMessagePortRef;
#endif

/** The results of RLMessagePortSendRequest. */
RL_ENUM_CONSTANTS(SInt32) {
    /**
     * The message was sent and, if a reply was requested, replied to. CF: kCFMessagePortSuccess.
     */
    kRLMessagePortSuccess = 0,
    /** The message was not sent within the time-out. CF: kCFMessagePortSendTimeout. */
    kRLMessagePortSendTimeout = -1,
    /**
     * The message was sent, but there was no reply within the time-out. CF:
     * kCFMessagePortReceiveTimeout.
     */
    kRLMessagePortReceiveTimeout = -2,
    /** The port is invalid; nothing was sent. CF: kCFMessagePortIsInvalid. */
    kRLMessagePortIsInvalid = -3,
    /**
     * The message is too large, or the system refused to send it; or the reply is too large. CF:
     * kCFMessagePortTransportError.
     */
    kRLMessagePortTransportError = -4,
    /**
     * It was sent, and the port became invalid before there was a reply.
     * CF: kCFMessagePortBecameInvalidError.
     */
    kRLMessagePortBecameInvalidError = -5
};

/** The client data of a local port; each function may be null. CF: CFMessagePortContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the port is made. The result becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the port has been invalidated and its last callback has returned. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLMessagePortContext;

#if defined(__swift__)
/**
 * Receives a message; `data` is never nil. The result is nil, or a reply with one reference added,
 * the result of `reply.unsafeRetained()`: a function pointer in Swift cannot declare that it
 * returns an owned object.
 *
 * CF: CFMessagePortCallBack.
 */
typedef RLTypeRef (*RLMessagePortCallBack)(RLMessagePortRef local, SInt32 messageID, RLDataRef data,
                                           void *info);
#else
/**
 * Receives a message. Returns the reply, which the port releases, or null for an empty one. It is
 * ignored if the sender expects none. `data` is never null; retain it to keep it. CF:
 * CFMessagePortCallBack.
 */
typedef RLDataRef (*RLMessagePortCallBack)(RLMessagePortRef local, SInt32 messageID, RLDataRef data,
                                           void *info);
#endif

/** Called once, when the port has become invalid. CF: CFMessagePortInvalidationCallBack. */
typedef void (*RLMessagePortInvalidationCallBack)(RLMessagePortRef port, void *info);

/** The type number of message ports. CF: CFMessagePortGetTypeID. */
RL_EXPORT RLTypeID RLMessagePortGetTypeID(void);

/**
 * Makes a port that receives, or returns this process's existing port of the name.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - name: From 1 to 128 bytes in UTF-8. Null for a port that gets its name by
 *     RLMessagePortSetName.
 *   - callback: Called for each message; not null.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info, because there was a port
 *     already or none could be made; may be null.
 * - Returns: A port that the caller owns; null if the name is not of that length, another process
 *   has it, or the system refuses.
 * - CF: CFMessagePortCreateLocal.
 */
RL_EXPORT RLMessagePortRef RLMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name,
                                                    RLMessagePortCallBack callback,
                                                    RLMessagePortContext *context,
                                                    Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Makes a port that sends, or returns this process's existing port for the name. Blocks for at most
 * a second if very many senders connect to the port at once, and while other threads of this
 * process connect to the same name.
 *
 * - Returns: A port that the caller owns; null if no process of this user has a local port of that
 *   name.
 * - CF: CFMessagePortCreateRemote.
 */
RL_EXPORT RLMessagePortRef RLMessagePortCreateRemote(RLAllocatorRef allocator,
                                                     RLStringRef name) RL_RETURNS_RETAINED;

/** Whether the port is remote, that is, sends. CF: CFMessagePortIsRemote. */
RL_EXPORT Boolean RLMessagePortIsRemote(RLMessagePortRef port);

/**
 * The name, valid until the port is destroyed or gets another one; null without one.
 * CF: CFMessagePortGetName.
 */
RL_EXPORT RLStringRef RLMessagePortGetName(RLMessagePortRef port) RL_RETURNS_NOT_RETAINED;

/**
 * Renames a local port. Connected remote ports stay connected. If their connection is closed beyond
 * the limit, they become invalid, because they do not know the new name.
 *
 * - Returns: Whether it has the name now. False if the port is remote or invalid, or if the name is
 *   null, not from 1 to 128 bytes long, or used by another port.
 * - CF: CFMessagePortSetName.
 */
RL_EXPORT Boolean RLMessagePortSetName(RLMessagePortRef port, RLStringRef name);

/**
 * Copies the context; the info is null for a remote or invalid port. CF: CFMessagePortGetContext.
 */
RL_EXPORT void RLMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context);

/**
 * Makes the port invalid for good: frees its name, calls its invalidation callback on the calling
 * thread, releases its context, invalidates its source and closes its connections, in this order.
 * The other sides are informed. Messages that were not yet delivered are lost.
 *
 * The last release of a port closes it too, without the callback. A port that has made a source
 * must be invalidated, as the two retain each other.
 *
 * - CF: CFMessagePortInvalidate.
 */
RL_EXPORT void RLMessagePortInvalidate(RLMessagePortRef port);

/**
 * Whether the port can be used. Checks the other side of a remote port, and invalidates the port if
 * that has closed. Blocks for at most a second if the port has to reconnect while very many others
 * do.
 *
 * - CF: CFMessagePortIsValid.
 */
RL_EXPORT Boolean RLMessagePortIsValid(RLMessagePortRef port);

/** The invalidation callback, or null. CF: CFMessagePortGetInvalidationCallBack. */
RL_EXPORT RLMessagePortInvalidationCallBack
RLMessagePortGetInvalidationCallBack(RLMessagePortRef port);

/**
 * Sets the callback for when the port becomes invalid; null for none. If it is invalid already, the
 * callback is called at once. The end of a remote port's other side is detected when the port is
 * used or checked, and in a loop that serves RLMessagePortCreateInvalidationSource.
 *
 * - CF: CFMessagePortSetInvalidationCallBack.
 */
RL_EXPORT void RLMessagePortSetInvalidationCallBack(RLMessagePortRef port,
                                                    RLMessagePortInvalidationCallBack callback);

/**
 * Sends a message, and waits for the reply if `replyMode` is not null. To send, the calling thread
 * blocks outside its loop until the port has space. For the reply, it runs its loop in `replyMode`
 * repeatedly and serves that mode; a stop of the loop does not end the wait. A late reply is
 * dropped. Success without a reply means that the system has accepted the message; if the receiving
 * process ends before reading it, it is lost.
 *
 * - Parameters:
 *   - remote: A remote port; a local one stops the process.
 *   - messageID: Any number.
 *   - data: Up to 64 MiB; null is no bytes.
 *   - sendTimeout: The time-out for space in the port, in seconds. 0 or less does not wait; ten
 *     days or more
 *     means no time-out.
 *   - receiveTimeout: The time-out for the reply, in seconds. 0 or less makes one pass.
 *   - replyMode: The mode in which to wait, or null for no reply. kRLRunLoopCommonModes stops the
 *     process, because no loop can run in it.
 *   - returnData: Receives the reply, which the caller owns, or null; may be null.
 * - Returns: kRLMessagePortSuccess, or an error.
 * - CF: CFMessagePortSendRequest.
 */
RL_EXPORT SInt32 RLMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data,
                                          RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
                                          RLStringRef replyMode,
                                          RLDataRef *returnData) RL_SWIFT_BLOCKING;

/** A limit of RLMessagePortSendRequestWithDescriptors. */
enum {
    /** The greatest number of descriptors in a message. Ours, no CF counterpart. */
    kRLMessagePortMostDescriptors = 16
};

/**
 * As RLMessagePortSendRequest, with copies of `descriptorCount` open descriptors. The caller still
 * owns its descriptors. More than 16 stop the process. `descriptors` may be null if there are none.
 *
 * Ours, no CF counterpart.
 */
RL_EXPORT SInt32 RLMessagePortSendRequestWithDescriptors(
    RLMessagePortRef remote, SInt32 messageID, RLDataRef data, const SInt32 *descriptors,
    RLIndex descriptorCount, RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
    RLStringRef replyMode, RLDataRef *returnData) RL_SWIFT_BLOCKING;

/**
 * Takes the descriptors of the message whose callback runs on this thread. They are closed on exec.
 * Those that are not taken are closed when the callback has returned. Ours, no CF counterpart.
 *
 * - Parameters:
 *   - local: The port.
 *   - descriptors: Receives them; the caller closes them.
 *   - capacity: The number of descriptors that fit. Others can be taken by another call.
 * - Returns: The number of descriptors taken: 0 if none are left, and outside of the callback.
 */
RL_EXPORT RLIndex RLMessagePortTakeDescriptors(RLMessagePortRef local, SInt32 *descriptors,
                                               RLIndex capacity);

/**
 * Returns the source of a local port, which a loop has to serve: always the same one as long as it
 * is valid.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - local: The port.
 *   - order: Stored, without effect.
 * - Returns: A source that the caller owns, of version 2; null for a remote or invalid port.
 * - CF: CFMessagePortCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLMessagePortCreateRunLoopSource(RLAllocatorRef allocator,
                                                              RLMessagePortRef local,
                                                              RLIndex order) RL_RETURNS_RETAINED;

/**
 * Returns a source of a remote port that invalidates the port when the other side closes: always
 * the same one as long as it is valid. Ours, no CF counterpart.
 *
 * - Returns: A source that the caller owns; null for a local or invalid port, and if the system has
 *   no more descriptors.
 */
RL_EXPORT RLRunLoopSourceRef RLMessagePortCreateInvalidationSource(
    RLAllocatorRef allocator, RLMessagePortRef remote, RLIndex order) RL_RETURNS_RETAINED;

/**
 * Serves the port on a dispatch queue, one message at a time, and not in loops: a local port for
 * its messages, a remote one to detect that its other side has closed. Its callbacks are called
 * there. A port has either a queue or a run loop source: for a port that has made a source, or is
 * invalid, the call only prints a line, and a port with a queue makes no source. The queue retains
 * the port until it is invalidated or its queue is removed. Without libdispatch the process stops.
 *
 * - Parameters:
 *   - ms: The port.
 *   - queue: A dispatch_queue_t, which is retained. Null removes the queue; a current call may
 *     still run.
 * - CF: CFMessagePortSetDispatchQueue, for local ports.
 */
RL_EXPORT void RLMessagePortSetDispatchQueue(RLMessagePortRef ms,
                                             struct dispatch_queue_s *queue) RL_SWIFT_SECOND_CHOICE;

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_message_port(RLMessagePortRef port);
/** @see rl_swift_retain_message_port */
RL_EXPORT void rl_swift_release_message_port(RLMessagePortRef port);

RL_EXTERN_C_END

#endif
