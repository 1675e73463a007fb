/*
 * A word in libdispatch's memory that tells, without a system call, whether the main queue has
 * work.
 *
 * libdispatch announces work of the main queue by an eventfd. Asking that takes one or two system
 * calls, in each pass of the main loop, and nearly always there is nothing. But the object of the
 * queue has a pointer to the last piece of work, the tail: null while nothing is queued, and set
 * before the eventfd is written. libdispatch does not say where in the object the tail lies. So it
 * is found by adding work to a queue made for that, and seeing which word changes.
 *
 * Even if the wrong word is found, no work is lost, as the word only tells a pass whether to ask
 * the eventfd:
 * - if the word is never null, each pass asks the eventfd;
 * - if it is null although there is work, the kernel reports the eventfd as soon as the loop sleeps
 *   or looks for descriptors, and main_queue.c asks after 64 passes or a millisecond;
 * - if no word is found, each pass asks. The same holds with CRUNLOOP_ASK_MAIN_QUEUE in the
 *   environment, and in a build with -DRL_USES_QUEUE_WORD=0.
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
