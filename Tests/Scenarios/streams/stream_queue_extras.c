/*
 * Sockets and message ports that are served on dispatch queues. Ours only.
 */

#include "../descriptors/descriptor_words.h"
#include "../messages/message_words.h"
#include "queues.h"
#include "scenario.h"
#include "stream_words.h"

#include <stdatomic.h>

#if !defined(SCENARIO_WITHOUT_DISPATCH)

/* Marks the beginning of an action that nothing may interrupt. */
static void begin_alone(_Atomic bool *is_busy)
{
    check(!atomic_exchange(is_busy, true));
}

static void socket_stream_on_queue(void)
{
    enum { rounds = 200 };
    int *ends = make_pair();
    struct dispatch_queue_s *queue = make_queue(&_dispatch_queue_attr_concurrent);
    struct gate *ended = make_gate();
    RLReadStreamRef reader;
    __block _Atomic bool is_busy = false;
    __block long bytes_read = 0;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[2];
        begin_alone(&is_busy);
        if (event == kRLStreamEventHasBytesAvailable) {
            bytes_read += RLReadStreamRead(called, bytes, sizeof bytes);
        }
        if (event == kRLStreamEventEndEncountered) open_gate(ended);
        is_busy = false;
    });
    RLReadStreamSetDispatchQueue(reader, queue);
    check(RLReadStreamOpen(reader));
    for (int round = 0; round < rounds; round++) check(write(ends[1], "abc", 3) == 3);
    close(ends[1]);
    ends[1] = -1;
    pass_gate(ended);
    leave_queue(reader, queue);
    check(bytes_read == 3 * rounds);
    RLReadStreamClose(reader);
}
SCENARIO(socket_stream_on_queue,
         .title = "A socket is read on a queue, one event at a time although the queue is concurrent",
         .clauses = "STRM-9",
         .rl_only = true,
         .own_process = true)

static void socket_stream_changes_sides(void)
{
    int *ends = make_pair();
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *reported = make_gate();
    RLReadStreamRef reader;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_and_note(called, 8);
        note(is_on_queue() ? "on the queue" : "in the loop");
        open_gate(reported);
    });
    check(RLReadStreamOpen(reader));
    check(write(ends[1], "a", 1) == 1);
    run("DEF", 0.005, false);
    pass_gate(reported);
    RLReadStreamSetDispatchQueue(reader, queue);
    run("DEF", 0, false);
    check(write(ends[1], "bc", 2) == 2);
    pass_gate(reported);
    leave_queue(reader, queue);
    check(write(ends[1], "def", 3) == 3);
    RLReadStreamScheduleWithRunLoop(reader, this_loop(), kRLRunLoopDefaultMode);
    run("DEF", 0.005, false);
    RLReadStreamClose(reader);
    run("DEF", 0, false);
}
SCENARIO(socket_stream_changes_sides,
         .title = "A stream over a socket goes from a loop to a queue and back",
         .clauses = "STRM-8 STRM-9",
         .rl_only = true,
         .expected = "r open; r bytes; 1; in the loop; = TimedOut; = Finished; r bytes; 2; "
                     "on the queue; r bytes; 3; in the loop; = TimedOut; = Finished")

