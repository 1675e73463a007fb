/*
 * Hosts: names to addresses and back. Ours only, as CF has them on Apple's systems alone.
 */

#include "scenario.h"
#include "stream_words.h"

#include <CRunLoop/RLTesting.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <netdb.h>
#include <stdatomic.h>
#include <sys/un.h>

/* More than the 63 characters that a part of a name has: no server is asked. */
static const char impossible[] =
    "0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-.invalid";

static RLHostRef host_named(const char *name)
{
    RLHostRef host = RLHostCreateWithName(NULL, string_named(name));

    at_return(^{ RLRelease(host); });
    return host;
}

static RLDataRef data_of_host(const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};

    check(inet_pton(AF_INET, text, &address.sin_addr) == 1);
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)&address, sizeof address);
    at_return(^{ RLRelease(data); });
    return data;
}

static RLHostRef host_at(const char *text)
{
    RLHostRef host = RLHostCreateWithAddress(NULL, data_of_host(text));

    at_return(^{ RLRelease(host); });
    return host;
}

static void note_host_error(const RLStreamError *error)
{
    if (error->domain == kRLStreamErrorDomainNetDB) {
        note("%s", error->error == EAI_NONAME ? "EAI_NONAME" : gai_strerror(error->error));
    } else if (error->domain == kRLStreamErrorDomainPOSIX) {
        note("%s", strerrorname_np(error->error));
    } else {
        note("%ld %d", error->domain, error->error);
    }
}

static void resolve_and_note(RLHostRef host, RLHostInfoType type)
{
    RLStreamError error = {-7, -7};

    note_answer("resolves", RLHostStartInfoResolution(host, type, &error));
    note_host_error(&error);
}

/* Logs the addresses as numbers, once each. */
static void note_addresses(RLHostRef host)
{
    Boolean is_known = 7;
    RLArrayRef array = RLHostGetAddressing(host, &is_known);

    check(is_known == (array != NULL));
    if (!array) note("unknown");
    for (RLIndex i = 0; array && i < RLArrayGetCount(array); i++) {
        RLDataRef data = RLArrayGetValueAtIndex(array, i);
        const struct sockaddr *address =
            (const struct sockaddr *)(const void *)RLDataGetBytePtr(data);
        char text[64];
        check(getnameinfo(address, (socklen_t)RLDataGetLength(data), text, sizeof text, NULL, 0,
                          NI_NUMERICHOST) == 0);
        note("%s", text);
    }
}

static void note_names(RLHostRef host)
{
    Boolean is_known = 7;
    RLArrayRef array = RLHostGetNames(host, &is_known);
    char text[64];

    check(is_known == (array != NULL));
    if (!array) note("unknown");
    for (RLIndex i = 0; array && i < RLArrayGetCount(array); i++) {
        check(RLStringGetCString(RLArrayGetValueAtIndex(array, i), text, sizeof text,
                                 kRLStringEncodingUTF8));
        note("%s", text);
    }
}

static void host_numeric(void)
{
    RLHostRef host = host_named("127.0.0.3");

    note_names(host);
    note_addresses(host);
    resolve_and_note(host, kRLHostAddresses);
    note_addresses(host);
    resolve_and_note(host_named("::1"), kRLHostAddresses);
    resolve_and_note(host, kRLHostNames);
    note_names(host);
}
SCENARIO(host_numeric,
         .title = "The address in a host's name is its address",
         .clauses = "HOST-1 HOST-2",
         .rl_only = true,
         .expected = "127.0.0.3; unknown; resolves: yes; 0 0; 127.0.0.3; resolves: yes; 0 0; "
                     "resolves: yes; 0 0; 127.0.0.3")

static void host_blocking(void)
{
    RLHostRef host = host_named("localhost"), machine = host_at("127.0.0.1");

    check(RLHostStartInfoResolution(host, kRLHostAddresses, NULL));
    RLArrayRef array = RLHostGetAddressing(host, NULL);
    check(array && RLArrayGetCount(array) > 0);
    RLDataRef data = RLArrayGetValueAtIndex(array, 0);
    const struct sockaddr *address = (const struct sockaddr *)(const void *)RLDataGetBytePtr(data);
    check(address->sa_family == AF_INET || address->sa_family == AF_INET6);
    note_names(machine);
    resolve_and_note(machine, kRLHostNames);
    check(RLArrayGetCount(RLHostGetNames(machine, NULL)) > 0);
    note_addresses(machine);
}
SCENARIO(host_blocking,
         .title = "A host without a client is resolved in the call, by name and by address",
         .clauses = "HOST-1 HOST-2",
         .rl_only = true,
         .expected = "unknown; resolves: yes; 0 0; 127.0.0.1")

