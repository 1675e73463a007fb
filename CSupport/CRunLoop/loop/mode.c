#include "loop/mode.h"

#include "base/clock.h"
#include "values/value.h"

#include <stdlib.h>

void rl_mode_init(struct rl_mode *mode, struct rl_loop *loop, struct rl_wake *wake,
                  const rl_clock_slot *clock, RLStringRef name)
{
    mode->loop = loop;
    /* Copies the name, because the client may change a mutable string. */
    mode->name = name ? RLStringCreateCopy(NULL, name) : NULL;
    mode->c_name = mode->name ? rl_string_characters(mode->name) : NULL;
    atomic_init(&mode->first_deadline_ns, RL_NEVER_NS);
    TAILQ_INIT(&mode->sources);
    TAILQ_INIT(&mode->observers);
    SPLAY_INIT(&mode->source_tree);
    atomic_init(&mode->limit_ns, RL_NEVER_NS);
    LIST_INIT(&mode->signalled);
    rl_wait_set_init(&mode->wait_set, wake, clock);
}

void rl_mode_destroy(struct rl_mode *mode)
{
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) RL_ASSERT(mode->member_counts[kind] == 0);
    rl_wait_set_destroy(&mode->wait_set);
    rl_timer_queue_destroy(&mode->timers);
    if (mode->name) RLRelease(mode->name);
}

const struct rl_item_functions *rl_item_functions[RL_ITEM_KINDS];

static const struct rl_item_functions *functions_of(const struct rl_item *item)
{
    return rl_item_functions[rl_item_kind_of(item)];
}

struct cursor {
    const struct rl_source_membership *source;
    const struct rl_observer_membership *observer;
    uint32_t timer;
};

/* Stores null in `ret_member` for a removed timer. Returns false at the end. */
static bool next_member(const struct rl_mode *mode, enum rl_item_kind kind, struct cursor *cursor,
                        const struct rl_membership **ret_member)
{
    const struct rl_timer_membership *timer = NULL;
    if (kind == RL_ITEM_SOURCE && cursor->source) {
        *ret_member = &cursor->source->common;
        cursor->source = TAILQ_NEXT(cursor->source, link);
        return true;
    }
    if (kind == RL_ITEM_OBSERVER && cursor->observer) {
        *ret_member = &cursor->observer->common;
        cursor->observer = TAILQ_NEXT(cursor->observer, link);
        return true;
    }
    if (kind != RL_ITEM_TIMER) return false;
    bool is_there = rl_timer_queue_at(&mode->timers, cursor->timer++, &timer);
    *ret_member = timer ? &timer->common : NULL;
    return is_there;
}

/*
 * Both the list of the item's modes and the list of the mode's items may be long. So this function
 * searches both lists in parallel, until the shorter list ends.
 */
struct rl_membership *rl_mode_find_own(const struct rl_mode *mode, const struct rl_item *item)
{
    struct cursor cursor = {TAILQ_FIRST(&mode->sources), TAILQ_FIRST(&mode->observers), 0};
    struct rl_membership *member = item->memberships;
    for (; member; member = member->next_of_item) {
        const struct rl_membership *other;
        if (member->mode == mode) return member;
        if (!next_member(mode, rl_item_kind_of(item), &cursor, &other)) return NULL;
        if (other && other->item == item) return (struct rl_membership *)(uintptr_t)other;
    }
    return NULL;
}

struct rl_membership *rl_mode_find(struct rl_mode *mode, const struct rl_item *item)
{
    const struct rl_item_functions *functions = functions_of(item);
    return functions->find_equal ? functions->find_equal(mode, item) : rl_mode_find_own(mode, item);
}

struct rl_membership **rl_mode_copy_members(const struct rl_mode *mode, enum rl_item_kind kind,
                                            size_t *ret_count)
{
    *ret_count = mode->member_counts[kind];
    if (*ret_count == 0) return NULL;
    struct rl_membership **members = rl_allocate_list(*ret_count, sizeof *members);
    size_t count = 0;
    struct rl_source_membership *source;
    struct rl_observer_membership *observer;
    switch (kind) {
    case RL_ITEM_SOURCE:
        TAILQ_FOREACH(source, &mode->sources, link) members[count++] = &source->common;
        break;
    case RL_ITEM_OBSERVER:
        TAILQ_FOREACH(observer, &mode->observers, link) members[count++] = &observer->common;
        break;
    default: count = rl_timer_queue_copy(&mode->timers, members);
    }
    RL_ASSERT(count == *ret_count);
    return members;
}

void rl_mode_visit_members(const struct rl_mode *mode, void (*visit)(struct rl_membership *))
{
    struct rl_source_membership *source;
    struct rl_observer_membership *observer;
    TAILQ_FOREACH(source, &mode->sources, link) visit(&source->common);
    TAILQ_FOREACH(observer, &mode->observers, link) visit(&observer->common);
    rl_timer_queue_visit(&mode->timers, visit);
}

static struct rl_membership *embedded_membership(struct rl_item *item)
{
    return (struct rl_membership *)(void *)((char *)item + functions_of(item)->embedded_offset);
}

