/*
 * Adapters between run loops and other event loops: GLib's, libuv's, and any loop that polls
 * descriptors. They have no CF counterpart.
 *
 * The build does not need the headers and libraries of these event loops: when an adapter is
 * created, it looks up their functions in the process. A program that links such a library
 * statically must export its symbols (`-rdynamic`).
 *
 * Call all functions on the thread of the run loop, unless stated otherwise.
 */

#ifndef CRUNLOOPHOSTS_H
#define CRUNLOOPHOSTS_H

#include <CRunLoop/CRunLoop.h>

RL_EXTERN_C_BEGIN

/* Types of GLib and libuv, under their original names. */
struct _GMainContext;
struct uv_loop_s;

/**
 * Serves the calling thread's run loop inside another event loop.
 *
 * A run loop can have one adapter at a time. The adapter is valid until it is invalidated, the run
 * loop's thread ends, or RLRunLoopEndHosting is called; until then, the hosting retains the
 * adapter. Adapters are reference-counted.
 */
typedef struct RLHostAdapter *RLHostAdapterRef;

/**
 * The options of an adapter. All members may be zero. Functions with options as a parameter also
 * accept null.
 */
typedef struct {
    /** The mode in which the run loop is served; null for the default mode. */
    RLRunLoopMode mode;
    /**
     * The options of the hosting. With 0, a hosted main loop also serves the main dispatch queue.
     */
    RLRunLoopHostingOptions options;
    /** The maximum number of passes of the run loop per call by the host; 0 for 16. */
    RLIndex passes;
    /**
     * For GLib: the priority of the GSource; 0 is G_PRIORITY_DEFAULT, and lower values run first.
     */
    SInt32 priority;
} RLHostAdapterOptions;

/**
 * Serves the calling thread's run loop in a GLib context, using a GSource. In a GTK program, for
 * example, GLib runs on the main thread and serves the timers and sources of the main run loop, the
 * main dispatch queue and Swift's main actor. The GSource may recurse: a nested g_main_loop_run in
 * a callback of the run loop also serves the run loop.
 *
 * - Parameters:
 *   - context: The context that this thread runs, which is retained; null for the thread's default
 *     context.
 *   - options: The options, or null.
 * - Returns: An adapter that the caller must release. Null, with a line on standard error, if GLib
 *   is not loaded in the process or RLRunLoopBeginHosting fails.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithGLib(struct _GMainContext *context,
                                                       const RLHostAdapterOptions *options);

/**
 * Serves the calling thread's run loop in a libuv loop, using a uv_poll_t. The handle is active, so
 * uv_run returns only after uv_stop, or when the adapter is invalid. Invalidate the adapter before
 * uv_loop_close. uv_run is not reentrant, so callbacks of the run loop must not call it.
 *
 * - Parameters:
 *  - loop: The libuv loop that this thread runs, such as uv_default_loop().
 *  - options: The options, or null.
 * - Returns: The same as RLHostAdapterCreateWithGLib, with libuv instead of GLib.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithUV(struct uv_loop_s *loop,
                                                     const RLHostAdapterOptions *options);

/**
 * Serves the run loop from an epoll set, to which the run loop's poll descriptor is added. Call
 * RLHostAdapterServe when epoll_wait returns an event with the payload.
 *
 * - Parameters:
 *  - epoll: The descriptor of the epoll set. It is not closed.
 *  - payload: The value of `data.u64` in the events of the descriptor.
 *  - options: The options, or null.
 * - Returns: An adapter that the caller must release. Null, with a line on standard error, if the
 *   descriptor cannot be added to the set or RLRunLoopBeginHosting fails.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithEpoll(int epoll, UInt64 payload,
                                                        const RLHostAdapterOptions *options);

/**
 * Serves the run loop in any other host. The host polls the descriptor that
 * RLHostAdapterGetDescriptor returns for reading, level-triggered, and calls RLHostAdapterServe
 * when the descriptor is readable.
 *
 * - Parameter options: The options, or null.
 * - Returns: An adapter that the caller must release. Null, with a line on standard error, if
 *   RLRunLoopBeginHosting fails.
 */
RL_EXPORT RLHostAdapterRef RLHostAdapterCreateWithDescriptor(const RLHostAdapterOptions *options);

/** Returns the poll descriptor of the run loop, or -1 if the adapter is invalid. */
RL_EXPORT int RLHostAdapterGetDescriptor(RLHostAdapterRef adapter);

/**
 * Serves the run loop without blocking. Adapters for GLib and libuv make this call themselves.
 *
 * - Returns: Whether the run loop has more work.
 */
RL_EXPORT Boolean RLHostAdapterServe(RLHostAdapterRef adapter);

/** Ends the hosting: the host no longer serves the run loop. Idempotent. */
RL_EXPORT void RLHostAdapterInvalidate(RLHostAdapterRef adapter);

/**
 * Returns whether the hosting is active. Returns false in a forked child, where the run loop may
 * have another host.
 */
RL_EXPORT Boolean RLHostAdapterIsValid(RLHostAdapterRef adapter);

/** Retains an adapter and returns it. Thread-safe. */
RL_EXPORT RLHostAdapterRef RLHostAdapterRetain(RLHostAdapterRef adapter);

/** Releases an adapter. This does not end the hosting, which has its own reference. Thread-safe. */
RL_EXPORT void RLHostAdapterRelease(RLHostAdapterRef adapter);

/**
 * Creates a source that serves a GLib context from a run loop. This is the opposite of
 * RLHostAdapterCreateWithGLib.
 *
 * In each mode to which the source is added, the run loop also waits for the context's descriptors
 * and timeouts, and dispatches ready GSources. While the source is in a mode, this thread owns the
 * context: other threads can attach GSources and wake the context, which wakes the run loop, but
 * cannot iterate the context. Add and remove the source on the run loop's own thread. If that
 * thread attaches a GSource while the run loop runs, the run loop detects the GSource before its
 * next sleep. If a third loop hosts the run loop, call RLRunLoopWakeUp after attaching.
 *
 * - Parameter context: The context, which is retained; null for the calling thread's default
 *   context.
 * - Returns: A source that the caller owns. Null, with a line on standard error, if GLib is not
 *   loaded in the process or no descriptors are left.
 */
RL_EXPORT RLRunLoopSourceRef RLGLibSourceCreate(struct _GMainContext *context) RL_RETURNS_RETAINED;

RL_EXTERN_C_END

#endif
