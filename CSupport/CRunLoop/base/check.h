/*
 * The three ways to say that something is wrong, each as one line on standard error:
 * a client's mistake and our own stop the process, a warning does not.
 */

#ifndef RL_CHECK_H
#define RL_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define RL_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Prints the client's mistake and stops: `function` names the public function. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void rl_client_error(const char *function,
                                                                           const char *format, ...);

/* Prints the assumption of ours that is false, and stops. */
__attribute__((noreturn, cold)) void rl_engine_error(const char *file, int line,
                                                     const char *condition);

/* Says that something will not work as asked, and goes on. */
__attribute__((cold, format(printf, 2, 3))) void rl_warn(const char *function, const char *format,
                                                         ...);

/* Our own assumptions; checked in every build, so the condition is cheap and has no effect. */
#define RL_ASSERT(condition)                                                                       \
    (RL_LIKELY(condition) ? (void)0 : rl_engine_error(__FILE__, __LINE__, #condition))

/* A diagnosis is cut if it is longer. */
#define RL_MOST_LINE_BYTES 512

/* Writes a diagnosis and a newline into a buffer of that size. Returns the length of both. */
__attribute__((format(printf, 3, 0))) size_t rl_check_format_line(char *line, const char *function,
                                                                  const char *format,
                                                                  va_list arguments);

/* Writes to standard error by one call, so that lines of several threads do not mix. */
void rl_check_write(const char *line, size_t length);

#endif
