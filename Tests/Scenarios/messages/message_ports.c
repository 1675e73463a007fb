/*
 * Message ports as objects: names, ends, forks. Ours only: the reference has none on Linux.
 */

#include "message_words.h"
#include "scenario.h"

static void message_names(void)
{
    const char *folder = use_own_folder();
    char long_name[140];
    const char *const odd[] = {
        "..", ".",      "/", "../../../../tmp/escaped", "a/b", "n", "%2F", " ", "\n", "ä€𝄞",
        "-",  "x.lock", "x",
    };
    const int count = sizeof(odd) / sizeof(odd[0]);
    RLMessagePortRef ports[sizeof(odd) / sizeof(odd[0])];

    for (int index = 0; index < count; index++) {
        ports[index] = make_local(odd[index]);
        check(ports[index] != NULL);
        check(remote_port(odd[index]) != NULL);
    }
    /* A socket and a lock for each, all of them in the directory. */
    check(count_files(folder) == 2 * count);
    for (int index = 0; index < count; index++) RLMessagePortInvalidate(ports[index]);
    check(count_files(folder) == 0);

    memset(long_name, '/', sizeof(long_name));
    long_name[129] = '\0';
    check(make_local(long_name) == NULL && remote_port(long_name) == NULL);
    long_name[128] = '\0';
    check(make_local(long_name) != NULL && remote_port(long_name) != NULL);
    long_name[127] = 'a';
    check(remote_port(long_name) == NULL);
    check(make_local("") == NULL && remote_port("") == NULL);
}
SCENARIO(message_names,
         .title = "Names have 1 to 128 bytes of any kind, and none leads out of the directory",
         .clauses = "MSGP-3",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "the name has 129 bytes; the name has 0 bytes")

static void message_name_taken(void)
{
    use_own_folder();
    pid_t server = start_server(
        "taken", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return NULL; });
    Boolean should_free = false;

    check(RLMessagePortCreateLocal(NULL, string_named("taken"), no_reply, NULL, &should_free) ==
          NULL);
    check(should_free);
    RLMessagePortRef port = make_local("own");
    check(RLMessagePortCreateLocal(NULL, string_named("own"), no_reply, NULL, &should_free) ==
          port);
    check(should_free);
    RLRelease(port);
    note_answer("takes a taken name", RLMessagePortSetName(port, string_named("taken")));
    check(RLEqual(RLMessagePortGetName(port), string_named("own")));

    RLMessagePortRef remote = remote_port("taken");
    kill_and_wait(server);
    note_answer("takes the name of a dead process",
                RLMessagePortSetName(port, string_named("taken")));
    check(RLEqual(RLMessagePortGetName(port), string_named("taken")));
    note_answer("the remote port is valid", RLMessagePortIsValid(remote));
    check(remote_port("own") == NULL);
    RLMessagePortRef again = remote_port("taken");
    check(again && again != remote && RLMessagePortIsValid(again));
    check(!RLMessagePortSetName(again, string_named("remote")));
    check(make_local("own") != port);
}
SCENARIO(message_name_taken,
         .title = "A name belongs to one port until its process is dead, and ports change names",
         .clauses = "MSGP-2 MSGP-4 MSGP-9 MSGP-10",
         .rl_only = true,
         .own_process = true,
         .expected = "takes a taken name: no; takes the name of a dead process: yes; "
                     "the remote port is valid: no")

static void message_unnamed(void)
{
    use_own_folder();
    __block int got = 0;
    message_body body = ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
        got = id;
        return NULL;
    };
    RLMessagePortContext context = {.info = (void *)body};
    RLMessagePortRef port = RLMessagePortCreateLocal(NULL, NULL, message_perform, &context, NULL);
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, port, 0);

    check(RLMessagePortGetName(port) == NULL);
    add_source(source, "DEF");
    check(RLMessagePortSetName(port, string_named("late")));
    check(RLMessagePortSetName(port, string_named("late")));
    RLMessagePortRef remote = remote_port("late");
    check(RLMessagePortSetName(port, string_named("later")));
    /* Connected clients stay connected. */
    check(RLMessagePortSendRequest(remote, 5, NULL, 600, 600, kRLRunLoopDefaultMode, NULL) == 0);
    check(got == 5);
    check(remote_port("late") == remote && remote_port("later") != NULL);
    RLMessagePortInvalidate(port);
    check(!RLMessagePortSetName(port, string_named("dead")));
    RLRelease(source);
    RLRelease(port);
}
SCENARIO(message_unnamed,
         .title = "A port without a name gets one later, and another one",
         .clauses = "MSGP-2 MSGP-10",
         .rl_only = true,
         .own_process = true)

