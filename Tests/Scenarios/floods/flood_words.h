/*
 * Peers that send as fast as they can. A loop receives in portions, between which it serves its
 * timers, other descriptors, forks and other sessions.
 *
 * A flood ends when all of them were served often enough, and fails if the peer has sent much more
 * before that: so a slow machine changes nothing. The longest gap of the timer, and the longest
 * fork, are printed, as they are meaningful on an idle machine only. The thread's own processor
 * time in such a gap is meaningful on any machine, and has a limit.
 */

#ifndef SCENARIOKIT_FLOOD_WORDS_H
#define SCENARIOKIT_FLOOD_WORDS_H

#include "../sockets/socket_words.h"
#include "../streams/stream_words.h"
#include "../tls/tls_words.h"
#include "queues.h"
#include "words.h"

#include <math.h>
#include <poll.h>
#include <stdatomic.h>

/* Sends one unit of a flood. Returns false if there is no room now. */
typedef bool (^flooder)(void);

struct flood {
    const char *name;
    /* Makes the thread's loop receive, and returns the sender. */
    flooder (*begin)(void);
    /* The limit of the peer's bytes. */
    long most_units;
    /* The limit of callbacks in one pass. */
    long most_at_once;
};

/* The numbers of units: of some bytes, of many, and of millions. */
enum { SMALL_UNITS = 4000000, LARGE_UNITS = 400000, HUGE_UNITS = 4000 };

/* A flood that shows itself; the body of what begins it follows. */
#define FLOOD_IN(its_name, its_place, its_clauses, its_title, ...)                                 \
    static flooder begin_##its_name(void);                                                         \
    static void its_name(void)                                                                     \
    {                                                                                              \
        run_flood(&(struct flood){#its_name, begin_##its_name, __VA_ARGS__});                      \
    }                                                                                              \
    SCENARIO(its_name, .title = its_title, .clauses = its_clauses, .rl_only = true,              \
 .its_place = true, \
             .expected = "continues") \
    static flooder begin_##its_name(void)
#define FLOOD(its_name, its_title, ...)                                                            \
    FLOOD_IN(its_name, own_process, "extension", its_title, __VA_ARGS__)

enum {
    TURNS = 5,
    FORKS = 3,
    ROOM_WAIT_MS = 10,
    /* A fork waits for each lock once: far fewer, unless the loop takes them again and again. */
    MOST_PASSES_IN_FORK = 100000,
    /* Of floods that count them. */
    MOST_BYTES_IN_PASS = 65536
};

/* Sanitizers are slow. */
#if defined(__has_feature)
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif

/* Each flood has a process of its own. */
static atomic_bool flood_is_over, flood_was_too_long;
/* One for each who needs some, and one until all of them have begun. */
static atomic_int turns_to_come = 1;
static atomic_long passes;
static long taken_in_pass, most_taken, most_bytes_taken;
static struct helper_thread *participants[8];
static int participant_count;

/* Call this in each callback of the receiving end. */
static inline void take_portion(void)
{
    if (++taken_in_pass > most_taken) most_taken = taken_in_pass;
}

static inline void end_turns(void)
{
    if (atomic_fetch_sub(&turns_to_come, 1) == 1) atomic_store(&flood_is_over, true);
}

static inline void participate(action body)
{
    participants[participant_count++] = start_thread(body);
}

/* Does something again and again on a thread of its own, which the flood does not outlast. */
static inline void take_turns(int turns, action turn)
{
    atomic_fetch_add(&turns_to_come, 1);
    participate(^{
        for (int count = 0; count < turns; count++) turn();
        end_turns();
    });
}

static inline flooder flood_by(flooder send_one)
{
    flooder kept = (flooder)copied((const void *)send_one);

    at_end(^{ release_block((const void *)kept); });
    return kept;
}

static inline void start_flooder(flooder send_one, long most_units)
{
    const long least_units = most_units / 1000;

    /* A flood of which little has come shows nothing. */
    if (least_units > 0) atomic_fetch_add(&turns_to_come, 1);
    participate(^{
        long units = 0;
        while (!atomic_load(&flood_is_over) && units < most_units) {
            if (send_one() && ++units == least_units) end_turns();
        }
        if (!atomic_load(&flood_is_over)) atomic_store(&flood_was_too_long, true);
    });
}

/* The child continues if its loop serves it. */
static inline void be_child(void)
{
    __block bool is_served = false;

    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{ is_served = true; });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    _exit(!is_served);
}

/* The most that there was of times, and of passes during a fork. */
struct gap {
    double longest, most_used, longest_fork;
    long most_passes;
};

/* Forks while the flood lasts: it is over before it should be if forks have to wait for its end. */
static inline void start_forking(struct gap *gap)
{
    /*
     * After the process's first block: musl's pthread_once(3) would have the child of a fork in its
     * midst wait for ever.
     */
    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{});
    take_turns(FORKS, ^{
        int status;
        long passes_before = atomic_load(&passes);
        double began = clock_now();
        pid_t child = fork();
        if (child == 0) be_child();
        gap->longest_fork = fmax(gap->longest_fork, clock_now() - began);
        long passes_now = atomic_load(&passes) - passes_before;
        if (passes_now > gap->most_passes) gap->most_passes = passes_now;
        check(waitpid(child, &status, 0) == child && status == 0);
    });
}

