/*
 * Autorelease pools: references that are released later, together.
 *
 * Every thread has a stack of pools. What is autoreleased goes to the pool on top and is released
 * when that pool is popped, last in first out. A loop may have a pool for each of its passes.
 *
 * All functions work on the calling thread's pools, unless stated otherwise. When a thread ends,
 * everything left in its pools is released.
 */

#ifndef CRUNLOOP_RLAUTORELEASEPOOL_H
#define CRUNLOOP_RLAUTORELEASEPOOL_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * Puts a new pool on top.
 *
 * - Returns: The pool, for RLAutoreleasePoolPop. It is a number in the form of a pointer, unique in
 *   the process.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPush.
 */
RL_EXPORT void *RLAutoreleasePoolPush(void);

/**
 * Pops a pool and releases what is in it, including what is autoreleased while it does so.
 *
 * Pools above it, which should have been popped first, are popped too; that is a mistake, and each
 * such call prints a line. A pool that is not on the calling thread's stack, because it was popped
 * before or is of another thread, stops the process, and so does one that is being popped.
 *
 * - Parameter pool: What RLAutoreleasePoolPush returned.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPop.
 */
RL_EXPORT void RLAutoreleasePoolPop(void *pool);

/**
 * Releases a reference that the caller owns when the pool on top is popped.
 *
 * Without a pool the object is kept until the thread ends, and the first such call of a thread
 * prints a line.
 *
 * - Parameter object: The object; null stops the process.
 * - Returns: The object.
 * - CF: CFAutorelease, which its Linux build lacks. Swift's RLAutorelease adds the reference
 *   itself.
 */
RL_EXPORT RLTypeRef RLAutorelease(RLTypeRef object);

/**
 * Has a function called with a pointer when the pool on top is popped: RLAutorelease for anything
 * that is not an RL object.
 *
 * - Parameters:
 *   - object: What to call it with.
 *   - release: The function; null stops the process.
 * - Ours, no CF counterpart.
 */
RL_EXPORT void RLAutoreleasePoolAdd(void *object, void (*release)(void *object));

/**
 * Returns how many references wait in the calling thread's pools, including those autoreleased
 * without a pool.
 *
 * - Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLAutoreleasePoolGetCount(void);

/**
 * Gives a loop in a common mode pools: what callbacks autorelease lives until the loop is about to
 * sleep, or the run ends.
 *
 * Adds two observers to the common modes: one of kRLRunLoopEntry and order -2147483647, which
 * pushes a pool, and one of kRLRunLoopBeforeWaiting and kRLRunLoopExit and order 2147483647, which
 * pops it, and pushes the next one unless the run ends. Each run has pools of its own: nothing of
 * an outer run is released in one that is nested in it. A run in another mode has none; what its
 * callbacks autorelease goes to the pool that is on top. A pass that does not reach
 * kRLRunLoopBeforeWaiting, because there is work left, keeps its pool until one that does.
 *
 * May be called from any thread, and in a run, whose pools then begin with its next pass. Does
 * nothing the second time. The pools stay for as long as the loop.
 *
 * - Ours, no CF counterpart. UIKit and AppKit do the same for the main loop (NSAP-2).
 */
RL_EXPORT void RLRunLoopInstallAutoreleasePool(RLRunLoopRef loop);

RL_EXTERN_C_END

#endif
