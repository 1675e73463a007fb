/*
 * Sockets and streams.
 */

#define _GNU_SOURCE

#include "workload.h"

#include <arpa/inet.h>
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- Addresses -------------------------------------------------------------------------------- */

static RLDataRef local_address(in_port_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return RLDataCreate(NULL, (const UInt8 *)&address, sizeof address);
}

/* A listening socket of the client's. */
static int listen_somewhere(unsigned *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    __block int fd;
    fault_spare(^{ fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); });
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 8) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        _exit(2);
    }
    *ret_port = ntohs(address.sin_port);
    return fd;
}

/* --- Sockets ---------------------------------------------------------------------------------- */

struct called {
    atomic_int accepted, connected, received, writable, failures;
    RLSocketRef peer;
    /* The client is about to end its connection, and its peer will be notified. */
    bool is_ending;
};

static RLRunLoopSourceRef serve(RLSocketRef socket)
{
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    if (work_got(source, "RLSocketCreateRunLoopSource")) {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    }
    return source;
}

static void end_socket(RLSocketRef socket)
{
    if (!socket) return;
    RLSocketInvalidate(socket);
    RLRelease(socket);
}

static void call(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address, const void *data,
                 void *info)
{
    struct called *called = info;
    if (type == kRLSocketAcceptCallBack) {
        called->accepted++;
        RLSocketContext context = {.info = called};
        RLSocketRef peer = RLSocketCreateWithNative(NULL, *(const int *)data, kRLSocketDataCallBack,
                                                    call, &context);
        if (work_got(peer, "RLSocketCreateWithNative")) {
            RLRunLoopSourceRef source = serve(peer);
            if (source) RLRelease(source);
            end_socket(called->peer);
            called->peer = peer;
            called->is_ending = false;
        } else {
            close(*(const int *)data);
        }
    }
    if (type == kRLSocketConnectCallBack) {
        called->connected++;
        if (data) {
            called->failures++;
            work_failed("connecting");
        }
    }
    if (type == kRLSocketDataCallBack) {
        /* EOF, or an error, which the interface reports as EOF. */
        if (RLDataGetLength(data) == 0) {
            if (!called->is_ending) {
                called->failures++;
                work_failed("receiving");
            }
            RLSocketInvalidate(socket);
        }
        called->received += (int)RLDataGetLength(data);
    }
    if (type == kRLSocketWriteCallBack) called->writable++;
    work_stop(RLRunLoopGetCurrent());
}

static RLSocketRef make_listener(struct called *called)
{
    RLSocketContext context = {.info = called};
    RLSocketRef listener = RLSocketCreate(NULL, AF_INET, SOCK_STREAM, IPPROTO_TCP,
                                          kRLSocketAcceptCallBack, call, &context);
    if (!work_got(listener, "RLSocketCreate")) return NULL;
    RLDataRef address = local_address(0);
    bool is_bound = RLSocketSetAddress(listener, address) == kRLSocketSuccess;
    RLRelease(address);
    if (work_did(is_bound, "RLSocketSetAddress")) return listener;
    end_socket(listener);
    return NULL;
}

static void send_to_peer(RLSocketRef client, struct called *called)
{
    static const UInt8 bytes[100];
    RLDataRef data = RLDataCreate(NULL, bytes, sizeof bytes);
    int before = called->received;
    RLSocketError result = RLSocketSendData(client, NULL, data, work_patience(0.2));
    RLRelease(data);
    if (!work_did(result == kRLSocketSuccess, "RLSocketSendData")) return;
    work_wait_served(^bool { return called->received >= before + 100 || called->failures > 0; },
                     "data arrive");
}

static void connect_in_background(RLDataRef address, struct called *called)
{
    RLSocketContext context = {.info = called};
    RLSocketRef client =
        RLSocketCreate(NULL, AF_INET, SOCK_STREAM, IPPROTO_TCP,
                       kRLSocketConnectCallBack | kRLSocketWriteCallBack, call, &context);
    if (!work_got(client, "RLSocketCreate")) return;
    RLRunLoopSourceRef source = serve(client);
    int accepted = called->accepted;
    RLSocketError result = RLSocketConnectToAddress(client, address, -1);
    if (source && work_did(result == kRLSocketSuccess, "RLSocketConnectToAddress")) {
        work_wait_served(
            ^bool {
                return called->connected > 0 && (called->accepted > accepted || called->failures);
            },
            "a connection is made");
        if (!called->failures) {
            work_wait_served(^bool { return called->writable > 0; }, "a socket can be written to");
            send_to_peer(client, called);
        }
        RLDataRef own = RLSocketCopyAddress(client);
        if (work_got(own, "RLSocketCopyAddress")) RLRelease(own);
        RLDataRef peer = RLSocketCopyPeerAddress(client);
        if (work_got(peer, "RLSocketCopyPeerAddress")) RLRelease(peer);
    }
    work_rest();
    called->is_ending = true;
    if (source) RLRelease(source);
    end_socket(client);
}

