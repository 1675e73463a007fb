/*
 * Makes a number of polling passes in a mode with a number of idle items, for measure.sh to count
 * what a pass costs.
 */

#include <CRunLoop/CRunLoop.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void perform(void *info)
{
    (void)info;
}

static void fire(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
}

static void add_source(RLRunLoopMode mode, long number)
{
    RLRunLoopSourceContext context = {.info = (void *)number, .perform = perform};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, mode);
    RLRelease(source);
}

static void add_timer(RLRunLoopMode mode, long number)
{
    double date = RLAbsoluteTimeGetCurrent() + 1.0e6 + (double)number;
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(kRLAllocatorDefault, date, 0, 0, 0, fire, NULL);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode);
    RLRelease(timer);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 4) {
        fprintf(stderr, "usage: %s PASSES sources|timers COUNT\n", arguments[0]);
        return 64;
    }
    /* Not a common mode: there the main loop would look at the main dispatch queue too. */
    RLRunLoopMode mode = RLSTR("costs");
    long count = atol(arguments[3]);
    for (long number = 1; number <= count; number++) {
        if (strcmp(arguments[2], "timers") == 0) {
            add_timer(mode, number);
        } else {
            add_source(mode, number);
        }
    }
    for (long pass = atol(arguments[1]); pass > 0; pass--) RLRunLoopRunInMode(mode, 0, false);
    return 0;
}
