/*
 * Message ports: named places in one process to which others send messages, and get replies.
 *
 * A local port receives, a remote port sends. They find each other by name among the processes of
 * one user, by sockets in the directory `corerunloop` of `$XDG_RUNTIME_DIR`, or without that in
 * `/tmp/corerunloop-<user id>`; both processes need the same setting. Only processes of the user
 * can connect. A name is free again as soon as its port is invalidated or its process has ended, in
 * any way. The next process that makes a port removes the files that killed processes leave. If no
 * port can have a name, because the directory belongs to another user or /proc is not mounted, a
 * line on standard error says so.
 *
 * A message has up to 64 MiB. A port has no helper thread: a local port works while a loop serves
 * its source. One message is delivered per pass and port, the senders taking turns of 16 at most. A
 * faulty sender loses its connection and harms nothing else. A port keeps up to 256 MiB of replies
 * that were not read yet and of messages that have arrived in part: beyond that, senders that do
 * not go on lose their connection. While the system refuses to accept a sender or to receive, the
 * port tries again every 0.1 s, and senders wait.
 *
 * A port has 4 connections to one process at most, and 256 in all. To make room, the connection
 * that was idle for longest is closed, and its remote port connects again when it is used: no
 * message is lost, and none arrives twice. The next sender waits only if all connections are busy
 * or watched by the other side (RLMessagePortCreateInvalidationSource, a queue).
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
    /** The message was sent and, if a reply was asked for, answered. CF: kCFMessagePortSuccess. */
    kRLMessagePortSuccess = 0,
    /** It could not be sent in time, and was not sent. CF: kCFMessagePortSendTimeout. */
    kRLMessagePortSendTimeout = -1,
    /** It was sent, but not answered in time. CF: kCFMessagePortReceiveTimeout. */
    kRLMessagePortReceiveTimeout = -2,
    /** The port is invalid; nothing was sent. CF: kCFMessagePortIsInvalid. */
    kRLMessagePortIsInvalid = -3,
    /**
     * It is too large, or the system refused to send it; or the reply is too large.
     * CF: kCFMessagePortTransportError.
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
    /** Called when the port is made; what it returns becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the port has been invalidated and its last callback has returned. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLMessagePortContext;

#if defined(__swift__)
/**
 * Receives a message; `data` is never nil. The result is nil, or the pointer of a reply with one
 * reference added, as `RLRetain(reply.unsafeRetained())` yields: Swift has no way to say that a
 * function pointer returns an owned object.
 *
 * CF: CFMessagePortCallBack.
 */
typedef RLTypeRef (*RLMessagePortCallBack)(RLMessagePortRef local, SInt32 messageID, RLDataRef data,
                                           void *info);
#else
/**
 * Receives a message. Returns the reply, which the port releases, or null for an empty one; it does
 * not matter if the sender wants none. `data` is never null; retain it to keep it. CF:
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
 * Makes a port that receives, or returns the one of this process that has the name.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - name: From 1 to 128 bytes in UTF-8. Null for a port that gets its name by
 *     RLMessagePortSetName.
 *   - callback: What to call for each message; not null.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Set to whether the context was not taken, because there was a port already or
 *     none could be made; may be null.
 * - Returns: A port that the caller owns; null if the name is not of that length, another process
 *   has it, or the system refuses.
 * - CF: CFMessagePortCreateLocal.
 */
RL_EXPORT RLMessagePortRef RLMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name,
                                                    RLMessagePortCallBack callback,
                                                    RLMessagePortContext *context,
                                                    Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Makes a port that sends, or returns the one of this process for the name.
 *
 * Waits at most a second if very many senders connect to the port at once, and for other threads of
 * this process that are connecting to the same name.
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
 * Gives a local port another name. Remote ports that are connected stay connected, unless they have
 * to make room for others: then they become invalid, as they do not know the new name.
 *
 * - Returns: Whether it has the name now: false if the port is remote or invalid, or if the name is
 *   null, not from 1 to 128 bytes long, or taken by another port.
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
 * that is gone. Waits at most a second if the port has to connect again and very many others do.
 *
 * - CF: CFMessagePortIsValid.
 */
RL_EXPORT Boolean RLMessagePortIsValid(RLMessagePortRef port);

/** The invalidation callback, or null. CF: CFMessagePortGetInvalidationCallBack. */
RL_EXPORT RLMessagePortInvalidationCallBack
RLMessagePortGetInvalidationCallBack(RLMessagePortRef port);

/**
 * Sets what is called when the port becomes invalid; null for nothing. If it is invalid already,
 * calls it at once.
 *
 * The end of a remote port's other side is noticed when the port is used or asked, and in a loop
 * that serves RLMessagePortCreateInvalidationSource.
 *
 * - CF: CFMessagePortSetInvalidationCallBack.
 */
