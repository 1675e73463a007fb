/*
 * For the files that define strings. base/unicode.h documents the internal encoding.
 *
 * One thread may read or change a mutable string while another changes it. So each public function
 * checks its arguments, and locks the strings while it uses them. With the locks held, it calls
 * neither client code nor another public function with these strings. Slower operations, and other
 * files, read a copy made by RLStringCreateCopy; for an immutable string, RLStringCreateCopy only
 * retains the string. All other functions in this header require locked strings.
 */

#ifndef RL_STRING_H
#define RL_STRING_H

#include "base/unicode.h"
#include "values/text.h"

#include <locale.h>

/* The text of an immutable string follows this struct. RLSTR literals have another layout. */
struct rl_string {
    struct rl_object object;
    /* Set once. */
    bool is_mutable;
};

/* The object's lock guards all fields except `string.is_mutable`. */
struct rl_mutable_string {
    struct rl_string string;
    char *characters;
    /* `length` is the number of bytes of the text, `capacity` the number of allocated bytes. */
    size_t length;
    size_t capacity;
    /* The length in UTF-16 code units; for ASCII, equal to `length`. */
    RLIndex units;
};

/* The UTF-16 code units of a part of a string. */
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
 * Locks the strings in the order of their addresses, as any other order could deadlock. Both may be
 * the same string.
 */
void rl_strings_lock(RLStringRef first, RLStringRef second);
void rl_strings_unlock(RLStringRef first, RLStringRef second);

/* Returns the length in UTF-16 code units. */
RLIndex rl_string_count(RLStringRef string);

/* Returns the length of a text in the internal encoding, in UTF-16 code units. */
RLIndex rl_inner_count(const char *inner);

/* `index` counts UTF-16 code units, and may equal the length of the string. */
struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index);

void rl_string_expect_range(RLStringRef string, RLRange range, const char *function);

/* The range must lie within the string. The caller releases the result. */
RLStringRef rl_string_create_part(RLStringRef string, RLRange range);

/* The range must lie within the string. The caller frees the code units with rl_units_empty. */
void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range);
void rl_units_empty(struct rl_units *units);

/* Appends code units. Combines a high surrogate at the end of the text with a low surrogate. */
void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count);

/* Returns the C locale, whatever the program's locale, or 0 if there is no memory. */
locale_t rl_plain_locale(void);

#endif
