/*
 * Adapters between run loops and other event loops: GLib's, libuv's, and any that polls
 * descriptors. Ours, no CF counterpart.
 *
 * The headers and libraries of those loops are not needed. Their functions are looked up in the
 * process when an adapter is made. A program that links such a library statically must export its
 * symbols (`-rdynamic`).
 *
 * All functions are for the thread whose run loop is served or serves, unless stated otherwise.
 */

#ifndef CRUNLOOPHOSTS_H
#define CRUNLOOPHOSTS_H

#include <CRunLoop/CRunLoop.h>

RL_EXTERN_C_BEGIN

/* Types of GLib's and libuv's, by their own names. */
struct _GMainContext;
struct uv_loop_s;

/**
 * Serves the calling thread's run loop inside another event loop.
 *
 * A run loop has one adapter at a time. It lasts until it is invalidated, the run loop's thread
 * ends, or RLRunLoopEndHosting is called. The caller need not keep a reference meanwhile. Adapters
 * have a reference count.
 */
typedef struct RLHostAdapter *RLHostAdapterRef;

/** The options of an adapter; may be null as an argument, and its members may be zero. */
typedef struct {
    /** The mode in which the run loop is served; null for the default mode. */
    RLRunLoopMode mode;
    /** Options of hosting: 0 to serve the main dispatch queue too, if it is the main loop. */
    RLRunLoopHostingOptions options;
    /** The greatest number of passes of the run loop before the host continues; 0 for 16. */
    RLIndex passes;
    /** For GLib: the priority among its sources, 0 for G_PRIORITY_DEFAULT. Lower goes first. */
    SInt32 priority;
} RLHostAdapterOptions;

/**
 * Serves the calling thread's run loop in a GLib context, by a GSource. With GTK, for example, GLib
 * runs the main thread and serves timers and sources of the main run loop, the main dispatch queue
 * and Swift's main actor. The GSource may recurse: a nested g_main_loop_run in a callback of the
 * run loop serves it too.
 *
 * - Parameters:
 *   - context: The context, which this thread runs; retained. Null for the thread's default one.
 *   - options: Or null.
 * - Returns: The adapter, with a reference for the caller; null, with a line on standard error, if
 *   GLib is not in the process, or for a reason of RLRunLoopBeginHosting.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithGLib(struct _GMainContext *context,
                                                       const RLHostAdapterOptions *options);

/**
 * Serves the calling thread's run loop in a libuv loop, by a uv_poll_t. The handle is active:
 * uv_run does not return before the adapter is invalidated. Invalidate it before uv_loop_close.
 * libuv does not run nested, so a callback must not call uv_run.
 *
 * - Parameters:
 *   - loop: The loop, which this thread runs, such as uv_default_loop().
 *   - options: Or null.
 * - Returns: As RLHostAdapterCreateWithGLib.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithUV(struct uv_loop_s *loop,
                                                     const RLHostAdapterOptions *options);

/**
 * Adds the run loop's poll descriptor to an epoll set. The program that waits for the set calls
 * RLHostAdapterServe when an event has the payload.
 *
 * - Parameters:
 *   - epoll: The epoll set, not owned.
 *   - payload: The value of `epoll_event.data.u64`.
 *   - options: Or null.
 * - Returns: As RLHostAdapterCreateWithGLib; null also if the set does not take the descriptor.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithEpoll(int epoll, UInt64 payload,
                                                        const RLHostAdapterOptions *options);

/**
 * Serves the run loop in a host of any kind. The host polls RLHostAdapterGetDescriptor for reading,
 * level-triggered, and calls RLHostAdapterServe when it is readable.
 *
 * - Parameter options: Or null.
 * - Returns: As RLHostAdapterCreateWithGLib.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithDescriptor(const RLHostAdapterOptions *options);

/** The poll descriptor; -1 if the adapter is invalid. */
RL_EXPORT int RLHostAdapterGetDescriptor(RLHostAdapterRef adapter);

/**
 * Serves the run loop without blocking. GLib and libuv call it themselves.
 *
 * - Returns: Whether there is more work.
 */
RL_EXPORT Boolean RLHostAdapterServe(RLHostAdapterRef adapter);

/**
 * Ends the hosting: the host no longer serves the run loop. Idempotent.
 */
RL_EXPORT void RLHostAdapterInvalidate(RLHostAdapterRef adapter);

/**
 * Whether the hosting is active. False in a forked child, where the run loop may have another host.
 */
RL_EXPORT Boolean RLHostAdapterIsValid(RLHostAdapterRef adapter);

/** Adds a reference and returns the argument. Any thread. */
RL_EXPORT RLHostAdapterRef RLHostAdapterRetain(RLHostAdapterRef adapter);

/**
 * Removes a reference. Removing the last one does not end the hosting, which has its own. Any
 * thread.
 */
RL_EXPORT void RLHostAdapterRelease(RLHostAdapterRef adapter);

/**
 * The opposite direction: makes a source that serves a GLib context from a run loop.
 *
 * In each mode that it is added to, the run loop waits for the context's descriptors and time-outs
 * too, and dispatches the ready sources. While it is in a mode, this thread owns the context: other
 * threads may attach sources to it and wake it, which wakes the run loop, but cannot iterate it.
 * Add and remove the source on the run loop's own thread. If that thread adds to the context while
 * the loop runs, the loop notices before it sleeps. If a third loop hosts the run loop then, call
 * RLRunLoopWakeUp.
 *
 * - Parameter context: The context; retained. Null for the calling thread's default one.
 * - Returns: A source that the caller owns; null, with a line on standard error, if GLib is not in
 *   the process, or no descriptors are left.
 */
RL_EXPORT RLRunLoopSourceRef RLGLibSourceCreate(struct _GMainContext *context) RL_RETURNS_RETAINED;

RL_EXTERN_C_END

#endif