static void connect_at_once(RLDataRef address, struct called *called)
{
    RLSocketSignature signature = {AF_INET, SOCK_STREAM, IPPROTO_TCP, address};
    RLSocketContext context = {.info = called};
    int accepted = called->accepted;
    called->failures = 0;
    RLSocketRef client = RLSocketCreateConnectedToSocketSignature(
        NULL, &signature, kRLSocketNoCallBack, call, &context, work_patience(0.3));
    if (!work_got(client, "RLSocketCreateConnectedToSocketSignature")) return;
    work_wait_served(^bool { return called->accepted > accepted || called->failures; },
                     "a connection is accepted");
    send_to_peer(client, called);
    called->is_ending = true;
    end_socket(client);
}

void part_sockets(void)
{
    static struct called called;
    memset(&called, 0, sizeof called);
    RLSocketRef listener = make_listener(&called);
    if (!listener) return;
    RLRunLoopSourceRef source = serve(listener);
    RLDataRef address = RLSocketCopyAddress(listener);
    if (source && work_got(address, "RLSocketCopyAddress")) {
        connect_in_background(address, &called);
        connect_at_once(address, &called);
    }
    work_rest();
    if (address) RLRelease(address);
    if (source) RLRelease(source);
    end_socket(listener);
    end_socket(called.peer);
}

/* Packets of a peer that then ends. */
static void receive_packets(struct called *called)
{
    static int ends[2];
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) _exit(2);
    });
    RLSocketContext context = {.info = called};
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketDataCallBack, call, &context);
    called->failures = 0;
    called->is_ending = true;
    if (work_got(socket, "RLSocketCreateWithNative")) {
        RLRunLoopSourceRef source = serve(socket);
        int before = called->received;
        ssize_t sent = send(ends[1], "0123456789", 10, MSG_NOSIGNAL);
        (void)sent;
        close(ends[1]);
        work_wait_served(^bool { return called->received > before; }, "a packet arrives");
        work_wait_served(^bool { return !RLSocketIsValid(socket); },
                         "the end of a sequenced socket is reported");
        if (source) RLRelease(source);
        end_socket(socket);
    } else {
        close(ends[0]);
        close(ends[1]);
    }
}

/*
 * Datagrams, a socket that waits for its peer to read, and one that the client reads from itself.
 */
void part_datagrams(void)
{
    static struct called called;
    memset(&called, 0, sizeof called);
    RLSocketContext context = {.info = &called};
    RLDataRef anywhere = local_address(0);
    RLSocketSignature signature = {AF_INET, SOCK_DGRAM, IPPROTO_UDP, anywhere};
    RLSocketRef socket =
        RLSocketCreateWithSocketSignature(NULL, &signature, kRLSocketDataCallBack, call, &context);
    RLRelease(anywhere);
    if (work_got(socket, "RLSocketCreateWithSocketSignature")) {
        /* The entries of its error queue stay there. */
        int stamps = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
        fault_spare(^{
            setsockopt(RLSocketGetNative(socket), SOL_SOCKET, SO_TIMESTAMPING, &stamps,
                       sizeof stamps);
        });
        RLRunLoopSourceRef source = serve(socket);
        RLDataRef address = RLSocketCopyAddress(socket);
        if (source && work_got(address, "RLSocketCopyAddress")) {
            RLDataRef data = RLDataCreate(NULL, (const UInt8 *)"0123456789", 10);
            for (int turn = 1; turn <= 2; turn++) {
                RLSocketError result = RLSocketSendData(socket, address, data, work_patience(0.2));
                if (!work_did(result == kRLSocketSuccess, "RLSocketSendData")) continue;
                int before = called.received;
                work_wait_served(^bool { return called.received > before || called.failures; },
                                 "a datagram arrives");
            }
            RLRelease(data);
            work_rest();
        }
        if (address) RLRelease(address);
        if (source) RLRelease(source);
        end_socket(socket);
    }

    receive_packets(&called);

    static int ends[2];
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) _exit(2);
    });
    int size = 4096;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    RLSocketRef sender = RLSocketCreateWithNative(NULL, ends[0], 0, call, &context);
    if (work_got(sender, "RLSocketCreateWithNative")) {
        UInt8 *bytes = calloc(1, 60000);
        RLDataRef data = RLDataCreate(NULL, bytes, 60000);
        pthread_t reader = begin_thread(^{
            size_t left = 60000;
            while (left > 0) {
                ssize_t length = read(ends[1], bytes, left);
                if (length <= 0) break;
                left -= (size_t)length;
            }
        });
        struct timeval limit = {.tv_sec = 20};
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        /* As long as the socket itself may wait. */
        RLSocketError result = RLSocketSendData(sender, NULL, data, 0);
        work_did(result == kRLSocketSuccess, "RLSocketSendData");
        end_socket(sender);
        pthread_join(reader, NULL);
        RLRelease(data);
        free(bytes);
    } else {
        close(ends[0]);
    }
    close(ends[1]);
}

