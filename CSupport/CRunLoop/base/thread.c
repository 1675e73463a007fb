#include "base/system.h"

#include "base/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/* These signals stay unblocked: those of a thread's own faults, and SIGPROF. */
static const int of_thread[] = {SIGABRT, SIGBUS,  SIGFPE,  SIGILL, SIGPIPE,
                                SIGPROF, SIGSEGV, SIGTRAP, SIGSYS};

static atomic_int unblocked;

void rl_thread_keep_unblocked(int signal)
{
    atomic_store(&unblocked, signal);
}

int rl_thread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
                     void *(*function)(void *context), void *context)
{
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof of_thread / sizeof of_thread[0]; i++) {
        sigdelset(&blocked, of_thread[i]);
    }
    int taken = atomic_load(&unblocked);
    if (taken) sigdelset(&blocked, taken);
    /* The new thread inherits the mask. */
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int failure = pthread_create(ret_thread, attributes, function, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

int rl_thread_start(void *(*function)(void *context), void *context)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failure = rl_thread_create(&thread, &attributes, function, context);
    pthread_attr_destroy(&attributes);
    return failure;
}