static void host_stream_on_queue(void)
{
    RLReadStreamRef reader;
    struct dispatch_queue_s *queue = make_queue(NULL);
    RLRunLoopRef loop = this_loop();

    welcomed_pair("localhost", &reader, NULL);
    RLReadStreamSetDispatchQueue(reader, queue);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event == kRLStreamEventHasBytesAvailable) read_and_note(called, 64);
        if (event == kRLStreamEventEndEncountered) RLRunLoopStop(loop);
    });
    check(RLReadStreamOpen(reader));
    /* The peer is served here. */
    run("DEF", 10, false);
    leave_queue(reader, queue);
}
SCENARIO(host_stream_on_queue,
         .title = "A stream to a host is looked up, connected and read on a queue",
         .clauses = "STRM-9",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; 7; r end; = Stopped")

/* The set in which the queue waits is the parent's and the child's. */
static void stream_on_queue_in_fork(void)
{
    int *ends = make_pair();
    struct dispatch_queue_s *queue = make_queue(NULL);
    struct gate *reported = make_gate();
    RLReadStreamRef reader;
    int status = 0;

    RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
    keep_pair(reader, NULL);
    serve_reader(reader, "r", ^(RLReadStreamRef called, unsigned long event) {
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_and_note(called, 8);
        open_gate(reported);
    });
    RLReadStreamSetDispatchQueue(reader, queue);
    check(RLReadStreamOpen(reader));
    for (int round = 0; round < 3; round++) {
        check(write(ends[1], "abc", (size_t)round + 1) == round + 1);
        pass_gate(reported);
        /* No thread holds the stream's locks when the child is made. */
        dispatch_sync(queue, ^{});
        pid_t child = fork();
        if (child == 0) {
            if (round == 1) RLReadStreamSetDispatchQueue(reader, NULL);
            RLReadStreamClose(reader);
            _exit(RLReadStreamGetStatus(reader) == kRLStreamStatusClosed ? 0 : 1);
        }
        check(waitpid(child, &status, 0) == child && status == 0);
    }
}
SCENARIO(stream_on_queue_in_fork,
         .title = "A queue still gets the events of a stream that a forked child has closed",
         .clauses = "STRM-9 LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "r open; r bytes; 1; r bytes; 2; r bytes; 3")

static void stream_queues_leave_nothing(void)
{
    struct dispatch_queue_s *queue = make_queue(NULL);
    int before = 0;

    for (int round = 0; round < 60; round++) {
        /* The first ones make what libdispatch keeps. */
        if (round == 10) before = count_descriptors();
        int *ends = make_pair();
        RLReadStreamRef reader;
        struct gate *reported = make_gate();
        RLStreamCreatePairWithSocket(NULL, ends[0], &reader, NULL);
        serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
            if (event == kRLStreamEventHasBytesAvailable) open_gate(reported);
        });
        RLReadStreamSetDispatchQueue(reader, queue);
        check(RLReadStreamOpen(reader));
        check(write(ends[1], "a", 1) == 1);
        pass_gate(reported);
        if (round % 2) RLReadStreamClose(reader);
        RLReadStreamSetDispatchQueue(reader, NULL);
        RLRelease(reader);
        for (int end = 0; end < 2; end++) close(ends[end]);
        ends[0] = ends[1] = -1;
    }
    /* The end of a source follows on the queue or on a thread of libdispatch. */
    while (count_descriptors() > before) sched_yield();
}
SCENARIO(stream_queues_leave_nothing,
         .title = "Streams that were on a queue leave no descriptors",
         .clauses = "STRM-9",
         .rl_only = true,
         .own_process = true)

static void message_port_on_queue(void)
{
    enum { rounds = 300 };
    use_own_folder();
    struct dispatch_queue_s *queue = make_queue(&_dispatch_queue_attr_concurrent);
    struct lab *lab = lab_here();
    __block _Atomic bool is_busy = false;
    message_body body = ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        lab_join(lab);
        check(is_on_queue());
        begin_alone(&is_busy);
        RLDataRef reply = echo(data);
        is_busy = false;
        return reply;
    };
    RLMessagePortContext context = {.info = (void *)body};
    RLMessagePortRef local =
        RLMessagePortCreateLocal(NULL, string_named("queue"), message_perform, &context, NULL);

    RLMessagePortSetDispatchQueue(local, queue);
    check(RLMessagePortCreateRunLoopSource(NULL, local, 0) == NULL);
    RLMessagePortRef remote = remote_port("queue");
    for (int round = 0; round < rounds; round++) {
        RLDataRef data = pattern(round * 137), reply = NULL;
        check(ask(remote, round, data, &reply) == 0 && reply && RLEqual(data, reply));
        RLRelease(data);
    }
    RLMessagePortSetDispatchQueue(local, NULL);
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    check(source != NULL);
    RLMessagePortInvalidate(local);
    RLRelease(source);
    RLRelease(local);
}
SCENARIO(message_port_on_queue,
         .title = "A port answers on a queue, one message at a time, while no loop runs",
         .clauses = "MSGP-7",
         .rl_only = true,
         .own_process = true)

