/*
 * A bound pair of streams. One callback writes a request and closes its stream; the other callback
 * reads to the end.
 */

#include "samples.h"
#include <AssertMacros.h>
#include <CFNetwork/CFNetwork.h>

typedef struct {
    CFReadStreamRef reading;
    CFWriteStreamRef writing;
    CFIndex sent, received;
} Client;

static const char request[] = "GET / HTTP/1.0\r\n\r\n";

static void CanWrite(CFWriteStreamRef stream, CFStreamEventType event, void *info)
{
    Client *client = (Client *)info;
    CFIndex left = (CFIndex)sizeof request - 1 - client->sent, count;
    if (event == kCFStreamEventOpenCompleted) {
        puts("open for writing");
        return;
    }
    require_quiet(event == kCFStreamEventCanAcceptBytes, bail);
    count = CFWriteStreamWrite(stream, (const UInt8 *)request + client->sent, left);
    require(count > 0, bail);
    client->sent += count;
    if (count < left) return;
    printf("sent %ld bytes\n", (long)client->sent);
bail:
    CFWriteStreamClose(stream);
}

static void CanRead(CFReadStreamRef stream, CFStreamEventType event, void *info)
{
    Client *client = (Client *)info;
    UInt8 bytes[8];
    switch (event) {
    case kCFStreamEventHasBytesAvailable:
        client->received += CFReadStreamRead(stream, bytes, sizeof bytes);
        break;
    case kCFStreamEventEndEncountered:
        printf("received %ld bytes\n", (long)client->received);
        CFReadStreamClose(stream);
        CFRunLoopStop(CFRunLoopGetCurrent());
        break;
    default: check(event == kCFStreamEventOpenCompleted);
    }
}

void sample_stream_client(void)
{
    Client client = {NULL, NULL, 0, 0};
    CFStreamClientContext context = {0, &client, NULL, NULL, NULL};
    CFStreamCreateBoundPair(kCFAllocatorDefault, &client.reading, &client.writing, 4);
    require(CFReadStreamSetClient(client.reading,
                                  kCFStreamEventHasBytesAvailable | kCFStreamEventEndEncountered,
                                  CanRead, &context),
            bail);
    require(CFWriteStreamSetClient(client.writing,
                                   kCFStreamEventOpenCompleted | kCFStreamEventCanAcceptBytes,
                                   CanWrite, &context),
            bail);
    CFReadStreamScheduleWithRunLoop(client.reading, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode);
    CFWriteStreamScheduleWithRunLoop(client.writing, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode);
    require(CFReadStreamOpen(client.reading) && CFWriteStreamOpen(client.writing), bail);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
bail:
    CFRelease(client.reading);
    CFRelease(client.writing);
}
