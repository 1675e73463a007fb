/*
 * Writing diagnoses. One write call each, so that lines of several threads do not mix.
 */

#include "base/check.h"

#include "base/hint.h"
#include "base/uncanceled.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_text(const char *line, size_t length)
{
    ssize_t written = RL_UNCANCELED(write(STDERR_FILENO, line, length));
    (void)written;
}

/* A diagnosis is cut if it is longer. */
#define MOST_LINE_BYTES 512

/* Writes a diagnosis and a newline into a buffer of that size. Returns the length of both. */
static size_t format_line(char *line, const char *function, const char *format, va_list arguments)
{
    int head = snprintf(line, MOST_LINE_BYTES, "CoreRunLoop: %s: ", function);
    int body = vsnprintf(line + head, MOST_LINE_BYTES - (size_t)head - 1, format, arguments);
    size_t length = (size_t)head + (size_t)(body < 0 ? 0 : body);
    if (length > MOST_LINE_BYTES - 2) length = MOST_LINE_BYTES - 2;
    line[length++] = '\n';
    return length;
}

static void write_line(const char *function, const char *format, va_list arguments)
{
    char line[MOST_LINE_BYTES];
    put_text(line, format_line(line, function, format, arguments));
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

static atomic_bool hints_are_off;

static _Atomic(void (*)(const char *line)) hint_handler;

void rl_hint_switch(bool is_on)
{
    atomic_store(&hints_are_off, !is_on);
}

void rl_hint_set_handler(void (*handler)(const char *line))
{
    atomic_store(&hint_handler, handler);
}

bool rl_hint_is_due(atomic_bool *was_given)
{
    if (atomic_load(&hints_are_off)) return false;
    return atomic_load(&hint_handler) || !atomic_exchange(was_given, true);
}

/* Escapes what a client's text may do to a terminal. Returns the new length. */
static size_t make_printable(char *line, size_t length)
{
    char *printable = RLTextCopyPrintable(line, (RLIndex)length - 1);
    size_t count = strnlen(printable, MOST_LINE_BYTES - 2);
    /* Not in the midst of a character. */
    while ((printable[count] & 0xC0) == 0x80) count--;
    memcpy(line, printable, count);
    line[count] = '\n';
    free(printable);
    return count + 1;
}

void rl_hint_give(const char *function, const char *format, ...)
{
    char line[MOST_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t length = make_printable(line, format_line(line, function, format, arguments));
    va_end(arguments);
    void (*handler)(const char *) = atomic_load(&hint_handler);
    if (!handler) return put_text(line, length);
    line[length - 1] = '\0';
    handler(line);
}
