/*
 * Message ports between threads and processes. Ours only: the reference has none on Linux.
 */

#include "message_words.h"
#include "scenario.h"

static void message_round_trip(void)
{
    use_own_folder();
    start_server("server", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        if (id == 2) return NULL;
        UInt8 answer[64];
        long length = snprintf((char *)answer, sizeof(answer), "%d: %.*s", id,
                               (int)RLDataGetLength(data), (const char *)RLDataGetBytePtr(data));
        return RLDataCreate(NULL, answer, length);
    });
    RLMessagePortRef remote = remote_port("server");
    RLDataRef reply = NULL;

    check(RLMessagePortIsRemote(remote) && RLMessagePortIsValid(remote));
    check(RLEqual(RLMessagePortGetName(remote), string_named("server")));
    check(remote_port("server") == remote && remote_port("other") == NULL);
    check(RLMessagePortSendRequest(remote, 1, bytes("one-way"), 1, 0, NULL, &reply) == 0);
    check(reply == NULL);
    note("%s", name_of_send(ask(remote, -7, bytes("hello"), &reply)));
    note("%.*s", (int)RLDataGetLength(reply), (const char *)RLDataGetBytePtr(reply));
    note("%s", name_of_send(ask(remote, 3, NULL, &reply)));
    note("%.*s", (int)RLDataGetLength(reply), (const char *)RLDataGetBytePtr(reply));
    check(ask(remote, 2, NULL, &reply) == 0 && RLDataGetLength(reply) == 0);
    check(ask(remote, 2, NULL, NULL) == 0);
}
SCENARIO(message_round_trip,
         .title = "A message to another process arrives with its number and is answered",
         .clauses = "MSGP-1 MSGP-4 MSGP-5 MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "Success; -7: hello; Success; 3: ")

static void message_to_itself(void)
{
    use_own_folder();
    RLMessagePortRef local =
        serve("itself", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
            note("got %d, %ld bytes", id, RLDataGetLength(data));
            return echo(data);
        });
    RLMessagePortRef remote = remote_port("itself");
    RLDataRef data = pattern(1 << 20), reply = NULL;

    check(remote != local && !RLMessagePortIsRemote(local));
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, data, 0, 10, kRLRunLoopDefaultMode,
                                                     &reply)));
    check(RLEqual(data, reply));
    RLRelease(reply);
    RLRelease(data);
    /* The port is not served in this mode. */
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 2, NULL, 1, 0.005,
                                                     string_named("REPLY"), NULL)));
    run("DEF", 10, true);
    /* The late reply is dropped, and the next one is the right one. */
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 3, bytes("x"), 600, 600,
                                                     kRLRunLoopDefaultMode, &reply)));
    check(RLDataGetLength(reply) == 1);
    RLRelease(reply);
}
SCENARIO(message_to_itself,
         .title = "A thread can send a request to itself, also with much data; a late reply is dropped",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "got 1, 1048576 bytes; Success; ReceiveTimeout; got 2, 0 bytes; "
                     "= HandledSource; got 3, 1 bytes; Success")

static bool begins_line(RLDataRef data)
{
    return (uintptr_t)RLDataGetBytePtr(data) % 64 == 0;
}

static void message_bytes_in_lines(void)
{
    use_own_folder();
    serve("itself", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
        check(begins_line(data));
        return RLRetain(data);
    });
    RLMessagePortRef remote = remote_port("itself");

    /* One packet, two, and many; between them memory of other sizes comes and goes. */
    for (int round = 0; round < 8; round++) {
        long size = round % 4 == 0 ? 65536 : round % 4 == 1 ? 100000 : 1 << (16 + round % 4);
        RLDataRef bytes = pattern(size), data = echo(bytes), reply = NULL;
        void *other = malloc(1000u * (unsigned)round + 16);
        check(begins_line(data));
        check(RLMessagePortSendRequest(remote, 1, data, 0, 10, kRLRunLoopDefaultMode, &reply) == 0);
        check(RLEqual(data, reply) && begins_line(reply));
        RLRelease(reply);
        RLRelease(data);
        RLRelease(bytes);
        free(other);
    }
}
SCENARIO(message_bytes_in_lines,
         .title = "Many bytes lie where they are copied fast: at the begin of a cache line",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void free_as_client(void *memory, void *info)
{
    note("a client's allocator got %s", memory ? "bytes" : "nothing");
    free(memory);
}

static void message_bytes_of_malloc(void)
{
    RLAllocatorContext context = {.deallocate = free_as_client};
    RLAllocatorRef allocator = RLAllocatorCreate(NULL, &context);
    RLDataRef data = pattern(20), reply = NULL;

    use_own_folder();
    serve("itself", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef received) {
        return echo(received);
    });
    RLMessagePortRef remote = remote_port("itself");
    RLAllocatorSetDefault(allocator);
    check(RLMessagePortSendRequest(remote, 1, data, 600, 600, kRLRunLoopDefaultMode, &reply) == 0);
    RLRelease(reply);
    RLAllocatorSetDefault(kRLAllocatorSystemDefault);
    RLRelease(data);
    RLRelease(allocator);
}
SCENARIO(message_bytes_of_malloc,
         .title = "Data of a message is freed by the allocator that made it, whatever a thread's allocator",
         .clauses = "MSGP-5",
         .rl_only = true,
         .own_process = true)

