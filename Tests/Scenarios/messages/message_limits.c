/* The limits of message ports, and the messages of killed processes. Ours only. */

#include "raw_messages.h"
#include "scenario.h"

/* A server whose replies have 64 MiB, all of them the same bytes, so that the test needs little. */
static void start_giver(const char *name)
{
    RLDataRef data = pattern(1 << 26);

    start_server(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef request) {
        return id == 1 ? echo(request) : RLRetain(data);
    });
    RLRelease(data);
}

static int count_hung_up(const int *raws, int count)
{
    int hung_up = 0;

    for (int index = 0; index < count; index++) hung_up += has_hung_up(raws[index]);
    return hung_up;
}

static void replies_that_nobody_reads(void)
{
    enum { peers = 3, each = 3, count = peers * each };
    use_own_folder();
    start_giver("giver");
    RLMessagePortRef good = remote_port("giver");
    int raws[count];

    /* Of one process, a port takes four connections; ours is one of them. */
    for (int index = 0; index < each; index++) {
        raws[index] = raw_connect("giver");
        check(raw_ask(raws[index], 2) == raw_header);
    }
    for (int index = 0; index < 2; index++) {
        start_process(^(void (^ready)(void)) {
            for (int number = 0; number < each; number++) {
                if (raw_ask(raw_connect("giver"), 2) != raw_header) _exit(1);
            }
            ready();
            pause();
        });
    }
    /* 576 MiB are more than the 512 that may be held for a moment: the oldest is dropped. */
    while (count_hung_up(raws, each) == 0) check(ask(good, 1, bytes("x"), NULL) == 0);
    /* 512 MiB are more than the 256 that are held for peers that have not read for a second. */
    while (count_hung_up(raws, each) < each) check(ask(good, 1, bytes("x"), NULL) == 0);
    for (int index = 0; index < each; index++) close(raws[index]);
    note_answer("there is room again", ask(good, 2, NULL, NULL) == 0);
}
SCENARIO(replies_that_nobody_reads,
         .title = "A client that does not read its replies is disconnected before they take too much memory",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "there is room again: yes")

/* --- What has been acknowledged -------------------------------------------------------------- */

/* A line of a log: a client's process, and one of its messages. */
struct ledger_entry {
    pid_t client;
    int number;
};

static void append_entry(int file, struct ledger_entry entry)
{
    if (write(file, &entry, sizeof entry) != sizeof entry) _exit(1);
}

static int open_log(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Writes each message down before it answers. */
static pid_t start_ledger(const char *path)
{
    return start_server("ledger", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        static int file = -1;
        struct ledger_entry entry = {.number = id};
        if (file < 0) file = open_log(path);
        memcpy(&entry.client, RLDataGetBytePtr(data), sizeof entry.client);
        append_entry(file, entry);
        return echo(data);
    });
}

/* Sends messages to the owner of the name, and records the acknowledged ones. */
static pid_t start_customer(const char *path, long length)
{
    return start_process(^(void (^ready)(void)) {
        pid_t self = getpid();
        int file = open_log(path), number = 0;
        UInt8 *memory = calloc(1, (size_t)length);
        memcpy(memory, &self, sizeof self);
        RLDataRef data = RLDataCreate(NULL, memory, length);
        ready();
        for (;;) {
            RLMessagePortRef port = RLMessagePortCreateRemote(NULL, string_named("ledger"));
            RLDataRef reply = NULL;
            int result = 0;
            while (port && result == 0) {
                result = RLMessagePortSendRequest(port, ++number, data, 600, 600,
                                                  string_named("REPLY"), &reply);
                if (result == 0) append_entry(file, (struct ledger_entry){self, number});
                if (reply) RLRelease(reply);
                reply = NULL;
            }
            if (port) RLRelease(port);
            sched_yield();
        }
    });
}

static struct ledger_entry *read_log(const char *path, long *ret_count)
{
    struct stat info = {.st_size = 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);

    check(file >= 0 && fstat(file, &info) == 0);
    struct ledger_entry *entries = malloc((size_t)info.st_size + 1);
    check(read(file, entries, (size_t)info.st_size) == info.st_size);
    close(file);
    *ret_count = info.st_size / (long)sizeof entries[0];
    return entries;
}

static int compare_entries(const void *first, const void *second)
{
    return memcmp(first, second, sizeof(struct ledger_entry));
}

/* Every acknowledged message is in the ledger, and none is there twice. */
static void check_ledger(const char *ledger, const char *acknowledged, unsigned seed)
{
    long count, acknowledged_count, lost = 0, doubled = 0;
    struct ledger_entry *entries = read_log(ledger, &count);
    struct ledger_entry *promises = read_log(acknowledged, &acknowledged_count);

    qsort(entries, (size_t)count, sizeof entries[0], compare_entries);
    for (long index = 1; index < count; index++) {
        doubled += compare_entries(&entries[index - 1], &entries[index]) == 0;
    }
    for (long index = 0; index < acknowledged_count; index++) {
        lost +=
            !bsearch(&promises[index], entries, (size_t)count, sizeof entries[0], compare_entries);
    }
    check(acknowledged_count > 0);
    if (lost || doubled) {
        note("seed %u: of %ld lost %ld, of %ld doubled %ld", seed, acknowledged_count, lost, count,
             doubled);
    }
    free(entries);
    free(promises);
}

static void acknowledged_is_kept(void)
{
    enum { customers = 2, rounds = 40 };
    static const long lengths[customers] = {40, 50000};
    const char *folder = use_own_folder();
    const char *ledger = path_in(folder, "ledger"), *log = path_in(folder, "acknowledged");
    const char *wanted = getenv("RL_RANDOM_SEED");
    unsigned seed = wanted ? (unsigned)atoi(wanted) : (unsigned)getpid(), state = seed;
    pid_t server = start_ledger(ledger), clients[customers];

    for (int index = 0; index < customers; index++) {
        clients[index] = start_customer(log, lengths[index]);
    }
    /* The check needs an acknowledged request, however slow the machine is. */
    struct stat info = {.st_size = 0};
    while (stat(log, &info) != 0 || info.st_size == 0) sched_yield();
    for (int round = 0; round < rounds; round++) {
        /* Kills a process at a random moment. */
        stay_busy(rand_r(&state) % 4000 * 1e-6);
        int victim = rand_r(&state) % (customers + 1);
        if (victim < customers) {
            kill_and_wait(clients[victim]);
            clients[victim] = start_customer(log, lengths[victim]);
        } else {
            kill_and_wait(server);
            server = start_ledger(ledger);
        }
    }
    for (int index = 0; index < customers; index++) kill_and_wait(clients[index]);
    kill_and_wait(server);
    check_ledger(ledger, log, seed);
}
SCENARIO(acknowledged_is_kept,
         .title = "Whichever process is killed, and whenever: an acknowledged request was executed exactly once",
         .clauses = "MSGP-6 MSGP-9",
         .rl_only = true,
         .own_process = true)
