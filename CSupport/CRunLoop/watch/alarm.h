/*
 * An alarm is a deadline of an object. It has one timer in each mode of each loop that contains the
 * object's source, because any of these loops may run next.
 */

#ifndef RL_ALARM_H
#define RL_ALARM_H

#include "base/lock.h"
#include "loop/source.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLRunLoopTimer.h>

/* The object's lock guards this. The functions take the lock, so call them without it. */
struct rl_alarm {
    /* The timers, one for each mode, or null. */
    RLArrayRef timers;
    bool has_ended;
};

/* Replaces the timers. Each new timer retains the object, and calls `callout` with the object. */
void rl_alarm_set(struct rl_alarm *alarm, struct rl_lock *lock, struct rl_source *source,
                  RLTimeInterval seconds, RLRunLoopTimerCallBack callout, void *object);

void rl_alarm_forget(struct rl_alarm *alarm, struct rl_lock *lock);

/* Later calls of rl_alarm_set have no effect. */
void rl_alarm_end(struct rl_alarm *alarm, struct rl_lock *lock);

#endif
