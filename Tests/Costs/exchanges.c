/*
 * Echoes of 100 connections that ask at once, and messages from another process.
 */

#include "costs.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY = 100, BYTES = 64 };

/* --- Echoes ----------------------------------------------------------------------------------- */

struct connection {
    /* The asking end blocks, the other one does not. */
    int asking_fd, fd;
    RLWriteStreamRef output;
};

static struct connection connections[READY];
static int unanswered_count;

static void count_answer(void)
{
    if (--unanswered_count == 0) RLRunLoopStop(RLRunLoopGetCurrent());
}

static void echo(int fd)
{
    char bytes[BYTES];
    CHECK(read(fd, bytes, BYTES) == BYTES);
    CHECK(write(fd, bytes, BYTES) == BYTES);
    count_answer();
}

static void read_socket(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                        const void *data, void *info)
{
    echo(RLSocketGetNative(socket));
}

static void serve_by_socket(struct connection *connection)
{
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, connection->fd, kRLSocketReadCallBack, read_socket, NULL);
    give_source(RLSocketCreateRunLoopSource(NULL, socket, 0));
    RLRelease(socket);
}

static int get_descriptor(void *info)
{
    const struct connection *connection = info;
    return connection->fd;
}

static void read_descriptor(void *info, RLRunLoopDescriptorEvents ready)
{
    echo(get_descriptor(info));
}

static void serve_by_source(struct connection *connection)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = connection,
                                       .getDescriptor = get_descriptor,
                                       .perform = read_descriptor};
    give_source(RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context));
}

static void read_stream(RLReadStreamRef stream, RLStreamEventType type, void *info)
{
    const struct connection *connection = info;
    UInt8 bytes[BYTES];
    CHECK(RLReadStreamRead(stream, bytes, BYTES) == BYTES);
    CHECK(RLWriteStreamWrite(connection->output, bytes, BYTES) == BYTES);
    count_answer();
}

static void serve_by_streams(struct connection *connection)
{
    RLReadStreamRef input;
    RLStreamCreatePairWithSocket(NULL, connection->fd, &input, &connection->output);
    RLStreamClientContext context = {.info = connection};
    CHECK(RLReadStreamSetClient(input, kRLStreamEventHasBytesAvailable, read_stream, &context));
    RLReadStreamScheduleWithRunLoop(input, RLRunLoopGetCurrent(), MODE);
    CHECK(RLReadStreamOpen(input) && RLWriteStreamOpen(connection->output));
}

static void find_room(RLWriteStreamRef stream, RLStreamEventType type, void *info)
{
}

/* The client of the stream that writes is notified of room, as delegates of RunLoopKit are. */
static void serve_by_clients(struct connection *connection)
{
    serve_by_streams(connection);
    RLStreamClientContext context = {.info = connection};
    CHECK(RLWriteStreamSetClient(connection->output, kRLStreamEventCanAcceptBytes, find_room,
                                 &context));
    RLWriteStreamScheduleWithRunLoop(connection->output, RLRunLoopGetCurrent(), MODE);
}

/* Rounds of a hundred echoes; the asking takes two system calls for each. */
static void echo_often(long count, void (*serve)(struct connection *))
{
    char bytes[BYTES] = {0};
    for (int i = 0; i < READY; i++) {
        int fds[2];
        CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
        CHECK(fcntl(fds[1], F_SETFL, O_NONBLOCK) == 0);
        connections[i] = (struct connection){.asking_fd = fds[0], .fd = fds[1]};
        serve(&connections[i]);
    }
    for (; count > 0; count -= READY) {
        unanswered_count = READY;
        for (int i = 0; i < READY; i++) {
            CHECK(write(connections[i].asking_fd, bytes, BYTES) == BYTES);
        }
        while (unanswered_count > 0) RLRunLoopRunInMode(MODE, 1.0e10, false);
        for (int i = 0; i < READY; i++) {
            CHECK(read(connections[i].asking_fd, bytes, BYTES) == BYTES);
        }
    }
}

DEFINE(echo_by_sockets, echo_often(number, serve_by_socket))
DEFINE(echo_by_sources, echo_often(number, serve_by_source))
DEFINE(echo_by_streams, echo_often(number, serve_by_streams))
DEFINE(echo_by_clients, echo_often(number, serve_by_clients))

/* --- Messages --------------------------------------------------------------------------------- */

static RLDataRef receive(RLMessagePortRef port, SInt32 number, RLDataRef data, void *info)
{
    count_answer();
    return RLRetain(data);
}

/* A little more than goes in one packet. */
enum { LARGE = 100000 };

static void send_requests(RLStringRef name, long count, RLStringRef reply_mode, long byte_count)
{
    static const UInt8 bytes[LARGE];
    RLMessagePortRef port = RLMessagePortCreateRemote(NULL, name);
    CHECK(port != NULL);
    RLDataRef data = RLDataCreate(NULL, bytes, byte_count);
    for (; count > 0; count--) {
        RLDataRef reply = NULL;
        CHECK(RLMessagePortSendRequest(port, 1, data, 100, 100, reply_mode,
                                       reply_mode ? &reply : NULL) == kRLMessagePortSuccess);
        if (reply) RLRelease(reply);
    }
}

/* The sender is a process of its own, which both sides' calls are counted of. */
static void send_messages(long count, RLStringRef reply_mode, long byte_count)
{
    char text[40];
    snprintf(text, sizeof text, "costs-%d", getpid());
    RLStringRef name = RLStringCreateWithCString(NULL, text, kRLStringEncodingUTF8);
    unanswered_count = (int)count;
    int ready[2];
    char byte = 0;
    CHECK(pipe(ready) == 0);
    pid_t sender = fork();
    CHECK(sender >= 0);
    if (sender == 0) {
        CHECK(read(ready[0], &byte, 1) == 1);
        send_requests(name, count, reply_mode, byte_count);
        _exit(0);
    }
    RLMessagePortRef port = RLMessagePortCreateLocal(NULL, name, receive, NULL, NULL);
    CHECK(port != NULL);
    give_source(RLMessagePortCreateRunLoopSource(NULL, port, 0));
    CHECK(write(ready[1], &byte, 1) == 1);
    RLRunLoopRunInMode(MODE, 1.0e10, false);
    int status;
    CHECK(waitpid(sender, &status, 0) == sender && status == 0);
}

DEFINE(send_one_way, send_messages(number, NULL, BYTES))
DEFINE(send_and_await, send_messages(number, MODE, BYTES))
DEFINE(send_large_and_await, send_messages(number, MODE, LARGE))