static void host_nowhere(void)
{
    RLHostRef host = host_named(impossible);

    resolve_and_note(host, kRLHostAddresses);
    note_addresses(host);
    resolve_and_note(host, 2);
    check(kRLStreamErrorDomainNetDB == 12);
}
SCENARIO(host_nowhere,
         .title = "An unknown name is an error of the resolver",
         .clauses = "HOST-2",
         .rl_only = true,
         .expected = "resolves: no; EAI_NONAME; unknown; resolves: no; EINVAL")

static void host_arguments(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    RLDataRef unix_data = RLDataCreate(NULL, (const UInt8 *)&address, sizeof address);
    RLDataRef cut = RLDataCreate(NULL, RLDataGetBytePtr(data_of_host("127.0.0.1")), 8);
    RLDataRef empty = RLDataCreate(NULL, NULL, 0);

    check(!RLHostCreateWithAddress(NULL, unix_data));
    check(!RLHostCreateWithAddress(NULL, cut));
    check(!RLHostCreateWithAddress(NULL, empty));
    RLRelease(unix_data);
    RLRelease(cut);
    RLRelease(empty);
    RLHostRef host = host_named("127.0.0.1");
    check(RLGetTypeID(host) == RLHostGetTypeID());
    check(RLHostStartInfoResolution(host, kRLHostAddresses, NULL));
    RLHostRef copy = RLHostCreateCopy(NULL, host);
    note_names(copy);
    note_addresses(copy);
    check(!RLEqual(copy, host));
    RLRelease(copy);
    RLRelease(RLCopyDescription(host));
    RLHostCancelInfoResolution(host, kRLHostAddresses);
    RLHostCancelInfoResolution(host, 5);
    RLHostUnscheduleFromRunLoop(host, this_loop(), kRLRunLoopDefaultMode);
}
SCENARIO(host_arguments,
         .title = "A host is created only from an internet address, and copied with its results",
         .clauses = "HOST-1",
         .rl_only = true,
         .expected = "127.0.0.1; 127.0.0.1")

STOPS(host_of_nothing, RLHostCreateWithName(NULL, NULL), .title = "A host needs a name",
      .clauses = "HOST-1", .rl_only = true)

/* --- In the background ------------------------------------------------------------------------ */

static void host_notified(RLHostRef host, RLHostInfoType type, const RLStreamError *error,
                          void *info)
{
    struct gadget *gadget = info;

    note("%s %s", gadget->name, type == kRLHostAddresses ? "addresses" : "names");
    if (error->domain != 0) note_host_error(error);
    if (gadget->perform) gadget->perform();
}

/* Gives the host a client that logs, and then does something. */
static void give_client(RLHostRef host, const char *name, bool logs_references, action perform)
{
    struct gadget *gadget = make_gadget(name);
    RLHostClientContext context = {
        .info = gadget,
        .retain = logs_references ? gadget_retain : NULL,
        .release = logs_references ? gadget_release : NULL,
    };

    gadget->perform = copied((const void *)perform);
    check(RLHostSetClient(host, host_notified, &context));
}

static void schedule_host(RLHostRef host, const char *mode)
{
    RLHostScheduleWithRunLoop(host, this_loop(), mode_named(mode));
}

static void unschedule_host(RLHostRef host, const char *mode)
{
    RLHostUnscheduleFromRunLoop(host, this_loop(), mode_named(mode));
}

static void host_in_loop(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    give_client(host, "h", false, ^{ stop(); });
    schedule_host(host, "DEF");
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    after(0.001, "t", "DEF", ^{ stop(); });
    run("DEF", 10, false);
    note_addresses(host);
    resolve_and_note(host, kRLHostNames);
    open_gate(lookup_may_end);
    run("DEF", 60, false);
    check(RLHostGetAddressing(host, NULL) != NULL);
    unschedule_host(host, "DEF");
    run("DEF", 0, false);
}
SCENARIO(host_in_loop,
         .title = "A host with a client is resolved in the background, one resolution at a time",
         .clauses = "HOST-3 HOST-4",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: yes; 0 0; t; = Stopped; unknown; resolves: no; EALREADY; "
                     "h addresses; = Stopped; = Finished")

