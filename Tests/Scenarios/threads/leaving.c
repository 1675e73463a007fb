/*
 * Threads that are canceled while they use the engine, or that leave from a callback. The objects
 * that such a thread leaves must stay usable. Ours only, as the reference is left with its locks
 * held.
 */

#include "../descriptors/descriptor_words.h"
#include "../messages/mach_words.h"
#include "../messages/message_words.h"
#include "../resources/resource_words.h"
#include "../sockets/socket_words.h"
#include "../streams/stream_words.h"
#include "../tls/tls_words.h"
#include "queues.h"
#include "scenario.h"
#include "thread_words.h"

#include <sys/syscall.h>

/* --- Canceled in the engine ------------------------------------------------------------------- */

static void use_own_loop(void)
{
    RLRunLoopObserverRef observer = OBSERVER(NULL, .quiet = true);
    RLRunLoopTimerRef timer = TIMER("t", .after = 0.001, .quiet = true);
    RLRunLoopSourceRef source = SOURCE("s", .quiet = true);

    add_observer(observer, "COM");
    add_timer(timer, "COM");
    add_source(source, "DEF");
    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{ make_common("M"); });
    RLRunLoopSourceSignalAndWakeUp(source, this_loop());
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    RLRunLoopRunInMode(mode_named("M"), 0, false);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.002, false);
    RLRelease(RLCopyDescription(this_loop()));
    RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 1000);
    RLRunLoopSourceInvalidate(source);
}

static void host_loop(void)
{
    add_timer(TIMER("t", .after = 0, .quiet = true), "DEF");
    check(RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL) >= 0);
    RLRunLoopRunHosted(10);
    RLRunLoopEndHosting();
}

/* Every kind of descriptor that the loop treats in its own way. */
static void use_ports(void)
{
    int ports[] = {
        eventfd(1, EFD_CLOEXEC),
        eventfd(1, EFD_CLOEXEC | EFD_SEMAPHORE),
        timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC),
        (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC),
    };

    for (int index = 0; index < 4; index++) {
        RLRunLoopSourceRef sources[] = {PORT("p", ports[index], .quiet = true),
                                        watch_descriptor(NULL, ports[index], 0, NULL, NULL)};
        for (int version = 0; version < 2; version++) {
            add_source(sources[version], "DEF");
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
            RLRunLoopSourceInvalidate(sources[version]);
        }
        close_end(ports[index]);
    }
}

static void use_file_streams(void)
{
    RLStringRef path = RLStringCreateWithFormat(NULL, NULL, RLSTR("%s/file"), getenv("HOME"));
    RLWriteStreamRef writer = RLWriteStreamCreateWithPath(NULL, path);
    RLReadStreamRef reader = RLReadStreamCreateWithPath(NULL, path);
    UInt8 text[5] = "text";

    check(RLWriteStreamOpen(writer) && RLWriteStreamWrite(writer, text, 4) == 4);
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
    check(RLReadStreamOpen(reader) && RLReadStreamRead(reader, text, 4) == 4);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    RLRelease(reader);
    RLRelease(writer);
    RLRelease(path);
}

static void use_bound_streams(void)
{
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    UInt8 text[5] = "text";

    RLStreamCreateBoundPair(NULL, &reader, &writer, 4);
    check(RLReadStreamOpen(reader) && RLWriteStreamOpen(writer));
    check(RLWriteStreamWrite(writer, text, 4) == 4 && RLReadStreamRead(reader, text, 4) == 4);
    RLRelease(reader);
    RLRelease(writer);
}

static void use_connection(void)
{
    RLDataRef address;
    listening_socket(NULL,
                     ^(RLSocketRef called, unsigned long type, const void *data) {
                         close_end(*(const int *)data);
                     },
                     &address);
    RLSocketRef socket = fresh_socket(NULL, kRLSocketDataCallBack, NULL);
    RLDataRef text = RLDataCreate(NULL, (const UInt8 *)"text", 4);

    check(RLSocketConnectToAddress(socket, address, 10) == kRLSocketSuccess);
    add_socket(socket, "DEF");
    check(RLSocketSendData(socket, NULL, text, 10) == kRLSocketSuccess);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    RLRelease(text);
}

