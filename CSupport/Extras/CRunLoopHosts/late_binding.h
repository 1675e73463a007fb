/* Looks up functions of libraries that this library does not link, when they are needed. */

#ifndef RL_LATE_BINDING_H
#define RL_LATE_BINDING_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a function, and the address of the function pointer to set. */
struct rl_late_function {
    const char *name;
    void *ret_address;
};

/*
 * Looks up functions of a library that is linked or was loaded at run time; never loads it. If a
 * function is missing, warns in the name of `caller` and returns false.
 */
bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller);

#endif
