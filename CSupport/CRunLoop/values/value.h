/* Functions of strings and arrays for the engine. */

#ifndef RL_VALUE_H
#define RL_VALUE_H

#include "base/object.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLString.h>

/*
 * Returns the inner text, which ends with NUL, of a string that cannot change meanwhile: an
 * immutable one, such as RLStringCreateCopy returns, or a locked one (values/string.h).
 */
const char *rl_string_characters(RLStringRef string);

/* The bytes must be inner text. */
RLStringRef rl_string_create(const char *characters, size_t length);

__attribute__((format(printf, 1, 2))) RLStringRef rl_string_format(const char *format, ...);

/* Compares characters. Cheap for the same object. */
bool rl_string_equal(RLStringRef first, RLStringRef second);

/* Stops the process unless a public function's argument is a string. */
void rl_expect_string(RLStringRef string, const char *function, const char *argument);

#endif
