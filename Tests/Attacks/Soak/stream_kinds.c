/*
 * Streams: over memory, files, FIFOs, bound pairs, sockets, hosts and TLS; and hosts.
 */

#define _GNU_SOURCE

#include "../../Scenarios/tls/tls_certificates.h"
#include "races.h"

#include <CRunLoop/RLHost.h>
#include <CRunLoop/RLStream.h>
#include <CRunLoop/RLStreamSecurity.h>
#include <CRunLoop/RLURL.h>

#include <arpa/inet.h>
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Calls on streams of both directions ------------------------------------------------------ */

/* Picks the function for the direction of the object. */
#define EACH(self, function, ...)                                                                  \
    (is_reader(self) ? RLReadStream##function((self)->object, ##__VA_ARGS__)                       \
                     : RLWriteStream##function((self)->object, ##__VA_ARGS__))

static bool is_reader(const struct racer *self)
{
    return RLGetTypeID(self->object) == RLReadStreamGetTypeID();
}

static void see_reader(RLReadStreamRef stream, RLStreamEventType type, void *info)
{
    be_called(info, stream);
}

static void see_writer(RLWriteStreamRef stream, RLStreamEventType type, void *info)
{
    be_called(info, stream);
}

static void open_stream(struct racer *self)
{
    EACH(self, Open);
}

static void close_stream(struct racer *self)
{
    EACH(self, Close);
}

/* The client goes too: its info is the race. */
static void end_stream(struct racer *self)
{
    EACH(self, Close);
    EACH(self, SetDispatchQueue, NULL);
    EACH(self, SetClient, 0, NULL, NULL);
}

static void set_client(struct racer *self)
{
    const RLOptionFlags all = 31;
    RLStreamClientContext context = {
        .info = self->race, .retain = retain_info, .release = release_info};
    atomic_store(&self->race->is_served, true);
    if (random_below(&self->random, 4) == 0) {
        EACH(self, SetClient, 0, NULL, NULL);
    } else if (is_reader(self)) {
        RLReadStreamSetClient(self->object, all, see_reader, &context);
    } else {
        RLWriteStreamSetClient(self->object, all, see_writer, &context);
    }
}

static void schedule(struct racer *self)
{
    atomic_store(&self->race->is_served, true);
    EACH(self, ScheduleWithRunLoop, some_loop(self), some_mode(self));
}

static void unschedule(struct racer *self)
{
    EACH(self, UnscheduleFromRunLoop, some_loop(self), some_mode(self));
}

static void set_queue(struct racer *self)
{
    atomic_store(&self->race->is_served, true);
    EACH(self, SetDispatchQueue,
         random_below(&self->random, 3) ? queues[random_below(&self->random, 2)] : NULL);
}

static void ask_stream(struct racer *self)
{
    EACH(self, GetStatus);
    EACH(self, GetError);
    RLErrorRef error = EACH(self, CopyError);
    if (error) RLRelease(error);
    dispatch_queue_t queue = EACH(self, CopyDispatchQueue);
    if (queue) dispatch_release(queue);
}

static void ask_property(struct racer *self)
{
    const RLStringRef names[] = {
        kRLStreamPropertyDataWritten,         kRLStreamPropertyFileCurrentOffset,
        kRLStreamPropertySocketNativeHandle,  kRLStreamPropertySocketRemoteHostName,
        kRLStreamPropertySSLPeerCertificates, kRLStreamPropertySocketRemotePortNumber,
        kRLStreamNetworkServiceType,
    };
    RLTypeRef value = EACH(self, CopyProperty, names[random_below(&self->random, 7)]);
    if (value) RLRelease(value);
}

static void set_property(struct racer *self)
{
    if (flip(self)) {
        EACH(self, SetProperty, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    } else if (flip(self)) {
        EACH(self, SetProperty, kRLStreamNetworkServiceType, kRLStreamNetworkServiceTypeVoice);
    } else {
        EACH(self, SetProperty, kRLStreamPropertyAppendToFile, kRLBooleanFalse);
    }
}

static void ask_ready(struct racer *self)
{
    if (is_reader(self)) {
        RLReadStreamHasBytesAvailable(self->object);
    } else {
        RLWriteStreamCanAcceptBytes(self->object);
    }
}

/* By one thread at a time. */
static void transfer(struct racer *self)
{
    UInt8 bytes[256] = {0};
    RLIndex length = 1 + (RLIndex)random_below(&self->random, sizeof bytes);
    if (!claim(self)) return;
    if (!is_reader(self)) {
        RLWriteStreamWrite(self->object, bytes, length);
    } else if (flip(self)) {
        RLReadStreamRead(self->object, bytes, length);
    } else {
        RLReadStreamGetBuffer(self->object, length, &length);
    }
    give_up(self);
}

/* Does not wait, so that callbacks may. */
static void transfer_what_is_ready(struct racer *self)
{
    UInt8 byte = 0;
    if (!claim(self)) return;
    if (is_reader(self)) {
        if (RLReadStreamHasBytesAvailable(self->object)) RLReadStreamRead(self->object, &byte, 1);
    } else if (RLWriteStreamCanAcceptBytes(self->object)) {
        RLWriteStreamWrite(self->object, &byte, 1);
    }
    give_up(self);
}

/* A stream that was never served waits for room, which the peer may not make. */
static void finish_writing(struct racer *self)
{
    bool is_open = !is_reader(self) && RLWriteStreamCanAcceptBytes(self->object);
    if (is_open && random_below(&self->random, 8) == 0) RLWriteStreamFinishWriting(self->object);
}

static void describe_stream(struct racer *self)
{
    RLRelease(RLCopyDescription(self->object));
}

static void run_briefly(struct racer *self)
{
    RLRunLoopRunInMode(flip(self) ? kRLRunLoopDefaultMode : second_mode, some_milliseconds(self),
                       flip(self));
}

static const struct call stream_calls[] = {
    {"Open", open_stream, true},
    {"Open", open_stream, true},
    {"Close", close_stream, false},
    {"SetClient", set_client, false},
    {"ScheduleWithRunLoop", schedule, false},
    {"UnscheduleFromRunLoop", unschedule, false},
    {"SetDispatchQueue", set_queue, false},
    {"GetStatus", ask_stream, false},
    {"CopyProperty", ask_property, false},
    {"SetProperty", set_property, false},
    {"HasBytesAvailable", ask_ready, false},
    {"Read", transfer, true},
    {"Read", transfer_what_is_ready, false},
    {"FinishWriting", finish_writing, true},
    {"RLCopyDescription", describe_stream, false},
    {"run", run_briefly, false},
    {NULL, NULL, false},
};

/* Half of the time the streams are open and served from the beginning. */
static void begin_streams(struct race *race)
{
    struct racer self = {.race = race, .random = {random_next(&race->random)}};
    if (flip(&self)) return;
    for (; self.index < MOST_OBJECTS && race->objects[self.index]; self.index++) {
        self.object = (void *)(uintptr_t)race->objects[self.index];
        set_client(&self);
        schedule(&self);
        EACH(&self, ScheduleWithRunLoop, loops[RACERS], kRLRunLoopDefaultMode);
        open_stream(&self);
    }
}

/* --- Memory and files ------------------------------------------------------------------------- */

static void make_memory_streams(struct race *race)
{
    static const UInt8 bytes[1000];
    static _Thread_local UInt8 buffer[1000];
    race->objects[0] =
        RLReadStreamCreateWithBytesNoCopy(NULL, bytes, sizeof bytes, kRLAllocatorNull);
    race->objects[1] = random_below(&race->random, 2)
                           ? RLWriteStreamCreateWithAllocatedBuffers(NULL, NULL)
                           : RLWriteStreamCreateWithBuffer(NULL, buffer, sizeof buffer);
}

static RLURLRef copy_url(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    RLStringRef text = RLStringCreateWithCString(NULL, path, kRLStringEncodingUTF8);
    RLURLRef url = RLURLCreateWithFileSystemPath(NULL, text, kRLURLPOSIXPathStyle, false);
    RLRelease(text);
    return url;
}

static void make_file_streams(struct race *race)
{
    RLURLRef url = copy_url("file");
    race->objects[0] = RLReadStreamCreateWithFile(NULL, url);
    race->objects[1] = RLWriteStreamCreateWithFile(NULL, url);
    RLRelease(url);
}

/* Opening one of them waits for the other. */
static void make_fifo_streams(struct race *race)
{
    char path[64];
    snprintf(path, sizeof path, "%s/fifo", folder);
    mkfifo(path, 0600);
    RLURLRef url = copy_url("fifo");
    race->objects[0] = RLReadStreamCreateWithFile(NULL, url);
    race->objects[1] = RLWriteStreamCreateWithFile(NULL, url);
    RLRelease(url);
}

/* A read or write of a file continues until it ends itself. */
static void end_fifo_stream(struct racer *self)
{
    char path[64];
    snprintf(path, sizeof path, "%s/fifo", folder);
    int both = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    char bytes[4096] = {0};
    while (read(both, bytes, sizeof bytes) > 0) {}
    if (write(both, bytes, 1) == 1) end_stream(self);
    close(both);
}

static void make_bound_pair(struct race *race)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    RLStreamCreateBoundPair(NULL, &reader, &writer, 1 + (RLIndex)random_below(&race->random, 300));
    race->objects[0] = reader;
    race->objects[1] = writer;
    begin_streams(race);
}

static const struct kind memory_streams = {.name = "memory stream",
                                           .make = make_memory_streams,
                                           .calls = stream_calls,
                                           .end = end_stream,
                                           .is_apart = true};
static const struct kind file_streams = {.name = "file stream",
                                         .make = make_file_streams,
                                         .calls = stream_calls,
                                         .end = end_stream,
                                         .is_apart = true};
static const struct kind fifo_streams = {.name = "FIFO stream",
                                         .make = make_fifo_streams,
                                         .calls = stream_calls,
                                         .end = end_fifo_stream,
                                         .is_apart = true};
static const struct kind bound_pairs = {.name = "bound pair",
                                        .make = make_bound_pair,
                                        .calls = stream_calls,
                                        .end = end_stream,
                                        .is_apart = true};

/* --- Sockets, hosts, TLS ---------------------------------------------------------------------- */

static void keep_pair(struct race *race, int at, RLReadStreamRef reader, RLWriteStreamRef writer)
{
    race->objects[at] = needed(reader);
    race->objects[at + 1] = needed(writer);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
}

/* Both ends. */
static void make_ends(struct race *race)
{
    int ends[2];
    needed_fd(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    for (int i = 0; i < 2; i++) {
        RLReadStreamRef reader;
        RLWriteStreamRef writer;
        RLStreamCreatePairWithSocket(NULL, ends[i], &reader, &writer);
        keep_pair(race, 2 * i, reader, writer);
    }
}

static void make_socket_streams(struct race *race)
{
    make_ends(race);
    begin_streams(race);
}

/* A server that accepts everybody, and leaves them when it is asked for the next time. */
static UInt32 listen_and_leave(void)
{
    static int listener = -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    if (listener < 0) {
        listener = needed_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        needed_fd(bind(listener, (struct sockaddr *)&address, length));
        needed_fd(listen(listener, 64));
    }
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) close(fd);
    needed_fd(getsockname(listener, (struct sockaddr *)&address, &length));
    return ntohs(address.sin_port);
}

static void make_host_streams(struct race *race)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    RLStringRef host = random_below(&race->random, 2) ? RLSTR("127.0.0.1") : RLSTR("localhost");
    RLStreamCreatePairWithSocketToHost(NULL, host, listen_and_leave(), &reader, &writer);
    race->objects[0] = needed(reader);
    race->objects[1] = needed(writer);
    begin_streams(race);
}

