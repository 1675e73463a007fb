/* Characters, encodings and formats: the functions that the files of this folder share. */

#ifndef RL_CHARACTERS_H
#define RL_CHARACTERS_H

#include "values/string.h"

#include <stdarg.h>

/* The characters of 0x80 to 0xFF; undefined bytes have 0. Null if the encoding has no table. */
const UniChar *rl_string_upper_half(RLStringEncoding encoding);

/* For encodings other than ASCII, returns whether the C string is valid UTF-8. */
bool rl_string_is_text(const char *characters, RLStringEncoding encoding);

/* For comparisons that ignore case. */
int rl_fold(int unit);
/* These use the C library's tables. */
int32_t rl_lower(int32_t point);
int32_t rl_upper(int32_t point);
bool rl_is_letter(int32_t point);

/* Returns text in the internal encoding, which the caller frees. */
struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments);

#endif
