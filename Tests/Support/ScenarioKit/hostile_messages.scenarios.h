/*
 * Peers of message ports that break the rules, do nothing, do too much, or are killed. Ours only.
 */

#include "message_words.h"
#include "system_calls.h"

#include <malloc.h>
#include <sys/resource.h>

/* What a packet says; see message_wire.h of the engine, which this does not use on purpose. */
struct raw_packet {
    uint32_t magic;
    uint8_t kind, flags;
    uint16_t descriptors;
    int32_t id;
    uint32_t total, offset, zero;
    uint64_t serial;
    char payload[100];
};

enum {
    raw_header = 32,
    raw_request = 1,
    raw_reply = 2,
    raw_give_way = 3,
    raw_stay = 4,
    raw_wants = 1,
    raw_shared = 2
};

static const uint32_t raw_magic = 0x024D4C52;

static struct sockaddr_un raw_address(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof(address.sun_path), "%s/corerunloop/n%s",
             getenv("XDG_RUNTIME_DIR"), name);
    return address;
}

static int raw_connect(const char *name)
{
    struct sockaddr_un address = raw_address(name);
    int raw = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    check(connect(raw, (struct sockaddr *)&address, sizeof(address)) == 0);
    return raw;
}

/* Sends a record, with a descriptor several times. */
static ssize_t raw_send(int raw, const void *record, size_t size, int descriptor, int times)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * 64)];
    } control = {0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)record, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (times > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)times);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)times);
        for (int index = 0; index < times; index++) {
            memcpy(CMSG_DATA(&control.header) + sizeof(int) * (size_t)index, &descriptor,
                   sizeof(int));
        }
    }
    return sendmsg(raw, &message, MSG_NOSIGNAL);
}

/* Waits until the other side closes; what it sends before does not count. */
static bool raw_is_closed(int raw)
{
    static char bytes[40000];
    struct pollfd query = {.fd = raw, .events = POLLIN};

    while (poll(&query, 1, 10000) == 1) {
        ssize_t length = recv(raw, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (length == 0 || (length < 0 && errno == ECONNRESET)) return true;
    }
    return false;
}

/* A server that echoes, and tells of itself: 100 its descriptors, 101 its kilobytes in use. */
static pid_t start_echo(const char *name)
{
    return start_server(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local;
        if (id == 99) return pattern(1 << 20);
        if (id < 100) return echo(data);
        long number = id == 100 ? count_descriptors() : (long)(mallinfo2().uordblks / 1024);
        return RLDataCreate(NULL, (const UInt8 *)&number, sizeof(number));
    });
}

static long ask_number(RLMessagePortRef remote, int id)
{
    RLDataRef reply = NULL;
    long number = -1;

    if (ask(remote, id, NULL, &reply) != 0 || !reply) return -1;
    memcpy(&number, RLDataGetBytePtr(reply), sizeof(number));
    return number;
}

/* Whether a server throws a raw peer out that sends this, and goes on with the others. */
static void expect_refused(RLMessagePortRef good, const void *record, size_t size, int descriptor,
                           int times)
{
    int raw = raw_connect("victim");

    check(raw_send(raw, record, size, descriptor, times) == (ssize_t)size);
    check(raw_is_closed(raw));
    close(raw);
    check(ask(good, 1, bytes("x"), NULL) == 0);
}

static int seal(int file)
{
    check(fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_WRITE) == 0);
    return file;
}

/* A file of zeros that has all its memory. */
static int memory_file(long size)
{
    int file = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    check(fallocate(file, 0, 0, size) == 0);
    return file;
}

/* A file that is nothing but a hole from a place on. */
static int sparse_file(long size, long hole)
{
    int file = memory_file(hole);

    check(ftruncate(file, size) == 0);
    return seal(file);
}

