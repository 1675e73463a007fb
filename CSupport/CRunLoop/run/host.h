/*
 * A loop that is served inside another event loop: it waits with the host's thread, not by itself.
 */

#ifndef RL_HOST_H
#define RL_HOST_H

#include <CRunLoop/RLRunLoopHosting.h>

#include <stdbool.h>

struct rl_loop;

/* What a loop knows of its host; only its thread. */
struct rl_host {
    RLRunLoopHostingContext context;
    bool serves_main_queue;
    /* A pass is under way that the host has asked for. */
    bool is_serving;
    /* The last pass that the host asked for has served it. */
    bool skips_main_queue;
};

/* After each run of a hosted loop: makes the poll descriptor tell what is left to do. */
void rl_host_rest(struct rl_loop *loop);

/* The outermost run of a hosted loop begins, or the hosting ends: it does not wait any more. */
void rl_host_stir(struct rl_loop *loop);

/*
 * To be called when there is new work that nobody may announce by a wake-up. If it is the loop's own
 * thread that made it, in a callback of the host's, the loop would come to it before it sleeps.
 */
void rl_host_notice(struct rl_loop *loop);

/* Whether the poll descriptor is readable. */
bool rl_host_is_called(struct rl_loop *loop);

/* Ends the hosting, if there is one, and says so to the client. */
void rl_host_end(struct rl_loop *loop, bool is_thread_ending);

/* The child of a fork has no host, and nobody is told. */
void rl_host_forget(struct rl_loop *loop);

#endif
