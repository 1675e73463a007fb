/* Characters, encodings and formats: the functions that the files of this folder share. */

#ifndef RL_CHARACTERS_H
#define RL_CHARACTERS_H

#include "values/string.h"

#include <stdarg.h>

/*
 * Returns a table of the characters of the bytes 0x80 to 0xFF in an encoding. An undefined byte has
 * 0. Returns null if the encoding has no such table.
 */
const UniChar *rl_string_upper_half(RLStringEncoding encoding);

/*
 * Returns whether a C string is valid in the encoding: ASCII if the encoding is ASCII, otherwise
 * UTF-8.
 */
bool rl_string_is_text(const char *characters, RLStringEncoding encoding);

/* Returns the case-folded code unit, for comparisons that ignore case. */
int rl_fold(int unit);
/* Convert a code point to another case, with the C library's tables. */
int32_t rl_lower(int32_t point);
int32_t rl_upper(int32_t point);
bool rl_is_letter(int32_t point);

/* Returns the formatted text in the internal encoding. The caller frees it. */
struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments);

#endif
