/*
 * Version-2 sources, an extension of ours: any descriptor, by level and interest.
 */

#include "descriptor_words.h"
#include "queues.h"
#include "scenario.h"

#include <netinet/in.h>

static void descriptor_levels(void)
{
    int *ends = make_pair();
    RLRunLoopSourceRef source = watch_descriptor("d", ends[0], 0,
                                                 ^{
                                                     char byte;
                                                     check(read(ends[0], &byte, 1) == 1);
                                                 },
                                                 NULL);

    add_source(source, "DEF");
    run("DEF", 0, true);
    check(write(ends[1], "abc", 3) == 3);
    for (int pass = 0; pass < 4; pass++) run("DEF", 0, true);
}
SCENARIO(descriptor_levels,
         .title = "A descriptor is served once a pass as long as it is readable",
         .clauses = "PORT-6 FD-6",
         .rl_only = true,
         .expected = "= TimedOut; d read; = HandledSource; d read; = HandledSource; d read; "
                     "= HandledSource; = TimedOut")

static void descriptor_interest(void)
{
    int *ends = make_pair();
    struct watcher *watcher = NULL;
    RLRunLoopSourceRef source =
        watch_descriptor("d", ends[0], kRLRunLoopDescriptorWrite, NULL, &watcher);

    add_source(source, "DEF");
    run("DEF", 0, true);
    check(write(ends[1], "a", 1) == 1);
    run("DEF", 0, true);
    watcher->events = kRLRunLoopDescriptorRead;
    run("DEF", 0, true);
    RLRunLoopSourceUpdateEvents(source);
    note("read");
    run("DEF", 0, true);
    watcher->events = kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite;
    RLRunLoopSourceUpdateEvents(source);
    note("both");
    run("DEF", 0, true);
}
SCENARIO(descriptor_interest,
         .title = "A descriptor is served for its interest, which can be changed",
         .clauses = "FD-6",
         .rl_only = true,
         .expected = "d write; = HandledSource; d write; = HandledSource; d write; "
                     "= HandledSource; read; d read; = HandledSource; both; d read write; "
                     "= HandledSource")

static void descriptor_hang_up(void)
{
    int *ends = make_pair();
    RLRunLoopSourceRef source = watch_descriptor("d", ends[0], 0, NULL, NULL);

    add_source(source, "DEF");
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 0.01, false);
    RLRunLoopSourceUpdateEvents(source);
    run("DEF", 0.01, false);
}
SCENARIO(descriptor_hang_up,
         .title = "A hang-up is delivered once, and once more after an update",
         .clauses = "PORT-7",
         .rl_only = true,
         .expected = "d read hang-up; = TimedOut; d read hang-up; = TimedOut")

static void descriptor_last_data(void)
{
    int *ends = make_pair();
    RLRunLoopSourceRef source = watch_descriptor("d", ends[0], 0,
                                                 ^{
                                                     char byte;
                                                     ssize_t size = read(ends[0], &byte, 1);
                                                     note("%zd", size);
                                                     if (size == 0) stop();
                                                 },
                                                 NULL);

    add_source(source, "DEF");
    check(write(ends[1], "ab", 2) == 2);
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 10, false);
    run("DEF", 0.01, false);
}
SCENARIO(descriptor_last_data,
         .title = "Data before a hang-up is served to its end, then the hang-up",
         .clauses = "PORT-7",
         .rl_only = true,
         .expected = "d read hang-up; 1; d read hang-up; 1; d read hang-up; 0; = Stopped; "
                     "= TimedOut")

static void descriptor_wakes(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = make_pair();
    struct helper_thread *writer = start_thread(^{
        wait_until_asleep(loop);
        check(write(ends[1], "a", 1) == 1);
    });

    watch("DEF");
    add_source(watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, NULL, NULL), "DEF");
    run("DEF", 10, true);
    join_thread(writer);
}
SCENARIO(descriptor_wakes,
         .title = "A descriptor that becomes ready ends the wait",
         .clauses = "FD-6",
         .rl_only = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; d read; "
                     "Exit; = HandledSource")

