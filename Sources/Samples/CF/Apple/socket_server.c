/*
 * An echo server: one socket accepts connections, and one socket per client sends each line back.
 * The client is another socket on the same loop.
 */

#include "samples.h"
#include <AssertMacros.h>
#include <CoreFoundation/CoreFoundation.h>
#include <TargetConditionals.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void Schedule(CFSocketRef socket)
{
    CFRunLoopSourceRef source = CFSocketCreateRunLoopSource(kCFAllocatorDefault, socket, 0);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    CFRelease(source);
}

static void SendBack(CFSocketRef socket, CFSocketCallBackType type, CFDataRef address,
                     const void *data, void *info)
{
    (void)type, (void)address, (void)info;
    if (CFDataGetLength((CFDataRef)data) == 0) {
        puts("server: the client has gone");
        CFSocketInvalidate(socket);
        CFRunLoopStop(CFRunLoopGetCurrent());
        return;
    }
    printf("server: got %ld bytes\n", (long)CFDataGetLength((CFDataRef)data));
    verify_noerr(CFSocketSendData(socket, NULL, (CFDataRef)data, 1));
}

static void Accept(CFSocketRef socket, CFSocketCallBackType type, CFDataRef address,
                   const void *data, void *info)
{
    (void)socket, (void)address, (void)info;
    verify(type == kCFSocketAcceptCallBack);
    puts("server: a client");
    CFSocketRef client =
        CFSocketCreateWithNative(kCFAllocatorDefault, *(const CFSocketNativeHandle *)data,
                                 kCFSocketDataCallBack, SendBack, NULL);
    Schedule(client);
    CFRelease(client);
}

static void Answered(CFSocketRef socket, CFSocketCallBackType type, CFDataRef address,
                     const void *data, void *info)
{
    (void)type, (void)address, (void)info;
    printf("client: %.*s\n", (int)CFDataGetLength((CFDataRef)data),
           (const char *)CFDataGetBytePtr((CFDataRef)data));
    CFSocketInvalidate(socket);
}

static CFDataRef CopyLoopbackAddress(void)
{
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
#if TARGET_OS_MAC
    address.sin_len = sizeof address;
#endif
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return CFDataCreate(kCFAllocatorDefault, (const UInt8 *)&address, sizeof address);
}

void sample_socket_server(void)
{
    CFDataRef any = CopyLoopbackAddress(), bound = NULL, greeting = NULL;
    CFSocketRef client = NULL;
    CFSocketRef server = CFSocketCreate(kCFAllocatorDefault, PF_INET, SOCK_STREAM, IPPROTO_TCP,
                                        kCFSocketAcceptCallBack, Accept, NULL);
    require(server != NULL, bail);
    require_noerr(CFSocketSetAddress(server, any), bail);
    Schedule(server);
    bound = CFSocketCopyAddress(server);

    client = CFSocketCreate(kCFAllocatorDefault, PF_INET, SOCK_STREAM, IPPROTO_TCP,
                            kCFSocketDataCallBack, Answered, NULL);
    require(client != NULL, bail);
    require_noerr(CFSocketConnectToAddress(client, bound, 10), bail);
    Schedule(client);
    greeting = CFDataCreate(kCFAllocatorDefault, (const UInt8 *)"hello", 5);
    require_noerr(CFSocketSendData(client, NULL, greeting, 10), bail);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);

bail:
    if (server != NULL) {
        CFSocketInvalidate(server);
        CFRelease(server);
    }
    if (client != NULL) CFRelease(client);
    if (greeting != NULL) CFRelease(greeting);
    if (bound != NULL) CFRelease(bound);
    CFRelease(any);
}
