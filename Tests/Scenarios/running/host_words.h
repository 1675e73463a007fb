/*
 * Words for scenarios about loops that other event loops serve.
 */

#ifndef SCENARIOS_HOST_WORDS_H
#define SCENARIOS_HOST_WORDS_H

#include "words.h"

#include <poll.h>

/** Whether the loop wants to be served, within some milliseconds. */
static inline bool host_is_called(int descriptor, int milliseconds)
{
    struct pollfd query = {.fd = descriptor, .events = POLLIN};

    return poll(&query, 1, milliseconds) == 1;
}

/** Begins to host this thread's loop in the default mode, with the main queue. */
static inline int begin_hosting(void)
{
    int descriptor = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);

    check(descriptor >= 0);
    return descriptor;
}

/** Waits for a call of the loop, serves all of it, and sees that nothing is left. */
static inline void answer_host(int descriptor)
{
    check(host_is_called(descriptor, 10000));
    check(!RLRunLoopRunHosted(1000));
    check(!host_is_called(descriptor, 0));
}

/** Serves the loop until it has nothing more to do. */
static inline void serve_hosted(int descriptor)
{
    while (host_is_called(descriptor, 0)) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}

#endif
