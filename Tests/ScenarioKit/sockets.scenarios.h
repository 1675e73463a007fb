/*
 * Sockets: RLSocket and CFSocket.
 */

#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

/* What a socket calls; `data` is as in its callback. */
typedef void (^socket_action)(E(SocketRef) socket, unsigned long type, const void *data);

/* The info of a socket. */
struct socket_gadget {
    const char *name;
    bool quiet;
    socket_action called;
};

static const void *socket_retain(const void *info)
{
    note("%s retained", ((const struct socket_gadget *)info)->name);
    return info;
}

static void socket_release(const void *info)
{
    note("%s released", ((const struct socket_gadget *)info)->name);
}

static void socket_called(E(SocketRef) socket, E(SocketCallBackType) type, E(DataRef) address,
                          const void *data, void *info)
{
    struct socket_gadget *gadget = info;

    switch (gadget->quiet ? 0 : (unsigned long)type) {
    case 0: break;
    case K(SocketReadCallBack): note("%s read", gadget->name); break;
    case K(SocketAcceptCallBack):
        note("%s accept%s", gadget->name, address ? "" : " from nobody");
        break;
    case K(SocketDataCallBack):
        note("%s data %ld%s", gadget->name, (long)E(DataGetLength)(data), address ? "" : " bare");
        break;
    case K(SocketConnectCallBack):
        note("%s connect %s", gadget->name, data ? strerrorname_np(*(const int32_t *)data) : "ok");
        break;
    case K(SocketWriteCallBack): note("%s write", gadget->name); break;
    default: note("unknown type"); break;
    }
    if (gadget->called) gadget->called(socket, type, data);
}

/* The context of a socket with a name. */
static E(SocketContext) socket_context(const char *name, bool tells_references,
                                       socket_action called)
{
    struct socket_gadget *gadget = calloc(1, sizeof(*gadget));

    gadget->name = name;
    gadget->quiet = name == NULL;
    gadget->called = copied((const void *)called);
    at_end(^{
        release_block((const void *)gadget->called);
        free(gadget);
    });
    return (E(SocketContext)){
        .info = gadget,
        .retain = tells_references ? socket_retain : NULL,
        .release = tells_references ? socket_release : NULL,
    };
}

/* Has a socket invalidated and released when the scenario returns. */
static E(SocketRef) kept_socket(E(SocketRef) socket)
{
    if (socket) {
        at_return(^{
            E(SocketInvalidate)(socket);
            E(Release)(socket);
        });
    }
    return socket;
}

/* A socket of a native handle, which it closes. */
static E(SocketRef) native_socket(const char *name, int handle, unsigned long types,
                                  socket_action called)
{
    E(SocketContext) context = socket_context(name, false, called);

    return kept_socket(E(SocketCreateWithNative)(NULL, handle, types, socket_called, &context));
}

/* A fresh TCP socket. */
static E(SocketRef) fresh_socket(const char *name, unsigned long types, socket_action called)
{
    E(SocketContext) context = socket_context(name, false, called);

    return kept_socket(E(SocketCreate)(NULL, 0, 0, 0, types, socket_called, &context));
}

/* Adds a socket to a mode of this thread's loop. */
static source_ref add_socket(E(SocketRef) socket, const char *mode)
{
    source_ref source = E(SocketCreateRunLoopSource)(NULL, socket, 0);

    add_source(source, mode);
    at_return(^{ E(Release)(source); });
    return source;
}

/* An address as data, released when the scenario returns. */
static E(DataRef) address_data(const void *address, size_t length)
{
    E(DataRef) data = E(DataCreate)(NULL, address, (long)length);

    at_return(^{ E(Release)(data); });
    return data;
}

/* A free port of this machine. */
static E(DataRef) loopback_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    return address_data(&address, sizeof(address));
}

