/* Looks up functions of libraries that this library does not link, when they are needed. */

#ifndef RL_LATE_BINDING_H
#define RL_LATE_BINDING_H

#include <stdbool.h>
#include <stddef.h>

/* `ret_address` is the address of the function pointer to set. */
struct rl_late_function {
    const char *name;
    void *ret_address;
};

/*
 * Sets the function pointers; loads no library. If a function is missing, warns in the name of
 * `caller`.
 */
bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller);

#endif