static struct rl_membership *make_membership(struct rl_mode *mode, struct rl_item *item)
{
    struct rl_membership *member = embedded_membership(item);
    if (member->mode) member = rl_allocate(functions_of(item)->membership_size);
    rl_object_retain(&item->object);
    member->item = item;
    member->mode = mode;
    return member;
}

/* Does not release the item. An embedded membership is only marked as unused. */
static void free_membership(struct rl_membership *member)
{
    if (member == embedded_membership(member->item)) {
        member->mode = NULL;
    } else {
        free(member);
    }
}

/* The count is atomic because threads read it unlocked. It changes with the loop locked. */
static void count_members(struct rl_mode *mode, enum rl_item_kind kind, int change)
{
    atomic_size_t *counter = &mode->member_counts[kind];
    size_t count = atomic_load_explicit(counter, memory_order_relaxed) + (size_t)change;
    atomic_store_explicit(counter, count, memory_order_relaxed);
}

bool rl_mode_insert(struct rl_mode *mode, struct rl_item *item)
{
    if (rl_mode_find(mode, item)) return false;
    struct rl_membership *member = make_membership(mode, item);
    member->next_of_item = item->memberships;
    member->link_of_item = &item->memberships;
    if (item->memberships) item->memberships->link_of_item = &member->next_of_item;
    item->memberships = member;
    count_members(mode, rl_item_kind_of(item), 1);
    mode->exists = true;
    functions_of(item)->link(member);
    return true;
}

void rl_mode_erase(struct rl_membership *membership)
{
    struct rl_item *item = membership->item;
    struct rl_membership *next = membership->next_of_item;
    *membership->link_of_item = next;
    if (next) next->link_of_item = membership->link_of_item;
    count_members(membership->mode, rl_item_kind_of(item), -1);
    functions_of(item)->unlink(membership);
    free_membership(membership);
}

int64_t rl_mode_port_deadline(const struct rl_mode *mode)
{
    struct rl_clock *clock = rl_clock_of(mode->wait_set.clock);
    int64_t limit_ns = mode->limit_ns;
    int64_t deadline_ns = rl_timer_queue_hard_deadline(&mode->timers, clock->is_exact);
    bool is_limit = limit_ns < deadline_ns && clock->needs_port(clock, limit_ns);
    return is_limit ? limit_ns : deadline_ns;
}

void rl_mode_arm_overdue(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    const struct rl_timer_entry *next = rl_timer_queue_next(&mode->timers);
    if (!next || next->deadline_ns > rl_clock_now_by(set->clock)) return;
    if (rl_wait_set_open(set)) rl_wait_set_arm(set, next->deadline_ns);
}

/* Returns RL_NEVER_NS if there is no timer, and RL_NEVER_NS - 1 if the first timer never fires. */
static int64_t first_deadline(const struct rl_mode *mode)
{
    const struct rl_timer_entry *first = rl_timer_queue_first(&mode->timers);
    if (!first) return RL_NEVER_NS;
    return first->deadline_ns < RL_NEVER_NS ? first->deadline_ns : RL_NEVER_NS - 1;
}

/* Not inlined, so the common case need not save registers. */
static __attribute__((noinline)) void update_wait_set(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    if (rl_wait_set_is_asleep(set)) {
        int64_t deadline_ns = rl_mode_port_deadline(mode);
        /* Without a timer port, wakes the loop, which restarts its sleep with a new time-out. */
        if (!rl_wait_set_arm(set, deadline_ns)) rl_wake_write_port(set->wake);
    } else if (rl_wait_set_armed_for(set) != RL_NEVER_NS && mode->timers.count == 0) {
        rl_wait_set_arm(set, RL_NEVER_NS);
    } else if (rl_wait_set_has_sources(set)) {
        rl_mode_arm_overdue(mode);
    }
}

void rl_mode_timers_changed(struct rl_mode *mode)
{
    const struct rl_wait_set *set = &mode->wait_set;
    int64_t first_ns = first_deadline(mode);
    atomic_store_explicit(&mode->first_deadline_ns, first_ns, memory_order_relaxed);
    if (rl_wait_set_is_in_use(set)) update_wait_set(mode);
}

static void verify_member(struct rl_mode *mode, enum rl_item_kind kind,
                          const struct rl_membership *member)
{
    const struct rl_item *item = member->item;
    RL_ASSERT(member->mode == mode && rl_item_kind_of(item) == kind);
    RL_ASSERT(kind != RL_ITEM_SOURCE || rl_mode_find(mode, item) != NULL);
}

void rl_mode_verify(struct rl_mode *mode)
{
    rl_timer_queue_verify(&mode->timers);
    RL_ASSERT(mode->timers.count == mode->member_counts[RL_ITEM_TIMER]);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
        for (size_t i = 0; i < count; i++) verify_member(mode, kind, members[i]);
        free(members);
    }
    if (rl_mode_is_common_list(mode)) return;
    RL_ASSERT(mode->first_deadline_ns == first_deadline(mode));
}
