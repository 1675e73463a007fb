/*
 * Secured streams whose other end is Python's ssl, which is OpenSSL through other hands.
 */

#include "../streams/stream_words.h"
#include "queues.h"
#include "scenario.h"
#include "tls_relay.h"
#include "tls_words.h"

/* The arguments: what to do, and a certificate with its key in PEM. */
static const char python_tls[] =
    "import socket, ssl, sys, tempfile\n"
    "what = sys.argv[1]\n"
    "with tempfile.NamedTemporaryFile('w') as file:\n"
    "    file.write(sys.argv[2]); file.flush()\n"
    "    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n"
    "    context.load_cert_chain(file.name)\n"
    "if what == 'TLS 1.1':\n"
    "    context.set_ciphers('ALL:@SECLEVEL=0')\n"
    "    context.minimum_version = ssl.TLSVersion.TLSv1\n"
    "    context.maximum_version = ssl.TLSVersion.TLSv1_1\n"
    "if 'TLS 1.2' in what: context.maximum_version = ssl.TLSVersion.TLSv1_2\n"
    "if what == 'name': context.sni_callback = lambda object, name, context: \\\n"
    "    print('asked for', name, file=sys.stderr, flush=True)\n"
    "if what == 'other name': context.sni_callback = lambda *asked: \\\n"
    "    ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME\n"
    "listener = socket.create_server(('127.0.0.1', 0))\n"
    "print('listening on :%d' % listener.getsockname()[1], file=sys.stderr, flush=True)\n"
    "connection = listener.accept()[0]\n"
    "if what == 'text':\n"
    "    connection.sendall(b'220 I speak no TLS\\r\\n')\n"
    "    connection.recv(10000)\n"
    "else:\n"
    "    try:\n"
    "        connection = context.wrap_socket(connection, server_side=True)\n"
    "        if what.startswith('answer'):\n"
    "            count = 0\n"
    "            while data := connection.recv(100000): count += len(data)\n"
    "            connection.sendall(b'%d bytes' % count)\n"
    "        while data := connection.recv(100000): connection.sendall(data)\n"
    "        connection.unwrap()\n"
    "    except ssl.SSLError as error: print(error.reason, flush=True)\n";

/* Starts a server of Python's by a script; returns its port too. */
static struct peer start_python(const char *script, const char *what, UInt32 *ret_port)
{
    need_openssl();
    struct peer peer =
        start_peer((const char *const[]){"python3", "-c", script, what, pem_of_server, NULL});
    char place[64];

    read_after(&peer, "listening on ", place, sizeof place);
    *ret_port = (UInt32)port_in(place);
    return peer;
}

/* The streams of a connection to a server whose authority is that of these certificates. */
static struct tls_end connect_by_tls(RLStringRef host, UInt32 port)
{
    struct tls_end end;

    RLStreamCreatePairWithSocketToHost(NULL, host, port, &end.reader, &end.writer);
    keep_pair(end.reader, end.writer);
    check(RLWriteStreamSetProperty(end.writer, kRLStreamPropertySSLSettings,
                                   TLS(kRLStreamSSLAuthorities, pem(pem_of_authority))));
    return end;
}

/* The streams of a connection to Python's server. */
static struct tls_end connect_to_python(const char *what)
{
    UInt32 port;

    start_python(python_tls, what, &port);
    return connect_by_tls(RLSTR("localhost"), port);
}

