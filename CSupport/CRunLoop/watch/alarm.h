/*
 * A moment at which an object has something to do wherever its source is scheduled. There is a
 * timer for each mode of a loop, as any of the loops may be the next to run.
 */

#ifndef RL_ALARM_H
#define RL_ALARM_H

#include "base/lock.h"
#include "loop/source.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLRunLoopTimer.h>

/* Guarded by the lock of its object, which the functions take: no lock is held. */
struct rl_alarm {
    /* The timers, or null. */
    RLArrayRef timers;
    bool has_ended;
};

/*
 * Has a function called with the object so many seconds from now, once for each mode of its source.
 * The timers retain the object, and take the place of those that were set before.
 */
void rl_alarm_set(struct rl_alarm *alarm, struct rl_lock *lock, struct rl_source *source,
                  RLTimeInterval seconds, RLRunLoopTimerCallBack callout, void *object);

/* Gives up the timers. */
void rl_alarm_forget(struct rl_alarm *alarm, struct rl_lock *lock);

/* Gives up the timers, and those that threads are about to set. */
void rl_alarm_end(struct rl_alarm *alarm, struct rl_lock *lock);

#endif
