/*
 * Autorelease pools: references that are released later, together.
 *
 * Every thread has a stack of pools. Autoreleased references are added to the pool on top and
 * released when that is popped, last in first out. A loop may have a pool for each of its passes.
 *
 * All functions work on the calling thread's pools, unless stated otherwise. When a thread ends,
 * its pools release all their references.
 */

#ifndef CRUNLOOP_RLAUTORELEASEPOOL_H
#define CRUNLOOP_RLAUTORELEASEPOOL_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * Pushes a new pool.
 *
 * - Returns: The pool, for RLAutoreleasePoolPop. It is a number in the form of a pointer, unique in
 *   the process.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPush.
 */
RL_EXPORT void *RLAutoreleasePoolPush(void);

/**
 * Pops a pool and releases its references, including those autoreleased meanwhile. Pools above it,
 * which should have been popped first, are popped too; each such call prints a line. A pool that is
 * being popped, or that is not on the calling thread's stack, stops the process.
 *
 * - Parameter pool: The result of RLAutoreleasePoolPush.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPop.
 */
RL_EXPORT void RLAutoreleasePoolPop(void *pool);

/**
 * Releases a reference that the caller owns when the pool on top is popped.
 *
 * Without a pool the object is retained until the thread ends, and the first such call of a thread
 * prints a line.
 *
 * - Parameter object: The object; null stops the process.
 * - Returns: The object.
 * - CF: CFAutorelease, which its Linux build lacks. Swift's RLAutorelease adds the reference
 *   itself.
 */
RL_EXPORT RLTypeRef RLAutorelease(RLTypeRef object);

/**
 * Calls a function with a pointer when the pool on top is popped: RLAutorelease for anything except
 * RL objects.
 *
 * - Parameters:
 *   - object: The argument of the function.
 *   - release: The function; null stops the process.
 * - Ours, no CF counterpart.
 */
RL_EXPORT void RLAutoreleasePoolAdd(void *object, void (*release)(void *object));

/**
 * The number of references in the calling thread's pools, including those autoreleased without a
 * pool.
 *
 * - Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLAutoreleasePoolGetCount(void);

/**
 * Wraps the passes of a loop in a common mode in pools: objects that callbacks autorelease live
 * until the loop is about to sleep or the run ends.
 *
 * Adds two observers to the common modes: one of kRLRunLoopEntry and order -2147483647, which
 * pushes a pool, and one of kRLRunLoopBeforeWaiting and kRLRunLoopExit and order 2147483647, which
 * pops it, and pushes the next one unless the run ends. Each run has pools of its own: a nested run
 * releases nothing of an outer one. A run in another mode has none; references that its callbacks
 * autorelease are added to the pool on top. A pool lasts until a pass reaches
 * kRLRunLoopBeforeWaiting, which a pass with work left does not. May be called from any thread, and
 * in a run, whose pools then begin with its next pass. Idempotent. The pools are installed for the
 * lifetime of the loop.
 *
 * - Ours, no CF counterpart. UIKit and AppKit do the same for the main loop (NSAP-2).
 */
RL_EXPORT void RLRunLoopInstallAutoreleasePool(RLRunLoopRef loop);

RL_EXTERN_C_END

#endif