static void tls_to_python(void)
{
    struct tls_end newest = connect_to_python("any");
    pass_through(newest.reader, newest.writer, 3000000);
    struct tls_end older = connect_to_python("TLS 1.2");
    pass_through(older.reader, older.writer, 3000000);
}
SCENARIO(tls_to_python,
         .title = "Bytes pass through a server of Python's in TLS 1.3 and 1.2, whose host is its name",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 3000000 of 3000000; = Stopped; 3000000 of 3000000")

static void refuse_python(const char *what)
{
    struct tls_end end = connect_to_python(what);

    serve_writer(end.writer, NULL, NULL);
    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    run("DEF", 20, false);
    note("%s", name_of_tls_error(RLReadStreamGetError(end.reader)));
}

static void tls_not_spoken(void)
{
    refuse_python("TLS 1.1");
    refuse_python("text");
}
SCENARIO(tls_not_spoken,
         .title = "A server of an old version, and one that speaks no TLS, are errors",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; no version; = Stopped; protocol")

static void tls_name_unknown(void)
{
    refuse_python("other name");
}
SCENARIO(tls_name_unknown,
         .title = "A server without the requested name rejects the handshake",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; peer: no handshake")

/* Notes for which name a connection to the server has asked. */
static void ask_python(RLStringRef host, RLStringRef peer_name)
{
    UInt32 port;
    struct peer peer = start_python(python_tls, "name", &port);
    struct tls_end end = connect_by_tls(host, port);
    char name[64];

    if (peer_name) {
        check(RLWriteStreamSetProperty(end.writer, kRLStreamPropertySSLSettings,
                                       client_of(peer_name)));
    }
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    write_tls_text(end.writer, "text");
    read_after(&peer, "asked for ", name, sizeof name);
    note("%s", name);
}

static void tls_name_asked_for(void)
{
    ask_python(RLSTR("localhost"), NULL);
    ask_python(RLSTR("127.0.0.1"), RLSTR("localhost."));
    ask_python(RLSTR("127.0.0.1"), NULL);
}
SCENARIO(tls_name_asked_for,
         .title = "A handshake contains the name of the host (SNI), but never an address",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "localhost; localhost; None")

/* Ends its direction and reads on: what OpenSSL does in memory lets Python do that. */
static const char python_half_closed[] =
    "import socket, ssl, sys, tempfile\n"
    "with tempfile.NamedTemporaryFile('w') as file:\n"
    "    file.write(sys.argv[2]); file.flush()\n"
    "    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n"
    "    context.load_cert_chain(file.name)\n"
    "if sys.argv[1] == 'TLS 1.2': context.maximum_version = ssl.TLSVersion.TLSv1_2\n"
    "listener = socket.create_server(('127.0.0.1', 0))\n"
    "print('listening on :%d' % listener.getsockname()[1], file=sys.stderr, flush=True)\n"
    "connection = listener.accept()[0]\n"
    "received, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()\n"
    "session = context.wrap_bio(received, to_send, server_side=True)\n"
    "def call(function):\n"
    "    while True:\n"
    "        try: return function()\n"
    "        except ssl.SSLWantReadError:\n"
    "            if to_send.pending: connection.sendall(to_send.read())\n"
    "            received.write(connection.recv(100000))\n"
    "call(session.do_handshake)\n"
    "session.write(b'all')\n"
    "try: session.unwrap()\n"
    "except ssl.SSLWantReadError: pass\n"
    "connection.sendall(to_send.read())\n"
    "connection.shutdown(socket.SHUT_WR)\n"
    "print('heard', call(lambda: session.read(4)).decode(), file=sys.stderr, flush=True)\n"
    "connection.recv(100000)\n";

static void meet_half_closed(const char *version)
{
    UInt32 port;
    struct peer peer = start_python(python_half_closed, version, &port);
    struct tls_end end = connect_by_tls(RLSTR("localhost"), port);
    char text[64];

    serve_writer(end.writer, NULL, NULL);
    serve_reader(end.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_text(called);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    run("DEF", 20, false);
    /* The loop sleeps although the socket stays readable. */
    check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false) == kRLRunLoopRunTimedOut);
    write_tls_text(end.writer, "late");
    read_after(&peer, "heard ", text, sizeof text);
    note("%s", text);
}

static void tls_half_closed(void)
{
    meet_half_closed("TLS 1.3");
    meet_half_closed("TLS 1.2");
}
SCENARIO(tls_half_closed,
         .title = "A peer that has ended its direction still receives, and the loop rests",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; all; r end; = Stopped; late; "
                     "r open; r bytes; all; r end; = Stopped; late")

/* Writes a number of bytes by a loop, ends its direction, and notes the answer. */
static void finish_to_python(const char *what, long total)
{
    struct tls_end end = connect_to_python(what);
    __block long left = total;
    __block bool has_finished = false;

    serve_writer(end.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        static const UInt8 bytes[20000];
        if (event == kRLStreamEventEndEncountered) has_finished = true;
        if (event != kRLStreamEventCanAcceptBytes) return;
        long most = left < (long)sizeof bytes ? left : (long)sizeof bytes;
        left -= most > 0 ? RLWriteStreamWrite(called, bytes, most) : 0;
        if (left == 0) check(RLWriteStreamFinishWriting(called));
    });
    serve_reader(end.reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) read_text(called);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
    });
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    run("DEF", 20, false);
    run_quietly();
    check(has_finished && RLWriteStreamGetStatus(end.writer) == kRLStreamStatusAtEnd);
}

