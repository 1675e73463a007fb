/*
 * Message ports with more senders than they have connections for. Ours only.
 */

#include "raw_messages.h"
#include "scenario.h"
#include "system_calls.h"

/* Whether a connection is served: it gets a reply. */
static bool is_served(int raw)
{
    struct raw_packet reply = {.id = 0};

    if (raw_ask(raw, 1) != raw_header) return false;
    return recv(raw, &reply, sizeof reply, 0) == raw_header && reply.kind == raw_reply;
}

/* The number of a process's four connections that a server serves, one after the other. */
static int count_served(const char *name)
{
    int served = 0;

    for (int index = 0; index < 4; index++) {
        served += is_served(raw_connect(name));
    }
    return served;
}

/* Fills a port with idle connections: more processes than it takes, with four of them each. */
static int crowd(const char *name)
{
    enum { processes = 70 };
    int results[2], served = 0;

    check(pipe2(results, O_CLOEXEC) == 0);
    int answer = results[1];
    for (int index = 0; index < processes; index++) {
        start_process(^(void (^ready)(void)) {
            char count = (char)count_served(name);
            if (write(answer, &count, 1) != 1) _exit(1);
            ready();
            pause();
        });
    }
    for (int index = 0; index < processes; index++) {
        char count;
        check(read(results[0], &count, 1) == 1);
        served += count;
    }
    close(results[0]);
    close(results[1]);
    return served;
}

static void connections_of_all(void)
{
    use_own_folder();
    start_echo("crowded");
    RLMessagePortRef good = remote_port("crowded");
    RLDataRef data = pattern(100000), reply;

    check(ask(good, 1, NULL, NULL) == 0);
    /* The server may have inherited some descriptors. */
    long before = ask_number(good, 100);
    note("%d are served", crowd("crowded"));
    /* In the end the server has at most 256 of them, and ours is not among them. */
    while (ask_number(good, 100) >= before + 256) sched_yield();
    note_answer("ours is valid", RLMessagePortIsValid(good));
    note("%d are served", crowd("crowded"));
    check(RLMessagePortSendRequest(good, 1, data, 0, 0, NULL, NULL) == 0);
    check(ask(good, 1, data, &reply) == 0 && RLEqual(reply, data));
    note("%d are served", crowd("crowded"));
    note_answer("ours is valid", RLMessagePortIsValid(good));
    RLRelease(data);
}
SCENARIO(connections_of_all,
         .title = "A port has at most 256 connections: idle connections yield, and no client is locked out",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "280 are served; ours is valid: yes; 280 are served; 280 are served; "
                     "ours is valid: yes")

static void log_dead_port(RLMessagePortRef port, void *info)
{
    note("notified");
    check(!RLMessagePortIsValid(port));
}

static void watched_in_a_crowd(void)
{
    use_own_folder();
    pid_t server = start_echo("crowded");
    RLMessagePortRef remote = remote_port("crowded");
    RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);

    RLMessagePortSetInvalidationCallBack(remote, log_dead_port);
    add_source(source, "DEF");
    RLRelease(source);
    check(crowd("crowded") == 280);
    /* Its connection has stayed, and so the loop has nothing to do. */
    run("DEF", 0, true);
    kill_and_wait(server);
    run("DEF", 10, true);
}
SCENARIO(watched_in_a_crowd,
         .title = "A loop that watches for the end of a port is notified, however crowded the port was",
         .clauses = "MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "= TimedOut; notified; = HandledSource")

static void watched_after_a_crowd(void)
{
    use_own_folder();
    pid_t server = start_echo("crowded");
    RLMessagePortRef remote = remote_port("crowded");

    check(ask(remote, 1, NULL, NULL) == 0 && crowd("crowded") == 280);
    RLMessagePortSetInvalidationCallBack(remote, log_dead_port);
    RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);
    add_source(source, "DEF");
    RLRelease(source);
    /* It connects again. */
    run("DEF", 10, true);
    run("DEF", 0, true);
    kill_and_wait(server);
    run("DEF", 10, true);
}
SCENARIO(watched_after_a_crowd,
         .title = "A port whose connection yielded is watched through another connection",
         .clauses = "MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "= HandledSource; = TimedOut; notified; = HandledSource")

static void watched_without_descriptors(void)
{
    static int shortage;
    use_own_folder();
    RLRunLoopStatistics before, after;
    pid_t server = start_echo("crowded");
    RLMessagePortRef remote = remote_port("crowded");

    check(ask(remote, 1, NULL, NULL) == 0 && crowd("crowded") == 280);
    RLMessagePortSetInvalidationCallBack(remote, log_dead_port);
    RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);
    add_source(source, "DEF");
    RLRelease(source);
    fail_call(SYS_socket, &shortage);
    shortage = EMFILE;
    RLRunLoopGetStatistics(this_loop(), &before);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.05, false);
    RLRunLoopGetStatistics(this_loop(), &after);
    check(after.passes - before.passes < 10);
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    note_answer("valid", RLMessagePortIsValid(remote));
    shortage = 0;
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    kill_and_wait(server);
    run("DEF", 10, true);
}
SCENARIO(watched_without_descriptors,
         .title = "While a port cannot reconnect, its loop sleeps; afterwards the port is watched again",
         .clauses = "MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "TransportError; valid: yes; Success; notified; = HandledSource")

static void renamed_in_a_crowd(void)
{
    use_own_folder();
    start_server("old", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        if (id == 3) RLMessagePortSetName(local, string_named("new"));
        return echo(data);
    });
    RLMessagePortRef remote = remote_port("old");

    check(ask(remote, 1, NULL, NULL) == 0 && crowd("old") == 280);
    int raw = raw_connect("old");
    struct raw_packet reply;
    check(raw_ask(raw, 3) == raw_header && recv(raw, &reply, sizeof(reply), 0) == raw_header);
    close(raw);
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    note("%s", name_of_send(ask(remote_port("new"), 1, NULL, NULL)));
}
SCENARIO(renamed_in_a_crowd,
         .title = "A remote port that must connect again does not find a port that has another name",
         .clauses = "MSGP-10",
         .rl_only = true,
         .own_process = true,
         .expected = "IsInvalid; Success")