/* A socket that listens at a free port, in the default mode. */
static E(SocketRef) listening_socket(const char *name, socket_action called,
                                     E(DataRef) *ret_address)
{
    E(SocketRef) socket = fresh_socket(name, K(SocketAcceptCallBack), called);

    check(E(SocketSetAddress)(socket, loopback_address()) == K(SocketSuccess));
    *ret_address = E(SocketCopyAddress)(socket);
    E(DataRef) address = *ret_address;
    at_return(^{ E(Release)(address); });
    add_socket(socket, "DEF");
    return socket;
}

/* A pair of connected handles; a socket takes the first one. */
static int *handle_pair(int type)
{
    int *ends = malloc(2 * sizeof(*ends));

    check(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0);
    at_end(^{
        if (ends[1] >= 0) close(ends[1]);
        free(ends);
    });
    return ends;
}

static void hang_up(int *ends)
{
    close(ends[1]);
    ends[1] = -1;
}

static void write_text(int handle, const char *text)
{
    check(write(handle, text, strlen(text)) == (ssize_t)strlen(text));
}

static E(DataRef) data_of_text(const char *text)
{
    return address_data(text, strlen(text));
}

static void socket_numbers(void)
{
    int *ends = handle_pair(SOCK_STREAM);

    check(K(SocketNoCallBack) == 0 && K(SocketReadCallBack) == 1 && K(SocketAcceptCallBack) == 2);
    check(K(SocketDataCallBack) == 3 && K(SocketConnectCallBack) == 4);
    check(K(SocketWriteCallBack) == 8 && K(SocketLeaveErrors) == 64);
    check(K(SocketCloseOnInvalidate) == 128 && K(SocketAutomaticallyReenableDataCallBack) == 3);
    check(K(SocketSuccess) == 0 && K(SocketError) == -1 && K(SocketTimeout) == -2);
    note("%lx", E(SocketGetSocketFlags)(native_socket("r", ends[0], K(SocketReadCallBack), NULL)));
    note("%lx", E(SocketGetSocketFlags)(fresh_socket("w", K(SocketWriteCallBack), NULL)));
    note("%lx", E(SocketGetSocketFlags)(fresh_socket("d", K(SocketDataCallBack), NULL)));
    E(SocketRef) last = fresh_socket("n", K(SocketNoCallBack), NULL);
    E(SocketSetSocketFlags)(last, 0xFFFF);
    note("%lx", E(SocketGetSocketFlags)(last));
}
SCENARIO(socket_numbers,
         .title = "Types, flags and errors have their numbers; the first flags come from the types",
         .clauses = "SOCK-1 SOCK-2",
         .expected = "81; 80; 83; ff")

static void one_socket_per_handle(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketContext) context = socket_context("first", true, NULL);
    E(SocketContext) other = socket_context("other", true, NULL);

    E(SocketRef) first =
        E(SocketCreateWithNative)(NULL, ends[0], K(SocketReadCallBack), socket_called, &context);
    E(SocketRef) second =
        E(SocketCreateWithNative)(NULL, ends[0], K(SocketWriteCallBack), socket_called, &other);
    tell("the same", first == second);
    E(SocketGetContext)(second, &other);
    tell("first context", other.info == context.info);
    E(SocketInvalidate)(first);
    E(SocketGetContext)(first, &other);
    tell("info", other.info != NULL);
    E(Release)(first);
    E(Release)(second);
}
SCENARIO(one_socket_per_handle,
         .title = "A handle has one socket, whose first context counts",
         .clauses = "SOCK-3 SOCK-22",
         .expected = "first retained; the same: yes; first context: yes; first released; info: no")

