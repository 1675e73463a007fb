#include "base/system.h"

#include "base/kernel.h"

#include "base/check.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000 };

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t rl_kernel_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t rl_kernel_coarse_ns(void)
{
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

int64_t rl_kernel_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

void rl_kernel_read_coarse(int64_t *ret_monotonic_ns, int64_t *ret_wall_ns)
{
    *ret_monotonic_ns = read_clock(CLOCK_MONOTONIC_COARSE);
    *ret_wall_ns = read_clock(CLOCK_REALTIME_COARSE);
}

static int duplicate_above_standard(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    /* fcntl(2) fails with EINVAL if the number exceeds the process's limit of descriptors. */
    if (copy < 0 && errno == EINVAL) errno = EMFILE;
    return copy;
}

int rl_kernel_keep(int fd)
{
    if (RL_LIKELY(fd < 0 || fd > STDERR_FILENO)) return fd;
    int kept = duplicate_above_standard(fd);
    int failure = errno;
    RL_UNCANCELED(close(fd));
    errno = failure;
    return kept;
}

int rl_kernel_duplicate(int fd)
{
    int copy = duplicate_above_standard(fd);
    return copy < 0 ? -errno : copy;
}

void rl_kernel_close(int *fd)
{
    if (*fd >= 0) RL_UNCANCELED(close(*fd));
    *fd = -1;
}

bool rl_kernel_is_blocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || !(flags & O_NONBLOCK);
}

bool rl_kernel_has_bytes(int fd)
{
    int count = 0;
    return ioctl(fd, FIONREAD, &count) != 0 || count > 0;
}

pid_t rl_kernel_thread_id(void)
{
    pid_t number = (pid_t)syscall(SYS_gettid);
    if (RL_LIKELY(number >= 0)) return number;
    rl_client_error("run loop",
                    "gettid(2) failed, probably because of a sandbox: allow the system call");
}

bool rl_kernel_is_main_thread(void)
{
    return rl_kernel_thread_id() == getpid();
}

void rl_kernel_get_thread_name(char name[16])
{
    if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = '\0';
}

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void rl_kernel_futex_wait_for(atomic_uint *word, unsigned expected, int64_t most_ns)
{
    /* This system call takes 32-bit times on 32-bit machines. */
    struct {
        long seconds;
        long nanoseconds;
    } most = {(long)(most_ns / NS_PER_S), (long)(most_ns % NS_PER_S)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &most, NULL, 0);
}

void rl_kernel_futex_wake_one(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void rl_kernel_futex_wake_all(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
