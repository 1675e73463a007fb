/*
 * Peers that send as fast as they can. A loop takes what comes in portions, and in between its
 * timers, its other descriptors, forks and other sessions have their turn.
 *
 * A flood ends when all of them have had enough turns, and fails if the peer has sent first what a
 * loop needs far longer for than they do: so a slow machine changes nothing. The longest gap of the
 * timer is printed, as only an idle machine tells something by it. What the thread itself was busy
 * for in such a gap tells something on any machine, and has a limit.
 */

#include <linux/sockios.h>
#include <math.h>
#include <stdatomic.h>

/* Sends one unit of a flood. Returns false if there is no room now. */
typedef bool (^flooder)(void);

struct flood {
    const char *name;
    /* Has the thread's loop receive, and returns what sends. */
    flooder (*begin)(void);
    /* What the peer sends at most. */
    long most_units;
    /* How many callbacks there may be in one pass. */
    long most_at_once;
    /* Whether a TLS session on another thread goes on too. */
    bool has_other_session;
};

enum { TURNS = 5, FORKS = 3, ROOM_WAIT_MS = 10 };

/* Sanitizers are slow. */
#if defined(__has_feature)
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif
static const double most_used = IS_SANITIZED ? 1 : 0.05;

/* Each flood has a process of its own. */
static atomic_bool flood_is_over, flood_was_too_long;
/* One for each who needs some, and one until all of them have begun. */
static atomic_int turns_to_come = 1;
static long taken_in_pass, most_taken;

/* To be called by each callback of the receiving end. */
static void take_portion(void)
{
    if (++taken_in_pass > most_taken) most_taken = taken_in_pass;
}

static void end_turns(void)
{
    if (atomic_fetch_sub(&turns_to_come, 1) == 1) atomic_store(&flood_is_over, true);
}

static struct helper_thread *start_flooder(flooder send_one, long most_units)
{
    const long least_units = most_units / 1000;

    /* A flood of which little has come shows nothing. */
    if (least_units > 0) atomic_fetch_add(&turns_to_come, 1);
    return start_thread(^{
        long units = 0;
        while (!atomic_load(&flood_is_over) && units < most_units) {
            if (send_one() && ++units == least_units) end_turns();
        }
        if (!atomic_load(&flood_is_over)) atomic_store(&flood_was_too_long, true);
    });
}

/* The child goes on if its loop serves it. */
static void be_child(void)
{
    __block bool is_served = false;

    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{ is_served = true; });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    _exit(!is_served);
}

/* Forks while the flood lasts: it is over before it should be if forks have to wait for its end. */
static struct helper_thread *start_forking(void)
{
    atomic_fetch_add(&turns_to_come, 1);
    return start_thread(^{
        for (int count = 0; count < FORKS; count++) {
            int status;
            pid_t child = fork();
            if (child == 0) be_child();
            check(waitpid(child, &status, 0) == child && status == 0);
        }
        end_turns();
    });
}

/* Has a byte go to a descriptor of the loop and come back, again and again. */
static struct helper_thread *start_neighbor(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    int far_end = ends[1], near_end = ends[0];

    add_socket(native_socket(NULL, near_end, kRLSocketReadCallBack,
                             ^(RLSocketRef socket, unsigned long type, const void *data) {
                                 char byte;
                                 (void)socket, (void)type, (void)data;
                                 check(read(near_end, &byte, 1) == 1);
                                 check(write(near_end, &byte, 1) == 1);
                             }),
               "DEF");
    atomic_fetch_add(&turns_to_come, 1);
    return start_thread(^{
        char byte = 'x';
        for (int count = 0; count < TURNS; count++) {
            check(write(far_end, &byte, 1) == 1 && read(far_end, &byte, 1) == 1);
        }
        end_turns();
    });
}

