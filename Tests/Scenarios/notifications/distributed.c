/* Notifications between processes. Ours only; Apple's documentation specifies the behavior. */

#include "../messages/raw_messages.h"
#include "notification_words.h"
#include "scenario.h"

#include <sys/resource.h>

static void post_far(const char *name, const char *object, RLDictionaryRef info)
{
    RLNotificationCenterPostNotification(distributed_center(), mode_named(name),
                                         name_or_null(object), info, false);
}

static const char *text_of_string(RLStringRef string, char text[64])
{
    if (!string || !RLStringGetCString(string, text, 64, kRLStringEncodingUTF8)) text[0] = '\0';
    return text;
}

/* Notes the name, and ends the run at "end". */
static void note_far(RLStringRef name, const void *object)
{
    char text[64], more[64];

    text_of_string(name, text);
    if (strcmp(text, "end") == 0) {
        stop();
    } else {
        note("%s %s", text, text_of_string(object, more));
    }
}

/*
 * Posts "end", and runs until it arrives. It is posted last, so all earlier notifications have
 * arrived by then.
 */
static void run_to_end(void)
{
    post_far("end", NULL, NULL);
    run("DEF", 10, false);
}

static void stop_at_end(RLNotificationCenterRef center, void *observer, RLStringRef name,
                        const void *object, RLDictionaryRef info)
{
    stop();
}

/* Returns a dictionary with a value that cannot be sent to another process. */
static RLDictionaryRef unsendable(void)
{
    RLMutableDictionaryRef info = RLDictionaryCreateMutable(NULL, 0, &kRLTypeDictionaryKeyCallBacks,
                                                            &kRLTypeDictionaryValueCallBacks);

    RLDictionarySetValue(info, RLSTR("loop"), RLRunLoopGetMain());
    return info;
}

/* A dictionary with a value of each kind. */
static RLDictionaryRef full_info(void)
{
    long integer = -7;
    double real = 2.5;
    static const UniChar odd[] = {0xFEFF, 'a', 0, 0xD800, 'b'};
    RLTypeRef list[] = {RLStringCreateWithCString(NULL, "h\303\251", kRLStringEncodingUTF8),
                        RLStringCreateWithCharacters(NULL, odd, sizeof(odd) / sizeof(odd[0])),
                        RLNumberCreate(NULL, kRLNumberLongType, &integer),
                        RLNumberCreate(NULL, kRLNumberFloat64Type, &real),
                        RLRetain(kRLBooleanTrue),
                        RLRetain(kRLBooleanFalse),
                        RLDateCreate(NULL, 12.25),
                        RLDataCreate(NULL, (const UInt8 *)"\0\1\2", 3)};
    enum { COUNT = sizeof(list) / sizeof(list[0]) };
    RLArrayRef array = RLArrayCreate(NULL, list, COUNT, &kRLTypeArrayCallBacks);
    RLMutableDictionaryRef info = RLDictionaryCreateMutable(NULL, 0, &kRLTypeDictionaryKeyCallBacks,
                                                            &kRLTypeDictionaryValueCallBacks);

    RLDictionarySetValue(info, RLSTR("list"), array);
    RLDictionaryRef inner = RLDictionaryCreateCopy(NULL, info);
    RLDictionarySetValue(info, RLSTR("inner"), inner);
    RLRelease(inner);
    RLRelease(array);
    for (int i = 0; i < COUNT; i++) RLRelease(list[i]);
    at_return(^{ RLRelease(info); });
    return info;
}

static void distributed_reaches_others(void)
{
    use_own_folder();
    RLDictionaryRef info = full_info();
    pid_t processes[2];
    for (int i = 0; i < 2; i++) {
        processes[i] = start_process(^(void (^ready)(void)) {
            __block int good = 0;
            listen_far(distributed_center(), "A", "x", 1,
                       ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                           if (RLEqual(got, info) && RLEqual(object, mode_named("x"))) good++;
                       });
            listen_far(distributed_center(), "end", NULL, 1,
                       ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                           check(!object && !got);
                           _exit(good);
                       });
            ready();
            RLRunLoopRun();
        });
    }
    post_far("A", "x", info);
    post_far("A", "y", info);
    post_far("B", "x", info);
    post_far("A", "x", info);
    post_far("end", NULL, NULL);
    note_child(processes[0]);
    note_child(processes[1]);
}
SCENARIO(distributed_reaches_others,
         .title = "A notification reaches the observers of its name and object in all processes",
         .clauses = "NTFC-8 NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "child: 2; child: 2")

static void distributed_reaches_itself(void)
{
    use_own_folder();
    RLDictionaryRef info = full_info();

    listen_far(distributed_center(), NULL, NULL, 1,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   check(!got || (got != info && RLEqual(got, info)));
                   note_far(name, object);
               });
    post_far("A", "x", info);
    post_far("B", NULL, NULL);
    note("posted");
    run_to_end();
}
SCENARIO(distributed_reaches_itself,
         .title = "A process gets what it posts in its main loop",
         .clauses = "NTFC-8",
         .rl_only = true,
         .main_thread = true,
         .expected = "posted; A x; B ; = Stopped")

