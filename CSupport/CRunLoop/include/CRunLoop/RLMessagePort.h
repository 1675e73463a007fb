/*
 * Message ports: named queues for messages and replies between processes. A local port receives,
 * and a remote port sends. A remote port finds the local port by name, among the processes of one
 * user; other users cannot connect. The names are in the directory `$XDG_RUNTIME_DIR/corerunloop`
 * or, if the variable is not set or other users can write to its directory, in
 * `/tmp/corerunloop-UID`. The variable must be the same in both processes. A name is free again as
 * soon as its port is invalidated or its process has ended in any way. The next process that
 * creates a port removes the files that killed processes leave. If no port can have a name, because
 * the directory belongs to another user or /proc is not mounted, a line is logged on standard
 * error.
 *
 * A message is at most 64 MiB. There is no helper thread: a local port works while a loop serves
 * its source. A loop delivers one message of each port per pass, with at most 16 successive
 * messages of one sender. A malformed message only closes the connection of its sender. A port
 * buffers up to 256 MiB of unread replies and incomplete messages; beyond this limit, it closes the
 * connections of stalled senders. If accepting or receiving fails for lack of resources, the port
 * retries every 0.1 s, and senders wait.
 *
 * A port has at most 4 connections to one process, and 256 in total. Beyond these limits, the port
 * closes the connection that was idle for longest; the remote port reconnects at its next use. No
 * message is lost, and none is delivered twice. A new sender waits only if all connections are
 * busy, or if the other sides watch them by RLMessagePortCreateInvalidationSource or a queue.
 *
 * All functions may be called from any thread. No lock is held while a callback is called. An
 * argument that is null or of another type stops the process with a message that names the
 * function, unless stated otherwise. In a forked child that does not call exec, the copies of the
 * ports are invalid.
 */

#ifndef CRUNLOOP_RLMESSAGEPORT_H
#define CRUNLOOP_RLMESSAGEPORT_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

/* A type of libdispatch: a dispatch_queue_t is a pointer to it. */
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
     * The message was sent and, if a reply was requested, the reply was received.
     * CF: kCFMessagePortSuccess.
     */
    kRLMessagePortSuccess = 0,
    /** The message was not sent within the time-out. CF: kCFMessagePortSendTimeout. */
    kRLMessagePortSendTimeout = -1,
    /**
     * The message was sent, but there was no reply within the time-out.
     * CF: kCFMessagePortReceiveTimeout.
     */
    kRLMessagePortReceiveTimeout = -2,
    /** The port is invalid; nothing was sent. CF: kCFMessagePortIsInvalid. */
    kRLMessagePortIsInvalid = -3,
    /**
     * The message or the reply is too large, or the system failed to send the message.
     * CF: kCFMessagePortTransportError.
     */
    kRLMessagePortTransportError = -4,
    /**
     * The message was sent, but the port became invalid before the reply was received.
     * CF: kCFMessagePortBecameInvalidError.
     */
    kRLMessagePortBecameInvalidError = -5
};

/** The client data of a local port; each function may be null. CF: CFMessagePortContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Retains the info. Called when the port is created. The result becomes the info. */
    const void *(*retain)(const void *info);
    /**
     * Releases the info. Called when the port has been invalidated and its last callback has
     * returned.
     */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLMessagePortContext;

#if defined(__swift__)
/**
 * Receives a message and returns the reply, or nil. `data` is never nil. Return
 * `reply.unsafeRetained()`, which adds a reference that the port releases, because a function
 * pointer in Swift cannot declare that it returns an owned object. CF: CFMessagePortCallBack.
 */
typedef RLTypeRef (*RLMessagePortCallBack)(RLMessagePortRef local, SInt32 messageID, RLDataRef data,
                                           void *info);
#else
/**
 * Receives a message and returns the reply, which the port releases, or null for an empty reply.
 * The reply is ignored if the sender expects none. `data` is never null; retain it to keep it.
 * CF: CFMessagePortCallBack.
 */
typedef RLDataRef (*RLMessagePortCallBack)(RLMessagePortRef local, SInt32 messageID, RLDataRef data,
                                           void *info);
#endif