/* --- Streams ---------------------------------------------------------------------------------- */

struct streamed {
    atomic_ulong read_events, write_events;
    atomic_long read, written;
    long wanted;
    /* Null for streams on a queue, whose threads need no loops. */
    RLRunLoopRef loop;
};

static void note_read(RLReadStreamRef stream, RLStreamEventType type, void *info)
{
    struct streamed *streamed = info;
    streamed->read_events |= type;
    UInt8 bytes[512];
    if (type == kRLStreamEventHasBytesAvailable) {
        RLIndex length = RLReadStreamRead(stream, bytes, sizeof bytes);
        if (length > 0) streamed->read += length;
    }
    if (type == kRLStreamEventErrorOccurred) work_failed("reading from a stream");
    if (streamed->loop) work_stop(streamed->loop);
}

static void note_written(RLWriteStreamRef stream, RLStreamEventType type, void *info)
{
    static const UInt8 bytes[100];
    struct streamed *streamed = info;
    streamed->write_events |= type;
    if (type == kRLStreamEventCanAcceptBytes && streamed->written < streamed->wanted) {
        RLIndex length = RLWriteStreamWrite(stream, bytes, sizeof bytes);
        if (length > 0) streamed->written += length;
    }
    if (type == kRLStreamEventErrorOccurred) work_failed("writing to a stream");
    if (streamed->loop) work_stop(streamed->loop);
}

enum { ALL_EVENTS = 31 };

static void end_reader(RLReadStreamRef stream)
{
    if (!stream) return;
    RLReadStreamClose(stream);
    RLReadStreamSetClient(stream, 0, NULL, NULL);
    RLRelease(stream);
}

static void end_writer(RLWriteStreamRef stream)
{
    if (!stream) return;
    RLWriteStreamClose(stream);
    RLWriteStreamSetClient(stream, 0, NULL, NULL);
    RLRelease(stream);
}

