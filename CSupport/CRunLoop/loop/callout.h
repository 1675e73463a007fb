/*
 * Calls of the client code of loops, so that every such call is easy to find. Those of the steps of
 * a pass are in pass_callout.h, those of a kind of source beside the source. No lock is held
 * meanwhile, except while a source answers questions (equal, hash, its descriptor, its events).
 *
 * Some files call client code that only they use: values/ and base/sort.c the callbacks, appliers
 * and comparators of collections and the functions of allocators; observer.c and timer.c the block
 * of a handler, inside the callback that stands for it; block_entry.c the helpers by which blocks
 * are copied; run/autorelease.c what a pool releases; report/inspect.c the visitor of a monitor.
 */

#ifndef RL_CALLOUT_H
#define RL_CALLOUT_H

#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>

/*
 * Marks the function that calls the callbacks of one kind. It has a frame and a name of its own,
 * which RLBacktrace.swift knows: the client's code begins behind it.
 */
#define RL_CALLOUT_FUNCTION __attribute__((noinline))

/* Ends such a function, lest a tail call take it out of backtraces. */
#define RL_STAY_ON_THE_STACK __asm__ volatile("")

/* Calls a client's function. */
#define RL_CALLOUT(function, ...) ((function)(__VA_ARGS__))

/* --- What contexts do with their info --------------------------------------------------------- */

/* A null `retain` returns the info itself. */
static inline void *rl_callout_retain(const void *(*retain)(const void *), const void *info)
{
    return (void *)(uintptr_t)(retain ? retain(info) : info);
}

static inline void rl_callout_release(void (*release)(const void *), const void *info)
{
    release(info);
}

static inline RLStringRef rl_callout_copy_description(RLStringRef (*copy)(const void *),
                                                      const void *info)
{
    return copy(info);
}

/* For contexts whose functions take the info without const. */
static inline void *rl_callout_retain_variable(void *(*retain)(void *), void *info)
{
    return retain(info);
}

static inline void rl_callout_release_variable(void (*release)(void *), void *info)
{
    release(info);
}

/* For callbacks at the end of a loop. */
static inline void rl_callout_end(void (*callback)(void *), void *info)
{
    callback(info);
}

static inline RLStringRef rl_callout_describe_variable(RLStringRef (*copy)(void *), void *info)
{
    return copy(info);
}

#endif
