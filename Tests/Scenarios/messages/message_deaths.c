/*
 * Message ports of processes that are killed, and what becomes of their names. Ours only.
 */

#include "message_words.h"
#include "scenario.h"

/* A server that writes down each number before it answers. */
static pid_t start_recorder(const char *path)
{
    return start_server("recorder", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (write(file, &id, sizeof(id)) != sizeof(id)) _exit(1);
        close(file);
        return echo(data);
    });
}

static bool is_recorded(const char *path, int id)
{
    int found, file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_there = false;

    while (file >= 0 && read(file, &found, sizeof(found)) == sizeof(found)) {
        if (found == id) is_there = true;
    }
    if (file >= 0) close(file);
    return is_there;
}

static void killed_at_random(void)
{
    enum { rounds = 30 };
    const char *path = path_in(use_own_folder(), "record");
    /* Of the moments of death; where these fall in the work of the servers differs anyway. */
    unsigned seed = 1;
    int number = 0, answered = 0;

    for (int round = 0; round < rounds; round++) {
        /* The name of the one before, who is dead, is free. */
        pid_t server = start_recorder(path);
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named("recorder"));
        RLDataRef data = pattern(round % 3 == 0 ? 300000 : 100);
        RLRunLoopTimerRef killer =
            TIMER("killer", .after = rand_r(&seed) % 3000 * 1e-6, .quiet = true,
                  .fire = ^(RLRunLoopTimerRef timer) { kill(server, SIGKILL); });
        /* Every second server answers before its time begins, however slow the machine is. */
        bool is_timed = round % 2 == 0;
        if (is_timed) add_timer(killer, "REPLY");
        for (;;) {
            RLDataRef reply = NULL;
            int result = RLMessagePortSendRequest(remote, ++number, data, 600, 600,
                                                  string_named("REPLY"), &reply);
            if (result == kRLMessagePortSuccess) {
                answered++;
                check(reply && RLEqual(reply, data));
                check(is_recorded(path, number));
                if (reply) RLRelease(reply);
                if (!is_timed) add_timer(killer, "REPLY");
                is_timed = true;
                continue;
            }
            check(result == kRLMessagePortBecameInvalidError || result == kRLMessagePortIsInvalid);
            /* A message that was never sent never arrives. */
            if (result == kRLMessagePortIsInvalid) check(!is_recorded(path, number));
            break;
        }
        check(!RLMessagePortIsValid(remote));
        RLRelease(remote);
        RLRelease(data);
        check(waitpid(server, NULL, 0) == server);
    }
    check(answered >= rounds / 2);
}
SCENARIO(killed_at_random,
         .title = "Whenever a server is killed, what it has answered is done, and its name is free",
         .clauses = "MSGP-6 MSGP-9",
         .rl_only = true,
         .own_process = true)

static void heirs_of_a_name(void)
{
    enum { rounds = 10, heirs = 6 };
    use_own_folder();
    for (int round = 0; round < rounds; round++) {
        int gate[2], results[2];
        pid_t processes[heirs];
        char result;
        int winners = 0;

        pid_t owner = start_echo("inherited");
        check(pipe2(gate, O_CLOEXEC) == 0 && pipe2(results, O_CLOEXEC) == 0);
        int entry = gate[0], answer = results[1], unused = gate[1];
        for (int index = 0; index < heirs; index++) {
            processes[index] = fork();
            if (processes[index] != 0) continue;
            char byte;
            close(unused);
            if (read(entry, &byte, 1) != 0) _exit(1);
            RLMessagePortRef port =
                RLMessagePortCreateLocal(NULL, string_named("inherited"), no_reply, NULL, NULL);
            if (write(answer, port ? "w" : "l", 1) != 1) _exit(1);
            pause();
        }
        kill_and_wait(owner);
        close(gate[1]);
        for (int index = 0; index < heirs; index++) {
            check(read(results[0], &result, 1) == 1);
            winners += result == 'w';
        }
        check(winners == 1);
        check(RLMessagePortCreateLocal(NULL, string_named("inherited"), no_reply, NULL, NULL) ==
              NULL);
        for (int index = 0; index < heirs; index++) kill_and_wait(processes[index]);
        close(gate[0]);
        close(results[0]);
        close(results[1]);
    }
}
SCENARIO(heirs_of_a_name,
         .title = "Of several processes that want a dead one's name at once, one gets it",
         .clauses = "MSGP-2",
         .rl_only = true,
         .own_process = true)