static void socket_source(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("s", ends[0], K(SocketReadCallBack), NULL);

    source_ref first = E(SocketCreateRunLoopSource)(NULL, socket, 5);
    source_ref again = E(SocketCreateRunLoopSource)(NULL, socket, 7);
    tell("the same", first == again);
    note("%ld", (long)E(RunLoopSourceGetOrder)(again));
    E(RunLoopSourceInvalidate)(first);
    tell("socket valid", E(SocketIsValid)(socket));
    source_ref next = E(SocketCreateRunLoopSource)(NULL, socket, 9);
    tell("another", next != first && E(RunLoopSourceIsValid)(next));
    note("%ld", (long)E(RunLoopSourceGetOrder)(next));
    E(SocketInvalidate)(socket);
    tell("source valid", E(RunLoopSourceIsValid)(next));
    tell("made of an invalid socket", E(SocketCreateRunLoopSource)(NULL, socket, 0) != NULL);
    E(Release)(first);
    E(Release)(again);
    E(Release)(next);
}
SCENARIO(socket_source,
         .title = "A socket has one source, and another when that was invalidated",
         .clauses = "SOCK-5 SOCK-15 SOCK-16",
         .expected = "the same: yes; 5; socket valid: yes; another: yes; 9; source valid: no; "
                     "made of an invalid socket: no")

static void socket_reads(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    E(SocketRef) socket =
        native_socket("r", ends[0], K(SocketReadCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          char text[8];
                          (void)called, (void)type, (void)data;
                          if (++calls < 3) return;
                          note("%zd", read(ends[0], text, sizeof text));
                          stop();
                      });

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_reads,
         .title = "The read callback comes as long as the client leaves something to read",
         .clauses = "SOCK-7 TEST-32",
         .expected = "r read; r read; r read; 3; = Stopped; = TimedOut")

static void socket_read_once(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("r", ends[0], K(SocketReadCallBack), NULL);

    E(SocketSetSocketFlags)(socket, 0);
    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 0.005, false);
    E(SocketEnableCallBacks)(socket, K(SocketWriteCallBack));
    run("DEF", 0.005, false);
    E(SocketEnableCallBacks)(socket, K(SocketReadCallBack));
    run("DEF", 0.005, false);
}
SCENARIO(socket_read_once,
         .title = "Without the flag the read callback comes once for each time it is enabled",
         .clauses = "SOCK-7",
         .expected = "r read; = TimedOut; = TimedOut; r read; = TimedOut")

static void socket_read_disabled(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket =
        native_socket("r", ends[0], K(SocketReadCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          (void)type, (void)data;
                          E(SocketDisableCallBacks)(called, K(SocketReadCallBack));
                      });

    E(SocketDisableCallBacks)(socket, K(SocketReadCallBack));
    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 0.005, false);
    E(SocketEnableCallBacks)(socket, K(SocketReadCallBack));
    run("DEF", 0.005, false);
}
SCENARIO(socket_read_disabled,
         .title = "What is disabled in the callback does not come again by itself; what is "
                  "disabled before the socket is in a mode does",
         .clauses = "SOCK-6 SOCK-7",
         .expected = "r read; = TimedOut; r read; = TimedOut")

static void socket_read_end(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    E(SocketRef) socket =
        native_socket("r", ends[0], K(SocketReadCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          (void)called, (void)type, (void)data;
                          if (++calls == 3) stop();
                      });

    add_socket(socket, "DEF");
    check(shutdown(ends[1], SHUT_WR) == 0);
    run("DEF", 0.2, false);
    calls = 2;
    E(SocketEnableCallBacks)(socket, K(SocketReadCallBack));
    run("DEF", 10, false);
}
SCENARIO(socket_read_end,
         .title = "The end of a stream gives one read callback, and another when asked for",
         .clauses = "SOCK-8",
         .deviation = "D26: a client that ignores the end must not keep the loop busy",
         .reference = "r read; r read; r read; = Stopped; r read; = Stopped",
         .expected = "r read; = TimedOut; r read; = Stopped")

static void socket_read_nested(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket =
        native_socket("r", ends[0], K(SocketReadCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          char text[8];
                          (void)called, (void)type, (void)data;
                          run("DEF", 0.005, false);
                          check(read(ends[0], text, sizeof text) == 3);
                      });

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 0.01, false);
}
SCENARIO(socket_read_nested,
         .title = "A callback that runs the loop is not called again meanwhile",
         .clauses = "SOCK-7",
         .expected = "r read; = TimedOut; = TimedOut")