static void heir_of_a_crowded_port(void)
{
    use_own_folder();
    pid_t server = start_echo("crowded");
    RLMessagePortRef remote = remote_port("crowded");

    check(ask(remote, 1, NULL, NULL) == 0 && crowd("crowded") == 280);
    kill_and_wait(server);
    start_echo("crowded");
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    check(!RLMessagePortIsValid(remote));
    note("%s", name_of_send(ask(remote_port("crowded"), 1, NULL, NULL)));
}
SCENARIO(heir_of_a_crowded_port,
         .title = "A remote port whose connection yielded does not connect to another port with the same name",
         .clauses = "MSGP-4 MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "IsInvalid; Success")

/* Waits for a byte. For signal handlers too. */
/* A server of raw sockets, which makes some connections yield, each when it gets a byte. */
static void start_impatient_server(const char *name, int times, int order, int done)
{
    start_process(^(void (^ready)(void)) {
        struct raw_packet packet = {.magic = raw_magic, .kind = raw_yield};
        RLMessagePortInvalidate(
            RLMessagePortCreateLocal(NULL, string_named("maker"), no_reply, NULL, NULL));
        struct sockaddr_un address = raw_address(name);
        int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0) _exit(1);
        if (listen(listener, 5) != 0) _exit(1);
        ready();
        for (int index = 0; index < times; index++) {
            int raw = accept(listener, NULL, NULL);
            await_byte(order);
            send(raw, &packet, raw_header, MSG_NOSIGNAL);
            shutdown(raw, SHUT_RD);
            send_byte(done);
            if (recv(raw, &packet, sizeof(packet), 0) != 0) _exit(1);
            close(raw);
        }
        int raw = accept(listener, NULL, NULL);
        while (recv(raw, &packet, sizeof(packet), 0) >= raw_header) {
            packet.kind = raw_reply;
            packet.flags = 0;
            packet.total = 0;
            send(raw, &packet, raw_header, MSG_NOSIGNAL);
        }
        pause();
    });
}

/* Each time, the client finds nothing when its peer makes the connection yield. */
static void ask_impatient_server(int times, double patience)
{
    const char *name = "impatient";
    int orders[2], reports[2];
    __block int left = times;

    use_own_folder();
    check(pipe2(orders, O_CLOEXEC) == 0 && pipe2(reports, O_CLOEXEC) == 0);
    start_impatient_server(name, times, orders[0], reports[1]);
    int order = orders[1], report = reports[0];
    RLMessagePortRef remote = remote_port(name);
    answer_call(SYS_sendto, ^long(const long *arguments) {
        if (left > 0) {
            left--;
            send_byte(order);
            await_byte(report);
        }
        return let_through;
    });
    while (left > 0) {
        note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, NULL, patience, 10,
                                                         string_named("REPLY"), NULL)));
        check(RLMessagePortIsValid(remote));
    }
    note("%s", name_of_send(ask(remote, 2, NULL, NULL)));
}

static void yields_before_sending(void)
{
    ask_impatient_server(1, 0);
}
SCENARIO(yields_before_sending,
         .title = "A message whose connection yields while it is sent goes through another connection",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "Success; Success")

