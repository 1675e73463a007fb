#include "watch/alarm.h"

#include "loop/item_lock.h"

static RLRunLoopTimerRef timer_at(RLArrayRef timers, RLIndex index)
{
    return (RLRunLoopTimerRef)(uintptr_t)RLArrayGetValueAtIndex(timers, index);
}

static void replace_timers(struct rl_alarm *alarm, struct rl_lock *lock, RLArrayRef timers)
{
    rl_lock(lock);
    bool is_kept = !alarm->has_ended || !timers;
    RLArrayRef outdated = is_kept ? alarm->timers : timers;
    if (is_kept) alarm->timers = timers;
    rl_unlock(lock);
    if (!outdated) return;
    for (RLIndex i = 0; i < RLArrayGetCount(outdated); i++) {
        RLRunLoopTimerInvalidate(timer_at(outdated, i));
    }
    RLRelease(outdated);
}

static RLMutableArrayRef make_timers(size_t count, RLTimeInterval seconds,
                                     RLRunLoopTimerCallBack callout, void *object)
{
    RLRunLoopTimerContext context = {.info = object, .retain = RLRetain, .release = RLRelease};
    RLAbsoluteTime date = RLAbsoluteTimeGetCurrent() + seconds;
    RLMutableArrayRef timers = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    for (size_t i = 0; i < count; i++) {
        RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, date, 0, 0, 0, callout, &context);
        RLArrayAppendValue(timers, timer);
        RLRelease(timer);
    }
    return timers;
}

void rl_alarm_set(struct rl_alarm *alarm, struct rl_lock *lock, struct rl_source *source,
                  RLTimeInterval seconds, RLRunLoopTimerCallBack callout, void *object)
{
    struct rl_place *places;
    size_t count = rl_item_copy_places(&source->item, &places);
    RLMutableArrayRef timers = make_timers(count, seconds, callout, object);
    RLRetain(timers);
    replace_timers(alarm, lock, timers);
    /* Another thread may have invalidated the timers. In this case adding them has no effect. */
    for (size_t i = 0; i < count; i++) {
        RLRunLoopAddTimer((RLRunLoopRef)(void *)places[i].loop, timer_at(timers, (RLIndex)i),
                          places[i].mode);
    }
    RLRelease(timers);
    rl_item_free_places(places, count);
}

void rl_alarm_forget(struct rl_alarm *alarm, struct rl_lock *lock)
{
    replace_timers(alarm, lock, NULL);
}

void rl_alarm_end(struct rl_alarm *alarm, struct rl_lock *lock)
{
    rl_lock(lock);
    alarm->has_ended = true;
    rl_unlock(lock);
    replace_timers(alarm, lock, NULL);
}
