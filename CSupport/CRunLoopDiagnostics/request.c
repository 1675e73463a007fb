/*
 * Requests from signal handlers: a handler adds one to an eventfd and does nothing else.
 */

#define _GNU_SOURCE

#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SIGNALS 65

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The descriptor and one, so that 0 means none. Read by handlers. */
static atomic_int requests[SIGNALS];
/* With the lock held. */
static struct sigaction previous[SIGNALS];

static void handle(int number)
{
    int descriptor = atomic_load(&requests[number]) - 1;
    if (descriptor >= 0) RLRequestSignal(descriptor);
}

int RLSignalRequestBegin(int signal, int descriptor)
{
    if (signal <= 0 || signal >= SIGNALS) return -EINVAL;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&lock);
    int result = atomic_load(&requests[signal]) != 0 ? -EBUSY : 0;
    if (result == 0) {
        atomic_store(&requests[signal], descriptor + 1);
        if (sigaction(signal, &action, &previous[signal]) != 0) {
            result = -errno;
            atomic_store(&requests[signal], 0);
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void RLSignalRequestEnd(int signal)
{
    if (signal <= 0 || signal >= SIGNALS) return;
    pthread_mutex_lock(&lock);
    if (atomic_load(&requests[signal]) != 0) {
        sigaction(signal, &previous[signal], NULL);
        atomic_store(&requests[signal], 0);
    }
    pthread_mutex_unlock(&lock);
}

int RLRequestCreate(void)
{
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

void RLRequestWait(int descriptor)
{
    eventfd_t count;
    while (eventfd_read(descriptor, &count) != 0 && (errno == EAGAIN || errno == EINTR)) {
        struct pollfd request = {.fd = descriptor, .events = POLLIN};
        poll(&request, 1, -1);
    }
}

void RLRequestSignal(int descriptor)
{
    int saved_errno = errno;
    eventfd_write(descriptor, 1);
    errno = saved_errno;
}
