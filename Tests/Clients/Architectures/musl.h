/*
 * The functions of glibc that scenarios use and musl lacks. Included before all other headers
 * there.
 */

#ifndef ARCHITECTURES_MUSL_H
#define ARCHITECTURES_MUSL_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#define TEMP_FAILURE_RETRY(call)                                                                   \
    __extension__({                                                                                \
        long retry_result;                                                                         \
        do {                                                                                       \
            retry_result = (call);                                                                 \
        } while (retry_result == -1 && errno == EINTR);                                            \
        retry_result;                                                                              \
    })

/* The errors that traces name. */
static inline const char *strerrorname_np(int error)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {
        {ENOENT, "ENOENT"},
        {EBADF, "EBADF"},
        {EINVAL, "EINVAL"},
        {EPIPE, "EPIPE"},
        {ENOTCONN, "ENOTCONN"},
        {ENOTSOCK, "ENOTSOCK"},
        {ECONNREFUSED, "ECONNREFUSED"},
        {ECONNRESET, "ECONNRESET"},
        {ETIMEDOUT, "ETIMEDOUT"},
        {EISDIR, "EISDIR"},
        {ENOMEM, "ENOMEM"},
        {EMFILE, "EMFILE"},
        {EADDRNOTAVAIL, "EADDRNOTAVAIL"},
        {EHOSTUNREACH, "EHOSTUNREACH"},
        {EAGAIN, "EAGAIN"},
        {EALREADY, "EALREADY"},
        {ECANCELED, "ECANCELED"},
        {EACCES, "EACCES"},
        {EPERM, "EPERM"},
        {ENOTSUP, "ENOTSUP"},
        {ENOSPC, "ENOSPC"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].error == error) return names[i].name;
    }
    return NULL;
}

/* The signals that traces name. */
static inline const char *sigabbrev_np(int number)
{
    static const char *const names[] = {
        [SIGILL] = "ILL",   [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT", [SIGBUS] = "BUS",
        [SIGFPE] = "FPE",   [SIGKILL] = "KILL", [SIGSEGV] = "SEGV", [SIGPIPE] = "PIPE",
        [SIGSTOP] = "STOP", [SIGPROF] = "PROF", [SIGSYS] = "SYS",
    };
    return names[number];
}

/* The C library does not report used memory: leak checks see no leak. */
struct mallinfo2 {
    size_t uordblks;
};

static inline struct mallinfo2 mallinfo2(void)
{
    return (struct mallinfo2){0};
}

#endif
