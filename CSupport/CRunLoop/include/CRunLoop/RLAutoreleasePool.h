/*
 * An autorelease pool collects references and releases them together later.
 *
 * Every thread has a stack of pools. Autoreleased references are added to the top pool, and
 * released when the pool is popped, last in first out. A loop may have a pool for each of its
 * passes.
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
 * - Returns: The pool, for RLAutoreleasePoolPop. The pointer is a number that is unique in the
 *   process, and points to no memory.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPush.
 */
RL_EXPORT void *RLAutoreleasePoolPush(void);

/**
 * Pops a pool and releases its references, including references that are autoreleased during the
 * call. If there are pools above this pool, they are popped too, and a line is logged. A pool that
 * is being popped, or that is not on the calling thread's stack, stops the process.
 *
 * - Parameter pool: The result of RLAutoreleasePoolPush.
 * - Ours, no CF counterpart. Objective-C: objc_autoreleasePoolPop.
 */
RL_EXPORT void RLAutoreleasePoolPop(void *pool);

/**
 * Releases a reference of the caller later, when the top pool is popped.
 *
 * If the thread has no pool, the reference is released when the thread ends; the first such call of
 * a thread logs a line.
 *
 * - Parameter object: The object; null stops the process.
 * - Returns: The object.
 * - CF: CFAutorelease, which CF for Linux does not have. In Swift, RLAutorelease retains the object
 *   first.
 */
RL_EXPORT RLTypeRef RLAutorelease(RLTypeRef object);

/**
 * Calls a function with a pointer when the top pool is popped, like RLAutorelease for pointers that
 * are not RL objects.
 *
 * - Parameters:
 *   - object: The argument of the function.
 *   - release: The function; null stops the process.
 * - Ours, no CF counterpart.
 */
RL_EXPORT void RLAutoreleasePoolAdd(void *object, void (*release)(void *object));

/**
 * Returns the number of references in the calling thread's pools, including references that were
 * autoreleased without a pool. Ours, no CF counterpart.
 */
RL_EXPORT RLIndex RLAutoreleasePoolGetCount(void);

/**
 * Installs autorelease pools for the passes of a loop in its common modes: objects that callbacks
 * autorelease live until the loop is about to sleep or the run ends.
 *
 * Adds two observers to the common modes. An observer of kRLRunLoopEntry with the order -2147483647
 * pushes a pool. An observer of kRLRunLoopBeforeWaiting and kRLRunLoopExit with the order
 * 2147483647 pops the pool and, unless the run ends, pushes a new pool. Each run has its own pools:
 * a nested run releases nothing of an outer run. A run in another mode has no pool; its callbacks
 * autorelease into the top pool. A pass that still has work does not reach kRLRunLoopBeforeWaiting,
 * so the next pass uses the same pool.
 *
 * May be called from any thread. If the loop is running, the pools of the run begin with its next
 * pass. Idempotent. The pools are installed for the lifetime of the loop. Ours, no CF counterpart.
 * UIKit and AppKit do the same for the main loop (clause NSAP-2).
 */
RL_EXPORT void RLRunLoopInstallAutoreleasePool(RLRunLoopRef loop);

RL_EXTERN_C_END

#endif
