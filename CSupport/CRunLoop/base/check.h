/*
 * Prints diagnostics on standard error, one line each. A client's mistake or a failed assertion of
 * the engine aborts the process; a warning does not.
 */

#ifndef RL_CHECK_H
#define RL_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define RL_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Reports a client's mistake in the public function `function`, and aborts. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void rl_client_error(const char *function,
                                                                           const char *format, ...);

__attribute__((noreturn, cold)) void rl_engine_error(const char *file, int line,
                                                     const char *condition);

/* Warns that a call of `function` does not work as the client expects. */
__attribute__((cold, format(printf, 2, 3))) void rl_warn(const char *function, const char *format,
                                                         ...);

/* Checked in every build: the condition must be cheap and have no side effects. */
#define RL_ASSERT(condition)                                                                       \
    (RL_LIKELY(condition) ? (void)0 : rl_engine_error(__FILE__, __LINE__, #condition))

/* A longer diagnostic is truncated. */
#define RL_MOST_LINE_BYTES 512

/* Formats a diagnostic with a newline into RL_MOST_LINE_BYTES bytes; returns the length. */
__attribute__((format(printf, 3, 0))) size_t rl_check_format_line(char *line, const char *function,
                                                                  const char *format,
                                                                  va_list arguments);

/* Writes to standard error with one system call, so lines of several threads do not interleave. */
void rl_check_write(const char *line, size_t length);

#endif