static void socket_data(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("d", ends[0], K(SocketDataCallBack), NULL);

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, true);
    hang_up(ends);
    run("DEF", 10, true);
    tell("valid", E(SocketIsValid)(socket));
    run("DEF", 10, true);
}
SCENARIO(socket_data,
         .title = "Data comes in chunks with an address; empty data ends the stream and the socket",
         .clauses = "SOCK-9 SOCK-10 TEST-33",
         .expected = "d data 3; = HandledSource; d data 0; = HandledSource; valid: no; = Finished")

static void socket_data_chunks(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block long total = 0, longest = 0;
    E(SocketRef) socket =
        native_socket(NULL, ends[0], K(SocketDataCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          long length = E(DataGetLength)(data);
                          (void)called, (void)type;
                          total += length;
                          if (length > longest) longest = length;
                          if (length == 0) stop();
                      });
    char *bytes = calloc(1, 100000);

    add_socket(socket, "DEF");
    struct helper_thread *writer = start_thread(^{
        check(write(ends[1], bytes, 100000) == 100000);
        hang_up(ends);
    });
    run("DEF", 10, false);
    join_thread(writer);
    free(bytes);
    check(longest <= 32768);
    note("%ld", total);
}
SCENARIO(socket_data_chunks,
         .title = "A long stream arrives whole, in chunks of up to 32 KiB",
         .clauses = "SOCK-9",
         .expected = "= Stopped; 100000")

static void socket_datagrams(void)
{
    int *ends = handle_pair(SOCK_DGRAM);
    E(SocketRef) socket = native_socket("d", ends[0], K(SocketDataCallBack), NULL);

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, true);
    check(send(ends[1], "", 0, 0) == 0);
    run("DEF", 10, true);
    write_text(ends[1], "de");
    run("DEF", 10, true);
    tell("valid", E(SocketIsValid)(socket));
}
SCENARIO(socket_datagrams,
         .title = "Each datagram is data of its own; an empty one ends nothing",
         .clauses = "SOCK-9 SOCK-10",
         .expected = "d data 3; = HandledSource; d data 0; = HandledSource; d data 2; "
                     "= HandledSource; valid: yes")

static void socket_senders(void)
{
    E(SocketContext) context = socket_context("u", false, NULL);
    E(SocketRef) one = kept_socket(E(SocketCreate)(NULL, PF_INET, SOCK_DGRAM, 0,
                                                   K(SocketDataCallBack), socket_called, &context));
    E(SocketRef) two =
        kept_socket(E(SocketCreate)(NULL, PF_INET, SOCK_DGRAM, 0, K(SocketNoCallBack), NULL, NULL));

    check(E(SocketSetAddress)(one, loopback_address()) == K(SocketSuccess));
    check(E(SocketSetAddress)(two, loopback_address()) == K(SocketSuccess));
    E(DataRef) address = E(SocketCopyAddress)(one);
    note("%ld", (long)E(DataGetLength)(address));
    check(E(SocketCopyPeerAddress)(one) == NULL);
    check(E(SocketSendData)(two, address, data_of_text("hello"), 1) == K(SocketSuccess));
    add_socket(one, "DEF");
    run("DEF", 10, true);
    E(Release)(address);
}
SCENARIO(socket_senders,
         .title = "A datagram is sent to an address and arrives with one",
         .clauses = "SOCK-9 SOCK-17 SOCK-19 SOCK-22",
         .expected = "16; u data 5; = HandledSource")

