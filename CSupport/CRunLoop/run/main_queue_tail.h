/*
 * A word in libdispatch's memory that shows, without a system call, whether the main queue has
 * work.
 *
 * libdispatch signals work of the main queue with an eventfd. Reading the eventfd costs one or two
 * system calls in each pass of the main loop, and nearly always finds nothing. But the queue object
 * has a pointer to the last work item, the tail: null while the queue is empty, and set before the
 * eventfd is written. libdispatch does not document the offset of the tail. So the offset is
 * detected: main_queue_tail.c adds work to a private queue, and the word that changes is the tail.
 *
 * Even a wrong word loses no work, as it only decides whether a pass reads the eventfd:
 * - if the word is never null, each pass reads the eventfd;
 * - if it is null although there is work, the kernel reports the eventfd as soon as the loop sleeps
 *   or polls descriptors, and main_queue.c reads it after 64 passes or a millisecond;
 * - if no word is found, each pass reads the eventfd. The same holds with CRUNLOOP_ASK_MAIN_QUEUE
 *   in the environment, and in a build with -DRL_USES_QUEUE_WORD=0.
 */

#ifndef RL_MAIN_QUEUE_TAIL_H
#define RL_MAIN_QUEUE_TAIL_H

#include <stdatomic.h>

/* Returns null if the layout is unexpected. Uses one descriptor during the search. */
void *_Atomic *rl_main_queue_find_tail(void);

#endif
