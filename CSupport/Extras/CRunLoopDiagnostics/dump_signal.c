/*
 * Dumps on a signal. Each signal that requests dumps has a thread, which waits for requests,
 * generates the text, and passes the text to the handler. The thread has no loop, so it does not
 * appear in the dumps.
 */

#define _GNU_SOURCE

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SIGNALS 65

struct dumper {
    /* `request` is an eventfd that later dumpers of the signal use too. `end` ends this dumper. */
    int request, end;
    int signal;
    pthread_t thread;
    /* Only the thread uses this. The thread cannot join itself if the handler ends the dumps. */
    bool was_ended_by_handler;
    RLRunLoopDumpCallBack handler;
    void (*release)(void *info);
    void *info;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Guarded by the lock. */
static struct dumper *dumpers[SIGNALS];

/* Called in the child of a fork, in which the threads do not exist. Their resources leak. */
static void forget_dumps(void)
{
    pthread_mutex_init(&lock, NULL);
    for (int signal = 0; signal < SIGNALS; signal++) {
        if (dumpers[signal]) close(dumpers[signal]->end);
        dumpers[signal] = NULL;
    }
}

static void set_up_dump_signal(void)
{
    pthread_atfork(NULL, NULL, forget_dumps);
}

static void give_up_dumps(struct dumper *self)
{
    if (self->release) self->release(self->info);
    close(self->end);
    free(self);
}

static bool has_ended(const struct dumper *self)
{
    struct pollfd end = {.fd = self->end, .events = POLLIN};
    return poll(&end, 1, 0) == 1;
}

/* Returns false when the dumps have ended. The next dumper of the signal serves later requests. */
static bool wait_for_request(const struct dumper *self)
{
    struct pollfd counters[] = {{.fd = self->request, .events = POLLIN},
                                {.fd = self->end, .events = POLLIN}};
    for (;;) {
        eventfd_t count;
        if (poll(counters, 2, -1) < 0) continue;
        bool is_requested = eventfd_read(self->request, &count) == 0;
        if (has_ended(self)) {
            if (is_requested) RLRequestSignal(self->request);
            return false;
        }
        if (is_requested) return true;
    }
}

static void *serve_dumps(void *info)
{
    struct dumper *self = info;
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, self->signal);
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    while (wait_for_request(self)) {
        char *text = RLRunLoopCopyDump();
        self->handler(text, self->info);
        free(text);
        if (!self->was_ended_by_handler) continue;
        give_up_dumps(self);
        break;
    }
    return NULL;
}

/*
 * Starts a thread that does not block the signal. So the thread receives the signal even if all
 * other threads block the signal, as dispatch's threads do. Returns 0 or a negative errno value.
 */
static int start_dumper(struct dumper *self, int signal)
{
    self->end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (self->end < 0) return -errno;
    self->signal = signal;
    int failure = RLThreadCreate(&self->thread, NULL, serve_dumps, self);
    if (failure) {
        close(self->end);
    } else {
        pthread_setname_np(self->thread, "rl-dumps");
    }
    return -failure;
}

/* Call this with the lock held. */
static int begin_dumps(int signal, struct dumper *self)
{
    self->request = RLSignalRequestBegin(signal);
    if (self->request < 0) return self->request;
    int failure = start_dumper(self, signal);
    if (failure) {
        RLSignalRequestEnd(signal);
    } else {
        dumpers[signal] = self;
    }
    return failure;
}

int RLRunLoopDumpOnSignalWithHandler(int signal, RLRunLoopDumpCallBack handler,
                                     void (*release)(void *info), void *info)
{
    if (!handler) return -EINVAL;
    struct dumper *self = calloc(1, sizeof *self);
    if (!self) return -ENOMEM;
    *self = (struct dumper){.handler = handler, .release = release, .info = info};
    pthread_once(&once, set_up_dump_signal);
    pthread_mutex_lock(&lock);
    int result = begin_dumps(signal, self);
    pthread_mutex_unlock(&lock);
    if (result < 0) free(self);
    return result;
}

static void wait_for_output_space(int descriptor)
{
    struct pollfd query = {.fd = descriptor, .events = POLLOUT};
    poll(&query, 1, -1);
}

/* Stops if writing fails, for example because a pipe has no reader. */
static void write_text(const char *text, void *info)
{
    int descriptor = (int)(intptr_t)info;
    for (size_t left = strlen(text); left > 0;) {
        RLIndex written = RLWriteWithoutSignal(descriptor, text, (RLIndex)left);
        if (written > 0) {
            text += written;
            left -= (size_t)written;
        } else if (written == -EAGAIN) {
            wait_for_output_space(descriptor);
        } else if (written != -EINTR) {
            return;
        }
    }
}

int RLRunLoopDumpOnSignal(int signal, int descriptor)
{
    if (descriptor < 0) return -EBADF;
    return RLRunLoopDumpOnSignalWithHandler(signal, write_text, NULL, (void *)(intptr_t)descriptor);
}

void RLRunLoopEndDumpOnSignal(int signal)
{
    if (signal <= 0 || signal >= SIGNALS) return;
    pthread_mutex_lock(&lock);
    struct dumper *self = dumpers[signal];
    dumpers[signal] = NULL;
    if (self) RLSignalRequestEnd(signal);
    pthread_mutex_unlock(&lock);
    if (!self) return;
    if (pthread_equal(self->thread, pthread_self())) {
        self->was_ended_by_handler = true;
        pthread_detach(self->thread);
        return;
    }
    RLRequestSignal(self->end);
    pthread_join(self->thread, NULL);
    give_up_dumps(self);
}
