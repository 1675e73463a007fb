#include "base/system.h"

#include "messages/message_name.h"

#include "base/kernel.h"
#include "base/uncanceled.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* The greatest length of a percent-escaped name; longer names are encoded in base 32. */
    LONGEST_ESCAPED = 200,
    /* The number of retries if the last owner of a lock file removes the file in the meantime. */
    MOST_TRIES = 1000,
    /* The number of milliseconds to wait for another process that sweeps. */
    SWEEPING_MS = 100
};

static bool is_kept_in_file_name(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '.' || byte == '-' || byte == '_';
}

static size_t escaped_length(const char *name)
{
    size_t length = 0;
    for (; *name; name++) length += is_kept_in_file_name((unsigned char)*name) ? 1 : 3;
    return length;
}

static void escape_name(const char *name, char *file)
{
    file += sprintf(file, "n");
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        file += sprintf(file, is_kept_in_file_name(byte) ? "%c" : "%%%02X", byte);
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

void rl_message_name_encode(const char *name, char file[RL_MESSAGE_FILE_SIZE])
{
    if (escaped_length(name) <= LONGEST_ESCAPED) {
        escape_name(name, file);
    } else {
        write_in_base_32(name, file);
    }
}

/* File names begin with n or b (ports), l (locks), or t (sockets that have no name yet). */
static void lock_name(const char *file, char *ret_name)
{
    snprintf(ret_name, RL_MESSAGE_FILE_SIZE, "l%.*s", RL_MESSAGE_FILE_SIZE - 2, file);
}

/* Returns -ESTALE if the last owner of the lock file has removed the file. */
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

static int try_lock(int folder, const char *name)
{
    int lock = rl_kernel_keep(
        RL_UNCANCELED(openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (lock < 0) return -errno;
    int result = lock_now(lock);
    if (result == 0) result = check_current(lock, folder, name);
    if (result == 0) {
        /* Without the sticky bit, cleaners may delete the file. */
        (void)fchmod(lock, S_ISVTX | 0600);
        return lock;
    }
    RL_UNCANCELED(close(lock));
    return result;
}

static int try_lock_often(int folder, const char *name)
{
    int lock = -ESTALE;
    for (int i = 0; i < MOST_TRIES && lock == -ESTALE; i++) lock = try_lock(folder, name);
    return lock;
}

/*
 * Returns the directory's descriptor, or -1. A sweep locks the directory exclusively, because it
 * holds the locks of dead ports for a moment, and meanwhile their names seem to be taken.
 */
static int open_and_lock_folder(int folder, int operation)
{
    int own =
        rl_kernel_keep(RL_UNCANCELED(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (own < 0 || flock(own, operation | LOCK_NB) == 0) return own;
    RL_UNCANCELED(close(own));
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

int rl_message_name_lock(int folder, const char *file)
{
    char name[RL_MESSAGE_FILE_SIZE];
    lock_name(file, name);
    int lock = try_lock_often(folder, name);
    if (lock != -EADDRINUSE) return lock;
    int own = wait_for_sweeping(folder);
    lock = try_lock_often(folder, name);
    if (own >= 0) RL_UNCANCELED(close(own));
    return lock;
}

void rl_message_name_temporary(int lock, char name[32])
{
    struct stat info;
    unsigned long long number = fstat(lock, &info) == 0 ? info.st_ino : 0;
    snprintf(name, 32, "t%llx", number);
}

void rl_message_name_remove(int folder, const char *file)
{
    char name[RL_MESSAGE_FILE_SIZE];
    lock_name(file, name);
    unlinkat(folder, file, 0);
    unlinkat(folder, name, 0);
}

bool rl_message_name_is_locked(int folder, const char *file, int lock)
{
    char name[RL_MESSAGE_FILE_SIZE];
    lock_name(file, name);
    return check_current(lock, folder, name) == 0;
}

/* Removes the files only if no process holds the lock. */
static void sweep_name(int folder, const char *name)
{
    int lock = rl_kernel_keep(
        RL_UNCANCELED(openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)));
    if (lock < 0) return;
    if (lock_now(lock) == 0 && check_current(lock, folder, name) == 0) {
        char temporary[32];
        rl_message_name_temporary(lock, temporary);
        unlinkat(folder, temporary, 0);
        rl_message_name_remove(folder, name + 1);
    }
    RL_UNCANCELED(close(lock));
}

void rl_message_name_sweep(int folder)
{
    int own = open_and_lock_folder(folder, LOCK_EX);
    DIR *list = own >= 0 ? fdopendir(own) : NULL;
    if (!list && own >= 0) RL_UNCANCELED(close(own));
    if (!list) return;
    const struct dirent *entry;
    while ((entry = readdir(list))) {
        if (entry->d_name[0] == 'l') sweep_name(folder, entry->d_name);
    }
    RL_UNCANCELED(closedir(list));
}

void rl_message_name_visit(int folder, void (*visit)(const char *name, void *context),
                           void *context)
{
    DIR *list = fdopendir(folder);
    if (!list) RL_UNCANCELED(close(folder));
    if (!list) return;
    const struct dirent *entry;
    while ((entry = readdir(list))) {
        if (entry->d_name[0] == 'n') visit(entry->d_name + 1, context);
    }
    RL_UNCANCELED(closedir(list));
}
