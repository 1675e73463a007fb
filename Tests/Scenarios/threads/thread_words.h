/*
 * Words for scenarios about the ends of threads.
 */

#ifndef SCENARIOS_THREAD_WORDS_H
#define SCENARIOS_THREAD_WORDS_H

#include "words.h"

/** The work of a foreign key's destructor in each of its rounds at the end of a thread. */
struct farewell {
    pthread_key_t key;
    int round;
    int last_round;
    void (^body)(int round);
};

static inline void send_farewell(void *value)
{
    struct farewell *farewell = value;

    farewell->body(++farewell->round);
    if (farewell->round < farewell->last_round) pthread_setspecific(farewell->key, farewell);
}

/** Has something done in the first rounds of destructors of the calling thread. */
static inline void in_rounds(int last_round, void (^body)(int round))
{
    struct farewell *farewell = calloc(1, sizeof(*farewell));

    farewell->last_round = last_round;
    farewell->body = copied((const void *)body);
    pthread_key_create(&farewell->key, send_farewell);
    pthread_setspecific(farewell->key, farewell);
    at_end(^{
        pthread_key_delete(farewell->key);
        release_block((const void *)farewell->body);
        free(farewell);
    });
}

#endif