RL_EXPORT void RLMessagePortSetInvalidationCallBack(RLMessagePortRef port,
                                                    RLMessagePortInvalidationCallBack callback);

/**
 * Sends a message, and waits for the reply if there is a mode to wait in.
 *
 * To send, the calling thread waits outside its loop until there is room; data of more than 96 KiB
 * are sent in parts as long as they are received at once, and otherwise as a whole. For the reply,
 * it runs its loop in `replyMode`, serving all that is in it, as often as it takes; a stop of the
 * loop does not end the wait. A late reply is dropped. Success without a reply means that the
 * system has accepted the message; if the receiving process ends before reading it, it is lost.
 *
 * - Parameters:
 *   - remote: A remote port; a local one stops the process.
 *   - messageID: Any number.
 *   - data: Up to 64 MiB; null is no bytes.
 *   - sendTimeout: How many seconds to wait for room; 0 or less: not at all; ten days or more:
 *     without end.
 *   - receiveTimeout: How many seconds to wait for the reply; 0 or less: one pass.
 *   - replyMode: The mode to wait in, or null for no reply. kRLRunLoopCommonModes stops the
 *     process, as no loop can run in it.
 *   - returnData: Set to the reply, which the caller owns, or to null; may be null.
 * - Returns: kRLMessagePortSuccess, or an error.
 * - CF: CFMessagePortSendRequest.
 */
RL_EXPORT SInt32 RLMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data,
                                          RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
                                          RLStringRef replyMode,
                                          RLDataRef *returnData) RL_SWIFT_BLOCKING;

/** A limit of RLMessagePortSendRequestWithDescriptors. */
enum {
    /** The most descriptors that can travel with a message. Ours, no CF counterpart. */
    kRLMessagePortMostDescriptors = 16
};

/**
 * As RLMessagePortSendRequest, with copies of `descriptorCount` open descriptors, which stay the
 * caller's; more than 16 stop the process. `descriptors` may be null if there are none.
 *
 * Ours, no CF counterpart.
 */
RL_EXPORT SInt32 RLMessagePortSendRequestWithDescriptors(
    RLMessagePortRef remote, SInt32 messageID, RLDataRef data, const SInt32 *descriptors,
    RLIndex descriptorCount, RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
    RLStringRef replyMode, RLDataRef *returnData) RL_SWIFT_BLOCKING;

/**
 * Takes the descriptors that came with the message for which the port's callback is being called on
 * this thread. They are closed on exec. Those that are not taken are closed when the callback has
 * returned. Ours, no CF counterpart.
 *
 * - Parameters:
 *   - local: The port.
 *   - descriptors: Where to put them; the caller closes them.
 *   - capacity: How many fit; the others can be taken by another call.
 * - Returns: How many were taken: 0 if none are left, and outside the callback.
 */
RL_EXPORT RLIndex RLMessagePortTakeDescriptors(RLMessagePortRef local, SInt32 *descriptors,
                                               RLIndex capacity);

/**
 * Returns the source by which a loop serves a local port: always the same one as long as it is
 * valid.
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
 * Returns a source by which a loop notices that the other side of a remote port is gone, and then
 * invalidates the port: always the same one as long as it is valid. Ours, no CF counterpart.
 *
 * - Returns: A source that the caller owns; null for a local or invalid port, and if the system has
 *   no more descriptors.
 */
RL_EXPORT RLRunLoopSourceRef RLMessagePortCreateInvalidationSource(
    RLAllocatorRef allocator, RLMessagePortRef remote, RLIndex order) RL_RETURNS_RETAINED;

/**
 * Has a dispatch queue serve the port, one message at a time, instead of loops: a local port for
 * its messages, a remote one to notice that its other side is gone. Its callbacks are called there.
 *
 * A port has a queue or a run loop source: for a port that has made a source, or is invalid, the
 * call only prints a line; a port with a queue makes no source. A port with a queue lives until it
 * is invalidated or its queue is removed. Without libdispatch the process stops.
 *
 * - Parameters:
 *   - ms: The port.
 *   - queue: A dispatch_queue_t, which is retained; null removes the queue, though a call may still
 *     be under way.
 * - CF: CFMessagePortSetDispatchQueue, for local ports.
 */
RL_EXPORT void RLMessagePortSetDispatchQueue(RLMessagePortRef ms,
                                             struct dispatch_queue_s *queue) RL_SWIFT_SECOND_CHOICE;

/**
 * The reference functions that Swift calls for a port, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_message_port(RLMessagePortRef port);
/** @see rl_swift_retain_message_port */
RL_EXPORT void rl_swift_release_message_port(RLMessagePortRef port);

RL_EXTERN_C_END

#endif