static void malformed_requests(void)
{
    use_own_folder();
    start_echo("victim");
    RLMessagePortRef good = remote_port("victim");
    const struct raw_packet valid = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .total = 4, .serial = 1};
    struct raw_packet packets[16];
    int count = 0;

    for (int index = 0; index < 16; index++) packets[index] = valid;
    packets[count++].magic++;
    packets[count++].kind = 0;
    packets[count++].kind = raw_reply;
    packets[count++].kind = raw_give_way;
    packets[count++].kind = raw_stay;
    packets[count++].kind = 255;
    packets[count++].flags = 4;
    packets[count++].flags = 255;
    packets[count++].descriptors = 1;
    packets[count++].descriptors = 65535;
    packets[count++].total = 3;
    packets[count++].total = UINT32_MAX;
    packets[count++].offset = 1;
    packets[count++].zero = 1;
    for (int index = 0; index < count; index++) {
        expect_refused(good, &packets[index], raw_header + 4, 0, 0);
    }
    long before = ask_number(good, 100);
    expect_refused(good, &valid, raw_header + 4, 0, 1);
    expect_refused(good, &valid, raw_header + 4, 0, 60);
    expect_refused(good, &valid, raw_header + 5, 0, 0);
    expect_refused(good, &valid, raw_header - 1, 0, 0);
    expect_refused(good, &valid, 1, 0, 0);
    expect_refused(good, &valid, 0, 0, 0);
    static char long_record[100000];
    memcpy(long_record, &valid, raw_header);
    expect_refused(good, long_record, sizeof(long_record), 0, 0);
    check(ask_number(good, 100) == before);
}
SCENARIO(malformed_requests,
         .title = "Who sends what is no request is thrown out, and nobody else notices",
         .clauses = "extension",
         .own_process = true,
         .expected = "")

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

/* Has a process of another user connect, which only root can start, and which no mode keeps out. */
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
        alarm(30);
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(2);
        /* A failed check, such as that of the connection, would be forgotten here. */
        _exit(raw_is_refused("victim") ? 0 : 1);
    }
    check(waitpid(other, &status, 0) == other);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Where no other user can be had, the server is one: it compares two numbers of users. */
