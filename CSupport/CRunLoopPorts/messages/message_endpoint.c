/*
 * Listens under a name, and connects to a name. A socket address has space for 107 bytes, but a
 * path may be longer. So the address refers to the folder by its descriptor, through /proc.
 */

#include "base/system.h"

#include "messages/message_endpoint.h"

#include "base/kernel.h"
#include "base/uncanceled.h"
#include "messages/message_channel.h"
#include "messages/message_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 128,
    /* The number of retries if the directory vanishes while a name is claimed. */
    MOST_CLAIMS = 4
};

static struct sockaddr_un address_of(int fd, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/thread-self/fd/%d%s%s", fd,
             *name ? "/" : "", name);
    return address;
}

/* Binds to a unique temporary name, and renames the socket to the port's name after listen(2). */
static int listen_as(int folder, struct rl_endpoint *endpoint)
{
    struct stat info = {.st_ino = 0};
    int listener =
        rl_kernel_keep(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (listener < 0) return -errno;
    char name[32];
    rl_message_name_temporary(endpoint->lock, name);
    struct sockaddr_un address = address_of(folder, name);
    /* A killed process that held the lock may have left the file. */
    unlinkat(folder, name, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0) {
        /* Sets the sticky bit, as on the lock file. */
        (void)fchmodat(folder, name, S_ISVTX | 0700, 0);
        if (listen(listener, BACKLOG) == 0 &&
            fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            renameat(folder, name, folder, endpoint->file) == 0) {
            endpoint->socket = info.st_ino;
            endpoint->listener = listener;
            return 0;
        }
        unlinkat(folder, name, 0);
    }
    int failure = errno;
    RL_UNCANCELED(close(listener));
    return -failure;
}

static int try_claim(struct rl_endpoint *endpoint)
{
    int folder = rl_message_folder_open();
    if (folder < 0) return folder;
    /* Sweeps only once per process, because sweeping reads all files. */
    static atomic_bool was_swept;
    if (!atomic_exchange(&was_swept, true)) rl_message_name_sweep(folder);
    int result = endpoint->lock = rl_message_name_lock(folder, endpoint->file);
    if (result >= 0) {
        result = listen_as(folder, endpoint);
        if (result < 0) rl_message_name_remove(folder, endpoint->file);
        if (result < 0) rl_kernel_close(&endpoint->lock);
    }
    RL_UNCANCELED(close(folder));
    rl_message_folder_explain_failure(result);
    return result;
}

int rl_endpoint_claim(struct rl_endpoint *endpoint, const char *file)
{
    *endpoint = (struct rl_endpoint){.listener = -1, .lock = -1};
    memcpy(endpoint->file, file, sizeof endpoint->file);
    int result = -ENOENT;
    /* Retries, because a cleaner may delete the empty directory between two system calls. */
    for (int i = 0; i < MOST_CLAIMS && result == -ENOENT; i++) result = try_claim(endpoint);
    return result;
}

static bool is_found_in(int folder, const struct rl_endpoint *endpoint)
{
    struct stat info;
    return rl_message_name_is_locked(folder, endpoint->file, endpoint->lock) &&
           fstatat(folder, endpoint->file, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           info.st_ino == endpoint->socket;
}

int rl_endpoint_check(const struct rl_endpoint *endpoint)
{
    if (endpoint->lock < 0) return -ESTALE;
    int folder = rl_message_folder_open();
    if (folder < 0) return folder;
    bool is_found = is_found_in(folder, endpoint);
    RL_UNCANCELED(close(folder));
    return is_found ? 0 : -ESTALE;
}

int rl_endpoint_rename(struct rl_endpoint *endpoint, const char *file)
{
    int folder = rl_message_folder_open();
    if (folder < 0) return folder;
    int lock = rl_message_name_lock(folder, file);
    if (lock >= 0 && renameat(folder, endpoint->file, folder, file) == 0) {
        rl_message_name_remove(folder, endpoint->file);
        rl_kernel_close(&endpoint->lock);
        endpoint->lock = lock;
        memcpy(endpoint->file, file, sizeof endpoint->file);
    } else if (lock >= 0) {
        int failure = errno;
        rl_message_name_remove(folder, file);
        RL_UNCANCELED(close(lock));
        lock = -failure;
    }
    RL_UNCANCELED(close(folder));
    rl_message_folder_explain_failure(lock);
    return lock < 0 ? lock : 0;
}

void rl_endpoint_give_up_name(struct rl_endpoint *endpoint)
{
    if (endpoint->lock < 0) return;
    int folder = rl_message_folder_open();
    if (folder >= 0) {
        if (rl_message_name_is_locked(folder, endpoint->file, endpoint->lock)) {
            rl_message_name_remove(folder, endpoint->file);
        }
        RL_UNCANCELED(close(folder));
    }
    rl_kernel_close(&endpoint->lock);
}

/* Retries after a signal, which aborts the system call without effect. */
static int connect_until(int fd, const struct sockaddr_un *address, int64_t deadline_ns)
{
    for (;;) {
        int64_t left_us = (deadline_ns - rl_kernel_monotonic_ns() + 999) / 1000;
        struct timeval left = {.tv_sec = left_us / 1000000, .tv_usec = left_us % 1000000};
        if (left_us > 0) setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof left);
        if (left_us <= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
        const struct sockaddr *plain = (const struct sockaddr *)address;
        if (RL_UNCANCELED(connect(fd, plain, sizeof *address)) == 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

static int connect_to(int file, int64_t deadline_ns, struct rl_endpoint_identity *ret_identity)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISSOCK(info.st_mode)) return -ENOTSOCK;
    int fd = rl_kernel_keep(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (fd < 0) return -errno;
    struct sockaddr_un address = address_of(file, "");
    pid_t process = 0;
    int result = connect_until(fd, &address, deadline_ns);
    if (result == 0 && !rl_channel_is_ours(fd, &process)) result = -EACCES;
    *ret_identity = (struct rl_endpoint_identity){info.st_dev, info.st_ino, process};
    if (result == 0) return fd;
    RL_UNCANCELED(close(fd));
    return result;
}

int rl_endpoint_connect(const char *name, int64_t deadline_ns,
                        struct rl_endpoint_identity *ret_identity)
{
    char path[RL_MESSAGE_FILE_SIZE];
    rl_message_name_encode(name, path);
    int folder = rl_message_folder_open();
    if (folder < 0) return folder;
    int file = rl_kernel_keep(RL_UNCANCELED(openat(folder, path, O_PATH | O_NOFOLLOW | O_CLOEXEC)));
    int result = file < 0 ? -errno : connect_to(file, deadline_ns, ret_identity);
    if (file >= 0) RL_UNCANCELED(close(file));
    RL_UNCANCELED(close(folder));
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
    RL_UNCANCELED(close(fd));
    return -ESTALE;
}

bool rl_endpoint_is_gone(int failure)
{
    return failure == -ENOENT || failure == -ECONNREFUSED || failure == -ENOTSOCK ||
           failure == -ESTALE;
}
