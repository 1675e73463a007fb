/*
 * RLMachPort: messages between threads and processes. The reference has the functions on Apple's
 * systems only, so there is none to run; Apple's documentation specifies the behavior.
 */

#include "mach_words.h"
#include "raw_messages.h"
#include "scenario.h"

#include <CRunLoop/RLMachPort.h>
#include <sys/wait.h>

static const char *text_of(RLMachMessageHeader *message)
{
    return message->size > sizeof(*message) ? (const char *)(message + 1) : "";
}

static const void *mach_retain(const void *info)
{
    note("retained");
    return info;
}

static void mach_release(const void *info)
{
    note("released");
}

static void mach_received(RLMachPortRef port, void *message, RLIndex size, void *info)
{
    note("%s: %d %s", (const char *)info, ((RLMachMessageHeader *)message)->messageID,
         text_of(message));
}

static void mach_ended(RLMachPortRef port, void *info)
{
    note("ended %s, %s", info ? (const char *)info : "(null)",
         RLMachPortIsValid(port) ? "valid" : "invalid");
}

static void mach_port_life(void)
{
    RLMachPortContext context = {
        .info = (void *)(uintptr_t)"info", .retain = mach_retain, .release = mach_release};
    Boolean should_free = true;
    RLMachPortRef port = RLMachPortCreate(NULL, mach_received, &context, &should_free);

    check(!should_free && RLMachPortIsValid(port) && RLGetTypeID(port) == RLMachPortGetTypeID());
    RLMachPortRef same = RLMachPortCreateWithPort(NULL, RLMachPortGetPort(port), mach_received,
                                                  &context, &should_free);
    check(same == port && should_free);
    RLRelease(same);
    RLMachPortContext found;
    RLMachPortGetContext(port, &found);
    check(found.info == context.info && found.release == mach_release && found.version == 0);
    RLRunLoopSourceRef source = RLMachPortCreateRunLoopSource(NULL, port, 3);
    RLRunLoopSourceRef again = RLMachPortCreateRunLoopSource(NULL, port, 4);
    check(source == again && RLRunLoopSourceGetOrder(source) == 3);
    RLRelease(again);
    add_source(source, "DEF");
    check(mach_send(RLMachPortGetPort(port), 7, "hello", -1, 0) == kRLMachPortSuccess);
    check(mach_send(RLMachPortGetPort(port), 8, "", -1, 0) == kRLMachPortSuccess);
    run("DEF", 10, true);
    run("DEF", 10, true);
    RLMachPortSetInvalidationCallBack(port, mach_ended);
    check(RLMachPortGetInvalidationCallBack(port) == mach_ended);
    RLMachPortInvalidate(port);
    check(!RLRunLoopSourceIsValid(source) && !RLMachPortIsValid(port));
    RLMachPortGetContext(port, &found);
    check(!found.info && !RLMachPortCreateRunLoopSource(NULL, port, 0));
    check(mach_send(RLMachPortGetPort(port), 9, "late", -1, 100) == kRLMachPortInvalidDestination);
    RLMachPortInvalidate(port);
    RLMachPortSetInvalidationCallBack(port, NULL);
    RLRelease(source);
    RLRelease(port);
}
SCENARIO(mach_port_life,
         .title = "A Mach port delivers one message per pass, and ends as documented",
         .clauses = "MACH-1 MACH-2 MACH-3",
         .rl_only = true,
         .expected = "retained; retained; info: 7 hello; released; = HandledSource; "
                     "retained; info: 8 ; released; = HandledSource; "
                     "retained; ended info, invalid; released; released")

static void mach_port_notified_late(void)
{
    RLMachPortRef port = RLMachPortCreate(
        NULL, mach_received, &(RLMachPortContext){.info = (void *)(uintptr_t)"late"}, NULL);

    RLMachPortInvalidate(port);
    RLMachPortSetInvalidationCallBack(port, mach_ended);
    RLRelease(port);
    port = RLMachPortCreate(NULL, mach_received, NULL, NULL);
    RLMachPortSetInvalidationCallBack(port, mach_ended);
    RLMachPortInvalidate(port);
    RLMachPortSetInvalidationCallBack(port, mach_ended);
    check(RLMachPortGetInvalidationCallBack(port) == mach_ended);
    RLRelease(port);

    /* An object, whose own functions would refuse null. */
    RLMachPortContext context = {
        .info = (void *)(uintptr_t)RLSTR("info"), .retain = RLRetain, .release = RLRelease};
    port = RLMachPortCreate(NULL, mach_received, &context, NULL);
    RLMachPortInvalidate(port);
    RLMachPortSetInvalidationCallBack(port, mach_ended);
    RLRelease(port);
}
SCENARIO(mach_port_notified_late,
         .title = "An invalidation callback is called once, also if it comes too late",
         .clauses = "MACH-4",
         .rl_only = true,
         .own_process = true,
         .expected = "ended (null), invalid; ended (null), invalid; ended (null), invalid")