/* Has two ends of a connection of their own talk by TLS. */
static struct helper_thread *start_other_session(void)
{
    struct tls_end server, client;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    open_tls_ends(server, client);
    atomic_fetch_add(&turns_to_come, 1);
    return start_thread(^{
        UInt8 byte = 'x';
        check(shake_hands(server, client));
        for (int count = 0; count < TURNS; count++) {
            check(RLWriteStreamWrite(client.writer, &byte, 1) == 1);
            check(RLReadStreamRead(server.reader, &byte, 1) == 1);
        }
        end_turns();
    });
}

/* Processor time of the thread, which others that use the machine do not make longer. */
static double time_used(void)
{
    struct timespec time;

    check(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct gap {
    double longest, most_used;
};

static void watch_gap(struct gap *gap)
{
    __block double last = clock_now(), last_used = time_used();
    __block int fired = 0;

    atomic_fetch_add(&turns_to_come, 1);
    when(kRLRunLoopBeforeTimers, "DEF", ^{ taken_in_pass = 0; });
    add_timer(
        TIMER("t", .after = 0.01, .interval = 0.01, .quiet = true, .fire = ^(timer_ref timer) {
            double now = clock_now(), used = time_used();
            (void)timer;
            gap->longest = fmax(gap->longest, now - last);
            gap->most_used = fmax(gap->most_used, used - last_used);
            last = now;
            last_used = used;
            if (++fired == TURNS) end_turns();
        }), "DEF");
}

static void run_flood(const struct flood *flood)
{
    struct gap *gap = calloc(1, sizeof *gap);
    struct helper_thread *threads[4];
    int count = 0;

    at_end(^{ free(gap); });
    signal(SIGPIPE, SIG_IGN);
    flooder send_one = flood->begin();
    at_end(^{ release_block((const void *)send_one); });
    if (flood->has_other_session) threads[count++] = start_other_session();
    threads[count++] = start_neighbor();
    threads[count++] = start_forking();
    watch_gap(gap);
    threads[count++] = start_flooder(send_one, flood->most_units);
    end_turns();
    /* Also those who have not had their turns when the flood has ended. */
    while (atomic_load(&turns_to_come) > 0) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
    }
    for (int index = 0; index < count; index++) join_thread(threads[index]);
    fprintf(stderr, "%s: longest gap %.1f ms, %.1f ms of them busy; %ld portions in a pass\n",
            flood->name, gap->longest * 1e3, gap->most_used * 1e3, most_taken);
    note("%s", atomic_load(&flood_was_too_long) ? "starved" : "goes on");
    if (most_taken > flood->most_at_once) note("%ld portions in a pass", most_taken);
    if (most_taken == 0) note("nothing came");
    if (gap->most_used > most_used) note("the loop was held for %.0f ms", gap->most_used * 1e3);
}

/* --- Descriptors of the peer ------------------------------------------------------------------ */

/* Waits a little for room. Returns whether there is none now, for flooders to say. */
static bool await_room(int handle)
{
    struct pollfd query = {.fd = handle, .events = POLLOUT};

    poll(&query, 1, ROOM_WAIT_MS);
    return false;
}

static bool send_bytes(int handle, size_t length, int flags)
{
    static const UInt8 bytes[65536];

    if (send(handle, bytes, length, flags | MSG_DONTWAIT | MSG_NOSIGNAL) > 0) return true;
    return await_room(handle);
}

/* --- TLS -------------------------------------------------------------------------------------- */

static void *openssl_function(const char *name)
{
    return dlsym(dlopen("libssl.so.3", RTLD_NOW), name);
}

/* Reads all that comes, in large pieces. */
static void drain(RLReadStreamRef reader)
{
    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        static UInt8 bytes[65536];
        take_portion();
        if (event == kRLStreamEventHasBytesAvailable) {
            check(RLReadStreamRead(called, bytes, sizeof bytes) > 0);
        }
        check(event != kRLStreamEventErrorOccurred);
    });
}

