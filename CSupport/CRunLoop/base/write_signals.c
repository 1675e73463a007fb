#include "base/system.h"

#include "base/write_signals.h"

#include "base/uncanceled.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGPIPE, SIGXFSZ};

void rl_write_signals_block(struct rl_write_signals *ret_before)
{
    sigset_t *ours = &ret_before->ours, pending;
    sigemptyset(ours);
    for (int i = 0; i < 2; i++) sigaddset(ours, signals[i]);
    pthread_sigmask(SIG_BLOCK, ours, &ret_before->mask_before);
    for (int i = 0; i < 2; i++) {
        /* If the signal was not blocked before, the thread has received any earlier signal. */
        if (sigismember(&ret_before->mask_before, signals[i]) <= 0) continue;
        if (sigpending(&pending) != 0 || sigismember(&pending, signals[i]) > 0) {
            sigdelset(ours, signals[i]);
        }
    }
}

void rl_write_signals_restore(const struct rl_write_signals *before, bool is_raised)
{
    int saved_errno = errno;
    /* The kernel dequeues a signal for the thread before a signal for the process. */
    const struct timespec now = {0};
    if (is_raised) RL_UNCANCELED(sigtimedwait(&before->ours, NULL, &now));
    pthread_sigmask(SIG_SETMASK, &before->mask_before, NULL);
    errno = saved_errno;
}

ssize_t rl_write_without_signal(int fd, const void *bytes, size_t length)
{
    struct rl_write_signals before;
    rl_write_signals_block(&before);
    ssize_t written = RL_UNCANCELED(write(fd, bytes, length));
    rl_write_signals_restore(&before, written < 0 && (errno == EPIPE || errno == EFBIG));
    return written;
}
