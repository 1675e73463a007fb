/* Names of threads, modes and programs may contain any bytes, so they are escaped. */

#include "base/check.h"
#include "base/unicode.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One byte becomes at most `\u{1b}`. Longer sequences need fewer escape bytes per byte. */
enum { MOST_ESCAPE_BYTES = 6 };

/* Control characters, line separators, and characters that change the direction of text. */
static bool is_hidden(int32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x61C ||
           (point >= 0x200E && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

static size_t write_escape(char *to, int32_t point)
{
    static const char short_forms[] = {['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r'};
    bool is_short = point < (int32_t)sizeof short_forms && short_forms[point];
    if (is_short) return (size_t)sprintf(to, "\\%c", short_forms[point]);
    return (size_t)sprintf(to, "\\u{%x}", (unsigned)point);
}

char *RLTextCopyPrintable(const char *text, RLIndex length)
{
    if (length < 0 || length > PTRDIFF_MAX / MOST_ESCAPE_BYTES - 1) {
        rl_client_error(__func__, "argument `length` is %ld: pass the number of bytes of the text",
                        (long)length);
    }
    const unsigned char *next = (const unsigned char *)text;
    const unsigned char *end = next + length;
    size_t size = (size_t)length * MOST_ESCAPE_BYTES + 1;
    char *printable = malloc(size);
    if (!printable) {
        rl_client_error(
            "malloc",
            "no memory for %zu bytes: raise the memory limit of the process, or use less memory",
            size);
    }
    char *to = printable;
    while (next < end) {
        size_t count = rl_utf8_sequence_length(next);
        if (count == 0) {
            to += sprintf(to, "\\x%02x", *next++);
            continue;
        }
        struct rl_utf16 cursor = rl_utf16_begin((const char *)next);
        int32_t point = *next ? rl_utf16_next_point(&cursor) : 0;
        if (is_hidden(point)) {
            to += write_escape(to, point);
        } else {
            memcpy(to, next, count);
            to += count;
        }
        next += count;
    }
    *to = '\0';
    return printable;
}