static int references;

static const void *retain_counted(const void *info)
{
    references++;
    return info;
}

static void release_client(const void *info)
{
    note("%s released", (const char *)info);
    references--;
}

static void message_invalidation(void)
{
    use_own_folder();
    RLMessagePortContext context = {
        .info = (void *)"info", .retain = retain_counted, .release = release_client};
    Boolean should_free = true;
    RLMessagePortRef port =
        RLMessagePortCreateLocal(NULL, string_named("order"), no_reply, &context, &should_free);
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, port, 3);
    RLMessagePortRef remote = remote_port("order");
    RLMessagePortContext copy;

    check(!should_free && references == 1 && RLRunLoopSourceGetOrder(source) == 3);
    check(RLMessagePortCreateRunLoopSource(NULL, port, 4) == source);
    RLRelease(source);
    check(RLMessagePortCreateRunLoopSource(NULL, remote, 0) == NULL);
    RLMessagePortGetContext(port, &copy);
    check(copy.info == context.info && copy.release == release_client);
    RLMessagePortSetInvalidationCallBack(port, port_invalidated);
    check(RLMessagePortGetInvalidationCallBack(port) == port_invalidated);
    RLMessagePortInvalidate(port);
    check(references == 0 && !RLRunLoopSourceIsValid(source));
    RLMessagePortInvalidate(port);
    RLMessagePortSetInvalidationCallBack(port, port_invalidated);
    RLMessagePortGetContext(port, &copy);
    check(copy.info == NULL);
    check(RLMessagePortCreateRunLoopSource(NULL, port, 0) == NULL);
    note("%s", name_of_send(RLMessagePortSendRequest(remote, 1, NULL, 1, 1, NULL, NULL)));
    RLMessagePortSetInvalidationCallBack(remote, port_invalidated);
    RLRelease(source);
    RLRelease(port);
}
SCENARIO(message_invalidation,
         .title = "Invalidation frees the name, notifies, releases the info and ends the source",
         .clauses = "MSGP-7 MSGP-8 MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "is a remote port, which cannot receive",
         .expected = "notified, info; info released; notified, no info; IsInvalid; notified, no info")

static void message_killed_server(void)
{
    use_own_folder();
    pid_t server =
        start_server("server", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
            if (id == 2) kill(getpid(), SIGKILL);
            return NULL;
        });
    RLMessagePortRef remote = remote_port("server");
    RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);

    RLMessagePortSetInvalidationCallBack(remote, port_invalidated);
    add_source(source, "DEF");
    RLRelease(source);
    check(ask(remote, 1, NULL, NULL) == 0);
    kill(server, SIGKILL);
    run("DEF", 10, true);
    note("%s", name_of_send(ask(remote, 1, NULL, NULL)));
    run("DEF", 0, false);
}
SCENARIO(message_killed_server,
         .title = "A loop is notified when the other side of a remote port is killed",
         .clauses = "MSGP-9",
         .rl_only = true,
         .own_process = true,
         .expected = "notified, no info; = HandledSource; IsInvalid; = Finished")

static void message_fork(void)
{
    const char *folder = use_own_folder();
    int status = 0;
    __block bool got = false;
    RLMessagePortRef local =
        serve("parent", ^RLDataRef(RLMessagePortRef called, int id, RLDataRef data) {
            note("got %d", id);
            got = true;
            return NULL;
        });
    RLMessagePortRef remote = remote_port("parent");
    pid_t child = fork();

    if (child == 0) {
        if (RLMessagePortIsValid(local) || RLMessagePortIsValid(remote)) _exit(1);
        int sent = RLMessagePortSendRequest(remote, 9, NULL, 1, 1, NULL, NULL);
        if (sent != kRLMessagePortIsInvalid) _exit(2);
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, true);
        RLMessagePortInvalidate(local);
        /* The parent has the name, and may be asked. */
        RLMessagePortRef fresh = RLMessagePortCreateRemote(NULL, string_named("parent"));
        if (!fresh) _exit(3);
        if (ask(fresh, 4, NULL, NULL) != kRLMessagePortSuccess) _exit(4);
        if (RLMessagePortCreateLocal(NULL, string_named("parent"), no_reply, NULL, NULL)) _exit(5);
        _exit(0);
    }
    while (!got) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    while (waitpid(child, &status, 0) < 0) continue;
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    check(RLMessagePortIsValid(local) && RLMessagePortIsValid(remote));
    check(RLMessagePortSendRequest(remote, 5, NULL, 600, 600, kRLRunLoopDefaultMode, NULL) == 0);
    check(count_files(folder) == 2);
}
SCENARIO(message_fork,
         .title = "A forked child leaves its parent's ports alone",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "got 4; child: 0; got 5")

