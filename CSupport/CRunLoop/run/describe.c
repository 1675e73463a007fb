/*
 * What `po runloop` shows, field for field as CF prints it.
 *
 * A description may be taken on any thread and in any callback. So the structure is copied with
 * the loop locked, and only then described, with no lock, as contexts describe themselves.
 */

#include "base/system.h"

#include "run/describe.h"

#include "base/clock.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/observer.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "values/text.h"

#include <dlfcn.h>
#include <stdlib.h>

/* A kernel object as CF shows its ports; 0 while it has not been made. */
static unsigned port_number(int fd)
{
    return fd < 0 ? 0 : (unsigned)fd;
}

static const char *yes_or_no(bool value)
{
    return value ? "Yes" : "No";
}

/* Address of the object and of its allocator, which is always the default one. */
static void add_head(struct rl_text *text, const char *type, const void *object)
{
    rl_text_add(text, "<%s %p [%p]>", type, object, (const void *)kRLAllocatorDefault);
}

static const char *symbol_of(const void *function)
{
    Dl_info found;
    if (!function || !dladdr(function, &found) || !found.dli_sname) return "???";
    return found.dli_sname;
}

void rl_describe_callout(struct rl_text *text, const void *function)
{
    rl_text_add(text, "callout = %s (%p)", symbol_of(function), function);
}

/* The context's own description, or the default one of its type. */
static void add_context(struct rl_text *text, struct rl_item *item, void *const *client_info,
                        const struct rl_client_functions *functions, const char *type)
{
    rl_lock(&item->object.lock);
    bool is_described = *client_info && functions->copy_description;
    /* Another thread may invalidate the item while its context describes itself. */
    void *info = *client_info;
    if (is_described) info = rl_item_take_info(item, info, functions);
    rl_unlock(&item->object.lock);
    rl_text_add(text, "context = ");
    if (is_described) {
        void *pinned = rl_item_pin_info(item, info, functions);
        rl_text_add_string(text, rl_callout_copy_description(functions->copy_description, pinned));
        rl_item_unpin_info(pinned, functions);
    } else {
        rl_text_add(text, "<%s context %p>", type, info);
    }
}

