/*
 * Notifications between the processes of a user. Each process that has observers owns a message
 * port, whose name begins with a common prefix. A process that posts sends to every name in the
 * folder with this prefix. There is no broker. A receiver whose queue is full misses the
 * notification.
 */

#ifndef RL_DISTRIBUTED_H
#define RL_DISTRIBUTED_H

#include "notifications/notification_center.h"

/* Flags that are sent with the name, the object and the user info. */
enum { RL_NOTIFICATION_IS_DARWIN = 1, RL_NOTIFICATION_IS_IMMEDIATE = 2 };

/* Call this when an observer is added. The main loop then receives notifications. */
void rl_distributed_listen(void);

/* Posts to all processes of the user. Stops the process if `info` is not a property list. */
void rl_distributed_post(unsigned flags, RLStringRef name, RLStringRef object, RLDictionaryRef info,
                         const char *function);

void rl_distributed_prepare_fork(void);
void rl_distributed_unlock_after_fork(void);

void rl_distributed_perform(void (*function)(void *info), void *info);

#endif