static bool open_reader(RLReadStreamRef stream, struct streamed *streamed)
{
    streamed->loop = RLRunLoopGetCurrent();
    RLStreamClientContext context = {.info = streamed};
    RLReadStreamSetClient(stream, ALL_EVENTS, note_read, &context);
    RLReadStreamScheduleWithRunLoop(stream, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    return work_did(RLReadStreamOpen(stream), "RLReadStreamOpen");
}

static bool open_writer(RLWriteStreamRef stream, struct streamed *streamed)
{
    streamed->loop = RLRunLoopGetCurrent();
    RLStreamClientContext context = {.info = streamed};
    RLWriteStreamSetClient(stream, ALL_EVENTS, note_written, &context);
    RLWriteStreamScheduleWithRunLoop(stream, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    return work_did(RLWriteStreamOpen(stream), "RLWriteStreamOpen");
}

static void stream_memory(void)
{
    static struct streamed streamed;
    static const UInt8 bytes[1000];
    memset(&streamed, 0, sizeof streamed);
    streamed.wanted = 300;
    RLReadStreamRef reader =
        RLReadStreamCreateWithBytesNoCopy(NULL, bytes, sizeof bytes, kRLAllocatorNull);
    RLWriteStreamRef writer = RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL);
    if (open_reader(reader, &streamed) && open_writer(writer, &streamed)) {
        work_wait(^bool { return streamed.read == sizeof bytes && streamed.written == 300; },
                  "streams of memory are served");
        RLTypeRef data = RLWriteStreamCopyProperty(writer, kRLStreamPropertyDataWritten);
        work_must(data && RLDataGetLength(data) == 300, "what was written is there");
        if (data) RLRelease(data);
    }
    end_reader(reader);
    end_writer(writer);
}

static void write_file(RLStringRef path, bool appends, struct streamed *streamed)
{
    RLWriteStreamRef writer = RLWriteStreamCreateWithPath(NULL, path);
    if (!work_got(writer, "RLWriteStreamCreateWithPath")) return;
    if (appends) {
        RLWriteStreamSetProperty(writer, kRLStreamPropertyAppendToFile, kRLBooleanTrue);
    }
    streamed->written = 0;
    if (open_writer(writer, streamed)) {
        work_wait_served(
            ^bool {
                return streamed->written == streamed->wanted ||
                       streamed->write_events & kRLStreamEventErrorOccurred;
            },
            "a file is written");
    }
    end_writer(writer);
}

static void read_file(RLStringRef path, struct streamed *streamed)
{
    RLReadStreamRef reader = RLReadStreamCreateWithPath(NULL, path);
    if (!work_got(reader, "RLReadStreamCreateWithPath")) return;
    SInt32 offset = 50;
    RLNumberRef number = RLNumberCreate(NULL, kRLNumberSInt32Type, &offset);
    RLReadStreamSetProperty(reader, kRLStreamPropertyFileCurrentOffset, number);
    RLRelease(number);
    if (open_reader(reader, streamed)) {
        work_wait_served(
            ^bool {
                return streamed->read_events &
                       (kRLStreamEventEndEncountered | kRLStreamEventErrorOccurred);
            },
            "a file is read");
        work_should(streamed->read == 550, "all of a file is read");
        RLTypeRef where = RLReadStreamCopyProperty(reader, kRLStreamPropertyFileCurrentOffset);
        if (work_got(where, "RLReadStreamCopyProperty")) RLRelease(where);
    }
    end_reader(reader);
}

void part_streams(void)
{
    static struct streamed streamed;
    memset(&streamed, 0, sizeof streamed);
    streamed.wanted = 300;
    char text[128];
    snprintf(text, sizeof text, "%s/stream", work_folder());
    RLStringRef path = RLStringCreateWithCString(NULL, text, kRLStringEncodingUTF8);
    stream_memory();
    write_file(path, false, &streamed);
    write_file(path, true, &streamed);
    read_file(path, &streamed);
    unlink(text);
    RLRelease(path);
}

/* The peer of a connection that the client accepts itself: writes, and reads. */
static void be_peer(int fd)
{
    char bytes[256] = {0};
    if (fd < 0) return;
    struct timeval patience = {.tv_sec = (time_t)work_patience(1)};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ssize_t length = send(fd, bytes, sizeof bytes, MSG_NOSIGNAL);
    while (length > 0) length = recv(fd, bytes, sizeof bytes, 0);
    close(fd);
}

static void converse(RLReadStreamRef reader, RLWriteStreamRef writer)
{
    static struct streamed streamed;
    memset(&streamed, 0, sizeof streamed);
    streamed.wanted = 200;
    bool is_open = open_reader(reader, &streamed);
    if (open_writer(writer, &streamed) && is_open) {
        work_wait_served(
            ^bool {
                return (streamed.read == 256 && streamed.written == 200) ||
                       (streamed.read_events | streamed.write_events) & kRLStreamEventErrorOccurred;
            },
            "a connection's streams are served");
        if (streamed.written == 200) {
            work_did(RLWriteStreamFinishWriting(writer), "RLWriteStreamFinishWriting");
        }
        RLTypeRef handle = RLReadStreamCopyProperty(reader, kRLStreamPropertySocketNativeHandle);
        if (handle) RLRelease(handle);
    }
    work_rest();
}

/* Connects to the part's listener; a thread serves each connection. */
static void use_pair(void (^make)(unsigned port, RLReadStreamRef *reader, RLWriteStreamRef *writer),
                     const char *what)
{
    unsigned port;
    int listener = listen_somewhere(&port);
    fcntl(listener, F_SETFL, O_NONBLOCK);
    __block atomic_bool is_over = false;
    pthread_t helper = begin_thread(^{
        __block int fd = -1;
        while (!is_over && fd < 0) {
            fault_spare(^{ fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC); });
            if (fd < 0) poll(NULL, 0, 1);
        }
        be_peer(fd);
    });
    RLReadStreamRef reader = NULL;
    RLWriteStreamRef writer = NULL;
    make(port, &reader, &writer);
    bool has_reader = work_got(reader, what), has_writer = work_got(writer, what);
    if (has_reader) {
        work_must(RLReadStreamSetProperty(reader, kRLStreamNetworkServiceType,
                                          kRLStreamNetworkServiceTypeVideo),
                  "a type of service is accepted, whatever the system returns");
    }
    if (has_reader && has_writer) converse(reader, writer);
    end_reader(reader);
    end_writer(writer);
    is_over = true;
    pthread_join(helper, NULL);
    close(listener);
}

