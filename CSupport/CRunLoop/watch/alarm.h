/*
 * An alarm: a deadline of an object, in each mode of each loop that has the object's source. There
 * is a timer for each mode, as any of the loops may run next.
 */

#ifndef RL_ALARM_H
#define RL_ALARM_H

#include "base/lock.h"
#include "loop/source.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLRunLoopTimer.h>

/* Guarded by its object's lock, which the functions take. Call them with no lock held. */
struct rl_alarm {
    /* One timer for each mode, or null. */
    RLArrayRef timers;
    bool has_ended;
};

/*
 * Calls a function with the object after `seconds`, once for each mode of its source. The
 * timers retain the object. Replaces an earlier alarm.
 */
void rl_alarm_set(struct rl_alarm *alarm, struct rl_lock *lock, struct rl_source *source,
                  RLTimeInterval seconds, RLRunLoopTimerCallBack callout, void *object);

void rl_alarm_forget(struct rl_alarm *alarm, struct rl_lock *lock);

/* Cancels the alarm for good: alarms that other threads are about to set have no effect. */
void rl_alarm_end(struct rl_alarm *alarm, struct rl_lock *lock);

#endif
