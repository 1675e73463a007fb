/*
 * Sockets, RLSocket and CFSocket: addresses and connections, and their lives.
 */

#include "scenario.h"
#include "socket_words.h"

#include <netinet/in.h>
#include <sys/un.h>

/* A server that greets each client. */
static void greeting_listener(RLDataRef *address)
{
    listening_socket("listener",
                     ^(RLSocketRef called, unsigned long type, const void *data) {
                         int handle = *(const int *)data;
                         write_text(handle, "hello");
                         close(handle);
                     },
                     address);
}

static void socket_connects(void)
{
    RLDataRef address;
    greeting_listener(&address);
    RLSocketRef socket = fresh_socket("c", kRLSocketConnectCallBack | kRLSocketWriteCallBack, NULL);

    check(RLSocketConnectToAddress(socket, address, 10) == kRLSocketSuccess);
    run("DEF", 10, true);
    add_socket(socket, "M");
    run("M", 10, true);
    RLSocketEnableCallBacks(socket, kRLSocketConnectCallBack);
    run("M", 0.005, true);
    RLDataRef peer = RLSocketCopyPeerAddress(socket);
    note_answer("connected to it", RLEqual(peer, address));
    RLRelease(peer);
}
SCENARIO(socket_connects,
         .title = "A connection is reported on both sides; on the client's side once, before writing",
         .clauses = "SOCK-11 SOCK-12 SOCK-13 SOCK-17 SOCK-18",
         .expected = "listener accept; = HandledSource; c connect ok; c write; = HandledSource; "
                     "= TimedOut; connected to it: yes")

static void socket_connects_in_background(void)
{
    RLDataRef address;
    listening_socket(
        "listener",
        ^(RLSocketRef called, unsigned long type, const void *data) { close(*(const int *)data); },
        &address);
    RLSocketRef socket = fresh_socket("c", kRLSocketConnectCallBack, NULL);

    check(RLSocketConnectToAddress(socket, address, -1) == kRLSocketSuccess);
    add_socket(socket, "M");
    run("M", 10, true);
    run("DEF", 10, true);
}
SCENARIO(socket_connects_in_background,
         .title = "A connection in the background is reported when it is established",
         .clauses = "SOCK-12 SOCK-18",
         .expected = "c connect ok; = HandledSource; listener accept; = HandledSource")

static void socket_connected_by_client(void)
{
    RLDataRef address;
    greeting_listener(&address);
    RLSocketRef socket = fresh_socket(
        "c", kRLSocketConnectCallBack | kRLSocketWriteCallBack | kRLSocketReadCallBack, NULL);
    add_socket(socket, "M");
    run("M", 0.15, false);
    const struct sockaddr *name = (const void *)RLDataGetBytePtr(address);
    check(connect(RLSocketGetNative(socket), name, (socklen_t)RLDataGetLength(address)) == 0);
    run("M", 10, true);
    run("DEF", 10, true);
    run("M", 10, true);
}
SCENARIO(socket_connected_by_client,
         .title = "A socket without a peer is idle, and continues when the client itself connects it",
         .clauses = "SOCK-12 SOCK-13 SOCK-14",
         .deviation = "D58: an idle loop sleeps; the reference calls for reading without end",
         .expected = "= TimedOut; c connect ok; c write; = HandledSource; "
                     "listener accept; = HandledSource; c read; = HandledSource")

static void socket_refused(void)
{
    RLDataRef address = dead_address();
    RLSocketRef socket = fresh_socket("c", kRLSocketConnectCallBack | kRLSocketWriteCallBack, NULL);

    check(RLSocketConnectToAddress(socket, address, -1) == kRLSocketSuccess);
    add_socket(socket, "DEF");
    run("DEF", 10, true);
    run("DEF", 0.005, true);
    RLSocketRef other = fresh_socket("other", kRLSocketNoCallBack, NULL);
    check(RLSocketConnectToAddress(other, address, 10) == kRLSocketError);
}
SCENARIO(socket_refused,
         .title = "A refused connection is reported with its error, and nothing else is reported",
         .clauses = "SOCK-12 SOCK-13 SOCK-18",
         .expected = "c connect ECONNREFUSED; = HandledSource; = TimedOut")