RLStringRef rl_describe_source(RLTypeRef object)
{
    const struct rl_source *source = object;
    struct rl_text text = {0};
    add_head(&text, "RLRunLoopSource", object);
    rl_text_add(&text, "{signalled = %s, valid = %s, order = %ld, context = ",
                yes_or_no(atomic_load(&source->item.signal_state) != RL_NOT_SIGNALLED),
                yes_or_no(atomic_load(&source->item.is_valid)), rl_source_more(source)->order);
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
    add_head(&text, "RLRunLoopObserver", object);
    rl_text_add(&text, "{valid = %s, activities = 0x%lx, repeats = %s, order = %ld, ",
                yes_or_no(atomic_load(&observer->item.is_valid)), observer->activities,
                yes_or_no(observer->repeats), observer->order);
    rl_describe_callout(&text, (const void *)(uintptr_t)observer->callout);
    rl_text_add(&text, ", ");
    add_context(&text, &observer->item, &observer->info, &observer->functions, "RLRunLoopObserver");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static void add_timer_callout(struct rl_text *text, const void *function)
{
    Dl_info found = {0};
    bool is_known = function && dladdr(function, &found);
    rl_text_add(text, "callout = %s (%p / %p) (%s)",
                is_known && found.dli_sname ? found.dli_sname : "?", function, found.dli_saddr,
                is_known && found.dli_fname ? found.dli_fname : "?");
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
    add_head(&text, "RLRunLoopTimer", object);
    rl_text_add(&text,
                "{valid = %s, firing = %s, interval = %.09g, tolerance = %.09g, "
                "next fire date = %.09g (%.09g @ %lld), ",
                yes_or_no(atomic_load(&timer->item.is_valid)), yes_or_no(is_firing),
                timer->interval, tolerance, date, date - RLAbsoluteTimeGetCurrent(),
                (long long)deadline_ns);
    add_timer_callout(&text, (const void *)(uintptr_t)timer->callout);
    rl_text_add(&text, ", ");
    add_context(&text, &timer->item, &timer->info, &timer->functions, "RLRunLoopTimer");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

/* A copy of a mode, or of the common items; what it points to is retained. */
struct mode_copy {
    const void *address;
    RLStringRef name;
    bool is_common, exists;
    int poll_fd, timer_fd;
    int64_t soft_ns, hard_ns;
    struct rl_item **items[RL_ITEM_KINDS];
    size_t counts[RL_ITEM_KINDS];
};

/* When the mode's next timer is due, with the loop locked, which does not guard the common items. */
static void copy_deadlines(const struct rl_mode *mode, struct mode_copy *copy)
{
    copy->soft_ns = copy->hard_ns = RL_NEVER_NS;
    if (rl_mode_is_record(mode)) return;
    const struct rl_timer_queue_entry *next = rl_timer_queue_next(&mode->timers);
    if (next) copy->soft_ns = next->deadline_ns;
    copy->hard_ns = rl_timer_queue_hard_deadline(&mode->timers);
}

/* With the loop locked. */
static void copy_mode(struct rl_mode *mode, struct mode_copy *ret_copy)
{
    *ret_copy = (struct mode_copy){.address = mode,
                                   .name = mode->name ? RLRetain(mode->name) : NULL,
                                   .is_common = mode->is_common,
                                   .exists = mode->exists,
                                   .poll_fd = mode->wait_set.poll_fd,
                                   .timer_fd = mode->wait_set.timer_fd};
    copy_deadlines(mode, ret_copy);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
        ret_copy->items[kind] = rl_allocate_list(count, sizeof ret_copy->items[0][0]);
        ret_copy->counts[kind] = count;
        for (size_t i = 0; i < count; i++) {
            ret_copy->items[kind][i] = rl_membership_item(members[i]);
            rl_object_retain(&ret_copy->items[kind][i]->object);
        }
        free(members);
    }
}

static void free_copy(struct mode_copy *copy)
{
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        for (size_t i = 0; i < copy->counts[kind]; i++) RLRelease(copy->items[kind][i]);
        free(copy->items[kind]);
    }
    if (copy->name) RLRelease(copy->name);
}

static bool is_version_0(const struct rl_item *item)
{
    return rl_source_version(rl_source_of(item)) == 0;
}

/* One collection of a mode, in the form in which CF shows sets and arrays. */
static void add_items(struct rl_text *text, const char *name, struct rl_item *const *items,
                      size_t count, bool (*is_shown)(const struct rl_item *), bool is_wanted)
{
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) shown += !is_shown || is_shown(items[i]) == is_wanted;
    rl_text_add(text, "\t%s = ", name);
    if (shown == 0) {
        rl_text_add(text, "(null),\n");
        return;
    }
    rl_text_add(text, "{count = %zu, values = (\n", shown);
    for (size_t i = 0, index = 0; i < count; i++) {
        if (is_shown && is_shown(items[i]) != is_wanted) continue;
        rl_text_add(text, "\t\t%zu : ", index++);
        rl_text_add_string(text, RLCopyDescription(items[i]));
        rl_text_add(text, "\n");
    }
    rl_text_add(text, "\t)},\n");
}

static void add_deadline(struct rl_text *text, const char *name, int64_t deadline_ns,
                         int64_t now_ns)
{
    double seconds = deadline_ns == RL_NEVER_NS ? (double)UINT64_MAX / 1.0e9
                                                : (double)(deadline_ns - now_ns) / 1.0e9;
    long long ticks = deadline_ns == RL_NEVER_NS ? -1 : (long long)deadline_ns;
    rl_text_add(text, " / %s deadline in: %.09g sec (@ %lld)", name, seconds, ticks);
}