static void descriptor_update_while_asleep(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = make_pair();
    struct watcher *watcher = NULL;
    RLRunLoopSourceRef source =
        watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, NULL, &watcher);
    struct helper_thread *updater = start_thread(^{
        wait_until_asleep(loop);
        watcher->events = kRLRunLoopDescriptorWrite;
        RLRunLoopSourceUpdateEvents(source);
    });

    add_source(source, "DEF");
    run("DEF", 10, true);
    join_thread(updater);
}
SCENARIO(descriptor_update_while_asleep,
         .title = "An interest changed during the wait takes effect at once",
         .clauses = "FD-6 WAKE-11",
         .rl_only = true,
         .expected = "d write; = HandledSource")

static void descriptor_in_modes(void)
{
    int *ends = make_pair();
    RLRunLoopSourceRef source = watch_descriptor("d", ends[0], 0, NULL, NULL);

    check(write(ends[1], "a", 1) == 1);
    add_source(source, "M");
    add_source(source, "DEF");
    run("M", 0, true);
    remove_source(source, "M");
    run("M", 0, true);
    run("DEF", 0, true);
    RLRunLoopSourceInvalidate(source);
    run("DEF", 0, true);
}
SCENARIO(descriptor_in_modes,
         .title = "A descriptor is served in the modes of its source",
         .clauses = "FD-6 MODE-18",
         .rl_only = true,
         .expected = "d read; = HandledSource; = Finished; d read; = HandledSource; = Finished")

static void descriptors_take_turns(void)
{
    int *one = make_pair(), *two = make_pair();

    add_source(watch_descriptor("one", one[0], 0, NULL, NULL), "DEF");
    add_source(watch_descriptor("two", two[0], 0, NULL, NULL), "DEF");
    check(write(one[1], "a", 1) == 1);
    check(write(two[1], "a", 1) == 1);
    for (int pass = 0; pass < 4; pass++) run("DEF", 0, true);
}
SCENARIO(descriptors_take_turns,
         .title = "Descriptors that stay ready take turns",
         .clauses = "RUN-14 RUN-19",
         .rl_only = true,
         .expected = "one read; = HandledSource; two read; = HandledSource; one read; "
                     "= HandledSource; two read; = HandledSource")

static void no_descriptor(void)
{
    RLRunLoopSourceRef source = watch_descriptor("d", -1, 0, NULL, NULL);

    add_source(source, "DEF");
    run("DEF", 0.002, false);
    note_answer("contained", has_source(source, "DEF"));
}
SCENARIO(no_descriptor,
         .title = "A source without a descriptor is a member that is never served",
         .clauses = "PORT-2",
         .rl_only = true,
         .expected = "= TimedOut; contained: yes")

static void unknown_version(void)
{
    RLRunLoopSourceContext context = {.version = 3};

    check(RLRunLoopSourceCreate(NULL, 0, &context) == NULL);
    context.version = -1;
    check(RLRunLoopSourceCreate(NULL, 0, &context) == NULL);
}
SCENARIO(unknown_version,
         .title = "A context of an unknown version makes no source",
         .clauses = "SRC-1",
         .rl_only = true,
         .expected_hints = ") must be 0, 1 or 2")

/* A datagram socket bound to a free port of this machine. */
static int make_datagram_socket(struct sockaddr_in *ret_address)
{
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t length = sizeof(*ret_address);

    *ret_address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    check(bind(descriptor, (struct sockaddr *)ret_address, length) == 0);
    check(getsockname(descriptor, (struct sockaddr *)ret_address, &length) == 0);
    return descriptor;
}