/* Where the flood arrives. */
static int receiving_handle;

/* A client of OpenSSL's own that has shaken hands with a server of ours, which drains. */
static struct raw_client flooding_client(int *ret_handle)
{
    int handles[2];

    need_openssl();
    connect_by_tcp(handles);
    struct tls_end server = make_tls_end(handles[0], server_with(pem_of_server));
    struct raw_client client = make_raw_client(handles[1]);
    shake_hands_with(&client, server);
    receiving_handle = handles[0];
    drain(server.reader);
    serve_writer(server.writer, NULL, NULL);
    /* All else than bytes calls nobody. */
    take_portion();
    *ret_handle = handles[1];
    int handle = handles[1];
    at_return(^{ close(handle); });
    return client;
}

/*
 * Has new keys wait in the socket, with a byte before each so many of them, before the loop runs:
 * to take one in costs far more than to send it has. What is returned sends nothing more, and tells
 * when all of them are taken.
 */
static flooder key_flooder(int asks, int updates_per_byte)
{
    enum { MOST_UPDATES = 40000, LEAST_UPDATES = 10000 };
    int handle, updates = 0;
    struct raw_client client = flooding_client(&handle);
    int (*send_some)(void *, const void *, int) =
        (int (*)(void *, const void *, int))openssl_function("SSL_write");

    for (bool has_room = true; has_room && updates < MOST_UPDATES; updates++) {
        if (updates_per_byte > 0 && updates % updates_per_byte == 0) {
            (void)send_some(client.ssl, "x", 1);
        }
        has_room =
            client.ask_for_new_keys(client.ssl, asks) == 1 && client.shake_hands(client.ssl) == 1;
    }
    check(updates >= LEAST_UPDATES);
    return copied((const void *)^bool(void) {
        static char answers[65536];
        struct pollfd query = {.fd = handle, .events = POLLIN};
        int unread = 0;
        poll(&query, 1, 1);
        while (recv(handle, answers, sizeof answers, MSG_DONTWAIT) > 0) continue;
        check(ioctl(handle, SIOCOUTQ, &unread) == 0);
        return unread == 0 && bytes_in(receiving_handle) == 0;
    });
}

static flooder flood_with_keys(void)
{
    return key_flooder(0, 0);
}

static flooder flood_with_questions(void)
{
    return key_flooder(1, 0);
}

static flooder flood_with_keys_and_bytes(void)
{
    return key_flooder(0, 500);
}

static flooder flood_with_records(void)
{
    int handle;
    struct raw_client client = flooding_client(&handle);
    int (*send_some)(void *, const void *, int) =
        (int (*)(void *, const void *, int))openssl_function("SSL_write");

    return copied((const void *)^bool(void) {
        return send_some(client.ssl, "x", 1) == 1 || await_room(handle);
    });
}

static const char *server_file(void)
{
    const char *path = kept_text("%s/server.pem", make_folder());
    FILE *file = fopen(path, "w");

    check(fputs(pem_of_server, file) >= 0);
    fclose(file);
    return path;
}