static void mach_port_threads(void)
{
    enum { SENDERS = 4, EACH = 500 };
    int *next = calloc(SENDERS, sizeof(int));
    __block int count = 0;

    at_end(^{ free(next); });
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        int sender = message->messageID % SENDERS;
        check(message->messageID / SENDERS == next[sender]++);
        count++;
    });
    struct helper_thread *threads[SENDERS];

    for (int sender = 0; sender < SENDERS; sender++) {
        threads[sender] = start_thread(^{
            for (int number = 0; number < EACH; number++) {
                check(mach_send(RLMachPortGetPort(port), number * SENDERS + sender, "x", -1, 1e9) ==
                      kRLMachPortSuccess);
            }
        });
    }
    while (count < SENDERS * EACH) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true);
    for (int sender = 0; sender < SENDERS; sender++) join_thread(threads[sender]);
    note("%d", count);
}
SCENARIO(mach_port_threads,
         .title = "Messages of several threads to a Mach port arrive whole, and in the order of each thread",
         .clauses = "MACH-2",
         .rl_only = true,
         .expected = "2000")

static void mach_port_answers(void)
{
    __block int kept = -1;
    int before = count_descriptors();
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        check(mach_send(message->replyPort, message->messageID + 1, "answer", -1, 1) == 0);
        if (message->messageID != 20) return;
        kept = message->replyPort;
        message->replyPort = -1;
    });
    int own = RLMachPortGetPort(port);
    struct helper_thread *client = start_thread(^{
        RLMachPortRef answers = mach_port(^(RLMachMessageHeader *message) {
            note("%d %s", message->messageID, text_of(message));
        });
        for (int id = 10; id <= 20; id += 10) {
            check(mach_send(own, id, "question", RLMachPortGetPort(answers), 1) == 0);
            check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true) ==
                  kRLRunLoopRunHandledSource);
        }
        RLMachPortInvalidate(answers);
    });
    while (kept < 0) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true);
    join_thread(client);
    check(mach_send(kept, 1, "nobody", -1, 100) == kRLMachPortInvalidDestination);
    close(kept);
    RLMachPortInvalidate(port);
    /* Two sending ends, and a loop's descriptors. */
    check(count_descriptors() <= before + 5);
}
SCENARIO(mach_port_answers,
         .title = "A reply port travels with a message, and is closed after it unless it is taken",
         .clauses = "MACH-2",
         .rl_only = true,
         .own_process = true,
         .expected = "11 answer; 21 answer")

/* Fills the queue; returns how many messages fit. */
static int fill_mach_queue(int port)
{
    int count = 0;

    while (mach_send(port, count, "full", -1, 0) == kRLMachPortSuccess) count++;
    return count;
}

static void mach_port_full(void)
{
    __block int count = 0;
    RLMachPortRef port =
        mach_port(^(RLMachMessageHeader *message) { check(message->messageID == count++); });
    int name = RLMachPortGetPort(port), room = fill_mach_queue(name);
    double begin = clock_now();

    check(room > 1 && room < 1000000);
    check(mach_send(name, 0, "late", -1, 0.01) == kRLMachPortSendTimedOut);
    check(clock_now() - begin >= 0.01);
    struct helper_thread *sender =
        start_thread(^{ check(mach_send(name, room, "waits", -1, 1e9) == kRLMachPortSuccess); });
    while (count <= room) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true);
    join_thread(sender);
    note("all");
}
SCENARIO(mach_port_full,
         .title = "The queue of a Mach port is bounded: senders wait, as long as they want to",
         .clauses = "MACH-5",
         .rl_only = true,
         .expected = "all")

static void mach_port_ends_waiting(void)
{
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) { (void)message; });
    int name = RLMachPortGetPort(port);
    struct gate *gate = make_gate();

    fill_mach_queue(name);
    struct helper_thread *sender = start_thread(^{
        open_gate(gate);
        check(mach_send(name, 0, "waits", -1, 1e9) == kRLMachPortInvalidDestination);
        note("error");
    });
    pass_gate(gate);
    RLMachPortInvalidate(port);
    join_thread(sender);
}
SCENARIO(mach_port_ends_waiting,
         .title = "Invalidating a port ends the wait of a sender, with an error",
         .clauses = "MACH-5",
         .rl_only = true,
         .expected = "error")

