/* Characters, encodings and formats: the functions that the files of this folder share. */

#ifndef RL_CHARACTERS_H
#define RL_CHARACTERS_H

#include "values/string.h"

#include <stdarg.h>

/*
 * Returns the characters of the bytes 0x80 to 0xFF, with 0 for undefined bytes. Returns null if the
 * encoding has no table.
 */
const UniChar *rl_string_upper_half(RLStringEncoding encoding);

/* Returns whether the C string is valid: UTF-8 if this is the encoding, otherwise ASCII. */
bool rl_string_is_text(const char *characters, RLStringEncoding encoding);

/* Converts a code unit to the form that comparisons without case use. */
int rl_fold(int unit);
/* The next three functions use the C library's tables. */
int32_t rl_lower(int32_t point);
int32_t rl_upper(int32_t point);
bool rl_is_letter(int32_t point);

/* Returns text in the internal encoding, which the caller frees. */
struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments);

#endif
