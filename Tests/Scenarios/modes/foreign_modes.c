/* Foreign objects as modes: one line names the argument and the function, and the process stops. */

#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Objects of other libraries begin with a pointer, and may be no longer than that. */
static const void *const foreign_object = &foreign_object;

/* Makes a call in a child, and checks that the child prints only the line and stops. */
static void check_foreign(const char *function, const char *argument, action call)
{
    char line[512] = "", expected[512];
    int ends[2];
    check(pipe2(ends, O_CLOEXEC) == 0);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t count;
    while ((count = read(ends[0], line + length, sizeof line - 1 - length)) > 0) {
        length += (size_t)count;
    }
    close(ends[0]);
    int status = 0;
    check(waitpid(child, &status, 0) == child);
    snprintf(expected, sizeof expected,
             "CoreRunLoop: %s: argument `%s` (%p) is not an RL object: pass an RLString that "
             "has not been released\n",
             function, argument, (const void *)&foreign_object);
    if (strcmp(line, expected) != 0) note("%s: %s", function, line);
    check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void foreign_mode_of_loop(void)
{
    RLRunLoopMode mode = (RLRunLoopMode)(const void *)&foreign_object;
    RLRunLoopRef loop = this_loop();
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopObserverRef observer = OBSERVER("o");

    check_foreign("RLRunLoopAddTimer", "mode", ^{ RLRunLoopAddTimer(loop, timer, mode); });
    check_foreign("RLRunLoopRemoveTimer", "mode", ^{ RLRunLoopRemoveTimer(loop, timer, mode); });
    check_foreign("RLRunLoopContainsTimer", "mode",
                  ^{ RLRunLoopContainsTimer(loop, timer, mode); });
    check_foreign("RLRunLoopAddSource", "mode", ^{ RLRunLoopAddSource(loop, source, mode); });
    check_foreign("RLRunLoopAddObserver", "mode", ^{ RLRunLoopAddObserver(loop, observer, mode); });
    check_foreign("RLRunLoopAddCommonMode", "mode", ^{ RLRunLoopAddCommonMode(loop, mode); });
    check_foreign("RLRunLoopRunInMode", "mode", ^{ RLRunLoopRunInMode(mode, 0, false); });
    check_foreign("RLRunLoopGetNextTimerFireDate", "mode",
                  ^{ RLRunLoopGetNextTimerFireDate(loop, mode); });
    check_foreign("RLRunLoopModeIsEmpty", "mode", ^{ RLRunLoopModeIsEmpty(loop, mode); });
    check_foreign("RLRunLoopMode.init(rawValue:)", "rawValue", ^{ RLRunLoopModeGetHash(mode); });
    check(RLRunLoopModeGetHash(mode_named("M")) == RLHash(mode_named("M")));
}
SCENARIO(foreign_mode_of_loop,
         .title = "A mode that is no object of ours stops the process with a line",
         .clauses = "MODE-1",
         .rl_only = true,
         .own_process = true)

static void foreign_mode_of_block(void)
{
    const void *mode = &foreign_object, *names[] = {mode_named("M"), mode};
    RLArrayRef list = RLArrayCreate(NULL, names, 2, NULL);
    RLSetRef set = RLSetCreate(NULL, names, 2, NULL);
    RLRunLoopRef loop = this_loop();

    check_foreign("RLRunLoopPerformBlock", "mode", ^{ RLRunLoopPerformBlock(loop, mode, ^{}); });
    check_foreign("RLRunLoopPerformBlock", "mode", ^{ RLRunLoopPerformBlock(loop, list, ^{}); });
    check_foreign("RLRunLoopPerformFunction", "mode",
                  ^{ RLRunLoopPerformFunction(loop, set, NULL, NULL); });
    RLRelease(list);
    RLRelease(set);
}
SCENARIO(foreign_mode_of_block,
         .title = "A block for a mode that is no object of ours stops the process with a line",
         .clauses = "BLK-1",
         .rl_only = true,
         .own_process = true)

static void foreign_mode_of_stream(void)
{
    RLStringRef mode = (RLStringRef)(const void *)&foreign_object;
    RLRunLoopRef loop = this_loop();
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    RLStreamCreateBoundPair(NULL, &reader, &writer, 16);
    RLHostRef host = RLHostCreateWithName(NULL, RLSTR("localhost"));

    check_foreign("RLReadStreamScheduleWithRunLoop", "runLoopMode",
                  ^{ RLReadStreamScheduleWithRunLoop(reader, loop, mode); });
    check_foreign("RLReadStreamUnscheduleFromRunLoop", "runLoopMode",
                  ^{ RLReadStreamUnscheduleFromRunLoop(reader, loop, mode); });
    check_foreign("RLWriteStreamScheduleWithRunLoop", "runLoopMode",
                  ^{ RLWriteStreamScheduleWithRunLoop(writer, loop, mode); });
    check_foreign("RLWriteStreamUnscheduleFromRunLoop", "runLoopMode",
                  ^{ RLWriteStreamUnscheduleFromRunLoop(writer, loop, mode); });
    check_foreign("RLHostScheduleWithRunLoop", "runLoopMode",
                  ^{ RLHostScheduleWithRunLoop(host, loop, mode); });
    check_foreign("RLHostUnscheduleFromRunLoop", "runLoopMode",
                  ^{ RLHostUnscheduleFromRunLoop(host, loop, mode); });
    RLRelease(reader);
    RLRelease(writer);
    RLRelease(host);
}
SCENARIO(foreign_mode_of_stream,
         .title = "A stream's mode that is no object of ours stops the process with a line",
         .clauses = "STRM-7",
         .rl_only = true,
         .own_process = true)
