#include "base/hint.h"

#include "base/check.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool hints_are_off;

static _Atomic(void (*)(const char *line)) hint_handler;

void RLTestingSetHints(Boolean areWanted)
{
    atomic_store(&hints_are_off, !areWanted);
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
    atomic_store(&hint_handler, handler);
}

bool rl_hint_is_due(atomic_bool *was_given)
{
    if (atomic_load(&hints_are_off)) return false;
    return atomic_load(&hint_handler) || !atomic_exchange(was_given, true);
}

/* Makes a line printable. Control characters could change the state of the terminal. */
static size_t make_printable(char *line, size_t length)
{
    char *printable = RLTextCopyPrintable(line, (RLIndex)length - 1);
    size_t count = strnlen(printable, RL_MOST_LINE_BYTES - 2);
    /* Truncates the text before a UTF-8 sequence, not inside it. */
    while ((printable[count] & 0xC0) == 0x80) count--;
    memcpy(line, printable, count);
    line[count] = '\n';
    free(printable);
    return count + 1;
}

void rl_hint_give(const char *function, const char *format, ...)
{
    char line[RL_MOST_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    size_t length = make_printable(line, rl_check_format_line(line, function, format, arguments));
    va_end(arguments);
    void (*handler)(const char *) = atomic_load(&hint_handler);
    if (!handler) return rl_check_write(line, length);
    line[length - 1] = '\0';
    handler(line);
}
