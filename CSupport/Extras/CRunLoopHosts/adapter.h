
#ifndef RL_ADAPTER_H
#define RL_ADAPTER_H

#include <CRunLoopHosts.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * An adapter is the first member of a host's own structure, which is freed with it. All fields but
 * the count are for the run loop's thread.
 */
struct RLHostAdapter {
    atomic_int references;
    RLRunLoopRef loop;
    /* -1 when the hosting has ended. */
    int descriptor;
    /* The process's number of forks at the creation. */
    unsigned forks;
    RLIndex passes;
    /* Removes the descriptor from the host; the thread may be ending, and the host with it. */
    void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending);
};

/*
 * Makes an adapter of `size` zeroed bytes and begins the hosting; on failure returns null, with a
 * warning that names the function. One reference is the caller's, one the hosting's.
 */
void *rl_adapter_begin(size_t size, const RLHostAdapterOptions *options,
                       void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending),
                       const char *function);

/* For a host that has refused the descriptor: ends the hosting and releases both references. */
void rl_adapter_give_up(RLHostAdapterRef adapter);

#endif
