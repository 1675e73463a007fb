/*
 * The three ways to say that something is wrong, each as one line on standard error:
 * a client's mistake and our own stop the process, a warning does not.
 */

#ifndef RL_CHECK_H
#define RL_CHECK_H

#include <stdbool.h>

/* Whether this is a debug build, which has hints. */
#if defined(RL_TESTING) && !defined(RL_WITHOUT_HINTS)
#define RL_HAS_HINTS 1
#else
#define RL_HAS_HINTS 0
#endif

#define RL_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Says what the client did wrong and stops: `function` names the public function. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void rl_client_error(const char *function,
                                                                           const char *format, ...);

/* Says which of our own assumptions is false and stops. */
__attribute__((noreturn, cold)) void rl_engine_error(const char *file, int line,
                                                     const char *condition);

/* Says that something will not work as asked, and goes on. */
__attribute__((cold, format(printf, 2, 3))) void rl_warn(const char *function, const char *format,
                                                         ...);

/* Our own assumptions; checked in every build, so the condition is cheap and has no effect. */
#define RL_ASSERT(condition)                                                                       \
    (RL_LIKELY(condition) ? (void)0 : rl_engine_error(__FILE__, __LINE__, #condition))

#endif