static void refused_datagram(void)
{
    struct sockaddr_in own_address, peer_address;
    int own = make_datagram_socket(&own_address), peer = make_datagram_socket(&peer_address);
    check(connect(own, (struct sockaddr *)&peer_address, sizeof(peer_address)) == 0);
    RLRunLoopSourceRef source = watch_descriptor("d", own, 0,
                                                 ^{
                                                     char text[8];
                                                     note("%zd", recv(own, text, sizeof(text), 0));
                                                     stop();
                                                 },
                                                 NULL);

    add_source(source, "DEF");
    close(peer);
    check(send(own, "x", 1, 0) == 1);
    run("DEF", 10, false);
    peer = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    check(bind(peer, (struct sockaddr *)&peer_address, sizeof(peer_address)) == 0);
    check(sendto(peer, "hello", 5, 0, (struct sockaddr *)&own_address, sizeof(own_address)) == 5);
    run("DEF", 10, false);
    close(peer);
    at_end(^{ close(own); });
}
SCENARIO(refused_datagram,
         .title = "A socket is still served after a transient error",
         .clauses = "PORT-7",
         .rl_only = true,
         .expected = "d error; -1; = Stopped; d read; 5; = Stopped")

static void descriptor_closed_too_early(void)
{
    int *old = make_pair(), *new = make_pair();
    RLRunLoopSourceRef first = watch_descriptor("first", old[0], 0, NULL, NULL);
    RLRunLoopSourceRef second = watch_descriptor("second", old[0], 0, ^{ stop(); }, NULL);

    add_source(first, "DEF");
    /* The number now denotes another socket. */
    check(dup3(new[0], old[0], O_CLOEXEC) == old[0]);
    add_source(second, "DEF");
    remove_source(first, "DEF");
    check(write(new[1], "x", 1) == 1);
    run("DEF", 10, false);
}
SCENARIO(descriptor_closed_too_early,
         .title = "Removing a source whose descriptor was closed spares the next with its number",
         .clauses = "PORT-7",
         .rl_only = true,
         .expected = "second read; = Stopped")

static void loops_of_one_source(void)
{
    enum { COUNT = 20 };
    int *ends = make_pair();
    struct watcher *watcher;
    RLRunLoopSourceRef source =
        watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, ^{ stop(); }, &watcher);
    struct helper_thread *threads[COUNT];
    struct gate *added = make_gate(), *changed = make_gate();

    for (int index = 0; index < COUNT; index++) {
        threads[index] = start_thread(^{
            add_source(source, "DEF");
            open_gate(added);
            pass_gate(changed);
            check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false) == kRLRunLoopRunStopped);
        });
    }
    for (int index = 0; index < COUNT; index++) pass_gate(added);
    watcher->events = kRLRunLoopDescriptorWrite;
    RLRunLoopSourceUpdateEvents(source);
    for (int index = 0; index < COUNT; index++) open_gate(changed);
    for (int index = 0; index < COUNT; index++) join_thread(threads[index]);
}
SCENARIO(loops_of_one_source,
         .title = "Changed events reach a source in all of its loops",
         .clauses = "extension",
         .rl_only = true,
         .expected = "d write; d write; d write; d write; d write; d write; d write; d write; "
                     "d write; d write; d write; d write; d write; d write; d write; d write; "
                     "d write; d write; d write; d write")

/* Makes a pair whose first end blocks or not, with bytes to read there. */
static int *make_ready_pair(bool is_blocking)
{
    int *ends = make_pair();

    check(fcntl(ends[0], F_SETFL, is_blocking ? 0 : O_NONBLOCK) == 0);
    check(write(ends[1], "a", 1) == 1);
    return ends;
}

/* If two descriptors are ready at once, the first callback reads the bytes of both. */
static void read_both_at_once(bool is_blocking)
{
    int *one = make_ready_pair(is_blocking), *two = make_ready_pair(is_blocking);
    action read_both = ^{
        char byte;
        check(recv(one[0], &byte, 1, MSG_DONTWAIT) == recv(two[0], &byte, 1, MSG_DONTWAIT));
    };

    add_source(watch_descriptor("one", one[0], 0, read_both, NULL), "DEF");
    add_source(watch_descriptor("two", two[0], 0, read_both, NULL), "DEF");
    run("DEF", 0, true);
    run("DEF", 0, true);
    run("DEF", 0, true);
}