static void use_secured_streams(void)
{
    struct tls_end server, client;
    UInt8 text[5] = "text";

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    open_tls_ends(server, client);
    check(shake_hands(server, client));
    check(RLWriteStreamWrite(client.writer, text, 4) == 4);
    check(RLReadStreamRead(server.reader, text, 4) == 4);
}

static RLDataRef reply_at_length(RLMessagePortRef local, SInt32 id, RLDataRef data, void *info)
{
    return RLRetain(data);
}

/* In one packet, in parts, and as a memory file. */
static void use_message_ports(void)
{
    RLMessagePortRef local =
        RLMessagePortCreateLocal(NULL, RLSTR("leaving"), reply_at_length, NULL, NULL);
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLSTR("leaving"));

    add_source(source, "DEF");
    for (long length = 1; length <= 1 << 20; length <<= 10) {
        RLDataRef data = pattern(length), reply = NULL;
        check(RLMessagePortSendRequest(remote, 1, data, 600, 600, kRLRunLoopDefaultMode, &reply) ==
              0);
        check(reply && RLEqual(reply, data));
        RLRelease(reply);
        RLRelease(data);
    }
    RLMessagePortInvalidate(local);
    RLRelease(remote);
    RLRelease(source);
    RLRelease(local);
}

static void no_mach_call(RLMachPortRef port, void *message, RLIndex size, void *info)
{
}

static void use_mach_port(void)
{
    RLMachPortRef port = RLMachPortCreate(NULL, no_mach_call, NULL, NULL);

    serve_mach(port);
    check(mach_send(RLMachPortGetPort(port), 1, "text", -1, 10) == kRLMachPortSuccess);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
}

static const struct {
    const char *name;
    void (*use)(void);
} uses_of_engine[] = {
    {"loop", use_own_loop},
    {"hosted loop", host_loop},
    {"ports", use_ports},
    {"file streams", use_file_streams},
    {"bound streams", use_bound_streams},
    {"connection", use_connection},
    {"secured streams", use_secured_streams},
    {"message ports", use_message_ports},
    {"Mach port", use_mach_port},
    {"descriptors", make_descriptor},
    {"sockets", make_socket},
    {"socket streams", make_streams},
    {"streams to hosts", make_host_stream},
    {"memory streams", make_memory_streams},
    {"event sources", make_event_sources},
    {"message ports without replies", make_ports},
};

/* The thread leaves after the use, at its own cancellation point, and others can do the same. */
static void canceled_in_engine(void)
{
    /* Done here, where no thread is canceled. */
    need_openssl();
    setenv("HOME", use_own_folder(), 1);
    for (size_t index = 0; index < sizeof uses_of_engine / sizeof uses_of_engine[0]; index++) {
        __block bool is_used = false, is_spared = false;
        __block RLRunLoopRef left = NULL;

        elsewhere(^{
            left = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
            pthread_cancel(pthread_self());
            uses_of_engine[index].use();
            is_used = true;
            pthread_testcancel();
            is_spared = true;
        });
        if (!is_used) note("%s: left in the engine", uses_of_engine[index].name);
        if (is_spared) note("%s: stays", uses_of_engine[index].name);
        RLRelease(RLCopyDescription(left));
        RLRelease(left);
        uses_of_engine[index].use();
    }
}
SCENARIO(canceled_in_engine,
         .title = "A canceled thread leaves at the client's next cancellation point, not in the engine",
         .clauses = "RUN-42 LIFE-8",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "?never ran; ?never had an item")

