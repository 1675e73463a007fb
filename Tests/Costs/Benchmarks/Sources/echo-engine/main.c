/*
 * An echo server with a timer, which ends at SIGTERM, by the engine.
 */

#include <CRunLoop/CRunLoop.h>

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void add_source(RLRunLoopSourceRef source)
{
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRelease(source);
}

static void answer(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                   const void *data, void *info)
{
    (void)type, (void)address, (void)data, (void)info;
    char bytes[65536];
    int fd = RLSocketGetNative(socket);
    ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count > 0 && send(fd, bytes, (size_t)count, MSG_NOSIGNAL) == count) return;
    RLSocketInvalidate(socket);
}

static void accept_connection(RLSocketRef listening, RLSocketCallBackType type, RLDataRef address,
                              const void *data, void *info)
{
    (void)listening, (void)type, (void)address, (void)info;
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, *(const int *)data, kRLSocketReadCallBack, answer, NULL);
    add_source(RLSocketCreateRunLoopSource(NULL, socket, 0));
    RLRelease(socket);
}

static void tick(RLRunLoopTimerRef timer, void *info)
{
    (void)timer, (void)info;
    puts("still here");
}

static void end(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    (void)source, (void)event, (void)info;
    RLRunLoopStop(RLRunLoopGetMain());
}

int main(int count, char **arguments)
{
    if (count < 2) return EXIT_FAILURE;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)atoi(arguments[1])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 128)) return 1;
    RLSocketRef listening =
        RLSocketCreateWithNative(NULL, fd, kRLSocketAcceptCallBack, accept_connection, NULL);
    add_source(RLSocketCreateRunLoopSource(NULL, listening, 0));
    RLRelease(listening);
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + 1, 1, 0, 0, tick, NULL);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
    const SInt32 signals[] = {SIGTERM};
    add_source(RLSignalSourceCreate(NULL, 0, signals, 1, end, NULL));
    RLRunLoopRun();
    return EXIT_SUCCESS;
}
