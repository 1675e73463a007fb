// An Objective-C++ file that uses nothing of Objective-C but its pools.

#include <CoreFoundation/CoreFoundation.h>

#include <cstdio>

int main()
{
    @autoreleasepool {
        CFStringRef text = CFStringCreateWithCString(nullptr, "2 to go\n1 to go\n0 to go\nstopped", kCFStringEncodingUTF8);
        std::puts(CFStringGetCStringPtr((CFStringRef)CFAutorelease(text), kCFStringEncodingUTF8));
    }
}
