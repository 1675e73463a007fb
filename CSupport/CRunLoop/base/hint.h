/*
 * Hints: warnings of debug builds about calls that are allowed but have no effect. A hint names the
 * function, the object, the rule and the remedy. Each place in the code prints its hint once per
 * process. Release builds have no hints. report/hint.c prints them.
 */

#ifndef RL_HINT_H
#define RL_HINT_H

#include "base/kernel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(RL_TESTING) && !defined(RL_WITHOUT_HINTS)
#define RL_HAS_HINTS 1
#else
#define RL_HAS_HINTS 0
#endif

/*
 * Returns true once for each `was_given`, or always if the client has set a handler. Returns false
 * if hints are off.
 */
bool rl_hint_is_due(atomic_bool *was_given);

/* Calls the client's handler, or prints on standard error if there is no handler. */
__attribute__((cold, format(printf, 2, 3))) void rl_hint_give(const char *function,
                                                              const char *format, ...);

/* Gives a hint if the condition holds, once per place in the code. Use this without a lock. */
#define RL_HINT(condition, function, ...)                                                          \
    do {                                                                                           \
        static atomic_bool was_given;                                                              \
        if (RL_HAS_HINTS && (condition) && rl_hint_is_due(&was_given)) {                           \
            rl_hint_give(function, __VA_ARGS__);                                                   \
        }                                                                                          \
    } while (0)

/* The moment when a block was queued or a source was signalled. */
struct rl_hint_moment {
#if RL_HAS_HINTS
    int64_t ns;
#endif
};

static inline void rl_hint_set_moment(struct rl_hint_moment *moment)
{
    (void)moment;
#if RL_HAS_HINTS
    moment->ns = rl_kernel_monotonic_ns();
#endif
}

static inline int64_t rl_hint_moment_ns(const struct rl_hint_moment *moment)
{
#if RL_HAS_HINTS
    return moment->ns;
#else
    (void)moment;
    return 0;
#endif
}

#endif