/* A server of OpenSSL's own, which sends tickets to a client of ours. */
static flooder flood_with_tickets(void)
{
    int handles[2];

    need_openssl();
    connect_by_tcp(handles);
    void *(*method)(void) = (void *(*)(void))openssl_function("TLS_server_method");
    void *(*make_context)(void *) = (void *(*)(void *))openssl_function("SSL_CTX_new");
    void *(*make)(void *) = (void *(*)(void *))openssl_function("SSL_new");
    int (*use)(void *, const char *) =
        (int (*)(void *, const char *))openssl_function("SSL_CTX_use_certificate_chain_file");
    int (*use_key)(void *, const char *, int) =
        (int (*)(void *, const char *, int))openssl_function("SSL_CTX_use_PrivateKey_file");
    int (*set_handle)(void *, int) = (int (*)(void *, int))openssl_function("SSL_set_fd");
    int (*answer)(void *) = (int (*)(void *))openssl_function("SSL_accept");
    int (*go_on)(void *) = (int (*)(void *))openssl_function("SSL_do_handshake");
    int (*make_ticket)(void *) = (int (*)(void *))openssl_function("SSL_new_session_ticket");
    const char *path = server_file();
    void *context = make_context(method());
    check(use(context, path) == 1 && use_key(context, path, 1) == 1);
    void *ssl = make(context);
    void (*drop)(void *) = (void (*)(void *))openssl_function("SSL_free");
    void (*drop_context)(void *) = (void (*)(void *))openssl_function("SSL_CTX_free");
    at_return(^{
        drop(ssl);
        drop_context(context);
    });
    int handle = handles[1];
    check(set_handle(ssl, handle) == 1);
    struct tls_end client = make_tls_end(handles[0], client_of(RLSTR("localhost")));
    check(RLReadStreamOpen(client.reader) && RLWriteStreamOpen(client.writer));
    while (answer(ssl) != 1) (void)RLWriteStreamCanAcceptBytes(client.writer);
    drain(client.reader);
    take_portion();
    at_return(^{ close(handle); });
    __block bool is_sent = true;
    return copied((const void *)^bool(void) {
        if (is_sent) check(make_ticket(ssl) == 1);
        is_sent = go_on(ssl) == 1;
        return is_sent || await_room(handle);
    });
}

/* --- Streams and sockets ---------------------------------------------------------------------- */

static flooder flood_stream(void)
{
    int handles[2];

    connect_by_tcp(handles);
    struct tls_end end = make_tls_end(handles[0], NULL);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    drain(end.reader);
    int handle = handles[1];
    at_return(^{ close(handle); });
    return copied((const void *)^bool(void) { return send_bytes(handle, 65536, 0); });
}

/* A socket of ours whose every callback counts. */
static void serve_flooded(int handle, unsigned long types)
{
    add_socket(native_socket(NULL, handle, types,
                             ^(RLSocketRef socket, unsigned long type, const void *data) {
                                 (void)socket;
                                 take_portion();
                                 if (type == kRLSocketAcceptCallBack) close(*(const int *)data);
                             }),
               "DEF");
}

static flooder flood_socket(void)
{
    int handles[2];

    connect_by_tcp(handles);
    serve_flooded(handles[0], kRLSocketDataCallBack);
    int handle = handles[1];
    at_return(^{ close(handle); });
    return copied((const void *)^bool(void) { return send_bytes(handle, 65536, 0); });
}

static flooder flood_with_urgent_bytes(void)
{
    int handles[2];

    connect_by_tcp(handles);
    serve_flooded(handles[0], kRLSocketDataCallBack);
    int handle = handles[1];
    at_return(^{ close(handle); });
    return copied((const void *)^bool(void) { return send_bytes(handle, 2, MSG_OOB); });
}

static flooder flood_file_descriptor(void)
{
    int *ends = handle_pair(SOCK_DGRAM), near_end = ends[0], far_end = ends[1];
    RLFileDescriptorRef descriptor =
        watch_fd(NULL, near_end, ^(RLFileDescriptorRef called, RLOptionFlags types) {
            char byte;
            take_portion();
            check(types == kRLFileDescriptorReadCallBack && read(near_end, &byte, 1) == 1);
            RLFileDescriptorEnableCallBacks(called, kRLFileDescriptorReadCallBack);
        });

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    return copied((const void *)^bool(void) { return send_bytes(far_end, 1, 0); });
}

static flooder flood_with_datagrams(void)
{
    int *ends = handle_pair(SOCK_DGRAM), handle = ends[1];

    serve_flooded(ends[0], kRLSocketDataCallBack);
    return copied((const void *)^bool(void) { return send_bytes(handle, 1, 0); });
}