static void darwin_has_names(void)
{
    use_own_folder();
    RLNotificationCenterRef center = RLNotificationCenterGetDarwinNotifyCenter();

    listen_far(center, "A", "ignored", 0,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   check(!object && !got);
                   note("Darwin's");
                   stop();
               });
    listen_far(
        distributed_center(), NULL, NULL, 1,
        ^(RLStringRef name, const void *object, RLDictionaryRef got) { note("distributed"); });
    pid_t process = start_process(^(void (^ready)(void)) {
        RLNotificationCenterPostNotification(center, mode_named("B"), NULL, NULL, false);
        RLNotificationCenterPostNotification(center, mode_named("A"), &center, full_info(), true);
        ready();
    });
    run("DEF", 10, false);
    waitpid(process, NULL, 0);
}
SCENARIO(darwin_has_names,
         .title = "Darwin's center carries names alone, and is not the distributed one",
         .clauses = "NTFC-10",
         .rl_only = true,
         .main_thread = true,
         .expected = "Darwin's; = Stopped")

static void distributed_suspended(void)
{
    use_own_folder();
    static const char *const letters[] = {"", "drop", "last", "hold", "now"};
    for (int behavior = 1; behavior <= 4; behavior++) {
        listen_far(distributed_center(), behavior == 4 ? "N" : NULL, NULL, behavior,
                   ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                       char text[64], more[64];
                       text_of_string(name, text);
                       if (strcmp(text, "end") != 0) {
                           note("%s %s%s", letters[behavior], text, text_of_string(object, more));
                       }
                   });
    }
    RLNotificationCenterAddObserver(distributed_center(), NULL, stop_at_end, RLSTR("end"), NULL,
                                    RLNotificationSuspensionBehaviorDeliverImmediately);
    RLNotificationCenterSetSuspended(distributed_center(), true);
    post_far("A", "1", NULL);
    post_far("A", "2", NULL);
    post_far("A", "1", NULL);
    run("DEF", 0.01, false);
    note("resumed");
    RLNotificationCenterSetSuspended(distributed_center(), false);
    run_to_end();
    RLNotificationCenterSetSuspended(distributed_center(), true);
    note("flushed");
    post_far("B", NULL, NULL);
    post_far("N", NULL, NULL);
    run_to_end();
    note("immediately");
    RLNotificationCenterPostNotificationWithOptions(distributed_center(), RLSTR("C"), NULL, NULL,
                                                    kRLNotificationDeliverImmediately);
    run_to_end();
    RLNotificationCenterRemoveEveryObserver(distributed_center(), NULL);
}
SCENARIO(distributed_suspended,
         .title = "While the center is suspended, notifications wait as their observers want it",
         .clauses = "NTFC-11",
         .rl_only = true,
         .main_thread = true,
         .expected = "= TimedOut; resumed; hold A1; last A2; hold A2; last A1; hold A1; "
                     "= Stopped; flushed; last B; hold B; now N; last N; hold N; = Stopped; "
                     "immediately; drop C; last C; hold C; = Stopped")

static void distributed_suspended_in_callback(void)
{
    use_own_folder();
    RLNotificationCenterRef center = distributed_center();
    __block int held = 0;
    listen_far(center, "A", NULL, RLNotificationSuspensionBehaviorDeliverImmediately,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   note("resumes");
                   RLNotificationCenterSetSuspended(center, false);
               });
    listen_far(center, NULL, NULL, RLNotificationSuspensionBehaviorHold,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   char text[64];
                   note("hold %s", text_of_string(name, text));
                   if (++held == 2) RLNotificationCenterSetSuspended(center, true);
                   if (held != 3) stop();
               });
    RLNotificationCenterSetSuspended(center, true);
    post_far("A", NULL, NULL);
    run("DEF", 10, false);
    RLNotificationCenterSetSuspended(center, true);
    post_far("B", NULL, NULL);
    post_far("C", NULL, NULL);
    run("DEF", 0.01, false);
    RLNotificationCenterSetSuspended(center, false);
    run("DEF", 10, false);
    run("DEF", 0.01, false);
}
SCENARIO(distributed_suspended_in_callback,
         .title = "A center that a callback resumes or suspends delivers or waits at once",
         .clauses = "NTFC-11",
         .rl_only = true,
         .main_thread = true,
         .expected = "resumes; hold A; = Stopped; = TimedOut; hold B; = Stopped; = TimedOut")

