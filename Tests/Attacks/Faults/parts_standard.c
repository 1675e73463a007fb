/*
 * A process without standard input, output and error: their numbers are free, and must stay so.
 */

#define _GNU_SOURCE

#include "inject.h"
#include "workload.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The output of other code, which must reach no descriptor of the engine: not even as a count, for
 * which these are enough bytes.
 */
static void print(const char *what)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        bool is_free = write(fd, "a line\n", 8) < 0 && errno == EBADF && fcntl(fd, F_GETFD) < 0;
        work_must(is_free, what);
    }
}

static void add(RLRunLoopSourceRef source, const char *what)
{
    if (work_got(source, what)) {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    }
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
    print(what);
}

static void drop(RLRunLoopSourceRef source)
{
    if (!source) return;
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static void ignore_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
}

static void ignore_process(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
}

static void ignore_file(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
}

static void watch_system(void)
{
    pid_t child = fork();
    if (child == 0) _exit(0);
    RLRunLoopSourceRef process = RLProcessSourceCreate(NULL, 0, child, false, ignore_process, NULL);
    add(process, "RLProcessSourceCreate");
    SInt32 signals[] = {SIGUSR1};
    RLRunLoopSourceRef signal = RLSignalSourceCreate(NULL, 0, signals, 1, ignore_signal, NULL);
    add(signal, "RLSignalSourceCreate");
    RLRunLoopSourceRef file = RLFileSourceCreate(NULL, 0, ignore_file, NULL);
    add(file, "RLFileSourceCreate");
    drop(process);
    drop(signal);
    drop(file);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

static void accept_connection(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                              const void *data, void *info)
{
    *(int *)info = *(const RLSocketNativeHandle *)data;
    work_stop(RLRunLoopGetCurrent());
}

static void accept_and_connect(void)
{
    __block int accepted = -1;
    RLSocketContext context = {.info = &accepted};
    RLSocketRef listener = RLSocketCreate(NULL, AF_INET, SOCK_STREAM, IPPROTO_TCP,
                                          kRLSocketAcceptCallBack, accept_connection, &context);
    if (!work_got(listener, "RLSocketCreate")) return;
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    RLDataRef address = RLDataCreate(NULL, (const UInt8 *)&name, sizeof name);
    work_did(RLSocketSetAddress(listener, address) == kRLSocketSuccess, "RLSocketSetAddress");
    RLRelease(address);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, listener, 0);
    add(source, "RLSocketCreateRunLoopSource");
    address = RLSocketCopyAddress(listener);
    RLSocketRef peer = RLSocketCreate(NULL, AF_INET, SOCK_STREAM, IPPROTO_TCP, 0, NULL, NULL);
    if (work_got(peer, "RLSocketCreate") && work_got(address, "RLSocketCopyAddress")) {
        bool is_connected = RLSocketConnectToAddress(peer, address, 1) == kRLSocketSuccess;
        if (work_did(is_connected, "RLSocketConnectToAddress")) {
            work_wait_served(^bool { return accepted >= 0; }, "a connection is accepted");
        }
    }
    print("a connection is accepted");
    if (accepted >= 0) close(accepted);
    if (peer) {
        RLSocketInvalidate(peer);
        RLRelease(peer);
    }
    if (address) RLRelease(address);
    drop(source);
    RLSocketInvalidate(listener);
    RLRelease(listener);
}

static RLDataRef keep_descriptor(RLMessagePortRef local, SInt32 number, RLDataRef data, void *info)
{
    SInt32 descriptor;
    if (RLMessagePortTakeDescriptors(local, &descriptor, 1) == 1) {
        print("a descriptor comes with a message");
        close(descriptor);
    }
    print("a message");
    return NULL;
}

