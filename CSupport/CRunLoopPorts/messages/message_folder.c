#include "base/system.h"

#include "messages/message_folder.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fails unless the directory belongs to the user and has none of the mode bits `forbidden`. */
static int open_folder_in(int parent, const char *path, mode_t forbidden)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (forbidden == 077 ? O_NOFOLLOW : 0);
    int folder = rl_kernel_keep(RL_UNCANCELED(openat(parent, path, flags)));
    if (folder < 0) return -errno;
    struct stat info;
    if (fstat(folder, &info) == 0 && info.st_uid == geteuid() && !(info.st_mode & forbidden)) {
        return folder;
    }
    RL_UNCANCELED(close(folder));
    return -EACCES;
}

static int open_private_folder(int parent, const char *path)
{
    if (mkdirat(parent, path, 0700) != 0 && errno != EEXIST) return -errno;
    return open_folder_in(parent, path, 077);
}

static int open_runtime_folder(void)
{
    const char *path = secure_getenv("XDG_RUNTIME_DIR");
    return path && path[0] == '/' ? open_folder_in(AT_FDCWD, path, 022) : -ENOENT;
}

static void name_own_folder(char path[64])
{
    snprintf(path, 64, "/tmp/corerunloop-%u", (unsigned)geteuid());
}

int rl_message_folder_open(void)
{
    int parent = open_runtime_folder();
    if (parent >= 0) {
        int folder = open_private_folder(parent, "corerunloop");
        RL_UNCANCELED(close(parent));
        return folder;
    }
    char path[64];
    name_own_folder(path);
    return open_private_folder(AT_FDCWD, path);
}

static void name_folder(char path[PATH_MAX])
{
    int parent = open_runtime_folder();
    name_own_folder(path);
    if (parent >= 0) snprintf(path, PATH_MAX, "%s/corerunloop", secure_getenv("XDG_RUNTIME_DIR"));
    if (parent >= 0) RL_UNCANCELED(close(parent));
}

static void explain_folder(const char *function, int failure)
{
    char path[PATH_MAX];
    name_folder(path);
    bool is_foreign = failure == -EACCES || failure == -ELOOP || failure == -ENOTDIR;
    if (is_foreign) {
        rl_warn(function,
                "%s must be a directory that this user owns, with mode 0700: fix or remove it; "
                "until then message ports cannot have names",
                path);
    } else {
        rl_warn(function,
                "cannot open the directory %s: %s: remove this cause; until then message ports "
                "cannot have names",
                path, strerror(-failure));
    }
}

void rl_message_folder_explain_loss(const char *file, int failure)
{
    char path[PATH_MAX];
    name_folder(path);
    if (failure == -EADDRINUSE) {
        rl_warn(
            "RLMessagePort",
            "%s/%s was deleted, and another process took the port's name: create the port again "
            "under another name, and exclude the directory from cleaners of temporary files",
            path, file);
    } else {
        rl_warn("RLMessagePort",
                "cannot check or recreate %s/%s, the file of a port's name: %s; will retry every "
                "minute: restore the directory, and exclude it from cleaners of temporary files",
                path, file, strerror(-failure));
    }
}

/* Returns whether the file system is the cause: no files can be made in the folder. */
static bool is_of_files(int failure)
{
    switch (-failure) {
    /* Other causes: the name is taken, the process has reached a limit, or /proc is not mounted. */
    case EADDRINUSE:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOENT: return false;
    default: return failure < 0;
    }
}

void rl_message_folder_explain_failure(int failure)
{
    static atomic_bool has_warned;
    if (!is_of_files(failure) || atomic_exchange(&has_warned, true)) return;
    char path[PATH_MAX];
    name_folder(path);
    rl_warn("RLMessagePort",
            "cannot create files in %s: %s: make the directory writable and check the free space, "
            "because message ports cannot get new names without a file",
            path, strerror(-failure));
}

void rl_message_folder_explain(const char *function)
{
    static atomic_bool has_warned_of_folder, has_warned_of_proc;
    int folder = rl_message_folder_open();
    if (folder < 0) {
        if (!atomic_exchange(&has_warned_of_folder, true)) explain_folder(function, folder);
        return;
    }
    RL_UNCANCELED(close(folder));
    bool has_proc = access("/proc/thread-self/fd", X_OK) == 0;
    if (has_proc || atomic_exchange(&has_warned_of_proc, true)) return;
    rl_warn(function, "/proc/thread-self/fd is not accessible: mount /proc; until then message "
                      "ports cannot have names");
}
