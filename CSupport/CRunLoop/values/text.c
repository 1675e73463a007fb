#include "base/system.h"

#include "values/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void reserve_text(struct rl_text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) return;
    text->capacity = needed < 256 ? 256 : needed * 2;
    text->characters = rl_reallocate(text->characters, text->capacity);
}

void rl_text_add(struct rl_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    RL_ASSERT(length >= 0);
    reserve_text(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->characters + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void rl_text_add_bytes(struct rl_text *text, const char *bytes, size_t length)
{
    reserve_text(text, length);
    memcpy(text->characters + text->length, bytes, length);
    text->length += length;
    text->characters[text->length] = 0;
}
