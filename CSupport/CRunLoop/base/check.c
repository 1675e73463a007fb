/*
 * Writing diagnoses. One write call each, so that lines of several threads do not mix.
 */

#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put_text(const char *line, size_t length)
{
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written;
}

static void write_line(const char *function, const char *format, va_list arguments)
{
    char line[512];
    int head = snprintf(line, sizeof line, "CoreRunLoop: %s: ", function);
    int body = vsnprintf(line + head, sizeof line - (size_t)head - 1, format, arguments);
    size_t length = (size_t)head + (size_t)(body < 0 ? 0 : body);
    if (length > sizeof line - 2) length = sizeof line - 2;
    line[length++] = '\n';
    put_text(line, length);
}

void rl_client_error(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(function, format, arguments);
    va_end(arguments);
    abort();
}

void rl_engine_error(const char *file, int line, const char *condition)
{
    char message[256];
    int length =
        snprintf(message, sizeof message, "CoreRunLoop: internal error at %s:%d: not true: %s\n",
                 file, line, condition);
    put_text(message, (size_t)length);
    abort();
}

void rl_warn(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(function, format, arguments);
    va_end(arguments);
}
