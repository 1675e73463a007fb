/*
 * Message ports and peers that may not connect, are too many, do nothing or do too much. Ours only.
 */

#include "raw_messages.h"
#include "scenario.h"
#include "system_calls.h"

#include <sys/resource.h>

/* Whether a server closes a new connection without an answer. */
static bool raw_is_refused(const char *name)
{
    const struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .total = 4, .serial = 1};
    struct raw_packet reply;
    int raw = raw_connect(name);

    /* It may be closed by now. */
    (void)!send(raw, &packet, raw_header + 4, MSG_NOSIGNAL);
    ssize_t length = recv(raw, &reply, sizeof(reply), 0);
    close(raw);
    return length == 0 || (length < 0 && errno == ECONNRESET);
}

/*
 * Makes a process of another user connect, which only root can start, and which no file mode keeps
 * out.
 */
static bool other_user_is_refused(const char *folder)
{
    enum { NOBODY = 65534 };
    struct sockaddr_un address = raw_address("victim");
    char ports[PATH_MAX];
    int status;

    snprintf(ports, sizeof(ports), "%s/corerunloop", folder);
    check(chmod(folder, 0711) == 0 && chmod(ports, 0711) == 0);
    check(chmod(address.sun_path, 0777) == 0);
    pid_t other = fork();
    if (other == 0) {
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(2);
        /* A failed check, such as that of the connection, would be forgotten here. */
        _exit(raw_is_refused("victim") ? 0 : 1);
    }
    check(waitpid(other, &status, 0) == other);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* If no other user is available, the server is one: it compares two user ids. */
static void connections_of_other_users(void)
{
    const char *folder = use_own_folder();
    bool is_root = geteuid() == 0;
    enum { CHANGE = 50 };

    start_process(^(void (^ready)(void)) {
        static volatile long user = let_through;
        answer_call(SYS_geteuid, ^long(const long *arguments) { return user; });
        serve("victim", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            if (id == CHANGE) user = 12345;
            return echo(data);
        });
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    RLMessagePortRef good = remote_port("victim");
    check(ask(good, 1, bytes("x"), NULL) == 0);
    note_answer("takes its own user's", !raw_is_refused("victim"));
    note_answer("refuses another's", !is_root || other_user_is_refused(folder));
    check(ask(good, CHANGE, bytes("x"), NULL) == 0);
    note_answer("and all as another user", raw_is_refused("victim"));
    /* Connected clients stay connected. */
    check(ask(good, 1, bytes("x"), NULL) == 0);
}
SCENARIO(connections_of_other_users,
         .title = "A server refuses connections of other users' processes, whatever the modes of "
                  "its files",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "takes its own user's: yes; refuses another's: yes; and all as another user: yes")

static void connections_of_one_process(void)
{
    use_own_folder();
    start_echo("victim");
    struct raw_packet request = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .serial = 7};
    struct raw_packet reply;
    int raws[5];

    for (int index = 0; index < 5; index++) raws[index] = raw_connect("victim");
    check(recv(raws[0], &reply, sizeof(reply), 0) == raw_header && reply.kind == raw_yield);
    note_answer("the first yields", raw_is_closed(raws[0]));
    for (int index = 1; index < 5; index++) {
        check(send(raws[index], &request, raw_header, 0) == raw_header);
        check(recv(raws[index], &reply, sizeof(reply), 0) == raw_header && reply.serial == 7);
    }
    for (int index = 0; index < 5; index++) close(raws[index]);
    RLMessagePortRef good = remote_port("victim");
    check(ask(good, 1, NULL, NULL) == kRLMessagePortSuccess);
}
SCENARIO(connections_of_one_process,
         .title = "One process has four connections to a port at most",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "the first yields: yes")

static void other_users(void)
{
    const char *folder = use_own_folder();
    __block int got = 0;

    serve("private", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        got++;
        return NULL;
    });
    struct sockaddr_un address = raw_address("private");
    struct stat info;
    check(stat(address.sun_path, &info) == 0 && S_ISSOCK(info.st_mode));
    char inner[PATH_MAX];
    snprintf(inner, sizeof(inner), "%s/corerunloop", folder);
    check(stat(inner, &info) == 0 && (info.st_mode & 0777) == 0700);
    /* A directory that others may enter is not used. */
    check(chmod(inner, 0755) == 0);
    check(RLMessagePortCreateRemote(NULL, string_named("private")) == NULL);
    if (geteuid() != 0) return;

    /* Only the superuser can show what happens if another user gets as far as to connect. */
    check(chmod(folder, 0755) == 0 && chmod(address.sun_path, 0777) == 0);
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        struct raw_packet request = {.magic = raw_magic, .kind = raw_request};
        int raw = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (setresuid(65534, 65534, 65534) != 0) _exit(1);
        if (connect(raw, (struct sockaddr *)&address, sizeof(address)) != 0) _exit(2);
        send(raw, &request, raw_header, MSG_NOSIGNAL);
        _exit(raw_is_closed(raw) ? 0 : 3);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, true);
    }
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check(got == 0);
}
SCENARIO(other_users,
         .title = "Only processes of the same user can send messages",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* Sends requests as long as it lives, and reads nothing. */
static void flood(int raw, int id, int flags)
{
    struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = (uint8_t)flags, .id = id, .serial = 1};

    while (send(raw, &packet, raw_header, MSG_NOSIGNAL) > 0) continue;
    pause();
}

