/*
 * A dialog in a run of its own: a callback runs the loop in a private mode until the dialog is
 * answered. What is in the default mode waits until then.
 */

#include "samples.h"
#include <CRunLoop/CRunLoop.h>

#define kModalMode RLSTR("com.example.dialog")

static RLRunLoopSourceRef openButton, otherButton, answerButton;

static void OpenDialog(void *info)
{
    (void)info;
    puts("the dialog opens");
    RLRunLoopSourceSignal(otherButton);
    RLRunLoopSourceSignal(answerButton);
    SInt32 result = RLRunLoopRunInMode(kModalMode, 60, false);
    printf("the dialog closes: %s\n", result == kRLRunLoopRunStopped ? "answered" : "abandoned");
}

static void Answer(void *info)
{
    (void)info;
    RLStringRef mode = RLRunLoopCopyCurrentMode(RLRunLoopGetCurrent());
    printf("yes, says the user in the %s mode\n", RLEqual(mode, kModalMode) ? "dialog's" : "wrong");
    RLRelease(mode);
    RLRunLoopStop(RLRunLoopGetCurrent());
}

static void Other(void *info)
{
    (void)info;
    puts("now for the other button");
    RLRunLoopStop(RLRunLoopGetCurrent());
}

static RLRunLoopSourceRef MakeButton(void (*action)(void *), RLStringRef mode)
{
    RLRunLoopSourceContext context = {.perform = action};
    RLRunLoopSourceRef button = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), button, mode);
    return button;
}

void sample_modal_run(void)
{
    openButton = MakeButton(OpenDialog, kRLRunLoopDefaultMode);
    otherButton = MakeButton(Other, kRLRunLoopDefaultMode);
    answerButton = MakeButton(Answer, kModalMode);

    RLRunLoopSourceSignal(openButton);
    RLRunLoopRun();

    RLRunLoopSourceRef buttons[] = {openButton, otherButton, answerButton};
    for (int i = 0; i < 3; i++) {
        RLRunLoopSourceInvalidate(buttons[i]);
        RLRelease(buttons[i]);
    }
    puts("the application quits");
}