/* Names of its own for each of several processes. */
static const char *number_name(int number)
{
    static char name[32];

    snprintf(name, sizeof name, "port-%d", number);
    return name;
}

static void files_of_killed_ports(void)
{
    enum { killed = 5 };
    const char *folder = use_own_folder();
    char path[PATH_MAX];
    struct stat lock;

    for (int index = 0; index < killed; index++) kill_and_wait(start_echo(number_name(index)));
    start_echo("living");
    /* Each has cleaned up after those before. */
    check(count_files(folder) == 2);
    pid_t starter = start_process(^(void (^ready)(void)) {
        RLMessagePortRef first =
            RLMessagePortCreateLocal(NULL, string_named("first"), no_reply, NULL, NULL);
        RLMessagePortCreateLocal(NULL, string_named("second"), no_reply, NULL, NULL);
        RLMessagePortInvalidate(first);
        ready();
        pause();
    });
    kill_and_wait(starter);
    /* A process that was killed before its socket had its name. */
    snprintf(path, sizeof path, "%s/corerunloop/lnsecond", folder);
    check(stat(path, &lock) == 0);
    snprintf(path, sizeof path, "%s/corerunloop/t%llx", folder, (unsigned long long)lock.st_ino);
    check(mknod(path, S_IFSOCK | 0600, 0) == 0);
    note("%d files", count_files(folder));
    check(make_local("fresh") != NULL);
    note("%d files", count_files(folder));
    check(remote_port("second") == NULL && remote_port("fresh") && remote_port("living"));
    check(ask(remote_port("living"), 1, NULL, NULL) == 0);
}
SCENARIO(files_of_killed_ports,
         .title = "The files of ports of killed processes are removed by the next process that makes a port",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "5 files; 4 files")

static void sweepers_and_starters(void)
{
    enum { rounds = 20, starters = 8 };
    use_own_folder();
    for (int round = 0; round < rounds; round++) {
        int gate[2], results[2], winners = 0;
        pid_t owner = start_process(^(void (^ready)(void)) {
            for (int index = 0; index < starters; index++) {
                RLMessagePortCreateLocal(NULL, string_named(number_name(index)), no_reply, NULL,
                                         NULL);
            }
            ready();
            pause();
        });
        pid_t processes[starters];

        check(pipe2(gate, O_CLOEXEC) == 0 && pipe2(results, O_CLOEXEC) == 0);
        int entry = gate[0], answer = results[1], unused = gate[1];
        for (int index = 0; index < starters; index++) {
            processes[index] = start_process(^(void (^ready)(void)) {
                char byte;
                close(unused);
                ready();
                if (read(entry, &byte, 1) != 0) _exit(1);
                RLMessagePortRef port = RLMessagePortCreateLocal(
                    NULL, string_named(number_name(index)), no_reply, NULL, NULL);
                RLMessagePortRef remote =
                    RLMessagePortCreateRemote(NULL, string_named(number_name(index)));
                if (write(answer, port && remote ? "w" : "l", 1) != 1) _exit(1);
                pause();
            });
        }
        kill_and_wait(owner);
        close(gate[1]);
        for (int index = 0; index < starters; index++) {
            char result;
            check(read(results[0], &result, 1) == 1);
            winners += result == 'w';
        }
        check(winners == starters);
        for (int index = 0; index < starters; index++) kill_and_wait(processes[index]);
        close(gate[0]);
        close(results[0]);
        close(results[1]);
    }
}
SCENARIO(sweepers_and_starters,
         .title = "Processes that remove the files of the dead do not disturb those that take their names",
         .clauses = "MSGP-2",
         .rl_only = true,
         .own_process = true)
