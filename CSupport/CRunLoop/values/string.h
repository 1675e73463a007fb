/*
 * The string object, for the files that define its functions. base/unicode.h documents inner text.
 *
 * One thread may read or change a mutable string while another changes it. So each public function
 * checks that its arguments are strings, locks them, reads and changes them, and unlocks them.
 * Meanwhile it calls neither client code nor another public function with these strings. Slower
 * operations, and other files, read an RLStringCreateCopy, which returns the string itself unless
 * it is mutable. All other functions expect locked strings.
 */

#ifndef RL_STRING_H
#define RL_STRING_H

#include "base/unicode.h"
#include "values/text.h"

#include <locale.h>

/*
 * A string object. The inner text of an immutable string is stored right after this structure.
 * Literals of RLSTR have another layout.
 */
struct rl_string {
    struct rl_object object;
    /* Never changes after creation. */
    bool is_mutable;
};

/* The object's lock guards all fields except `string.is_mutable`. */
struct rl_mutable_string {
    struct rl_string string;
    char *characters;
    /* The bytes of the inner text, and its allocated bytes. */
    size_t length;
    size_t capacity;
    /* The length in UTF-16 units. If it equals the bytes, the text is ASCII. */
    RLIndex units;
};

/* The UTF-16 units of a part of a string. A few are stored inline. */
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
 * Locks two strings, which may be the same, in the order of their addresses: otherwise two threads
 * could deadlock.
 */
void rl_strings_lock(RLStringRef first, RLStringRef second);
void rl_strings_unlock(RLStringRef first, RLStringRef second);

/* In UTF-16 units. */
RLIndex rl_string_count(RLStringRef string);

/* In UTF-16 units. */
RLIndex rl_inner_count(const char *inner);

/* `index` may be the string's length. */
struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index);

/* Stops the process unless the range lies within the string. */
void rl_string_expect_range(RLStringRef string, RLRange range, const char *function);

/* The range must lie within the string. */
RLStringRef rl_string_create_part(RLStringRef string, RLRange range);

/* The range must lie within the string. The caller frees the units by rl_units_empty. */
void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range);
void rl_units_empty(struct rl_units *units);

/* Appends UTF-16 units. Joins a high surrogate at the end of the text with a low one. */
void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count);

/* Returns the C locale, whatever the program's locale is; 0 without memory. */
locale_t rl_plain_locale(void);

#endif
