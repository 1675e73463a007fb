/*
 * Hosting: another event loop serves a run loop, and polls a descriptor that is readable when the
 * run loop has work. Ours, no CF counterpart.
 *
 * All functions must be called on the thread whose loop is hosted.
 */

#ifndef CRUNLOOP_RLRUNLOOPHOSTING_H
#define CRUNLOOP_RLRUNLOOPHOSTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** Options for hosting a loop. Ours, no CF counterpart. */
RL_OPTIONS(RLOptionFlags, RLRunLoopHostingOptions) {
    /**
     * While the main loop is hosted, it serves neither the main dispatch queue nor Swift's main
     * actor. The host must serve the queue. Without this option, the main loop serves the queue as
     * in any run, if the mode is a common mode.
     */
    kRLRunLoopHostingLeavesMainQueue = (1UL << 0)
};

/** The callback for the end of hosting, and the client's data. Ours, no CF counterpart. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Called once on the loop's thread when the hosting ends, by RLRunLoopEndHosting or because the
     * thread ends. The poll descriptor is still open. May be null.
     */
    void (*ended)(void *info, Boolean isThreadEnding);
} RLRunLoopHostingContext;

/**
 * Begins to host the calling thread's loop in another event loop, the host.
 *
 * From this call on, the loop counts as asleep in the mode. The poll descriptor is readable while
 * the loop has work, so an idle host sleeps. Sources and timers that any thread adds, work of the
 * main queue, and ready descriptors take effect at once. Blocks that other threads queue, and
 * sources that other threads signal, need RLRunLoopWakeUp, as for a sleeping loop. A wake-up while
 * the loop runs causes another pass, as does a nested run. This pass may find no work.
 *
 * The host polls for reading, level-triggered, and calls RLRunLoopRunHosted when the descriptor is
 * readable. The loop may also be run by other functions at any time, including in the host's
 * callbacks. A host that runs nested in a callback of the loop still serves the loop.
 *
 * After a fork, the child's loop is not hosted.
 *
 * - Parameters:
 *  - mode: The mode; created if it does not exist. Must not be kRLRunLoopCommonModes.
 *  - options: 0, or kRLRunLoopHostingLeavesMainQueue.
 *  - context: The callback for the end; copied. May be null.
 * - Returns: The poll descriptor, valid until the hosting ends. The loop owns the descriptor: do
 *   not read or close it. On failure, a negative errno value: -EBUSY if the loop runs or is already
 *   hosted, -EMFILE if the kernel has no descriptors left, -ESRCH if the thread is ending.
 * - CF: none in the public API; Apple's frameworks use the port set of a loop's mode.
 */
RL_EXPORT int RLRunLoopBeginHosting(RLRunLoopMode mode, RLRunLoopHostingOptions options,
                                    const RLRunLoopHostingContext *context);

/**
 * Serves the hosted loop without blocking.
 *
 * Observers are called as in runs that do not sleep. When no work is left, observers of
 * kRLRunLoopBeforeWaiting are called; observers of kRLRunLoopAfterWaiting are called when the host
 * serves the loop again. Does nothing if the calling thread's loop is not hosted.
 *
 * - Parameter passes: The greatest number of passes before the call returns; at least one pass is
 *   made. A pass serves all signaled sources, blocks and due timers, and one descriptor.
 * - Returns: Whether the loop has more work: the descriptor is still readable.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunHosted(RLIndex passes);

/**
 * Reports that the calling thread has no more work for its loop and is about to wait elsewhere, for
 * example in a thread that makes one pass per frame.
 *
 * Calls the mode's observers of kRLRunLoopBeforeWaiting. When the loop next runs, calls its
 * observers of kRLRunLoopAfterWaiting, as if the loop had slept in between. Idle queues,
 * transactions and monitors depend on these activities. Does nothing inside a run, or if the mode
 * is empty. RLRunLoopRunHosted calls these observers itself.
 *
 * - Parameter mode: The mode that is served. Must not be kRLRunLoopCommonModes.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopRest(RLRunLoopMode mode);

/**
 * Returns the poll descriptor of the calling thread's loop; -1 if the loop is not hosted. CF: none.
 */
RL_EXPORT int RLRunLoopGetPollDescriptor(void);

/**
 * Ends the hosting of the calling thread's loop. Does nothing if the loop is not hosted. May be
 * called in a callback of the loop. After this call, the host must not poll the descriptor.
 * CF: none.
 */
RL_EXPORT void RLRunLoopEndHosting(void);

RL_EXTERN_C_END

#endif
