#include "flag.h"

void FlagRaise(Flag *flag)
{
    pthread_mutex_lock(&flag->mutex);
    flag->count++;
    pthread_cond_signal(&flag->raised);
    pthread_mutex_unlock(&flag->mutex);
}

void FlagAwait(Flag *flag)
{
    pthread_mutex_lock(&flag->mutex);
    while (flag->count == 0) pthread_cond_wait(&flag->raised, &flag->mutex);
    flag->count--;
    pthread_mutex_unlock(&flag->mutex);
}
