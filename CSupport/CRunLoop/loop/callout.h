/*
 * A loop calls client code by these functions. No lock is held, except during a source's callbacks
 * that return a value: `equal`, `hash`, and the callbacks for the descriptor and the events.
 * pass_callout.h has the callbacks of a pass. The callback function of each kind of source is in
 * the file of this kind.
 *
 * Some files call client code directly: values/ and base/sort.c call the functions of collections
 * and allocators; observer.c and timer.c call a handler's block, inside its callback; block_entry.c
 * calls the helpers that copy blocks; run/autorelease.c calls the release functions of a pool;
 * report/inspect.c calls a monitor's visitor.
 */

#ifndef RL_CALLOUT_H
#define RL_CALLOUT_H

#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>

/*
 * For a function that calls one kind of callback. The function is never inlined, so backtraces show
 * it. RLBacktrace.swift finds the client's frames by the names of these functions.
 */
#define RL_CALLOUT_FUNCTION __attribute__((noinline))

/* End such a function with this, which prevents a tail call: it would remove the frame. */
#define RL_STAY_ON_THE_STACK __asm__ volatile("")

#define RL_CALLOUT(function, ...) ((function)(__VA_ARGS__))

/* --- The info of contexts --------------------------------------------------------------------- */

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

/* For functions that take a non-const info. */
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