static void yields_again_and_again(void)
{
    ask_impatient_server(10, 10);
}
SCENARIO(yields_again_and_again,
         .title = "A message is retried until its time-out, however often connections yield",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "Success; Success")

static void yields_without_time(void)
{
    ask_impatient_server(8, 0);
}
SCENARIO(yields_without_time,
         .title = "With a time-out of 0, a message is tried a few times, and is not sent",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "SendTimeout; SendTimeout; Success")

/* A server that counts messages: message 7 returns the number since, as a reply. */
static void start_slow_dismisser(const char *name, int reported, int go)
{
    start_process(^(void (^ready)(void)) {
        __block long got = 0;
        __block bool is_first = true;
        serve(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            if (id == 1) got++;
            if (id != 7) return echo(data);
            return RLDataCreate(NULL, (const UInt8 *)&got, sizeof(got));
        });
        /* The yielding client was notified, and may still send. */
        answer_call(SYS_shutdown, ^long(const long *arguments) {
            if (is_first) {
                is_first = false;
                send_byte(reported);
                await_byte(go);
            }
            return let_through;
        });
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
}

static void sends_while_it_yields(void)
{
    use_own_folder();
    int reported[2], go[2];

    check(pipe2(reported, O_CLOEXEC) == 0 && pipe2(go, O_CLOEXEC) == 0);
    start_slow_dismisser("slow", reported[1], go[0]);
    int raw = raw_connect("slow"), raws[4];
    struct raw_packet packet = {.id = 0};
    check(raw_ask(raw, 1) == raw_header);
    check(recv(raw, &packet, sizeof(packet), 0) == raw_header && packet.kind == raw_reply);
    /* The fifth connection of this process makes the first yield. */
    for (int index = 0; index < 4; index++) raws[index] = raw_connect("slow");
    await_byte(reported[0]);
    check(raw_ask(raw, 1) == raw_header);
    send_byte(go[1]);
    check(recv(raw, &packet, sizeof(packet), 0) == raw_header && packet.kind == raw_yield);
    note_answer("answered", recv(raw, &packet, sizeof(packet), 0) == raw_header &&
                                packet.kind == raw_reply && packet.id == 1);
    note_answer("closed", recv(raw, &packet, sizeof(packet), 0) == 0);
    check(raw_ask(raw, 1) < 0 && errno == EPIPE);
    long got = 0;
    check(raw_ask(raws[3], 7) == raw_header);
    check(recv(raws[3], &packet, sizeof(packet), 0) == raw_header + sizeof(got));
    memcpy(&got, packet.payload, sizeof(got));
    note("got %ld", got);
    for (int index = 0; index < 4; index++) close(raws[index]);
    close(raw);
}
SCENARIO(sends_while_it_yields,
         .title = "Requests sent before a connection yields are answered before it closes",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "answered: yes; closed: yes; got 2")

/* SO_PEERPIDFD, which not all headers have. */
enum { peer_pidfd = 77 };

static void write_map(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);

    if (write(file, text, strlen(text)) != (ssize_t)strlen(text)) _exit(1);
    close(file);
}