static void read_before_its_turn(void)
{
    read_both_at_once(true);
}
SCENARIO(read_before_its_turn,
         .title = "A blocking descriptor gets no event for bytes that were read before its turn",
         .clauses = "FD-6",
         .rl_only = true,
         .expected = "one read; = HandledSource; = TimedOut; = TimedOut")

static void read_before_its_turn_without_blocking(void)
{
    read_both_at_once(false);
}
SCENARIO(read_before_its_turn_without_blocking,
         .title = "A nonblocking descriptor may get one event for bytes that were already read",
         .clauses = "FD-6",
         .rl_only = true,
         .expected = "one read; = HandledSource; two read; = HandledSource; = TimedOut")

static void update_before_its_turn(void)
{
    int *one = make_ready_pair(false), *two = make_ready_pair(false);
    struct watcher *watcher = NULL;
    RLRunLoopSourceRef second =
        watch_descriptor("two", two[0], kRLRunLoopDescriptorRead, NULL, &watcher);

    add_source(watch_descriptor("one", one[0], 0,
                                ^{
                                    watcher->events = kRLRunLoopDescriptorPriority;
                                    RLRunLoopSourceUpdateEvents(second);
                                    char byte;
                                    check(read(one[0], &byte, 1) == 1);
                                },
                                NULL),
               "DEF");
    add_source(second, "DEF");
    run("DEF", 0, true);
    run("DEF", 0, true);
}
SCENARIO(update_before_its_turn,
         .title = "A ready descriptor gets no event in which it is no longer interested at its turn",
         .clauses = "FD-6",
         .rl_only = true,
         .expected = "one read; = HandledSource; = TimedOut")

/* More descriptors than the kernel reports at once, always writable. */
static void add_crowd(void)
{
    for (int count = 0; count < 100; count++) {
        const int *ends = make_pair();
        add_source(watch_descriptor(NULL, ends[0], kRLRunLoopDescriptorWrite, NULL, NULL), "DEF");
    }
}

static void crowd_and_timer(void)
{
    __block int fired = 0;

    add_crowd();
    add_timer(TIMER("t", .after = 0.001, .interval = 0.001, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            if (++fired == 10) stop();
                        }),
              "DEF");
    run("DEF", 20, false);
}
SCENARIO(crowd_and_timer,
         .title = "A timer fires beside a hundred descriptors that are always ready",
         .clauses = "RUN-19",
         .rl_only = true,
         .expected = "= Stopped")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void crowd_and_main_queue(void)
{
    __block bool is_done = false;
    int runs = 0;

    add_crowd();
    enqueue("item", ^{ is_done = true; });
    /* Each run begins anew, and has no turn of the queue's in its only pass. */
    while (!is_done && runs++ < 300) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 20, true);
}
SCENARIO(crowd_and_main_queue,
         .title = "The main queue is served beside a hundred descriptors that end each run",
         .clauses = "RUN-19 MAINQ-3 MAINQ-4",
         .rl_only = true,
         .main_thread = true,
         .expected = "item")
#endif

static void pipe_without_reader(void)
{
    int ends[2];
    check(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    RLRunLoopSourceRef source =
        watch_descriptor("d", ends[1], kRLRunLoopDescriptorWrite, NULL, NULL);

    add_source(source, "DEF");
    close(ends[0]);
    run("DEF", 0.01, false);
    RLRunLoopSourceUpdateEvents(source);
    run("DEF", 0.01, false);
    int writer = ends[1];
    at_end(^{ close(writer); });
}
SCENARIO(pipe_without_reader,
         .title = "The error of a pipe without a reader is delivered once, and once more after an update",
         .clauses = "PORT-7",
         .rl_only = true,
         .expected = "d write error; = TimedOut; d write error; = TimedOut")