static void host_client_removed(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    schedule_host(host, "DEF");
    give_client(host, "a", true, NULL);
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    RLHostSetClient(host, NULL, NULL);
    give_client(host, "b", true, ^{ stop(); });
    resolve_and_note(host, kRLHostNames);
    run("DEF", 60, false);
    open_gate(lookup_may_end);
    unschedule_host(host, "DEF");
    RLHostSetClient(host, NULL, NULL);
}
SCENARIO(host_client_removed,
         .title = "To remove the client cancels a resolution under way",
         .clauses = "HOST-4",
         .rl_only = true,
         .own_process = true,
         .expected = "a retained; resolves: yes; 0 0; a released; b retained; resolves: yes; 0 0; "
                     "b retained; b names; b released; = Stopped; b released")

static void host_notified_in_loop(void)
{
    RLHostRef host = host_named(impossible);

    schedule_host(host, "DEF");
    give_client(host, "h", false, ^{ stop(); });
    resolve_and_note(host, kRLHostAddresses);
    run("DEF", 60, false);
    resolve_and_note(host, kRLHostNames);
    run("DEF", 60, false);
    run("DEF", 0, false);
    unschedule_host(host, "DEF");
}
SCENARIO(host_notified_in_loop,
         .title = "A client is notified of failures, and of results that were already known",
         .clauses = "HOST-2 HOST-3",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: yes; 0 0; h addresses; EAI_NONAME; = Stopped; resolves: yes; 0 0; "
                     "h names; = Stopped; = TimedOut")

static void host_scheduled_later(void)
{
    RLHostRef host = host_named("127.0.0.1");

    give_client(host, "h", true, NULL);
    resolve_and_note(host, kRLHostAddresses);
    note_addresses(host);
    resolve_and_note(host, kRLHostAddresses);
    schedule_host(host, "M");
    schedule_host(host, "DEF");
    run("DEF", 0, false);
    run("M", 0, false);
    unschedule_host(host, "M");
    unschedule_host(host, "DEF");
    RLHostSetClient(host, NULL, NULL);
}
SCENARIO(host_scheduled_later,
         .title = "A result of a host that is not scheduled is reported once, when the host is scheduled",
         .clauses = "HOST-3 HOST-4",
         .rl_only = true,
         .expected = "h retained; resolves: yes; 0 0; 127.0.0.1; resolves: no; EALREADY; "
                     "h retained; h addresses; h released; = TimedOut; = TimedOut; h released")

static void host_client_replaced(void)
{
    RLHostRef host = host_named("127.0.0.1");

    schedule_host(host, "DEF");
    give_client(host, "a", true, NULL);
    resolve_and_note(host, kRLHostAddresses);
    give_client(host, "b", true, NULL);
    run("DEF", 0, false);
    resolve_and_note(host, kRLHostAddresses);
    RLHostSetClient(host, NULL, NULL);
    run("DEF", 0, false);
    resolve_and_note(host, kRLHostAddresses);
    unschedule_host(host, "DEF");
}
SCENARIO(host_client_replaced,
         .title = "A new client is notified instead of the former client; without a client, nothing is reported",
         .clauses = "HOST-3 HOST-6",
         .rl_only = true,
         .expected = "a retained; resolves: yes; 0 0; b retained; a released; b retained; "
                     "b addresses; b released; = TimedOut; resolves: yes; 0 0; b released; "
                     "= TimedOut; resolves: yes; 0 0")

