/*
 * Functions of strings and arrays for the engine, beyond the public ones.
 */

#ifndef RL_VALUE_H
#define RL_VALUE_H

#include "base/object.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLString.h>

/*
 * Returns the inner text, which ends with NUL, of a string that nobody can change meanwhile: an
 * immutable one, such as RLStringCreateCopy returns, or one that is locked (values/string.h).
 */
const char *rl_string_characters(RLStringRef string);

/* Makes a string of `length` bytes, taken as they are. */
RLStringRef rl_string_create(const char *characters, size_t length);

/* Makes a string as printf does. */
__attribute__((format(printf, 1, 2))) RLStringRef rl_string_format(const char *format, ...);

/* Returns whether two strings have the same characters. Cheap if they are the same object. */
bool rl_string_equal(RLStringRef first, RLStringRef second);

/* Stops with a line unless a public function's argument is a string. */
void rl_expect_string(RLStringRef string, const char *function, const char *argument);

#endif