static void distributed_waits_for_so_much(void)
{
    use_own_folder();
    __block int calls = 0, last = 0;
    listen_far(distributed_center(), "A", NULL, RLNotificationSuspensionBehaviorHold,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   calls++;
                   last = RLStringGetIntValue(object);
               });
    listen_far(distributed_center(), "end", NULL,
               RLNotificationSuspensionBehaviorDeliverImmediately,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) { stop(); });
    RLNotificationCenterSetSuspended(distributed_center(), true);
    for (int i = 1; i <= 1200; i++) {
        char number[16];
        snprintf(number, sizeof(number), "%d", i);
        post_far("A", number, NULL);
        if (i % 600 == 0) run("DEF", 0.001, false);
    }
    RLNotificationCenterSetSuspended(distributed_center(), false);
    run_to_end();
    note("%d, the last is %d", calls, last);
}
SCENARIO(distributed_waits_for_so_much,
         .title = "1,024 notifications wait at most, the latest ones",
         .clauses = "NTFC-11",
         .rl_only = true,
         .main_thread = true,
         .expected = "= TimedOut; = TimedOut; = Stopped; 1024, the last is 1200")

static void distributed_peer_dies(void)
{
    const char *folder = use_own_folder();
    pid_t process = start_process(^(void (^ready)(void)) {
        listen_far(distributed_center(), "A", NULL, 1,
                   ^(RLStringRef name, const void *object, RLDictionaryRef got){});
        ready();
        pause();
    });
    int before = count_descriptors();

    post_far("A", NULL, NULL);
    note("%d more", count_descriptors() - before);
    kill_and_wait(process);
    for (int i = 0; i < 3; i++) post_far("A", NULL, NULL);
    note("%d more", count_descriptors() - before);
    /* The next process that listens removes the leftovers. */
    listen_far(distributed_center(), "A", NULL, 1,
               ^(RLStringRef name, const void *object, RLDictionaryRef got){});
    note("%d files", count_files(folder));
    run("DEF", 0.001, false);
}
SCENARIO(distributed_peer_dies,
         .title = "A killed process is unregistered, and leaves nothing behind",
         .clauses = "NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "1 more; 0 more; 2 files; = TimedOut")

static void distributed_garbage(void)
{
    char command[4096];

    snprintf(command, sizeof(command),
             "mkdir -m 700 -p '%1$s/corerunloop' && cd '%1$s/corerunloop' && "
             "p=ncorerunloop.notifications. && touch $p && echo x >${p}1 && mkfifo ${p}2 && "
             "mkdir ${p}3 && ln -s nowhere ${p}4 && ln -s / ${p}5 && "
             "touch $p$(printf '%%0200d' 6) && touch ${p}%%41",
             use_own_folder());
    check(system(command) == 0);
    listen_far(
        distributed_center(), NULL, NULL, 1,
        ^(RLStringRef name, const void *object, RLDictionaryRef got) { note_far(name, object); });
    post_far("A", "x", NULL);
    char name[64];
    snprintf(name, sizeof(name), "corerunloop.notifications.%d", getpid());
    RLMessagePortRef port = remote_port(name);
    /* A count without elements, a dictionary in a dictionary's place, a name that is none. */
    static const char *const packets[] = {
        "", "\1", "\1\10\377\377\377\377", "\1\1\377\377\377\377", "\1\1\1", "\1\5\5\5"};
    for (int i = 0; i < 6; i++) {
        check(RLMessagePortSendRequest(port, i, bytes(packets[i]), 10, 0, NULL, NULL) == 0);
    }
    /* A center's notification, but larger. */
    static char much[1 << 20] = "\1\1\1\0\0\0A\0\11\1\0\0\0\1\1\0\0\0k\2";
    uint32_t length = sizeof much - 24;
    memcpy(much + 20, &length, sizeof length);
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)much, sizeof much);
    check(RLMessagePortSendRequest(port, 1, data, 10, 0, NULL, NULL) == 0);
    RLRelease(data);
    note("posted");
    run("DEF", 0.05, false);
    run_to_end();
}
SCENARIO(distributed_garbage,
         .title = "Garbage in the folder and in messages does no harm",
         .clauses = "NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected_hints = NULL,
         .expected = "posted; A x; = TimedOut; = Stopped")

static void distributed_without_folder(void)
{
    const char *folder = use_own_folder();
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/corerunloop", folder);
    check(mkdir(path, 0755) == 0 && chmod(path, 0755) == 0);
    listen_far(
        distributed_center(), NULL, NULL, 1,
        ^(RLStringRef name, const void *object, RLDictionaryRef got) { note_far(name, object); });
    post_far("A", "x", NULL);
    run_to_end();
    /* And with no descriptors left. */
    struct rlimit usual, few;
    check(getrlimit(RLIMIT_NOFILE, &usual) == 0);
    few = (struct rlimit){0, usual.rlim_max};
    check(setrlimit(RLIMIT_NOFILE, &few) == 0);
    post_far("B", "x", NULL);
    run_to_end();
    check(setrlimit(RLIMIT_NOFILE, &usual) == 0);
}
SCENARIO(distributed_without_folder,
         .title = "Where no port can have a name, and without descriptors, a process still gets "
                  "what it posts",
         .clauses = "NTFC-8",
         .rl_only = true,
         .main_thread = true,
         .expected = "A x; = Stopped; B x; = Stopped")

