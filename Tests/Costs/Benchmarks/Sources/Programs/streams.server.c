/*
 * Pairs of streams: the one that reads has a client in the loop, the other one is written when
 * there is something to answer. Connections are accepted by a socket.
 */

#include "peer.h"

#include "../../../../Scenarios/tls/tls_certificates.h"

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
    (void)socket;
    (void)type;
    (void)address;
    struct connection *connection = allocate(sizeof *connection);
    connection->service = info;
    connection->service->connection_count++;
    RLStreamCreatePairWithSocket(NULL, *(const RLSocketNativeHandle *)data, &connection->input,
                                 &connection->output);
    RLReadStreamSetProperty(connection->input, kRLStreamPropertyShouldCloseNativeSocket,
                            kRLBooleanTrue);
    if (connection->service->security) {
        EXPECT(RLReadStreamSetProperty(connection->input, kRLStreamPropertySSLSettings,
                                       connection->service->security));
    }
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

/* --- Secured ---------------------------------------------------------------------------------- */

#if __has_include(<openssl/ssl.h>)

static void serve_secured(struct service *service)
{
    RLDataRef pem =
        RLDataCreate(NULL, (const UInt8 *)pem_of_server, (RLIndex)sizeof pem_of_server - 1);
    const void *data[] = {pem};
    RLArrayRef certificates = RLArrayCreate(NULL, data, 1, &kRLTypeArrayCallBacks);
    const void *keys[] = {kRLStreamSSLIsServer, kRLStreamSSLCertificates};
    const void *values[] = {kRLBooleanTrue, certificates};
    service->security = RLDictionaryCreate(NULL, keys, values, 2, &kRLTypeDictionaryKeyCallBacks,
                                           &kRLTypeDictionaryValueCallBacks);
    serve(service);
    RLRelease(service->security);
    RLRelease(certificates);
    RLRelease(pem);
}

const server stream_tls_server = serve_secured;

#else

const server stream_tls_server = NULL;

#endif
