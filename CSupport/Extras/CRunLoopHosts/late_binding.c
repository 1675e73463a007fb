/*
 * The functions of a linked library are in the global scope. A library that a plug-in has loaded
 * may be private to the plug-in, but dlopen(3) finds the library by its name.
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
    /* Releases only the handle: the library stays loaded, because the program uses it. */
    dlclose(loaded);
    return address;
}

bool rl_late_bind(const char *library, const struct rl_late_function *functions, size_t count,
                  const char *caller)
{
    for (size_t i = 0; i < count; i++) {
        void *address = find_symbol(library, functions[i].name);
        if (!address) {
            rl_hosts_warn(caller, "function %s is not in this process: link or load %s first",
                          functions[i].name, library);
            return false;
        }
        memcpy(functions[i].ret_address, &address, sizeof address);
    }
    return true;
}
