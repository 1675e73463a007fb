/*
 * Nothing stays of a wait for a reply: its descriptor leaves the mode and the kernel's set. Ours
 * only: the reference has no message ports on Linux.
 */

#include "../timers/clock_words.h"
#include "raw_messages.h"
#include "scenario.h"
#include "system_calls.h"

#include <CRunLoop/RLRunLoopHosting.h>
#include <sys/epoll.h>

/* The number of the scenario's additions to a set of the kernel, and of its removals. */
static int additions, removals;

static void count_registrations(void)
{
    answer_call(SYS_epoll_ctl, ^long(const long *arguments) {
        long result =
            syscall(SYS_epoll_ctl, arguments[0], arguments[1], arguments[2], arguments[3]);
        /*
         * Debug builds try to add a registered descriptor, to see whether it still is registered.
         */
        if (result == 0 && arguments[1] == EPOLL_CTL_ADD) additions++;
        if (result == 0 && arguments[1] == EPOLL_CTL_DEL) removals++;
        return result == 0 ? 0 : -errno;
    });
}

static message_body echo_body(void)
{
    return ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return echo(data); };
}

static void reply_registration(void)
{
    use_own_folder();
    start_server("server", echo_body());
    RLMessagePortRef remote = remote_port("server");
    check(ask(remote, 1, bytes("first"), NULL) == 0);
    count_registrations();
    for (int index = 0; index < 10; index++) check(ask(remote, 1, bytes("again"), NULL) == 0);
    note("%d, %d", additions, removals);
    /* Between requests the mode is as empty as before. */
    run("REPLY", 10, false);
}
SCENARIO(reply_registration,
         .title = "A request registers what it waits for while it waits",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "10, 10; = Finished")

/* Another server's connection has the number of the one before it. */
static void reply_number_used_again(void)
{
    use_own_folder();
    start_server("first", echo_body());
    start_server("second", echo_body());
    for (int index = 0; index < 3; index++) {
        const char *name = index == 1 ? "second" : "first";
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named(name));
        note("%s", name_of_send(ask(remote, 1, bytes("x"), NULL)));
        RLMessagePortInvalidate(remote);
        RLRelease(remote);
    }
}
SCENARIO(reply_number_used_again,
         .title = "A reply arrives on a connection whose number was another one's before",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "Success; Success; Success")

/* Starts a server that answers when it gets a byte, and sends one whenever it is about to sleep. */
static void start_late_server(const char *name, int *ret_order, int *ret_report)
{
    int orders[2], reports[2];

    check(pipe2(orders, O_CLOEXEC) == 0 && pipe2(reports, O_CLOEXEC) == 0);
    int order = orders[0], report = reports[1];
    start_process(^(void (^ready)(void)) {
        serve(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            await_byte(order);
            return echo(data);
        });
        when(kRLRunLoopBeforeWaiting, "DEF", ^{ send_byte(report); });
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    *ret_order = orders[1];
    *ret_report = reports[0];
}

/* Makes a request end before its reply comes, and then the reply come. */
static void have_late_reply(const char *name, RLStringRef mode, void (^meanwhile)(void))
{
    int order, report;

    start_late_server(name, &order, &report);
    RLMessagePortRef remote = remote_port(name);
    await_byte(report);
    note("%s",
         name_of_send(RLMessagePortSendRequest(remote, 1, bytes("x"), 10, 0.001, mode, NULL)));
    if (meanwhile) meanwhile();
    send_byte(order);
    await_byte(report);
}

static void late_reply(void)
{
    use_own_folder();
    RLRunLoopTimerRef far = after(1000, "far", "REPLY", ^{});
    /* Makes the mode's set and timer port. */
    run("REPLY", 0.001, false);
    count_registrations();
    have_late_reply("late", string_named("REPLY"), NULL);
    run("REPLY", 0.002, false);
    note("%d, %d", additions, removals);
    remove_timer(far, "REPLY");
}
SCENARIO(late_reply,
         .title = "The loop does not wait for a reply that comes too late",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; ReceiveTimeout; = TimedOut; 1, 1")

#if defined(RL_TESTING)
static void reply_limit_by_test_clock(void)
{
    int order, report;
    use_own_folder();
    start_late_server("late", &order, &report);
    RLMessagePortRef remote = remote_port("late");
    await_byte(report);
    RLTestClockRef clock = own_clock();
    RLTestClockSetAutomatic(clock, true);
    SInt64 began_ns = RLTestClockGetNanoseconds(clock);
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, bytes("x"), 10, 1000,
                                                     string_named("REPLY"), NULL)));
    note("after %lld s", (long long)(RLTestClockGetNanoseconds(clock) - began_ns) / 1000000000);
    RLTestClockEnd(clock);
    send_byte(order);
    await_byte(report);
}
SCENARIO(reply_limit_by_test_clock,
         .title = "The time for a reply is that of the loop's clock",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "ReceiveTimeout; after 1000 s")
