/* Result codes in the styles of several systems: OSStatus, kern_return_t and errno. */

#include "samples.h"
#include <CoreServices/CoreServices.h>
#include <fcntl.h>
#include <mach/mach.h>
#include <unistd.h>

static OSStatus StatusOfErrno(int error)
{
    switch (error) {
    case 0: return noErr;
    case ENOENT: return fnfErr;
    case EEXIST: return dupFNErr;
    case EACCES: return permErr;
    case ENOMEM: return memFullErr;
    case EINVAL: return paramErr;
    default: return ioErr;
    }
}

static OSStatus OpenFile(const char *path, int *file)
{
    *file = path == NULL ? -1 : open(path, O_RDONLY);
    if (path == NULL) return paramErr;
    return StatusOfErrno(*file < 0 ? errno : 0);
}

static kern_return_t WaitForNothing(CFRunLoopRef loop)
{
    if (loop != CFRunLoopGetCurrent()) return KERN_INVALID_ARGUMENT;
    SInt32 result = CFRunLoopRunInMode(CFSTR("com.example.nothing"), 0, false);
    return result == kCFRunLoopRunFinished ? KERN_SUCCESS : KERN_FAILURE;
}

void sample_error_codes(void)
{
    int file;
    OSStatus status = OpenFile("/", &file);
    printf("a folder: %d\n", (int)status);
    verify_noerr(close(file));
    printf("no file: %d\n", (int)OpenFile("/there is no such file", &file));
    printf("no name: %d\n", (int)OpenFile(NULL, &file));
    printf("an empty mode: %s\n", mach_error_string(WaitForNothing(CFRunLoopGetCurrent())));
    printf("no loop: %s\n", mach_error_string(WaitForNothing(NULL)));

    OSType type = kUnknownType;
    char letters[5] = {(char)(type >> 24), (char)(type >> 16), (char)(type >> 8), (char)type, 0};
    printf("an unknown type: %s\n", letters);
}