static void tls_finished(void)
{
    finish_to_python("answer", 0);
    finish_to_python("answer by TLS 1.2", 0);
    finish_to_python("answer", 3000000);
    finish_to_python("answer by TLS 1.2", 3000000);
}
SCENARIO(tls_finished,
         .title = "A peer receives all bytes and the end of our direction, and its answer arrives",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; 0 bytes; r end; = Stopped; "
                     "r open; r bytes; 0 bytes; r end; = Stopped; "
                     "r open; r bytes; 3000000 bytes; r end; = Stopped; "
                     "r open; r bytes; 3000000 bytes; r end; = Stopped")

static const char python_tls_client[] =
    "import socket, ssl, sys\n"
    "context = ssl.create_default_context(cadata=sys.argv[2])\n"
    "connection = context.wrap_socket(socket.create_connection(('127.0.0.1', int(sys.argv[1]))),\n"
    "                                 server_hostname='localhost')\n"
    "print('listening on', connection.version(), file=sys.stderr, flush=True)\n"
    "data = bytes(range(256)) * 4000\n"
    "connection.sendall(data[:10])\n"
    "got = connection.recv(10)\n"
    "session = connection.session\n"
    "connection.unwrap()\n"
    "print('listening on', got == data[:10], file=sys.stderr, flush=True)\n"
    "connection = context.wrap_socket(socket.create_connection(('127.0.0.1', int(sys.argv[1]))),\n"
    "                                 server_hostname='localhost', session=session)\n"
    "connection.sendall(data[:10])\n"
    "connection.recv(10)\n"
    "print('resumed', connection.session_reused, file=sys.stderr, flush=True)\n"
    "connection.unwrap()\n";

static void tls_from_python(void)
{
    struct tls_server server;
    char text[64];
    UInt32 port;
    need_openssl();
    int listener = listen_for_tls(&port);

    struct peer peer = start_peer((const char *const[]){
        "python3", "-c", python_tls_client, kept_text("%u", port), pem_of_authority, NULL});
    start_tls_server(&server, accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    read_after(&peer, "listening on ", text, sizeof text);
    note("%s", text);
    read_after(&peer, "listening on ", text, sizeof text);
    note("%s", text);
    pthread_join(server.thread, NULL);
    note("%s", server.error);
    start_tls_server(&server, accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    read_after(&peer, "resumed ", text, sizeof text);
    pthread_join(server.thread, NULL);
    note("resumed: %s, %s", text, server.error);
    close(listener);
}
SCENARIO(tls_from_python,
         .title = "A client of Python's is served, and comes again with the ticket that it got",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "TLSv1.3; True; none; resumed: True, none")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void tls_on_queues(void)
{
    struct tls_end end = connect_to_python("any");
    struct dispatch_queue_s *queue = make_queue(NULL);
    RLRunLoopRef loop = this_loop();
    __block long received = 0;
    __block bool is_written = false, is_on_its_queue = true;

    RLStreamClientContext contexts[2] = {{0}, {0}};
    struct stream_gadget *reads = stream_gadget(NULL), *writes = stream_gadget(NULL);
    contexts[0].info = reads;
    contexts[1].info = writes;
    reads->read = copied((const void *)^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[64];
        is_on_its_queue = is_on_its_queue && is_on_queue();
        if (event == kRLStreamEventHasBytesAvailable) {
            received += RLReadStreamRead(called, bytes, sizeof bytes);
        }
        if (received >= 5 || event == kRLStreamEventErrorOccurred) RLRunLoopStop(loop);
    });
    writes->write = copied((const void *)^(RLWriteStreamRef called, unsigned long event) {
        is_on_its_queue = is_on_its_queue && is_on_queue();
        if (event != kRLStreamEventCanAcceptBytes || is_written) return;
        is_written = true;
        check(RLWriteStreamWrite(called, (const UInt8 *)"hello", 5) == 5);
    });
    check(RLReadStreamSetClient(end.reader, ALL_STREAM_EVENTS, reader_called, &contexts[0]));
    check(RLWriteStreamSetClient(end.writer, ALL_STREAM_EVENTS, writer_called, &contexts[1]));
    keep_alive("DEF");
    RLReadStreamSetDispatchQueue(end.reader, queue);
    RLWriteStreamSetDispatchQueue(end.writer, queue);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    run("DEF", 20, false);
    RLReadStreamSetDispatchQueue(end.reader, NULL);
    RLWriteStreamSetDispatchQueue(end.writer, NULL);
    dispatch_barrier_sync(queue, ^{});
    note("%ld", received);
    note_answer("on the queue", is_on_its_queue);
}
SCENARIO(tls_on_queues,
         .title = "Secured streams on a dispatch queue",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 5; on the queue: yes")
#endif