/* Sends a byte to a descriptor of the loop and back, repeatedly. */
static inline void start_neighbor(void)
{
    int *ends = handle_pair(SOCK_STREAM);
    int far_end = ends[1], near_end = ends[0];

    add_socket(native_socket(NULL, near_end, kRLSocketReadCallBack,
                             ^(RLSocketRef socket, unsigned long type, const void *data) {
                                 char byte;
                                 (void)socket, (void)type, (void)data;
                                 /* The child of a fork shares the socket: each byte is for one. */
                                 if (recv(near_end, &byte, 1, MSG_DONTWAIT) != 1) return;
                                 check(write(near_end, &byte, 1) == 1);
                             }),
               "DEF");
    take_turns(TURNS, ^{
        char byte = 'x';
        check(write(far_end, &byte, 1) == 1 && read(far_end, &byte, 1) == 1);
    });
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
/* Other work of the queue is also served in turn. */
static inline void share_queue(struct dispatch_queue_s *queue)
{
    take_turns(TURNS, ^{ dispatch_sync(queue, ^{}); });
}
#endif

static inline void watch_gap(struct gap *gap)
{
    __block double last = clock_now(), last_used = processor_time();
    __block int fired = 0;

    atomic_fetch_add(&turns_to_come, 1);
    when(kRLRunLoopBeforeTimers, "DEF", ^{
        taken_in_pass = 0;
        atomic_fetch_add(&passes, 1);
    });
    add_timer(TIMER("t", .after = 0.01, .interval = 0.01, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            double now = clock_now(), used = processor_time();
                            (void)timer;
                            gap->longest = fmax(gap->longest, now - last);
                            gap->most_used = fmax(gap->most_used, used - last_used);
                            last = now;
                            last_used = used;
                            if (++fired == TURNS) end_turns();
                        }),
              "DEF");
}

static inline void log_flood(const struct flood *flood, const struct gap *gap)
{
    fprintf(stderr,
            "%s: longest gap %.1f ms, %.1f ms of them busy; %ld portions in a pass; "
            "longest fork %.1f ms, %ld passes\n",
            flood->name, gap->longest * 1e3, gap->most_used * 1e3, most_taken,
            gap->longest_fork * 1e3, gap->most_passes);
    note("%s", atomic_load(&flood_was_too_long) ? "starved" : "continues");
    if (most_taken > flood->most_at_once) note("%ld portions in a pass", most_taken);
    if (most_bytes_taken > MOST_BYTES_IN_PASS) note("%ld bytes in a pass", most_bytes_taken);
    if (most_taken == 0) note("nothing came");
    double most_used = IS_SANITIZED ? 1 : (double)most_held_ns() / 1e9;
    if (gap->most_used > most_used) note("the loop was held for %.0f ms", gap->most_used * 1e3);
    if (gap->most_passes > MOST_PASSES_IN_FORK) note("a fork waited for the loop");
}

static inline void run_flood(const struct flood *flood)
{
    struct gap *gap = calloc(1, sizeof *gap);

    at_end(^{ free(gap); });
    signal(SIGPIPE, SIG_IGN);
    flooder send_one = flood->begin();
    start_neighbor();
    start_forking(gap);
    watch_gap(gap);
    start_flooder(send_one, flood->most_units);
    end_turns();
    /* Also those that were not served enough at the end of the flood. */
    while (atomic_load(&turns_to_come) > 0) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
    }
    for (int index = 0; index < participant_count; index++) join_thread(participants[index]);
    log_flood(flood, gap);
}

/* --- Descriptors of the peer ------------------------------------------------------------------ */

/* Waits briefly for buffer space. Returns whether there is none, for flooders to count. */
static inline bool await_room(int handle)
{
    struct pollfd query = {.fd = handle, .events = POLLOUT};

    poll(&query, 1, ROOM_WAIT_MS);
    return false;
}

static inline bool send_bytes(int handle, size_t length, int flags)
{
    static const UInt8 bytes[65536];

    if (send(handle, bytes, length, flags | MSG_DONTWAIT | MSG_NOSIGNAL) > 0) return true;
    return await_room(handle);
}

/* Connects by TCP; returns the end of the peer, which is closed when the scenario returns. */
static inline int connect_peer(int *ret_near_end)
{
    int handles[2];

    connect_by_tcp(handles);
    *ret_near_end = handles[0];
    int far_end = handles[1];
    at_return(^{ close(far_end); });
    return far_end;
}

/* --- The receiving end ------------------------------------------------------------------------ */

/* Reads all that comes, in large pieces. */
static inline void drain(RLReadStreamRef reader)
{
    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        static UInt8 bytes[65536];
        take_portion();
        if (event == kRLStreamEventHasBytesAvailable) {
            check(RLReadStreamRead(called, bytes, sizeof bytes) > 0);
        }
        check(event != kRLStreamEventErrorOccurred);
    });
}

/* A socket of ours whose every callback counts. */
static inline void serve_flooded(int handle, unsigned long types)
{
    add_socket(native_socket(NULL, handle, types,
                             ^(RLSocketRef socket, unsigned long type, const void *data) {
                                 (void)socket;
                                 take_portion();
                                 if (type == kRLSocketAcceptCallBack) close(*(const int *)data);
                             }),
               "DEF");
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
/* --- Dispatch queues -------------------------------------------------------------------------- */

/* Makes a queue serve the streams of an end, and reads all bytes there. */
static inline void drain_on_queue(struct tls_end end)
{
    struct dispatch_queue_s *queue = make_queue(NULL);

    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        static UInt8 bytes[65536];
        if (event != kRLStreamEventHasBytesAvailable) return;
        check(RLReadStreamRead(called, bytes, sizeof bytes) > 0);
    });
    RLReadStreamSetDispatchQueue(end.reader, queue);
    at_return(^{ leave_queue(end.reader, queue); });
    share_queue(queue);
    /* Only callbacks on the loop's thread count. */
    take_portion();
}

#endif

#endif
