/*
 * Message ports and peers that break the rules of their packets. Ours only.
 */

#include "raw_messages.h"
#include "scenario.h"

/* Whether a server drops a raw peer that sends this, and serves the others. */
static void expect_refused(RLMessagePortRef good, const void *record, size_t size, int descriptor,
                           int times)
{
    int raw = raw_connect("victim");

    check(raw_send(raw, record, size, descriptor, times) == (ssize_t)size);
    check(raw_is_closed(raw));
    close(raw);
    check(ask(good, 1, bytes("x"), NULL) == 0);
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
    packets[count++].kind = raw_yield;
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
         .title = "A client that sends an invalid request is disconnected, without an effect on other clients",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

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
         .title = "Large messages are accepted only in complete, sealed memory files",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* Sends a part of a request; the payload is its place in the whole. */
static void raw_send_part(int raw, struct raw_packet packet, uint32_t offset, uint32_t length)
{
    packet.offset = offset;
    for (uint32_t at = 0; at < length; at++) packet.payload[at] = (char)(offset + at);
    check(send(raw, &packet, raw_header + length, MSG_NOSIGNAL) == (ssize_t)(raw_header + length));
}

/* Whether the next reply has this serial and length; each byte must be its own index. */
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
    note_answer("the parts are a message", raw_is_answered(raw, 5, 90));
    /* and another first part gives the message up. */
    raw_send_part(raw, packet, 0, 10);
    other.total = 100;
    raw_send_part(raw, other, 0, 99);
    raw_send_part(raw, other, 99, 1);
    note_answer("another one replaces it", raw_is_answered(raw, 6, 100));
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
    note_answer("a memory file replaces it", other.serial == 5 && other.offset == 98304);
    raw_send_part(raw, packet, 10, 10);
    note_answer("its parts belong nowhere then", raw_is_closed(raw));
    close(raw);
    close(file);
}
SCENARIO(requests_in_parts,
         .title = "Large requests come in parts, which others may interrupt and replace",
         .clauses = "extension",
         .rl_only = true,
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
    /* Announcing much costs the server little, and leaks nothing. */
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
         .title = "A client that sends parts out of order is disconnected, and leaves nothing behind",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

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
        send(raw, "garbage", 7, MSG_NOSIGNAL);
        raw_is_closed(raw);
    });
    start_raw_server("stranger", ^(int raw, uint64_t serial) {
        /* Replies without requests, as many as are read. */
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
    /* Silent peers are not awaited. */
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
         .title = "A reply that violates the protocol ends the connection, or is ignored",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "garbage: BecameInvalid; stranger: ReceiveTimeout; half: ReceiveTimeout; "
                     "quitter: BecameInvalid; jumper: BecameInvalid; giver: BecameInvalid")

static void reply_between_parts(void)
{
    use_own_folder();
    int sent[2];

    check(pipe2(sent, O_CLOEXEC) == 0);
    int reported = sent[0], teller = sent[1];
    start_raw_server("twin", ^(int raw, uint64_t serial) {
        struct raw_packet reply = {
            .magic = raw_magic, .kind = raw_reply, .id = 1, .total = 90, .serial = serial};
        struct raw_packet other = reply;
        other.total = 10;
        raw_send_part(raw, reply, 0, 60);
        raw_send_part(raw, other, 0, 10);
        raw_send_part(raw, reply, 60, 30);
        send_byte(teller);
        raw_is_closed(raw);
    });
    RLMessagePortRef remote = remote_port("twin");
    RLDataRef reply = NULL;
    /* One look takes all three, and does not end with the wait. */
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), string_named("REPLY"), ^{
        await_byte(reported);
        note_answer("valid", RLMessagePortIsValid(remote));
    });
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, NULL, 600, 600,
                                                     string_named("REPLY"), &reply)));
    note("%ld bytes", reply ? RLDataGetLength(reply) : -1);
    if (reply) RLRelease(reply);
    close(reported);
    close(teller);
}
SCENARIO(reply_between_parts,
         .title = "A second reply that comes between the parts of the first is the reply",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "valid: yes; Success; 10 bytes")
