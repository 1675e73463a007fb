/*
 * The main dispatch queue as one more event of the main loop.
 */

#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;
struct rl_wait_set;

/*
 * Returns whether a run of the loop on the calling thread, in a common mode, serves the main queue.
 * So it is for the main loop, on the main thread, but not within work of the queue (MODE-20,
 * MAINQ-1), and not for a host that serves the queue itself.
 */
bool rl_main_queue_is_served_by(const struct rl_loop *loop);

/*
 * Returns whether nothing can happen in the mode (MODE-18), the main queue included, for the
 * calling thread. Loop locked.
 */
bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode);

/*
 * Puts the queue's port, which is readable while the queue has work, into a set, or takes it out.
 * Returns false if the process has no descriptor left for it. Takes out the port of an abandoned
 * queue. Loop locked.
 */
bool rl_main_queue_include(struct rl_wait_set *set, bool is_included);

/* Takes the announcement of work from the port. Returns whether there was one. A system call. */
bool rl_main_queue_take(void);

/*
 * Returns whether nothing is queued, as far as one can see without a system call. Work that is
 * queued later makes the port readable. A hosted loop always asks the port: it and its host take
 * turns by what the kernel reports.
 */
bool rl_main_queue_seems_empty(const struct rl_loop *loop);

/*
 * Returns whether a pass is to ask the queue: the queue does not seem empty, or no pass has asked
 * for a while. To be called once in a pass.
 */
bool rl_main_queue_is_due(const struct rl_loop *loop);

/* Runs the work that is queued now: the queue is owed no turn after that. No locks held. */
void rl_main_queue_serve(struct rl_loop *loop);

/* For the child of a fork: libdispatch is dead there, and its port is the parent's. */
void rl_main_queue_abandon(void);

/*
 * Returns whether the main queue was abandoned, or libdispatch serves it by itself since the main
 * thread is at its end. A run that began before has to ask.
 */
bool rl_main_queue_is_abandoned(void);

#endif