static void socket_from_signature(void)
{
    RLSocketContext context = socket_context("s", false, NULL);
    RLSocketSignature here = {PF_INET, SOCK_STREAM, IPPROTO_TCP, loopback_address()};

    RLSocketRef listener = kept_socket(RLSocketCreateWithSocketSignature(
        NULL, &here, kRLSocketAcceptCallBack, socket_called, &context));
    RLSocketSignature taken = {PF_INET, SOCK_STREAM, IPPROTO_TCP, RLSocketCopyAddress(listener)};
    note_answer("bound twice",
                RLSocketCreateWithSocketSignature(NULL, &taken, 0, NULL, NULL) != NULL);
    RLSocketRef connected =
        kept_socket(RLSocketCreateConnectedToSocketSignature(NULL, &taken, 0, NULL, NULL, 10));
    note_answer("connected", connected != NULL);
    RLSocketSignature dead = {PF_INET, SOCK_STREAM, IPPROTO_TCP, dead_address()};
    note_answer("connected to nobody",
                RLSocketCreateConnectedToSocketSignature(NULL, &dead, 0, NULL, NULL, 10) != NULL);
    RLRelease(taken.address);
}
SCENARIO(socket_from_signature,
         .title = "A signature makes a socket that is bound or connected, or none",
         .clauses = "SOCK-20",
         .expected = "bound twice: no; connected: yes; connected to nobody: no")

static void socket_sends(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
    char text[8] = "", *bytes = calloc(1, 4 << 20);
    RLDataRef much = address_data(bytes, 4 << 20);

    free(bytes);
    note("%ld", (long)RLSocketSendData(socket, NULL, data_of_text("hello"), 0));
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    note("part %ld", (long)RLSocketSendData(socket, NULL, much, 0.005));
    note("full %ld", (long)RLSocketSendData(socket, NULL, much, 0.005));
    RLSocketInvalidate(socket);
    note("invalid %ld", (long)RLSocketSendData(socket, NULL, much, 0));
    check(RLSocketSetAddress(socket, loopback_address()) == kRLSocketError);
    check(RLSocketConnectToAddress(socket, loopback_address(), 1) == kRLSocketError);
}
SCENARIO(socket_sends,
         .title = "Sending is a success if anything was sent, and an error otherwise",
         .clauses = "SOCK-19",
         .expected = "0; part 0; full -1; invalid -1")

static void socket_sends_nothing(void)
{
    const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    RLDataRef nothing = data_of_text("");

    for (int index = 0; index < 3; index++) {
        int *ends = handle_pair(types[index]);
        RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
        char byte;

        note("%ld", (long)RLSocketSendData(socket, NULL, nothing, 0));
        note("%ld", (long)RLSocketSendData(socket, NULL, nothing, 1));
        note("came %zd", recv(ends[1], &byte, 1, MSG_DONTWAIT));
    }
}
SCENARIO(socket_sends_nothing,
         .title = "Sending nothing is an error, though a datagram without bytes is sent",
         .clauses = "SOCK-19",
         .expected = "-1; -1; came -1; -1; -1; came 0; -1; -1; came 0")

static void socket_sends_to_nobody(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);

    hang_up(ends);
    signal(SIGPIPE, SIG_DFL);
    note("%ld", (long)RLSocketSendData(socket, NULL, data_of_text("hello"), 0));
}
SCENARIO(socket_sends_to_nobody,
         .title = "Sending to a peer that is gone is an error and no signal",
         .clauses = "SOCK-19",
         .deviation = "D25: a peer must not be able to end the process",
         .own_process = true,
         .expected = "-1")

static void socket_life(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketContext context =
        socket_context("s", true, ^(RLSocketRef called, unsigned long type, const void *data) {
            RLSocketInvalidate(called);
            note("native %d", RLSocketGetNative(called));
            await_hang_up(ends[1]);
        });
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketReadCallBack, socket_called, &context);

    check(RLSocketGetNative(socket) == ends[0]);
    add_socket(socket, "DEF");
    write_text(ends[1], "a");
    run("DEF", 10, true);
    RLSocketInvalidate(socket);
    note_answer("valid", RLSocketIsValid(socket));
    run("DEF", 10, true);
    RLRelease(socket);
}
SCENARIO(socket_life,
         .title = "A socket that is invalidated in a callback is closed, and calls no more",
         .clauses = "SOCK-13 SOCK-15 SOCK-22",
         .expected = "s retained; s retained; s read; s released; native -1; s released; "
                     "= HandledSource; valid: no; = Finished")

