/*
 * Streams that open too slowly: connections that are not accepted, and handshakes without an
 * answer.
 */

#include "../sockets/socket_words.h"
#include "../timers/clock_words.h"
#include "../tls/tls_words.h"
#include "queues.h"
#include "scenario.h"
#include "stream_words.h"

#include <CRunLoop/RLTesting.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>

static bool set_limit(struct tls_end end, double seconds)
{
    RLNumberRef number = RLNumberCreate(NULL, kRLNumberDoubleType, &seconds);
    bool is_set = RLReadStreamSetProperty(end.reader, kRLStreamPropertyConnectTimeout, number);

    RLRelease(number);
    return is_set;
}

static double limit_of_streams(struct tls_end end)
{
    double seconds = -1;
    RLTypeRef number = RLWriteStreamCopyProperty(end.writer, kRLStreamPropertyConnectTimeout);

    check(number && RLNumberGetValue(number, kRLNumberDoubleType, &seconds));
    if (number) RLRelease(number);
    return seconds;
}

/* One end of a connection; the other end is silent until the scenario's end. */
static struct tls_end end_to_mute_peer(RLDictionaryRef settings)
{
    const int *handles = handle_pair(SOCK_STREAM);

    return make_tls_end(handles[0], settings);
}

/* Notes the errors of streams, and stops the loop when both have one. */
static void note_failures(struct tls_end end)
{
    __block int failures = 0;

    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventErrorOccurred) return;
        note("reader %s", name_of_tls_error(RLReadStreamGetError(called)));
        if (++failures == 2) stop();
    });
    serve_writer(end.writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        if (event != kRLStreamEventErrorOccurred) return;
        note("writer %s", name_of_tls_error(RLWriteStreamGetError(called)));
        if (++failures == 2) stop();
    });
}

/* Streams to a socket of this machine whose queue is full: connecting is never answered. */
static struct tls_end streams_to_full_queue(void)
{
    enum { MOST_QUEUED = 8 };
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_full = false;
    struct tls_end end;

    check(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 0) == 0);
    check(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    at_end(^{ close(listener); });
    for (int count = 0; count < MOST_QUEUED && !is_full; count++) {
        int queued = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        struct pollfd query = {.fd = queued, .events = POLLOUT};
        connect(queued, (struct sockaddr *)&address, length);
        is_full = poll(&query, 1, 200) == 0;
        at_end(^{ close(queued); });
    }
    check(is_full);
    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("127.0.0.1"), ntohs(address.sin_port),
                                       &end.reader, &end.writer);
    at_return(^{
        RLReadStreamClose(end.reader);
        RLWriteStreamClose(end.writer);
        RLRelease(end.reader);
        RLRelease(end.writer);
    });
    return end;
}

static void limit_of_connecting(void)
{
    struct tls_end end = streams_to_full_queue();
    RLTestClockRef clock = own_clock();

    check(set_limit(end, 30));
    note_failures(end);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    RLTestClockAdvance(clock, 30 * second_ns - 1, NULL);
    note("%ld", (long)RLReadStreamGetStatus(end.reader));
    RLTestClockAdvance(clock, 2, NULL);
    RLTestClockEnd(clock);
}
SCENARIO(limit_of_connecting,
         .title = "Streams fail when they are not accepted in time",
         .clauses = "extension STRM-8",
         .rl_only = true,
         .own_process = true,
         .expected = "1; writer ETIMEDOUT; reader ETIMEDOUT")

static void limit_of_handshake(void)
{
    struct tls_end end = end_to_mute_peer(client_of(RLSTR("localhost")));
    RLTestClockRef clock = own_clock();

    note("%g", limit_of_streams(end));
    check(set_limit(end, 5) && limit_of_streams(end) == 5);
    note_failures(end);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    RLTestClockAdvance(clock, 5 * second_ns - 1, NULL);
    note("%ld", (long)RLReadStreamGetStatus(end.reader));
    RLTestClockAdvance(clock, 2, NULL);
    RLTestClockEnd(clock);
}
SCENARIO(limit_of_handshake,
         .title = "Streams fail when the server has not answered the handshake in time",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "0; 2; writer ETIMEDOUT; reader ETIMEDOUT")

