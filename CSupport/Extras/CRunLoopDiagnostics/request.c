/*
 * Requests from signal handlers. A handler only adds one to an eventfd.
 *
 * The eventfd of a signal stays open after the requests of the signal have ended, because a handler
 * in another thread may be about to write to it. A forked child has no requests, because the
 * threads that serve them do not exist there.
 */

#define _GNU_SOURCE

#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SIGNALS 65

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* The descriptors plus one, so 0 means no descriptor. Handlers read both arrays. */
static atomic_int descriptors[SIGNALS];
static atomic_bool is_enabled[SIGNALS];
/* Guarded by the lock. */
static struct sigaction previous[SIGNALS];

static void handle_signal(int number)
{
    if (atomic_load(&is_enabled[number])) RLRequestSignal(atomic_load(&descriptors[number]) - 1);
}

/* Does nothing if other code has replaced our handler. */
static void give_back(int signal)
{
    struct sigaction now;
    if (sigaction(signal, NULL, &now) != 0 || now.sa_handler != handle_signal) return;
    sigaction(signal, &previous[signal], NULL);
}

/* The child shares the eventfds with its parent, so writes of the child would reach the parent. */
static void forget_requests(void)
{
    pthread_mutex_init(&lock, NULL);
    for (int number = 0; number < SIGNALS; number++) {
        if (atomic_exchange(&is_enabled[number], false)) give_back(number);
        int descriptor = atomic_exchange(&descriptors[number], 0) - 1;
        if (descriptor >= 0) close(descriptor);
    }
}

static void set_up_requests(void)
{
    pthread_atfork(NULL, NULL, forget_requests);
}

/* Returns a negative errno value on failure. Call this with the lock held. */
static int descriptor_of_signal(int signal)
{
    int kept = atomic_load(&descriptors[signal]) - 1;
    if (kept >= 0) return kept;
    int made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made < 0) return -errno;
    atomic_store(&descriptors[signal], made + 1);
    return made;
}

/* Call this with the lock held. */
static int begin_request(int signal)
{
    if (atomic_load(&is_enabled[signal])) return -EBUSY;
    int descriptor = descriptor_of_signal(signal);
    if (descriptor < 0) return descriptor;
    struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, &previous[signal]) != 0) return -errno;
    atomic_store(&is_enabled[signal], true);
    return descriptor;
}

int RLSignalRequestBegin(int signal)
{
    if (signal <= 0 || signal >= SIGNALS) return -EINVAL;
    pthread_once(&once, set_up_requests);
    pthread_mutex_lock(&lock);
    int result = begin_request(signal);
    pthread_mutex_unlock(&lock);
    return result;
}

void RLSignalRequestEnd(int signal)
{
    if (signal <= 0 || signal >= SIGNALS) return;
    pthread_mutex_lock(&lock);
    if (atomic_exchange(&is_enabled[signal], false)) give_back(signal);
    pthread_mutex_unlock(&lock);
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
