/*
 * Hosting: serving a run loop inside another event loop, by a descriptor that tells when the run
 * loop has something to do. Ours, no CF counterpart.
 *
 * All functions are for the thread whose loop is hosted.
 */

#ifndef CRUNLOOP_RLRUNLOOPHOSTING_H
#define CRUNLOOP_RLRUNLOOPHOSTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** How a loop is hosted. Ours, no CF counterpart. */
RL_OPTIONS(RLOptionFlags, RLRunLoopHostingOptions) {
    /**
     * The main dispatch queue, and with it Swift's main actor, is not for the main loop to serve
     * while it is hosted: the host does, or nobody. Without this option the main loop serves it as
     * in any run, if the mode is a common one.
     */
    kRLRunLoopHostingLeavesMainQueue = (1UL << 0)
};

/** The client that is told of the end of a hosting. Ours, no CF counterpart. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Called once on the loop's thread when the hosting ends, with the poll descriptor still open:
     * by RLRunLoopEndHosting, or because the thread does. May be null.
     */
    void (*ended)(void *info, Boolean isThreadEnding);
} RLRunLoopHostingContext;

/**
 * Begins to serve the calling thread's loop inside another event loop, its host.
 *
 * From here on the loop waits in the kernel as if it slept in the mode. The poll descriptor is
 * readable whenever the loop has something to do: a source, a timer, a block or an item of the main
 * queue is in it at once, whoever adds it on whatever thread, and so is a descriptor that becomes
 * ready. It is not readable otherwise, so that an idle host sleeps. Blocks and signals of other
 * threads need RLRunLoopWakeUp, as in a sleeping loop; those of the loop's own thread do not. A
 * wake-up that comes while the loop runs has it make another pass, which may find nothing.
 *
 * The host polls for reading, level-triggered, and calls RLRunLoopRunHosted when the descriptor is
 * readable. Runs of other kinds may happen at any time, in the host's callbacks too, and the host
 * may run nested in callbacks of the loop: its events and those of the loop go on being served
 * there.
 *
 * After a fork the child's loop is not hosted.
 *
 * - Parameters:
 *   - mode: The mode; made if there is none of that name. Not kRLRunLoopCommonModes.
 *   - options: 0, or kRLRunLoopHostingLeavesMainQueue.
 *   - context: The client that is told of the end; copied. May be null.
 * - Returns: The poll descriptor, valid until the hosting ends and owned by the loop: not to be
 *   read, nor closed. A negative errno: -EBUSY if the loop runs or is hosted already, -EMFILE if
 *   the kernel has no descriptors left, -ESRCH if the thread is at its end.
 * - CF: none in public; the port set of a loop's mode serves Apple's frameworks so.
 */
RL_EXPORT int RLRunLoopBeginHosting(RLRunLoopMode mode, RLRunLoopHostingOptions options,
                                    const RLRunLoopHostingContext *context);

/**
 * Serves what the hosted loop has to do, and never waits.
 *
 * Observers see runs with a time of 0: entries, passes and exits. When nothing is left to do, the
 * loop rests: they see BeforeWaiting, and AfterWaiting when the host serves the loop again. Does
 * nothing if the calling thread's loop is not hosted.
 *
 * - Parameter passes: How many passes to make at most before the host has its turn again; at least
 *   one is made. A pass serves all signalled sources, blocks and due timers, and one descriptor.
 * - Returns: Whether there is more to do, so that the descriptor is still readable.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunHosted(RLIndex passes);

/**
 * Says that the calling thread has nothing more to serve for now and is about to wait elsewhere, as
 * one that makes a pass per frame does.
 *
 * Calls the mode's observers of kRLRunLoopBeforeWaiting, and when the loop next runs, those of
 * kRLRunLoopAfterWaiting, as if the loop slept in between: idle work, commits and monitors that
 * hang on these moments get them. Does nothing inside a run, or if the mode is empty.
 * RLRunLoopRunHosted does it by itself.
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
 * Ends what RLRunLoopBeginHosting began for the calling thread's loop, in a callback of the loop
 * too; does nothing without. The host must not poll the descriptor any more. CF: none.
 */
RL_EXPORT void RLRunLoopEndHosting(void);

RL_EXTERN_C_END

#endif
