/*
 * File descriptors, sockets, Mach ports, message ports.
 */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLFileDescriptor.h>
#include <CRunLoop/RLMachPort.h>
#include <CRunLoop/RLMessagePort.h>
#include <CRunLoop/RLSocket.h>

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* --- File descriptors ------------------------------------------------------------------------- */

static void see_descriptor(RLFileDescriptorRef object, RLOptionFlags types, void *info)
{
    be_called(info, object);
}

static void make_descriptor(struct race *race)
{
    RLFileDescriptorContext context = {
        .info = race, .retain = retain_info, .release = release_info};
    needed_fd(pipe2(race->fds, O_CLOEXEC | O_NONBLOCK));
    bool closes = random_below(&race->random, 2);
    race->objects[0] = RLFileDescriptorCreate(NULL, race->fds[0], closes, see_descriptor, &context);
    if (closes) race->fds[0] = -1;
}

static void invalidate_descriptor(struct racer *self)
{
    RLFileDescriptorInvalidate(self->object);
}

static void enable_descriptor(struct racer *self)
{
    RLFileDescriptorEnableCallBacks(self->object, kRLFileDescriptorReadCallBack);
}

static void disable_descriptor(struct racer *self)
{
    RLFileDescriptorDisableCallBacks(self->object, kRLFileDescriptorReadCallBack);
}

static void ask_descriptor(struct racer *self)
{
    RLFileDescriptorContext context;
    RLFileDescriptorGetNativeDescriptor(self->object);
    RLFileDescriptorIsValid(self->object);
    RLFileDescriptorGetContext(self->object, &context);
}

static RLRunLoopSourceRef copy_descriptor_source(void *object)
{
    return RLFileDescriptorCreateRunLoopSource(NULL, object, 0);
}

/* A write that must not fail may be too much for a full pipe. */
static void write_byte(struct racer *self)
{
    if (write(self->race->fds[1], "", 1) != 1) sched_yield();
}

/* The object makes another source then. */
static void invalidate_its_source(struct racer *self)
{
    RLRunLoopSourceRef source = self->race->kind->copy_source(self->object);
    if (!source) return;
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static const struct call descriptor_calls[] = {
    {"RLFileDescriptorInvalidate", invalidate_descriptor, false},
    {"RLFileDescriptorEnableCallBacks", enable_descriptor, false},
    {"RLFileDescriptorDisableCallBacks", disable_descriptor, false},
    {"RLFileDescriptorGet…", ask_descriptor, false},
    {"RLRunLoopSourceInvalidate", invalidate_its_source, false},
    {"a write", write_byte, false},
    {NULL, NULL, false},
};

static const struct kind descriptors = {.name = "file descriptor",
                                        .make = make_descriptor,
                                        .calls = descriptor_calls,
                                        .end = invalidate_descriptor,
                                        .copy_source = copy_descriptor_source};

/* --- Sockets ---------------------------------------------------------------------------------- */

static void see_socket(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                       const void *data, void *info)
{
    if (type == kRLSocketAcceptCallBack) close(*(const int *)data);
    be_called(info, socket);
}

static RLSocketContext socket_context(struct race *race)
{
    return (RLSocketContext){.info = race, .retain = retain_race, .release = release_race};
}

/* One end of a pair; the other one is written to by its number. */
static void make_socket(struct race *race)
{
    RLSocketContext context = socket_context(race);
    const RLOptionFlags types[] = {kRLSocketReadCallBack, kRLSocketDataCallBack,
                                   kRLSocketDataCallBack | kRLSocketWriteCallBack};
    int kind = random_below(&race->random, 2) ? SOCK_STREAM : SOCK_DGRAM;
    int ends[2];
    needed_fd(socketpair(AF_UNIX, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends));
    race->fds[1] = ends[1];
    race->objects[0] = RLSocketCreateWithNative(
        NULL, ends[0], types[random_below(&race->random, 3)], see_socket, &context);
}

static void invalidate_socket(struct racer *self)
{
    RLSocketInvalidate(self->object);
}

static void enable_socket(struct racer *self)
{
    RLSocketEnableCallBacks(self->object,
                            flip(self) ? kRLSocketReadCallBack : kRLSocketWriteCallBack);
}

static void disable_socket(struct racer *self)
{
    RLSocketDisableCallBacks(self->object,
                             flip(self) ? kRLSocketReadCallBack : kRLSocketWriteCallBack);
}

static void set_socket_flags(struct racer *self)
{
    RLOptionFlags flags = RLSocketGetSocketFlags(self->object);
    RLSocketSetSocketFlags(self->object, flags ^ kRLSocketAutomaticallyReenableWriteCallBack);
}

static void ask_socket(struct racer *self)
{
    RLSocketContext context;
    RLDataRef address = RLSocketCopyAddress(self->object);
    RLDataRef peer = RLSocketCopyPeerAddress(self->object);
    if (address) RLRelease(address);
    if (peer) RLRelease(peer);
    RLSocketIsValid(self->object);
    RLSocketGetNative(self->object);
    RLSocketGetContext(self->object, &context);
}

static void send_data(struct racer *self)
{
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)"data", 4);
    RLSocketSendData(self->object, NULL, data, some_milliseconds(self));
    RLRelease(data);
}