static void connections_of_other_users(void)
{
    const char *folder = use_own_folder();
    bool is_root = geteuid() == 0;
    enum { CHANGE = 50 };

    start_process(^(void (^ready)(void)) {
        static volatile long user = let_through;
        answer_call(SYS_geteuid, ^long(const long *arguments) {
            (void)arguments;
            return user;
        });
        serve("victim", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            (void)local;
            if (id == CHANGE) user = 12345;
            return echo(data);
        });
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    RLMessagePortRef good = remote_port("victim");
    check(ask(good, 1, bytes("x"), NULL) == 0);
    tell("takes its own user's", !raw_is_refused("victim"));
    tell("refuses another's", !is_root || other_user_is_refused(folder));
    check(ask(good, CHANGE, bytes("x"), NULL) == 0);
    tell("and all as another user", raw_is_refused("victim"));
    /* Who is connected stays so. */
    check(ask(good, 1, bytes("x"), NULL) == 0);
}
SCENARIO(connections_of_other_users,
         .title = "A server refuses connections of other users' processes, whatever the modes of "
                  "its files",
         .clauses = "extension",
         .own_process = true,
         .expected = "takes its own user's: yes; refuses another's: yes; and all as another user: yes")

static void malformed_memory_files(void)
{
    use_own_folder();
    start_echo("victim");
    RLMessagePortRef good = remote_port("victim");
    struct raw_packet packet = {.magic = raw_magic,
                                .kind = raw_request,
                                .flags = raw_wants | raw_shared,
                                .total = 100000,
                                .serial = 1};
    int ends[2], raw;

    check(pipe2(ends, O_CLOEXEC) == 0);
    long before = ask_number(good, 100);
    int files[] = {memory_file(100000),
                   seal(memory_file(99999)),
                   seal(memory_file(100001)),
                   sparse_file(100000, 1),
                   sparse_file(100000, 90000),
                   ends[0],
                   open("/dev/zero", O_RDONLY | O_CLOEXEC)};
    expect_refused(good, &packet, raw_header, 0, 0);
    expect_refused(good, &packet, raw_header + 1, files[0], 1);
    for (int index = 0; index < 7; index++) {
        expect_refused(good, &packet, raw_header, files[index], 1);
        close(files[index]);
    }
    close(ends[1]);
    int right = seal(memory_file(100000));
    expect_refused(good, &packet, raw_header, right, 2);
    packet.total = 1000;
    expect_refused(good, &packet, raw_header, right, 1);
    packet.total = 100000;
    raw = raw_connect("victim");
    check(raw_send(raw, &packet, raw_header, right, 1) == raw_header);
    struct raw_packet reply;
    check(recv(raw, &reply, sizeof(reply), MSG_TRUNC) == raw_header + 98304);
    check(reply.kind == raw_reply && reply.serial == 1 && reply.total == 100000);
    close(raw);
    close(right);
    /* Zeros are as good as other bytes. */
    UInt8 *zeros = calloc(1, 1 << 20);
    RLDataRef data = RLDataCreateWithBytesNoCopy(NULL, zeros, 1 << 20, kRLAllocatorDefault), copy;
    check(ask(good, 1, data, &copy) == 0 && RLEqual(data, copy));
    RLRelease(data);
    check(ask_number(good, 100) == before);
}
SCENARIO(malformed_memory_files,
         .title = "Large messages come in whole memory files that nobody can change, and in no others",
         .clauses = "extension",
         .own_process = true,
         .expected = "")

/* Sends a part of a request; the payload is its place in the whole. */
static void raw_send_part(int raw, struct raw_packet packet, uint32_t offset, uint32_t length)
{
    packet.offset = offset;
    for (uint32_t at = 0; at < length; at++) packet.payload[at] = (char)(offset + at);
    check(send(raw, &packet, raw_header + length, MSG_NOSIGNAL) == (ssize_t)(raw_header + length));
}

/* Whether the next reply has this serial and so many bytes, each its place. */
static bool raw_is_answered(int raw, uint64_t serial, uint32_t total)
{
    struct raw_packet reply;

    if (recv(raw, &reply, sizeof(reply), 0) != (ssize_t)(raw_header + total)) return false;
    for (uint32_t at = 0; at < total; at++) {
        if (reply.payload[at] != (char)at) return false;
    }
    return reply.kind == raw_reply && reply.serial == serial && reply.total == total;
}

static void requests_in_parts(void)
{
    use_own_folder();
    start_echo("victim");
    const struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .total = 90, .serial = 5};
    struct raw_packet other = packet;
    int raw = raw_connect("victim");

    raw_send_part(raw, packet, 0, 60);
    raw_send_part(raw, packet, 60, 20);
    /* Between parts there may be a message of one packet, */
    other.serial = 6;
    other.total = 80;
    raw_send_part(raw, other, 0, 80);
    check(raw_is_answered(raw, 6, 80));
    raw_send_part(raw, packet, 80, 10);
    tell("the parts are a message", raw_is_answered(raw, 5, 90));
    /* and another first part gives the message up. */
    raw_send_part(raw, packet, 0, 10);
    other.total = 100;
    raw_send_part(raw, other, 0, 99);
    raw_send_part(raw, other, 99, 1);
    tell("another one replaces it", raw_is_answered(raw, 6, 100));
    /* So does a memory file with its serial. */
    int file = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    static UInt8 large[150000];
    check(write(file, large, sizeof(large)) == sizeof(large));
    other.total = sizeof(large);
    other.flags |= raw_shared;
    raw_send_part(raw, packet, 0, 10);
    other.serial = packet.serial;
    check(raw_send(raw, &other, raw_header, seal(file), 1) == raw_header);
    check(recv(raw, &other, sizeof(other), MSG_TRUNC) == raw_header + 98304);
    check(recv(raw, &other, sizeof(other), MSG_TRUNC) == raw_header + 150000 - 98304);
    tell("a memory file replaces it", other.serial == 5 && other.offset == 98304);
    raw_send_part(raw, packet, 10, 10);
    tell("its parts belong nowhere then", raw_is_closed(raw));
    close(raw);
    close(file);
}
SCENARIO(requests_in_parts,
         .title = "Large requests come in parts, which others may interrupt and replace",
         .clauses = "extension",
         .own_process = true,
         .expected = "the parts are a message: yes; another one replaces it: yes; "
                     "a memory file replaces it: yes; its parts belong nowhere then: yes")