static void canceled_in_sleep(void)
{
    struct gate *asleep = make_gate();
    __block pthread_t thread = pthread_self();
    __block RLRunLoopRef loop = NULL;
    struct helper_thread *sleeper = start_thread(^{
        thread = pthread_self();
        loop = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
        add_source(SOURCE("s", .logs_modes = true), "DEF");
        when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ open_gate(asleep); });
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, false);
        note("stopped");
        pthread_testcancel();
        note("stays");
    });

    pass_gate(asleep);
    wait_until_asleep(loop);
    pthread_cancel(thread);
    RLRunLoopStop(loop);
    join_thread(sleeper);
    RLRelease(loop);
}
SCENARIO(canceled_in_sleep,
         .title = "A thread that is canceled while its loop sleeps continues until its run ends",
         .clauses = "RUN-42",
         .rl_only = true,
         .expected = "s joins DEF; stopped; s leaves DEF")

/* --- Left in what the engine calls ------------------------------------------------------------ */

static void canceled_in_callback(void)
{
    elsewhere(^{
        RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true, .perform = ^{
            pthread_cancel(pthread_self());
            RLRunLoopRunInMode(mode_named("M"), 0, false);
            pthread_testcancel();
        });
        add_source(source, "DEF");
        after(1000, "t", "M", ^{});
        signal_source(source);
        run("DEF", 10, false);
    });
    note("gone");
}
SCENARIO(canceled_in_callback,
         .title = "A thread that is canceled in a callback ends its loop as with pthread_exit",
         .clauses = "RUN-42 LIFE-8",
         .rl_only = true,
         .expected = "A joins DEF; A; A leaves DEF; gone")

/* For the leak check: allocations of this thread from here on may stay. */
extern void __lsan_disable(void) __attribute__((weak));

static void leave_thread(void)
{
    pthread_exit(NULL);
}

static void leave_from_socket(void)
{
    int *ends = handle_pair(SOCK_STREAM);

    add_socket(native_socket(
                   NULL, ends[0], kRLSocketDataCallBack,
                   ^(RLSocketRef called, unsigned long type, const void *data) { leave_thread(); }),
               "DEF");
    write_byte(ends[1]);
}

static void leave_from_descriptor(void)
{
    int counter = make_counter();
    RLFileDescriptorRef descriptor =
        make_fd(NULL, counter, false, false,
                ^(RLFileDescriptorRef called, RLOptionFlags types) { leave_thread(); });
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    add_source(source, "DEF");
    RLRelease(source);
    at_return(^{
        RLFileDescriptorInvalidate(descriptor);
        RLRelease(descriptor);
    });
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    count_up(counter);
}

static void leave_from_stream(void)
{
    const int *ends = make_pair();

    open_reader(NULL, ends, ^(RLReadStreamRef called, unsigned long event) { leave_thread(); });
    write_byte(ends[1]);
}

static void leave_from_server(void)
{
    serve("left", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        leave_thread();
        return NULL;
    });
    check(RLMessagePortSendRequest(remote_port("left"), 1, NULL, 10, 0, NULL, NULL) == 0);
}

static void leave_from_mach_port(void)
{
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) { leave_thread(); });

    check(mach_send(RLMachPortGetPort(port), 1, "text", -1, 10) == kRLMachPortSuccess);
}

static void leave_from_process_source(void)
{
    pid_t child = fork();

    if (child == 0) _exit(0);
    add_source(
        process_source_of(
            child, true, ^(RLRunLoopSourceRef source, int process, int status) { leave_thread(); }),
        "DEF");
}

static void leave_from_host(void)
{
    RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);
    after(0, "hosted", "DEF", ^{ leave_thread(); });
    RLRunLoopRunHosted(10);
}

static void left_in_callbacks(void)
{
    static void (*const kinds[])(void) = {
        leave_from_socket,    leave_from_descriptor,     leave_from_stream, leave_from_server,
        leave_from_mach_port, leave_from_process_source, leave_from_host,
    };

    use_own_folder();
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        elsewhere(^{
            /* Objects that the engine held for a call stay retained (D17). */
            if (__lsan_disable) __lsan_disable();
            kinds[kind]();
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
            note("kind %zu stays", kind);
        });
    }
    note("gone");
}
SCENARIO(left_in_callbacks,
         .title = "Other threads can invalidate and release an object whose callback ended its thread",
         .clauses = "RUN-42 LIFE-8",
         .rl_only = true,
         .own_process = true,
         .expected = "hosted; gone")

