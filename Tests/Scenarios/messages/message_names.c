/*
 * Files of names that other programs delete: cleaners of directories, and users. Ours only.
 */

#include "raw_messages.h"
#include "scenario.h"
#include "system_calls.h"

#include <CRunLoop/RLNotificationCenter.h>
#include <dirent.h>
#include <sys/file.h>

/* --- Cleaners --------------------------------------------------------------------------------- */

static void hear(RLNotificationCenterRef center, void *observer, RLStringRef name,
                 const void *object, RLDictionaryRef info)
{
}

/* Deletes all that a cleaner may, which spares files with the sticky bit (basedir-spec). */
static void clean(const char *folder)
{
    char command[PATH_MAX * 3];
    snprintf(command, sizeof(command), "find '%s' -not -type d -not -perm -1000 -delete", folder);
    check(system(command) == 0);
    if (system("command -v systemd-tmpfiles >/dev/null") != 0) return;
    snprintf(
        command, sizeof(command),
        "echo 'd %1$s - - - 0' >'%1$s/rules' && "
        "systemd-tmpfiles --clean --prefix='%1$s' '%1$s/rules' 2>/dev/null; rm -f '%1$s/rules'",
        folder);
    check(system(command) == 0);
}

static void names_outlive_cleaners(void)
{
    const char *folder = use_own_folder();
    start_process(^(void (^ready)(void)) {
        RLNotificationCenterRef center = RLNotificationCenterGetDistributedCenter();
        RLNotificationCenterAddObserver(center, &center, hear, string_named("note"), NULL,
                                        RLNotificationSuspensionBehaviorDeliverImmediately);
        if (!serve("named", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
                return echo(data);
            })) {
            _exit(1);
        }
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
    /* Two files of the port, and two of the process's notifications. */
    check(count_files(folder) == 4);
    clean(folder);
    note("%d files", count_files(folder));
    note_answer("found", ask(remote_port("named"), 1, bytes("a"), NULL) == 0);
    note_answer("second owner", make_local("named") != NULL);
}
SCENARIO(names_outlive_cleaners,
         .title = "Cleaners of old files spare the names of living ports, and of notifications",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "4 files; found: yes; second owner: no")

static void names_in_common_folder(void)
{
    char path[128], name[32];
    unsetenv("XDG_RUNTIME_DIR");
    snprintf(name, sizeof name, "names.%d", getpid());
    check(make_local(name) != NULL);
    for (int index = 0; index < 2; index++) {
        struct stat info = {.st_mode = 0};
        snprintf(path, sizeof path, "/tmp/corerunloop-%u/%sn%s", (unsigned)geteuid(),
                 index == 0 ? "" : "l", name);
        check(lstat(path, &info) == 0 && info.st_mode & S_ISVTX);
    }
}
SCENARIO(names_in_common_folder,
         .title = "Files of names among the temporary files have the sticky bit, too",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* --- Deleted names ---------------------------------------------------------------------------- */

static volatile int checks;
static volatile int failure;

/* Makes a check of the name, which is due in a minute, run at once. */
static void hurry_checks(void)
{
    answer_call(SYS_timerfd_settime, ^long(const long *arguments) {
        struct itimerspec *when = (struct itimerspec *)(uintptr_t)arguments[2];
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (when->it_value.tv_sec > now.tv_sec + 30) {
            checks++;
            when->it_value = now;
        }
        return let_through;
    });
}

/* Deletes or replaces files in a way. Returns false if there are no more ways. */
static bool spoil(const char *folder, int way)
{
    static const char *const commands[] = {
        "rm %1$s/nx %1$s/lnx",
        "rm %1$s/nx",
        "rm %1$s/lnx",
        "rm -r %1$s",
        "rm -r %1$s && mkdir -m 700 %1$s && touch %1$s/nx %1$s/lnx",
        "mv %1$s %1$s.old && mkdir -m 700 %1$s",
    };
    char path[PATH_MAX], command[PATH_MAX * 4];
    if (way >= (int)COUNT(commands)) return false;
    snprintf(path, sizeof path, "%s/corerunloop", folder);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(command, sizeof command, commands[way], path);
#pragma GCC diagnostic pop
    check(system(command) == 0);
    return true;
}

static void deleted_names(void)
{
    for (int way = 0;; way++) {
        const char *folder = use_own_folder();
        pid_t server = start_process(^(void (^ready)(void)) {
            hurry_checks();
            if (!serve("x", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
                    return echo(data);
                })) {
                _exit(1);
            }
            ready();
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
        });
        RLMessagePortRef before = remote_port("x");
        /* It checks its name all the time: not meanwhile. */
        check(kill(server, SIGSTOP) == 0 && waitpid(server, NULL, WUNTRACED) == server);
        bool is_spoilt = spoil(folder, way);
        check(kill(server, SIGCONT) == 0);
        if (!is_spoilt) break;
        RLMessagePortRef after = NULL;
        char sticky[PATH_MAX];
        struct stat info = {.st_mode = 0};
        snprintf(sticky, sizeof sticky, "%s/corerunloop/lnx", folder);
        /* A client of before keeps its connection. */
        check(ask(before, 1, bytes("a"), NULL) == 0);
        RLMessagePortInvalidate(before);
        while (!(after = remote_port("x"))) sched_yield();
        if (ask(after, 2, bytes("a"), NULL) != 0) note("way %d: no answer", way);
        if (make_local("x")) note("way %d: a second owner", way);
        check(stat(sticky, &info) == 0 && info.st_mode & S_ISVTX);
        RLMessagePortInvalidate(after);
        kill_and_wait(server);
    }
}
SCENARIO(deleted_names,
         .title = "A port whose files are deleted or replaced takes its name again",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void run_checks(int count)
{
    for (int end = checks + count; checks < end;) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    }
}

/* Returns whether a text is one line that has the pieces. */
static bool is_line(const char *text, const char *first, const char *second)
{
    const char *end = strchr(text, '\n');
    return strstr(text, first) && strstr(text, second) && end && end[1] == '\0';
}

static void deleted_name_taken(void)
{
    const char *folder = use_own_folder();
    const char *lock = path_in(folder, "corerunloop/lnx");
    const char *text = messages_of(^{
        hurry_checks();
        serve("x", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return NULL; });
        spoil(folder, 0);
        /* As another process does that takes the name. */
        int other = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (flock(other, LOCK_EX) != 0) fprintf(stderr, "not locked\n");
        run_checks(3);
        if (remote_port("x")) fprintf(stderr, "found\n");
        close(other);
        run_checks(2);
        if (!remote_port("x")) fprintf(stderr, "not found\n");
    });
    bool is_notified =
        is_line(text, lock + strlen(folder) + 14, "another process took the port's name");
    if (!is_notified) note("printed: %s", text);
}
SCENARIO(deleted_name_taken,
         .title = "A port whose name another process has taken reports it once, and takes the name back later",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static const int denials[] = {EACCES, EACCES, ENOTDIR, ENOTDIR, ENOSPC, EROFS};

/* Makes the directory of a living port unusable. */
static bool deny_folder(const char *path, unsigned way)
{
    char other[PATH_MAX];
    snprintf(other, sizeof other, "%s.old", path);
    switch (way) {
    case 0: return chmod(path, 0755) == 0;
    /* Only the superuser can show another user's. */
    case 1:
        return geteuid() == 0 ? chown(path, other_user(), other_user()) == 0
                              : chmod(path, 0711) == 0;
    case 2: return rename(path, other) == 0 && symlink(other, path) == 0;
    case 3: return rename(path, other) == 0 && close(creat(path, 0600)) == 0;
    default:
        failure = denials[way];
        fail_call(SYS_bind, &failure);
        return unlink(path_in(path, "nx")) == 0;
    }
}

static void denied_folder(void)
{
    for (unsigned way = 0; way < COUNT(denials); way++) {
        const char *path = path_in(use_own_folder(), "corerunloop");
        const char *text = messages_of(^{
            hurry_checks();
            serve("x", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) { return NULL; });
            if (!deny_folder(path, way)) fprintf(stderr, "not denied\n");
            run_checks(3);
        });
        const char *line = strstr(text, "CoreRunLoop: RLMessagePort: cannot check or recreate ");
        /* A line about the file system may come before. */
        bool is_notified = line && is_line(line, path, strerror(denials[way])) &&
                           (line == text || way > 3) && !strstr(text, "not denied");
        if (!is_notified) note("way %u printed: %s", way, text);
    }
}
SCENARIO(denied_folder,
         .title = "A port whose directory is no longer usable reports the reason once",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)