static void malformed_parts(void)
{
    use_own_folder();
    start_echo("victim");
    RLMessagePortRef good = remote_port("victim");
    long descriptors = ask_number(good, 100), kilobytes = ask_number(good, 101);
    const struct raw_packet first = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .total = 200, .serial = 1};
    struct raw_packet seconds[8];
    int count = 0;

    for (int index = 0; index < 8; index++) {
        seconds[index] = first;
        seconds[index].offset = 100;
    }
    seconds[count++].offset = 99;
    seconds[count++].offset = 101;
    seconds[count++].serial++;
    seconds[count++].total++;
    seconds[count++].flags = 0;
    seconds[count++].id++;
    seconds[count++].kind = raw_reply;
    for (int index = 0; index < count; index++) {
        int raw = raw_connect("victim");
        raw_send_part(raw, first, 0, 100);
        check(send(raw, &seconds[index], raw_header + 50, MSG_NOSIGNAL) == raw_header + 50);
        check(raw_is_closed(raw));
        close(raw);
    }
    /* One without a beginning, an empty one, and a descriptor before the last one. */
    expect_refused(good, &seconds[count], raw_header + 100, 0, 0);
    expect_refused(good, &first, raw_header, 0, 0);
    struct raw_packet early = first;
    early.descriptors = 1;
    expect_refused(good, &early, raw_header + 100, 0, 1);
    /* Who announces much has not cost much, and leaves nothing. */
    int raws[3];
    struct raw_packet large = first;
    large.total = 1 << 26;
    for (int index = 0; index < 3; index++) {
        raws[index] = raw_connect("victim");
        raw_send_part(raws[index], large, 0, 100);
    }
    check(ask(good, 1, bytes("x"), NULL) == 0);
    for (int index = 0; index < 3; index++) close(raws[index]);
    while (ask_number(good, 100) > descriptors) sched_yield();
    check(ask_number(good, 101) < kilobytes + 1024);
}
SCENARIO(malformed_parts,
         .title = "Who sends parts that do not follow one another is thrown out, and leaves nothing",
         .clauses = "extension",
         .own_process = true,
         .expected = "")

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
         .own_process = true,
         .expected = "")

static void connections_of_one_process(void)
{
    use_own_folder();
    start_echo("victim");
    struct raw_packet request = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_wants, .serial = 7};
    struct raw_packet reply;
    int raws[5];

    for (int index = 0; index < 5; index++) raws[index] = raw_connect("victim");
    check(recv(raws[0], &reply, sizeof(reply), 0) == raw_header && reply.kind == raw_give_way);
    tell("the first gives way", raw_is_closed(raws[0]));
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
         .own_process = true,
         .expected = "the first gives way: yes")

static void other_users(void)
{
    const char *folder = use_own_folder();
    __block int got = 0;

    serve("private", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local, (void)id, (void)data;
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
         .title = "Nobody but the user gets a message through",
         .clauses = "extension",
         .own_process = true,
         .expected = "")

/* A process that sends a message, which nobody has to answer, and stays. */
static void start_sender(const char *name, int id)
{
    start_process(^(void (^ready)(void)) {
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named(name));
        if (RLMessagePortSendRequest(remote, id, NULL, 10, 1, NULL, NULL) != 0) _exit(1);
        ready();
        pause();
    });
}

static void server_without_descriptors(void)
{
    use_own_folder();
    RLRunLoopStatistics numbers;
    struct rlimit whole, none;
    __block int last = 0;

    serve("full", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local, (void)data;
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
         .own_process = true,
         .expected = "got 4; got 5")

/* A server of raw sockets that the engine's ports can be connected to. */
static void start_raw_server(const char *name, void (^body)(int raw, uint64_t serial))
{
    start_process(^(void (^ready)(void)) {
        /* The directory is the engine's to make. */
        RLMessagePortRef port =
            RLMessagePortCreateLocal(NULL, string_named("maker"), no_reply, NULL, NULL);
        RLMessagePortInvalidate(port);
        struct sockaddr_un address = raw_address(name);
        int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0) _exit(1);
        if (listen(listener, 5) != 0) _exit(1);
        ready();
        for (;;) {
            struct raw_packet request;
            int raw = accept(listener, NULL, NULL);
            if (recv(raw, &request, sizeof(request), 0) < raw_header) _exit(1);
            body(raw, request.serial);
            close(raw);
        }
    });
}