static void distributed_in_child(void)
{
    use_own_folder();
    pid_t parent = getpid();
    listen_far(distributed_center(), "child", NULL, 1,
               ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                   if (getpid() != parent) return;
                   char text[64];
                   note("got %s", text_of_string(object, text));
                   stop();
               });
    post_far("child", "own", NULL);
    run("DEF", 10, false);
    pid_t child = start_process(^(void (^ready)(void)) {
        __block int calls = 0;
        listen_far(distributed_center(), "A", NULL, 1,
                   ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                       calls++;
                       RLRunLoopStop(RLRunLoopGetMain());
                   });
        post_far("child", "its", NULL);
        ready();
        RLRunLoopRun();
        _exit(calls);
    });
    post_far("A", NULL, NULL);
    note_child(child);
    run("DEF", 10, false);
}
SCENARIO(distributed_in_child,
         .title = "A forked child posts, and receives once it has an observer of its own",
         .clauses = "NTFC-6 NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "got own; = Stopped; child: 1; got its; = Stopped")

/* A process that listens, and begins to run its loop when a byte comes. */
static void distributed_peer_is_busy(void)
{
    enum { POSTS = 3000 };
    int ends[2];

    use_own_folder();
    check(pipe(ends) == 0);
    int begin = ends[0];
    pid_t process = start_process(^(void (^ready)(void)) {
        __block int calls = 0;
        listen_far(distributed_center(), "A", NULL, 1,
                   ^(RLStringRef name, const void *object, RLDictionaryRef got) { calls++; });
        listen_far(distributed_center(), "end", NULL, 1,
                   ^(RLStringRef name, const void *object, RLDictionaryRef got) {
                       _exit(calls > 100 && calls < POSTS ? 0 : 1);
                   });
        ready();
        await_byte(begin);
        RLRunLoopRun();
    });
    for (int i = 0; i < POSTS; i++) post_far("A", NULL, NULL);
    note("posted");
    send_byte(ends[1]);
    int status = -1;
    /* Notifications that do not fit are lost, the last one too. */
    while (waitpid(process, &status, WNOHANG) == 0) post_far("end", NULL, NULL);
    note("%d", status);
    close(ends[0]);
    close(ends[1]);
}
SCENARIO(distributed_peer_is_busy,
         .title = "A process that does not run its loop loses what it has no room for, and holds "
                  "the poster up once",
         .clauses = "NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "posted; 0")

/* Sockets with the names of processes, for which nobody accepts, and which have no room to wait. */
static void fill_folder_with_deaf_peers(int count)
{
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof(name), "corerunloop.notifications.%d", 1 << 23 | i);
        struct sockaddr_un address = raw_address(name);
        int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        check(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
        check(listen(listener, 0) == 0);
        int first = raw_connect(name);
        at_end(^{
            close(first);
            close(listener);
        });
    }
}

static void distributed_peers_are_deaf(void)
{
    use_own_folder();
    listen_far(
        distributed_center(), NULL, NULL, 1,
        ^(RLStringRef name, const void *object, RLDictionaryRef got) { note_far(name, object); });
    fill_folder_with_deaf_peers(100);
    post_far("A", "x", NULL);
    run_to_end();
}
SCENARIO(distributed_peers_are_deaf,
         .title = "Processes that accept no connection do not delay a post, however many they are",
         .clauses = "NTFC-9",
         .rl_only = true,
         .main_thread = true,
         .expected = "A x; = Stopped")

STOPS(distributed_unsendable,
      RLNotificationCenterPostNotification(distributed_center(), RLSTR("A"), NULL, unsendable(),
                                           false),
      .title = "User info that is no property list stops the process", .clauses = "NTFC-12",
      .rl_only = true)
STOPS(distributed_odd_object,
      RLNotificationCenterPostNotification(distributed_center(), RLSTR("A"), kRLBooleanTrue, NULL,
                                           false),
      .title = "An object that is no string stops the process", .clauses = "NTFC-12",
      .rl_only = true)
STOPS(darwin_without_name,
      RLNotificationCenterAddObserver(RLNotificationCenterGetDarwinNotifyCenter(), NULL,
                                      stop_at_end, NULL, NULL, 4),
      .title = "An observer of Darwin's center without a name stops the process",
      .clauses = "NTFC-12", .rl_only = true)
