/*
 * Every call of client code by a loop, so that such calls are easy to find. pass_callout.h has the
 * steps of a pass, and each kind of source has its own calls beside it. No lock is held, except
 * while a source answers a query (equal, hash, its descriptor, its events).
 *
 * Some files call client code directly: values/ and base/sort.c the callbacks, appliers and
 * comparators of collections and the functions of allocators; observer.c and timer.c the block of a
 * handler, inside the callback that wraps it; block_entry.c the helpers that copy blocks;
 * run/autorelease.c the release functions of a pool; report/inspect.c the visitor of a monitor.
 */

#ifndef RL_CALLOUT_H
#define RL_CALLOUT_H

#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>

/*
 * Marks the function that calls the callbacks of one kind. It has its own frame and name, which
 * RLBacktrace.swift knows: the client's frames begin below it.
 */
#define RL_CALLOUT_FUNCTION __attribute__((noinline))

/* Ends such a function, so that a tail call does not remove it from backtraces. */
#define RL_STAY_ON_THE_STACK __asm__ volatile("")

#define RL_CALLOUT(function, ...) ((function)(__VA_ARGS__))

/* --- The info of contexts --------------------------------------------------------------------- */

/* If `retain` is null, the info itself is used. */
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

static inline void rl_callout_end(void (*callback)(void *), void *info)
{
    callback(info);
}

static inline RLStringRef rl_callout_describe_variable(RLStringRef (*copy)(void *), void *info)
{
    return copy(info);
}

#endif
