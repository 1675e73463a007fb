#ifndef RL_NOTIFICATION_CENTER_H
#define RL_NOTIFICATION_CENTER_H

#include "base/object.h"

#include <CRunLoop/RLNotificationCenter.h>

/*
 * Calls the observers of the center that the flags select, or queues the notification. `size` is in
 * bytes, as received. Call this only on the main loop's thread.
 */
void rl_notification_center_deliver(unsigned flags, RLStringRef name, RLStringRef object,
                                    RLDictionaryRef info, size_t size);

#endif