static struct gate *notified_on_queue;

static void invalidated_on_queue(RLMessagePortRef port, void *info)
{
    if (is_on_queue()) open_gate(notified_on_queue);
}

static void message_end_on_queue(void)
{
    use_own_folder();
    struct dispatch_queue_s *queue = make_queue(NULL);
    pid_t server = start_server(
        "mortal", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return NULL; });
    RLMessagePortRef remote = remote_port("mortal");

    notified_on_queue = make_gate();
    RLMessagePortSetInvalidationCallBack(remote, invalidated_on_queue);
    RLMessagePortSetDispatchQueue(remote, queue);
    check(ask(remote, 1, NULL, NULL) == 0);
    kill_and_wait(server);
    pass_gate(notified_on_queue);
    note_answer("valid", RLMessagePortIsValid(remote));
}
SCENARIO(message_end_on_queue,
         .title = "A remote port reports on its queue that the other side was killed",
         .clauses = "MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "valid: no")

static int count_sockets(void)
{
    int count = 0;

    for (int descriptor = 3; descriptor < 256; descriptor++) {
        struct stat info;
        count += fstat(descriptor, &info) == 0 && S_ISSOCK(info.st_mode);
    }
    return count;
}

static void message_fork_with_queue(void)
{
    use_own_folder();
    struct dispatch_queue_s *queue = make_queue(NULL);
    int before = count_sockets(), status = 0;
    RLMessagePortRef local = make_local("forked"), remote = remote_port("forked");

    RLMessagePortSetDispatchQueue(local, queue);
    RLMessagePortSetDispatchQueue(remote, queue);
    check(ask(remote, 1, NULL, NULL) == 0);
    check(count_sockets() > before);
    pid_t child = fork();
    if (child == 0) _exit(count_sockets() - before);
    check(waitpid(child, &status, 0) == child && WIFEXITED(status));
    note("%d sockets are left to the child", WEXITSTATUS(status));
    check(ask(remote, 1, NULL, NULL) == 0);
    RLMessagePortInvalidate(remote);
}
SCENARIO(message_fork_with_queue,
         .title = "A forked child has none of the connections of ports on queues",
         .clauses = "LIFE-20 MSGP-7",
         .rl_only = true,
         .own_process = true,
         .expected = "0 sockets are left to the child")

static void message_queue_refused(void)
{
    use_own_folder();
    struct dispatch_queue_s *queue = make_queue(NULL);
    RLMessagePortRef local = make_local("looped");
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    struct helper_thread *helper;
    __block int result = 1;
    RLRunLoopRef loop = this_loop();

    freopen("/dev/null", "w", stderr);
    RLMessagePortSetDispatchQueue(local, queue);
    add_source(source, "DEF");
    helper = start_thread(^{
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named("looped"));
        result = RLMessagePortSendRequest(remote, 1, NULL, 600, 600, string_named("REPLY"), NULL);
        RLRelease(remote);
        RLRunLoopStop(loop);
    });
    run("DEF", 10, false);
    join_thread(helper);
    note("%s", name_of_send(result));
    RLMessagePortInvalidate(local);
    RLMessagePortSetDispatchQueue(local, queue);
    RLRelease(source);
}
SCENARIO(message_queue_refused,
         .title = "A port with a run loop source, or that is invalid, gets no queue",
         .clauses = "MSGP-7",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; Success")

#endif
