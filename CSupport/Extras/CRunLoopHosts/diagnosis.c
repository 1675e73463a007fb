/* Writes each diagnostic with a single write(2), so lines of several threads do not interleave. */

#include "diagnosis.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void write_line(const char *function, const char *format, va_list arguments)
{
    char line[512];
    int head = snprintf(line, sizeof line, "RunLoopHosts: %s: ", function);
    int body = vsnprintf(line + head, sizeof line - (size_t)head - 1, format, arguments);
    size_t length = (size_t)head + (size_t)(body < 0 ? 0 : body);
    if (length > sizeof line - 2) length = sizeof line - 2;
    line[length++] = '\n';
    RLWriteWithoutSignal(STDERR_FILENO, line, (RLIndex)length);
}

void rl_hosts_warn(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(function, format, arguments);
    va_end(arguments);
}

void rl_hosts_client_error(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(function, format, arguments);
    va_end(arguments);
    abort();
}
