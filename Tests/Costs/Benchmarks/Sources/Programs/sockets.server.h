/*
 * The server of the two implementations of CFSocket, with read callbacks. Included by one file for
 * each, which has included the declarations.
 */

#include "../Engines/support.h"
#include "include/Programs.h"

static void add_socket(struct service *service, int fd, unsigned long types,
                       RLSocketCallBack callback)
{
    RLSocketContext context = {.info = service};
    RLSocketRef socket = RLSocketCreateWithNative(NULL, fd, types, callback, &context);
    EXPECT(socket != NULL);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRelease(source);
    /* The source holds the socket. */
    RLRelease(socket);
}

static void read_and_answer(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                            const void *data, void *info)
{
    struct service *service = info;
    if (service_serve(service, RLSocketGetNative(socket))) return;
    RLSocketInvalidate(socket);
    if (service_remove(service)) RLRunLoopStop(RLRunLoopGetCurrent());
}

static void accept_connection(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                              const void *data, void *info)
{
    int fd = *(const int *)data;
    service_add(info, fd);
    add_socket(info, fd, kRLSocketReadCallBack, read_and_answer);
}

static void serve(struct service *service)
{
    add_socket(service, service->listening_fd, kRLSocketAcceptCallBack, accept_connection);
    RLRunLoopRun();
}

const server SERVER = serve;
