/*
 * Sockets and streams whose other end is another program: socat, which knows every kind, and
 * Python. Both are there where tests run (`CSupport/bootstrap.sh --tests`); without one, its tests
 * fail.
 */

#include "../sockets/socket_words.h"
#include "scenario.h"
#include "stream_words.h"

#include <netinet/in.h>
#include <sys/un.h>

/* A socat that listens, with its action for a client; returns its address. */
static struct peer start_listener(const char *listener, const char *other, char *ret_place,
                                  size_t size)
{
    struct peer peer =
        start_peer((const char *const[]){"socat", "-d", "-d", listener, other, NULL});

    read_after(&peer, "listening on ", ret_place, size);
    return peer;
}

static void stream_to_socat(void)
{
    char place[256];
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    start_listener("TCP-LISTEN:0,bind=127.0.0.1", "PIPE", place, sizeof place);
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), (UInt32)port_in(place), &reader,
                                       &writer);
    keep_pair(reader, writer);
    pass_through(reader, writer, 400000);
}
SCENARIO(stream_to_socat,
         .title = "Bytes go to a socat over TCP and come back, all and in order",
         .clauses = "STRM-4 STRM-10",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 400000 of 400000")

static void stream_to_socat_of_unix(void)
{
    char place[256], listener[160];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    RLReadStreamRef reader;
    RLWriteStreamRef writer;

    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", use_own_folder());
    snprintf(listener, sizeof listener, "UNIX-LISTEN:%s", address.sun_path);
    start_listener(listener, "PIPE", place, sizeof place);
    RLSocketSignature signature = {PF_UNIX, SOCK_STREAM, 0, address_data(&address, sizeof address)};
    RLStreamCreatePairWithPeerSocketSignature(NULL, &signature, &reader, &writer);
    keep_pair(reader, writer);
    pass_through(reader, writer, 400000);
}
SCENARIO(stream_to_socat_of_unix,
         .title = "Bytes go to a socat over a Unix socket and come back",
         .clauses = "STRM-4 STRM-10",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 400000 of 400000")

/* A session of an accepted handle, which sends everything back and stops the loop at the end. */
static void echo_session(int handle)
{
    RLSocketContext context =
        socket_context(NULL, false, ^(RLSocketRef peer, unsigned long kind, const void *chunk) {
            if (RLDataGetLength(chunk) == 0) {
                stop();
            } else {
                check(RLSocketSendData(peer, NULL, chunk, 5) == kRLSocketSuccess);
            }
        });
    RLSocketRef session =
        RLSocketCreateWithNative(NULL, handle, kRLSocketDataCallBack, socket_called, &context);

    add_socket(session, "DEF");
    RLRelease(session);
}

/* Makes a socat send text, end, and report its input. */
static void check_echo(const char *address, action while_it_runs)
{
    enum { length = 60000 };
    struct peer peer = start_peer((const char *const[]){"socat", "-t", "20", "-", address, NULL});
    struct helper_thread *writer = start_thread(^{
        for (long index = 0; index < length; index += 6) {
            if (write(peer.input, "hello\n", 6) != 6) break;
        }
        close(peer.input);
    });
    __block long received = 0;
    struct helper_thread *reader = start_thread(^{
        char chunk[4096];
        long count;
        while ((count = read(peer.output, chunk, sizeof chunk)) > 0) {
            for (long index = 0; index < count; index++) {
                if (chunk[index] == "hello\n"[(received + index) % 6]) continue;
                note("byte %ld is wrong", received + index);
                return;
            }
            received += count;
        }
    });

    while_it_runs();
    join_thread(writer);
    join_thread(reader);
    note("%ld", received);
}

static void socket_serves_socat(void)
{
    RLDataRef address;
    char place[64];

    listening_socket(NULL,
                     ^(RLSocketRef called, unsigned long type, const void *data) {
                         echo_session(*(const int *)data);
                     },
                     &address);
    snprintf(place, sizeof place, "TCP:127.0.0.1:%d", port_of(address));
    check_echo(place, ^{ run("DEF", 20, false); });
}
SCENARIO(socket_serves_socat,
         .title = "A socat that connects by TCP gets back what it sends, and the end",
         .clauses = "SOCK-9 SOCK-10 SOCK-11",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 60000")

static void socket_serves_socat_of_unix(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char place[160];

    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", use_own_folder());
    RLSocketContext context =
        socket_context(NULL, false, ^(RLSocketRef called, unsigned long type, const void *data) {
            echo_session(*(const int *)data);
        });
    RLSocketRef listener = kept_socket(RLSocketCreate(
        NULL, PF_UNIX, SOCK_STREAM, 0, kRLSocketAcceptCallBack, socket_called, &context));
    check(RLSocketSetAddress(listener, address_data(&address, sizeof address)) == kRLSocketSuccess);
    add_socket(listener, "DEF");
    snprintf(place, sizeof place, "UNIX-CONNECT:%s", address.sun_path);
    check_echo(place, ^{ run("DEF", 20, false); });
}
SCENARIO(socket_serves_socat_of_unix,
         .title = "A socat that connects by a Unix socket gets back what it sends, and the end",
         .clauses = "SOCK-9 SOCK-10 SOCK-11",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 60000")

static int free_udp_socket(RLDataRef *ret_address)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    check(bind(handle, (struct sockaddr *)&address, size) == 0);
    check(getsockname(handle, (struct sockaddr *)&address, &size) == 0);
    *ret_address = address_data(&address, sizeof address);
    return handle;
}

static void echo_datagram(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                          const void *data, void *info)
{
    check(RLSocketSendData(socket, address, data, 5) == kRLSocketSuccess);
}

static void socket_answers_socat_by_udp(void)
{
    enum { rounds = 20 };
    RLDataRef address;
    char place[64];
    int handle = free_udp_socket(&address);
    RLSocketContext context = {.info = NULL};
    RLSocketRef socket = kept_socket(
        RLSocketCreateWithNative(NULL, handle, kRLSocketDataCallBack, echo_datagram, &context));

    add_socket(socket, "DEF");
    snprintf(place, sizeof place, "UDP:127.0.0.1:%d", port_of(address));
    struct peer peer = start_peer((const char *const[]){"socat", "-", place, NULL});
    RLRunLoopRef loop = this_loop();
    struct helper_thread *helper = start_thread(^{
        char answer[16] = "";
        for (int round = 0; round < rounds; round++) {
            check(write(peer.input, "datagram", 8) == 8);
            check(read(peer.output, answer, sizeof answer) == 8);
            check(memcmp(answer, "datagram", 8) == 0);
        }
        close(peer.input);
        RLRunLoopStop(loop);
    });
    run("DEF", 20, false);
    join_thread(helper);
}
SCENARIO(socket_answers_socat_by_udp,
         .title = "A socat gets an answer to each datagram, at the address it has sent from",
         .clauses = "SOCK-9 SOCK-19",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped")

static const char *const python_sender =
    "import socket, sys, struct\n"
    "s = socket.create_server(('127.0.0.1', 0))\n"
    "print('listening on 127.0.0.1:%d' % s.getsockname()[1], file=sys.stderr, flush=True)\n"
    "c, _ = s.accept()\n"
    "if sys.argv[1] == 'reset':\n"
    "    c.sendall(b'x')\n"
    "    c.recv(1)\n"
    "    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))\n"
    "else:\n"
    "    c.sendall(b'0123456789' * 300000)\n"
    "c.close()\n";

static RLReadStreamRef stream_of_python(const char *what, RLWriteStreamRef *ret_writer)
{
    struct peer peer =
        start_peer((const char *const[]){"python3", "-c", python_sender, what, NULL});
    char place[64];
    RLReadStreamRef reader;

    read_after(&peer, "listening on ", place, sizeof place);
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), (UInt32)port_in(place), &reader,
                                       ret_writer);
    keep_pair(reader, *ret_writer);
    return reader;
}

static void stream_of_python_ends(void)
{
    RLWriteStreamRef writer;
    RLReadStreamRef reader = stream_of_python("much", &writer);
    __block long received = 0;

    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[10000];
        if (event == kRLStreamEventHasBytesAvailable) {
            long count = RLReadStreamRead(called, bytes, sizeof bytes);
            if (count > 0) received += count;
        }
        if (event == kRLStreamEventEndEncountered) stop();
    });
    check(RLReadStreamOpen(reader));
    run("DEF", 20, false);
    note("%ld", received);
    note("status %ld", (long)RLReadStreamGetStatus(reader));
}
SCENARIO(stream_of_python_ends,
         .title = "Everything that Python sends is read before the end",
         .clauses = "STRM-4 STRM-5",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 3000000; status 5")

static void stream_of_python_breaks(void)
{
    RLWriteStreamRef writer;
    RLReadStreamRef reader = stream_of_python("reset", &writer);

    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) {
            UInt8 bytes[8];
            if (RLReadStreamRead(called, bytes, sizeof bytes) <= 0) return;
            check(RLWriteStreamWrite(writer, (const UInt8 *)"y", 1) == 1);
        }
        if (event == kRLStreamEventErrorOccurred) stop();
    });
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    run("DEF", 20, false);
    note("%s", strerrorname_np(RLReadStreamGetError(reader).error));
}
SCENARIO(stream_of_python_breaks,
         .title = "A connection that Python resets is an error of the stream",
         .clauses = "STRM-1",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; r error; = Stopped; ECONNRESET")
