/*
 * The server of the two implementations of CFSocket, with read callbacks. Included by one file for
 * each, which has defined NAME(SocketCreate) and CONSTANT(SocketReadCallBack) and included the
 * declarations.
 */

#include "peer.h"

static void add_socket(struct service *service, int fd, unsigned long types,
                       NAME(SocketCallBack) callback)
{
    NAME(SocketContext) context = {.info = service};
    NAME(SocketRef) socket = NAME(SocketCreateWithNative)(NULL, fd, types, callback, &context);
    EXPECT(socket != NULL);
    NAME(RunLoopSourceRef) source = NAME(SocketCreateRunLoopSource)(NULL, socket, 0);
    NAME(RunLoopAddSource)(NAME(RunLoopGetCurrent)(), source, CONSTANT(RunLoopDefaultMode));
    NAME(Release)(source);
    /* The source holds the socket. */
    NAME(Release)(socket);
}

static void read_and_answer(NAME(SocketRef) socket, NAME(SocketCallBackType) type,
                            NAME(DataRef) address, const void *data, void *info)
{
    (void)type;
    (void)address;
    (void)data;
    struct service *service = info;
    if (service_serve(service, NAME(SocketGetNative)(socket))) return;
    NAME(SocketInvalidate)(socket);
    if (service_remove(service)) NAME(RunLoopStop)(NAME(RunLoopGetCurrent)());
}

static void accept_connection(NAME(SocketRef) socket, NAME(SocketCallBackType) type,
                              NAME(DataRef) address, const void *data, void *info)
{
    (void)socket;
    (void)type;
    (void)address;
    int fd = *(const int *)data;
    service_add(info, fd);
    add_socket(info, fd, CONSTANT(SocketReadCallBack), read_and_answer);
}

static void serve(struct service *service)
{
    add_socket(service, service->listening_fd, CONSTANT(SocketAcceptCallBack), accept_connection);
    NAME(RunLoopRun)();
}

const server SERVER = serve;