static int ask_raw_server(const char *name, double patience)
{
    RLDataRef reply = NULL;
    RLMessagePortRef remote = remote_port(name);

    return remote ? RLMessagePortSendRequest(remote, 1, NULL, 1, patience, string_named("REPLY"),
                                             &reply)
                  : 1;
}

static void malformed_replies(void)
{
    use_own_folder();
    int before = count_descriptors();
    start_raw_server("garbage", ^(int raw, uint64_t serial) {
        (void)serial;
        send(raw, "garbage", 7, MSG_NOSIGNAL);
        raw_is_closed(raw);
    });
    start_raw_server("stranger", ^(int raw, uint64_t serial) {
        /* Replies to what nobody asked, as many as are read. */
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .total = 100, .serial = serial + 1};
        while (send(raw, &reply, raw_header + 100, MSG_NOSIGNAL) > 0) continue;
    });
    start_raw_server("half", ^(int raw, uint64_t serial) {
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .total = 1 << 26, .serial = serial};
        send(raw, &reply, raw_header + 100, MSG_NOSIGNAL);
        raw_is_closed(raw);
    });
    start_raw_server("quitter", ^(int raw, uint64_t serial) {
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .total = 1 << 26, .serial = serial};
        send(raw, &reply, raw_header + 100, MSG_NOSIGNAL);
    });
    start_raw_server("jumper", ^(int raw, uint64_t serial) {
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .total = 1000, .serial = serial};
        send(raw, &reply, raw_header + 100, MSG_NOSIGNAL);
        reply.offset = 99;
        send(raw, &reply, raw_header + 100, MSG_NOSIGNAL);
        raw_is_closed(raw);
    });
    start_raw_server("giver", ^(int raw, uint64_t serial) {
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .serial = serial};
        raw_send(raw, &reply, raw_header, raw, 3);
        raw_is_closed(raw);
    });
    /* Those that never answer are not waited for. */
    static const struct {
        const char *name;
        double patience;
    } servers[] = {{"garbage", 10}, {"stranger", 0.05}, {"half", 0.05},
                   {"quitter", 10}, {"jumper", 10},     {"giver", 10}};
    for (int index = 0; index < 6; index++) {
        note("%s: %s", servers[index].name,
             name_of_send(ask_raw_server(servers[index].name, servers[index].patience)));
    }
    check(count_descriptors() <= before + 3 + 2);
}
SCENARIO(malformed_replies,
         .title = "A server that breaks the rules ends its connection, or is not heard",
         .clauses = "extension",
         .own_process = true,
         .expected = "garbage: BecameInvalid; stranger: ReceiveTimeout; half: ReceiveTimeout; "
                     "quitter: BecameInvalid; jumper: BecameInvalid; giver: BecameInvalid")

/* A server that lets those who connect wait until it is told otherwise by a byte. */
static int start_busy_server(const char *name)
{
    int orders[2];

    check(pipe2(orders, O_CLOEXEC) == 0);
    int entry = orders[0], giver = orders[1];
    start_process(^(void (^ready)(void)) {
        /* It ends with the scenario, which waits for it if that has a process of its own. */
        close(giver);
        RLMessagePortRef port =
            RLMessagePortCreateLocal(NULL, string_named("maker"), no_reply, NULL, NULL);
        RLMessagePortInvalidate(port);
        struct sockaddr_un address = raw_address(name);
        char byte;
        int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0) _exit(1);
        if (listen(listener, 0) != 0) _exit(1);
        ready();
        if (read(entry, &byte, 1) != 1) _exit(1);
        for (;;) accept(listener, NULL, NULL);
    });
    close(orders[0]);
    at_end(^{ close(giver); });
    return giver;
}