static void resolve(RLHostRef host, RLHostInfoType type)
{
    RLStreamError error;
    bool is_resolved = RLHostStartInfoResolution(host, type, &error);
    work_must(is_resolved == (error.domain == 0), "a failed resolution has an error");
    (void)work_got(is_resolved ? host : NULL, "RLHostStartInfoResolution");
    RLRelease(host);
}

static void resolve_hosts(void)
{
    RLDataRef address = local_address(0);
    resolve(RLHostCreateWithName(NULL, RLSTR("localhost")), kRLHostAddresses);
    resolve(RLHostCreateWithAddress(NULL, address), kRLHostNames);
    RLRelease(address);
}

void part_connections(void)
{
    resolve_hosts();
    use_pair(
        ^(unsigned port, RLReadStreamRef *reader, RLWriteStreamRef *writer) {
            RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), port, reader, writer);
        },
        "RLStreamCreatePairWithSocketToHost");
    use_pair(
        ^(unsigned port, RLReadStreamRef *reader, RLWriteStreamRef *writer) {
            RLDataRef address = local_address(htons((in_port_t)port));
            RLSocketSignature signature = {AF_INET, SOCK_STREAM, IPPROTO_TCP, address};
            RLStreamCreatePairWithPeerSocketSignature(NULL, &signature, reader, writer);
            RLRelease(address);
        },
        "RLStreamCreatePairWithPeerSocketSignature");
}

/* Streams on a dispatch queue: of a socket pair, and of a file. */
void part_queues(void)
{
    static struct streamed streamed;
    memset(&streamed, 0, sizeof streamed);
    streamed.wanted = 200;
    static int ends[2];
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) _exit(2);
    });
    RLReadStreamRef reader = NULL;
    RLWriteStreamRef writer = NULL;
    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    dispatch_queue_t queue = dispatch_queue_create("faults", NULL);
    bool has_reader = work_got(reader, "a reader"), has_writer = work_got(writer, "a writer");
    if (has_reader) {
        RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    }
    if (has_reader && has_writer) {
        RLStreamClientContext context = {.info = &streamed};
        RLReadStreamSetClient(reader, ALL_EVENTS, note_read, &context);
        RLWriteStreamSetClient(writer, ALL_EVENTS, note_written, &context);
        RLReadStreamSetDispatchQueue(reader, (struct dispatch_queue_s *)queue);
        RLWriteStreamSetDispatchQueue(writer, (struct dispatch_queue_s *)queue);
        bool is_open = work_did(RLReadStreamOpen(reader), "RLReadStreamOpen");
        if (work_did(RLWriteStreamOpen(writer), "RLWriteStreamOpen") && is_open) {
            char bytes[256] = {0};
            ssize_t sent = send(ends[1], bytes, sizeof bytes, MSG_NOSIGNAL);
            (void)sent;
            work_wait_outside(
                ^bool {
                    return (streamed.read == 256 && streamed.written == 200) ||
                           (streamed.read_events | streamed.write_events) &
                               kRLStreamEventErrorOccurred;
                },
                "streams on a queue are served");
        }
        RLReadStreamSetDispatchQueue(reader, NULL);
        RLWriteStreamSetDispatchQueue(writer, NULL);
    }
    end_reader(reader);
    end_writer(writer);
    dispatch_sync_f(queue, NULL, free);
    dispatch_release(queue);
    close(ends[1]);
}
