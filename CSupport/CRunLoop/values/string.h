/*
 * Strings, for the files that have their functions: the object, and its inner text, which
 * base/unicode.h describes.
 *
 * One thread may read or change a mutable string while another changes it. So each public function
 * checks that its arguments are strings, locks them, does all its reading and changing, and unlocks
 * them. It calls neither the client nor another public function with these strings meanwhile. What
 * takes longer, or comes from outside of these files, reads an RLStringCreateCopy instead, which is
 * the string itself unless that is mutable. Other functions that are given a string are given it
 * locked.
 */

#ifndef RL_STRING_H
#define RL_STRING_H

#include "base/unicode.h"
#include "values/text.h"

#include <locale.h>

/* A string that is an object. Literals made by RLSTR are not. */
struct rl_string {
    struct rl_object object;
    /* Set when the string is made. The inner text of others is right behind this structure. */
    bool is_mutable;
};

/* All but the mark is guarded by the object's lock. */
struct rl_mutable_string {
    struct rl_string string;
    char *characters;
    /* The bytes of the inner text, and the room for it. */
    size_t length;
    size_t capacity;
    /* The length in units of UTF-16. If it equals the bytes, the text is ASCII. */
    RLIndex units;
};

/* The units of UTF-16 of a part of a string. A few are kept in the structure itself. */
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

/* Locks a string if it is mutable. */
void rl_string_lock(RLStringRef string);
void rl_string_unlock(RLStringRef string);

/*
 * Locks two strings, which may be the same, in the order of their addresses: a thread that locked
 * one after the other could wait for ever for a thread that does so the other way round.
 */
void rl_strings_lock(RLStringRef first, RLStringRef second);
void rl_strings_unlock(RLStringRef first, RLStringRef second);

/* Returns the length in units of UTF-16. */
RLIndex rl_string_count(RLStringRef string);

/* Returns the length of inner text in units of UTF-16. */
RLIndex rl_inner_count(const char *inner);

/* Returns a cursor at a unit of a string, or at its end. */
struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index);

/* Stops with a line unless the string has the range. */
void rl_string_expect_range(RLStringRef string, RLRange range, const char *function);

/* Returns a new string of a range that the string has. */
RLStringRef rl_string_create_part(RLStringRef string, RLRange range);

/* Reads the units of a range that the string has. The caller gives them up by rl_units_empty. */
void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range);
void rl_units_empty(struct rl_units *units);

/*
 * Appends units of UTF-16. A half of a pair at the end of the text is joined with the other half.
 */
void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count);

/* Returns the C locale, whatever locale the program uses; 0 if there is no memory for it. */
locale_t rl_plain_locale(void);

#endif