static bool is_asleep(pid_t thread)
{
    char path[64], text[256] = "";

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    check(read(file, text, sizeof(text) - 1) > 0);
    close(file);
    const char *state = strrchr(text, ')');
    return state && state[2] == 'S';
}

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
            /* On a machine that stands still for a second the engine gives up, and so in time. */
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
    /* Whoever failed had waited for a second, alone or behind another. */
    check(failed <= waiting * (clock_now() - start));
    for (int index = 0; index < waiting; index++) {
        check(found[index] == found[0]);
        RLRelease(found[index]);
    }
    free(found);
    close(first);
}
SCENARIO(slow_server_delays_nobody,
         .title = "Who connects to a busy server waits alone, with those who want the same one",
         .clauses = "MSGP-4",
         .own_process = true,
         .expected = "0 of them have ended; 3 are connected")

/* A server that writes down each number before it answers. */
static pid_t start_recorder(const char *path)
{
    return start_server("recorder", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local;
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (write(file, &id, sizeof(id)) != sizeof(id)) _exit(1);
        close(file);
        return echo(data);
    });
}

static bool is_recorded(const char *path, int id)
{
    int found, file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_there = false;

    while (file >= 0 && read(file, &found, sizeof(found)) == sizeof(found)) {
        if (found == id) is_there = true;
    }
    if (file >= 0) close(file);
    return is_there;
}

static void killed_at_random(void)
{
    enum { rounds = 30 };
    const char *path = path_in(use_own_folder(), "record");
    unsigned seed = (unsigned)getpid();
    int number = 0, answered = 0;

    for (int round = 0; round < rounds; round++) {
        /* The name of the one before, who is dead, is free. */
        pid_t server = start_recorder(path);
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named("recorder"));
        RLDataRef data = pattern(round % 3 == 0 ? 300000 : 100);
        timer_ref killer = TIMER("killer", .after = rand_r(&seed) % 3000 * 1e-6, .quiet = true,
                                 .fire = ^(timer_ref timer) {
                                     (void)timer;
                                     kill(server, SIGKILL);
                                 });
        add_timer(killer, "REPLY");
        for (;;) {
            RLDataRef reply = NULL;
            int result = RLMessagePortSendRequest(remote, ++number, data, 10, 10,
                                                  string_named("REPLY"), &reply);
            if (result == kRLMessagePortSuccess) {
                answered++;
                check(reply && RLEqual(reply, data));
                check(is_recorded(path, number));
                if (reply) RLRelease(reply);
                continue;
            }
            check(result == kRLMessagePortBecameInvalidError || result == kRLMessagePortIsInvalid);
            /* What was never sent is never there. */
            if (result == kRLMessagePortIsInvalid) check(!is_recorded(path, number));
            break;
        }
        check(!RLMessagePortIsValid(remote));
        RLRelease(remote);
        RLRelease(data);
        check(waitpid(server, NULL, 0) == server);
    }
    check(answered > 0);
}
SCENARIO(killed_at_random,
         .title = "Whenever a server is killed, what it has answered is done, and its name is free",
         .clauses = "MSGP-6 MSGP-9",
         .own_process = true,
         .expected = "")

static void heirs_of_a_name(void)
{
    enum { rounds = 10, heirs = 6 };
    use_own_folder();
    for (int round = 0; round < rounds; round++) {
        int gate[2], results[2];
        pid_t processes[heirs];
        char result;
        int winners = 0;

        pid_t owner = start_echo("inherited");
        check(pipe2(gate, O_CLOEXEC) == 0 && pipe2(results, O_CLOEXEC) == 0);
        int entry = gate[0], answer = results[1], unused = gate[1];
        for (int index = 0; index < heirs; index++) {
            processes[index] = fork();
            if (processes[index] != 0) continue;
            char byte;
            alarm(20);
            close(unused);
            if (read(entry, &byte, 1) != 0) _exit(1);
            RLMessagePortRef port =
                RLMessagePortCreateLocal(NULL, string_named("inherited"), no_reply, NULL, NULL);
            if (write(answer, port ? "w" : "l", 1) != 1) _exit(1);
            pause();
        }
        kill_and_wait(owner);
        close(gate[1]);
        for (int index = 0; index < heirs; index++) {
            check(read(results[0], &result, 1) == 1);
            winners += result == 'w';
        }
        check(winners == 1);
        check(RLMessagePortCreateLocal(NULL, string_named("inherited"), no_reply, NULL, NULL) ==
              NULL);
        for (int index = 0; index < heirs; index++) kill_and_wait(processes[index]);
        close(gate[0]);
        close(results[0]);
        close(results[1]);
    }
}
SCENARIO(heirs_of_a_name,
         .title = "Of several processes that want a dead one's name at once, one gets it",
         .clauses = "MSGP-2",
         .own_process = true,
         .expected = "")