static void left_in_request(void)
{
    use_own_folder();
    serve("asked", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        note("request %d", id);
        return RLDataCreate(NULL, (const UInt8 *)"text", 4);
    });
    RLMessagePortRef remote = remote_port("asked");

    elsewhere(^{
        queue_block("block", "REPLY", ^{ leave_thread(); });
        in_rounds(2, ^(int round) { run("REPLY", 10, true); });
        ask(remote, 1, NULL, NULL);
        note("stays");
    });
    /* The reply to the first request has no waiter. */
    run("DEF", 10, true);
    __block int result = 1;
    struct helper_thread *other = start_thread(^{ result = ask(remote, 2, NULL, NULL); });
    run("DEF", 10, true);
    join_thread(other);
    note("%s", name_of_send(result));
}
SCENARIO(left_in_request,
         .title = "A thread that leaves while it waits for a reply waits no more, and others get theirs",
         .clauses = "RUN-42 MSGP-6",
         .rl_only = true,
         .own_process = true,
         .expected = "block; = Finished; = Finished; request 1; = HandledSource; request 2; "
                     "= HandledSource; Success")

/* --- Used at the end of a thread -------------------------------------------------------------- */

/* In destructors that run before the loop ends, and between its own (LIFE-9). */
static void use_all_in_rounds(void (^ended)(void))
{
    setenv("HOME", use_own_folder(), 1);
    this_loop();
    in_rounds(2, ^(int round) {
        for (size_t index = 0; index < sizeof uses_of_engine / sizeof uses_of_engine[0]; index++) {
            uses_of_engine[index].use();
        }
        note("round %d", round);
        if (round == 2) ended();
    });
}

static void used_in_destructors(void)
{
    elsewhere(^{ use_all_in_rounds(^{}); });
}
SCENARIO(used_in_destructors,
         .title = "Destructors of thread-specific data may use everything",
         .clauses = "LIFE-9 LIFE-18",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "?never ran; ?never had an item",
         .expected = "round 1; round 2")

static void used_in_destructors_of_main_thread(void)
{
    use_all_in_rounds(^{ _exit(0); });
    pthread_exit(NULL);
}
SCENARIO(used_in_destructors_of_main_thread,
         .title = "Destructors of the main thread's data may use everything, and its loop",
         .clauses = "LIFE-9 LIFE-19",
         .rl_only = true,
         .main_thread = true,
         .expected_hints = "?never ran; ?never had an item",
         .expected = "round 1; round 2")

/* --- The main thread leaves ------------------------------------------------------------------- */

#if !defined(SCENARIO_WITHOUT_DISPATCH)
/*
 * Gives the number of the main queue's port to another file. The port itself stays open elsewhere,
 * as in a child, and readable.
 */
static void use_number_again(int number, int kept, int other)
{
    check(fcntl(number, F_GETFD) < 0);
    check(dup3(other, number, O_CLOEXEC) == number);
    count_up(kept);
}

static void main_queue_after_main_thread(void)
{
    keep_alive("DEF");
    run("DEF", 0, false);
    int number = _dispatch_get_main_queue_handle_4CF();
    int kept = fcntl(number, F_DUPFD_CLOEXEC, 0), other = eventfd(3, EFD_CLOEXEC | EFD_NONBLOCK);

    make_common("M");
    in_rounds(1, ^(int round) {
        uint64_t count = 0;
        use_number_again(number, kept, other);
        rest_for(0.1);
        after(0.001, "t", "M", ^{});
        run("M", 10, false);
        check(read(other, &count, sizeof(count)) == (ssize_t)sizeof(count));
        note_answer("untouched", count == 3);
        _exit(0);
    });
    pthread_exit(NULL);
}
SCENARIO(main_queue_after_main_thread,
         .title = "A run of the main loop while the main thread ends leaves the main queue to libdispatch",
         .clauses = "MAINQ-1 LIFE-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "= TimedOut; = TimedOut; asleep: yes; t; = Finished; untouched: yes")
#endif
