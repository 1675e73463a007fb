/*
 * Functions of libraries that this one does not link: found in the process when they are needed.
 */

#ifndef RL_LATE_BINDING_H
#define RL_LATE_BINDING_H

#include <stdbool.h>
#include <stddef.h>

/* A function by name, and where its address goes: a pointer to a function pointer. */
struct rl_late_function {
    const char *name;
    void *ret_address;
};

/*
 * Finds functions of a library that is in the process, whether linked or loaded later; the library
 * is never loaded. False, with a line that names the caller and what is missing.
 */
bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller);

#endif
