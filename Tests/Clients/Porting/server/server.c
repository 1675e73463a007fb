/*
 * A server of lines on CFSocket and CFStream, as a daemon has it: it answers every line in
 * capitals, counts, and ends on request. Its clients are threads with blocking sockets.
 */

#include <CoreFoundation/CoreFoundation.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum { kClientCount = 3, kLinesPerClient = 4 };

typedef struct {
    CFMutableSetRef connections;
    int accepted;
    int lines;
    int ended;
} Server;

typedef struct {
    Server *server;
    CFReadStreamRef reading;
    CFWriteStreamRef writing;
    CFMutableDataRef unsent;
} Connection;

/* --- Connections ---------------------------------------------------------------------------- */

static void ConnectionEnd(Connection *connection)
{
    Server *server = connection->server;
    CFSetRemoveValue(server->connections, connection);
    CFReadStreamSetClient(connection->reading, kCFStreamEventNone, NULL, NULL);
    CFWriteStreamSetClient(connection->writing, kCFStreamEventNone, NULL, NULL);
    CFReadStreamClose(connection->reading);
    CFWriteStreamClose(connection->writing);
    CFRelease(connection->reading);
    CFRelease(connection->writing);
    CFRelease(connection->unsent);
    free(connection);
    server->ended++;
    if (server->ended == kClientCount) CFRunLoopStop(CFRunLoopGetCurrent());
}

static void ConnectionSend(Connection *connection)
{
    while (CFDataGetLength(connection->unsent) > 0 &&
           CFWriteStreamCanAcceptBytes(connection->writing)) {
        CFIndex sent = CFWriteStreamWrite(connection->writing, CFDataGetBytePtr(connection->unsent),
                                          CFDataGetLength(connection->unsent));
        if (sent <= 0) return;
        CFDataDeleteBytes(connection->unsent, CFRangeMake(0, sent));
    }
}

static void ConnectionReceive(Connection *connection)
{
    UInt8 bytes[64];
    CFIndex count = CFReadStreamRead(connection->reading, bytes, sizeof bytes);
    for (CFIndex i = 0; i < count; i++) {
        if (bytes[i] == '\n') connection->server->lines++;
        bytes[i] = (UInt8)toupper(bytes[i]);
    }
    if (count > 0) CFDataAppendBytes(connection->unsent, bytes, count);
    ConnectionSend(connection);
}

static void ConnectionRead(CFReadStreamRef stream, CFStreamEventType event, void *info)
{
    (void)stream;
    switch (event) {
    case kCFStreamEventHasBytesAvailable: ConnectionReceive((Connection *)info); break;
    case kCFStreamEventErrorOccurred:
    case kCFStreamEventEndEncountered: ConnectionEnd((Connection *)info); break;
    default: break;
    }
}

static void ConnectionWrite(CFWriteStreamRef stream, CFStreamEventType event, void *info)
{
    (void)stream;
    if (event == kCFStreamEventCanAcceptBytes) ConnectionSend((Connection *)info);
}

static void ConnectionBegin(Server *server, CFSocketNativeHandle handle)
{
    Connection *connection = (Connection *)calloc(1, sizeof *connection);
    CFStreamClientContext context = {0, connection, NULL, NULL, NULL};
    connection->server = server;
    connection->unsent = CFDataCreateMutable(kCFAllocatorDefault, 0);
    CFStreamCreatePairWithSocket(kCFAllocatorDefault, handle, &connection->reading,
                                 &connection->writing);
    CFReadStreamSetProperty(connection->reading, kCFStreamPropertyShouldCloseNativeSocket,
                            kCFBooleanTrue);
    CFReadStreamSetClient(connection->reading,
                          kCFStreamEventHasBytesAvailable | kCFStreamEventErrorOccurred |
                              kCFStreamEventEndEncountered,
                          ConnectionRead, &context);
    CFWriteStreamSetClient(connection->writing, kCFStreamEventCanAcceptBytes, ConnectionWrite,
                           &context);
    CFReadStreamScheduleWithRunLoop(connection->reading, CFRunLoopGetCurrent(),
                                    kCFRunLoopCommonModes);
    CFWriteStreamScheduleWithRunLoop(connection->writing, CFRunLoopGetCurrent(),
                                     kCFRunLoopCommonModes);
    CFReadStreamOpen(connection->reading);
    CFWriteStreamOpen(connection->writing);
    CFSetAddValue(server->connections, connection);
}