/* Nobody takes the bytes: the socket stays ready for all the time. */
static flooder flood_unread(void)
{
    int *ends = handle_pair(SOCK_DGRAM), handle = ends[1];

    serve_flooded(ends[0], kRLSocketReadCallBack);
    return copied((const void *)^bool(void) {
        (void)send_bytes(handle, 1, 0);
        return true;
    });
}

static flooder flood_with_connections(void)
{
    struct sockaddr_in *address = calloc(1, sizeof *address);
    socklen_t length = sizeof *address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    check(bind(listener, (struct sockaddr *)address, length) == 0 && listen(listener, 128) == 0);
    check(getsockname(listener, (struct sockaddr *)address, &length) == 0);
    serve_flooded(listener, kRLSocketAcceptCallBack);
    at_end(^{ free(address); });
    return copied((const void *)^bool(void) {
        int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const struct linger reset = {.l_onoff = 1};
        bool is_begun =
            connect(peer, (struct sockaddr *)address, length) == 0 || errno == EINPROGRESS;
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        (void)await_room(peer);
        close(peer);
        return is_begun;
    });
}

/* --- Messages --------------------------------------------------------------------------------- */

static void serve_flooded_port(void)
{
    use_own_folder();
    serve("flooded", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local, (void)id, (void)data;
        take_portion();
        return NULL;
    });
}

/* Sends a packet of the connection, or of one that takes its place when it is closed. */
static bool send_packet(int *connection, const void *packet, size_t length, int file)
{
    if (*connection < 0) *connection = raw_connect("flooded");
    if (raw_send(*connection, packet, length, file, file >= 0) >= 0) return true;
    if (errno == EPIPE || errno == ECONNRESET) {
        close(*connection);
        *connection = -1;
        return true;
    }
    return await_room(*connection);
}

static void set_no_wait(int handle)
{
    check(fcntl(handle, F_SETFL, O_NONBLOCK) == 0);
}

static flooder message_flooder(const struct raw_packet *packet, size_t length, int file)
{
    struct raw_packet *own = malloc(sizeof *own);
    int *connection = malloc(sizeof *connection);

    *own = *packet;
    *connection = raw_connect("flooded");
    at_end(^{
        free(own);
        close(*connection);
        free(connection);
    });
    return copied((const void *)^bool(void) {
        own->serial++;
        if (*connection >= 0) set_no_wait(*connection);
        return send_packet(connection, own, length, file);
    });
}

static flooder flood_with_messages(void)
{
    serve_flooded_port();
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_request, .total = 4};
    return message_flooder(&packet, raw_header + 4, -1);
}

/* First parts of messages, each of which replaces the one before it. */
static flooder flood_with_parts(void)
{
    serve_flooded_port();
    take_portion();
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_request, .total = 150000};
    return message_flooder(&packet, raw_header + sizeof packet.payload, -1);
}

static flooder flood_with_garbage(void)
{
    serve_flooded_port();
    take_portion();
    const struct raw_packet packet = {.magic = 1};
    return message_flooder(&packet, 50, -1);
}

enum { LARGEST = 64 << 20 };

static int largest_file(size_t header)
{
    int file = seal(memory_file(header + LARGEST));

    at_end(^{ close(file); });
    return file;
}

static flooder flood_with_files(void)
{
    serve_flooded_port();
    const struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_shared, .total = LARGEST};
    return message_flooder(&packet, raw_header, largest_file(0));
}

static flooder mach_flooder(size_t length, int file)
{
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        (void)message;
        take_portion();
    });
    int sender = dup(RLMachPortGetPort(port));

    at_end(^{ close(sender); });
    set_no_wait(sender);
    if (length < raw_header) take_portion();
    return copied((const void *)^bool(void) {
        const struct raw_packet packet = {
            .magic = raw_magic,
            .kind = raw_request,
            .flags = file >= 0 ? raw_shared : 0,
            .total = file >= 0 ? LARGEST : 0,
        };
        return raw_send(sender, &packet, length, file, file >= 0) >= 0 || await_room(sender);
    });
}

