/*
 * The string object, for the files that define its functions. base/unicode.h documents the internal
 * encoding.
 *
 * One thread may read or change a mutable string while another changes it. So each public function
 * checks its arguments, locks the strings, reads and changes them, and unlocks them. While they are
 * locked, the function calls neither client code nor another public function with these strings.
 * Slower operations, and other files, read a copy made by RLStringCreateCopy, which only retains an
 * immutable string. All other functions in this header require locked strings.
 */

#ifndef RL_STRING_H
#define RL_STRING_H

#include "base/unicode.h"
#include "values/text.h"

#include <locale.h>

/*
 * A string object. In an immutable string, the text in the internal encoding follows this
 * structure. RLSTR literals have another layout.
 */
struct rl_string {
    struct rl_object object;
    /* Set at creation. */
    bool is_mutable;
};

/* A mutable string. The object's lock guards all fields except `string.is_mutable`. */
struct rl_mutable_string {
    struct rl_string string;
    char *characters;
    /* The length of the text in bytes, and the allocated bytes. */
    size_t length;
    size_t capacity;
    /* The length in UTF-16 code units. If it equals `length`, the text is ASCII. */
    RLIndex units;
};

/* The UTF-16 code units of a part of a string. Short parts are stored inline. */
struct rl_units {
    RLIndex count;
    UniChar *list;
    UniChar few[64];
};

static inline bool rl_string_is_mutable(RLStringRef string)
{
    return !rl_string_is_constant(string) &&
           ((const struct rl_string *)(const void *)string)->is_mutable;
}

void rl_string_lock(RLStringRef string);
void rl_string_unlock(RLStringRef string);

/*
 * Locks two strings in the order of their addresses, as any other order could deadlock. The strings
 * may be the same object.
 */
void rl_strings_lock(RLStringRef first, RLStringRef second);
void rl_strings_unlock(RLStringRef first, RLStringRef second);

/* Returns the length in UTF-16 code units. */
RLIndex rl_string_count(RLStringRef string);

/* Returns the length, in UTF-16 code units, of a text in the internal encoding. */
RLIndex rl_inner_count(const char *inner);

/* Returns a cursor at the UTF-16 code unit `index`, which may be the string's length. */
struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index);

/* Aborts unless the range lies within the string. */
void rl_string_expect_range(RLStringRef string, RLRange range, const char *function);

/* Returns a new string with the characters of a range, which must lie within the string. */
RLStringRef rl_string_create_part(RLStringRef string, RLRange range);

/*
 * Copies the code units of a range, which must lie within the string. The caller frees them with
 * rl_units_empty.
 */
void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range);
void rl_units_empty(struct rl_units *units);

/*
 * Appends UTF-16 code units. Combines a high surrogate at the end of the text with a low surrogate.
 */
void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count);

/* Returns the C locale, independent of the program's locale, or 0 if there is no memory. */
locale_t rl_plain_locale(void);

#endif
