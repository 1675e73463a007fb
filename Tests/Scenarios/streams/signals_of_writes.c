/*
 * Writes that would raise a signal: to pipes without a reader, and to files that must not grow.
 * Ours only.
 */

#include "../messages/message_words.h"
#include "scenario.h"

#include <CRunLoop/RLLogUtilities.h>
#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLStream.h>
#include <signal.h>
#include <sys/resource.h>

static bool is_pending(int number)
{
    sigset_t pending;
    check(sigpending(&pending) == 0);
    return sigismember(&pending, number) == 1;
}

/* Calls a body that writes while the signal ends the process, is blocked, and is pending. */
static void check_signal(int number, action body)
{
    sigset_t set, before;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    check(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
    body();
    check(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    body();
    check(!is_pending(number));
    check(raise(number) == 0);
    body();
    check(is_pending(number));
    check(sigtimedwait(&set, NULL, &(struct timespec){0}) == number);
    check(pthread_sigmask(SIG_UNBLOCK, &set, &before) == 0);
    check(sigismember(&before, number) == 1);
}

/* Appends a byte to a file, calls a body, and appends another byte, which fails with an error. */
static void append_until(const char *path, action body, int expected)
{
    RLWriteStreamRef stream = RLWriteStreamCreateWithPath(NULL, string_named(path));
    check(RLWriteStreamSetProperty(stream, kRLStreamPropertyAppendToFile, kRLBooleanTrue));
    check(RLWriteStreamOpen(stream));
    check(RLWriteStreamWrite(stream, (const UInt8 *)"a", 1) == 1);
    body();
    check(RLWriteStreamWrite(stream, (const UInt8 *)"a", 1) == -1);
    RLErrorRef error = RLWriteStreamCopyError(stream);
    check(error && RLErrorGetCode(error) == expected);
    if (error) RLRelease(error);
    RLRelease(stream);
}

/* Writes to a FIFO whose reader has closed it. */
static void write_to_fifo(const char *path)
{
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    append_until(path, ^{ close(reader); }, EPIPE);
}

/* Writes to a file of one byte, which is the limit. */
static void write_to_file(const char *path)
{
    append_until(path, ^{}, EFBIG);
    check(unlink(path) == 0);
}

/* Writes a line by each kind of call that does so. */
static void write_lines(int error)
{
    RLLog(kRLLogLevelError, string_named("text"));
    RLShow(string_named("text"));
    RLShowStr(string_named("text"));
    RLRunLoopRunInMode(kRLRunLoopCommonModes, 0, false);
    check(RLWriteWithoutSignal(STDERR_FILENO, "a", 1) == -error);
}

static void with_standard_error(int descriptor, action body)
{
    int before = dup(STDERR_FILENO);
    dup2(descriptor, STDERR_FILENO);
    body();
    dup2(before, STDERR_FILENO);
    close(before);
}

static void pipes_without_reader(void)
{
    int ends[2];
    const char *path = path_in(make_folder(), "fifo");
    check(mkfifo(path, 0600) == 0);
    check_signal(SIGPIPE, ^{ write_to_fifo(path); });
    check(pipe2(ends, O_CLOEXEC) == 0);
    close(ends[0]);
    with_standard_error(ends[1], ^{ check_signal(SIGPIPE, ^{ write_lines(EPIPE); }); });
    close(ends[1]);
}
SCENARIO(pipes_without_reader,
         .title = "Streams and lines to a pipe without a reader raise no SIGPIPE, and leave none pending",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void streams_at_the_file_limit(void)
{
    const struct rlimit byte = {1, 1};
    const char *path = path_in(make_folder(), "file");
    check(setrlimit(RLIMIT_FSIZE, &byte) == 0);
    check_signal(SIGXFSZ, ^{ write_to_file(path); });
}
SCENARIO(streams_at_the_file_limit,
         .title = "Streams to a file at the limit of sizes raise no SIGXFSZ, and leave none pending",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void lines_at_the_file_limit(void)
{
    const struct rlimit none = {0};
    const char *folder = use_own_folder();
    int file = open(path_in(folder, "log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    check(setrlimit(RLIMIT_FSIZE, &none) == 0);
    with_standard_error(file, ^{
        check_signal(SIGXFSZ, ^{ write_lines(EFBIG); });
        check(make_local("port") && remote_port("port"));
    });
    close(file);
}
SCENARIO(lines_at_the_file_limit,
         .title = "Lines to a file at the limit of sizes raise no SIGXFSZ, and ports get names there",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)
