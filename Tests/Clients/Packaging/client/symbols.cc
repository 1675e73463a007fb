// A C++ file that declares what it uses of CF by itself, as bindings and old headers do, and includes no header of CF's.

#include <cstdio>

extern "C" {
typedef struct __CFRunLoop *CFRunLoopRef;
typedef struct __CFRunLoopTimer *CFRunLoopTimerRef;
typedef const struct __CFString *CFStringRef;
extern const CFStringRef kCFRunLoopDefaultMode;
void CFRelease(const void *object);
double CFAbsoluteTimeGetCurrent(void);
CFRunLoopRef CFRunLoopGetCurrent(void);
CFRunLoopTimerRef CFRunLoopTimerCreate(const void *allocator, double fireDate, double interval,
                                       unsigned long flags, long order,
                                       void (*callout)(CFRunLoopTimerRef, void *), void *context);
void CFRunLoopAddTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFStringRef mode);
void CFRunLoopStop(CFRunLoopRef loop);
int CFRunLoopRunInMode(CFStringRef mode, double seconds, unsigned char returnAfterSourceHandled);
}

static int left = 3;

static void tick(CFRunLoopTimerRef, void *)
{
    std::printf("%d to go\n", --left);
    if (left == 0) CFRunLoopStop(CFRunLoopGetCurrent());
}

int main()
{
    CFRunLoopTimerRef timer =
        CFRunLoopTimerCreate(nullptr, CFAbsoluteTimeGetCurrent(), 0.01, 0, 0, tick, nullptr);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
    CFRelease(timer);
    std::puts(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 20, 0) == 2 ? "stopped" : "not stopped");
}
