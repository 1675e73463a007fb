/*
 * A file as it stands on Apple's platforms. Nothing in it is changed for Linux.
 */

#include <CoreFoundation/CoreFoundation.h>

CF_EXTERN_C_BEGIN

typedef CF_ENUM(CFIndex, CountdownState) { kCountdownRunning = 1, kCountdownOver };

typedef CF_OPTIONS(CFOptionFlags, CountdownOptions) {
    kCountdownPlain = 0,
    kCountdownAloud = 1 << 0
};

CF_EXPORT const CFStringRef kCountdownMode;
CF_INLINE CountdownState CountdownStateOf(int left)
{
    return left > 0 ? kCountdownRunning : kCountdownOver;
}

CF_EXTERN_C_END

const CFStringRef kCountdownMode = CFSTR("com.example.countdown");

typedef struct {
    int left;
    CountdownOptions options;
} Countdown;

static void CountdownTick(CFRunLoopTimerRef timer, void *info)
{
    Countdown *countdown = (Countdown *)info;
    countdown->left--;
    if (countdown->options & kCountdownAloud) printf("%d\n", countdown->left);
    if (CountdownStateOf(countdown->left) == kCountdownOver) CFRunLoopTimerInvalidate(timer);
}

int main(void)
{
    Countdown countdown = {3, kCountdownAloud};
    CFRunLoopTimerContext context = {0, &countdown, NULL, NULL, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(kCFAllocatorDefault, CFAbsoluteTimeGetCurrent(),
                                                   0.001, 0, 0, CountdownTick, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCountdownMode);
    CFRelease(timer);

    CFRunLoopRunResult result = CFRunLoopRunInMode(kCountdownMode, 60, false);
    puts(result == kCFRunLoopRunFinished ? "finished" : "not finished");
    return 0;
}