static void socket_writes(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    E(SocketRef) socket =
        native_socket("w", ends[0], K(SocketWriteCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          (void)type, (void)data;
                          if (++calls < 5) return;
                          E(SocketSetSocketFlags)(called, K(SocketCloseOnInvalidate));
                          stop();
                      });

    add_socket(socket, "DEF");
    run("DEF", 0.005, false);
    E(SocketEnableCallBacks)(socket, K(SocketWriteCallBack));
    run("DEF", 0.005, false);
    E(SocketSetSocketFlags)(socket, K(SocketAutomaticallyReenableWriteCallBack));
    E(SocketEnableCallBacks)(socket, K(SocketWriteCallBack));
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_writes,
         .title = "The write callback comes once, and again by itself only with its flag",
         .clauses = "SOCK-14",
         .expected = "w write; = TimedOut; w write; = TimedOut; w write; w write; w write; "
                     "= Stopped; = TimedOut")

static void socket_connects(void)
{
    E(DataRef) address;
    listening_socket("listener", ^(E(SocketRef) called, unsigned long type, const void *data) {
        int handle = *(const int *)data;
        (void)called, (void)type;
        write_text(handle, "hello");
        close(handle);
    }, &address);
    E(SocketRef) socket =
        fresh_socket("c", K(SocketConnectCallBack) | K(SocketWriteCallBack), NULL);

    check(E(SocketConnectToAddress)(socket, address, 10) == K(SocketSuccess));
    run("DEF", 10, true);
    add_socket(socket, "M");
    run("M", 10, true);
    E(SocketEnableCallBacks)(socket, K(SocketConnectCallBack));
    run("M", 0.005, true);
    E(DataRef) peer = E(SocketCopyPeerAddress)(socket);
    tell("connected to it", E(Equal)(peer, address));
    E(Release)(peer);
}
SCENARIO(socket_connects,
         .title = "A connection is told on both sides; that of the client once, before writing",
         .clauses = "SOCK-11 SOCK-12 SOCK-13 SOCK-17 SOCK-18",
         .expected = "listener accept; = HandledSource; c connect ok; c write; = HandledSource; "
                     "= TimedOut; connected to it: yes")

static void socket_connects_in_background(void)
{
    E(DataRef) address;
    listening_socket("listener", ^(E(SocketRef) called, unsigned long type, const void *data) {
        (void)called, (void)type;
        close(*(const int *)data);
    }, &address);
    E(SocketRef) socket = fresh_socket("c", K(SocketConnectCallBack), NULL);

    check(E(SocketConnectToAddress)(socket, address, -1) == K(SocketSuccess));
    add_socket(socket, "M");
    run("M", 10, true);
    run("DEF", 10, true);
}
SCENARIO(socket_connects_in_background,
         .title = "A connection in the background is told when it is there",
         .clauses = "SOCK-12 SOCK-18",
         .expected = "c connect ok; = HandledSource; listener accept; = HandledSource")

/* An address at which nobody listens: one that was somebody's a moment ago. */
static E(DataRef) dead_address(void)
{
    E(SocketRef) socket = E(SocketCreate)(NULL, 0, 0, 0, 0, NULL, NULL);

    check(E(SocketSetAddress)(socket, loopback_address()) == K(SocketSuccess));
    E(DataRef) address = E(SocketCopyAddress)(socket);
    E(SocketInvalidate)(socket);
    E(Release)(socket);
    at_return(^{ E(Release)(address); });
    return address;
}

static void socket_refused(void)
{
    E(DataRef) address = dead_address();
    E(SocketRef) socket =
        fresh_socket("c", K(SocketConnectCallBack) | K(SocketWriteCallBack), NULL);

    check(E(SocketConnectToAddress)(socket, address, -1) == K(SocketSuccess));
    add_socket(socket, "DEF");
    run("DEF", 10, true);
    run("DEF", 0.005, true);
    E(SocketRef) other = fresh_socket("other", K(SocketNoCallBack), NULL);
    check(E(SocketConnectToAddress)(other, address, 10) == K(SocketError));
}
SCENARIO(socket_refused,
         .title = "A refused connection is told with its error, and nothing else",
         .clauses = "SOCK-12 SOCK-13 SOCK-18",
         .expected = "c connect ECONNREFUSED; = HandledSource; = TimedOut")

