/*
 * A modal dialog: a callback runs the loop in a private mode until the dialog is answered. Events
 * of the default mode wait until then.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>

#define kModalMode CFSTR("com.example.dialog")

static CFRunLoopSourceRef openButton, otherButton, answerButton;

static void OpenDialog(void *info)
{
    (void)info;
    puts("the dialog opens");
    CFRunLoopSourceSignal(otherButton);
    CFRunLoopSourceSignal(answerButton);
    SInt32 result = CFRunLoopRunInMode(kModalMode, 60, false);
    printf("the dialog closes: %s\n", result == kCFRunLoopRunStopped ? "answered" : "abandoned");
}

static void Answer(void *info)
{
    (void)info;
    CFStringRef mode = CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent());
    printf("yes, says the user in the %s mode\n", CFEqual(mode, kModalMode) ? "dialog's" : "wrong");
    CFRelease(mode);
    CFRunLoopStop(CFRunLoopGetCurrent());
}

static void Other(void *info)
{
    (void)info;
    puts("now for the other button");
    CFRunLoopStop(CFRunLoopGetCurrent());
}

static CFRunLoopSourceRef MakeButton(void (*action)(void *), CFStringRef mode)
{
    CFRunLoopSourceContext context = {.perform = action};
    CFRunLoopSourceRef button = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), button, mode);
    return button;
}

void sample_modal_run(void)
{
    openButton = MakeButton(OpenDialog, kCFRunLoopDefaultMode);
    otherButton = MakeButton(Other, kCFRunLoopDefaultMode);
    answerButton = MakeButton(Answer, kModalMode);

    CFRunLoopSourceSignal(openButton);
    CFRunLoopRun();

    CFRunLoopSourceRef buttons[] = {openButton, otherButton, answerButton};
    for (int i = 0; i < 3; i++) {
        CFRunLoopSourceInvalidate(buttons[i]);
        CFRelease(buttons[i]);
    }
    puts("the application quits");
}
