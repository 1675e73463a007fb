/*
 * Names of message ports in the file system.
 *
 * Addresses of sockets have room for 107 bytes, directories and names may need more: they are
 * reached by descriptors, through /proc.
 */

#include "base/system.h"

#include "messages/message_endpoint.h"

#include "base/check.h"
#include "base/kernel.h"
#include "messages/message_channel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    /* The longest name that is escaped; longer ones are written in base 32. */
    LONGEST_ESCAPED = 200,
    /* How many processes may wait to be accepted. */
    BACKLOG = 128,
    /* How often a lock may turn out to be that of a file which its last owner has removed. */
    MOST_TRIES = 1000,
    /* For how many milliseconds somebody who sweeps is waited for. */
    SWEEPING_MS = 100
};

/* A directory that is ours; `forbidden` are the mode bits that must be clear. */
static int open_folder_in(int parent, const char *path, mode_t forbidden)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (forbidden == 077 ? O_NOFOLLOW : 0);
    int folder = openat(parent, path, flags);
    if (folder < 0) return -errno;
    struct stat info;
    if (fstat(folder, &info) == 0 && info.st_uid == geteuid() && !(info.st_mode & forbidden)) {
        return folder;
    }
    close(folder);
    return -EACCES;
}

static int open_private_folder(int parent, const char *path)
{
    if (mkdirat(parent, path, 0700) != 0 && errno != EEXIST) return -errno;
    return open_folder_in(parent, path, 077);
}

/* Opens the user's runtime directory, if that is there and safe. */
static int open_runtime_folder(void)
{
    const char *path = getenv("XDG_RUNTIME_DIR");
    return path && path[0] == '/' ? open_folder_in(AT_FDCWD, path, 022) : -ENOENT;
}

static void name_own_folder(char path[64])
{
    snprintf(path, 64, "/tmp/corerunloop-%u", (unsigned)geteuid());
}

/* Opens ours in the user's runtime directory, or else among the temporary files. */
static int open_folder(void)
{
    int parent = open_runtime_folder();
    if (parent >= 0) {
        int folder = open_private_folder(parent, "corerunloop");
        close(parent);
        return folder;
    }
    char path[64];
    name_own_folder(path);
    return open_private_folder(AT_FDCWD, path);
}

static void explain_folder(const char *function, int failure)
{
    char path[PATH_MAX];
    int parent = open_runtime_folder();
    name_own_folder(path);
    if (parent >= 0) snprintf(path, sizeof path, "%s/corerunloop", getenv("XDG_RUNTIME_DIR"));
    if (parent >= 0) close(parent);
    bool is_foreign = failure == -EACCES || failure == -ELOOP || failure == -ENOTDIR;
    if (is_foreign) {
        rl_warn(function,
                "%s is not a directory of this user alone (mode 0700): no message port can have a "
                "name",
                path);
    } else {
        rl_warn(function, "cannot open %s: %s: no message port can have a name", path,
                strerror(-failure));
    }
}

void rl_endpoint_explain(const char *function)
{
    static atomic_bool was_told_of_folder, was_told_of_proc;
    int folder = open_folder();
    if (folder < 0) {
        if (!atomic_exchange(&was_told_of_folder, true)) explain_folder(function, folder);
        return;
    }
    close(folder);
    if (access("/proc/self/fd", X_OK) == 0 || atomic_exchange(&was_told_of_proc, true)) return;
    rl_warn(function, "/proc is not mounted: no message port can have a name");
}

static bool is_plain(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '.' || byte == '-' || byte == '_';
}

static size_t escaped_length(const char *name)
{
    size_t length = 0;
    for (; *name; name++) length += is_plain((unsigned char)*name) ? 1 : 3;
    return length;
}

static void escape(const char *name, char *file)
{
    *file++ = 'n';
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        file += sprintf(file, is_plain(byte) ? "%c" : "%%%02X", byte);
    }
}

static void write_in_base_32(const char *name, char *file)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    unsigned bits = 0, count = 0;
    *file++ = 'b';
    for (; *name; name++) {
        bits = (bits << 8 | (unsigned char)*name) & 0xFFF;
        for (count += 8; count >= 5; count -= 5) *file++ = digits[bits >> (count - 5) & 31];
    }
    if (count > 0) *file++ = digits[bits << (5 - count) & 31];
    *file = '\0';
}

void rl_endpoint_encode(const char *name, char file[RL_ENDPOINT_FILE_SIZE])
{
    if (escaped_length(name) <= LONGEST_ESCAPED) {
        escape(name, file);
    } else {
        write_in_base_32(name, file);
    }
}