/** Called once, when the port has become invalid. CF: CFMessagePortInvalidationCallBack. */
typedef void (*RLMessagePortInvalidationCallBack)(RLMessagePortRef port, void *info);

/** Returns the type ID of message ports. CF: CFMessagePortGetTypeID. */
RL_EXPORT RLTypeID RLMessagePortGetTypeID(void);

/**
 * Creates a local port, which receives, or returns this process's existing local port of the name.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - name: The name, from 1 to 128 bytes in UTF-8. Null for a port that is named later
 *     (RLMessagePortSetName).
 *   - callback: Called for each message; not null.
 *   - context: The client's data, copied; may be null.
 *   - shouldFreeInfo: Receives whether the caller still owns the info, because the port already
 *     existed or could not be created; may be null.
 * - Returns: A port that the caller owns; null if the name is empty or too long, if another process
 *   uses the name, or if a system call fails.
 * - CF: CFMessagePortCreateLocal.
 */
RL_EXPORT RLMessagePortRef RLMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name,
                                                    RLMessagePortCallBack callback,
                                                    RLMessagePortContext *context,
                                                    Boolean *shouldFreeInfo) RL_RETURNS_RETAINED;

/**
 * Creates a remote port, which sends, or returns this process's existing remote port of the name.
 * Blocks while other threads of this process connect to the same name, and for at most a second if
 * very many senders connect to the port at once.
 *
 * - Returns: A port that the caller owns; null if no process of this user has a local port of the
 *   name.
 * - CF: CFMessagePortCreateRemote.
 */
RL_EXPORT RLMessagePortRef RLMessagePortCreateRemote(RLAllocatorRef allocator,
                                                     RLStringRef name) RL_RETURNS_RETAINED;

/** Returns whether the port is a remote port. CF: CFMessagePortIsRemote. */
RL_EXPORT Boolean RLMessagePortIsRemote(RLMessagePortRef port);

/**
 * Returns the name, valid until the port is destroyed or renamed; null if the port has no name.
 * CF: CFMessagePortGetName.
 */
RL_EXPORT RLStringRef RLMessagePortGetName(RLMessagePortRef port) RL_RETURNS_NOT_RETAINED;

/**
 * Renames a local port. Connected remote ports stay connected. A remote port whose connection is
 * closed because of the limit of connections becomes invalid, because it cannot reconnect by the
 * old name.
 *
 * - Returns: Whether the port has the name now. False if the port is remote or invalid, or if the
 *   name is null, not from 1 to 128 bytes long, or used by another port.
 * - CF: CFMessagePortSetName.
 */
RL_EXPORT Boolean RLMessagePortSetName(RLMessagePortRef port, RLStringRef name);

/**
 * Copies the context; the info is null for a remote or invalid port. CF: CFMessagePortGetContext.
 */
RL_EXPORT void RLMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context);

/**
 * Invalidates the port permanently: frees its name, calls its invalidation callback on the calling
 * thread, releases its context, invalidates its source and closes its connections, in this order.
 * The other sides are notified. Messages that were not delivered yet are lost.
 *
 * The last release of a port also closes the port, without the callback. A port with a run loop
 * source must be invalidated, because the port and the source retain each other.
 * CF: CFMessagePortInvalidate.
 */
RL_EXPORT void RLMessagePortInvalidate(RLMessagePortRef port);

/**
 * Returns whether the port is valid. Invalidates a remote port whose other side has closed. Blocks
 * for at most a second if the port has to reconnect while very many other ports reconnect.
 * CF: CFMessagePortIsValid.
 */
RL_EXPORT Boolean RLMessagePortIsValid(RLMessagePortRef port);

/** Returns the invalidation callback, or null. CF: CFMessagePortGetInvalidationCallBack. */
RL_EXPORT RLMessagePortInvalidationCallBack
RLMessagePortGetInvalidationCallBack(RLMessagePortRef port);

/**
 * Sets the invalidation callback, which is called when the port becomes invalid; null for none. If
 * the port is already invalid, the callback is called at once. A remote port detects that its other
 * side has closed when the port is used or checked, and in a loop that serves its invalidation
 * source (RLMessagePortCreateInvalidationSource). CF: CFMessagePortSetInvalidationCallBack.
 */
