#include "base/clock.h"
#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/observer.h"
#include "loop/report.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "report/describe.h"

RLStringRef rl_describe_source(RLTypeRef object)
{
    const struct rl_source *source = object;
    struct rl_text text = {0};
    rl_describe_head(&text, "RLRunLoopSource", object);
    rl_text_add(&text, "{signalled = %s, valid = %s, order = %ld, context = ",
                rl_describe_bool(atomic_load(&source->signal_state) != RL_NOT_SIGNALLED),
                rl_describe_bool(atomic_load(&source->item.is_valid)),
                rl_source_more(source)->order);
    RLStringRef (*copy_description)(const void *) =
        rl_source_more(source)->context.v0.copyDescription;
    if (copy_description) {
        rl_text_add_string(&text, rl_callout_copy_description(copy_description, source->info));
    } else {
        rl_text_add(&text, "<RLRunLoopSource context>{version = %ld, info = %p, ",
                    rl_source_version(source), source->info);
        rl_describe_callout(&text, rl_source_perform_address(source));
        rl_text_add(&text, "}");
    }
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

RLStringRef rl_describe_observer(RLTypeRef object)
{
    struct rl_observer *observer = (struct rl_observer *)(uintptr_t)object;
    struct rl_text text = {0};
    rl_describe_head(&text, "RLRunLoopObserver", object);
    rl_text_add(&text, "{valid = %s, activities = 0x%lx, repeats = %s, order = %ld, ",
                rl_describe_bool(atomic_load(&observer->item.is_valid)), observer->activities,
                rl_describe_bool(observer->repeats), observer->order);
    rl_describe_callout(&text, (const void *)(uintptr_t)observer->callout);
    rl_text_add(&text, ", ");
    rl_describe_context(&text, &observer->item, &observer->info, &observer->functions,
                        "RLRunLoopObserver");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

RLStringRef rl_describe_timer(RLTypeRef object)
{
    struct rl_timer *timer = (struct rl_timer *)(uintptr_t)object;
    struct rl_loop *loop = rl_item_lock_with_loop(&timer->item);
    bool is_firing = timer->item.is_called;
    RLAbsoluteTime date = timer->fire_date;
    int64_t deadline_ns = timer->deadline_ns;
    double tolerance = (double)timer->tolerance_ns / 1.0e9;
    rl_item_unlock_with_loop(&timer->item, loop);
    struct rl_text text = {0};
    rl_describe_head(&text, "RLRunLoopTimer", object);
    rl_text_add(&text,
                "{valid = %s, firing = %s, interval = %.09g, tolerance = %.09g, "
                "next fire date = %.09g (%.09g @ %lld), ",
                rl_describe_bool(atomic_load(&timer->item.is_valid)), rl_describe_bool(is_firing),
                timer->interval, tolerance, date, date - RLAbsoluteTimeGetCurrent(),
                (long long)deadline_ns);
    rl_describe_callout_and_file(&text, (const void *)(uintptr_t)timer->callout);
    rl_text_add(&text, ", ");
    rl_describe_context(&text, &timer->item, &timer->info, &timer->functions, "RLRunLoopTimer");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}
