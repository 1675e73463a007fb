/*
 * The common part of all adapters.
 */

#ifndef RL_ADAPTER_H
#define RL_ADAPTER_H

#include <CRunLoopHosts.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * An adapter is the first member of a host's own structure, which ends with it. All but the count
 * is for the run loop's thread.
 */
struct RLHostAdapter {
    atomic_int references;
    RLRunLoopRef loop;
    /* -1 when the hosting has ended. */
    int descriptor;
    /* The number of forks behind the process when it was made. */
    unsigned forks;
    RLIndex passes;
    /* Takes the descriptor out of the host; the thread may be ending, and the host with it. */
    void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending);
};

/*
 * Makes an adapter in so many zeroed bytes and begins the hosting; null, with a line that names the
 * function, if that fails. One reference for the caller, one for the hosting.
 */
void *rl_adapter_begin(size_t size, const RLHostAdapterOptions *options,
                       void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending),
                       const char *function);

/* For a host that did not take the descriptor: ends the hosting and gives up both references. */
void rl_adapter_give_up(RLHostAdapterRef adapter);

#endif