#endif

/* The mode of the request is one that a host serves after it, and one that it serves meanwhile. */
static void late_reply_in_host(void)
{
    __block int descriptor = -1;

    use_own_folder();
    /* Makes the mode's timer port. */
    add_timer(TIMER("far", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    have_late_reply("before", kRLRunLoopDefaultMode,
                    ^{ descriptor = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL); });
    struct pollfd query = {.fd = descriptor, .events = POLLIN};
    while (poll(&query, 1, 0) > 0 && RLRunLoopRunHosted(1)) {}
    note("%d", poll(&query, 1, 0));
    have_late_reply("meanwhile", kRLRunLoopDefaultMode, NULL);
    while (poll(&query, 1, 0) > 0 && RLRunLoopRunHosted(1)) {}
    note("%d", poll(&query, 1, 0));
    RLRunLoopEndHosting();
}
SCENARIO(late_reply_in_host,
         .title = "A reply that comes too late does not call a host",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "ReceiveTimeout; 0; ReceiveTimeout; 0")

/* A server sends an unrequested reply before the real one. */
static void replies_in_portions(void)
{
    enum { REPLIES = 200 };
    use_own_folder();
    RLMessagePortInvalidate(make_local("maker"));
    struct sockaddr_un address = raw_address("server");
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    check(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    check(listen(listener, 1) == 0);
    RLMessagePortRef remote = remote_port("server");
    int connection = accept(listener, NULL, NULL);
    struct raw_packet packet = {.magic = raw_magic, .kind = raw_reply, .serial = 1000};
    for (int count = 0; count < REPLIES; count++) {
        check(raw_send(connection, &packet, raw_header, -1, 0) == raw_header);
    }
    struct helper_thread *answering = start_thread(^{
        struct raw_packet request, reply = packet;
        check(recv(connection, &request, sizeof request, 0) == raw_header);
        reply.serial = request.serial;
        check(raw_send(connection, &reply, raw_header, -1, 0) == raw_header);
    });
    __block int passes = 0;
    when(kRLRunLoopBeforeTimers, "REPLY", ^{ passes++; });
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    note_answer("in portions", passes > 3);
    join_thread(answering);
    close(connection);
    close(listener);
}
SCENARIO(replies_in_portions,
         .title = "A loop that waits for a reply takes others in portions before it",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "Success; in portions: yes")

/* --- Clients' data in replies ----------------------------------------------------------------- */

enum { reply_size = 4 << 20 };

/* A port whose replies do not fit into a socket, and use the port when they are freed. */
static RLMessagePortRef serve_freed_replies(void)
{
    return serve("server", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        note("request %d", id);
        return data_calling(NULL, reply_size, ^{
            check(RLMessagePortGetName(local));
            note("freed %d", id);
            stop();
        });
    });
}

/* Sends a request whose reply remains queued. */
static int queue_reply(int id)
{
    int raw = raw_connect("server");

    check(raw_ask(raw, id) == raw_header);
    run("DEF", 10, true);
    return raw;
}

static void read_reply(int raw)
{
    static char bytes[1 << 17];

    for (long left = reply_size; left > 0;) {
        ssize_t length = recv(raw, bytes, sizeof bytes, 0);
        check(length > raw_header);
        if (length <= raw_header) return;
        left -= length - raw_header;
    }
}

static void replies_freed_unlocked(void)
{
    use_own_folder();
    RLMessagePortRef port = serve_freed_replies();
    close(queue_reply(1));
    run("DEF", 10, false);
    int reader = queue_reply(2);
    struct helper_thread *reading = start_thread(^{ read_reply(reader); });
    run("DEF", 10, false);
    join_thread(reading);
    int last = queue_reply(3);
    RLMessagePortInvalidate(port);
    close(reader);
    close(last);
}
SCENARIO(replies_freed_unlocked,
         .title = "The data of a queued reply are freed without the port's lock",
         .clauses = "MSGP-5",
         .rl_only = true,
         .own_process = true,
         .expected = "request 1; = HandledSource; freed 1; = Stopped; request 2; "
                     "= HandledSource; freed 2; = Stopped; request 3; = HandledSource; freed 3")

static void replies_freed_after_fork(void)
{
    use_own_folder();
    RLMessagePortRef port = serve_freed_replies();
    int raw = queue_reply(1);
    pid_t child = fork();
    if (child == 0) {
        /* The child's port is invalid. */
        _exit(RLMessagePortIsValid(port));
    }
    note_child(child);
    close(raw);
    run("DEF", 10, false);
}
SCENARIO(replies_freed_after_fork,
         .title = "A forked child does not call a client to free a queued reply of its parent",
         .clauses = "MSGP-5",
         .rl_only = true,
         .own_process = true,
         .expected = "request 1; = HandledSource; child: 0; freed 1; = Stopped")
