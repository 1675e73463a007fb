/*
 * Hints: what debug builds say of a use that is allowed but does nothing. Each hint is given once
 * in a process, as one line that names the function, the object, the rule and the remedy. Release
 * builds have no hints.
 */

#ifndef RL_HINT_H
#define RL_HINT_H

#include "base/check.h"

#include <stdatomic.h>

/* Returns whether a place in the code is to give its hint now. `was_given` belongs to it. */
bool rl_hint_is_due(atomic_bool *was_given);

/* Gives a hint to the handler, or writes it to standard error. */
__attribute__((cold, format(printf, 2, 3))) void rl_hint_give(const char *function,
                                                              const char *format, ...);

/* Turns hints off for a test, or on again. */
void rl_hint_switch(bool is_on);

/*
 * Has a test's function called with the line of each hint, as often as its condition holds. Hints
 * are not written meanwhile. Null ends that.
 */
void rl_hint_set_handler(void (*handler)(const char *line));

/*
 * Gives a hint if the condition holds, unless this place has given it already. Without a lock held.
 */
#define RL_HINT(condition, function, ...)                                                          \
    do {                                                                                           \
        static atomic_bool was_given;                                                              \
        if (RL_HAS_HINTS && (condition) && rl_hint_is_due(&was_given)) {                           \
            rl_hint_give(function, __VA_ARGS__);                                                   \
        }                                                                                          \
    } while (0)

#endif