static flooder flood_mach_port(void)
{
    return mach_flooder(raw_header, -1);
}

static flooder flood_mach_port_with_garbage(void)
{
    return mach_flooder(20, -1);
}

static flooder flood_mach_port_with_files(void)
{
    return mach_flooder(raw_header, largest_file(sizeof(RLMachMessageHeader)));
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
/* --- Dispatch queues -------------------------------------------------------------------------- */

/* Blocks for the main queue, of which only so many wait. */
static flooder flood_main_queue(void)
{
    static atomic_int waiting;

    return copied((const void *)^bool(void) {
        if (atomic_load(&waiting) == 64) return poll(NULL, 0, 1) > 0;
        atomic_fetch_add(&waiting, 1);
        dispatch_async(&_dispatch_main_q, ^{
            take_portion();
            atomic_fetch_sub(&waiting, 1);
        });
        return true;
    });
}

/* A stream that is served on a queue, which has turns for others too. */
static flooder flood_queue(void)
{
    int handles[2];

    connect_by_tcp(handles);
    struct tls_end end = make_tls_end(handles[0], NULL);
    struct dispatch_queue_s *queue = make_queue(NULL);
    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        static UInt8 bytes[65536];
        if (event != kRLStreamEventHasBytesAvailable) return;
        check(RLReadStreamRead(called, bytes, sizeof bytes) > 0);
    });
    RLReadStreamSetDispatchQueue(end.reader, queue);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    /* Only the loop's thread counts. */
    take_portion();
    atomic_fetch_add(&turns_to_come, 1);
    struct helper_thread *neighbor = start_thread(^{
        for (int count = 0; count < TURNS; count++) dispatch_sync(queue, ^{});
        end_turns();
    });
    int handle = handles[1];
    at_return(^{
        join_thread(neighbor);
        leave_queue(end.reader, queue);
        close(handle);
    });
    return copied((const void *)^bool(void) { return send_bytes(handle, 65536, 0); });
}
#endif

/* --- Events ----------------------------------------------------------------------------------- */

static flooder flood_with_file_events(void)
{
    const char *path = kept_text("%s/changed", make_folder());
    int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    source_ref source = file_source_of(^(source_ref called, const RLFileEvent *event) {
        (void)called, (void)event;
        take_portion();
    });

    check(RLFileSourceAddWatch(source, path, kRLFileEventModify | kRLFileEventAccess) >= 0);
    add_source(source, "DEF");
    at_end(^{ close(file); });
    return copied((const void *)^bool(void) {
        char byte = 'x';
        /* Equal events after each other are one. */
        return pwrite(file, &byte, 1, 0) == 1 && pread(file, &byte, 1, 0) == 1;
    });
}

static flooder flood_with_signals(void)
{
    const SInt32 number = SIGRTMIN + 5;
    source_ref source = signal_source_of(&number, 1, ^(source_ref called, const RLSignalEvent *it) {
        (void)called, (void)it;
        take_portion();
    });

    pthread_t receiver = pthread_self();
    add_source(source, "DEF");
    return copied((const void *)^bool(void) {
        return pthread_sigqueue(receiver, number, (union sigval){.sival_int = 1}) == 0;
    });
}

/* --- All of them ------------------------------------------------------------------------------ */