/* Files of ports begin with n or b, those of their locks with l, and sockets without a name with t. */
static void lock_name(const char *file, char *ret_name)
{
    snprintf(ret_name, RL_ENDPOINT_FILE_SIZE, "l%.*s", RL_ENDPOINT_FILE_SIZE - 2, file);
}

/*
 * 0 if a lock is that of the file which has the name now, -ESTALE if its last owner has removed that,
 * or another negative errno value.
 */
static int check_current(int lock, int folder, const char *name)
{
    struct stat mine, named;
    if (fstat(lock, &mine) != 0) return -errno;
    if (fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? -ESTALE : -errno;
    }
    return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino ? 0 : -ESTALE;
}

static int lock_now(int lock)
{
    int result;
    do {
        result = flock(lock, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result == 0) return 0;
    return errno == EWOULDBLOCK ? -EADDRINUSE : -errno;
}

/* Takes the lock of the file that has the name at this moment. */
static int try_lock(int folder, const char *name)
{
    int lock = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0) return -errno;
    int result = lock_now(lock);
    if (result == 0) result = check_current(lock, folder, name);
    if (result == 0) return lock;
    close(lock);
    return result;
}

static int try_lock_often(int folder, const char *name)
{
    int lock = -ESTALE;
    for (int i = 0; i < MOST_TRIES && lock == -ESTALE; i++) lock = try_lock(folder, name);
    return lock;
}

/*
 * Whoever sweeps has the directory's lock: alone, and only if nobody waits for the end of that. He has
 * the locks of dead ports in the meantime, one by one, so that their names seem to be taken.
 */
static int open_and_lock_folder(int folder, int operation)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0 || flock(own, operation | LOCK_NB) == 0) return own;
    close(own);
    return -1;
}

static int wait_for_sweeping(int folder)
{
    int own = open_and_lock_folder(folder, LOCK_SH);
    for (int i = 0; i < SWEEPING_MS && own < 0; i++) {
        rl_kernel_sleep(rl_kernel_monotonic_ns() + 1000000);
        own = open_and_lock_folder(folder, LOCK_SH);
    }
    return own;
}

static int take_lock(int folder, const char *file)
{
    char name[RL_ENDPOINT_FILE_SIZE];
    lock_name(file, name);
    int lock = try_lock_often(folder, name);
    if (lock != -EADDRINUSE) return lock;
    int own = wait_for_sweeping(folder);
    lock = try_lock_often(folder, name);
    if (own >= 0) close(own);
    return lock;
}

/* The name that a socket has before it is that of a port: its own, as the lock's file is. */
static void temporary_name(int lock, char name[32])
{
    struct stat info;
    unsigned long long number = fstat(lock, &info) == 0 ? info.st_ino : 0;
    snprintf(name, 32, "t%llx", number);
}

/* With the lock held. */
static void remove_files(int folder, const char *file)
{
    char name[RL_ENDPOINT_FILE_SIZE];
    lock_name(file, name);
    unlinkat(folder, file, 0);
    unlinkat(folder, name, 0);
}

/* Not if the runtime directory has been changed, or emptied by somebody. */
static bool is_owner(const struct rl_endpoint *endpoint, int folder)
{
    char name[RL_ENDPOINT_FILE_SIZE];
    lock_name(endpoint->file, name);
    return check_current(endpoint->lock, folder, name) == 0;
}

static struct sockaddr_un address_of(int fd, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d%s%s", fd,
             *name ? "/" : "", name);
    return address;
}

/* Binds to a name that nobody else uses, and only then to the port's: it is there when we listen. */
static int listen_as(int folder, const char *file, int lock)
{
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -errno;
    char name[32];
    temporary_name(lock, name);
    struct sockaddr_un address = address_of(folder, name);
    /* Of somebody who had the lock before, and was killed. */
    unlinkat(folder, name, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0) {
        if (listen(listener, BACKLOG) == 0 && renameat(folder, name, folder, file) == 0) {
            return listener;
        }
        unlinkat(folder, name, 0);
    }
    int failure = errno;
    close(listener);
    return -failure;
}

/* Removes what belongs to a lock that nobody holds. */
static void sweep_name(int folder, const char *name)
{
    int lock = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (lock < 0) return;
    if (lock_now(lock) == 0 && check_current(lock, folder, name) == 0) {
        char temporary[32];
        temporary_name(lock, temporary);
        unlinkat(folder, temporary, 0);
        remove_files(folder, name + 1);
    }
    close(lock);
}

