#include "base/system.h"

#include "base/kernel.h"
#include "base/thread.h"

#include <CRunLoop/RLThreadWrapping.h>

#include <pthread.h>

int RLThreadCreate(void *ret_thread, const void *attributes, void *(*function)(void *info),
                   void *info)
{
    return rl_thread_create(ret_thread, attributes, function, info);
}

Boolean RLThreadTryJoin(const void *thread)
{
    return pthread_tryjoin_np(*(const pthread_t *)thread, NULL) == 0;
}

void RLThreadKeepUnblocked(int signal)
{
    rl_thread_keep_unblocked(signal);
}

SInt32 RLThreadGetNumber(void)
{
    return rl_kernel_thread_id();
}

UInt64 RLThreadGetSerialNumber(void)
{
    static atomic_ullong last;
    static _Thread_local UInt64 own;
    if (own == 0) own = atomic_fetch_add(&last, 1) + 1;
    return own;
}