/* A message with a descriptor, and one that is so large that memory is shared for it. */
static void exchange_messages(int fd)
{
    RLMessagePortRef local =
        RLMessagePortCreateLocal(NULL, RLSTR("standard"), keep_descriptor, NULL, NULL);
    if (!work_got(local, "RLMessagePortCreateLocal")) return;
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    add(source, "RLMessagePortCreateRunLoopSource");
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLSTR("standard"));
    if (source && work_got(remote, "RLMessagePortCreateRemote")) {
        print("RLMessagePortCreateRemote");
        enum { LARGE = 300000 };
        RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
        RLDataSetLength(data, LARGE);
        SInt32 result = RLMessagePortSendRequestWithDescriptors(remote, 1, data, &fd, 1,
                                                                work_patience(0.3), 0, NULL, NULL);
        work_did(result == kRLMessagePortSuccess, "RLMessagePortSendRequest");
        print("RLMessagePortSendRequest");
        for (int turn = 0; turn < 3; turn++) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
        RLRelease(data);
    }
    if (remote) RLRelease(remote);
    if (source) RLRelease(source);
    RLMessagePortInvalidate(local);
    RLRelease(local);
    RLMachPortName receiver, sender;
    if (!work_did(RLMachPortCreatePair(&receiver, &sender), "RLMachPortCreatePair")) return;
    print("RLMachPortCreatePair");
    close(receiver);
    close(sender);
}

static void write_file(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/standard", work_folder());
    RLStringRef name = RLStringCreateWithCString(NULL, path, kRLStringEncodingUTF8);
    RLURLRef url = RLURLCreateWithFileSystemPath(NULL, name, kRLURLPOSIXPathStyle, false);
    RLWriteStreamRef stream = RLWriteStreamCreateWithFile(NULL, url);
    if (work_got(stream, "RLWriteStreamCreateWithFile")) {
        work_did(RLWriteStreamOpen(stream), "RLWriteStreamOpen");
        print("RLWriteStreamOpen");
        RLWriteStreamClose(stream);
        RLRelease(stream);
    }
    RLRelease(url);
    RLRelease(name);
}

static RLRunLoopPort port_of(void *info)
{
    return (RLRunLoopPort)(intptr_t)info;
}

static void perform_nothing(void *info)
{
}

static RLRunLoopDescriptorEvents can_be_read(void *info)
{
    return kRLRunLoopDescriptorRead;
}

static void perform_ready(void *info, RLRunLoopDescriptorEvents ready)
{
}

/* Of a file that epoll refuses: something else stands for it. */
static void watch_file(int file)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = (void *)(intptr_t)file,
                                       .getDescriptor = port_of,
                                       .getEvents = can_be_read,
                                       .perform = perform_ready};
    RLRunLoopSourceRef source =
        RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    add(source, "a source with a file");
    drop(source);
}

static void describe(void)
{
    RLStringRef text = RLCopyDescription(RLRunLoopGetCurrent());
    if (text) RLRelease(text);
    /* Of a function in a library; its address here may be that of a stub. */
    text = RLRunLoopCopyClosureDescription(dlsym(RTLD_DEFAULT, "lrand48"));
    if (text) RLRelease(text);
}

static void use_all(int counter, int file)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    __block bool has_fired = false;
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(NULL, work_date(0.002), 0, 0, 0, ^(RLRunLoopTimerRef each) {
            has_fired = true;
            work_stop(loop);
        });
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    work_wait(^bool { return has_fired; }, "a timer fires");
    RLRelease(timer);
    print("a loop has slept");
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = (void *)(intptr_t)counter,
                                       .getPort = port_of,
                                       .perform = perform_nothing};
    RLRunLoopSourceRef port =
        RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    add(port, "a source with a port");
    watch_file(file);
    describe();
    watch_system();
    accept_and_connect();
    fault_hide_peers(true);
    exchange_messages(counter);
    fault_hide_peers(false);
    write_file();
    work_rest();
    drop(port);
}

void part_standard(void)
{
    static int saved[3], counter, file;
    fault_spare(^{
        for (int fd = 0; fd < 3; fd++) saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    });
    work_leave_lock();
    for (int fd = 0; fd < 3; fd++) close(fd);
    use_all(counter, file);
    close(counter);
    close(file);
    for (int fd = 0; fd < 3; fd++) {
        dup2(saved[fd], fd);
        close(saved[fd]);
    }
}
