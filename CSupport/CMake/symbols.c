/*
 * Compiled only into libCRunLoopCF. Defines the two functions that Objective-C++'s @autoreleasepool
 * calls, and a check for another library with CF's symbols, such as Foundation's. The check aborts
 * if the process has such a library: the load order would decide which library a call reaches, and
 * each library would receive objects of the other.
 */

#include "base/system.h"

#include "base/check.h"

#include <CRunLoop/RLAutoreleasePool.h>
#include <CRunLoop/RLRunLoop.h>

#include <dlfcn.h>

/* The program can find this name if the library's symbols are in the global scope. */
RL_EXPORT const char rl_symbols_of_cf;
const char rl_symbols_of_cf = 1;

__attribute__((constructor)) static void refuse_other_symbols(void)
{
    const void *ours = (const void *)(uintptr_t)&RLRunLoopGetCurrent;
    void *program = dlopen(NULL, RTLD_NOW);
    if (!program) return;
    /* The symbols of a library that was opened with RTLD_LOCAL do not conflict with others. */
    if (dlsym(program, "rl_symbols_of_cf")) {
        const void *other = dlsym(program, "CFRunLoopGetCurrent");
        if (other == ours) other = dlsym(RTLD_NEXT, "CFRunLoopGetCurrent");
        Dl_info information = {0};
        if (other && dladdr(other, &information)) {
            rl_client_error("libCRunLoopCF",
                            "%s, which this process has loaded, defines the same CF symbols: load "
                            "only one of the two libraries",
                            information.dli_fname);
        }
    }
    dlclose(program);
}

/* Weak, because an Objective-C runtime also defines these functions. */
RL_EXPORT __attribute__((weak)) void *objc_autoreleasePoolPush(void);
RL_EXPORT __attribute__((weak)) void objc_autoreleasePoolPop(void *pool);

void *objc_autoreleasePoolPush(void)
{
    return RLAutoreleasePoolPush();
}

void objc_autoreleasePoolPop(void *pool)
{
    RLAutoreleasePoolPop(pool);
}
