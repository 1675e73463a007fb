/* Functions of characters, encodings and formats for this folder. */

#ifndef RL_CHARACTERS_H
#define RL_CHARACTERS_H

#include "values/string.h"

#include <stdarg.h>

/*
 * Returns the characters of the bytes from 0x80 on in an encoding, 0 for a byte without one. Null
 * for an encoding without such a table.
 */
const UniChar *rl_string_upper_half(RLStringEncoding encoding);

/*
 * `characters` end with NUL. Returns whether they are valid UTF-8 or, if `encoding` is ASCII,
 * ASCII.
 */
bool rl_string_is_text(const char *characters, RLStringEncoding encoding);

/* Returns the case-folded unit, for comparisons that ignore case. */
int rl_fold(int unit);
/* Return a code point in another case, by the C library's table. */
int32_t rl_lower(int32_t point);
int32_t rl_upper(int32_t point);
bool rl_is_letter(int32_t point);

/* The caller frees the inner text. */
struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments);

#endif