static void socket_from_signature(void)
{
    E(SocketContext) context = socket_context("s", false, NULL);
    E(SocketSignature) here = {PF_INET, SOCK_STREAM, IPPROTO_TCP, loopback_address()};

    E(SocketRef) listener = kept_socket(E(SocketCreateWithSocketSignature)(
        NULL, &here, K(SocketAcceptCallBack), socket_called, &context));
    E(SocketSignature) taken = {PF_INET, SOCK_STREAM, IPPROTO_TCP, E(SocketCopyAddress)(listener)};
    tell("bound twice", E(SocketCreateWithSocketSignature)(NULL, &taken, 0, NULL, NULL) != NULL);
    E(SocketRef) connected =
        kept_socket(E(SocketCreateConnectedToSocketSignature)(NULL, &taken, 0, NULL, NULL, 10));
    tell("connected", connected != NULL);
    E(SocketSignature) dead = {PF_INET, SOCK_STREAM, IPPROTO_TCP, dead_address()};
    tell("connected to nobody",
         E(SocketCreateConnectedToSocketSignature)(NULL, &dead, 0, NULL, NULL, 10) != NULL);
    E(Release)(taken.address);
}
SCENARIO(socket_from_signature,
         .title = "A signature makes a socket that is bound or connected, or none",
         .clauses = "SOCK-20",
         .expected = "bound twice: no; connected: yes; connected to nobody: no")

static void socket_sends(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("s", ends[0], K(SocketNoCallBack), NULL);
    char text[8] = "", *bytes = calloc(1, 4 << 20);
    E(DataRef) much = address_data(bytes, 4 << 20);

    free(bytes);
    note("%ld", (long)E(SocketSendData)(socket, NULL, data_of_text("hello"), 0));
    check(read(ends[1], text, sizeof text) == 5 && strcmp(text, "hello") == 0);
    note("part %ld", (long)E(SocketSendData)(socket, NULL, much, 0.005));
    note("full %ld", (long)E(SocketSendData)(socket, NULL, much, 0.005));
    E(SocketInvalidate)(socket);
    note("invalid %ld", (long)E(SocketSendData)(socket, NULL, much, 0));
    check(E(SocketSetAddress)(socket, loopback_address()) == K(SocketError));
    check(E(SocketConnectToAddress)(socket, loopback_address(), 1) == K(SocketError));
}
SCENARIO(socket_sends,
         .title = "Sending is a success if anything was sent, and an error otherwise",
         .clauses = "SOCK-19",
         .expected = "0; part 0; full -1; invalid -1")

static void socket_sends_to_nobody(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("s", ends[0], K(SocketNoCallBack), NULL);

    hang_up(ends);
    signal(SIGPIPE, SIG_DFL);
    note("%ld", (long)E(SocketSendData)(socket, NULL, data_of_text("hello"), 0));
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
    E(SocketContext) context =
        socket_context("s", true, ^(E(SocketRef) called, unsigned long type, const void *data) {
            (void)type, (void)data;
            E(SocketInvalidate)(called);
            note("native %d", E(SocketGetNative)(called));
            check(fcntl(ends[0], F_GETFD) == -1);
        });
    E(SocketRef) socket =
        E(SocketCreateWithNative)(NULL, ends[0], K(SocketReadCallBack), socket_called, &context);

    check(E(SocketGetNative)(socket) == ends[0]);
    add_socket(socket, "DEF");
    write_text(ends[1], "a");
    run("DEF", 10, true);
    E(SocketInvalidate)(socket);
    tell("valid", E(SocketIsValid)(socket));
    run("DEF", 10, true);
    E(Release)(socket);
}
SCENARIO(socket_life,
         .title = "A socket that is invalidated in a callback is closed, and calls no more",
         .clauses = "SOCK-13 SOCK-15 SOCK-22",
         .expected = "s retained; s retained; s read; s released; native -1; s released; "
                     "= HandledSource; valid: no; = Finished")

