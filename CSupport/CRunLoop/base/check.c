#include "base/check.h"

#include "base/write_signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void rl_check_write(const char *line, size_t length)
{
    ssize_t written = rl_write_without_signal(STDERR_FILENO, line, length);
    (void)written;
}

size_t rl_check_format_line(char *line, const char *function, const char *format, va_list arguments)
{
    int head = snprintf(line, RL_MOST_LINE_BYTES, "CoreRunLoop: %s: ", function);
    int body = vsnprintf(line + head, RL_MOST_LINE_BYTES - (size_t)head - 1, format, arguments);
    size_t length = (size_t)head + (size_t)(body < 0 ? 0 : body);
    if (length > RL_MOST_LINE_BYTES - 2) length = RL_MOST_LINE_BYTES - 2;
    line[length++] = '\n';
    return length;
}

static void write_line(const char *function, const char *format, va_list arguments)
{
    char line[RL_MOST_LINE_BYTES];
    rl_check_write(line, rl_check_format_line(line, function, format, arguments));
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
    rl_check_write(message, (size_t)length);
    abort();
}

void rl_warn(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(function, format, arguments);
    va_end(arguments);
}
