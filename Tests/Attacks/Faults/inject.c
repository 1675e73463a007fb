/*
 * The wrappers of the calls that the engine makes, and the decision which of them fail.
 *
 * A call that is not here and not among the harmless ones of faults.py ends the stage. `FAULTS` in
 * the environment says what fails, `ADDRESS/CALL/ERROR/MODE` and more of these after commas:
 *
 * - `once` the first call fails, `always` all of them; an interruption (EINTR) lets each 20th call
 *   through, as no signal comes for ever.
 * - The call `allocation` with a number in place of the address: the allocation of that number
 *   fails.
 * - `refused` refuses a call at all places, from the process's start to its end, as a filter of
 *   system calls does; ADDRESS is 0, and CALL also the name of an older kernel (see refuse.c).
 * - The call `descriptors`: the process has reached its limit for real, `once` until the end of the
 *   first round, `late` from the moment on at which the workload says so.
 */

#define _GNU_SOURCE

#include "inject.h"

#include "workload.h"

#include "../../../CSupport/CRunLoopDisplay/drm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/sockios.h>
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
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Block.h>
#include <dlfcn.h>
#include <locale.h>

enum mode { ONCE, ALWAYS, LATE, REFUSED };

struct fault {
    uint64_t address;
    char call[48];
    int error;
    enum mode mode;
    atomic_uint hits;
};

static struct fault faults[4];
static unsigned fault_count;
bool fault_is_lasting;
struct fault_report *fault_report;
atomic_bool fault_is_armed = true;

static void note_child(void);

/* --- Deciding --------------------------------------------------------------------------------- */

static enum mode mode_named(const char *name)
{
    if (strcmp(name, "once") == 0) return ONCE;
    if (strcmp(name, "late") == 0) return LATE;
    return strcmp(name, "refused") == 0 ? REFUSED : ALWAYS;
}

static void refuse(const struct fault *fault)
{
    fault_is_lasting = true;
    if (fault_refuse_kernel(fault->call, fault->error)) atomic_fetch_add(&fault_report->strikes, 1);
}

static void read_faults(char *text)
{
    char *rest = NULL;
    for (char *each = strtok_r(text, ",", &rest); each; each = strtok_r(NULL, ",", &rest)) {
        struct fault *fault = &faults[fault_count];
        char mode[16];
        unsigned long address;
        if (sscanf(each, "%lx/%47[^/]/%d/%15s", &address, fault->call, &fault->error, mode) != 4) {
            fprintf(stderr, "faults: cannot read %s\n", each);
            _exit(2);
        }
        fault->address = address;
        fault->mode = mode_named(mode);
        if (fault->mode == REFUSED) refuse(fault);
        if (++fault_count == sizeof faults / sizeof faults[0]) break;
    }
}

/* Before the constructors of the engine. */
static __attribute__((constructor(101))) void begin(void)
{
    const char *path = getenv("FAULTS_REPORT"), *wanted = getenv("FAULTS");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0 && ftruncate(fd, sizeof *fault_report) != 0) _exit(2);
    fault_report = mmap(NULL, sizeof *fault_report, PROT_READ | PROT_WRITE,
                        fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (fault_report == MAP_FAILED) _exit(2);
    if (fd >= 0) close(fd);
    fault_report->size = sizeof *fault_report;
    pthread_atfork(NULL, NULL, note_child);
    char *text = strdup(wanted ? wanted : "");
    read_faults(text);
    free(text);
}

/* The entry of a site; each address has one for each thing that is asked for there. */
static struct fault_site *site_of(uint64_t address, const char *call)
{
    for (unsigned i = 0; i < FAULT_MOST_SITES; i++) {
        struct fault_site *site = &fault_report->sites[i];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&site->address, &found, address)) {
            snprintf(site->call, sizeof site->call, "%s", call);
            return site;
        }
        /* Another thread may be writing the name just now: both then count here. */
        if (found == address && (!site->call[0] || strcmp(site->call, call) == 0)) return site;
    }
    fprintf(stderr, "faults: too many sites\n");
    _exit(2);
}

static bool strikes(struct fault *fault)
{
    unsigned hit = atomic_fetch_add(&fault->hits, 1) + 1;
    if (fault->mode == ONCE) return hit == 1;
    return fault->error != EINTR || hit % 20 != 0;
}

bool fault_lets_cancel;

/* A thread that is canceled in a call would leave the engine in the middle: see uncanceled.h. */
static void expect_uncanceled(const char *call)
{
    static const char cancellation_points[] =
        " accept4 close connect dlopen epoll_wait getaddrinfo getnameinfo open openat poll ppoll "
        "preadv2 "
        "read recv recvfrom recvmsg sendmsg sendto waitid write ";
    char name[48];
    int state, disabled;
    snprintf(name, sizeof name, " %.*s ", (int)strcspn(call, " "), call);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_setcancelstate(state, &disabled);
    if (state == PTHREAD_CANCEL_DISABLE || fault_lets_cancel) return;
    if (!strstr(cancellation_points, name)) return;
    fprintf(stderr, "faults: a thread could be canceled in %s\n", call);
    _exit(2);
}