static void socket_kept_open(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("s", ends[0], K(SocketReadCallBack), NULL);

    source_ref source = add_socket(socket, "DEF");
    remove_source(source, "DEF");
    tell("valid", E(SocketIsValid)(socket));
    E(SocketSetSocketFlags)(socket, 0);
    E(SocketInvalidate)(socket);
    tell("open", fcntl(ends[0], F_GETFD) >= 0);
    close(ends[0]);
}
SCENARIO(socket_kept_open,
         .title = "Without the flag, invalidation leaves the handle open",
         .clauses = "SOCK-16",
         .expected = "valid: yes; open: yes")

static void socket_invalidated_elsewhere(void)
{
    loop_ref loop = this_loop();
    int *ends = handle_pair(SOCK_STREAM);
    E(SocketRef) socket = native_socket("s", ends[0], K(SocketReadCallBack), NULL);
    struct helper_thread *other = start_thread(^{
        wait_until_asleep(loop);
        E(SocketInvalidate)(socket);
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
    E(SocketRef) socket = native_socket("r", ends[0], K(SocketReadCallBack), NULL);

    source_ref source = add_socket(socket, "M");
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
    loop_ref here = this_loop();
    __block loop_ref there = NULL;
    __block int bytes = 0;
    E(SocketRef) socket =
        native_socket(NULL, ends[0], K(SocketReadCallBack),
                      ^(E(SocketRef) called, unsigned long type, const void *data) {
                          char byte;
                          (void)called, (void)type, (void)data;
                          /* A callback that comes twice would find none. */
                          check(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1);
                          if (++bytes < COUNT) {
                              write_text(ends[1], "x");
                          } else {
                              E(RunLoopStop)(here);
                              E(RunLoopStop)(there);
                          }
                      });
    struct helper_thread *other = start_thread(^{
        there = this_loop();
        add_socket(socket, "DEF");
        open_gate(ready);
        check(E(RunLoopRunInMode)(K(RunLoopDefaultMode), 10, false) == K(RunLoopRunStopped));
    });

    add_socket(socket, "DEF");
    pass_gate(ready);
    /* Both loops run when it begins: one that does not could not be stopped. */
    wait_until_asleep(there);
    queue_block("begin", "DEF", ^{ write_text(ends[1], "x"); });
    run("DEF", 10, false);
    join_thread(other);
    note("%d", bytes);
}
SCENARIO(socket_of_two_loops,
         .title = "In two loops, each event is told in one of them",
         .clauses = "SOCK-21",
         .expected = "begin; = Stopped; 200")

static void socket_of_unix(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    E(SocketContext) context =
        socket_context("u", false, ^(E(SocketRef) called, unsigned long type, const void *data) {
            (void)called, (void)type;
            close(*(const int *)data);
        });
    E(SocketRef) listener = kept_socket(E(SocketCreate)(
        NULL, PF_UNIX, SOCK_STREAM, 0, K(SocketAcceptCallBack), socket_called, &context));
    E(SocketRef) client =
        kept_socket(E(SocketCreate)(NULL, PF_UNIX, SOCK_STREAM, 0, 0, NULL, NULL));

    /* A name without a file; the system removes it by itself. */
    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "scenario of unix %d %p", getpid(),
             (void *)&address);
    E(DataRef) name = address_data(&address, offsetof(struct sockaddr_un, sun_path) + 1 +
                                                 strlen(address.sun_path + 1));
    check(E(SocketSetAddress)(listener, name) == K(SocketSuccess));
    add_socket(listener, "DEF");
    check(E(SocketConnectToAddress)(client, name, 10) == K(SocketSuccess));
    run("DEF", 10, true);
    E(DataRef) peer = E(SocketCopyPeerAddress)(client);
    tell("connected to it", E(Equal)(peer, name));
    E(Release)(peer);
}
SCENARIO(socket_of_unix,
         .title = "Unix sockets are bound, connected and accepted as others are",
         .clauses = "SOCK-11 SOCK-17 SOCK-18 SOCK-22",
         .expected = "u accept; = HandledSource; connected to it: yes")

static void socket_of_ipv6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    E(SocketContext) context =
        socket_context("v6", false, ^(E(SocketRef) called, unsigned long type, const void *data) {
            (void)called, (void)type;
            close(*(const int *)data);
        });
    E(SocketSignature) here = {PF_INET6, SOCK_STREAM, IPPROTO_TCP,
                               address_data(&address, sizeof(address))};
    E(SocketRef) listener = kept_socket(E(SocketCreateWithSocketSignature)(
        NULL, &here, K(SocketAcceptCallBack), socket_called, &context));

    add_socket(listener, "DEF");
    E(SocketSignature) there = {PF_INET6, SOCK_STREAM, IPPROTO_TCP, E(SocketCopyAddress)(listener)};
    note("%ld", (long)E(DataGetLength)(there.address));
    E(SocketRef) client =
        kept_socket(E(SocketCreateConnectedToSocketSignature)(NULL, &there, 0, NULL, NULL, 10));
    check(client != NULL);
    run("DEF", 10, true);
    E(Release)(there.address);
}
SCENARIO(socket_of_ipv6,
         .title = "Sockets of IPv6 are bound, connected and accepted as others are",
         .clauses = "SOCK-11 SOCK-17 SOCK-18 SOCK-20",
         .expected = "28; v6 accept; = HandledSource")