/* Serves the receiving end of a pair in a child that ends with message 0. */
static pid_t fork_receiver(int receiver, int sender, int report)
{
    pid_t child = fork();

    if (child != 0) return child;
    close(sender);
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        check(write(report, text_of(message), 1) == 1);
        if (message->messageID == 0) _exit(5);
    });
    RLMachPortContext context = mach_context(^(RLMachMessageHeader *message) {
        check(mach_send(RLMachPortGetPort(port), message->messageID, text_of(message), -1, 1) == 0);
    });
    RLMachPortRef given = RLMachPortCreateWithPort(NULL, receiver, mach_called, &context, NULL);
    serve_mach(given);
    RLRunLoopRun();
    _exit(6);
}

static void mach_port_of_a_child(void)
{
    RLMachPortName receiver, sender;
    int report[2];
    char letter = 0;

    check(RLMachPortCreatePair(&receiver, &sender) && pipe(report) == 0);
    pid_t child = fork_receiver(receiver, sender, report[1]);
    close(receiver);
    check(mach_send(sender, 1, "a", -1, 100) == 0 && read(report[0], &letter, 1) == 1);
    note("child got %c", letter);
    check(mach_send(sender, 2, "b", -1, 100) == 0 && read(report[0], &letter, 1) == 1);
    note("child got %c", letter);
    kill(child, SIGKILL);
    check(waitpid(child, NULL, 0) == child);
    check(mach_send(sender, 3, "c", -1, 100) == kRLMachPortInvalidDestination);
    note("killed");
    /* One who only sends learns of the end by a port as well. */
    RLMachPortRef watcher =
        RLMachPortCreateWithPort(NULL, sender, mach_received,
                                 &(RLMachPortContext){.info = (void *)(uintptr_t)"sender"}, NULL);
    RLMachPortSetInvalidationCallBack(watcher, mach_ended);
    RLRunLoopSourceRef source = RLMachPortCreateRunLoopSource(NULL, watcher, 0);
    add_source(source, "DEF");
    RLRelease(source);
    while (RLMachPortIsValid(watcher)) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true);
    RLRelease(watcher);
    close(sender);
}
SCENARIO(mach_port_of_a_child,
         .title = "A child receives at an end that it inherits, and senders learn that it was killed",
         .clauses = "MACH-3 MACH-5",
         .rl_only = true,
         .own_process = true,
         .expected = "child got a; child got b; killed; ended sender, invalid")

static void mach_port_in_a_child(void)
{
    RLMachPortRef port = mach_port(
        ^(RLMachMessageHeader *message) { note("%d %s", message->messageID, text_of(message)); });
    int name = RLMachPortGetPort(port);
    pid_t child = fork();

    if (child == 0) {
        bool is_fine = !RLMachPortIsValid(port) && !RLMachPortCreateRunLoopSource(NULL, port, 0) &&
                       mach_send(name, 1, "from the child", -1, 100) == 0;
        RLMachPortInvalidate(port);
        _exit(is_fine && mach_send(name, 2, "again", -1, 100) == 0 ? 0 : 1);
    }
    run("DEF", 100, true);
    run("DEF", 100, true);
    note_child(child);
    check(RLMachPortIsValid(port));
}
SCENARIO(mach_port_in_a_child,
         .title = "A forked child sends to its parent's port, which is not its own",
         .clauses = "MACH-5",
         .rl_only = true,
         .own_process = true,
         .expected = "1 from the child; = HandledSource; 2 again; = HandledSource; child: 0")

static void mach_port_parent_killed(void)
{
    int report[2];
    char letter = 0;

    check(pipe(report) == 0);
    pid_t middle = fork();
    if (middle == 0) {
        RLMachPortRef port = RLMachPortCreate(NULL, NULL, NULL, NULL);
        if (fork() == 0) {
            check(write(report[1], "+", 1) == 1);
            /* Fills the queue, and waits for a notification. */
            SInt32 result;
            do {
                result = mach_send(RLMachPortGetPort(port), 1, "x", -1, 1e9);
            } while (result == kRLMachPortSuccess);
            _exit(write(report[1], result == kRLMachPortInvalidDestination ? "t" : "?", 1) != 1);
        }
        for (;;) pause();
    }
    check(read(report[0], &letter, 1) == 1 && letter == '+');
    kill(middle, SIGKILL);
    check(waitpid(middle, NULL, 0) == middle);
    check(read(report[0], &letter, 1) == 1);
    note("%c", letter);
    close(report[0]);
    close(report[1]);
}
SCENARIO(mach_port_parent_killed,
         .title = "A child that inherited everything gets an error when its parent's port is gone",
         .clauses = "MACH-5",
         .rl_only = true,
         .own_process = true,
         .expected = "t")

