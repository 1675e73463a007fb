/*
 * A source that is signalled by its port. On Apple's platforms, the port is a Mach port; on Linux
 * it is a descriptor, here an eventfd, which the loop reads.
 */

#include "flag.h"
#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
    int port;
    int received;
    Flag answered;
} Ponger;

static int PongerGetPort(void *info)
{
    return ((Ponger *)info)->port;
}

static void PongerReceive(void *info)
{
    Ponger *ponger = info;
    printf("ping %d\n", ++ponger->received);
    if (ponger->received == 3) CFRunLoopStop(CFRunLoopGetCurrent());
    FlagRaise(&ponger->answered);
}

static void *SendPings(void *argument)
{
    Ponger *ponger = argument;
    for (int i = 0; i < 3; i++) {
        eventfd_write(ponger->port, 1);
        FlagAwait(&ponger->answered);
    }
    return NULL;
}

void sample_port_source(void)
{
    Ponger ponger = {.port = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .answered = FLAG_INITIALIZER};
    CFRunLoopSourceContext1 context = {
        .version = 1, .info = &ponger, .getPort = PongerGetPort, .perform = PongerReceive};
    CFRunLoopSourceRef source =
        CFRunLoopSourceCreate(kCFAllocatorDefault, 0, (CFRunLoopSourceContext *)&context);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);

    pthread_t thread;
    pthread_create(&thread, NULL, SendPings, &ponger);
    CFRunLoopRun();
    pthread_join(thread, NULL);

    printf("received %d\n", ponger.received);
    CFRunLoopSourceInvalidate(source);
    CFRelease(source);
    close(ponger.port);
}
