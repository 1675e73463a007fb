/*
 * A CFFileDescriptor. When the descriptor is readable, the callback is called once, and must be
 * enabled again.
 */

#include "samples.h"
#include <AssertMacros.h>
#include <CoreFoundation/CFFileDescriptor.h>
#include <CoreServices/CoreServices.h>
#include <unistd.h>

static void Readable(CFFileDescriptorRef file, CFOptionFlags types, void *info)
{
    char text[16];
    ssize_t count = read(CFFileDescriptorGetNativeDescriptor(file), text, sizeof text);
    verify(types == kCFFileDescriptorReadCallBack);
    if (count > 0) {
        printf("read %.*s\n", (int)count, text);
        CFFileDescriptorEnableCallBacks(file, kCFFileDescriptorReadCallBack);
        if (text[0] == 'o') {
            verify(write(*(int *)info, "two", 3) == 3);
        } else {
            verify_noerr(close(*(int *)info));
        }
    } else {
        puts(count == 0 ? "the end" : "an error");
        CFFileDescriptorInvalidate(file);
    }
}

static OSStatus Watch(int reading, int *writing)
{
    OSStatus status = memFullErr;
    CFFileDescriptorContext context = {0, writing, NULL, NULL, NULL};
    CFRunLoopSourceRef source = NULL;
    CFFileDescriptorRef file =
        CFFileDescriptorCreate(kCFAllocatorDefault, reading, true, Readable, &context);
    require(file != NULL, bail);
    source = CFFileDescriptorCreateRunLoopSource(kCFAllocatorDefault, file, 0);
    require(source != NULL, bail);
    CFFileDescriptorEnableCallBacks(file, kCFFileDescriptorReadCallBack);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, CFSTR("com.example.file"));
    while (CFFileDescriptorIsValid(file)) CFRunLoopRunInMode(CFSTR("com.example.file"), 60, true);
    status = noErr;

bail:
    if (source != NULL) CFRelease(source);
    if (file != NULL) CFRelease(file);
    return status;
}

void sample_file_descriptor(void)
{
    int ends[2];
    require_noerr(pipe(ends), bail);
    require(write(ends[1], "one", 3) == 3, bail);
    printf("status %d\n", (int)Watch(ends[0], &ends[1]));
bail:
    return;
}