static void limit_of_server(void)
{
    struct tls_end end = end_to_mute_peer(server_with(pem_of_server));
    RLTestClockRef clock = own_clock();

    note("%g", limit_of_streams(end));
    /* Before they are in the loop. */
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    note_failures(end);
    RLTestClockAdvance(clock, 60 * second_ns - 1, NULL);
    note("%ld", (long)RLReadStreamGetStatus(end.reader));
    RLTestClockAdvance(clock, 2, NULL);
    RLTestClockEnd(clock);
}
SCENARIO(limit_of_server,
         .title = "A server's streams fail when a client sends nothing for a minute",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "60; 2; writer ETIMEDOUT; reader ETIMEDOUT")

static void limit_taken_back(void)
{
    struct tls_end server, client;
    RLTestClockRef clock = own_clock();

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    struct tls_end mute = end_to_mute_peer(server_with(pem_of_server));
    open_tls_ends(server, client);
    check(RLReadStreamOpen(mute.reader) && RLWriteStreamOpen(mute.writer));
    note_failures(server);
    note_failures(mute);
    check(set_limit(mute, 0));
    check(shake_hands(server, client));
    RLTestClockAdvance(clock, 1000 * second_ns, NULL);
    note("%ld %ld", (long)RLReadStreamGetStatus(server.reader),
         (long)RLReadStreamGetStatus(mute.reader));
    check(RLRunLoopGetNextTimerFireDate(this_loop(), kRLRunLoopDefaultMode) == 0);
    /* Elapsed time counts: the limit of 20 s has already expired. */
    check(set_limit(mute, 20));
    run("DEF", 10, false);
    check(!set_limit(mute, -1) && !set_limit(mute, NAN));
    check(!RLReadStreamSetProperty(mute.reader, kRLStreamPropertyConnectTimeout, RLSTR("1")));
    RLTestClockEnd(clock);
}
SCENARIO(limit_taken_back,
         .title = "A stream that is usable in time continues, and a limit can be removed and set late",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "2 2; writer ETIMEDOUT; reader ETIMEDOUT; = Stopped")

static void limit_of_calls(void)
{
    const double limit = 0.05;
    struct tls_end connecting = streams_to_full_queue();
    struct tls_end mute = end_to_mute_peer(client_of(RLSTR("localhost")));
    UInt8 byte = 'x';

    check(set_limit(connecting, limit) && set_limit(mute, limit));
    double begin = clock_now();
    /* The limit may be over before the call returns, which then fails. */
    RLWriteStreamOpen(connecting.writer);
    check(RLWriteStreamWrite(connecting.writer, &byte, 1) == -1 && clock_now() - begin >= limit);
    note("%s", name_of_tls_error(RLWriteStreamGetError(connecting.writer)));
    begin = clock_now();
    RLReadStreamOpen(mute.reader);
    check(RLReadStreamRead(mute.reader, &byte, 1) == -1 && clock_now() - begin >= limit);
    note("%s", name_of_tls_error(RLReadStreamGetError(mute.reader)));
}
SCENARIO(limit_of_calls,
         .title = "Calls that wait end when the limit is over",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "ETIMEDOUT; ETIMEDOUT")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
/* Opens the gate that is the info. */
static void failed_on_queue(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    check(event == kRLStreamEventErrorOccurred && is_on_queue());
    open_gate(info);
}

static void limit_on_queue(void)
{
    const double limit = 0.05;
    struct tls_end end = end_to_mute_peer(client_of(RLSTR("localhost")));
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *failed = make_gate();
    RLStreamClientContext context = {.info = failed};
    double begin = clock_now();

    check(set_limit(end, limit));
    RLReadStreamSetClient(end.reader, kRLStreamEventErrorOccurred, failed_on_queue, &context);
    RLReadStreamSetDispatchQueue(end.reader, queue);
    check(RLReadStreamOpen(end.reader));
    pass_gate(failed);
    check(clock_now() - begin >= limit);
    note("%s", name_of_tls_error(RLReadStreamGetError(end.reader)));
    leave_queue(end.reader, queue);
}
SCENARIO(limit_on_queue,
         .title = "Streams on a queue fail when the limit is over",
         .clauses = "extension STRM-9",
         .rl_only = true,
         .own_process = true,
         .expected = "ETIMEDOUT")
#endif