static void add_mode(struct rl_text *text, const struct mode_copy *copy)
{
    int64_t now_ns = rl_clock_now_ns();
    add_head(text, "RLRunLoopMode", copy->address);
    rl_text_add(text, "{name = %s, port set = 0x%x, timer port = 0x%x,\n",
                rl_string_characters(copy->name), port_number(copy->poll_fd),
                port_number(copy->timer_fd));
    struct rl_item *const *sources = copy->items[RL_ITEM_SOURCE];
    size_t source_count = copy->counts[RL_ITEM_SOURCE];
    add_items(text, "sources0", sources, source_count, is_version_0, true);
    add_items(text, "sources1", sources, source_count, is_version_0, false);
    add_items(text, "observers", copy->items[RL_ITEM_OBSERVER], copy->counts[RL_ITEM_OBSERVER],
              NULL, true);
    add_items(text, "timers", copy->items[RL_ITEM_TIMER], copy->counts[RL_ITEM_TIMER], NULL, true);
    rl_text_add(text, "\tcurrently %.09g (%lld)", RLAbsoluteTimeGetCurrent(), (long long)now_ns);
    add_deadline(text, "soft", copy->soft_ns, now_ns);
    add_deadline(text, "hard", copy->hard_ns, now_ns);
    rl_text_add(text, "\n},\n");
}

static void add_common(struct rl_text *text, const struct mode_copy *common,
                       const struct mode_copy *modes, size_t count)
{
    size_t common_count = 0;
    for (size_t i = 0; i < count; i++) common_count += modes[i].is_common;
    rl_text_add(text, "common modes = {count = %zu, entries =>\n", common_count);
    for (size_t i = 0; i < count; i++) {
        if (modes[i].is_common) {
            rl_text_add(text, "\t%zu : %s\n", i, rl_string_characters(modes[i].name));
        }
    }
    rl_text_add(text, "},\ncommon mode items = ");
    size_t item_count = 0;
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) item_count += common->counts[kind];
    if (item_count == 0) {
        rl_text_add(text, "(null),\n");
        return;
    }
    rl_text_add(text, "{count = %zu, entries =>\n", item_count);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        for (size_t i = 0; i < common->counts[kind]; i++) {
            rl_text_add(text, "\t");
            rl_text_add_string(text, RLCopyDescription(common->items[kind][i]));
            rl_text_add(text, "\n");
        }
    }
    rl_text_add(text, "},\n");
}

static struct mode_copy *copy_modes(struct rl_loop *loop, struct mode_copy *ret_common,
                                    RLStringRef *ret_current, size_t *ret_count)
{
    size_t count = 0;
    struct rl_mode *mode;
    rl_lock(&loop->lock);
    TAILQ_FOREACH(mode, &loop->modes, link) {
        count++;
    }
    struct mode_copy *copies = rl_allocate(count * sizeof copies[0]);
    *ret_count = 0;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        copy_mode(mode, &copies[(*ret_count)++]);
    }
    copy_mode(&loop->common_items, ret_common);
    *ret_current = rl_loop_copy_current_name(loop);
    rl_unlock(&loop->lock);
    return copies;
}

static void add_modes(struct rl_text *text, const struct mode_copy *modes, size_t count)
{
    size_t existing = 0;
    for (size_t i = 0; i < count; i++) existing += modes[i].exists;
    rl_text_add(text, "modes = {count = %zu, entries =>\n", existing);
    for (size_t i = 0; i < count; i++) {
        if (!modes[i].exists) continue;
        rl_text_add(text, "%zu : ", i);
        add_mode(text, &modes[i]);
    }
}

RLStringRef rl_describe_loop(RLTypeRef object)
{
    struct rl_loop *loop = (struct rl_loop *)(uintptr_t)object;
    struct mode_copy common;
    RLStringRef current;
    size_t count;
    struct mode_copy *modes = copy_modes(loop, &common, &current, &count);
    uint64_t word = atomic_load(&loop->wake.word);

    struct rl_text text = {0};
    add_head(&text, "RLRunLoop", object);
    rl_text_add(&text, "{wakeup port = 0x%x, stopped = %s, ignoreWakeUps = %s,\n",
                port_number(atomic_load(&loop->wake.fd)), word & RL_WAKE_STOPPED ? "true" : "false",
                word & RL_WAKE_LISTENING ? "false" : "true");
    rl_text_add(&text, "current mode = %s,\n", current ? rl_string_characters(current) : "(none)");
    add_common(&text, &common, modes, count);
    add_modes(&text, modes, count);
    rl_text_add(&text, "}\n}\n");

    for (size_t i = 0; i < count; i++) free_copy(&modes[i]);
    free_copy(&common);
    free(modes);
    if (current) RLRelease(current);
    return rl_text_finish(&text);
}