#define FLOOD(its_name, its_title, ...)                                                            \
    static void its_name(void)                                                                     \
    {                                                                                              \
        run_flood(&(struct flood){.name = #its_name, __VA_ARGS__});                                \
    }                                                                                              \
    SCENARIO(its_name, .title = its_title, .clauses = "extension", .own_process = true,            \
             .expected = "goes on")

FLOOD(flood_of_keys, "A TLS peer that sends new keys without end does not hold the loop",
      .begin = flood_with_keys, .most_units = 1, .most_at_once = 2, .has_other_session = true)
FLOOD(flood_of_questions, "A TLS peer that asks for new keys without end does not hold the loop",
      .begin = flood_with_questions, .most_units = 1, .most_at_once = 2, .has_other_session = true)
FLOOD(flood_of_keys_and_bytes, "Nor does one that sends a byte now and then beside new keys",
      .begin = flood_with_keys_and_bytes, .most_units = 1, .most_at_once = 2,
      .has_other_session = true)
FLOOD(flood_of_records, "A TLS peer that sends records of one byte does not hold the loop",
      .begin = flood_with_records, .most_units = 4000000, .most_at_once = 2,
      .has_other_session = true)
FLOOD(flood_of_tickets, "A TLS server that sends tickets without end does not hold the loop",
      .begin = flood_with_tickets, .most_units = 400000, .most_at_once = 2,
      .has_other_session = true)
FLOOD(flood_of_bytes, "A stream takes the bytes of a flood in portions", .begin = flood_stream,
      .most_units = 400000, .most_at_once = 1)
FLOOD(flood_of_socket_bytes, "A socket takes the bytes of a flood in portions",
      .begin = flood_socket, .most_units = 400000, .most_at_once = 1)
FLOOD(flood_of_urgent_bytes, "A socket takes urgent bytes in portions",
      .begin = flood_with_urgent_bytes, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_ready_descriptors, "A file descriptor calls once for each time that it is asked to",
      .begin = flood_file_descriptor, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_datagrams, "A socket takes one datagram at a time", .begin = flood_with_datagrams,
      .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_unread_bytes, "A socket whose bytes nobody reads does not hold the loop",
      .begin = flood_unread, .most_units = 4000, .most_at_once = 1)
FLOOD(flood_of_connections, "A listening socket accepts one connection at a time",
      .begin = flood_with_connections, .most_units = 400000, .most_at_once = 1)
FLOOD(flood_of_messages, "A message port delivers one message at a time",
      .begin = flood_with_messages, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_parts, "Parts of messages that never become whole do not hold the loop",
      .begin = flood_with_parts, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_garbage, "Peers of a message port that send garbage do not hold the loop",
      .begin = flood_with_garbage, .most_units = 400000, .most_at_once = 1)
FLOOD(flood_of_files, "Messages of the largest size do not hold the loop",
      .begin = flood_with_files, .most_units = 4000, .most_at_once = 1)
FLOOD(flood_of_mach_messages, "A Mach port delivers one message at a time",
      .begin = flood_mach_port, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_mach_garbage, "What is no message of a Mach port does not hold the loop",
      .begin = flood_mach_port_with_garbage, .most_units = 4000000, .most_at_once = 1)
FLOOD(flood_of_mach_files, "Mach messages of the largest size do not hold the loop",
      .begin = flood_mach_port_with_files, .most_units = 4000, .most_at_once = 1)
FLOOD(flood_of_file_events, "Events of files are delivered in portions",
      .begin = flood_with_file_events, .most_units = 4000000, .most_at_once = 64)
FLOOD(flood_of_signals, "Signals are delivered in portions", .begin = flood_with_signals,
      .most_units = 4000000, .most_at_once = 64)

#if !defined(SCENARIO_WITHOUT_DISPATCH)
FLOOD(flood_on_queue, "A stream on a dispatch queue holds neither the queue nor a loop",
      .begin = flood_queue, .most_units = 400000, .most_at_once = 1)

static void flood_of_main_queue(void)
{
    run_flood(&(struct flood){.name = "flood_of_main_queue",
                              .begin = flood_main_queue,
                              .most_units = 4000000,
                              .most_at_once = 64});
}
SCENARIO(flood_of_main_queue,
         .title = "The main queue has its blocks served in portions",
         .clauses = "MAINQ-3",
         .main_thread = true,
         .expected = "goes on")
#endif
