/*
 * CF spellings mean our engine, also in a process in which the real CoreFoundation is loaded.
 */

#include <CoreFoundation/CoreFoundation.h>
#include <dlfcn.h>

int main(void)
{
    void *library = dlopen("libFoundation.so", RTLD_NOW | RTLD_GLOBAL);
    void *(*theirs)(void) = library ? (void *(*)(void))dlsym(library, "CFRunLoopGetMain") : NULL;
    if (!theirs) {
        puts("the real one cannot be loaded");
        return 1;
    }
    void *ours = CFRunLoopGetMain();
    puts(theirs() != ours ? "two main loops" : "one main loop");
    puts(CFGetTypeID(ours) == CFRunLoopGetTypeID() ? "and this is ours" : "and this is not ours");
    SInt32 result = CFRunLoopRunInMode(CFSTR("empty"), 0, false);
    puts(result == kCFRunLoopRunFinished ? "it runs" : "it does not run");
    return 0;
}