/* --- The server ----------------------------------------------------------------------------- */

static void ServerAccept(CFSocketRef socket, CFSocketCallBackType type, CFDataRef address,
                         const void *data, void *info)
{
    Server *server = (Server *)info;
    (void)socket;
    if (type != kCFSocketAcceptCallBack || CFDataGetLength(address) < 2) abort();
    server->accepted++;
    ConnectionBegin(server, *(const CFSocketNativeHandle *)data);
}

static CFSocketRef ServerListen(Server *server, in_port_t *port)
{
    CFSocketContext context = {0, server, NULL, NULL, NULL};
    CFSocketRef listening = CFSocketCreate(kCFAllocatorDefault, PF_INET, SOCK_STREAM, IPPROTO_TCP,
                                           kCFSocketAcceptCallBack, ServerAccept, &context);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CFDataRef wanted = CFDataCreate(kCFAllocatorDefault, (const UInt8 *)&address, sizeof address);
    if (CFSocketSetAddress(listening, wanted) != kCFSocketSuccess) abort();
    CFRelease(wanted);

    CFDataRef given = CFSocketCopyAddress(listening);
    CFDataGetBytes(given, CFRangeMake(0, sizeof address), (UInt8 *)&address);
    CFRelease(given);
    *port = address.sin_port;

    CFRunLoopSourceRef source = CFSocketCreateRunLoopSource(kCFAllocatorDefault, listening, 0);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopCommonModes);
    CFRelease(source);
    return listening;
}

/* --- Clients -------------------------------------------------------------------------------- */

typedef struct {
    pthread_t thread;
    in_port_t port;
    int number;
    int answers;
} Client;

static void *ClientRun(void *argument)
{
    Client *client = (Client *)argument;
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = client->port;
    if (connect(handle, (const struct sockaddr *)&address, sizeof address) != 0) abort();

    for (int i = 0; i < kLinesPerClient; i++) {
        char line[32], expected[32], answer[32];
        size_t length =
            (size_t)snprintf(line, sizeof line, "client %d, line %d\n", client->number, i);
        snprintf(expected, sizeof expected, "CLIENT %d, LINE %d\n", client->number, i);
        if (send(handle, line, length, 0) != (ssize_t)length) abort();
        if (recv(handle, answer, length, MSG_WAITALL) != (ssize_t)length) abort();
        if (memcmp(answer, expected, length) == 0) client->answers++;
    }
    close(handle);
    return NULL;
}

int main(void)
{
    Server server = {CFSetCreateMutable(kCFAllocatorDefault, 0, NULL), 0, 0, 0};
    Client clients[kClientCount];
    in_port_t port = 0;
    CFSocketRef listening = ServerListen(&server, &port);

    for (int i = 0; i < kClientCount; i++) {
        clients[i].port = port;
        clients[i].number = i;
        clients[i].answers = 0;
        pthread_create(&clients[i].thread, NULL, ClientRun, &clients[i]);
    }
    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    puts(result == kCFRunLoopRunStopped ? "stopped" : "not stopped");
    for (int i = 0; i < kClientCount; i++) {
        pthread_join(clients[i].thread, NULL);
        printf("client %d: %d answers\n", i, clients[i].answers);
    }
    printf("%d accepted, %d lines, %d ended, %ld left\n", server.accepted, server.lines,
           server.ended, (long)CFSetGetCount(server.connections));

    CFSocketInvalidate(listening);
    CFRelease(listening);
    CFRelease(server.connections);
    return 0;
}
