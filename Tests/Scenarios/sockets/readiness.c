/*
 * Each kind of waiter for a socket, with each report of the kernel: no waiter misses an event,
 * spins or hangs. Entries of the error queue are the client's, and none of these clients takes
 * them.
 */

#include "../descriptors/descriptor_words.h"
#include "../streams/stream_words.h"
#include "../tls/tls_words.h"
#include "queues.h"
#include "scenario.h"
#include "socket_words.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>

/* --- The kernel's reports --------------------------------------------------------------------- */

struct connection {
    int fd, peer;
    bool is_datagram, is_secured;
    /* The streams of the handle, and of the peer if the connection is secured. */
    struct tls_end own, other;
};

static void bind_to_loopback(int fd, struct sockaddr_in *ret_address)
{
    socklen_t length = sizeof *ret_address;

    *ret_address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    check(bind(fd, (struct sockaddr *)ret_address, length) == 0);
    check(getsockname(fd, (struct sockaddr *)ret_address, &length) == 0);
}

/* A TCP connection, or two UDP sockets that are connected to each other. */
static struct connection connect_two(bool is_datagram)
{
    struct connection made = {.is_datagram = is_datagram};
    struct sockaddr_in own, other;
    int type = (is_datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC;
    int first = socket(AF_INET, type, 0);

    made.fd = socket(AF_INET, type, 0);
    bind_to_loopback(first, &other);
    bind_to_loopback(made.fd, &own);
    check(is_datagram || listen(first, 1) == 0);
    check(connect(made.fd, (struct sockaddr *)&other, sizeof other) == 0);
    made.peer = is_datagram ? first : accept4(first, NULL, NULL, SOCK_CLOEXEC);
    if (is_datagram) check(connect(made.peer, (struct sockaddr *)&own, sizeof own) == 0);
    if (!is_datagram) close(first);
    return made;
}

static void run_for(double seconds)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, seconds, false);
}

/* Opens streams of a connection; where they are secured, they have shaken hands then. */
static void open_streams(struct connection *made, bool is_secured)
{
    enum { MOST_LOOKS = 2000 };

    made->is_secured = is_secured;
    made->own = make_tls_end(made->fd, is_secured ? client_of(RLSTR("localhost")) : NULL);
    check(RLReadStreamOpen(made->own.reader) && RLWriteStreamOpen(made->own.writer));
    if (!is_secured) return;
    made->other = make_tls_end(made->peer, server_with(pem_of_server));
    check(RLReadStreamOpen(made->other.reader) && RLWriteStreamOpen(made->other.writer));
    bool is_over = false;
    for (int looks = 0; looks < MOST_LOOKS && !is_over; looks++) {
        is_over = shake_hands(made->other, made->own);
        if (!is_over) run_for(0.001);
    }
    check(is_over);
}

static void greet(const struct connection *made)
{
    if (made->is_secured) {
        write_tls_text(made->other.writer, "hello");
    } else {
        check(send(made->peer, "hello", 5, 0) == 5);
    }
}

