/* A log that timers on two threads write. An os_unfair_lock guards the log. */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <os/lock.h>
#include <pthread.h>

typedef struct {
    os_unfair_lock lock;
    CFMutableStringRef text;
} Log;

typedef struct {
    Log *log;
    char letter;
    int left;
} Writer;

/* The caller holds the lock. */
static void LogAppendLocked(Log *log, char letter)
{
    os_unfair_lock_assert_owner(&log->lock);
    UniChar character = (UniChar)letter;
    CFStringAppendCharacters(log->text, &character, 1);
}

static void Write(CFRunLoopTimerRef timer, void *info)
{
    Writer *writer = (Writer *)info;
    os_unfair_lock_lock(&writer->log->lock);
    LogAppendLocked(writer->log, writer->letter);
    os_unfair_lock_unlock(&writer->log->lock);
    if (--writer->left == 0) {
        CFRunLoopTimerInvalidate(timer);
        CFRunLoopStop(CFRunLoopGetCurrent());
    }
}

static void *RunWriter(void *argument)
{
    CFRunLoopTimerContext context = {0, argument, NULL, NULL, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(kCFAllocatorDefault, CFAbsoluteTimeGetCurrent(),
                                                   0.001, 0, 0, Write, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    CFRelease(timer);
    return NULL;
}

static int Count(CFStringRef text, UniChar letter)
{
    int count = 0;
    for (CFIndex i = 0; i < CFStringGetLength(text); i++) {
        if (CFStringGetCharacterAtIndex(text, i) == letter) count++;
    }
    return count;
}

void sample_locked_log(void)
{
    Log log = {OS_UNFAIR_LOCK_INIT, CFStringCreateMutable(kCFAllocatorDefault, 0)};
    Writer first = {&log, 'a', 5}, second = {&log, 'b', 7};
    pthread_t thread;
    pthread_create(&thread, NULL, RunWriter, &second);
    RunWriter(&first);
    pthread_join(thread, NULL);
    printf("a %d times, b %d times\n", Count(log.text, 'a'), Count(log.text, 'b'));
    CFRelease(log.text);
}
