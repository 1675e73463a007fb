/* Looks up functions of libraries at run time, so this module does not link the libraries. */

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
 * Sets the function pointers, and loads no library. If a function is missing, prints a warning that
 * names `caller`, and returns false.
 */
bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller);

#endif
