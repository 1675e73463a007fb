/* Notification centers: functions for distributed.c. */

#ifndef RL_NOTIFICATION_CENTER_H
#define RL_NOTIFICATION_CENTER_H

#include "base/object.h"

#include <CRunLoop/RLNotificationCenter.h>

/*
 * Calls the observers of the center that the flags name, or queues the notification; `size` is its
 * received size. On the main loop's thread only.
 */
void rl_notification_center_deliver(unsigned flags, RLStringRef name, RLStringRef object,
                                    RLDictionaryRef info, size_t size);

#endif