/* Ends the peer's side now and then. */
static void read_bytes(struct racer *self)
{
    char bytes[64];
    if (recv(self->race->fds[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0) return;
    if (random_below(&self->random, 4) == 0) shutdown(self->race->fds[1], SHUT_RDWR);
}

/* The handle's socket, unless that is invalid. */
static void find_socket(struct racer *self)
{
    int handle = dup(self->race->fds[1]);
    RLSocketRef socket = RLSocketCreateWithNative(NULL, handle, kRLSocketReadCallBack, NULL, NULL);
    RLSocketRef same = RLSocketCreateWithNative(NULL, handle, 0, NULL, NULL);
    RLSocketInvalidate(same);
    RLRelease(same);
    RLRelease(socket);
}

static RLRunLoopSourceRef copy_socket_source(void *object)
{
    return RLSocketCreateRunLoopSource(NULL, object, 0);
}

static const struct call socket_calls[] = {
    {"RLSocketInvalidate", invalidate_socket, false},
    {"RLSocketEnableCallBacks", enable_socket, false},
    {"RLSocketDisableCallBacks", disable_socket, false},
    {"RLSocketSetSocketFlags", set_socket_flags, false},
    {"RLSocketGet…", ask_socket, false},
    {"RLSocketSendData", send_data, true},
    {"RLSocketCreateWithNative", find_socket, false},
    {"RLRunLoopSourceInvalidate", invalidate_its_source, false},
    {"a write", write_byte, false},
    {"a read", read_bytes, false},
    {NULL, NULL, false},
};

static const struct kind sockets = {.name = "socket",
                                    .make = make_socket,
                                    .calls = socket_calls,
                                    .end = invalidate_socket,
                                    .copy_source = copy_socket_source};

/* A name of the race's own, which needs no file. */
static RLDataRef copy_address(const struct race *race)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "races %d %p",
                          (int)getpid(), (const void *)race);
    return RLDataCreate(NULL, (const UInt8 *)&address,
                        (RLIndex)offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

/* One that listens, and one that connects to it. */
static void make_listener(struct race *race)
{
    RLSocketContext context = socket_context(race);
    race->objects[0] = RLSocketCreate(NULL, AF_UNIX, SOCK_STREAM, 0, kRLSocketAcceptCallBack,
                                      see_socket, &context);
    race->objects[1] =
        RLSocketCreate(NULL, AF_UNIX, SOCK_STREAM, 0,
                       kRLSocketConnectCallBack | kRLSocketReadCallBack, see_socket, &context);
}

static void bind_or_connect(struct racer *self)
{
    RLDataRef address = copy_address(self->race);
    if (self->index == 0) {
        RLSocketSetAddress(self->object, address);
    } else {
        RLSocketConnectToAddress(self->object, address, flip(self) ? -1 : some_milliseconds(self));
    }
    RLRelease(address);
}

static const struct call listener_calls[] = {
    {"RLSocketInvalidate", invalidate_socket, false},
    {"RLSocketConnectToAddress", bind_or_connect, true},
    {"RLSocketConnectToAddress", bind_or_connect, true},
    {"RLSocketEnableCallBacks", enable_socket, false},
    {"RLSocketDisableCallBacks", disable_socket, false},
    {"RLSocketGet…", ask_socket, false},
    {"RLSocketSendData", send_data, true},
    {NULL, NULL, false},
};

static const struct kind listeners = {.name = "listening socket",
                                      .make = make_listener,
                                      .calls = listener_calls,
                                      .end = invalidate_socket,
                                      .copy_source = copy_socket_source};

/* --- Mach ports ------------------------------------------------------------------------------- */

static void receive(RLMachPortRef port, void *message, RLIndex size, void *info)
{
    be_called(info, port);
}

static void see_invalid_port(RLMachPortRef port, void *info)
{
    if (info) be_called(info, port);
}

/* Has both ends, or is made of an end that other code has made. */
static void make_mach_port(struct race *race)
{
    RLMachPortContext context = {.info = race, .retain = retain_race, .release = release_race};
    if (random_below(&race->random, 2)) {
        race->objects[0] = RLMachPortCreate(NULL, receive, &context, NULL);
        return;
    }
    RLMachPortCreatePair(&race->fds[0], &race->fds[1]);
    race->objects[0] = RLMachPortCreateWithPort(NULL, race->fds[0], receive, &context, NULL);
}

static void invalidate_mach_port(struct racer *self)
{
    RLMachPortInvalidate(self->object);
}

static void set_mach_callback(struct racer *self)
{
    /* A port that has called another callback before prints a line. */
    if (RLMachPortGetInvalidationCallBack(self->object) && !RLMachPortIsValid(self->object)) return;
    RLMachPortSetInvalidationCallBack(self->object, flip(self) ? see_invalid_port : NULL);
}

static void send_message(struct racer *self)
{
    const struct race *race = self->race;
    RLMachMessageHeader message = {.size = sizeof message, .replyPort = -1};
    int port = race->fds[1] >= 0 ? race->fds[1] : RLMachPortGetPort(self->object);
    if (flip(self)) message.replyPort = port;
    RLMachPortSend(port, &message, some_milliseconds(self));
}

static void find_mach_port(struct racer *self)
{
    RLMachPortName name = RLMachPortGetPort(self->object);
    if (self->race->fds[0] >= 0 && !RLMachPortIsValid(self->object)) return;
    RLMachPortRef port = RLMachPortCreateWithPort(NULL, name, NULL, NULL, NULL);
    if (port) RLRelease(port);
}

static void ask_mach_port(struct racer *self)
{
    RLMachPortContext context;
    RLMachPortIsValid(self->object);
    RLMachPortGetContext(self->object, &context);
}

static RLRunLoopSourceRef copy_mach_source(void *object)
{
    return RLMachPortCreateRunLoopSource(NULL, object, 0);
}

static const struct call mach_calls[] = {
    {"RLMachPortInvalidate", invalidate_mach_port, false},
    {"RLMachPortSetInvalidationCallBack", set_mach_callback, false},
    {"RLMachPortSend", send_message, false},
    {"RLMachPortSend", send_message, false},
    {"RLMachPortCreateWithPort", find_mach_port, false},
    {"RLMachPortGet…", ask_mach_port, false},
    {"RLRunLoopSourceInvalidate", invalidate_its_source, false},
    {NULL, NULL, false},
};

static const struct kind mach_ports = {.name = "Mach port",
                                       .make = make_mach_port,
                                       .calls = mach_calls,
                                       .end = invalidate_mach_port,
                                       .copy_source = copy_mach_source};

/* --- Message ports ---------------------------------------------------------------------------- */

static RLStringRef copy_port_name(const struct race *race, unsigned number)
{
    return RLStringCreateWithFormat(NULL, NULL, RLSTR("races %p %u"), (const void *)race, number);
}

static RLDataRef answer(RLMessagePortRef port, SInt32 number, RLDataRef data, void *info)
{
    be_called(info, port);
    return (RLDataRef)RLRetain(data);
}

static void see_invalid_message_port(RLMessagePortRef port, void *info)
{
    /* Remote ports have no info. */
    if (info) be_called(info, port);
}

/*
 * A local port, and a remote one that sends to it. Whether they have queues or sources is decided.
 */
static void make_message_ports(struct race *race)
{
    RLMessagePortContext context = {.info = race, .retain = retain_race, .release = release_race};
    RLStringRef name = copy_port_name(race, 0);
    race->objects[0] = needed(RLMessagePortCreateLocal(NULL, name, answer, &context, NULL));
    race->objects[1] = needed(RLMessagePortCreateRemote(NULL, name));
    race->other = random_below(&race->random, 2) ? queues[random_below(&race->random, 2)] : NULL;
    RLRelease(name);
    atomic_store(&race->is_served, true);
    if (race->other) {
        RLMessagePortSetDispatchQueue((void *)(uintptr_t)race->objects[0], race->other);
    } else {
        RLRunLoopSourceRef source =
            RLMessagePortCreateRunLoopSource(NULL, (void *)(uintptr_t)race->objects[0], 0);
        RLRunLoopAddSource(loops[RACERS], source, kRLRunLoopDefaultMode);
        RLRelease(source);
    }
}

static void invalidate_message_port(struct racer *self)
{
    RLMessagePortInvalidate(self->object);
}

static void set_message_callback(struct racer *self)
{
    RLMessagePortSetInvalidationCallBack(self->object,
                                         flip(self) ? see_invalid_message_port : NULL);
}

static void send_request(struct racer *self)
{
    if (!RLMessagePortIsRemote(self->object)) return;
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)"data", 4), reply = NULL;
    RLStringRef mode = flip(self) ? kRLRunLoopDefaultMode : NULL;
    RLMessagePortSendRequest(self->object, 1, data, some_milliseconds(self),
                             some_milliseconds(self), mode, &reply);
    if (reply) RLRelease(reply);
    RLRelease(data);
}

