/*
 * The description of a loop, with CF's fields in CF's format. In lldb, `po runloop` prints it.
 *
 * A description may be requested on any thread and in any callback, and calls the contexts'
 * `copyDescription` without locks. So this file first copies the loop's structure with the loop
 * locked, and then describes the copy.
 */

#include "base/clock.h"
#include "loop/loop.h"
#include "loop/report.h"
#include "loop/source.h"
#include "report/describe.h"

#include <stdlib.h>

/* CF prints its ports as numbers. Returns 0 if the descriptor was not made yet. */
static unsigned port_number(int fd)
{
    return fd < 0 ? 0 : (unsigned)fd;
}

/* A copy of a mode or of the common items, which retains the objects. */
struct mode_copy {
    const void *address;
    RLStringRef name;
    bool is_common, exists;
    struct rl_wait_descriptors wait;
    int64_t soft_ns, hard_ns;
    struct rl_item **items[RL_ITEM_KINDS];
    size_t counts[RL_ITEM_KINDS];
};

/* Call this with the loop locked. Skips the common items: their timers may be in another loop. */
static void copy_deadlines(const struct rl_mode *mode, struct mode_copy *copy)
{
    copy->soft_ns = copy->hard_ns = RL_NEVER_NS;
    if (rl_mode_is_common_list(mode)) return;
    const struct rl_timer_entry *next = rl_timer_queue_next(&mode->timers);
    if (next) copy->soft_ns = next->deadline_ns;
    copy->hard_ns = rl_timer_queue_hard_deadline(&mode->timers, false);
}

static void copy_mode(struct rl_mode *mode, struct mode_copy *ret_copy)
{
    *ret_copy = (struct mode_copy){.address = mode,
                                   .name = mode->name ? RLRetain(mode->name) : NULL,
                                   .is_common = mode->is_common,
                                   .exists = mode->exists,
                                   .wait = rl_wait_set_descriptors(&mode->wait_set)};
    copy_deadlines(mode, ret_copy);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
        ret_copy->items[kind] = rl_allocate_list(count, sizeof ret_copy->items[0][0]);
        ret_copy->counts[kind] = count;
        for (size_t i = 0; i < count; i++) {
            ret_copy->items[kind][i] = members[i]->item;
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

/* Uses CF's format for sets and arrays. */
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

static void add_mode_text(struct rl_text *text, const struct mode_copy *copy)
{
    int64_t now_ns = rl_clock_now_ns();
    rl_describe_head(text, "RLRunLoopMode", copy->address);
    rl_text_add(text, "{name = %s, port set = 0x%x, timer port = 0x%x,\n",
                rl_string_characters(copy->name), port_number(copy->wait.poll),
                port_number(copy->wait.timer));
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
        add_mode_text(text, &modes[i]);
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
    rl_describe_head(&text, "RLRunLoop", object);
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
