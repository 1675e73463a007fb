/*
 * Words for scenarios about streams.
 */

#ifndef SCENARIOS_STREAM_WORDS_H
#define SCENARIOS_STREAM_WORDS_H

#include "../sockets/socket_words.h"
#include "words.h"

#include <CRunLoop/RLTesting.h>

/** The info of a stream; one of the blocks is used. Without a name it logs nothing. */
struct stream_gadget {
    const char *name;
    struct lab *lab;
    void (^read)(RLReadStreamRef stream, unsigned long event);
    void (^write)(RLWriteStreamRef stream, unsigned long event);
};

static inline const char *name_of_stream_event(unsigned long event)
{
    switch (event) {
    case kRLStreamEventOpenCompleted: return "open";
    case kRLStreamEventHasBytesAvailable: return "bytes";
    case kRLStreamEventCanAcceptBytes: return "room";
    case kRLStreamEventErrorOccurred: return "error";
    case kRLStreamEventEndEncountered: return "end";
    default: return "unknown event";
    }
}

static inline void reader_called(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    struct stream_gadget *gadget = info;

    lab_join(gadget->lab);
    if (gadget->name) note("%s %s", gadget->name, name_of_stream_event(event));
    if (gadget->read) gadget->read(stream, event);
}

static inline void writer_called(RLWriteStreamRef stream, RLStreamEventType event, void *info)
{
    struct stream_gadget *gadget = info;

    lab_join(gadget->lab);
    if (gadget->name) note("%s %s", gadget->name, name_of_stream_event(event));
    if (gadget->write) gadget->write(stream, event);
}

static inline struct stream_gadget *stream_gadget(const char *name)
{
    struct stream_gadget *gadget = calloc(1, sizeof(*gadget));

    gadget->name = name;
    /* A client may be called on the thread of a queue. */
    gadget->lab = lab_here();
    at_end(^{
        release_block((const void *)gadget->read);
        release_block((const void *)gadget->write);
        free(gadget);
    });
    return gadget;
}

enum { ALL_STREAM_EVENTS = 31 };

/** Sets a client that logs, and then does something; adds the stream to the default mode. */
static inline void serve_reader(RLReadStreamRef stream, const char *name,
                                void (^called)(RLReadStreamRef, unsigned long))
{
    struct stream_gadget *gadget = stream_gadget(name);
    RLStreamClientContext context = {.info = gadget};

    gadget->read = copied((const void *)called);
    check(RLReadStreamSetClient(stream, ALL_STREAM_EVENTS, reader_called, &context));
    RLReadStreamScheduleWithRunLoop(stream, this_loop(), kRLRunLoopDefaultMode);
}

/** @see serve_reader */
static inline void serve_writer(RLWriteStreamRef stream, const char *name,
                                void (^called)(RLWriteStreamRef, unsigned long))
{
    struct stream_gadget *gadget = stream_gadget(name);
    RLStreamClientContext context = {.info = gadget};

    gadget->write = copied((const void *)called);
    check(RLWriteStreamSetClient(stream, ALL_STREAM_EVENTS, writer_called, &context));
    RLWriteStreamScheduleWithRunLoop(stream, this_loop(), kRLRunLoopDefaultMode);
}

/** A stream over a literal, closed when the scenario returns. */
static inline RLReadStreamRef text_stream(const char *text)
{
    RLReadStreamRef stream = RLReadStreamCreateWithBytesNoCopy(
        NULL, (const uint8_t *)text, (long)strlen(text), kRLAllocatorNull);

    at_return(^{
        RLReadStreamSetClient(stream, 0, NULL, NULL);
        RLReadStreamClose(stream);
        RLRelease(stream);
    });
    return stream;
}

/** Has a stream closed and released when the scenario returns. */
static inline RLWriteStreamRef kept_writer(RLWriteStreamRef stream)
{
    at_return(^{
        RLWriteStreamSetClient(stream, 0, NULL, NULL);
        RLWriteStreamClose(stream);
        RLRelease(stream);
    });
    return stream;
}

/** Reads up to `length` bytes and logs how many came. */
static inline long read_and_note(RLReadStreamRef stream, long length)
{
    uint8_t bytes[64];
    long count = (long)RLReadStreamRead(stream, bytes, length);

    note("%ld", count);
    return count;
}

/** Runs until there is nothing to do. */
static inline void run_quietly(void)
{
    while (RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true) == kRLRunLoopRunHandledSource) {}
}

/** Has the streams of a pair closed and released when the scenario returns. */
static inline void keep_pair(RLReadStreamRef reader, RLWriteStreamRef writer)
{
    at_return(^{
        if (reader) {
            RLReadStreamSetClient(reader, 0, NULL, NULL);
            RLReadStreamClose(reader);
            RLRelease(reader);
        }
        if (writer) {
            RLWriteStreamSetClient(writer, 0, NULL, NULL);
            RLWriteStreamClose(writer);
            RLRelease(writer);
        }
    });
}

/** An open reader over one end of a pair of sockets. */
static inline RLReadStreamRef open_reader(const char *name, const int *ends,
                                          void (^called)(RLReadStreamRef, unsigned long))
{
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, name, called);
    check(RLReadStreamOpen(reader));
    return reader;
}

