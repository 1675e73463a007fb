/*
 * Of libCRunLoopCF only: the two functions that @autoreleasepool of Objective-C++ calls, and a
 * check that stops a process in which another library, such as Foundation's, has CF's symbols too.
 * Which library a call reached would depend on the order of loading, and each would be given the
 * other's objects.
 */

#include "base/system.h"

#include "base/check.h"

#include <CRunLoop/RLAutoreleasePool.h>
#include <CRunLoop/RLRunLoop.h>

#include <dlfcn.h>

/* By this name the library finds out whether the program looks for symbols in it. */
RL_EXPORT const char rl_symbols_of_cf;
const char rl_symbols_of_cf = 1;

__attribute__((constructor)) static void refuse_other_symbols(void)
{
    const void *ours = (const void *)(uintptr_t)&RLRunLoopGetCurrent;
    void *program = dlopen(NULL, RTLD_NOW);
    if (!program) return;
    /* A library that was opened with RTLD_LOCAL is in nobody's way. */
    if (dlsym(program, "rl_symbols_of_cf")) {
        const void *other = dlsym(program, "CFRunLoopGetCurrent");
        if (other == ours) other = dlsym(RTLD_NEXT, "CFRunLoopGetCurrent");
        Dl_info information = {0};
        if (other && dladdr(other, &information)) {
            rl_client_error("libCRunLoopCF", "%s has CF's symbols too: no process can have both",
                            information.dli_fname);
        }
    }
    dlclose(program);
}

/* Weak, as a runtime of Objective-C has them too. */
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
