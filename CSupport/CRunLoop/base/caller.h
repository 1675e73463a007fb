/*
 * Who called the engine, which debug builds remember: the client's code, and not that of our own
 * layers between it and the engine. Release builds remember nothing.
 *
 * Our layers in Swift are told from the client's code by the names of their functions, which takes
 * long to find out. So the addresses of the calls are kept, once for all calls that come the same
 * way, and the names are looked at when somebody asks.
 */

#ifndef RL_CALLER_H
#define RL_CALLER_H

#include "base/check.h"

#include <stddef.h>

#if RL_HAS_HINTS

struct rl_calls;

/* One word; null if nothing is known. */
struct rl_caller {
    struct rl_calls *calls;
};

/* The caller of the public function in which this stands. */
#define RL_CALLER() rl_caller_find(__builtin_return_address(0), __builtin_frame_address(0))

/* Takes no lock and no memory, so that it may be called anywhere. */
struct rl_caller rl_caller_find(const void *address, const void *frame);

/* Returns an address in the client's call, or null. Reads names: not with a lock held. */
const void *rl_caller_address(struct rl_caller caller);

#else

struct rl_caller {};
_Static_assert(sizeof(struct rl_caller) == 0, "release builds hold nothing");

#define RL_CALLER() ((struct rl_caller){})

static inline const void *rl_caller_address(struct rl_caller caller)
{
    (void)caller;
    return NULL;
}

#endif

/*
 * Returns the place of the call in the source, for the caller to free; null if it is not known.
 * Reads debug information: not with a lock held.
 */
char *rl_caller_copy_place(struct rl_caller caller);

#endif