static void host_canceled(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    schedule_host(host, "DEF");
    give_client(host, "h", false, NULL);
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    RLHostCancelInfoResolution(host, kRLHostNames);
    RLHostCancelInfoResolution(host, kRLHostAddresses);
    RLTestingSetBeforeLookup(NULL);
    resolve_and_note(host, kRLHostNames);
    RLHostCancelInfoResolution(host, kRLHostNames);
    open_gate(lookup_may_end);
    run("DEF", 0.005, false);
    note_addresses(host);
    unschedule_host(host, "DEF");
}
SCENARIO(host_canceled,
         .title = "A client is not notified of a canceled resolution",
         .clauses = "HOST-5",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: yes; 0 0; resolves: yes; 0 0; = TimedOut; unknown")

static void host_call_canceled(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    struct helper_thread *helper = start_thread(^{ resolve_and_note(host, kRLHostAddresses); });
    pass_gate(lookup_begun);
    resolve_and_note(host, kRLHostAddresses);
    RLHostCancelInfoResolution(host, kRLHostAddresses);
    join_thread(helper);
    open_gate(lookup_may_end);
    RLTestingSetBeforeLookup(NULL);
    resolve_and_note(host, kRLHostAddresses);
}
SCENARIO(host_call_canceled,
         .title = "Canceling ends a call that waits, and the host can be resolved again",
         .clauses = "HOST-4 HOST-5",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: no; EALREADY; resolves: no; ECANCELED; resolves: yes; 0 0")

static void host_thread_canceled(void)
{
    RLHostRef host = host_named("localhost");
    __block pthread_t thread;
    __block bool is_resolved = false, stays = false;

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    struct helper_thread *helper = start_thread(^{
        thread = pthread_self();
        is_resolved = RLHostStartInfoResolution(host, kRLHostAddresses, NULL);
        pthread_testcancel();
        stays = true;
    });
    pass_gate(lookup_begun);
    pthread_cancel(thread);
    open_gate(lookup_may_end);
    join_thread(helper);
    check(is_resolved && !stays);
}
SCENARIO(host_thread_canceled,
         .title = "A thread that is canceled during a resolution continues until the resolution ends",
         .clauses = "HOST-2 RUN-42",
         .rl_only = true,
         .own_process = true)

static void host_released_in_lookup(void)
{
    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    RLHostRef host = RLHostCreateWithName(NULL, RLSTR("localhost"));
    give_client(host, "h", true, NULL);
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    RLRelease(host);
    note("gone");
    open_gate(lookup_may_end);
}
SCENARIO(host_released_in_lookup,
         .title = "A host may be released while it is looked up",
         .clauses = "HOST-6",
         .rl_only = true,
         .own_process = true,
         .expected = "h retained; resolves: yes; 0 0; h released; gone")

static sigset_t blocked_in_lookup;

static void look_at_signals(void)
{
    pthread_sigmask(SIG_BLOCK, NULL, &blocked_in_lookup);
    open_gate(lookup_begun);
}

static void host_lookup_leaves_signals(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    open_gate(lookup_may_end);
    RLTestingSetBeforeLookup(look_at_signals);
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    for (int number = 1; number <= SIGSYS; number++) {
        if (sigismember(&blocked_in_lookup, number) == 0) note("%s", sigabbrev_np(number));
    }
    RLTestingSetBeforeLookup(NULL);
}
SCENARIO(host_lookup_leaves_signals,
         .title = "The thread of a look-up takes only the signals of its own faults",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: yes; 0 0; ILL; TRAP; ABRT; BUS; FPE; KILL; SEGV; PIPE; STOP; PROF; SYS")

static int count_tasks(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");

    while (readdir(tasks)) count++;
    closedir(tasks);
    return count;
}

static atomic_int lookups_begun;
static int hosts_reported, hosts_awaited;

static void wait_in_lookup(void)
{
    atomic_fetch_add(&lookups_begun, 1);
    pass_gate(lookup_may_end);
    /* For the next one. */
    open_gate(lookup_may_end);
}

enum { HOSTS = 40, MOST_LOOKUP_THREADS = 4 };

static void count_reported(RLHostRef host, RLHostInfoType type, const RLStreamError *error,
                           void *info)
{
    if (++hosts_reported == hosts_awaited) stop();
}

static void many_lookups(void)
{
    RLHostRef hosts[HOSTS];

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    RLTestingSetBeforeLookup(wait_in_lookup);
    hosts_awaited = HOSTS / 2;
    int before = count_tasks();
    for (int i = 0; i < HOSTS; i++) {
        hosts[i] = host_named("localhost");
        schedule_host(hosts[i], "DEF");
        check(RLHostSetClient(hosts[i], count_reported, NULL));
        check(RLHostStartInfoResolution(hosts[i], kRLHostAddresses, NULL));
    }
    check(count_tasks() - before <= MOST_LOOKUP_THREADS);
    /* Half of them stop waiting, among them the last of the queue. */
    for (int i = HOSTS / 2; i < HOSTS; i++) RLHostCancelInfoResolution(hosts[i], kRLHostAddresses);
    open_gate(lookup_may_end);
    run("DEF", 100, false);
    check(lookups_begun == HOSTS / 2);
    RLTestingSetBeforeLookup(NULL);
    note("%d", hosts_reported);
    for (int i = 0; i < HOSTS; i++) unschedule_host(hosts[i], "DEF");
}
SCENARIO(many_lookups,
         .title = "Look-ups have four threads at most, and those that are canceled are left out",
         .clauses = "HOST-4 HOST-5",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 20")

static void host_of_ended_thread(void)
{
    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    elsewhere(^{
        RLHostRef host = RLHostCreateWithName(NULL, RLSTR("localhost"));
        give_client(host, "h", true, NULL);
        schedule_host(host, "DEF");
        resolve_and_note(host, kRLHostAddresses);
        pass_gate(lookup_begun);
        RLRelease(host);
        note("released");
    });
    note("gone");
    open_gate(lookup_may_end);
}
SCENARIO(host_of_ended_thread,
         .title = "A loop keeps a host that is scheduled in it until its thread ends",
         .clauses = "HOST-6 LIFE-8",
         .rl_only = true,
         .own_process = true,
         .expected = "h retained; resolves: yes; 0 0; released; h released; gone")

static int resolve_in_child(RLHostRef host)
{
    RLStreamError error;

    RLTestingSetBeforeLookup(NULL);
    if (RLHostStartInfoResolution(host, kRLHostAddresses, &error)) return 1;
    if (error.error != EALREADY) return 2;
    RLHostCancelInfoResolution(host, kRLHostAddresses);
    RLHostSetClient(host, NULL, NULL);
    return RLHostStartInfoResolution(host, kRLHostAddresses, &error) ? 0 : 3;
}

static void host_forked(void)
{
    RLHostRef host = host_named("localhost");

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    give_client(host, "h", false, ^{ stop(); });
    schedule_host(host, "DEF");
    resolve_and_note(host, kRLHostAddresses);
    pass_gate(lookup_begun);
    pid_t child = fork();
    if (child == 0) _exit(resolve_in_child(host));
    note_child(child);
    open_gate(lookup_may_end);
    run("DEF", 60, false);
    unschedule_host(host, "DEF");
}
SCENARIO(host_forked,
         .title = "A forked child cancels a resolution under way, and makes its own",
         .clauses = "HOST-5 LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "resolves: yes; 0 0; child: 0; h addresses; = Stopped")

/* All threads wait, so the last host is in the queue when the process forks. */
static void host_forked_in_queue(void)
{
    RLHostRef hosts[MOST_LOOKUP_THREADS + 1];

    if (!RLTestingIsAvailable()) return;
    hold_lookups();
    RLTestingSetBeforeLookup(wait_in_lookup);
    hosts_awaited = MOST_LOOKUP_THREADS + 1;
    for (int i = 0; i <= MOST_LOOKUP_THREADS; i++) {
        hosts[i] = host_named("localhost");
        schedule_host(hosts[i], "DEF");
        check(RLHostSetClient(hosts[i], count_reported, NULL));
        check(RLHostStartInfoResolution(hosts[i], kRLHostAddresses, NULL));
    }
    pid_t child = fork();
    if (child == 0) _exit(resolve_in_child(hosts[MOST_LOOKUP_THREADS]));
    note_child(child);
    open_gate(lookup_may_end);
    run("DEF", 60, false);
    check(lookups_begun == MOST_LOOKUP_THREADS + 1);
    RLTestingSetBeforeLookup(NULL);
    for (int i = 0; i <= MOST_LOOKUP_THREADS; i++) unschedule_host(hosts[i], "DEF");
}
SCENARIO(host_forked_in_queue,
         .title = "A forked child does not wait for the look-ups of its parent, which continue in the parent",
         .clauses = "HOST-5 LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0; = Stopped")

static void host_ends_in_callback(void)
{
    RLHostRef host = RLHostCreateWithName(NULL, RLSTR("127.0.0.1"));

    schedule_host(host, "DEF");
    give_client(host, "h", true, ^{
        RLHostSetClient(host, NULL, NULL);
        RLHostCancelInfoResolution(host, kRLHostAddresses);
        unschedule_host(host, "DEF");
        RLRelease(host);
        stop();
    });
    resolve_and_note(host, kRLHostAddresses);
    run("DEF", 10, false);
}
SCENARIO(host_ends_in_callback,
         .title = "A host may be released in its callback",
         .clauses = "HOST-6",
         .rl_only = true,
         .expected = "h retained; resolves: yes; 0 0; h retained; h addresses; h released; "
                     "h released; = Stopped")