static void peers_that_disturb(void)
{
    use_own_folder();
    start_echo("victim");
    RLMessagePortRef good = remote_port("victim");
    long descriptors = ask_number(good, 100), kilobytes = ask_number(good, 101);
    pid_t peers[] = {
        start_process(^(void (^ready)(void)) {
            for (int index = 0; index < 4; index++) raw_connect("victim");
            ready();
            pause();
        }),
        start_process(^(void (^ready)(void)) {
            int raw = raw_connect("victim");
            ready();
            flood(raw, 1, 0);
        }),
        start_process(^(void (^ready)(void)) {
            int raw = raw_connect("victim");
            ready();
            /* Each reply is a mebibyte. */
            flood(raw, 99, raw_wants);
        }),
    };

    for (int round = 0; round < 300; round++) check(ask(good, 1, bytes("x"), NULL) == 0);
    /* Of each connection that does not read, one reply is held. */
    check(ask_number(good, 101) < kilobytes + 8 * 1024);
    for (int index = 0; index < 3; index++) kill(peers[index], SIGKILL);
    while (ask_number(good, 100) > descriptors + 2) sched_yield();
}
SCENARIO(peers_that_disturb,
         .title = "Peers that are silent, flood, or do not read neither delay others nor take memory",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void server_without_descriptors(void)
{
    use_own_folder();
    RLRunLoopStatistics numbers;
    struct rlimit whole, none;
    __block int last = 0;

    serve("full", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        note("got %d", id);
        last = id;
        return NULL;
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    start_sender("full", 4);
    getrlimit(RLIMIT_NOFILE, &whole);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = whole.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.02, false);
    setrlimit(RLIMIT_NOFILE, &whole);
    RLRunLoopGetStatistics(this_loop(), &numbers);
    check(numbers.passes < 20);
    start_sender("full", 5);
    while (last != 5) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
}
SCENARIO(server_without_descriptors,
         .title = "A port that can have no descriptors does not spin, and serves all when it has some",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "got 4; got 5")

static void slow_server_delays_nobody(void)
{
    enum { waiting = 3 };
    use_own_folder();
    int orders = start_busy_server("busy");
    struct helper_thread *helpers[waiting];
    __block _Atomic int failed = 0, ended = 0;
    RLMessagePortRef *found = calloc(waiting, sizeof(found[0]));
    double start = clock_now();

    /* It takes the place in the queue that there is without being accepted. */
    int first = raw_connect("busy");
    for (int index = 0; index < waiting; index++) {
        struct gate *begins = make_gate();
        __block pid_t thread = 0;
        helpers[index] = start_thread(^{
            thread = gettid();
            open_gate(begins);
            /* On a machine that is suspended for a second the engine times out, and so in time. */
            for (;;) {
                found[index] = RLMessagePortCreateRemote(NULL, string_named("busy"));
                if (found[index]) break;
                failed++;
            }
            ended++;
        });
        pass_gate(begins);
        while (!is_asleep(thread)) sched_yield();
    }
    RLMessagePortRef local = make_local("other");
    check(local && remote_port("other"));
    check(RLMessagePortSetName(local, string_named("another")));
    RLMessagePortInvalidate(local);
    note("%d of them have ended", ended);
    check(write(orders, "x", 1) == 1);
    for (int index = 0; index < waiting; index++) join_thread(helpers[index]);
    note("%d are connected", ended);
    /* Each failed client had waited for a second, alone or behind another. */
    check(failed <= waiting * (clock_now() - start));
    for (int index = 0; index < waiting; index++) {
        check(found[index] == found[0]);
        RLRelease(found[index]);
    }
    free(found);
    close(first);
}
SCENARIO(slow_server_delays_nobody,
         .title = "Connecting to a busy server blocks only threads that want the same server",
         .clauses = "MSGP-4",
         .rl_only = true,
         .own_process = true,
         .expected = "0 of them have ended; 3 are connected")
