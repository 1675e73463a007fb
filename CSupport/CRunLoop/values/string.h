/*
 * What the files of strings share: the object, and its inner text, which base/unicode.h describes.
 */

#ifndef RL_STRING_H
#define RL_STRING_H

#include "base/unicode.h"
#include "values/text.h"

#include <locale.h>
#include <stdarg.h>

/* An object; a literal made by RLSTR is none. */
struct rl_string {
    struct rl_object object;
    /* The inner text: right behind, unless the string is mutable. */
    char *characters;
};

struct rl_mutable_string {
    struct rl_string string;
    /* Of the inner text, without and with what is free. */
    size_t length;
    size_t capacity;
    /* As many as bytes: the text is ASCII. */
    RLIndex units;
};

/* The units of UTF-16 of a part of a string; few need no memory. */
struct rl_units {
    RLIndex count;
    UniChar *list;
    UniChar few[64];
};

static inline bool rl_string_owns_memory(const struct rl_string *string)
{
    return string->characters != (const char *)(string + 1);
}

static inline bool rl_string_is_mutable(RLStringRef string)
{
    return !rl_string_is_constant(string) &&
           rl_string_owns_memory((const struct rl_string *)(const void *)string);
}

/* The number of units of inner text. */
RLIndex rl_inner_count(const char *inner);

/* The place of a unit within a string's length, or the end. */
struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index);

/* Stops with a line unless the string has the range. */
void rl_string_expect_range(RLStringRef string, RLRange range, const char *function);

/* Reads a range that the string has; to be given up by rl_units_empty. */
void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range);
void rl_units_empty(struct rl_units *units);

/* Appends units of UTF-16; behind half a pair that ends the text, the other half joins it. */
void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count);

/* Appends bytes of an encoding that is known. Returns whether they are valid in it. */
bool rl_text_add_encoded(struct rl_text *text, const UInt8 *bytes, RLIndex count,
                         RLStringEncoding encoding, bool is_external);

/* How a unit is compared where case does not count. */
int rl_fold(int unit);
/* A code point in another case, by the C library's table. */
int32_t rl_lower(int32_t point);
int32_t rl_upper(int32_t point);
bool rl_is_letter(int32_t point);

/* The C library's own locale, whatever the program uses; 0 if there is no memory for it. */
locale_t rl_plain_locale(void);

/* What the reference takes for blanks before numbers: controls and spaces. */
bool rl_is_blank(int unit);

/* The text that a format makes, which is inner text. */
struct rl_text rl_format(const char *function, RLStringRef format, va_list arguments);

#endif