/* The message is just being delivered when the port goes. */
static void send_and_invalidate(struct racer *self)
{
    void *local = (void *)(uintptr_t)self->race->objects[0];
    void *remote = (void *)(uintptr_t)self->race->objects[1];
    RLMessagePortSendRequest(remote, 1, NULL, 0, 0, NULL, NULL);
    for (unsigned i = random_below(&self->random, 4); i > 0; i--) sched_yield();
    RLMessagePortInvalidate(local);
}

/* A port has a queue or a source, or prints a line, as does an invalid port. */
static void set_message_queue(struct racer *self)
{
    if (!self->race->other || !RLMessagePortIsValid(self->object)) return;
    atomic_store(&self->race->is_served, true);
    RLMessagePortSetDispatchQueue(self->object, flip(self) ? self->race->other : NULL);
}

static void serve_message_port(struct racer *self)
{
    RLMessagePortRef port = self->object;
    if (self->race->other) return;
    RLRunLoopSourceRef source = RLMessagePortIsRemote(port)
                                    ? RLMessagePortCreateInvalidationSource(NULL, port, 0)
                                    : RLMessagePortCreateRunLoopSource(NULL, port, 0);
    if (!source) return;
    atomic_store(&self->race->is_served, true);
    if (random_below(&self->random, 4)) {
        RLRunLoopAddSource(some_loop(self), source, some_mode(self));
    } else {
        RLRunLoopRemoveSource(some_loop(self), source, some_mode(self));
    }
    RLRelease(source);
}

