
#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;
struct rl_wait_set;

/*
 * Returns whether a run of the loop on the calling thread, in a common mode, serves the main queue
 * (MODE-20, MAINQ-1). This requires that the loop is the main loop, on the main thread, not inside
 * a work item of the queue, and that no host serves the queue itself.
 */
bool rl_main_queue_is_served_by(const struct rl_loop *loop);

/*
 * Returns whether the mode is empty for the calling thread (MODE-18). If the thread serves the main
 * queue, the queue counts as an item. Call this with the loop locked.
 */
bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode);

/*
 * Adds the queue's port to a wait set, or removes it; the port is readable while the queue has
 * work. Removes the port of an abandoned queue. Returns false if the process has no descriptor
 * left. Call this with the loop locked.
 */
bool rl_main_queue_include(struct rl_wait_set *set, bool is_included);

/* Reads and resets the port, with a system call. Returns whether the queue had work. */
bool rl_main_queue_take(void);

/*
 * Returns whether the queue is empty according to its tail, without a system call. Work that is
 * queued later makes the port readable. Always false for a hosted loop, which reads the port in
 * each pass, so that loop and host alternate in the kernel's order.
 */
bool rl_main_queue_seems_empty(const struct rl_loop *loop);

/*
 * Returns whether a pass must read the port: the queue does not seem empty, or the port has not
 * been read for a while. Call this once per pass.
 */
bool rl_main_queue_is_due(const struct rl_loop *loop);

/* Performs the queued work. Call this without a lock. */
void rl_main_queue_serve(struct rl_loop *loop);

/*
 * Called in a forked child: libdispatch does not work in the child, and the port is shared with the
 * parent.
 */
void rl_main_queue_abandon(void);

/*
 * Returns whether the loop no longer serves the main queue: in a forked child, or because
 * libdispatch serves it after the end of the main thread. A run that began earlier must check this.
 */
bool rl_main_queue_is_abandoned(void);

#endif
