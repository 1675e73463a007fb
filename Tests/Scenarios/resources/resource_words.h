/*
 * Words for scenarios about shortages, and objects of every kind that come and go.
 */

#ifndef SCENARIOS_RESOURCE_WORDS_H
#define SCENARIOS_RESOURCE_WORDS_H

#include "../descriptors/descriptor_words.h"
#include "../messages/message_words.h"
#include "../streams/stream_words.h"
#include "words.h"

#include <sys/syscall.h>

/* --- Registrations of closed descriptors ------------------------------------------------------ */

/** Runs the default mode for a while without work, and checks that the loop sleeps. */
static inline void rest_for(double seconds)
{
    double before = processor_time();

    run("DEF", seconds, false);
    /* One that spins has the processor for a good part of the time, beside others too. */
    note_answer("asleep", processor_time() - before < seconds / 10);
}

static inline void make_descriptor(void)
{
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, eventfd(1, EFD_CLOEXEC), true, many_called, NULL);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    add_source(source, "DEF");
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(source);
    RLRelease(descriptor);
}

static inline void no_socket_call(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                                  const void *data, void *info)
{
}

/** By no cancellation points of the C library: the scenarios of leaving make these things too. */
static inline void write_byte(int end)
{
    check(syscall(SYS_write, end, "x", 1ul) == 1);
}

static inline void close_end(int end)
{
    check(syscall(SYS_close, end) == 0);
}

static inline void make_socket(void)
{
    int ends[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketDataCallBack, no_socket_call, NULL);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    add_source(source, "DEF");
    write_byte(ends[1]);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    RLSocketInvalidate(socket);
    RLRelease(source);
    RLRelease(socket);
    close_end(ends[1]);
}

static inline void stop_reading(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    if (event == kRLStreamEventHasBytesAvailable) RLReadStreamClose(stream);
}

static inline void make_streams(void)
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

/** A look-up, which fails at once as nothing listens, or the stream is closed before. */
static inline void make_host_stream(void)
{
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), 1, &reader, NULL);
    RLReadStreamOpen(reader);
    RLReadStreamClose(reader);
    RLRelease(reader);
}

static inline void make_memory_streams(void)
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

static inline void no_signal_call(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
}

static inline void no_process_call(RLRunLoopSourceRef source, SInt32 process, SInt32 status,
                                   void *info)
{
}

static inline void no_file_call(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
}

static inline void make_event_sources(void)
{
    static const SInt32 numbers[] = {SIGUSR2};
    RLRunLoopSourceRef sources[] = {
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

static inline void make_ports(void)
{
    RLMessagePortRef local = RLMessagePortCreateLocal(NULL, RLSTR("remains"), no_reply, NULL, NULL);
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLSTR("remains"));

    add_source(source, "DEF");
    check(RLMessagePortSendRequest(remote, 1, NULL, 600, 600, kRLRunLoopDefaultMode, NULL) == 0);
    RLMessagePortInvalidate(local);
    RLRelease(remote);
    RLRelease(source);
    RLRelease(local);
}

#endif
