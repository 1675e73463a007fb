/*
 * Who waits for a socket, times what the kernel says of it: nobody is deaf, nobody spins, nobody
 * hangs. Entries of the error queue are the client's, and none of these clients takes them.
 */

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <poll.h>

/* --- What the kernel says --------------------------------------------------------------------- */

struct connection {
    int fd, peer;
    bool is_datagram;
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

static void await_events(int fd, short events)
{
    struct pollfd query = {.fd = fd, .events = events};

    check(poll(&query, 1, -1) == 1);
}

/* The entries of a socket that had none come in a moment. */
static void stamp(struct connection *made)
{
    int wanted = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID;

    check(setsockopt(made->fd, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0);
    check(send(made->fd, "x", 1, MSG_DONTWAIT) == 1);
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
    close(made->peer);
    made->peer = -1;
}

static const struct saying {
    const char *name;
    bool is_datagram, is_end, is_error;
    void (*say)(struct connection *made);
} sayings[] = {
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

/* What the one who waits has got. */
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
    add_socket(
        native_socket(NULL, fd, types, ^(RLSocketRef called, unsigned long type, const void *data) {
            if (type == kRLSocketReadCallBack) take_bytes(fd);
            if (type == kRLSocketDataCallBack) {
                long length = RLDataGetLength(data);
                take_result(length > 0 ? length : -1, 0);
            }
            if (ends_got > 0) RLSocketInvalidate(called);
        }), "DEF");
}

static void read_by_socket(int fd)
{
    serve_by_socket(fd, kRLSocketReadCallBack);
}

static void read_and_write_by_socket(int fd)
{
    serve_by_socket(fd, kRLSocketReadCallBack | kRLSocketWriteCallBack);
}

static void take_data_by_socket(int fd)
{
    serve_by_socket(fd, kRLSocketDataCallBack);
}

static void read_by_source(int fd)
{
    struct watcher *watcher;

    add_source(watch_descriptor(NULL, fd, kRLRunLoopDescriptorRead, ^{ take_bytes(fd); }, &watcher),
               "DEF");
}

static void readable_called(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    take_bytes(RLFileDescriptorGetNativeDescriptor(descriptor));
    if (ends_got == 0) RLFileDescriptorEnableCallBacks(descriptor, types);
}

static void read_by_file_descriptor(int fd)
{
    RLFileDescriptorRef descriptor = RLFileDescriptorCreate(NULL, fd, true, readable_called, NULL);
    source_ref source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    add_source(source, "DEF");
    at_return(^{
        RLFileDescriptorInvalidate(descriptor);
        RLRelease(descriptor);
        RLRelease(source);
    });
}

static RLReadStreamRef reader_of(int fd)
{
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, fd, &reader, NULL);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    at_return(^{
        RLReadStreamSetClient(reader, 0, NULL, NULL);
        RLReadStreamClose(reader);
        RLRelease(reader);
    });
    return reader;
}

static void read_told(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    UInt8 bytes[64];

    if (event == kRLStreamEventHasBytesAvailable) {
        take_result(RLReadStreamRead(stream, bytes, sizeof bytes), 0);
    } else if (event != kRLStreamEventOpenCompleted) {
        atomic_fetch_add(&ends_got, 1);
    }
}

static void read_by_stream(int fd)
{
    RLReadStreamRef reader = reader_of(fd);

    check(RLReadStreamSetClient(reader, ALL_STREAM_EVENTS, read_told, NULL));
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
    check(RLReadStreamOpen(reader));
}

static void read_by_call(int fd)
{
    RLReadStreamRef reader = reader_of(fd);

    check(RLReadStreamOpen(reader));
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

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void take_on_queue(int fd)
{
    RLReadStreamRef reader = reader_of(fd);
    struct dispatch_queue_s *queue = make_queue(NULL);

    check(RLReadStreamSetClient(reader, ALL_STREAM_EVENTS, read_told, NULL));
    RLReadStreamSetDispatchQueue(reader, queue);
    check(RLReadStreamOpen(reader));
    at_return(^{ leave_queue(reader, queue); });
}
#endif

static const struct waiter {
    const char *name;
    bool takes_datagrams;
    void (*begin)(int fd);
} waiters[] = {
    {"read callbacks", true, read_by_socket},
    {"read and write callbacks", true, read_and_write_by_socket},
    {"data callbacks", true, take_data_by_socket},
    {"a source", true, read_by_source},
    {"a file descriptor", true, read_by_file_descriptor},
    {"a stream", false, read_by_stream},
    {"a call", false, read_by_call},
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    {"a queue", false, take_on_queue},
#endif
};

/* --- Each with each --------------------------------------------------------------------------- */

static void run_for(double seconds)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, seconds, false);
}

/* Has the loop run until the one who waits has got so much. */
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

static void wait_for_saying(const struct waiter *waiter, const struct saying *saying)
{
    struct connection made = connect_two(saying->is_datagram);
    const char *fault = NULL;

    atomic_store(&bytes_got, 0);
    atomic_store(&ends_got, 0);
    atomic_store(&errors_got, 0);
    gets_datagrams = saying->is_datagram;
    add_timer(TIMER(NULL, .after = 1000), "DEF");
    waiter->begin(made.fd);
    run_for(0.001);
    saying->say(&made);
    if (saying->is_error && !comes(&errors_got, 1)) fault = "is not told";
    if (!rests()) fault = "spins";
    if (!saying->is_end) {
        check(send(made.peer, "hello", 5, 0) == 5);
        if (!comes(&bytes_got, 5)) fault = "is deaf";
    }
    if (!saying->is_end && ends_got > 0) fault = "is at its end";
    if (saying->is_end && !comes(&ends_got, 1)) fault = "is not told";
    if (!rests()) fault = "spins afterwards";
    if (made.peer >= 0) close(made.peer);
    if (!saying->is_datagram && !comes(&ends_got, 1)) fault = "is deaf to the end";
    if (fault) note("%s: %s %s", saying->name, waiter->name, fault);
}

static void what_the_kernel_says(void)
{
    for (size_t each = 0; each < sizeof sayings / sizeof sayings[0]; each++) {
        for (size_t who = 0; who < sizeof waiters / sizeof waiters[0]; who++) {
            const struct saying *saying = &sayings[each];
            const struct waiter *waiter = &waiters[who];
            if (saying->is_datagram && !waiter->takes_datagrams) continue;
            elsewhere(^{ wait_for_saying(waiter, saying); });
        }
    }
}
SCENARIO(what_the_kernel_says,
         .title = "Whatever the kernel says of a socket, who waits is neither deaf nor busy",
         .clauses = "SOCK-7 SOCK-9 SOCK-10 STRM-4 STRM-5",
         .own_process = true)