static void socket_kept_open(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketReadCallBack, NULL);

    RLRunLoopSourceRef source = add_socket(socket, "DEF");
    remove_source(source, "DEF");
    note_answer("valid", RLSocketIsValid(socket));
    RLSocketSetSocketFlags(socket, 0);
    RLSocketInvalidate(socket);
    note_answer("open", fcntl(ends[0], F_GETFD) >= 0);
    close(ends[0]);
}
SCENARIO(socket_kept_open,
         .title = "Without the flag, invalidation leaves the handle open",
         .clauses = "SOCK-16",
         .expected = "valid: yes; open: yes")

static void socket_invalidated_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketReadCallBack, NULL);
    struct helper_thread *other = start_thread(^{
        wait_until_asleep(loop);
        RLSocketInvalidate(socket);
    });

    add_socket(socket, "DEF");
    run("DEF", 10, false);
    join_thread(other);
}
SCENARIO(socket_invalidated_elsewhere,
         .title = "Invalidation wakes the loops of the socket, which are done then",
         .clauses = "SOCK-15",
         .deviation = "D27: the reference may wake them before the source has left them",
         .expected = "= Finished")

static void socket_in_modes(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack, NULL);

    RLRunLoopSourceRef source = add_socket(socket, "M");
    add_source(source, "DEF");
    write_text(ends[1], "a");
    run("M", 10, true);
    remove_source(source, "M");
    run("M", 0, true);
    run("DEF", 10, true);
    remove_source(source, "DEF");
    run("DEF", 0, true);
    add_source(source, "DEF");
    run("DEF", 10, true);
}
SCENARIO(socket_in_modes,
         .title = "A socket is served in the modes of its source, and anew when it comes back",
         .clauses = "SOCK-6",
         .expected = "r read; = HandledSource; = Finished; r read; = HandledSource; = Finished; "
                     "r read; = HandledSource")

static void socket_of_two_loops(void)
{
    enum { COUNT = 200 };
    int *ends = handle_pair(SOCK_STREAM);
    struct gate *ready = make_gate();
    RLRunLoopRef here = this_loop();
    __block RLRunLoopRef there = NULL;
    __block int bytes = 0;
    RLSocketRef socket = native_socket(NULL, ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char byte;
                                           /* A callback that comes twice would find none. */
                                           check(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1);
                                           if (++bytes < COUNT) {
                                               write_text(ends[1], "x");
                                           } else {
                                               RLRunLoopStop(here);
                                               RLRunLoopStop(there);
                                           }
                                       });
    struct helper_thread *other = start_thread(^{
        there = (RLRunLoopRef)RLRetain(this_loop());
        add_socket(socket, "DEF");
        open_gate(ready);
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false) == kRLRunLoopRunStopped);
    });

    add_socket(socket, "DEF");
    pass_gate(ready);
    /* Both loops run when it begins: one that does not could not be stopped. */
    wait_until_asleep(there);
    queue_block("begin", "DEF", ^{ write_text(ends[1], "x"); });
    run("DEF", 60, false);
    join_thread(other);
    RLRelease(there);
    note("%d", bytes);
}
SCENARIO(socket_of_two_loops,
         .title = "In two loops, each event is reported in one of them",
         .clauses = "SOCK-21",
         .expected = "begin; = Stopped; 200")

static void socket_of_unix(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    RLSocketContext context =
        socket_context("u", false, ^(RLSocketRef called, unsigned long type, const void *data) {
            close(*(const int *)data);
        });
    RLSocketRef listener = kept_socket(RLSocketCreate(
        NULL, PF_UNIX, SOCK_STREAM, 0, kRLSocketAcceptCallBack, socket_called, &context));
    RLSocketRef client = kept_socket(RLSocketCreate(NULL, PF_UNIX, SOCK_STREAM, 0, 0, NULL, NULL));

    /* A name without a file; the system removes it. */
    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "scenario of unix %d %p", getpid(),
             (void *)&address);
    RLDataRef name = address_data(&address, offsetof(struct sockaddr_un, sun_path) + 1 +
                                                strlen(address.sun_path + 1));
    check(RLSocketSetAddress(listener, name) == kRLSocketSuccess);
    add_socket(listener, "DEF");
    check(RLSocketConnectToAddress(client, name, 10) == kRLSocketSuccess);
    run("DEF", 10, true);
    RLDataRef peer = RLSocketCopyPeerAddress(client);
    note_answer("connected to it", RLEqual(peer, name));
    RLRelease(peer);
}
SCENARIO(socket_of_unix,
         .title = "Unix sockets are bound, connected and accepted as others are",
         .clauses = "SOCK-11 SOCK-17 SOCK-18 SOCK-22",
         .expected = "u accept; = HandledSource; connected to it: yes")

