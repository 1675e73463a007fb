/*
 * RLFileDescriptor: callbacks for any descriptor. CF has it on Apple's systems only, so that there
 * is no reference to run.
 */

#include "descriptor_words.h"
#include "scenario.h"

#include <sys/resource.h>

static void fd_is_one_shot(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);

    check(write(ends[1], "abc", 3) == 3);
    run("DEF", 0, true);
    for (int round = 0; round < 2; round++) {
        RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
        run("DEF", 10, true);
        run("DEF", 0, true);
    }
}
SCENARIO(fd_is_one_shot,
         .title = "A callback comes once for each time that it is enabled, and not before",
         .clauses = "FD-1 FD-2 FD-3",
         .rl_only = true,
         .expected = "= TimedOut; d read; = HandledSource; = TimedOut; d read; = HandledSource; "
                     "= TimedOut")

static void fd_enabled_in_callback(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor =
        watch_fd("d", ends[0], ^(RLFileDescriptorRef called, RLOptionFlags types) {
            char byte;
            ssize_t size = read(ends[0], &byte, 1);
            note("%zd", size);
            if (size > 0) RLFileDescriptorEnableCallBacks(called, types);
            if (size == 0) stop();
        });

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    check(write(ends[1], "ab", 2) == 2);
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 10, false);
    run("DEF", 0.01, false);
}
SCENARIO(fd_enabled_in_callback,
         .title = "A callback that is enabled in the callback comes again, up to the end",
         .clauses = "FD-2 FD-3",
         .rl_only = true,
         .expected = "d read; 1; d read; 1; d read; 0; = Stopped; = TimedOut")

static void fd_both_kinds(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);
    const RLOptionFlags both = kRLFileDescriptorReadCallBack | kRLFileDescriptorWriteCallBack;

    RLFileDescriptorEnableCallBacks(descriptor, both);
    run("DEF", 10, true);
    run("DEF", 0, true);
    check(write(ends[1], "a", 1) == 1);
    run("DEF", 10, true);
    RLFileDescriptorEnableCallBacks(descriptor, both);
    run("DEF", 10, true);
    RLFileDescriptorEnableCallBacks(descriptor, both);
    RLFileDescriptorDisableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    run("DEF", 10, true);
    run("DEF", 0, true);
}
SCENARIO(fd_both_kinds,
         .title = "Both kinds of callbacks are enabled separately, and reported in one call",
         .clauses = "FD-1 FD-2",
         .rl_only = true,
         .expected = "d write; = HandledSource; = TimedOut; d read; = HandledSource; d read write; "
                     "= HandledSource; d write; = HandledSource; = TimedOut")

static void fd_enabled_while_asleep(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);
    struct helper_thread *enabler = start_thread(^{
        wait_until_asleep(loop);
        RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
    });

    run("DEF", 10, true);
    join_thread(enabler);
}
SCENARIO(fd_enabled_while_asleep,
         .title = "Enabling on another thread reaches a loop that sleeps",
         .clauses = "FD-3",
         .rl_only = true,
         .expected = "d write; = HandledSource")

static void fd_idle_hang_up(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);

    watch("DEF");
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 0.002, false);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
}
SCENARIO(fd_idle_hang_up,
         .title = "A hang-up without an enabled callback does not wake the loop, and is reported once one is enabled",
         .clauses = "FD-2 FD-3",
         .rl_only = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= TimedOut; Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; d read; "
                     "Exit")