static void mach_port_hostile(void)
{
    __block int count = 0;
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        check(message->messageID == 77);
        count++;
    });
    int name = RLMachPortGetPort(port), before = count_descriptors();
    const struct raw_packet valid = {.magic = raw_magic, .kind = raw_request, .total = 4};
    struct raw_packet packets[12];
    int used = 0;

    for (int index = 0; index < 12; index++) packets[index] = valid;
    packets[used++].magic++;
    packets[used++].kind = raw_reply;
    packets[used++].kind = raw_stay;
    packets[used++].flags = raw_wants;
    packets[used++].flags = raw_shared;
    packets[used++].flags = 255;
    packets[used++].descriptors = 1;
    packets[used++].descriptors = 2;
    packets[used++].total = 5;
    packets[used++].total = UINT32_MAX;
    packets[used++].offset = 1;
    packets[used++].zero = 1;
    for (int index = 0; index < used; index++) {
        check(raw_send(name, &packets[index], raw_header + 4, 0, 0) == raw_header + 4);
    }
    /* Two descriptors, sixty, none that was announced; too short, empty, and too long. */
    check(raw_send(name, &packets[7], raw_header + 4, 0, 2) > 0);
    check(raw_send(name, &valid, raw_header + 4, 0, 60) > 0);
    check(raw_send(name, &valid, raw_header + 3, 0, 0) > 0);
    check(raw_send(name, &valid, 1, 0, 0) > 0);
    check(raw_send(name, "", 0, 0, 0) == 0);
    static char long_record[100000];
    memcpy(long_record, &valid, raw_header);
    check(raw_send(name, long_record, sizeof(long_record), 0, 0) > 0);
    check(mach_send(name, 77, "good", -1, 0) == kRLMachPortSuccess);
    while (count == 0) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, true);
    check(RLMachPortIsValid(port) && count_descriptors() <= before + 3);
    note("%d", count);
}
SCENARIO(mach_port_hostile,
         .title = "An invalid message is dropped, and the next message arrives",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "1")

static void mach_port_sizes(void)
{
    enum { LENGTH = 1000000 };
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        const UInt8 *bytes = (const UInt8 *)(message + 1);
        UInt32 length = message->size - (UInt32)sizeof(*message), sum = 0;
        for (UInt32 index = 0; index < length; index++) sum += bytes[index];
        check(length == 1 || mach_send(message->replyPort, 0, "", -1, 1) == 0);
        note("%u bytes, sum %u", length, sum);
    });
    int name = RLMachPortGetPort(port);
    RLMachMessageHeader *large = calloc(1, sizeof(*large) + LENGTH);

    *large = (RLMachMessageHeader){.size = sizeof(*large) + LENGTH, .replyPort = name};
    memset(large + 1, 3, LENGTH);
    check(RLMachPortSend(name, large, 0) == kRLMachPortSuccess);
    run("DEF", 10, true);
    run("DEF", 10, true);
    large->size = sizeof(*large) - 1;
    check(RLMachPortSend(name, large, 0) == kRLMachPortInvalidSize);
    large->size = 64 * 1024 * 1024 + sizeof(*large) + 1;
    check(RLMachPortSend(name, large, 0) == kRLMachPortInvalidSize);
    free(large);
}
SCENARIO(mach_port_sizes,
         .title = "Large messages arrive whole; an invalid large message is an error",
         .clauses = "extension",
         .rl_only = true,
         .expected = "1000000 bytes, sum 3000000; = HandledSource; 1 bytes, sum 0; = HandledSource")

static void mach_port_mistakes(void)
{
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) { (void)message; });
    int ends[2], closed = dup(0);
    Boolean should_free = false;

    check(pipe(ends) == 0);
    close(closed);
    check(!RLMachPortCreateWithPort(NULL, -1, NULL, NULL, NULL));
    check(!RLMachPortCreateWithPort(NULL, ends[0], NULL, NULL, &should_free) && should_free);
    check(mach_send(-1, 0, "", -1, 0) == kRLMachPortInvalidDestination);
    check(mach_send(closed, 0, "", -1, 0) == kRLMachPortInvalidDestination);
    check(mach_send(ends[1], 0, "", -1, 0) == kRLMachPortInvalidDestination);
    check(mach_send(RLMachPortGetPort(port), 0, "", closed, 0) == kRLMachPortInvalidReplyPort);
    close(ends[0]);
    close(ends[1]);
    note("done");
}
SCENARIO(mach_port_mistakes,
         .title = "A descriptor that is not a Mach port makes no port, and sending to it is an error",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "done")