/* Removes what killed processes have left of their ports. Once per process, as it takes a look at all. */
static void sweep(int folder)
{
    static atomic_bool was_done;
    if (atomic_exchange(&was_done, true)) return;
    int own = open_and_lock_folder(folder, LOCK_EX);
    DIR *list = own >= 0 ? fdopendir(own) : NULL;
    if (!list && own >= 0) close(own);
    if (!list) return;
    const struct dirent *entry;
    while ((entry = readdir(list))) {
        if (entry->d_name[0] == 'l') sweep_name(folder, entry->d_name);
    }
    closedir(list);
}

int rl_endpoint_claim(struct rl_endpoint *endpoint, const char *name)
{
    int folder = open_folder();
    if (folder < 0) return folder;
    sweep(folder);
    rl_endpoint_encode(name, endpoint->file);
    int result = endpoint->lock = take_lock(folder, endpoint->file);
    if (endpoint->lock >= 0) {
        result = endpoint->listener = listen_as(folder, endpoint->file, endpoint->lock);
        if (result < 0) remove_files(folder, endpoint->file);
        if (result < 0) rl_kernel_close(&endpoint->lock);
    }
    close(folder);
    return result < 0 ? result : 0;
}

int rl_endpoint_rename(struct rl_endpoint *endpoint, const char *name)
{
    char file[RL_ENDPOINT_FILE_SIZE];
    rl_endpoint_encode(name, file);
    int folder = open_folder();
    if (folder < 0) return folder;
    int lock = take_lock(folder, file);
    if (lock >= 0 && is_owner(endpoint, folder) &&
        renameat(folder, endpoint->file, folder, file) == 0) {
        remove_files(folder, endpoint->file);
        rl_kernel_close(&endpoint->lock);
        endpoint->lock = lock;
        memcpy(endpoint->file, file, sizeof file);
    } else if (lock >= 0) {
        remove_files(folder, file);
        close(lock);
        lock = -ESTALE;
    }
    close(folder);
    return lock < 0 ? lock : 0;
}

void rl_endpoint_give_up_name(struct rl_endpoint *endpoint)
{
    if (endpoint->lock < 0) return;
    int folder = open_folder();
    if (folder >= 0) {
        if (is_owner(endpoint, folder)) remove_files(folder, endpoint->file);
        close(folder);
    }
    rl_kernel_close(&endpoint->lock);
}

/* Connects, until the moment and whatever signals come: they end the system call, with nothing done. */
static int connect_until(int fd, const struct sockaddr_un *address, int64_t deadline_ns)
{
    for (;;) {
        int64_t left_us = (deadline_ns - rl_kernel_monotonic_ns() + 999) / 1000;
        struct timeval left = {.tv_sec = left_us / 1000000, .tv_usec = left_us % 1000000};
        if (left_us > 0) setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof left);
        if (left_us <= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
        if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

static int connect_to(int file, int64_t deadline_ns, struct rl_endpoint_identity *ret_identity)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISSOCK(info.st_mode)) return -ENOTSOCK;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    struct sockaddr_un address = address_of(file, "");
    pid_t process = 0;
    int result = connect_until(fd, &address, deadline_ns);
    if (result == 0 && !rl_channel_is_ours(fd, &process)) result = -EACCES;
    *ret_identity = (struct rl_endpoint_identity){info.st_dev, info.st_ino, process};
    if (result == 0) return fd;
    close(fd);
    return result;
}

int rl_endpoint_connect(const char *name, int64_t deadline_ns,
                        struct rl_endpoint_identity *ret_identity)
{
    char path[RL_ENDPOINT_FILE_SIZE];
    rl_endpoint_encode(name, path);
    int folder = open_folder();
    if (folder < 0) return folder;
    int file = openat(folder, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int result = file < 0 ? -errno : connect_to(file, deadline_ns, ret_identity);
    if (file >= 0) close(file);
    close(folder);
    return result;
}

int rl_endpoint_connect_again(const char *name, int64_t deadline_ns,
                              const struct rl_endpoint_identity *identity)
{
    struct rl_endpoint_identity found;
    int fd = rl_endpoint_connect(name, deadline_ns, &found);
    bool is_same = fd >= 0 && found.device == identity->device && found.inode == identity->inode &&
                   found.process == identity->process;
    if (fd < 0 || is_same) return fd;
    close(fd);
    return -ESTALE;
}

bool rl_endpoint_is_gone(int failure)
{
    return failure == -ENOENT || failure == -ECONNREFUSED || failure == -ENOTSOCK ||
           failure == -ESTALE;
}
