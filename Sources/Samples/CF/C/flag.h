/* A flag that one thread raises and another waits for. Each wait consumes one raise. */

#ifndef FLAG_H
#define FLAG_H

#include <pthread.h>

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t raised;
    int count;
} Flag;

#define FLAG_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

void FlagRaise(Flag *flag);
void FlagAwait(Flag *flag);

#endif