static void socket_of_ipv6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    RLSocketContext context =
        socket_context("v6", false, ^(RLSocketRef called, unsigned long type, const void *data) {
            close(*(const int *)data);
        });
    RLSocketSignature here = {PF_INET6, SOCK_STREAM, IPPROTO_TCP,
                              address_data(&address, sizeof(address))};
    RLSocketRef listener = kept_socket(RLSocketCreateWithSocketSignature(
        NULL, &here, kRLSocketAcceptCallBack, socket_called, &context));

    add_socket(listener, "DEF");
    RLSocketSignature there = {PF_INET6, SOCK_STREAM, IPPROTO_TCP, RLSocketCopyAddress(listener)};
    note("%ld", (long)RLDataGetLength(there.address));
    RLSocketRef client =
        kept_socket(RLSocketCreateConnectedToSocketSignature(NULL, &there, 0, NULL, NULL, 10));
    check(client != NULL);
    run("DEF", 10, true);
    RLRelease(there.address);
}
SCENARIO(socket_of_ipv6,
         .title = "Sockets of IPv6 are bound, connected and accepted as others are",
         .clauses = "SOCK-11 SOCK-17 SOCK-18 SOCK-20",
         .expected = "28; v6 accept; = HandledSource")

static void socket_leaves_flags(void)
{
    RLDataRef address;
    listening_socket("listener", NULL, &address);
    RLSocketRef socket = fresh_socket("c", 0, NULL);
    int handle = RLSocketGetNative(socket);

    int before = fcntl(handle, F_GETFL);
    check(RLSocketConnectToAddress(socket, address, 10) == kRLSocketSuccess);
    note_answer("as before", fcntl(handle, F_GETFL) == before);
    note_answer("inherited", (fcntl(handle, F_GETFD) & FD_CLOEXEC) == 0);
}
SCENARIO(socket_leaves_flags,
         .title = "Connecting leaves a handle blocking, and programs do not inherit it",
         .clauses = "SOCK-18",
         .deviation = "D24: clients that read and write by themselves rely on it",
         .reference = "as before: no; inherited: yes",
         .expected = "as before: yes; inherited: no")

static void socket_registry(void)
{
    char key[16];

    note("%d", RLSocketGetDefaultNameRegistryPortNumber());
    RLSocketSetDefaultNameRegistryPortNumber(2455);
    note("%d", RLSocketGetDefaultNameRegistryPortNumber());
    RLSocketSetDefaultNameRegistryPortNumber(2454);
    const RLStringRef keys[] = {
        kRLSocketCommandKey, kRLSocketNameKey,         kRLSocketValueKey,        kRLSocketResultKey,
        kRLSocketErrorKey,   kRLSocketRegisterCommand, kRLSocketRetrieveCommand,
    };
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        check(RLStringGetCString(keys[index], key, sizeof key, kRLStringEncodingUTF8));
        note("%s", key);
    }
}
SCENARIO(socket_registry,
         .title = "The registry has only its port and its keys",
         .clauses = "SOCK-23",
         .expected = "2454; 2455; Command; Name; Value; Result; Error; Register; Retrieve")

/* The event has ended the wait, and a run that is nested before its turn has it. */
/* Runs the loop while observers log wake-ups: once until a source is served. */
static void serve_before_its_turn(bool looks_again)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLRunLoopRef here = this_loop();
    RLSocketRef socket = native_socket("A", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char byte;
                                           check(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1);
                                       });

    add_socket(socket, "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{
        run("DEF", 60, true);
        if (looks_again) run("DEF", 0, false);
        stop();
    });
    struct helper_thread *writer = start_thread(^{
        wait_until_asleep(here);
        write_text(ends[1], "x");
    });
    run("DEF", 60, false);
    join_thread(writer);
}

static void socket_served_by_nested_run(void)
{
    serve_before_its_turn(false);
}
SCENARIO(socket_served_by_nested_run,
         .title = "An event that a nested run has reported is not reported again at its turn",
         .clauses = "SOCK-7 RUN-29",
         .expected = "A read; = HandledSource; = Stopped")

static void socket_looked_at_since(void)
{
    serve_before_its_turn(true);
}
SCENARIO(socket_looked_at_since,
         .title = "The event is not reported again either if the nested runs have polled for events since",
         .clauses = "SOCK-7 RUN-29",
         .expected = "A read; = HandledSource; = TimedOut; = Stopped")