RL_EXPORT void RLMessagePortSetInvalidationCallBack(RLMessagePortRef port,
                                                    RLMessagePortInvalidationCallBack callback);

/**
 * Sends a message, and waits for the reply if `replyMode` is not null. To send, the calling thread
 * blocks until the port has space, without running its loop. To wait for the reply, the thread runs
 * its loop in `replyMode`; RLRunLoopStop does not end the wait. A late reply is dropped. If no
 * reply is requested, success means that the system has accepted the message: the message is lost
 * if the receiving process ends before it reads the message.
 *
 * - Parameters:
 *   - remote: A remote port; a local port stops the process.
 *   - messageID: Any number.
 *   - data: The data, up to 64 MiB; null for no data.
 *   - sendTimeout: The time-out for space in the port, in seconds. With 0 or less, the call does
 *     not wait; ten days or more means no time-out.
 *   - receiveTimeout: The time-out for the reply, in seconds. With 0 or less, the loop makes one
 *     pass.
 *   - replyMode: The mode in which to wait for the reply, or null for no reply.
 *     kRLRunLoopCommonModes stops the process, because no loop can run in it.
 *   - returnData: Receives the reply, which the caller owns, or null if there is no reply; may be
 *     null.
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
 * Sends a message like RLMessagePortSendRequest, with duplicates of `descriptorCount` open
 * descriptors. The caller keeps its descriptors. More than 16 descriptors stop the process.
 * `descriptors` may be null if the count is 0. Ours, no CF counterpart.
 */
RL_EXPORT SInt32 RLMessagePortSendRequestWithDescriptors(
    RLMessagePortRef remote, SInt32 messageID, RLDataRef data, const SInt32 *descriptors,
    RLIndex descriptorCount, RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
    RLStringRef replyMode, RLDataRef *returnData) RL_SWIFT_BLOCKING;

/**
 * Takes up to `capacity` descriptors of a message, in the callback of the message. Returns their
 * number; 0 if none are left, and outside of the callback. The caller closes the descriptors, which
 * are closed on exec. Descriptors that are not taken are closed after the callback.
 * Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLMessagePortTakeDescriptors(RLMessagePortRef local, SInt32 *descriptors,
                                               RLIndex capacity);

/**
 * Returns the run loop source of a local port: a version-2 source that the caller owns, or null for
 * a remote or invalid port. The port receives while a loop serves the source. Returns the same
 * source each time, until the source is invalidated. `allocator` is ignored; `order` is stored, but
 * has no effect. CF: CFMessagePortCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLMessagePortCreateRunLoopSource(RLAllocatorRef allocator,
                                                              RLMessagePortRef local,
                                                              RLIndex order) RL_RETURNS_RETAINED;

/**
 * Returns a run loop source that invalidates a remote port when its other side closes. Returns the
 * same source each time, until the source is invalidated. Ours, no CF counterpart.
 *
 * - Returns: A source that the caller owns; null for a local or invalid port, and if the system has
 *   no more descriptors.
 */
RL_EXPORT RLRunLoopSourceRef RLMessagePortCreateInvalidationSource(
    RLAllocatorRef allocator, RLMessagePortRef remote, RLIndex order) RL_RETURNS_RETAINED;

/**
 * Serves the port on a dispatch queue, a dispatch_queue_t, instead of in loops. Null removes the
 * queue, and a callback may still be running afterwards. A local port receives messages, one at a
 * time; a remote port detects that its other side has closed. The callbacks of the port are called
 * on the queue. A port has either a queue or a run loop source. If the port has a source or is
 * invalid, the call only logs a line. A port with a queue has no source. The port retains the
 * queue, and the queue retains the port until the port is invalidated or its queue is removed.
 * Without libdispatch, the call stops the process. CF: CFMessagePortSetDispatchQueue, for local
 * ports.
 */
RL_EXPORT void RLMessagePortSetDispatchQueue(RLMessagePortRef ms,
                                             struct dispatch_queue_s *queue) RL_SWIFT_SECOND_CHOICE;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_message_port(RLMessagePortRef port);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_message_port(RLMessagePortRef port);

RL_EXTERN_C_END

#endif