/* A call that is refused is so whatever it asks for. */
static bool is_met(const struct fault *fault, uint64_t address, const char *call)
{
    if (fault->mode != REFUSED) {
        return fault->address == address && strcmp(fault->call, call) == 0;
    }
    size_t length = strlen(fault->call);
    return strncmp(fault->call, call, length) == 0 && (call[length] == '\0' || call[length] == ' ');
}

/* The error with which a call is to fail, or 0. */
static int judge(const void *returns_to, const char *call)
{
    expect_uncanceled(call);
    uint64_t address = (uint64_t)(uintptr_t)returns_to;
    struct fault_site *site = site_of(address, call);
    atomic_fetch_add(&site->hits, 1);
    atomic_fetch_add(&fault_report->calls, 1);
    if (!atomic_load(&fault_is_armed) && !fault_is_lasting) return 0;
    for (unsigned i = 0; i < fault_count; i++) {
        struct fault *fault = &faults[i];
        if (!is_met(fault, address, call) || !strikes(fault)) continue;
        atomic_fetch_add(&site->failures, 1);
        atomic_fetch_add(&fault_report->strikes, 1);
        return fault->error;
    }
    return 0;
}

/* Whether an allocation is to fail. */
static bool is_refused(const void *returns_to, const char *call)
{
    unsigned number =
        atomic_load(&fault_is_armed) ? atomic_fetch_add(&fault_report->allocations, 1) + 1 : 0;
    atomic_fetch_add(&site_of((uint64_t)(uintptr_t)returns_to, call)->hits, 1);
    for (unsigned i = 0; i < fault_count; i++) {
        if (strcmp(faults[i].call, "allocation") != 0 || faults[i].address != number) continue;
        atomic_fetch_add(&fault_report->strikes, 1);
        return true;
    }
    return false;
}

/* --- The limit of descriptors ----------------------------------------------------------------- */

static struct rlimit usual_limit;

static void set_limit(enum mode mode)
{
    for (unsigned i = 0; i < fault_count; i++) {
        if (strcmp(faults[i].call, "descriptors") != 0 || faults[i].mode != mode) continue;
        if (usual_limit.rlim_cur == 0) getrlimit(RLIMIT_NOFILE, &usual_limit);
        int next = fcntl(STDERR_FILENO, F_DUPFD, 0);
        close(next);
        struct rlimit limit = {.rlim_cur = (rlim_t)next, .rlim_max = usual_limit.rlim_max};
        setrlimit(RLIMIT_NOFILE, &limit);
        atomic_fetch_add(&fault_report->strikes, 1);
    }
}

void fault_begin_round(void)
{
    set_limit(ONCE);
}

void fault_spare(void (^block)(void))
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    bool is_limited = usual_limit.rlim_cur != 0;
    if (is_limited) setrlimit(RLIMIT_NOFILE, &usual_limit);
    block();
    if (!is_limited || limit.rlim_cur == usual_limit.rlim_cur) return;
    set_limit(ONCE);
    set_limit(LATE);
}

void fault_begin_late(void)
{
    if (atomic_load(&fault_is_armed) && usual_limit.rlim_cur == 0) set_limit(LATE);
}

void fault_end_round(void)
{
    atomic_store(&fault_is_armed, false);
    if (usual_limit.rlim_cur != 0) setrlimit(RLIMIT_NOFILE, &usual_limit);
}

/* --- Wrappers --------------------------------------------------------------------------------- */

/* Of a call that returns `failure` and says why in errno. */
#define CALL_AS(type, name, failure, parameters, arguments, asked)                                 \
    type fault_call_##name parameters;                                                             \
    type fault_call_##name parameters                                                              \
    {                                                                                              \
        int error = judge(__builtin_return_address(0), asked);                                     \
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
        int error = judge(__builtin_return_address(0), #name);                                     \
        return error != 0 ? error : name arguments;                                                \
    }

/* What is asked for, as part of the call's name; numbers without a name are found out so. */
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
        NAMED(SYS_membarrier)
        NAMED(SYS_pidfd_open)
    default: return NULL;
    }
}

