/*
 * Late binding. A library that is linked, by whomever, is in the global scope. One that was loaded
 * by a plug-in may be private to it, but answers to its name.
 */

#define _GNU_SOURCE

#include "late_binding.h"

#include "diagnosis.h"

#include <dlfcn.h>
#include <string.h>

static void *find_symbol(const char *library, const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    if (address) return address;
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (!loaded) return NULL;
    address = dlsym(loaded, name);
    /* It stays loaded: the program has loops in it. */
    dlclose(loaded);
    return address;
}

bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller)
{
    for (size_t i = 0; i < count; i++) {
        void *address = find_symbol(library, functions[i].name);
        if (!address) {
            rl_hosts_warn(caller, "%s is not in this process: nothing has loaded %s",
                          functions[i].name, library);
            return false;
        }
        memcpy(functions[i].ret_address, &address, sizeof address);
    }
    return true;
}
