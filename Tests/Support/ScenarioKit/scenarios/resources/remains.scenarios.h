/*
 * What is left when objects of every kind have come and gone: nothing. Ours only.
 */

#include "scenarios/messages/message_words.h"

#include <malloc.h>
#include <sys/syscall.h>

static void make_descriptor(void)
{
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, eventfd(1, EFD_CLOEXEC), true, many_called, NULL);
    source_ref source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    add_source(source, "DEF");
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(source);
    RLRelease(descriptor);
}

static void no_socket_call(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                           const void *data, void *info)
{
}

/* By no cancellation points of the C library: the scenarios of leaving make these things too. */
static void write_byte(int end)
{
    check(syscall(SYS_write, end, "x", 1ul) == 1);
}

static void close_end(int end)
{
    check(syscall(SYS_close, end) == 0);
}

static void make_socket(void)
{
    int ends[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketDataCallBack, no_socket_call, NULL);
    source_ref source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    add_source(source, "DEF");
    write_byte(ends[1]);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    RLSocketInvalidate(socket);
    RLRelease(source);
    RLRelease(socket);
    close_end(ends[1]);
}

static void stop_reading(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    if (event == kRLStreamEventHasBytesAvailable) RLReadStreamClose(stream);
}

static void make_streams(void)
{
    int ends[2];
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, &writer);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    RLReadStreamSetClient(reader, ALL_STREAM_EVENTS, stop_reading, NULL);
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    write_byte(ends[1]);
    while (RLReadStreamGetStatus(reader) != kRLStreamStatusClosed) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    }
    RLWriteStreamClose(writer);
    RLRelease(reader);
    RLRelease(writer);
    close_end(ends[1]);
}

/* A look-up, which fails at once as nothing listens, or the stream is closed before. */
static void make_host_stream(void)
{
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), 1, &reader, NULL);
    RLReadStreamOpen(reader);
    RLReadStreamClose(reader);
    RLRelease(reader);
}

static void make_memory_streams(void)
{
    RLReadStreamRef reader =
        RLReadStreamCreateWithBytesNoCopy(NULL, (const UInt8 *)"text", 4, kRLAllocatorNull);
    RLWriteStreamRef writer = RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL);
    UInt8 text[8];

    RLReadStreamOpen(reader);
    RLWriteStreamOpen(writer);
    check(RLReadStreamRead(reader, text, sizeof text) == 4);
    check(RLWriteStreamWrite(writer, text, 4) == 4);
    RLRelease(reader);
    RLRelease(writer);
}

static void no_signal_call(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
}

static void no_process_call(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
}

static void no_file_call(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
}

static void make_event_sources(void)
{
    static const SInt32 numbers[] = {SIGUSR2};
    source_ref sources[] = {
        RLSignalSourceCreate(NULL, 0, numbers, 1, no_signal_call, NULL),
        RLProcessSourceCreate(NULL, 0, getpid(), false, no_process_call, NULL),
        RLFileSourceCreate(NULL, 0, no_file_call, NULL),
    };

    check(RLFileSourceAddWatch(sources[2], "/tmp", kRLFileEventDelete) > 0);
    for (int index = 0; index < 3; index++) {
        add_source(sources[index], "DEF");
        RLRunLoopSourceInvalidate(sources[index]);
        RLRelease(sources[index]);
    }
}

static void make_ports(void)
{
    RLMessagePortRef local = RLMessagePortCreateLocal(NULL, RLSTR("remains"), no_reply, NULL, NULL);
    source_ref source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLSTR("remains"));

    add_source(source, "DEF");
    check(RLMessagePortSendRequest(remote, 1, NULL, 1, 10, kRLRunLoopDefaultMode, NULL) == 0);
    RLMessagePortInvalidate(local);
    RLRelease(remote);
    RLRelease(source);
    RLRelease(local);
}

static const struct {
    const char *name;
    void (*make)(void);
} kinds_of_remains[] = {
    {"descriptors", make_descriptor},
    {"sockets", make_socket},
    {"streams", make_streams},
    {"streams to hosts", make_host_stream},
    {"memory streams", make_memory_streams},
    {"event sources", make_event_sources},
    {"message ports", make_ports},
};

static void nothing_remains(void)
{
    enum { warm_up = 50, rounds = 200 };
    use_own_folder();
    keep_alive("DEF");
    add_timer(TIMER("never", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    for (size_t kind = 0; kind < sizeof kinds_of_remains / sizeof kinds_of_remains[0]; kind++) {
        int descriptors = 0;
        size_t memory = 0;
        for (int round = 0; round < rounds; round++) {
            /* What is kept for reuse is there by now. */
            if (round == warm_up) descriptors = count_descriptors();
            if (round == warm_up) memory = mallinfo2().uordblks;
            kinds_of_remains[kind].make();
        }
        long more = (long)mallinfo2().uordblks - (long)memory;
        int open_more = count_descriptors() - descriptors;
        /* Less than one small object in each second round would be more than this. */
        if (open_more != 0 || more > (rounds - warm_up) * 16) {
            note("%s leave %d descriptors, %ld bytes", kinds_of_remains[kind].name, open_more,
                 more);
        }
    }
}
SCENARIO(nothing_remains,
         .title = "Descriptors and memory are as before when objects of any kind have gone",
         .clauses = "extension",
         .own_process = true,
         .says = "?does not block signal")