static void socket_leaves_flags(void)
{
    E(DataRef) address;
    listening_socket("listener", NULL, &address);
    E(SocketRef) socket = fresh_socket("c", 0, NULL);
    int handle = E(SocketGetNative)(socket);

    int before = fcntl(handle, F_GETFL);
    check(E(SocketConnectToAddress)(socket, address, 10) == K(SocketSuccess));
    tell("as before", fcntl(handle, F_GETFL) == before);
    tell("inherited", (fcntl(handle, F_GETFD) & FD_CLOEXEC) == 0);
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

    note("%d", E(SocketGetDefaultNameRegistryPortNumber)());
    E(SocketSetDefaultNameRegistryPortNumber)(2455);
    note("%d", E(SocketGetDefaultNameRegistryPortNumber)());
    E(SocketSetDefaultNameRegistryPortNumber)(2454);
    const E(StringRef) keys[] = {
        K(SocketCommandKey), K(SocketNameKey),         K(SocketValueKey),        K(SocketResultKey),
        K(SocketErrorKey),   K(SocketRegisterCommand), K(SocketRetrieveCommand),
    };
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        check(E(StringGetCString)(keys[index], key, sizeof key, K(StringEncodingUTF8)));
        note("%s", key);
    }
}
SCENARIO(socket_registry,
         .title = "Of the registry there are its port and its keys",
         .clauses = "SOCK-23",
         .expected = "2454; 2455; Command; Name; Value; Result; Error; Register; Retrieve")

static const struct scenario *const sockets_scenarios[] = {
    LISTED(socket_numbers),
    LISTED(one_socket_per_handle),
    LISTED(socket_source),
    LISTED(socket_reads),
    LISTED(socket_read_once),
    LISTED(socket_read_disabled),
    LISTED(socket_read_end),
    LISTED(socket_read_nested),
    LISTED(socket_data),
    LISTED(socket_data_chunks),
    LISTED(socket_datagrams),
    LISTED(socket_senders),
    LISTED(socket_writes),
    LISTED(socket_connects),
    LISTED(socket_connects_in_background),
    LISTED(socket_refused),
    LISTED(socket_from_signature),
    LISTED(socket_sends),
    LISTED(socket_sends_to_nobody),
    LISTED(socket_life),
    LISTED(socket_kept_open),
    LISTED(socket_invalidated_elsewhere),
    LISTED(socket_in_modes),
    LISTED(socket_of_two_loops),
    LISTED(socket_of_unix),
    LISTED(socket_of_ipv6),
    LISTED(socket_leaves_flags),
    LISTED(socket_registry),
    NULL,
};
