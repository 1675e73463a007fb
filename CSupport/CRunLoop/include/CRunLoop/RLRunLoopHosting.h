/*
 * Hosting: serving a run loop inside another event loop, by a descriptor that is readable when the
 * run loop has work. Ours, no CF counterpart.
 *
 * All functions are for the thread whose loop is hosted.
 */

#ifndef CRUNLOOP_RLRUNLOOPHOSTING_H
#define CRUNLOOP_RLRUNLOOPHOSTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** Options for hosting a loop. Ours, no CF counterpart. */
RL_OPTIONS(RLOptionFlags, RLRunLoopHostingOptions) {
    /**
     * While hosted, the main loop does not serve the main dispatch queue, and with it Swift's main
     * actor. The host must serve the queue. Without this option the main loop serves it as in any
     * run, if the mode is a common one.
     */
    kRLRunLoopHostingLeavesMainQueue = (1UL << 0)
};

/** A callback for the end of a hosting. Ours, no CF counterpart. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Called once on the loop's thread when RLRunLoopEndHosting or the end of the thread ends the
     * hosting, with the poll descriptor still open. May be null.
     */
    void (*ended)(void *info, Boolean isThreadEnding);
} RLRunLoopHostingContext;

/**
 * Serves the calling thread's loop inside another event loop, its host.
 *
 * From then on the loop counts as asleep in the mode. The poll descriptor is readable only while
 * the loop has work, so that an idle host sleeps. Sources, timers, blocks and items of the main
 * queue take effect at once, on whatever thread they are added, and so do descriptors that become
 * ready. As in a sleeping loop, blocks and signals of other threads need RLRunLoopWakeUp. Those of
 * the loop's own thread do not. A wake-up while the loop runs causes another pass, which may find
 * nothing.
 *
 * The host polls for reading, level-triggered, and calls RLRunLoopRunHosted when the descriptor is
 * readable. The loop may be run in any other way at any time, also in the host's callbacks. The
 * host may run nested in callbacks of the loop, and serves both then.
 *
 * After a fork the child's loop is not hosted.
 *
 * - Parameters:
 *   - mode: The mode; created if there is none of that name. Not kRLRunLoopCommonModes.
 *   - options: 0, or kRLRunLoopHostingLeavesMainQueue.
 *   - context: The callback for the end; copied. May be null.
 * - Returns: The poll descriptor, valid until the hosting ends. The loop owns it: do not read or
 *   close it. Or a negative errno: -EBUSY if the loop runs or is hosted already, -EMFILE if the
 *   kernel has no descriptors left, -ESRCH if the thread is ending.
 * - CF: none in public; Apple's frameworks use the port set of a loop's mode.
 */
RL_EXPORT int RLRunLoopBeginHosting(RLRunLoopMode mode, RLRunLoopHostingOptions options,
                                    const RLRunLoopHostingContext *context);

/**
 * Serves the hosted loop without blocking.
 *
 * Observers are called as in runs that do not sleep. When no work is left, observers of
 * BeforeWaiting are called, and observers of AfterWaiting when the host serves the loop again. Does
 * nothing if the calling thread's loop is not hosted.
 *
 * - Parameter passes: The greatest number of passes before the host continues; at least one is
 *   made. A pass serves all signaled sources, blocks and due timers, and one descriptor.
 * - Returns: Whether there is more work, so that the descriptor is still readable.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunHosted(RLIndex passes);

/**
 * Reports that the calling thread has no more work for its loop and is about to wait elsewhere, for
 * example in a thread that makes one pass per frame.
 *
 * Calls the mode's observers of kRLRunLoopBeforeWaiting and, when the loop next runs, those of
 * kRLRunLoopAfterWaiting, as if the loop slept in between. Idle work, commits and monitors depend
 * on these activities. Does nothing inside a run, or if the mode is empty. RLRunLoopRunHosted does
 * this itself.
 *
 * - Parameter mode: The mode that is served. Not kRLRunLoopCommonModes.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopRest(RLRunLoopMode mode);

/**
 * The poll descriptor of the calling thread's loop; -1 if it is not hosted. CF: none.
 */
RL_EXPORT int RLRunLoopGetPollDescriptor(void);

/**
 * Ends the hosting of the calling thread's loop, if there is one. May be called in a callback of
 * the loop. The host must no longer poll the descriptor. CF: none.
 */
RL_EXPORT void RLRunLoopEndHosting(void);

RL_EXTERN_C_END

#endif