/** A thread that blocks in reads; it notes the bytes. */
static inline struct helper_thread *sleeping_reader(RLReadStreamRef reader)
{
    struct gate *begins = make_gate();
    __block pid_t thread = 0;
    struct helper_thread *helper = start_thread(^{
        UInt8 bytes[16];
        thread = gettid();
        open_gate(begins);
        note("%ld", (long)RLReadStreamRead(reader, bytes, sizeof bytes));
    });

    pass_gate(begins);
    while (!is_asleep(thread)) sched_yield();
    return helper;
}

static struct gate *lookup_begun, *lookup_may_end;

static inline void hold_lookup(void)
{
    open_gate(lookup_begun);
    pass_gate(lookup_may_end);
}

/** Has look-ups wait until the second gate is opened. */
static inline void hold_lookups(void)
{
    lookup_begun = make_gate();
    lookup_may_end = make_gate();
    RLTestingSetBeforeLookup(hold_lookup);
    at_return(^{ RLTestingSetBeforeLookup(NULL); });
}

/** Streams to a local port that greets its client. */
static inline void welcomed_pair(const char *host, RLReadStreamRef *reader,
                                 RLWriteStreamRef *writer)
{
    RLDataRef address;

    listening_socket(NULL, ^(RLSocketRef called, unsigned long type, const void *data) {
        int handle = *(const int *)data;
        write_text(handle, "welcome");
        close(handle);
    }, &address);
    RLStringRef name = string_named(host);
    RLStreamCreatePairWithSocketToHost(NULL, name, (UInt32)port_of(address), reader, writer);
    keep_pair(*reader, writer ? *writer : NULL);
}

/** A program with pipes to its standard files. It is ended at the scenario's end. */
struct peer {
    pid_t process;
    int input, output, errors;
};

static inline void make_pipe(int *reading, int *writing)
{
    int ends[2];

    check(pipe2(ends, O_CLOEXEC) == 0);
    *reading = ends[0];
    *writing = ends[1];
}

static inline struct peer start_peer(const char *const *arguments)
{
    struct peer peer;
    int input, output, errors;

    make_pipe(&input, &peer.input);
    make_pipe(&peer.output, &output);
    make_pipe(&peer.errors, &errors);
    peer.process = fork();
    if (peer.process == 0) {
        dup2(input, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        dprintf(STDERR_FILENO, "%s is missing: CSupport/bootstrap.sh --tests\n", arguments[0]);
        _exit(127);
    }
    close(input);
    close(output);
    close(errors);
    at_end(^{
        kill(peer.process, SIGKILL);
        waitpid(peer.process, NULL, 0);
        close(peer.output);
        close(peer.errors);
    });
    return peer;
}

/** The text that follows `words` in a line of the peer's errors, up to the line's end. */
static inline void read_after(const struct peer *peer, const char *words, char *ret_text,
                              size_t size)
{
    char line[512];
    size_t length = 0;

    while (length < sizeof line - 1 && read(peer->errors, line + length, 1) == 1) {
        if (line[length++] != '\n') continue;
        line[length - 1] = '\0';
        const char *found = strstr(line, words);
        if (found) {
            snprintf(ret_text, size, "%s", found + strlen(words));
            return;
        }
        length = 0;
    }
    line[length] = '\0';
    note("a peer sends '%s' instead of '%s'", line, words);
    *ret_text = '\0';
}

static inline int port_in(const char *place)
{
    const char *colon = strrchr(place, ':');

    return colon ? atoi(colon + 1) : 0;
}

static inline UInt8 byte_at(long index)
{
    return (UInt8)(index * 31 + index / 1021);
}

/**
 * Writes and reads the same bytes through two streams in this thread's loop until all are back. No
 * more are on the way than a pipe takes: socat blocks when its pipe is full, and then does not
 * empty it either.
 */
static inline void pass_through(RLReadStreamRef reader, RLWriteStreamRef writer, long total)
{
    enum { MOST_ON_THE_WAY = 40000 };
    __block long written = 0, received = 0;
    __block bool has_room = false;
    action write_more = ^{
        UInt8 bytes[5000];
        long count = 0;
        if (!has_room || written == total || written - received > MOST_ON_THE_WAY) return;
        while (count < (long)sizeof bytes && written + count < total) {
            bytes[count] = byte_at(written + count);
            count++;
        }
        has_room = false;
        written += RLWriteStreamWrite(writer, bytes, count);
    };

    serve_writer(writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event == kRLStreamEventErrorOccurred) stop();
        if (event != kRLStreamEventCanAcceptBytes) return;
        has_room = true;
        write_more();
    });
    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[7000];
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
        if (event != kRLStreamEventHasBytesAvailable) return;
        long count = RLReadStreamRead(called, bytes, sizeof bytes);
        for (long index = 0; index < count; index++) {
            if (bytes[index] == byte_at(received + index)) continue;
            note("byte %ld is wrong", received + index);
            stop();
        }
        received += count;
        if (received >= total) stop();
        write_more();
    });
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 20, false);
    note("%ld of %ld", received, total);
}

#endif