static void message_killed_in_wait(void)
{
    use_own_folder();
    start_server("server", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        kill(getpid(), SIGKILL);
        return NULL;
    });
    RLMessagePortRef remote = remote_port("server");

    RLMessagePortSetInvalidationCallBack(remote, port_invalidated);
    note("%s", name_of_send(ask(remote, 1, bytes("deadly"), NULL)));
    note_answer("valid", RLMessagePortIsValid(remote));
}
SCENARIO(message_killed_in_wait,
         .title = "The wait for a reply ends with an error when the other side is killed",
         .clauses = "MSGP-6 MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "notified, no info; BecameInvalid; valid: no")

static void message_send_timeout(void)
{
    use_own_folder();
    __block int got = 0;
    RLMessagePortRef local =
        serve("slow", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
            check(id == got);
            got++;
            return NULL;
        });
    RLMessagePortRef remote = remote_port("slow");
    RLDataRef data = pattern(30000);
    int sent = 0, result;

    check(local != NULL);
    while ((result = RLMessagePortSendRequest(remote, sent, data, 0, 0, NULL, NULL)) == 0) sent++;
    note("%s", name_of_send(result));
    double began = clock_now();
    result = RLMessagePortSendRequest(remote, sent, data, 0.02, 0, NULL, NULL);
    note("%s", name_of_send(result));
    check(clock_now() - began >= 0.02);
    RLRelease(data);
    /* The sent message arrives, and nothing else. */
    while (RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true) == kRLRunLoopRunHandledSource) {
        continue;
    }
    check(got == sent && sent > 1);
}
SCENARIO(message_send_timeout,
         .title = "A receiver that does not receive fills up, and what was not sent never arrives",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "SendTimeout; SendTimeout")

enum { largest = 64 * 1024 * 1024 };

static void message_sizes(void)
{
    use_own_folder();
    start_server("sizes", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        return id == 1 ? echo(data) : pattern(largest + 1);
    });
    RLMessagePortRef remote = remote_port("sizes");
    static const long sizes[] = {0,     1,      65536,  98303,   98304,
                                 98305, 196608, 196609, 3000001, largest};

    for (size_t index = 0; index < sizeof(sizes) / sizeof(sizes[0]); index++) {
        RLDataRef data = pattern(sizes[index]), reply = NULL;
        check(RLMessagePortSendRequest(remote, 1, data, 600, 600, string_named("REPLY"), &reply) ==
              0);
        check(reply && RLEqual(data, reply));
        if (reply) RLRelease(reply);
        RLRelease(data);
    }
    RLDataRef too_large = pattern(largest + 1);
    note("%s", name_of_send(ask(remote, 1, too_large, NULL)));
    RLRelease(too_large);
    note("%s", name_of_send(ask(remote, 2, NULL, NULL)));
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
}
SCENARIO(message_sizes,
         .title = "Messages and replies have up to 64 MiB, and not a byte more",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "TransportError; TransportError; Success")

static void message_descriptors(void)
{
    use_own_folder();
    start_server("files", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        int taken[16], before = count_descriptors();
        long count = RLMessagePortTakeDescriptors(local, taken, id);
        char answer[64];
        for (long index = 0; index < count; index++) {
            if (fcntl(taken[index], F_GETFD) != FD_CLOEXEC) return NULL;
            if (write(taken[index], RLDataGetBytePtr(data), 1) != 1) return NULL;
            close(taken[index]);
        }
        int length =
            snprintf(answer, sizeof(answer), "%ld %d", count, before - count_descriptors());
        return RLDataCreate(NULL, (const UInt8 *)answer, length);
    });
    RLMessagePortRef remote = remote_port("files");
    int ends[2];
    int many[16], before = count_descriptors();
    char received[32];
    RLDataRef large = pattern(100000), data[] = {bytes("x"), large};

    check(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    for (int index = 0; index < 16; index++) many[index] = ends[1];
    for (int round = 0; round < 2; round++) {
        /* 3 are taken of 5, and 16 of 16. */
        RLDataRef reply = NULL;
        check(RLMessagePortSendRequestWithDescriptors(remote, 3, data[round], many, 5, 600, 600,
                                                      string_named("REPLY"), &reply) == 0);
        note("%.*s", (int)RLDataGetLength(reply), (const char *)RLDataGetBytePtr(reply));
        RLRelease(reply);
        check(RLMessagePortSendRequestWithDescriptors(remote, 16, data[round], many, 16, 600, 600,
                                                      string_named("REPLY"), &reply) == 0);
        note("%.*s", (int)RLDataGetLength(reply), (const char *)RLDataGetBytePtr(reply));
        RLRelease(reply);
        check(read(ends[0], received, sizeof(received)) == 19);
    }
    /* All the others are closed: with ours, the pipe ends. */
    close(ends[1]);
    check(ask(remote, 0, NULL, NULL) == 0);
    check(read(ends[0], received, sizeof(received)) == 0);
    close(ends[0]);
    RLRelease(large);
    int closed = ends[0];
    check(RLMessagePortSendRequestWithDescriptors(remote, 1, NULL, &closed, 1, 1, 1, NULL, NULL) ==
          kRLMessagePortTransportError);
    check(RLMessagePortTakeDescriptors(remote, many, 16) == 0);
    check(count_descriptors() <= before + 3);
}
SCENARIO(message_descriptors,
         .title = "Descriptors travel with a message; untaken descriptors are closed",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "3 3; 16 16; 3 3; 16 16")

