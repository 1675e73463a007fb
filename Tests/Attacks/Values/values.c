/*
 * Calls every public C function with hostile values (generate.py), each in a child. A call returns
 * in time, or stops the process with a line on standard error.
 */

#include "values.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

char million[1000001];
UInt8 memory[1 << 23];
const void *objects[1000000];

void do_nothing(void)
{
}

RLStringRef sample_string(const char *bytes, RLIndex count)
{
    return RLStringCreateWithBytes(NULL, (const UInt8 *)bytes, count, kRLStringEncodingUTF8, false);
}

RLMutableStringRef sample_mutable_string(void)
{
    return RLStringCreateMutableCopy(NULL, 0, RLSTR("sample"));
}

RLArrayRef sample_array(void)
{
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    for (int i = 0; i < 3; i++) RLArrayAppendValue(array, RLSTR("sample"));
    return array;
}

RLDataRef sample_data(void)
{
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    RLDataAppendBytes(data, memory, 3);
    return data;
}

RLDictionaryRef sample_dictionary(void)
{
    return RLDictionaryCreate(NULL, objects, objects, 1, &kRLTypeDictionaryKeyCallBacks,
                              &kRLTypeDictionaryValueCallBacks);
}

RLSetRef sample_set(void)
{
    return RLSetCreate(NULL, objects, 1, &kRLTypeSetCallBacks);
}

RLURLRef sample_url(void)
{
    return RLURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)"/tmp", 4, true);
}

RLRunLoopTimerRef sample_timer(void)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreateWithHandler(NULL, 1e9, 1, 0, 0, (void *)^{});
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopCommonModes);
    return timer;
}

RLRunLoopSourceRef sample_source(void)
{
    return RLFileSourceCreate(NULL, 0, (RLFileEventCallBack)do_nothing, NULL);
}

RLRunLoopObserverRef sample_observer(void)
{
    return RLRunLoopObserverCreateWithHandler(NULL, kRLRunLoopAllActivities, true, 0, (void *)^{});
}

const RLSocketSignature *sample_signature(void)
{
    static RLSocketSignature signature = {PF_INET, SOCK_STREAM, IPPROTO_TCP, NULL};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    signature.address = RLDataCreate(NULL, (const UInt8 *)&address, sizeof address);
    return &signature;
}

RLSocketRef sample_socket(void)
{
    return RLSocketCreate(NULL, PF_INET, SOCK_STREAM, IPPROTO_TCP, 0, NULL, NULL);
}

RLMessagePortRef sample_message_port(void)
{
    return RLMessagePortCreateLocal(NULL, NULL, NULL, NULL, NULL);
}

RLMachPortRef sample_mach_port(void)
{
    return RLMachPortCreate(NULL, NULL, NULL, NULL);
}

RLReadStreamRef sample_reader(void)
{
    RLReadStreamRef stream = RLReadStreamCreateWithBytesNoCopy(NULL, memory, 3, kRLAllocatorNull);
    RLReadStreamOpen(stream);
    return stream;
}

RLWriteStreamRef sample_writer(void)
{
    RLWriteStreamRef stream = RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL);
    RLWriteStreamOpen(stream);
    return stream;
}

RLFileDescriptorRef sample_descriptor(void)
{
    return RLFileDescriptorCreate(NULL, STDIN_FILENO, false, (RLFileDescriptorCallBack)do_nothing,
                                  NULL);
}

RLRunLoopRecordingRef sample_recording(void)
{
    RLRunLoopTracerRef tracer = RLRunLoopTracerCreate(NULL, 64);
    RLRunLoopTracerStart(tracer, RLRunLoopGetCurrent());
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    RLArrayRef recordings = RLRunLoopTracerCopyRecordings(tracer);
    return (RLRunLoopRecordingRef)(uintptr_t)RLArrayGetValueAtIndex(recordings, 0);
}

RLTestClockRef sample_clock(void)
{
    RLTestClockRef clock = RLTestClockCreate();
    RLTestClockAddLoop(clock, RLRunLoopGetCurrent());
    return clock;
}

RLStringInlineBuffer *sample_inline_buffer(void)
{
    static RLStringInlineBuffer buffer;
    RLStringInitInlineBuffer(RLSTR("sample"), &buffer, RLRangeMake(0, 6));
    return &buffer;
}

static void call_in_child(const struct value_case *it, int line_fd)
{
    /* A call that waits for longer hangs. */
    enum { MOST_SECONDS = 300 };
    dup2(line_fd, STDERR_FILENO);
    alarm(MOST_SECONDS);
    /* A run without a limit ends where it would sleep. */
    RLRunLoopObserverRef stopper =
        RLRunLoopObserverCreateWithHandler(NULL, kRLRunLoopBeforeWaiting, false, 0,
                                           (void *)^{ RLRunLoopStop(RLRunLoopGetCurrent()); });
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), stopper, kRLRunLoopCommonModes);
    it->call();
    _exit(EXIT_SUCCESS);
}

/* Returns whether a child has ended as it may. */
static bool is_right(int status, const char *lines)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status) == EXIT_SUCCESS;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(lines, "CoreRunLoop: ");
}

static bool try_case(const struct value_case *it)
{
    char lines[4096];
    int ends[2], status;
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) call_in_child(it, ends[1]);
    close(ends[1]);
    ssize_t count = 0, more;
    while ((more = read(ends[0], lines + count, sizeof lines - 1 - (size_t)count)) > 0) {
        count += more;
        /* The first lines suffice; the others must not block the child. */
        if ((size_t)count == sizeof lines - 1) count = 0;
    }
    lines[count] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    if (is_right(status, lines)) return true;
    printf("%s: status %d, signal %d%s%s\n", it->name, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           WIFSIGNALED(status) ? WTERMSIG(status) : 0, count ? ": " : "", lines);
    return false;
}

int main(int count, char **arguments)
{
    int failures = 0, calls = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    memset(million, 'x', sizeof million - 1);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) objects[i] = RLSTR("sample");
    for (const struct value_case *it = value_cases; it->name; it++) {
        if (count > 1 && !strstr(it->name, arguments[1])) continue;
        calls++;
        if (!try_case(it)) failures++;
    }
    printf("%d calls, %d failures\n", calls, failures);
    return failures > 0;
}
