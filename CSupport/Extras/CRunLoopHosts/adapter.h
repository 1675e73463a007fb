#ifndef RL_ADAPTER_H
#define RL_ADAPTER_H

#include <CRunLoopHosts.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * The first member of the structure of each kind of host, which is freed together with it. All
 * fields except `references` are confined to the run loop's thread.
 */
struct RLHostAdapter {
    atomic_int references;
    RLRunLoopRef loop;
    /* The poll descriptor; -1 after the hosting has ended. */
    int descriptor;
    /* The number of forks when the adapter was created. */
    unsigned forks;
    RLIndex passes;
    /*
     * Removes the descriptor from the host. If `is_thread_ending` is true, the host may be ending
     * with the thread.
     */
    void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending);
};

/*
 * Allocates `size` zeroed bytes and begins the hosting. On failure, prints a warning that names
 * `function`, and returns null. The caller and the hosting each own a reference.
 */
void *rl_adapter_begin(size_t size, const RLHostAdapterOptions *options,
                       void (*detach)(RLHostAdapterRef adapter, bool is_thread_ending),
                       const char *function);

/* Call this after the host has rejected the descriptor. Releases both references to the adapter. */
void rl_adapter_give_up(RLHostAdapterRef adapter);

#endif
