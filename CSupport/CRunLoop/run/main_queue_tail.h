/*
 * A word in libdispatch's memory that indicates, without a system call, whether the main queue has
 * work.
 *
 * libdispatch signals work of the main queue with an eventfd. Reading the eventfd costs one or two
 * system calls in each pass, and the queue is nearly always empty. But the queue object has a
 * pointer to the last work item, the tail. The tail is null while the queue is empty, and
 * libdispatch sets the tail before it writes to the eventfd. libdispatch does not document the
 * tail's offset, so main_queue_tail.c detects the offset.
 *
 * A wrong word loses no work, as the word only decides whether a pass reads the eventfd:
 * - If the word is never null, each pass reads the eventfd.
 * - If the word is null although there is work, the kernel reports the eventfd at the next sleep or
 *   poll of descriptors, and main_queue.c reads it after 64 passes or a millisecond.
 * - If no word is found, each pass reads the eventfd. The same holds with CRUNLOOP_ASK_MAIN_QUEUE
 *   in the environment, and in a build with -DRL_USES_QUEUE_WORD=0.
 */

#ifndef RL_MAIN_QUEUE_TAIL_H
#define RL_MAIN_QUEUE_TAIL_H

#include <stdatomic.h>

/* Returns null if the layout is unexpected. The search opens an eventfd temporarily. */
void *_Atomic *rl_main_queue_find_tail(void);

#endif
