#ifndef RL_VALUE_H
#define RL_VALUE_H

#include "base/object.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLString.h>

/*
 * Returns the text in the internal encoding, NUL-terminated. The string must be immutable, such as
 * the result of RLStringCreateCopy, or locked (values/string.h).
 */
const char *rl_string_characters(RLStringRef string);

/* Creates a string from the internal encoding. */
RLStringRef rl_string_create(const char *characters, size_t length);

__attribute__((format(printf, 1, 2))) RLStringRef rl_string_format(const char *format, ...);

/* If both strings are the same object, this is cheap. */
bool rl_string_equal(RLStringRef first, RLStringRef second);

/* Aborts unless `string`, an argument of a public function, is a string. */
void rl_expect_string(RLStringRef string, const char *function, const char *argument);

#endif
