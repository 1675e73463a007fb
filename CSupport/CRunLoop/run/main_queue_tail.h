/*
 * The word by which libdispatch knows whether its main queue has work.
 *
 * Work that is added to the main queue is announced by an eventfd. A main loop that asks it in each
 * pass makes one or two system calls a pass, nearly always to learn that there is nothing.
 * libdispatch itself asks a word of the queue's object, the tail of its list of work: null while
 * nothing is queued, and set before the eventfd is written. Where that word lies is not promised,
 * so it is found by observation, on a queue of the same kind that nobody else knows.
 *
 * A wrong word must not lose work. The word only decides whether a pass asks the eventfd:
 * - if it is never null, each pass asks the eventfd, as without it;
 * - if it is null although there is work, the kernel reports the eventfd as soon as the loop sleeps
 *   or looks for descriptors, and main_queue.c asks after 64 passes or a millisecond;
 * - if it is not found, or the environment has CRUNLOOP_ASK_MAIN_QUEUE, each pass asks.
 */

#ifndef RL_MAIN_QUEUE_TAIL_H
#define RL_MAIN_QUEUE_TAIL_H

#include <stdatomic.h>

/*
 * Finds the tail of the main queue's list. Returns null if anything is unexpected. Uses one
 * descriptor while it looks.
 */
void *_Atomic *rl_main_queue_find_tail(void);

#endif