static void fd_life(void)
{
    int *ends = make_pair();
    RLFileDescriptorContext context = {.version = 7};

    RLFileDescriptorRef descriptor = make_fd("d", ends[0], true, true, NULL);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 4);
    RLRunLoopSourceRef again = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 9);
    check(source == again && RLRunLoopSourceGetOrder(source) == 4);
    add_source(source, "DEF");
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
    run("DEF", 10, true);
    check(RLFileDescriptorGetNativeDescriptor(descriptor) == ends[0]);
    RLFileDescriptorGetContext(descriptor, &context);
    check(context.version == 0 && context.info != NULL && context.retain == fd_retain);

    RLFileDescriptorInvalidate(descriptor);
    RLFileDescriptorInvalidate(descriptor);
    note_answer("valid", RLFileDescriptorIsValid(descriptor));
    note_answer("source valid", RLRunLoopSourceIsValid(source));
    check(RLFileDescriptorGetNativeDescriptor(descriptor) == -1);
    await_hang_up(ends[1]);
    check(RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0) == NULL);
    RLFileDescriptorGetContext(descriptor, &context);
    check(context.info == NULL);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
    run("DEF", 10, true);
    ends[0] = -1;
    RLRelease(source);
    RLRelease(again);
    RLRelease(descriptor);
}
SCENARIO(fd_life,
         .title = "Invalidation closes, gives the info up and ends the source, once",
         .clauses = "FD-4 FD-5",
         .rl_only = true,
         .expected_hints = "create the source before you invalidate the object",
         .expected = "d retained; d retained; d write; d released; = HandledSource; d released; "
                     "valid: no; source valid: no; = Finished")

static void fd_last_release(void)
{
    int *ends = make_pair();

    RLFileDescriptorRef descriptor = make_fd("closed", ends[0], true, true, NULL);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
    RLRelease(descriptor);
    note("source is left");
    RLRelease(source);
    await_hang_up(ends[1]);
    ends[0] = -1;

    RLRelease(make_fd("kept", ends[1], false, true, NULL));
    check(fcntl(ends[1], F_GETFD) >= 0);
    check(RLFileDescriptorCreate(NULL, -1, true, fd_called, NULL) == NULL);
}
SCENARIO(fd_last_release,
         .title = "The source retains the object; the last release closes the descriptor if requested",
         .clauses = "FD-4 FD-5",
         .rl_only = true,
         .expected_hints = "check the result of the call that opened it",
         .expected = "closed retained; source is left; closed released; kept retained; "
                     "kept released")

static void fd_source_made_anew(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = make_fd("d", ends[0], false, false, NULL);

    RLRelease(RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 3));
    RLRunLoopSourceRef second = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 5);
    note("%ld", RLRunLoopSourceGetOrder(second));
    RLRunLoopSourceInvalidate(second);
    RLRunLoopSourceRef third = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 7);
    check(third != second);
    note("%ld", RLRunLoopSourceGetOrder(third));
    add_source(third, "DEF");
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
    run("DEF", 10, true);
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(second);
    RLRelease(third);
    RLRelease(descriptor);
}
SCENARIO(fd_source_made_anew,
         .title = "A source that was invalidated is replaced by a new one",
         .clauses = "FD-5",
         .rl_only = true,
         .expected = "3; 7; d write; = HandledSource")

static void fd_invalidated_in_callback(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor =
        make_fd("d", ends[0], false, true, ^(RLFileDescriptorRef called, RLOptionFlags types) {
            RLFileDescriptorEnableCallBacks(called, types);
            RLFileDescriptorInvalidate(called);
            note("returns");
        });
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    add_source(source, "DEF");
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorWriteCallBack);
    RLRelease(source);
    RLRelease(descriptor);
    run("DEF", 10, false);
}
SCENARIO(fd_invalidated_in_callback,
         .title = "An object that is invalidated in its callback lives until it returns",
         .clauses = "FD-4",
         .rl_only = true,
         .expected = "d retained; d retained; d write; d released; returns; d released; "
                     "= Finished")

static void fd_invalidated_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);
    struct helper_thread *other = start_thread(^{
        wait_until_asleep(loop);
        RLFileDescriptorInvalidate(descriptor);
    });

    run("DEF", 10, false);
    join_thread(other);
}
SCENARIO(fd_invalidated_elsewhere,
         .title = "Invalidation wakes a loop that has nothing else to wait for",
         .clauses = "FD-4",
         .rl_only = true,
         .expected = "= Finished")

