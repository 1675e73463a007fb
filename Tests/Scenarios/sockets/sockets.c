/* Sockets, RLSocket and CFSocket: their properties, and data. */

#include "scenario.h"
#include "socket_words.h"

static void socket_numbers(void)
{
    int *ends = handle_pair(SOCK_STREAM);

    check(kRLSocketNoCallBack == 0 && kRLSocketReadCallBack == 1 && kRLSocketAcceptCallBack == 2);
    check(kRLSocketDataCallBack == 3 && kRLSocketConnectCallBack == 4);
    check(kRLSocketWriteCallBack == 8 && kRLSocketLeaveErrors == 64);
    check(kRLSocketCloseOnInvalidate == 128 && kRLSocketAutomaticallyReenableDataCallBack == 3);
    check(kRLSocketSuccess == 0 && kRLSocketError == -1 && kRLSocketTimeout == -2);
    note("%lx", RLSocketGetSocketFlags(native_socket("r", ends[0], kRLSocketReadCallBack, NULL)));
    note("%lx", RLSocketGetSocketFlags(fresh_socket("w", kRLSocketWriteCallBack, NULL)));
    note("%lx", RLSocketGetSocketFlags(fresh_socket("d", kRLSocketDataCallBack, NULL)));
    RLSocketRef last = fresh_socket("n", kRLSocketNoCallBack, NULL);
    RLSocketSetSocketFlags(last, 0xFFFF);
    note("%lx", RLSocketGetSocketFlags(last));
}
SCENARIO(socket_numbers,
         .title = "Types, flags and errors have their numbers; the first flags come from the types",
         .clauses = "SOCK-1 SOCK-2",
         .expected = "81; 80; 83; ff")

static void one_socket_per_handle(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketContext context = socket_context("first", true, NULL);
    RLSocketContext other = socket_context("other", true, NULL);

    RLSocketRef first =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketReadCallBack, socket_called, &context);
    RLSocketRef second =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketWriteCallBack, socket_called, &other);
    note_answer("the same", first == second);
    RLSocketGetContext(second, &other);
    note_answer("first context", other.info == context.info);
    RLSocketInvalidate(first);
    RLSocketGetContext(first, &other);
    note_answer("info", other.info != NULL);
    RLRelease(first);
    RLRelease(second);
}
SCENARIO(one_socket_per_handle,
         .title = "A handle has one socket, whose first context counts",
         .clauses = "SOCK-3 SOCK-22",
         .expected = "first retained; the same: yes; first context: yes; first released; info: no")

static void socket_source(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketReadCallBack, NULL);

    RLRunLoopSourceRef first = RLSocketCreateRunLoopSource(NULL, socket, 5);
    RLRunLoopSourceRef again = RLSocketCreateRunLoopSource(NULL, socket, 7);
    note_answer("the same", first == again);
    note("%ld", (long)RLRunLoopSourceGetOrder(again));
    RLRunLoopSourceInvalidate(first);
    note_answer("socket valid", RLSocketIsValid(socket));
    RLRunLoopSourceRef next = RLSocketCreateRunLoopSource(NULL, socket, 9);
    note_answer("another", next != first && RLRunLoopSourceIsValid(next));
    note("%ld", (long)RLRunLoopSourceGetOrder(next));
    RLSocketInvalidate(socket);
    note_answer("source valid", RLRunLoopSourceIsValid(next));
    note_answer("made of an invalid socket", RLSocketCreateRunLoopSource(NULL, socket, 0) != NULL);
    RLRelease(first);
    RLRelease(again);
    RLRelease(next);
}
SCENARIO(socket_source,
         .title = "A socket has one source, and another when that was invalidated",
         .clauses = "SOCK-5 SOCK-15 SOCK-16",
         .expected_hints = "create the source before you invalidate the socket",
         .expected = "the same: yes; 5; socket valid: yes; another: yes; 9; source valid: no; "
                     "made of an invalid socket: no")

static void socket_reads(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char text[8];
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
         .clauses = "SOCK-7",
         .expected = "r read; r read; r read; 3; = Stopped; = TimedOut")

static void socket_read_once(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket =
        native_socket("r", ends[0], kRLSocketReadCallBack,
                      ^(RLSocketRef called, unsigned long type, const void *data) { stop(); });

    RLSocketSetSocketFlags(socket, 0);
    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, false);
    run("DEF", 0.005, false);
    RLSocketEnableCallBacks(socket, kRLSocketWriteCallBack);
    run("DEF", 0.005, false);
    RLSocketEnableCallBacks(socket, kRLSocketReadCallBack);
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_read_once,
         .title = "Without the flag the read callback comes once for each time it is enabled",
         .clauses = "SOCK-7",
         .expected = "r read; = Stopped; = TimedOut; = TimedOut; r read; = Stopped; = TimedOut")

