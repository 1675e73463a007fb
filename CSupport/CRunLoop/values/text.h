#ifndef RL_TEXT_H
#define RL_TEXT_H

#include "values/value.h"

struct rl_text {
    char *characters;
    size_t length;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) void rl_text_add(struct rl_text *text, const char *format,
                                                       ...);

void rl_text_add_bytes(struct rl_text *text, const char *bytes, size_t length);

/* Defined in string.c, because strings are built with texts. */

/* Appends the string's characters, or `(null)` for a null pointer, and releases the string. */
void rl_text_add_string(struct rl_text *text, RLStringRef owned);

RLStringRef rl_text_finish(struct rl_text *text);

#endif