static void message_to_who_asks_back(void)
{
    use_own_folder();
    /* Both send much to each other, and neither receives before it has sent. */
    start_process(^(void (^ready)(void)) {
        __block RLMessagePortRef back = NULL;
        serve("there", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            if (!back) back = RLMessagePortCreateRemote(NULL, string_named("here"));
            if (RLMessagePortSendRequest(back, id, data, 600, 600, NULL, NULL) != 0) _exit(1);
            return echo(data);
        });
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    __block int got = 0;
    RLDataRef data = pattern(1000000), reply = NULL;
    serve("here", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef received) {
        check(RLEqual(received, data));
        got++;
        return NULL;
    });
    RLMessagePortRef remote = remote_port("there");

    for (int round = 0; round < 3; round++) {
        check(RLMessagePortSendRequest(remote, round, data, 600, 600, NULL, NULL) == 0);
    }
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 3, data, 600, 600,
                                                     string_named("REPLY"), &reply)));
    check(RLEqual(reply, data));
    RLRelease(reply);
    while (got < 4) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    RLRelease(data);
}
SCENARIO(message_to_who_asks_back,
         .title = "Two processes that send much to each other at once do not wait for each other",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "Success")

static void message_nested_waits(void)
{
    use_own_folder();
    __block RLMessagePortRef remote = NULL;
    serve("nested", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
        note("begin %d", id);
        if (id < 3) {
            RLDataRef reply = NULL;
            note("%s", name_of_send(RLMessagePortSendRequest(remote, id + 1, NULL, 600, 600,
                                                             kRLRunLoopDefaultMode, &reply)));
            check(RLDataGetLength(reply) == id + 1);
            RLRelease(reply);
        }
        note("end %d", id);
        return pattern(id);
    });
    remote = remote_port("nested");
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, NULL, 600, 600,
                                                     kRLRunLoopDefaultMode, NULL)));
    run("DEF", 0, false);
}
SCENARIO(message_nested_waits,
         .title = "A port may receive a request while it replies to another",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "begin 1; begin 2; begin 3; end 3; Success; end 2; Success; end 1; Success; "
                     "= TimedOut")

static void message_threads(void)
{
    enum { threads = 4, rounds = 200 };
    use_own_folder();
    start_server("threads",
                 ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return echo(data); });
    struct helper_thread *helpers[threads];
    RLMessagePortRef remote = remote_port("threads");

    for (int index = 0; index < threads; index++) {
        helpers[index] = start_thread(^{
            for (int round = 0; round < rounds; round++) {
                RLDataRef data = pattern(index * 20000 + round), reply = NULL;
                int result = RLMessagePortSendRequest(remote, round, data, 600, 600,
                                                      string_named("REPLY"), &reply);
                check(result == 0 && reply && RLEqual(data, reply));
                if (reply) RLRelease(reply);
                RLRelease(data);
            }
        });
    }
    for (int index = 0; index < threads; index++) join_thread(helpers[index]);
}
SCENARIO(message_threads,
         .title = "Several threads use one remote port at the same time, each with its replies",
         .clauses = "MSGP-4 MSGP-6",
         .rl_only = true,
         .own_process = true)

static void message_invalidated_in_wait(void)
{
    use_own_folder();
    serve("silent", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) { return NULL; });
    RLMessagePortRef remote = remote_port("silent");
    RLRunLoopRef loop = this_loop();
    struct helper_thread *helper = start_thread(^{
        wait_until_asleep(loop);
        RLMessagePortInvalidate(remote);
    });

    /* The server is this thread's, which does not serve it now. */
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    join_thread(helper);
}
SCENARIO(message_invalidated_in_wait,
         .title = "A wait ends when another thread invalidates the remote port",
         .clauses = "MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "BecameInvalid")