static RLTypeRef copy_pem(const char *text)
{
    RLTypeRef data = RLDataCreate(NULL, (const UInt8 *)text, (RLIndex)strlen(text));
    RLTypeRef array = RLArrayCreate(NULL, &data, 1, &kRLTypeArrayCallBacks);
    RLRelease(data);
    return array;
}

/* For the server's reader or for the client's. */
static RLDictionaryRef copy_settings(bool is_server)
{
    RLTypeRef pem = copy_pem(is_server ? pem_of_server : pem_of_authority);
    const void *keys[] = {is_server ? kRLStreamSSLCertificates : kRLStreamSSLAuthorities,
                          is_server ? kRLStreamSSLIsServer : kRLStreamSSLPeerName};
    const void *values[] = {pem, is_server ? (RLTypeRef)kRLBooleanTrue : RLSTR("localhost")};
    RLDictionaryRef settings = RLDictionaryCreate(
        NULL, keys, values, 2, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    RLRelease(pem);
    return settings;
}

static void make_tls_streams(struct race *race)
{
    make_ends(race);
    for (int i = 0; i < 2; i++) {
        RLDictionaryRef settings = copy_settings(i == 0);
        RLReadStreamSetProperty((void *)(uintptr_t)race->objects[2 * i],
                                kRLStreamPropertySSLSettings, settings);
        RLRelease(settings);
    }
    begin_streams(race);
}

static const struct kind socket_streams = {.name = "socket stream",
                                           .make = make_socket_streams,
                                           .calls = stream_calls,
                                           .end = end_stream,
                                           .is_apart = true};
static const struct kind host_streams = {.name = "host stream",
                                         .make = make_host_streams,
                                         .calls = stream_calls,
                                         .end = end_stream,
                                         .is_apart = true};
static const struct kind tls_streams = {.name = "TLS stream",
                                        .make = make_tls_streams,
                                        .calls = stream_calls,
                                        .end = end_stream,
                                        .is_apart = true};

/* --- Hosts ------------------------------------------------------------------------------------ */

static RLHostInfoType some_info(struct racer *self)
{
    return flip(self) ? kRLHostAddresses : kRLHostNames;
}

static void see_host(RLHostRef host, RLHostInfoType type, const RLStreamError *error, void *info)
{
    be_called(info, host);
}

static void set_host_client(struct racer *self)
{
    RLHostClientContext context = {
        .info = self->race, .retain = retain_race, .release = release_race};
    atomic_store(&self->race->is_served, true);
    RLHostSetClient(self->object, random_below(&self->random, 4) ? see_host : NULL, &context);
}

static void schedule_host(struct racer *self)
{
    atomic_store(&self->race->is_served, true);
    RLHostScheduleWithRunLoop(self->object, some_loop(self), some_mode(self));
}

static void unschedule_host(struct racer *self)
{
    RLHostUnscheduleFromRunLoop(self->object, some_loop(self), some_mode(self));
}

static void resolve(struct racer *self)
{
    RLStreamError error;
    RLHostStartInfoResolution(self->object, some_info(self), &error);
}

static void cancel_resolution(struct racer *self)
{
    RLHostCancelInfoResolution(self->object, some_info(self));
}

/* Known addresses are not read, as they may be replaced. */
static void ask_host(struct racer *self)
{
    Boolean is_known;
    RLHostGetAddressing(self->object, &is_known);
    RLHostGetNames(self->object, NULL);
    RLRelease(RLHostCreateCopy(NULL, self->object));
}

static const struct call host_calls[] = {
    {"StartInfoResolution", resolve, true},
    {"StartInfoResolution", resolve, true},
    {"CancelInfoResolution", cancel_resolution, false},
    {"SetClient", set_host_client, false},
    {"ScheduleWithRunLoop", schedule_host, false},
    {"UnscheduleFromRunLoop", unschedule_host, false},
    {"GetAddressing", ask_host, false},
    {"RLCopyDescription", describe_stream, false},
    {"run", run_briefly, false},
    {NULL, NULL, false},
};

static void make_hosts(struct race *race)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)&address, sizeof address);
    race->objects[0] = RLHostCreateWithName(NULL, RLSTR("localhost"));
    race->objects[1] = needed(RLHostCreateWithAddress(NULL, data));
    race->objects[2] = RLHostCreateWithName(NULL, RLSTR("127.0.0.1"));
    RLRelease(data);
}

static void end_host(struct racer *self)
{
    const RLRunLoopMode modes[] = {kRLRunLoopDefaultMode, second_mode, kRLRunLoopCommonModes};
    RLHostSetClient(self->object, NULL, NULL);
    RLHostCancelInfoResolution(self->object, kRLHostAddresses);
    RLHostCancelInfoResolution(self->object, kRLHostNames);
    for (unsigned i = 0; i < LOOPS * 3; i++) {
        RLHostUnscheduleFromRunLoop(self->object, loops[i / 3], modes[i % 3]);
    }
}

static const struct kind hosts = {
    .name = "host", .make = make_hosts, .calls = host_calls, .end = end_host, .is_apart = true};

const struct kind *const stream_kinds[] = {
    &memory_streams, &file_streams, &fifo_streams, &bound_pairs, &socket_streams,
    &host_streams,   &tls_streams,  &hosts,        NULL,
};