static void rename_port(struct racer *self)
{
    RLStringRef name = copy_port_name(self->race, random_below(&self->random, 2));
    RLMessagePortSetName(self->object, name);
    RLRelease(name);
}

static void find_message_ports(struct racer *self)
{
    RLStringRef name = copy_port_name(self->race, random_below(&self->random, 2));
    RLMessagePortRef port = RLMessagePortCreateRemote(NULL, name);
    if (port) RLRelease(port);
    RLRelease(name);
}

static void ask_message_port(struct racer *self)
{
    RLMessagePortContext context;
    RLMessagePortIsValid(self->object);
    RLMessagePortGetName(self->object);
    RLMessagePortGetInvalidationCallBack(self->object);
    RLMessagePortGetContext(self->object, &context);
    RLRelease(RLCopyDescription(self->object));
}

static void run_briefly(struct racer *self)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, some_milliseconds(self), flip(self));
}

static const struct call message_calls[] = {
    {"RLMessagePortInvalidate", invalidate_message_port, false},
    {"RLMessagePortSetInvalidationCallBack", set_message_callback, false},
    {"RLMessagePortSendRequest", send_request, false},
    {"RLMessagePortSendRequest", send_request, false},
    {"RLMessagePortSendRequest, Invalidate", send_and_invalidate, true},
    {"RLMessagePortSetDispatchQueue", set_message_queue, false},
    {"RLRunLoopAddSource", serve_message_port, false},
    {"RLMessagePortSetName", rename_port, false},
    {"RLMessagePortCreateRemote", find_message_ports, false},
    {"RLMessagePortGet…", ask_message_port, false},
    {"run", run_briefly, false},
    {NULL, NULL, false},
};

static const struct kind message_ports = {.name = "message port",
                                          .make = make_message_ports,
                                          .calls = message_calls,
                                          .end = invalidate_message_port,
                                          .is_apart = true};

const struct kind *const descriptor_kinds[] = {
    &descriptors, &sockets, &listeners, &mach_ports, &message_ports, NULL,
};