static void fd_of_two_loops(void)
{
    enum { COUNT = 300 };
    int *ends = make_pair();
    struct gate *ready = make_gate();
    RLRunLoopRef here = this_loop();
    __block RLRunLoopRef there = NULL;
    __block int bytes = 0;
    /* One byte at a time: a callback that comes twice would find none. */
    RLFileDescriptorRef descriptor =
        watch_fd(NULL, ends[0], ^(RLFileDescriptorRef called, RLOptionFlags types) {
            char byte;
            check(read(ends[0], &byte, 1) == 1);
            if (++bytes < COUNT) {
                check(write(ends[1], "x", 1) == 1);
                RLFileDescriptorEnableCallBacks(called, types);
            } else {
                RLRunLoopStop(here);
                RLRunLoopStop(there);
            }
        });
    struct helper_thread *other = start_thread(^{
        RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
        there = this_loop();
        add_source(source, "DEF");
        RLRelease(source);
        open_gate(ready);
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false) == kRLRunLoopRunStopped);
    });

    pass_gate(ready);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    /* Both loops run when it begins: one that does not could not be stopped. */
    wait_until_asleep(there);
    queue_block("begin", "DEF", ^{ check(write(ends[1], "x", 1) == 1); });
    run("DEF", 10, false);
    join_thread(other);
    note("%d", bytes);
}
SCENARIO(fd_of_two_loops,
         .title = "In two loops, each event is reported in one of them",
         .clauses = "FD-2 FD-5",
         .rl_only = true,
         .expected = "begin; = Stopped; 300")

static void fd_descriptions(void)
{
    int *ends = make_pair();
    RLFileDescriptorRef descriptor = watch_fd("d", ends[0], NULL);
    char text[512];

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLStringRef description = RLCopyDescription(descriptor);
    check(RLStringGetCString(description, text, sizeof text, kRLStringEncodingUTF8));
    RLRelease(description);
    check(strncmp(text, "<RLFileDescriptor 0x", 20) == 0);
    check(strstr(text, "]>{valid = Yes, descriptor = ") != NULL);
    check(strstr(text, ", modes = 1, wanted = read, source = 0x") != NULL);
    check(strstr(text, ", closes = No, callout = ") != NULL);
    check(strstr(text, ", context = <RLFileDescriptor context 0x") != NULL);
}
SCENARIO(fd_descriptions,
         .title = "A description has the state, the enabled callbacks, and the context",
         .clauses = "extension",
         .rl_only = true)

static void ten_thousand_descriptors(void)
{
    struct rlimit limit = {0};
    int before = count_descriptors();
    RLFileDescriptorRef *descriptors = calloc(MANY, sizeof(*descriptors));

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = MANY + 100;
    check(limit.rlim_max >= limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (int index = 0; index < MANY; index++) {
        int counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        descriptors[index] = RLFileDescriptorCreate(NULL, counter, true, many_called, NULL);
        RLRunLoopSourceRef source =
            RLFileDescriptorCreateRunLoopSource(NULL, descriptors[index], 0);
        add_source(source, "DEF");
        RLRelease(source);
        RLFileDescriptorEnableCallBacks(descriptors[index], kRLFileDescriptorReadCallBack);
    }
    for (int index = 0; index < MANY_SERVED; index++) {
        count_up(RLFileDescriptorGetNativeDescriptor(descriptors[index * 7 % MANY]));
    }
    run("DEF", 20, false);
    note("%d", many_calls);
    for (int index = 0; index < MANY; index++) {
        RLFileDescriptorInvalidate(descriptors[index]);
        RLRelease(descriptors[index]);
    }
    free(descriptors);
    run("DEF", 20, false);
    /* The wake-up port and the mode's set and timer stay with the loop. */
    check(count_descriptors() <= before + 3);
}
SCENARIO(ten_thousand_descriptors,
         .title = "Ten thousand descriptors are served in one loop, and leave nothing open",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 2000; = Finished")
