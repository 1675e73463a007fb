/*
 * Functions of libraries that this one does not link: they are looked up in the process when
 * needed.
 */

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
 * Finds functions of a library that is in the process, linked or loaded later; never loads it.
 * Returns false, with a warning that names the caller and the missing function.
 */
bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller);

#endif