/* Reads the peer's bytes. */
static void empty_peer(const struct connection *made)
{
    static UInt8 bytes[65536];
    RLReadStreamRef reader = made->other.reader;

    if (!made->is_secured) {
        while (recv(made->peer, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
    } else {
        while (RLReadStreamHasBytesAvailable(reader)) {
            if (RLReadStreamRead(reader, bytes, sizeof bytes) <= 0) break;
        }
    }
}

static void close_peer(struct connection *made)
{
    if (made->is_secured) {
        finish(made->other);
    } else if (made->peer >= 0) {
        close(made->peer);
    }
    made->peer = -1;
}

static void await_events(int fd, short events)
{
    struct pollfd query = {.fd = fd, .events = events};

    check(poll(&query, 1, -1) == 1);
}

/* The entries of a socket that had none come in a moment. No stream of the peer sees the byte. */
static void stamp(struct connection *made)
{
    int wanted = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID;

    check(setsockopt(made->fd, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0);
    check(send(made->fd, "x", 1, MSG_DONTWAIT) == 1);
    check(recv(made->peer, &(char){0}, 1, 0) == 1);
    await_events(made->fd, POLLERR);
}

static void complete(struct connection *made)
{
    int is_on = 1;

    check(setsockopt(made->fd, SOL_SOCKET, SO_ZEROCOPY, &is_on, sizeof is_on) == 0);
    check(send(made->fd, "x", 1, MSG_DONTWAIT | MSG_ZEROCOPY) == 1);
    /* When the peer has taken it. */
    check(recv(made->peer, &(char){0}, 1, 0) == 1);
    await_events(made->fd, POLLERR);
}

/* Sends to a peer that is away, which comes back under its address. */
static void be_refused(struct connection *made)
{
    struct sockaddr_in address, own;
    socklen_t length = sizeof address;

    check(getsockname(made->peer, (struct sockaddr *)&address, &length) == 0);
    check(getsockname(made->fd, (struct sockaddr *)&own, &length) == 0);
    close(made->peer);
    check(send(made->fd, "x", 1, MSG_DONTWAIT) == 1);
    made->peer = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    check(bind(made->peer, (struct sockaddr *)&address, sizeof address) == 0);
    check(connect(made->peer, (struct sockaddr *)&own, sizeof own) == 0);
}

static void be_refused_with_entry(struct connection *made)
{
    int is_on = 1;

    check(setsockopt(made->fd, IPPROTO_IP, IP_RECVERR, &is_on, sizeof is_on) == 0);
    be_refused(made);
}

static void hear_urgent(struct connection *made)
{
    check(send(made->peer, "!", 1, MSG_OOB) == 1);
}

static void see_half_end(struct connection *made)
{
    check(shutdown(made->peer, SHUT_WR) == 0);
}

static void be_reset(struct connection *made)
{
    struct linger at_once = {.l_onoff = 1};

    check(setsockopt(made->peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
    close_peer(made);
}

static const struct kernel_report {
    const char *name;
    bool is_datagram, is_end, is_error;
    void (*send_text)(struct connection *made);
} kernel_reports[] = {
    {"time stamps", false, false, false, stamp},
    {"completions", false, false, false, complete},
    {"urgent data", false, false, false, hear_urgent},
    {"half an end", false, true, false, see_half_end},
    {"a reset", false, true, false, be_reset},
    {"time stamps of datagrams", true, false, false, stamp},
    {"a refusal", true, false, true, be_refused},
    {"a refusal with an entry", true, false, true, be_refused_with_entry},
};

/* --- Who waits -------------------------------------------------------------------------------- */

/* The bytes of the waiter. */
static atomic_int bytes_got, ends_got, errors_got;
static bool gets_datagrams;

static void take_result(ssize_t length, int error)
{
    if (length > 0) atomic_fetch_add(&bytes_got, (int)length);
    if (length > 0 || (length < 0 && error == EAGAIN)) return;
    atomic_fetch_add(gets_datagrams ? &errors_got : &ends_got, 1);
}

static void take_bytes(int fd)
{
    char bytes[64];
    ssize_t length = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);

    take_result(length, errno);
}

static void serve_by_socket(int fd, unsigned long types)
{
    add_socket(native_socket(NULL, fd, types,
                             ^(RLSocketRef called, unsigned long type, const void *data) {
                                 if (type == kRLSocketReadCallBack) take_bytes(fd);
                                 if (type == kRLSocketDataCallBack) {
                                     long length = RLDataGetLength(data);
                                     take_result(length > 0 ? length : -1, 0);
                                 }
                                 if (ends_got > 0) RLSocketInvalidate(called);
                             }),
               "DEF");
}

static void read_by_socket(const struct connection *made)
{
    serve_by_socket(made->fd, kRLSocketReadCallBack);
}

static void read_and_write_by_socket(const struct connection *made)
{
    serve_by_socket(made->fd, kRLSocketReadCallBack | kRLSocketWriteCallBack);
}

static void take_data_by_socket(const struct connection *made)
{
    serve_by_socket(made->fd, kRLSocketDataCallBack);
}

static void read_by_source(const struct connection *made)
{
    struct watcher *watcher;
    int fd = made->fd;

    add_source(watch_descriptor(NULL, fd, kRLRunLoopDescriptorRead, ^{ take_bytes(fd); }, &watcher),
               "DEF");
}

static void readable_called(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    take_bytes(RLFileDescriptorGetNativeDescriptor(descriptor));
    if (ends_got == 0) RLFileDescriptorEnableCallBacks(descriptor, types);
}

static void read_by_file_descriptor(const struct connection *made)
{
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, made->fd, true, readable_called, NULL);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    add_source(source, "DEF");
    at_return(^{
        RLFileDescriptorInvalidate(descriptor);
        RLRelease(descriptor);
        RLRelease(source);
    });
}

static void read_event(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    UInt8 bytes[64];

    if (event == kRLStreamEventHasBytesAvailable) {
        take_result(RLReadStreamRead(stream, bytes, sizeof bytes), 0);
    } else if (event != kRLStreamEventOpenCompleted) {
        atomic_fetch_add(&ends_got, 1);
    }
}

static void read_by_stream(const struct connection *made)
{
    RLReadStreamRef reader = made->own.reader;

    check(RLReadStreamSetClient(reader, ALL_STREAM_EVENTS, read_event, NULL));
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
}

static void read_by_call(const struct connection *made)
{
    RLReadStreamRef reader = made->own.reader;

    RLRetain(reader);
    struct helper_thread *helper = start_thread(^{
        UInt8 bytes[64];
        RLIndex length;
        do {
            length = RLReadStreamRead(reader, bytes, sizeof bytes);
            take_result(length, 0);
        } while (length > 0);
        RLRelease(reader);
    });
    at_return(^{
        RLReadStreamClose(reader);
        join_thread(helper);
    });
}

/* More than the buffers of a connection take. */
enum { BULK = 1 << 20 };
static UInt8 bulk[BULK];

static void have_small_buffer(const struct connection *made)
{
    int size = 16384;

    check(setsockopt(made->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
}

static void write_event(RLWriteStreamRef stream, RLStreamEventType event, void *info)
{
    enum { PART = 4096 };

    if (event == kRLStreamEventCanAcceptBytes) {
        if (bytes_got < BULK) take_result(RLWriteStreamWrite(stream, bulk, PART), 0);
    } else if (event != kRLStreamEventOpenCompleted) {
        atomic_fetch_add(&ends_got, 1);
    }
}

static void write_by_stream(const struct connection *made)
{
    RLWriteStreamRef writer = made->own.writer;

    have_small_buffer(made);
    check(RLWriteStreamSetClient(writer, ALL_STREAM_EVENTS, write_event, NULL));
    RLWriteStreamScheduleWithRunLoop(writer, this_loop(), kRLRunLoopDefaultMode);
}

static void write_by_call(const struct connection *made)
{
    RLWriteStreamRef writer = made->own.writer;

    have_small_buffer(made);
    RLRetain(writer);
    struct helper_thread *helper = start_thread(^{
        RLIndex length = 1;
        while (length > 0 && bytes_got < BULK) {
            length = RLWriteStreamWrite(writer, bulk, BULK - bytes_got);
            take_result(length, 0);
        }
        RLRelease(writer);
    });
    at_return(^{
        RLWriteStreamClose(writer);
        join_thread(helper);
    });
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void take_on_queue(const struct connection *made)
{
    RLReadStreamRef reader = made->own.reader;
    struct dispatch_queue_s *queue = make_queue(NULL);

    check(RLReadStreamSetClient(reader, ALL_STREAM_EVENTS, read_event, NULL));
    RLReadStreamSetDispatchQueue(reader, queue);
    at_return(^{ leave_queue(reader, queue); });
}
#endif

static const struct waiter {
    const char *name;
    bool is_stream, writes;
    void (*begin)(const struct connection *made);
} waiters[] = {
    {"read callbacks", false, false, read_by_socket},
    {"read and write callbacks", false, false, read_and_write_by_socket},
    {"data callbacks", false, false, take_data_by_socket},
    {"a source", false, false, read_by_source},
    {"a file descriptor", false, false, read_by_file_descriptor},
    {"a stream", true, false, read_by_stream},
    {"a call", true, false, read_by_call},
    {"a stream that writes", true, true, write_by_stream},
    {"a call that writes", true, true, write_by_call},
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    {"a queue", true, false, take_on_queue},
#endif
};

/* --- Each with each --------------------------------------------------------------------------- */

/* Runs the loop until the waiter has that number of bytes. */
static bool comes(atomic_int *count, int wanted)
{
    enum { MOST_RUNS = 2000 };

    for (int runs = 0; runs < MOST_RUNS && atomic_load(count) < wanted; runs++) run_for(0.005);
    return atomic_load(count) >= wanted;
}

static double time_of_processor(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Returns whether there is a rest without work. Time is the subject. */
static bool rests(void)
{
    enum { MOST_RESTS = 10 };
    bool is_quiet = false;

    for (int rest = 0; rest < MOST_RESTS && !is_quiet; rest++) {
        double before = time_of_processor();
        run_for(0.02);
        is_quiet = time_of_processor() - before < 0.003;
    }
    return is_quiet;
}

/* Returns the fault of a waiter for bytes, or null. */
static const char *fault_of_reader(struct connection *made,
                                   const struct kernel_report *kernel_report)
{
    if (kernel_report->is_error && !comes(&errors_got, 1)) return "gets no event";
    if (!rests()) return "spins";
    if (!kernel_report->is_end) {
        greet(made);
        if (!comes(&bytes_got, 5)) return "is deaf";
        if (ends_got > 0) return "is at its end";
    } else if (!comes(&ends_got, 1)) {
        return "gets no event";
    }
    if (!rests()) return "spins afterwards";
    close_peer(made);
    return kernel_report->is_datagram || comes(&ends_got, 1) ? NULL : "is deaf to the end";
}

/* Returns the fault of a waiter for buffer space, or null. */
static const char *fault_of_writer(struct connection *made)
{
    enum { MOST_LOOKS = 5000 };

    if (!rests()) return "spins";
    if (made->peer < 0) return comes(&ends_got, 1) ? NULL : "gets no event";
    if (bytes_got >= BULK) return "never waits";
    for (int looks = 0; looks < MOST_LOOKS && bytes_got < BULK; looks++) {
        empty_peer(made);
        run_for(0.002);
    }
    if (bytes_got < BULK) return ends_got > 0 ? "is at its end" : "is deaf";
    return rests() ? NULL : "spins afterwards";
}

/* One who writes begins when the kernel has spoken, as there is no room for entries later. */
static void wait_for_answer(const struct waiter *waiter, const struct kernel_report *kernel_report,
                            bool is_secured)
{
    struct connection made = connect_two(kernel_report->is_datagram);

    atomic_store(&bytes_got, 0);
    atomic_store(&ends_got, 0);
    atomic_store(&errors_got, 0);
    gets_datagrams = kernel_report->is_datagram;
    add_timer(TIMER(NULL, .after = 1000), "DEF");
    if (waiter->is_stream) open_streams(&made, is_secured);
    if (!waiter->writes) waiter->begin(&made);
    run_for(0.001);
    kernel_report->send_text(&made);
    if (waiter->writes) waiter->begin(&made);
    const char *fault =
        waiter->writes ? fault_of_writer(&made) : fault_of_reader(&made, kernel_report);
    if (made.peer >= 0) close_peer(&made);
    if (!fault) return;
    note("%s: %s%s %s", kernel_report->name, waiter->name, is_secured ? ", secured," : "", fault);
}

static void wait_for_answers(bool is_secured)
{
    for (size_t each = 0; each < sizeof kernel_reports / sizeof kernel_reports[0]; each++) {
        for (size_t who = 0; who < sizeof waiters / sizeof waiters[0]; who++) {
            const struct kernel_report *kernel_report = &kernel_reports[each];
            const struct waiter *waiter = &waiters[who];
            if (waiter->is_stream ? kernel_report->is_datagram : is_secured) continue;
            elsewhere(^{ wait_for_answer(waiter, kernel_report, is_secured); });
        }
    }
}

static void kernel_readiness(void)
{
    wait_for_answers(false);
}
SCENARIO(kernel_readiness,
         .title = "Whatever the kernel reports of a socket, a waiter misses no event and does not spin",
         .clauses = "SOCK-7 SOCK-9 SOCK-10 STRM-4 STRM-5",
         .rl_only = true,
         .own_process = true)

static void kernel_readiness_of_secured(void)
{
    need_openssl();
    wait_for_answers(true);
}
SCENARIO(kernel_readiness_of_secured,
         .title = "Whatever the kernel reports of a secured connection, its streams continue",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* One peer resets its connection before it is accepted, one ends it, one is silent. */
static void kernel_readiness_of_listener(void)
{
    struct sockaddr_in address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), peers[3];

    atomic_store(&bytes_got, 0);
    bind_to_loopback(listener, &address);
    check(listen(listener, 8) == 0);
    add_socket(native_socket(NULL, listener, kRLSocketAcceptCallBack,
                             ^(RLSocketRef called, unsigned long type, const void *data) {
                                 close(*(const RLSocketNativeHandle *)data);
                                 atomic_fetch_add(&bytes_got, 1);
                             }),
               "DEF");
    add_timer(TIMER(NULL, .after = 1000), "DEF");
    for (int round = 0; round < 2; round++) {
        for (int each = 0; each < 3; each++) {
            peers[each] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            check(connect(peers[each], (struct sockaddr *)&address, sizeof address) == 0);
        }
        be_reset(&(struct connection){.peer = peers[0]});
        close(peers[1]);
        note_answer("accepted", comes(&bytes_got, 3 * round + 3));
        note_answer("rests", rests());
        close(peers[2]);
    }
    check(shutdown(listener, SHUT_RD) == 0);
    note_answer("rests when nobody can connect", rests());
}
SCENARIO(kernel_readiness_of_listener,
         .title = "A connection that is reset or ended before it is accepted does not block the listener",
         .clauses = "SOCK-7",
         .rl_only = true,
         .own_process = true,
         .expected = "accepted: yes; rests: yes; accepted: yes; rests: yes; "
                     "rests when nobody can connect: yes")

/* One of the sources is served before the stream, whatever their order is. */
static void stream_bytes_taken(void)
{
    struct connection made = connect_two(false);
    __block int reported = 0;

    atomic_store(&bytes_got, 0);
    open_streams(&made, false);
    read_by_source(&made);
    serve_reader(made.own.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        if (event == kRLStreamEventHasBytesAvailable) reported++;
    });
    read_by_source(&made);
    run_for(0.001);
    greet(&made);
    await_events(made.fd, POLLIN);
    note_answer("all are taken", comes(&bytes_got, 5));
    run_for(0.01);
    note_answer("the stream is notified", reported > 0);
    close_peer(&made);
}
SCENARIO(stream_bytes_taken,
         .title = "A stream whose bytes a source of the same round has taken is not announced",
         .clauses = "STRM-4",
         .rl_only = true,
         .own_process = true,
         .expected = "all are taken: yes; the stream is notified: no")
