/*
 * Pairs of streams: the one that reads has a client in the loop, the other one is written when
 * there is something to answer. Connections are accepted by a socket.
 */

#include "../Engines/support.h"
#include "include/Programs.h"

#include <CRunLoop/CRunLoop.h>

struct connection {
    struct service *service;
    RLReadStreamRef input;
    RLWriteStreamRef output;
};

static void remove_connection(struct connection *connection)
{
    RLReadStreamClose(connection->input);
    RLWriteStreamClose(connection->output);
    RLRelease(connection->input);
    RLRelease(connection->output);
    if (service_remove(connection->service)) RLRunLoopStop(RLRunLoopGetCurrent());
    free(connection);
}

static void read_and_answer(RLReadStreamRef stream, RLStreamEventType type, void *info)
{
    struct connection *connection = info;
    struct service *service = connection->service;
    if (type != kRLStreamEventHasBytesAvailable) {
        remove_connection(connection);
        return;
    }
    UInt8 *bytes = (UInt8 *)service->buffer;
    RLIndex count = RLReadStreamRead(stream, bytes, (RLIndex)service->capacity);
    if (count <= 0 || !service->is_echo) return;
    EXPECT(RLWriteStreamWrite(connection->output, bytes, count) == count);
}

static void accept_connection(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                              const void *data, void *info)
{
    struct connection *connection = allocate(sizeof *connection);
    connection->service = info;
    connection->service->connection_count++;
    RLStreamCreatePairWithSocket(NULL, *(const RLSocketNativeHandle *)data, &connection->input,
                                 &connection->output);
    RLReadStreamSetProperty(connection->input, kRLStreamPropertyShouldCloseNativeSocket,
                            kRLBooleanTrue);
    RLStreamClientContext context = {.info = connection};
    RLReadStreamSetClient(connection->input,
                          kRLStreamEventHasBytesAvailable | kRLStreamEventEndEncountered |
                              kRLStreamEventErrorOccurred,
                          read_and_answer, &context);
    RLReadStreamScheduleWithRunLoop(connection->input, RLRunLoopGetCurrent(),
                                    kRLRunLoopDefaultMode);
    EXPECT(RLReadStreamOpen(connection->input) && RLWriteStreamOpen(connection->output));
}

static void serve(struct service *service)
{
    RLSocketContext context = {.info = service};
    RLSocketRef socket = RLSocketCreateWithNative(
        NULL, service->listening_fd, kRLSocketAcceptCallBack, accept_connection, &context);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRunLoopRun();
    RLRelease(source);
    RLRelease(socket);
}

const server stream_server = serve;