/* Names of its own for each of several processes. */
static const char *number_name(int number)
{
    static char name[32];

    snprintf(name, sizeof name, "port-%d", number);
    return name;
}

static void files_of_killed_ports(void)
{
    enum { killed = 5 };
    const char *folder = use_own_folder();
    char path[PATH_MAX];
    struct stat lock;

    for (int index = 0; index < killed; index++) kill_and_wait(start_echo(number_name(index)));
    start_echo("living");
    /* Each has cleaned up after those before. */
    check(count_files(folder) == 2);
    pid_t starter = start_process(^(void (^ready)(void)) {
        RLMessagePortRef first =
            RLMessagePortCreateLocal(NULL, string_named("first"), no_reply, NULL, NULL);
        RLMessagePortCreateLocal(NULL, string_named("second"), no_reply, NULL, NULL);
        RLMessagePortInvalidate(first);
        ready();
        pause();
    });
    kill_and_wait(starter);
    /* Somebody who was killed before his socket had its name. */
    snprintf(path, sizeof path, "%s/corerunloop/lnsecond", folder);
    check(stat(path, &lock) == 0);
    snprintf(path, sizeof path, "%s/corerunloop/t%llx", folder, (unsigned long long)lock.st_ino);
    check(mknod(path, S_IFSOCK | 0600, 0) == 0);
    note("%d files", count_files(folder));
    check(make_local("fresh") != NULL);
    note("%d files", count_files(folder));
    check(remote_port("second") == NULL && remote_port("fresh") && remote_port("living"));
    check(ask(remote_port("living"), 1, NULL, NULL) == 0);
}
SCENARIO(files_of_killed_ports,
         .title = "What killed processes leave of their ports is removed by the next that makes one",
         .clauses = "extension",
         .own_process = true,
         .expected = "5 files; 4 files")

static void sweepers_and_starters(void)
{
    enum { rounds = 20, starters = 8 };
    use_own_folder();
    for (int round = 0; round < rounds; round++) {
        int gate[2], results[2], winners = 0;
        pid_t owner = start_process(^(void (^ready)(void)) {
            for (int index = 0; index < starters; index++) {
                RLMessagePortCreateLocal(NULL, string_named(number_name(index)), no_reply, NULL,
                                         NULL);
            }
            ready();
            pause();
        });
        pid_t processes[starters];

        check(pipe2(gate, O_CLOEXEC) == 0 && pipe2(results, O_CLOEXEC) == 0);
        int entry = gate[0], answer = results[1], unused = gate[1];
        for (int index = 0; index < starters; index++) {
            processes[index] = start_process(^(void (^ready)(void)) {
                char byte;
                close(unused);
                ready();
                if (read(entry, &byte, 1) != 0) _exit(1);
                RLMessagePortRef port = RLMessagePortCreateLocal(
                    NULL, string_named(number_name(index)), no_reply, NULL, NULL);
                RLMessagePortRef remote =
                    RLMessagePortCreateRemote(NULL, string_named(number_name(index)));
                if (write(answer, port && remote ? "w" : "l", 1) != 1) _exit(1);
                pause();
            });
        }
        kill_and_wait(owner);
        close(gate[1]);
        for (int index = 0; index < starters; index++) {
            char result;
            check(read(results[0], &result, 1) == 1);
            winners += result == 'w';
        }
        check(winners == starters);
        for (int index = 0; index < starters; index++) kill_and_wait(processes[index]);
        close(gate[0]);
        close(results[0]);
        close(results[1]);
    }
}
SCENARIO(sweepers_and_starters,
         .title = "Processes that remove the files of the dead do not disturb those that take their names",
         .clauses = "MSGP-2",
         .own_process = true,
         .expected = "")