/* Continues in a child with its own PID namespace; false where that is not allowed. */
static bool enter_namespace(void)
{
    char map[64];
    bool is_superuser = geteuid() == 0;

    snprintf(map, sizeof map, "%u %u 1", geteuid(), geteuid());
    if (unshare(CLONE_NEWPID | (is_superuser ? 0 : CLONE_NEWUSER)) != 0) return false;
    if (!is_superuser) write_map("/proc/self/uid_map", map);
    if (fork() != 0) {
        while (wait(NULL) > 0) continue;
        _exit(0);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return true;
}

/*
 * A process with four connections, which reports how many were served, and later how many still
 * are.
 */
static void start_stranger(const char *name, int order, int answer)
{
    start_process(^(void (^ready)(void)) {
        int raws[4];
        char count = 0;
        ready();
        for (int index = 0; index < 4; index++) raws[index] = raw_connect(name);
        for (int round = 0; round < 2; round++) {
            count = 0;
            for (int index = 0; index < 4; index++) count += is_served(raws[index]);
            if (write(answer, &count, 1) != 1) _exit(1);
            if (round == 0) await_byte(order);
        }
        pause();
    });
}

/*
 * Three processes of another namespace than a server's, whose kernel may be too old to distinguish
 * them.
 */
static void serve_strangers(const char *name, bool is_old)
{
    enum { processes = 3 };
    int results[2], orders[2], served = 0;
    __block _Atomic bool *is_allowed =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    check(pipe2(results, O_CLOEXEC) == 0 && pipe2(orders, O_CLOEXEC) == 0);
    start_process(^(void (^ready)(void)) {
        *is_allowed = enter_namespace();
        if (is_old) {
            answer_call(SYS_getsockopt, ^long(const long *arguments) {
                return arguments[2] == peer_pidfd ? -ENOPROTOOPT : let_through;
            });
        }
        if (!serve(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
                return echo(data);
            })) {
            _exit(1);
        }
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    /* If namespaces are forbidden, this shows the same among processes of one. */
    check(*is_allowed || geteuid() != 0);
    for (int index = 0; index < processes; index++) {
        start_stranger(name, orders[0], results[1]);
    }
    for (int answers = 0; answers < 2 * processes; answers++) {
        char count;
        check(read(results[0], &count, 1) == 1);
        served += count;
        if (answers == processes - 1) {
            note("%d are served", served);
            served = 0;
            for (int index = 0; index < processes; index++) send_byte(orders[1]);
        }
    }
    note("%d still are", served);
    munmap((void *)is_allowed, 4096);
}

static void strangers(void)
{
    use_own_folder();
    serve_strangers("foreign", false);
    serve_strangers("old", true);
}
SCENARIO(strangers,
         .title = "Processes of another namespace have their connections, each of them",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "12 are served; 12 still are; 12 are served; 12 still are")

/* --- Nothing is lost, nothing is doubled ----------------------------------------------------- */

enum { counting_clients = 4, counted_messages = 300 };

/* Counts what each client has sent; a message of no data asks for how many there are amiss. */
static void start_counter(const char *name)
{
    unsigned char (*counts)[counted_messages] = calloc(counting_clients, sizeof(*counts));

    start_server(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        long amiss = 0;
        if (RLDataGetLength(data) > 0) {
            counts[id / counted_messages][id % counted_messages]++;
            return echo(data);
        }
        for (int index = 0; index < counted_messages; index++) amiss += counts[id][index] != 1;
        return RLDataCreate(NULL, (const UInt8 *)&amiss, sizeof amiss);
    });
    free(counts);
}

/* A process that always has four connections, however often they yield. */
static void start_pusher(const char *name)
{
    start_process(^(void (^ready)(void)) {
        struct pollfd raws[4] = {{.fd = -1}, {.fd = -1}, {.fd = -1}, {.fd = -1}};
        ready();
        for (;;) {
            for (int index = 0; index < 4; index++) {
                if (raws[index].fd >= 0 && !has_hung_up(raws[index].fd)) continue;
                if (raws[index].fd >= 0) close(raws[index].fd);
                raws[index] = (struct pollfd){.fd = raw_connect(name), .events = POLLRDHUP};
            }
            poll(raws, 4, -1);
        }
    });
}

/* Sends its messages, waiting for every second reply, with rests in which others get ahead. */
static pid_t start_counted(const char *name, int client)
{
    return start_process(^(void (^ready)(void)) {
        RLMessagePortRef port = RLMessagePortCreateRemote(NULL, string_named(name));
        unsigned seed = (unsigned)client;
        ready();
        for (int index = 0; index < counted_messages; index++) {
            RLDataRef data = pattern(index % 10 == 0 ? 50000 : 40), reply = NULL;
            int result = RLMessagePortSendRequest(port, client * counted_messages + index, data, 20,
                                                  20, index % 2 ? string_named("REPLY") : NULL,
                                                  index % 2 ? &reply : NULL);
            if (result != 0 || (reply && !RLEqual(reply, data))) _exit(1);
            if (reply) RLRelease(reply);
            RLRelease(data);
            /* Time is the subject: the idle connection yields. */
            if (rand_r(&seed) % 4 == 0) usleep(rand_r(&seed) % 8000);
        }
        long amiss = -1;
        RLDataRef numbers = NULL;
        int result =
            RLMessagePortSendRequest(port, client, NULL, 600, 600, string_named("REPLY"), &numbers);
        if (result != 0) _exit(2);
        memcpy(&amiss, RLDataGetBytePtr(numbers), sizeof amiss);
        _exit(amiss ? 3 : 0);
    });
}

static void messages_in_a_crowd(void)
{
    enum { pushers = 66 };
    use_own_folder();
    pid_t clients[counting_clients];

    start_counter("pushed");
    for (int index = 0; index < pushers; index++) start_pusher("pushed");
    for (int index = 0; index < counting_clients; index++) {
        clients[index] = start_counted("pushed", index);
    }
    for (int index = 0; index < counting_clients; index++) {
        int status = 0;
        check(waitpid(clients[index], &status, 0) == clients[index]);
        if (status != 0) note("client %d: %d", index, WEXITSTATUS(status));
    }
}
SCENARIO(messages_in_a_crowd,
         .title = "However often connections yield, each message arrives once",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true)