static const char *ioctl_name(unsigned long request)
{
    if (request == RL_DRM_GET_CAPABILITY) return "DRM_GET_CAPABILITY";
    if (request == RL_DRM_DROP_MASTER) return "DRM_DROP_MASTER";
    if (request == RL_DRM_WAIT) return "DRM_WAIT";
    if (request == SIOCOUTQ) return "SIOCOUTQ";
    return request == FIONREAD ? "FIONREAD" : NULL;
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

/* The kernel closes the descriptor in any case. */
int fault_call_close(int fd);
int fault_call_close(int fd)
{
    bool is_standard = fd >= STDIN_FILENO && fd <= STDERR_FILENO;
    work_must(!is_standard || fd == moved, "no descriptor has a standard number");
    moved = -1;
    int error = judge(__builtin_return_address(0), "close");
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
    int error = judge(__builtin_return_address(0), "getsockopt");
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
    int error = judge(__builtin_return_address(0), "fstatfs");
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
    int error = judge(__builtin_return_address(0), "poll");
    errno = error;
    if (error != 0 && error != EINTR) return -1;
    int result = poll(queries, count, error == EINTR ? 0 : limit);
    if (error == 0 || (error == EINTR && result > 0)) return result;
    errno = error;
    return -1;
}

/* What goes to standard error is a line for the client. */
ssize_t fault_call_write(int fd, const void *bytes, size_t length);
ssize_t fault_call_write(int fd, const void *bytes, size_t length)
{
    int error = judge(__builtin_return_address(0), fd == STDERR_FILENO ? "write line" : "write");
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
    int error = judge(__builtin_return_address(0), "open");
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
    int error = judge(__builtin_return_address(0), "openat");
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
    int error = judge(__builtin_return_address(0), name_of("fcntl", command, fcntl_name(command)));
    if (command == F_DUPFD_CLOEXEC) moved = fd;
    if (error == 0) return fcntl(fd, command, argument);
    errno = error;
    return -1;
}

/* No machine of ours has a display: this is one that has its clock and its blanks. */
static bool answer_for_display(unsigned long request, void *argument)
{
    if (request == RL_DRM_GET_CAPABILITY) ((struct rl_drm_capability *)argument)->value = 1;
    if (request == RL_DRM_WAIT) {
        union rl_drm_wait *wait = argument;
        wait->reply.seconds = 3;
        wait->reply.microseconds = 4;
    }
    return request == RL_DRM_GET_CAPABILITY || request == RL_DRM_DROP_MASTER ||
           request == RL_DRM_WAIT;
}

int fault_call_ioctl(int fd, unsigned long request, ...);
int fault_call_ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    int error =
        judge(__builtin_return_address(0), name_of("ioctl", (long)request, ioctl_name(request)));
    if (error == 0 && answer_for_display(request, argument)) return 0;
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
    int error = judge(__builtin_return_address(0), name_of("syscall", number, name));
    if (error == 0) {
        return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                       arguments[5]);
    }
    errno = error;
    return -1;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* A forked child leaves its blocks to nobody; what it has of its parent's is counted there. */
static bool is_child;

static void note_child(void)
{
    is_child = true;
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
        if (!is_refused(__builtin_return_address(0), #name)) return counted(name arguments);       \
        errno = ENOMEM;                                                                            \
        return NULL;                                                                               \
    }

ALLOCATOR(malloc, (size_t size), (size))
ALLOCATOR(calloc, (size_t count, size_t size), (count, size))
ALLOCATOR(aligned_alloc, (size_t alignment, size_t size), (alignment, size))
ALLOCATOR(strdup, (const char *text), (text))

/* Those that are there only if their runtimes are. */
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags)
    __attribute__((weak));
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

ALLOCATOR(swift_demangle,
          (const char *mangled, size_t length, char *buffer, size_t *size, uint32_t flags),
          ? swift_demangle(mangled, length, buffer, size, flags) : NULL)
ALLOCATOR(__cxa_demangle, (const char *mangled, char *buffer, size_t *size, int *status),
          ? __cxa_demangle(mangled, buffer, size, status) : NULL)

void *fault_call_realloc(void *block, size_t size);
void *fault_call_realloc(void *block, size_t size)
{
    if (is_refused(__builtin_return_address(0), "realloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return block ? realloc(block, size) : counted(malloc(size));
}

int fault_call_vasprintf(char **ret_text, const char *format, va_list arguments);
int fault_call_vasprintf(char **ret_text, const char *format, va_list arguments)
{
    if (is_refused(__builtin_return_address(0), "vasprintf")) return -1;
    int length = vasprintf(ret_text, format, arguments);
    if (length >= 0) counted(*ret_text);
    return length;
}

/* A block that lies on no stack yet. */
void *fault_call__Block_copy(const void *block);
void *fault_call__Block_copy(const void *block)
{
    return is_refused(__builtin_return_address(0), "_Block_copy") ? NULL : _Block_copy(block);
}

void fault_call_free(void *block);
void fault_call_free(void *block)
{
    if (block && !is_child) atomic_fetch_sub(&fault_report->blocks, 1);
    free(block);
}