static void socket_read_disabled(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           RLSocketDisableCallBacks(called, kRLSocketReadCallBack);
                                           stop();
                                       });

    RLSocketDisableCallBacks(socket, kRLSocketReadCallBack);
    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, false);
    run("DEF", 0.005, false);
    RLSocketEnableCallBacks(socket, kRLSocketReadCallBack);
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_read_disabled,
         .title = "What is disabled in the callback does not come again by itself; what is "
                  "disabled before the socket is in a mode does",
         .clauses = "SOCK-6 SOCK-7",
         .expected = "r read; = Stopped; = TimedOut; r read; = Stopped; = TimedOut")

static void socket_read_end(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           if (++calls == 3) stop();
                                       });

    add_socket(socket, "DEF");
    check(shutdown(ends[1], SHUT_WR) == 0);
    run("DEF", is_on_reference ? 10 : 0.2, false);
    calls = 2;
    RLSocketEnableCallBacks(socket, kRLSocketReadCallBack);
    run("DEF", 10, false);
}
SCENARIO(socket_read_end,
         .title = "The end of a stream gives one read callback, and another when enabled again",
         .clauses = "SOCK-8",
         .deviation = "D26: a client that ignores the end must not keep the loop busy",
         .reference = "r read; r read; r read; = Stopped; r read; = Stopped",
         .expected = "r read; = TimedOut; r read; = Stopped")

static void socket_packets_read_end(void)
{
    int *ends = handle_pair(SOCK_SEQPACKET);
    const int most_calls = is_on_reference ? 4 : 2;
    __block int calls = 0;
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char bytes[4];
                                           size_t size = sizeof bytes;
                                           if (calls == 0) check(read(ends[0], bytes, size) == 3);
                                           if (++calls == most_calls) stop();
                                       });

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    check(shutdown(ends[1], SHUT_WR) == 0);
    run("DEF", 10, false);
    if (!is_on_reference) run("DEF", 0.01, false);
    calls = most_calls - 1;
    RLSocketEnableCallBacks(socket, kRLSocketReadCallBack);
    run("DEF", 10, false);
}
SCENARIO(socket_packets_read_end,
         .title = "The end of packets gives one read callback, and another when enabled again",
         .clauses = "SOCK-8",
         .deviation = "D26: a client that ignores the end must not keep the loop busy",
         .reference = "r read; r read; r read; r read; = Stopped; r read; = Stopped",
         .expected = "r read; r read; = Stopped; = TimedOut; r read; = Stopped")

static void socket_packets_data_end(void)
{
    int *ends = handle_pair(SOCK_SEQPACKET);
    __block int calls = 0;
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketDataCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           if (++calls == 6) stop();
                                       });

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    write_text(ends[1], "");
    write_text(ends[1], "de");
    hang_up(ends);
    run("DEF", 10, false);
    note_answer("valid", RLSocketIsValid(socket));
}
SCENARIO(socket_packets_data_end,
         .title = "Packets may be empty; after the last one comes empty data, and the socket ends",
         .clauses = "SOCK-10",
         .deviation = "D26: a peer that has closed must not keep the loop busy",
         .reference = "r data 3; r data 0; r data 2; r data 0; r data 0; r data 0; = Stopped; "
                      "valid: yes",
         .expected = "r data 3; r data 0; r data 2; r data 0; = Finished; valid: no")

static void socket_read_nested(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("r", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char text[8];
                                           run("DEF", 0.005, false);
                                           check(read(ends[0], text, sizeof text) == 3);
                                           stop();
                                       });

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_read_nested,
         .title = "A callback that runs the loop is not called again meanwhile",
         .clauses = "SOCK-7",
         .expected = "r read; = TimedOut; = Stopped; = TimedOut")

static void socket_data(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("d", ends[0], kRLSocketDataCallBack, NULL);

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, true);
    hang_up(ends);
    run("DEF", 10, true);
    note_answer("valid", RLSocketIsValid(socket));
    run("DEF", 10, true);
}
SCENARIO(socket_data,
         .title = "Data comes in chunks with an address; empty data ends the stream and the socket",
         .clauses = "SOCK-9 SOCK-10",
         .expected = "d data 3; = HandledSource; d data 0; = HandledSource; valid: no; = Finished")