/* Of the handler below, which runs in the one fork of its process. */
static struct gate *fork_begins, *loops_are_used;

static void wait_for_use_of_loops(void)
{
    open_gate(fork_begins);
    pass_gate(loops_are_used);
}

/*
 * Handlers that prepare a fork run in the reverse order of their registration. Ports come before
 * loops in the order of locks, so no loop may be locked yet when it is the turn of what was
 * registered after the first port, whatever has been made since.
 */
static void message_port_before_loop(void)
{
    int status = 0;

    use_own_folder();
    fork_begins = make_gate();
    loops_are_used = make_gate();
    RLMessagePortRef port = make_local("early");
    check(pthread_atfork(wait_for_use_of_loops, NULL, NULL) == 0);
    this_loop();
    struct helper_thread *user = start_thread(^{
        pass_gate(fork_begins);
        run("DEF", 0, false);
        open_gate(loops_are_used);
    });
    pid_t child = fork();
    if (child == 0) _exit(RLMessagePortIsValid(port) ? 1 : 0);
    join_thread(user);
    check(waitpid(child, &status, 0) == child && status == 0);
}
SCENARIO(message_port_before_loop,
         .title = "A fork locks no loop before the ports, even if the first port is older than any loop",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "= Finished")

static void message_ports_leave_nothing(void)
{
    const char *folder = use_own_folder();

    add_source(PORT("p", make_counter(), .quiet = true), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    int before = count_descriptors(), inheritable = count_inheritable();
    for (int round = 0; round < 50; round++) {
        RLMessagePortRef local =
            RLMessagePortCreateLocal(NULL, string_named("round"), no_reply, NULL, NULL);
        RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named("round"));
        add_source(source, "DEF");
        check(RLMessagePortSendRequest(remote, 1, NULL, 600, 600, kRLRunLoopDefaultMode, NULL) ==
              0);
        check(count_inheritable() == inheritable);
        if (round % 3 == 0) RLMessagePortInvalidate(remote);
        RLMessagePortInvalidate(local);
        RLRelease(remote);
        RLRelease(source);
        RLRelease(local);
        /* One that has made no source needs no invalidation. */
        RLRelease(RLMessagePortCreateLocal(NULL, string_named("round"), no_reply, NULL, NULL));
    }
    check(count_descriptors() == before);
    check(count_files(folder) == 0);
}
SCENARIO(message_ports_leave_nothing,
         .title = "Ports leave neither descriptors nor files, and pass none on",
         .clauses = "MSGP-8",
         .rl_only = true,
         .own_process = true)

/* For scenarios that die, and so do not clean up. */
static void remove_own_folder(const char *folder)
{
    char command[PATH_MAX];

    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    check(system(command) == 0);
}

static void message_through_local(void)
{
    const char *folder = use_own_folder();
    RLMessagePortRef local = make_local("local");

    remove_own_folder(folder);
    RLMessagePortSendRequest(local, 1, NULL, 1, 1, NULL, NULL);
}
SCENARIO(message_through_local,
         .title = "Sending through a local port stops the process",
         .clauses = "MSGP-6",
         .rl_only = true,
         .dies = true,
         .expected = "dies")

static void message_in_common_modes(void)
{
    const char *folder = use_own_folder();

    make_local("local");
    RLMessagePortRef remote = remote_port("local");
    remove_own_folder(folder);
    RLMessagePortSendRequest(remote, 1, NULL, 1, 1, kRLRunLoopCommonModes, NULL);
}
SCENARIO(message_in_common_modes,
         .title = "Waiting in the common modes stops the process",
         .clauses = "MSGP-6",
         .rl_only = true,
         .dies = true,
         .expected = "dies")
