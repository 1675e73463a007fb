/*
 * A server and two clients that use message ports. Each client has a thread that sends requests and
 * waits for the replies. The client that ends last stops the server's loop.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <libkern/OSAtomic.h>
#include <pthread.h>
#include <unistd.h>

enum { CLIENTS = 2, REQUESTS = 5 };

typedef struct {
    CFStringRef name;
    CFRunLoopRef loop;
    volatile int32_t running;
    volatile int32_t sum;
} Shared;

static CFDataRef Square(CFMessagePortRef port, SInt32 number, CFDataRef data, void *info)
{
    (void)port, (void)data, (void)info;
    SInt32 square = number * number;
    return CFDataCreate(kCFAllocatorDefault, (const UInt8 *)&square, sizeof square);
}

static void *Ask(void *argument)
{
    Shared *shared = (Shared *)argument;
    CFMessagePortRef server = CFMessagePortCreateRemote(kCFAllocatorDefault, shared->name);
    for (SInt32 number = 1; number <= REQUESTS; number++) {
        CFDataRef reply = NULL;
        SInt32 square = 0;
        SInt32 status =
            CFMessagePortSendRequest(server, number, NULL, 60, 60, kCFRunLoopDefaultMode, &reply);
        if (status != kCFMessagePortSuccess) break;
        CFDataGetBytes(reply, CFRangeMake(0, sizeof square), (UInt8 *)&square);
        OSAtomicAdd32Barrier(square, &shared->sum);
        CFRelease(reply);
    }
    CFRelease(server);
    if (OSAtomicDecrement32Barrier(&shared->running) == 0) CFRunLoopStop(shared->loop);
    return NULL;
}

void sample_message_ports(void)
{
    Shared shared = {NULL, CFRunLoopGetCurrent(), CLIENTS, 0};
    pthread_t threads[CLIENTS];
    shared.name = CFStringCreateWithFormat(kCFAllocatorDefault, NULL,
                                           CFSTR("com.example.squares.%d"), (int)getpid());
    CFMessagePortRef port =
        CFMessagePortCreateLocal(kCFAllocatorDefault, shared.name, Square, NULL, NULL);
    CFRunLoopSourceRef source = CFMessagePortCreateRunLoopSource(kCFAllocatorDefault, port, 0);
    CFRunLoopAddSource(shared.loop, source, kCFRunLoopDefaultMode);

    for (int i = 0; i < CLIENTS; i++) pthread_create(&threads[i], NULL, Ask, &shared);
    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], NULL);

    printf("%s\n", result == kCFRunLoopRunStopped ? "both clients have ended" : "timed out");
    printf("the sum of all squares is %d\n", (int)shared.sum);
    CFMessagePortInvalidate(port);
    CFRelease(source);
    CFRelease(port);
    CFRelease(shared.name);
}
