/*
 * Autorelease pools: references that are given up later, together.
 *
 * Every thread has a stack of pools. What is autoreleased goes to the pool on top and is released
 * when that pool is popped, last in first out. A loop may have a pool for each of its passes.
 *
 * All functions work on the calling thread's pools, unless stated otherwise. What a thread leaves
 * in its pools when it ends is released then.
 */

#ifndef CRUNLOOP_RLAUTORELEASEPOOL_H
#define CRUNLOOP_RLAUTORELEASEPOOL_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * Puts a new pool on top.
 *
 * - Returns: The pool, for RLAutoreleasePoolPop. It is a number in the form of a pointer, that of
 *   no other pool of the process.
 * - CF: none; Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPush.
 */
RL_EXPORT void *RLAutoreleasePoolPush(void);

/**
 * Takes a pool off and releases what is in it, what is autoreleased meanwhile included.
 *
 * Pools above it, which should have been popped first, go with it; that is a mistake, and each such
 * call says so with a line. A pool that is not on the calling thread's stack, because it was popped
 * before or is of another thread, stops the process, and so does one that is being popped.
 *
 * - Parameter pool: What RLAutoreleasePoolPush returned.
 * - CF: none; Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPop.
 */
RL_EXPORT void RLAutoreleasePoolPop(void *pool);

/**
 * Gives a reference of the caller up when the pool on top is popped.
 *
 * Without a pool the object is kept until the thread ends, and the first such call of a thread says
 * so with a line.
 *
 * - Parameter object: The object; null stops the process.
 * - Returns: The object.
 * - CF: CFAutorelease, which its Linux build lacks. Swift's RLAutorelease adds the reference
 *   itself.
 */
RL_EXPORT RLTypeRef RLAutorelease(RLTypeRef object);

/**
 * Has a function called with a pointer when the pool on top is popped: RLAutorelease for what is no
 * RL object.
 *
 * - Parameters:
 *   - object: What to call it with.
 *   - release: The function; null stops the process.
 * - CF: none; Ours, no CF counterpart.
 */
RL_EXPORT void RLAutoreleasePoolAdd(void *object, void (*release)(void *object));

/**
 * How many references wait in the calling thread's pools, those without a pool included.
 *
 * - CF: none; Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLAutoreleasePoolGetCount(void);

/**
 * Gives each pass of a loop in a common mode a pool: what callbacks autorelease lives until the end
 * of the pass, and no longer.
 *
 * Adds two observers to the common modes: one of kRLRunLoopEntry and order -2147483647, which
 * pushes a pool, and one of kRLRunLoopBeforeWaiting and kRLRunLoopExit and order 2147483647, which
 * pops it, and pushes the next one unless the run ends. Each run has pools of its own: nothing of
 * an outer run is released in one that is nested in it. A run in another mode has none; what its
 * callbacks autorelease goes to the pool that is there. A pass that does not come to
 * kRLRunLoopBeforeWaiting, because there is work left, ends with the next one that does.
 *
 * May be called from any thread, and in a run, whose pools then begin with its next pass. Does
 * nothing for a loop that has this already. The pools stay for as long as the loop.
 *
 * - CF: none; Ours, no CF counterpart. UIKit and AppKit do the same for the main loop (NSAP-2).
 */
RL_EXPORT void RLRunLoopInstallAutoreleasePool(RLRunLoopRef loop);

RL_EXTERN_C_END

#endif