static void socket_data_chunks(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block long total = 0, longest = 0;
    RLSocketRef socket = native_socket(NULL, ends[0], kRLSocketDataCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           long length = RLDataGetLength(data);
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
    RLSocketRef socket = native_socket("d", ends[0], kRLSocketDataCallBack, NULL);

    add_socket(socket, "DEF");
    write_text(ends[1], "abc");
    run("DEF", 10, true);
    check(send(ends[1], "", 0, 0) == 0);
    run("DEF", 10, true);
    write_text(ends[1], "de");
    run("DEF", 10, true);
    note_answer("valid", RLSocketIsValid(socket));
}
SCENARIO(socket_datagrams,
         .title = "Each datagram is data of its own; an empty one ends nothing",
         .clauses = "SOCK-9 SOCK-10",
         .expected = "d data 3; = HandledSource; d data 0; = HandledSource; d data 2; "
                     "= HandledSource; valid: yes")

static void socket_senders(void)
{
    RLSocketContext context = socket_context("u", false, NULL);
    RLSocketRef one = kept_socket(RLSocketCreate(NULL, PF_INET, SOCK_DGRAM, 0,
                                                 kRLSocketDataCallBack, socket_called, &context));
    RLSocketRef two =
        kept_socket(RLSocketCreate(NULL, PF_INET, SOCK_DGRAM, 0, kRLSocketNoCallBack, NULL, NULL));

    check(RLSocketSetAddress(one, loopback_address()) == kRLSocketSuccess);
    check(RLSocketSetAddress(two, loopback_address()) == kRLSocketSuccess);
    RLDataRef address = RLSocketCopyAddress(one);
    note("%ld", (long)RLDataGetLength(address));
    check(RLSocketCopyPeerAddress(one) == NULL);
    check(RLSocketSendData(two, address, data_of_text("hello"), 1) == kRLSocketSuccess);
    add_socket(one, "DEF");
    run("DEF", 10, true);
    RLRelease(address);
}
SCENARIO(socket_senders,
         .title = "A datagram is sent to an address and arrives with one",
         .clauses = "SOCK-9 SOCK-17 SOCK-19 SOCK-22",
         .expected = "16; u data 5; = HandledSource")

static void socket_writes(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    __block int calls = 0;
    RLSocketRef socket =
        native_socket("w", ends[0], kRLSocketWriteCallBack,
                      ^(RLSocketRef called, unsigned long type, const void *data) {
                          calls++;
                          if (calls == 5) {
                              RLSocketSetSocketFlags(called, kRLSocketCloseOnInvalidate);
                          }
                          if (calls < 3 || calls == 5) stop();
                      });

    add_socket(socket, "DEF");
    run("DEF", 10, false);
    run("DEF", 0.005, false);
    RLSocketEnableCallBacks(socket, kRLSocketWriteCallBack);
    run("DEF", 10, false);
    run("DEF", 0.005, false);
    RLSocketSetSocketFlags(socket, kRLSocketAutomaticallyReenableWriteCallBack);
    RLSocketEnableCallBacks(socket, kRLSocketWriteCallBack);
    run("DEF", 10, false);
    run("DEF", 0.005, false);
}
SCENARIO(socket_writes,
         .title = "The write callback comes once, and again by itself only with its flag",
         .clauses = "SOCK-14",
         .expected = "w write; = Stopped; = TimedOut; w write; = Stopped; = TimedOut; "
                     "w write; w write; w write; = Stopped; = TimedOut")

static void socket_read_again_after_due_timer(void)
{
    enum { ROUNDS = 3 };
    int *ends = handle_pair(SOCK_STREAM);
    __block int rounds = 0;
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char byte;
                                           check(read(ends[0], &byte, 1) == 1);
                                           bool is_last = ++rounds == ROUNDS;
                                           after(-1, "due", "DEF", ^{
                                               if (is_last) stop();
                                           });
                                           stay_busy(0.0005);
                                           if (!is_last) write_text(ends[1], "a");
                                       });

    add_socket(socket, "DEF");
    write_text(ends[1], "a");
    run("DEF", 10, false);
    run("DEF", 0, false);
}
SCENARIO(socket_read_again_after_due_timer,
         .title = "A timer that a socket's callback adds fires before the next callback",
         .clauses = "RUN-17 RUN-19 SOCK-7",
         .expected = "s read; due; s read; due; s read; due; = Stopped; = TimedOut")
