/*
 * The wrappers of the calls that the engine makes. A call that is not here and not among the
 * harmless ones of faults.py ends the stage.
 */

#define _GNU_SOURCE

#include "inject.h"

#include "workload.h"

#include <Block.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sockios.h>
#include <locale.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Wraps a call that returns `failure` and sets errno. */
#define CALL_AS(type, name, failure, parameters, arguments, asked)                                 \
    type fault_call_##name parameters;                                                             \
    type fault_call_##name parameters                                                              \
    {                                                                                              \
        int error = fault_judge(__builtin_return_address(0), asked);                               \
        if (error == 0) return name arguments;                                                     \
        errno = error;                                                                             \
        return failure;                                                                            \
    }

#define CALL(type, name, parameters, arguments)                                                    \
    CALL_AS(type, name, -1, parameters, arguments, #name)

/* Of a call that returns the error. */
#define CALL_RETURNING(name, parameters, arguments)                                                \
    int fault_call_##name parameters;                                                              \
    int fault_call_##name parameters                                                               \
    {                                                                                              \
        int error = fault_judge(__builtin_return_address(0), #name);                               \
        return error != 0 ? error : name arguments;                                                \
    }

/* Names of requests, as part of the call's name; numbers without a name are found out so. */
static const char *name_of(const char *call, long number, const char *name)
{
    static _Thread_local char text[48];
    if (name) {
        snprintf(text, sizeof text, "%s %s", call, name);
    } else {
        snprintf(text, sizeof text, "%s %ld", call, number);
    }
    return text;
}

#define NAMED(constant)                                                                            \
    case constant: return #constant;

static const char *control_name(int operation)
{
    switch (operation) {
        NAMED(EPOLL_CTL_ADD)
        NAMED(EPOLL_CTL_MOD)
        NAMED(EPOLL_CTL_DEL)
    default: return NULL;
    }
}

static const char *fcntl_name(int command)
{
    switch (command) {
        NAMED(F_DUPFD_CLOEXEC)
        NAMED(F_GETFL)
        NAMED(F_SETFL)
        NAMED(F_GETFD)
        NAMED(F_SETFD)
        NAMED(F_ADD_SEALS)
        NAMED(F_GET_SEALS)
    default: return NULL;
    }
}

static const char *syscall_name(long number)
{
    switch (number) {
        NAMED(SYS_epoll_pwait2)
#if defined(SYS_epoll_wait)
        NAMED(SYS_epoll_wait)
#else
        NAMED(SYS_epoll_pwait)
#endif
        NAMED(SYS_read)
        NAMED(SYS_recvfrom)
        NAMED(SYS_sendto)
        NAMED(SYS_write)
        NAMED(SYS_preadv2)
        NAMED(SYS_rt_sigqueueinfo)
        NAMED(SYS_gettid)
        NAMED(SYS_futex)
        NAMED(SYS_pidfd_open)
    default: return NULL;
    }
}

static const char *ioctl_name(unsigned long request)
{
    if (request == SIOCOUTQ) return "SIOCOUTQ";
    if (request == FIONREAD) return "FIONREAD";
    return extra_ioctl_name ? extra_ioctl_name(request) : NULL;
}

CALL(int, eventfd, (unsigned count, int flags), (count, flags))
CALL(int, timerfd_create, (int clock, int flags), (clock, flags))
CALL(int, timerfd_settime,
     (int fd, int flags, const struct itimerspec *when, struct itimerspec *before),
     (fd, flags, when, before))
CALL(int, timerfd_gettime, (int fd, struct itimerspec *when), (fd, when))
CALL(int, epoll_create1, (int flags), (flags))
CALL_AS(int, epoll_ctl, -1, (int set, int operation, int fd, struct epoll_event *event),
        (set, operation, fd, event), name_of("epoll_ctl", operation, control_name(operation)))
CALL(int, epoll_wait, (int set, struct epoll_event *events, int most, int limit),
     (set, events, most, limit))
CALL(int, ppoll,
     (struct pollfd * queries, nfds_t count, const struct timespec *limit, const sigset_t *mask),
     (queries, count, limit, mask))
CALL(ssize_t, read, (int fd, void *bytes, size_t length), (fd, bytes, length))
CALL(ssize_t, preadv2, (int fd, const struct iovec *parts, int count, off_t offset, int flags),
     (fd, parts, count, offset, flags))
CALL(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
CALL(ssize_t, process_vm_readv,
     (pid_t process, const struct iovec *to, unsigned long to_count, const struct iovec *from,
      unsigned long from_count, unsigned long flags),
     (process, to, to_count, from, from_count, flags))
CALL(ssize_t, readlink, (const char *path, char *target, size_t size), (path, target, size))
CALL(int, access, (const char *path, int mode), (path, mode))
CALL(int, fstat, (int fd, struct stat *info), (fd, info))
CALL(int, fstatat, (int folder, const char *path, struct stat *info, int flags),
     (folder, path, info, flags))
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, fchmodat, (int folder, const char *path, mode_t mode, int flags),
     (folder, path, mode, flags))
CALL(int, flock, (int fd, int operation), (fd, operation))
CALL(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
CALL(int, renameat, (int from, const char *path, int to, const char *name), (from, path, to, name))
CALL(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
CALL(int, dup3, (int from, int to, int flags), (from, to, flags))
CALL(int, memfd_create, (const char *name, unsigned flags), (name, flags))
CALL(ssize_t, getrandom, (void *bytes, size_t length, unsigned flags), (bytes, length, flags))
CALL(int, inotify_init1, (int flags), (flags))
CALL(int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask))
CALL(int, inotify_rm_watch, (int fd, int watch), (fd, watch))
CALL(int, signalfd, (int fd, const sigset_t *signals, int flags), (fd, signals, flags))
CALL(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))
CALL(int, socket, (int family, int type, int protocol), (family, type, protocol))
CALL(int, socketpair, (int family, int type, int protocol, int ends[2]),
     (family, type, protocol, ends))
CALL(int, bind, (int fd, const struct sockaddr *address, socklen_t length), (fd, address, length))
CALL(int, connect, (int fd, const struct sockaddr *address, socklen_t length),
     (fd, address, length))
CALL(int, listen, (int fd, int backlog), (fd, backlog))
CALL(int, accept4, (int fd, struct sockaddr *address, socklen_t *length, int flags),
     (fd, address, length, flags))
CALL(int, shutdown, (int fd, int how), (fd, how))
CALL(int, getsockname, (int fd, struct sockaddr *address, socklen_t *length), (fd, address, length))
CALL(int, getpeername, (int fd, struct sockaddr *address, socklen_t *length), (fd, address, length))
CALL(int, setsockopt, (int fd, int level, int option, const void *value, socklen_t length),
     (fd, level, option, value, length))
CALL(ssize_t, recv, (int fd, void *bytes, size_t length, int flags), (fd, bytes, length, flags))
CALL(ssize_t, recvfrom,
     (int fd, void *bytes, size_t length, int flags, struct sockaddr *from, socklen_t *from_length),
     (fd, bytes, length, flags, from, from_length))
CALL(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
CALL(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
CALL(ssize_t, sendto,
     (int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to,
      socklen_t to_length),
     (fd, bytes, length, flags, to, to_length))
CALL(long, sysconf, (int name), (name))
CALL_AS(void *, mmap, MAP_FAILED,
        (void *address, size_t length, int protection, int flags, int fd, off_t offset),
        (address, length, protection, flags, fd, offset), "mmap")
CALL_AS(int, _dl_find_object, -1, (void *address, struct dl_find_object *object), (address, object),
        "_dl_find_object")
CALL_AS(void *, dlopen, NULL, (const char *name, int flags), (name, flags), "dlopen")
CALL_AS(void *, dlsym, NULL, (void *library, const char *name), (library, name), "dlsym")
CALL_AS(locale_t, newlocale, NULL, (int categories, const char *name, locale_t base),
        (categories, name, base), "newlocale")

CALL_AS(DIR *, fdopendir, NULL, (int fd), (fd), "fdopendir")
CALL_AS(struct dirent *, readdir, NULL, (DIR * directory), (directory), "readdir")

CALL_RETURNING(pthread_create,
               (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *),
                void *argument),
               (thread, attributes, run, argument))
CALL_RETURNING(pthread_key_create, (pthread_key_t * key, void (*destroy)(void *)), (key, destroy))
CALL_RETURNING(pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
CALL_RETURNING(pthread_atfork, (void (*before)(void), void (*parent)(void), void (*child)(void)),
               (before, parent, child))
CALL_RETURNING(pthread_getname_np, (pthread_t thread, char *name, size_t size),
               (thread, name, size))
CALL_RETURNING(getaddrinfo,
               (const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found),
               (host, service, hints, found))
CALL_RETURNING(getnameinfo,
               (const struct sockaddr *address, socklen_t length, char *host, socklen_t host_size,
                char *service, socklen_t service_size, int flags),
               (address, length, host, host_size, service, service_size, flags))

/* The descriptor that was moved up last, from a number that is to stay free. */
static _Thread_local int moved = -1;

/* The kernel closes the descriptor even if the call fails. */
int fault_call_close(int fd);
int fault_call_close(int fd)
{
    bool is_standard = fd >= STDIN_FILENO && fd <= STDERR_FILENO;
    work_must(!is_standard || fd == moved, "no descriptor has a standard number");
    moved = -1;
    int error = fault_judge(__builtin_return_address(0), "close");
    int result = close(fd);
    if (error == 0) return result;
    errno = error;
    return -1;
}

/* Whether peers of sockets are in another PID namespace, as far as the engine can see. */
static atomic_bool hides_peers;

void fault_hide_peers(bool hides)
{
    atomic_store(&hides_peers, hides);
}

int fault_call_getsockopt(int fd, int level, int option, void *value, socklen_t *length);
int fault_call_getsockopt(int fd, int level, int option, void *value, socklen_t *length)
{
    enum { PEER_FILE = 77 };
    int error = fault_judge(__builtin_return_address(0), "getsockopt");
    if (error != 0) {
        errno = error;
        return -1;
    }
    int result = getsockopt(fd, level, option, value, length);
    if (!atomic_load(&hides_peers) || level != SOL_SOCKET) return result;
    if (option == SO_PEERCRED && result == 0) ((struct ucred *)value)->pid = 0;
    /* Before Linux 6.5 a kernel knows no file of a peer's process: ours is as good. */
    if (option == PEER_FILE && result != 0) {
        *(int *)value = (int)syscall(SYS_pidfd_open, getpid(), 0);
        return 0;
    }
    return result;
}

int fault_call_fstatfs(int fd, struct statfs *info);
int fault_call_fstatfs(int fd, struct statfs *info)
{
    enum { PIDFS = 0x50494446 };
    int error = fault_judge(__builtin_return_address(0), "fstatfs");
    if (error != 0) {
        errno = error;
        return -1;
    }
    int result = fstatfs(fd, info);
    /* Before Linux 6.9 such a file is in no file system of its own. */
    if (atomic_load(&hides_peers) && result == 0) info->f_type = PIDFS;
    return result;
}

/* A signal ends no poll that finds something at once. */
int fault_call_poll(struct pollfd *queries, nfds_t count, int limit);
int fault_call_poll(struct pollfd *queries, nfds_t count, int limit)
{
    int error = fault_judge(__builtin_return_address(0), "poll");
    errno = error;
    if (error != 0 && error != EINTR) return -1;
    int result = poll(queries, count, error == EINTR ? 0 : limit);
    if (error == 0 || (error == EINTR && result > 0)) return result;
    errno = error;
    return -1;
}

/* Text for standard error is a line for the client. */
ssize_t fault_call_write(int fd, const void *bytes, size_t length);
ssize_t fault_call_write(int fd, const void *bytes, size_t length)
{
    int error =
        fault_judge(__builtin_return_address(0), fd == STDERR_FILENO ? "write line" : "write");
    if (fd == STDERR_FILENO) {
        atomic_fetch_add(&fault_report->lines, 1);
        if (error != 0) atomic_fetch_add(&fault_report->refused_lines, 1);
    }
    if (error != 0) {
        errno = error;
        return -1;
    }
    ssize_t written = write(fd, bytes, length);
    /* Standard error may be closed. */
    if (fd == STDERR_FILENO && written < 0) atomic_fetch_add(&fault_report->refused_lines, 1);
    return written;
}

int fault_call_open(const char *path, int flags, ...);
int fault_call_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    int error = fault_judge(__builtin_return_address(0), "open");
    if (error == 0) return open(path, flags, mode);
    errno = error;
    return -1;
}

int fault_call_openat(int folder, const char *path, int flags, ...);
int fault_call_openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    int error = fault_judge(__builtin_return_address(0), "openat");
    if (error == 0) return openat(folder, path, flags, mode);
    errno = error;
    return -1;
}

int fault_call_fcntl(int fd, int command, ...);
int fault_call_fcntl(int fd, int command, ...)
{
    va_list more;
    va_start(more, command);
    long argument = va_arg(more, long);
    va_end(more);
    int error =
        fault_judge(__builtin_return_address(0), name_of("fcntl", command, fcntl_name(command)));
    if (command == F_DUPFD_CLOEXEC) moved = fd;
    if (error == 0) return fcntl(fd, command, argument);
    errno = error;
    return -1;
}

int fault_call_ioctl(int fd, unsigned long request, ...);
int fault_call_ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    int error = fault_judge(__builtin_return_address(0),
                            name_of("ioctl", (long)request, ioctl_name(request)));
    if (error == 0 && extra_ioctl_answer && extra_ioctl_answer(request, argument)) return 0;
    if (error == 0) return ioctl(fd, request, argument);
    errno = error;
    return -1;
}

long fault_call_syscall(long number, ...);
long fault_call_syscall(long number, ...)
{
    va_list more;
    long arguments[6];
    va_start(more, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(more, long);
    va_end(more);
    const char *name = syscall_name(number);
    if (number == SYS_futex) {
        bool waits = (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT;
        name = waits ? "FUTEX_WAIT" : "FUTEX_WAKE";
    }
    int error = fault_judge(__builtin_return_address(0), name_of("syscall", number, name));
    if (error == 0) {
        return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                       arguments[5]);
    }
    errno = error;
    return -1;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/*
 * A forked child frees its blocks by exiting; blocks inherited from its parent are counted there.
 */
static bool is_child;

static void note_child(void)
{
    is_child = true;
}

static __attribute__((constructor)) void watch_forks(void)
{
    pthread_atfork(NULL, NULL, note_child);
}

static void *counted(void *block)
{
    if (block && !is_child) atomic_fetch_add(&fault_report->blocks, 1);
    return block;
}

#define ALLOCATOR(name, parameters, arguments)                                                     \
    void *fault_call_##name parameters;                                                            \
    void *fault_call_##name parameters                                                             \
    {                                                                                              \
        if (!fault_is_refused(__builtin_return_address(0), #name)) return counted(name arguments); \
        errno = ENOMEM;                                                                            \
        return NULL;                                                                               \
    }

ALLOCATOR(malloc, (size_t size), (size))
ALLOCATOR(calloc, (size_t count, size_t size), (count, size))
ALLOCATOR(aligned_alloc, (size_t alignment, size_t size), (alignment, size))
ALLOCATOR(strdup, (const char *text), (text))

/* It is there only if the runtime of C++ is. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

ALLOCATOR(__cxa_demangle, (const char *mangled, char *buffer, size_t *size, int *status),
          ? __cxa_demangle(mangled, buffer, size, status) : NULL)

void *fault_call_realloc(void *block, size_t size);
void *fault_call_realloc(void *block, size_t size)
{
    if (fault_is_refused(__builtin_return_address(0), "realloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return block ? realloc(block, size) : counted(malloc(size));
}

int fault_call_vasprintf(char **ret_text, const char *format, va_list arguments);
int fault_call_vasprintf(char **ret_text, const char *format, va_list arguments)
{
    if (fault_is_refused(__builtin_return_address(0), "vasprintf")) return -1;
    int length = vasprintf(ret_text, format, arguments);
    if (length >= 0) counted(*ret_text);
    return length;
}

/* A block that lies on no stack yet. */
void *fault_call__Block_copy(const void *block);
void *fault_call__Block_copy(const void *block)
{
    return fault_is_refused(__builtin_return_address(0), "_Block_copy") ? NULL : _Block_copy(block);
}

void fault_call_free(void *block);
void fault_call_free(void *block)
{
    if (block && !is_child) atomic_fetch_sub(&fault_report->blocks, 1);
    free(block);
}
