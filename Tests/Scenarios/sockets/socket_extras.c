/*
 * Sockets of our engine only: shortages, lives, and peers that are other programs.
 */

#include "scenario.h"
#include "socket_words.h"
#include "system_calls.h"

#include <sys/resource.h>

/* A TCP handle that is connected to an address. */
static int connected_handle(RLDataRef address)
{
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    check(connect(handle, (const struct sockaddr *)RLDataGetBytePtr(address),
                  (socklen_t)RLDataGetLength(address)) == 0);
    return handle;
}

/* Takes all free descriptors; returns one of them, which is the last. */
static int exhaust_descriptors(void)
{
    struct rlimit limit = {.rlim_cur = (rlim_t)count_descriptors() + 8};
    int last = -1, next;

    limit.rlim_max = limit.rlim_cur;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    while ((next = dup(STDERR_FILENO)) >= 0) last = next;
    check(errno == EMFILE);
    return last;
}

static void accept_without_descriptors(void)
{
    RLDataRef address;
    __block int accepted = 0;
    listening_socket("listener",
                     ^(RLSocketRef called, unsigned long type, const void *data) {
                         close(*(const int *)data);
                         if (++accepted == 2) stop();
                     },
                     &address);
    RLRunLoopStatistics before, after;

    /* The loop makes its own descriptors first, one of them for timers. */
    add_timer(TIMER("never", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    int one = connected_handle(address), two = connected_handle(address);
    freopen("/dev/null", "w", stderr);
    int reserve = exhaust_descriptors();
    RLRunLoopGetStatistics(this_loop(), &before);
    /* Time is the subject: during the shortage the loop sleeps, but for a few tries. */
    run("DEF", 0.35, false);
    RLRunLoopGetStatistics(this_loop(), &after);
    check(after.passes - before.passes < 12);
    note("%d", accepted);
    close(reserve);
    run("DEF", 10, false);
    close(one);
    close(two);
}
SCENARIO(accept_without_descriptors,
         .title = "Without free descriptors accepting pauses, the loop sleeps, and nothing is lost",
         .clauses = "SOCK-11",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; 0; listener accept; listener accept; = Stopped")

static int refusal;

/*
 * Runs while the system refuses a call: the loop sleeps, but for a few tries. Time is the subject.
 */
static void run_refused(int error)
{
    RLRunLoopStatistics before, after;

    refusal = error;
    RLRunLoopGetStatistics(this_loop(), &before);
    run("DEF", 0.25, false);
    RLRunLoopGetStatistics(this_loop(), &after);
    check(after.passes - before.passes < 12);
    refusal = 0;
    run("DEF", 10, true);
}

static void accept_refused(void)
{
    RLDataRef address;
    listening_socket(
        "listener",
        ^(RLSocketRef called, unsigned long type, const void *data) { close(*(const int *)data); },
        &address);
    freopen("/dev/null", "w", stderr);
    fail_call(SYS_accept4, &refusal);
    int one = connected_handle(address);
    run_refused(EPERM);
    int two = connected_handle(address);
    run_refused(EACCES);
    close(one);
    close(two);
}
SCENARIO(accept_refused,
         .title = "Accepting pauses while the system does not permit it, and continues when it does",
         .clauses = "SOCK-11",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; listener accept; = HandledSource; "
                     "= TimedOut; listener accept; = HandledSource")

static void receive_refused(void)
{
    int *datagrams = handle_pair(SOCK_DGRAM), *stream = handle_pair(SOCK_STREAM);

    add_socket(native_socket("d", datagrams[0], kRLSocketDataCallBack, NULL), "DEF");
    add_socket(native_socket("s", stream[0], kRLSocketDataCallBack, NULL), "DEF");
    freopen("/dev/null", "w", stderr);
    fail_call(SYS_recvfrom, &refusal);
    write_text(datagrams[1], "abc");
    run_refused(ENOMEM);
    write_text(stream[1], "abcd");
    run_refused(ENOBUFS);
}
SCENARIO(receive_refused,
         .title = "Receiving pauses while the system has no memory for it, and loses nothing",
         .clauses = "SOCK-9",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; d data 3; = HandledSource; = TimedOut; s data 4; = HandledSource")

/* Actions of other threads while the context of a socket is about to be filled in. */
static action during_retain;

static const void *retain_slowly(const void *info)
{
    action others = during_retain;

    during_retain = NULL;
    if (others) others();
    note("%s retained", (const char *)info);
    return info;
}

static void release_noted(const void *info)
{
    note("%s released", (const char *)info);
}

static void socket_made_twice(void)
{
    int *ends = handle_pair(SOCK_STREAM), handle = ends[0];
    RLSocketContext first = {
        .info = (void *)"first", .retain = retain_slowly, .release = release_noted};
    RLSocketContext second = {.info = (void *)"second", .retain = retain_slowly};
    __block RLSocketRef other = NULL;
    __block RLSocketContext found;

    during_retain = ^{
        elsewhere(^{
            other = RLSocketCreateWithNative(NULL, handle, kRLSocketReadCallBack, NULL, &second);
            found.version = 0;
            RLSocketGetContext(other, &found);
        });
    };
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, handle, kRLSocketReadCallBack, NULL, &first);
    note_answer("the other thread has a socket with a context", found.info != NULL);
    note_answer("there is one socket", socket == other);
    RLSocketContext last = {.version = 0};
    RLSocketGetContext(socket, &last);
    note("it is the %s", (const char *)last.info);
    check(fcntl(handle, F_GETFD) >= 0);
    RLSocketInvalidate(socket);
    check(fcntl(handle, F_GETFD) < 0);
    RLRelease(socket);
    RLRelease(other);
}
SCENARIO(socket_made_twice,
         .title = "A socket that another thread makes at the same time has its context, and is the one",
         .clauses = "SOCK-2 SOCK-4",
         .rl_only = true,
         .own_process = true,
         .expected = "second retained; first retained; first released; "
                     "the other thread has a socket with a context: yes; "
                     "there is one socket: yes; it is the second")

static void nothing_but_name(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                             const void *data, void *info)
{
    note("%s", (const char *)info);
}

static void socket_invalid_in_retain(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketContext context = {
        .info = (void *)"s", .retain = retain_slowly, .release = release_noted};
    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketReadCallBack, nothing_but_name, &context);

    add_socket(socket, "DEF");
    write_text(ends[1], "a");
    during_retain = ^{ elsewhere(^{ RLSocketInvalidate(socket); }); };
    run("DEF", 10, true);
    check(!RLSocketIsValid(socket));
    RLRelease(socket);
}
SCENARIO(socket_invalid_in_retain,
         .title = "A socket's info that is given up while it is retained is released after that",
         .clauses = "SOCK-15 SOCK-22",
         .rl_only = true,
         .own_process = true,
         .expected = "s retained; s retained; s released; s; s released; = HandledSource")

/* Whether a socket waits for nothing, as while accepting pauses. */
static bool is_paused(RLSocketRef socket)
{
    char text[512];
    RLStringRef description = RLCopyDescription(socket);

    check(RLStringGetCString(description, text, sizeof text, kRLStringEncodingUTF8));
    RLRelease(description);
    return strstr(text, "wanted =,") != NULL;
}

static void accept_shortage_elsewhere(void)
{
    RLDataRef address;
    struct gate *added = make_gate(), *exhausted = make_gate(), *paused = make_gate();
    struct gate *accepted = make_gate();
    RLSocketRef listener =
        listening_socket("listener",
                         ^(RLSocketRef called, unsigned long type, const void *data) {
                             close(*(const int *)data);
                             stop();
                         },
                         &address);

    freopen("/dev/null", "w", stderr);
    /* Both loops make their own descriptors first. */
    add_timer(TIMER("never", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    struct helper_thread *other = start_thread(^{
        add_socket(listener, "DEF");
        add_timer(TIMER("never", .after = 1000), "DEF");
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
        open_gate(added);
        pass_gate(exhausted);
        while (!is_paused(listener)) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
        open_gate(paused);
        /* From here on the loop that has met the shortage does not run. */
        pass_gate(accepted);
    });
    pass_gate(added);
    int client = connected_handle(address), reserve = exhaust_descriptors();
    open_gate(exhausted);
    pass_gate(paused);
    close(reserve);
    run("DEF", 10, false);
    open_gate(accepted);
    join_thread(other);
    close(client);
}
SCENARIO(accept_shortage_elsewhere,
         .title = "After a shortage that another loop has met, a connection is accepted in this one",
         .clauses = "SOCK-11 SOCK-21",
         .rl_only = true,
         .own_process = true,
         .expected = "listener accept; = Stopped")

static void socket_last_release(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketContext context = socket_context("s", true, NULL);
    char byte;

    RLSocketRef socket =
        RLSocketCreateWithNative(NULL, ends[0], kRLSocketReadCallBack, socket_called, &context);
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);
    RLRelease(socket);
    note("source is left");
    RLRelease(source);
    /* Closed: the other end reads its end. */
    note("%zd", read(ends[1], &byte, 1));
}
SCENARIO(socket_last_release,
         .title = "The last release of a socket closes it",
         .clauses = "SOCK-15",
         .rl_only = true,
         .expected = "s retained; source is left; s released; 0")

static void socket_arguments(void)
{
    RLSocketRef socket = fresh_socket("s", kRLSocketConnectCallBack, NULL);

    check(RLSocketCreateWithNative(NULL, -1, 0, NULL, NULL) == NULL);
    check(RLSocketCreate(NULL, 12345, 1, 1, 0, NULL, NULL) == NULL);
    check(errno == EAFNOSUPPORT);
    check(RLSocketSetAddress(socket, NULL) == kRLSocketError);
    check(RLSocketConnectToAddress(socket, NULL, 1) == kRLSocketError);
    check(RLSocketSetAddress(socket, data_of_text("x")) == kRLSocketError);
    check(errno == EINVAL);
    /* A handle that is not connected yet reports no connection, and does not keep the loop busy. */
    add_socket(socket, "DEF");
    run("DEF", 0.005, false);
    check(RLSocketRegisterValue(NULL, 1, RLSTR("name"), RLSTR("value")) == kRLSocketError);
    check(RLSocketCopyRegisteredValue(NULL, 1, RLSTR("name"), NULL, NULL) == kRLSocketError);
    check(RLSocketRegisterSocketSignature(NULL, 1, RLSTR("name"), NULL) == kRLSocketError);
    check(RLSocketCopyRegisteredSocketSignature(NULL, 1, RLSTR("name"), NULL, NULL) ==
          kRLSocketError);
    check(RLSocketUnregister(NULL, 1, RLSTR("name")) == kRLSocketError);
}
SCENARIO(socket_arguments,
         .title = "Invalid arguments return null or an error, with errno",
         .clauses = "SOCK-4 SOCK-23",
         .rl_only = true,
         .expected_hints = "check the result of socket(2); cannot create a socket",
         .expected = "= TimedOut")

static void socket_connect_times_out(void)
{
    int listener;
    RLDataRef name = unix_name("time", SOCK_STREAM, &listener);
    RLSocketRef sockets[3];

    check(listen(listener, 0) == 0);
    for (int index = 0; index < 3; index++) {
        sockets[index] = kept_socket(RLSocketCreate(NULL, PF_UNIX, SOCK_STREAM, 0, 0, NULL, NULL));
    }
    note("%ld", RLSocketConnectToAddress(sockets[0], name, 0.01));
    double begin = clock_now();
    note("%ld", RLSocketConnectToAddress(sockets[1], name, 0.01));
    check(clock_now() - begin >= 0.01);
    check(RLSocketConnectToAddress(sockets[2], name, -1) == kRLSocketError);
    close(listener);
}
SCENARIO(socket_connect_times_out,
         .title = "Connecting ends when its time is up",
         .clauses = "SOCK-18",
         .rl_only = true,
         .expected = "0; -2")

/* A thread that sends more than there is room for, and sleeps; it notes how that went. */
static struct helper_thread *stuck_sender(RLSocketRef socket, RLDataRef address, double timeout,
                                          pid_t *ret_thread)
{
    struct gate *begins = make_gate();
    __block pid_t thread = 0;
    char *bytes = calloc(1, 1 << 20);
    RLDataRef data = address_data(bytes, address ? 1000 : 1 << 20);

    free(bytes);
    struct helper_thread *sender = start_thread(^{
        RLSocketError result = kRLSocketSuccess;
        thread = gettid();
        open_gate(begins);
        /* Datagrams fill the peer's queue one by one. */
        do {
            result = RLSocketSendData(socket, address, data, timeout);
        } while (address && result == kRLSocketSuccess);
        note("%ld", (long)result);
    });
    pass_gate(begins);
    while (!is_asleep(thread)) sched_yield();
    if (ret_thread) *ret_thread = thread;
    return sender;
}

static void socket_invalidated_while_sending(void)
{
    int *ends = handle_pair(SOCK_STREAM), strangers[2];
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
    struct helper_thread *sender = stuck_sender(socket, NULL, 60, NULL);
    char byte;

    RLSocketInvalidate(socket);
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, strangers) == 0);
    check(strangers[0] == ends[0]);
    /* Ends the waiting for room in any case. */
    hang_up(ends);
    join_thread(sender);
    check(recv(strangers[1], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    close(strangers[0]);
    close(strangers[1]);
}
SCENARIO(socket_invalidated_while_sending,
         .title = "Bytes for an invalidated socket do not reach the next file with its descriptor number",
         .clauses = "SOCK-15 SOCK-19",
         .rl_only = true,
         .own_process = true,
         .expected = "0")

static void socket_invalidation_ends_sending(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
    struct timeval limit = {.tv_sec = 10000000000};
    char bytes[4096];

    RLSocketSetSocketFlags(socket, 0);
    /* No time-out: the handle blocks, for more nanoseconds than can be counted. */
    check(setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0);
    struct helper_thread *sender = stuck_sender(socket, NULL, 0, NULL);
    RLSocketInvalidate(socket);
    join_thread(sender);
    /* The handle is the client's, and as it was. */
    while (recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
    write_text(ends[0], "more");
    check(recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) == 4);
    close(ends[0]);
}
SCENARIO(socket_invalidation_ends_sending,
         .title = "Invalidating a socket ends the waiting for room, and leaves a handle that stays",
         .clauses = "SOCK-15 SOCK-16 SOCK-19",
         .rl_only = true,
         .expected = "0")

static void socket_invalidated_without_descriptors(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
    char *bytes = calloc(1, 1 << 20), byte;
    RLDataRef much = address_data(bytes, 1 << 20);

    free(bytes);
    (void)exhaust_descriptors();
    struct helper_thread *sender =
        start_thread(^{ note("%ld", (long)RLSocketSendData(socket, NULL, much, 0)); });
    check(recv(ends[1], &byte, 1, 0) == 1);
    RLSocketInvalidate(socket);
    join_thread(sender);
}
SCENARIO(socket_invalidated_without_descriptors,
         .title = "Without free descriptors, waiting for room is ended by invalidating all the same",
         .clauses = "SOCK-15 SOCK-19",
         .rl_only = true,
         .own_process = true,
         .expected = "0")

static void socket_sends_as_handle(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketNoCallBack, NULL);
    struct timeval limit = {.tv_usec = 5000};
    char *bytes = calloc(1, 4 << 20);
    RLDataRef much = address_data(bytes, 4 << 20);

    free(bytes);
    check(setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0);
    double begin = clock_now();
    note("part %ld", (long)RLSocketSendData(socket, NULL, much, 0));
    note("full %ld", (long)RLSocketSendData(socket, NULL, much, 0));
    check(clock_now() - begin >= 0.01);
    check(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    note("at once %ld", (long)RLSocketSendData(socket, NULL, much, 0));
}
SCENARIO(socket_sends_as_handle,
         .title = "Without a time-out, sending waits as long as the handle is set to",
         .clauses = "SOCK-19",
         .rl_only = true,
         .expected = "part 0; full -1; at once -1")

static void socket_waits_for_peer_queue(void)
{
    int peer;
    RLDataRef name = unix_name("queue", SOCK_DGRAM, &peer);
    RLSocketRef socket = kept_socket(RLSocketCreate(NULL, PF_UNIX, SOCK_DGRAM, 0, 0, NULL, NULL));
    pid_t thread;
    struct helper_thread *sender = stuck_sender(socket, name, 0, &thread);
    char byte;

    /* It sends on when there is room, until it is stuck again. */
    while (recv(peer, &byte, 1, MSG_DONTWAIT) > 0) continue;
    check(recv(peer, &byte, 1, 0) == 1);
    while (!is_asleep(thread)) sched_yield();
    RLSocketInvalidate(socket);
    join_thread(sender);
    close(peer);
}
SCENARIO(socket_waits_for_peer_queue,
         .title = "A datagram waits for room with its receiver, or for the socket's end",
         .clauses = "SOCK-15 SOCK-19",
         .rl_only = true,
         .expected = "-1")

static void socket_invalidated_while_connecting(void)
{
    int listener, first = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    RLDataRef name = unix_name("backlog", SOCK_STREAM, &listener);
    RLSocketRef socket = kept_socket(RLSocketCreate(NULL, PF_UNIX, SOCK_STREAM, 0, 0, NULL, NULL));
    struct gate *begins = make_gate();
    __block pid_t thread = 0;

    check(listen(listener, 0) == 0);
    check(connect(first, (const struct sockaddr *)RLDataGetBytePtr(name),
                  (socklen_t)RLDataGetLength(name)) == 0);
    struct helper_thread *connecting = start_thread(^{
        thread = gettid();
        open_gate(begins);
        note("%ld", (long)RLSocketConnectToAddress(socket, name, 0));
    });
    pass_gate(begins);
    while (!is_asleep(thread)) sched_yield();
    RLSocketInvalidate(socket);
    join_thread(connecting);
    close(first);
    close(listener);
}
SCENARIO(socket_invalidated_while_connecting,
         .title = "Invalidating a socket ends connecting that waits for the peer's queue",
         .clauses = "SOCK-15 SOCK-18",
         .rl_only = true,
         .expected = "-1")

/* A program that connects to a port, sends its argument and a line end, and prints an answer. */
static const char *const python_client =
    "import socket, sys\n"
    "c = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
    "c.sendall(b'hello from python\\n')\n"
    "c.shutdown(socket.SHUT_WR)\n"
    "answer = b''\n"
    "while chunk := c.recv(100): answer += chunk\n"
    "sys.exit(0 if answer == b'hello from python\\n' * 2000 else 1)\n";

static void socket_serves_python(void)
{
    RLDataRef address;
    __block RLSocketRef session = NULL;
    listening_socket(
        "listener",
        ^(RLSocketRef called, unsigned long type, const void *data) {
            session = native_socket(
                "session", *(const int *)data, kRLSocketDataCallBack,
                ^(RLSocketRef peer, unsigned long kind, const void *chunk) {
                    if (RLDataGetLength(chunk) == 0) stop();
                    for (int index = 0; RLDataGetLength(chunk) > 0 && index < 2000; index++) {
                        check(RLSocketSendData(peer, NULL, chunk, 10) == kRLSocketSuccess);
                    }
                });
            add_socket(session, "DEF");
        },
        &address);
    char port[16];
    int status = -1;

    snprintf(port, sizeof port, "%d", port_of(address));
    pid_t child = fork();
    if (child == 0) {
        execlp("python3", "python3", "-c", python_client, port, NULL);
        _exit(127);
    }
    run("DEF", 20, false);
    check(waitpid(child, &status, 0) == child);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
SCENARIO(socket_serves_python,
         .title = "A client in Python is accepted, read, and answered",
         .clauses = "SOCK-9 SOCK-10 SOCK-11 SOCK-19",
         .rl_only = true,
         .own_process = true,
         .expected = "listener accept; session data 18; session data 0; = Stopped")

enum { CLIENTS = 300 };

static void socket_echo_server(void)
{
    int before = count_descriptors();
    RLDataRef address;
    __block int echoed = 0;
    __block int *handles = calloc(CLIENTS, sizeof(int));
    RLSocketRef listener = listening_socket(
        NULL,
        ^(RLSocketRef called, unsigned long type, const void *data) {
            RLSocketContext context = socket_context(
                NULL, false, ^(RLSocketRef peer, unsigned long kind, const void *chunk) {
                    if (RLDataGetLength(chunk) == 0) return;
                    check(RLSocketSendData(peer, NULL, chunk, 1) == kRLSocketSuccess);
                    if (++echoed == CLIENTS) stop();
                });
            RLSocketRef session = RLSocketCreateWithNative(
                NULL, *(const int *)data, kRLSocketDataCallBack, socket_called, &context);
            RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, session, 0);
            add_source(source, "DEF");
            RLRelease(source);
            RLRelease(session);
        },
        &address);
    struct helper_thread *clients = start_thread(^{
        for (int index = 0; index < CLIENTS; index++) handles[index] = connected_handle(address);
        for (int index = 0; index < CLIENTS; index++) write_text(handles[index], "ping");
        for (int index = 0; index < CLIENTS; index++) {
            char text[8] = "";
            check(recv(handles[index], text, 4, MSG_WAITALL) == 4 && strcmp(text, "ping") == 0);
            close(handles[index]);
        }
    });

    run("DEF", 20, false);
    join_thread(clients);
    free(handles);
    RLSocketInvalidate(listener);
    run("DEF", 20, false);
    note("%d", echoed);
    /* The sessions have ended; the loop keeps its wake-up port and the mode's set. */
    check(count_descriptors() <= before + 3);
}
SCENARIO(socket_echo_server,
         .title = "Hundreds of clients are served in one loop, and leave nothing open",
         .clauses = "SOCK-9 SOCK-10 SOCK-11",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; = Finished; 300")

/* The other loop is notified of the byte, and then waits until this one has read it. */
static void socket_left_by_other_loop(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    struct gate *reported = make_gate(), *served = make_gate();
    RLSocketRef socket = native_socket("A", ends[0], kRLSocketReadCallBack,
                                       ^(RLSocketRef called, unsigned long type, const void *data) {
                                           char byte;
                                           check(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1);
                                           RLRunLoopSourceRef source =
                                               RLSocketCreateRunLoopSource(NULL, called, 0);
                                           remove_source(source, "DEF");
                                           RLRelease(source);
                                           stop();
                                       });
    struct helper_thread *other = start_thread(^{
        add_socket(socket, "DEF");
        when(kRLRunLoopAfterWaiting, "DEF", ^{
            open_gate(reported);
            pass_gate(served);
            stop();
        });
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false) == kRLRunLoopRunStopped);
    });

    write_text(ends[1], "x");
    pass_gate(reported);
    add_socket(socket, "DEF");
    run("DEF", 60, false);
    open_gate(served);
    join_thread(other);
}
SCENARIO(socket_left_by_other_loop,
         .title = "An event reported in one loop is not reported in another after the socket has left the first",
         .clauses = "extension SOCK-21",
         .rl_only = true,
         .expected = "A read; = Stopped")

static void socket_description(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    RLSocketRef socket = native_socket("s", ends[0], kRLSocketReadCallBack, NULL);
    char text[512];

    add_socket(socket, "DEF");
    RLStringRef description = RLCopyDescription(socket);
    check(RLStringGetCString(description, text, sizeof text, kRLStringEncodingUTF8));
    RLRelease(description);
    check(strncmp(text, "<RLSocket 0x", 12) == 0);
    check(strstr(text, "]>{valid = Yes, descriptor = ") != NULL);
    check(strstr(text, ", modes = 1, wanted = read, source = 0x") != NULL);
    check(strstr(text, ", callback types = 0x1, flags = 0x81, callout = ") != NULL);
    check(strstr(text, ", context = <RLSocket context 0x") != NULL);
}
SCENARIO(socket_description,
         .title = "A description has the state, types, flags and context",
         .clauses = "extension DESC-6",
         .rl_only = true)
