/*
 * Membership, from the mode's side.
 */

#include "loop/mode.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "loop/observer.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "loop/trace.h"

#include <stdlib.h>

static int compare_hashes(struct rl_source_membership *first, struct rl_source_membership *second)
{
    return first->hash < second->hash ? -1 : first->hash > second->hash;
}

/*
 * A splay tree has neither links upwards nor colors, which would be 16 bytes of each source.
 * SPLAY_PROTOTYPE would declare more functions than are used.
 */
void rl_source_tree_SPLAY(struct rl_source_tree *tree, struct rl_source_membership *key);
SPLAY_GENERATE(rl_source_tree, rl_source_membership, node, compare_hashes)

/* Returns the membership in the tree whose source has this hash, or null. */
static struct rl_source_membership *find_hash(struct rl_source_tree *tree,
                                              struct rl_source_membership *key)
{
    if (SPLAY_EMPTY(tree)) return NULL;
    rl_source_tree_SPLAY(tree, key);
    return compare_hashes(key, SPLAY_ROOT(tree)) == 0 ? SPLAY_ROOT(tree) : NULL;
}

void rl_mode_init(struct rl_mode *mode, struct rl_loop *loop, RLStringRef name)
{
    mode->loop = loop;
    mode->name = name ? RLRetain(name) : NULL;
    atomic_init(&mode->first_deadline_ns, RL_NEVER_NS);
    for (int kind = 0; kind < RL_ITEM_TIMER; kind++) TAILQ_INIT(&mode->members[kind]);
    SPLAY_INIT(&mode->sources);
    LIST_INIT(&mode->signalled);
    rl_wait_set_init(&mode->wait_set, &loop->wake);
    if (rl_trace_is_on(loop)) mode->observed = RL_OBSERVED_BY_TRACER;
}

void rl_mode_destroy(struct rl_mode *mode)
{
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) RL_ASSERT(mode->member_counts[kind] == 0);
    rl_wait_set_destroy(&mode->wait_set);
    rl_timer_queue_destroy(&mode->timers);
    if (mode->name) RLRelease(mode->name);
}

/* Sources with one hash hang below the one that is in the tree. */
static struct rl_membership *find_source(struct rl_mode *mode, struct rl_item *item)
{
    struct rl_source_membership key = {.hash = rl_source_hash(item)};
    struct rl_source_membership *member = find_hash(&mode->sources, &key);
    while (member && !rl_source_is_equal(rl_membership_item(&member->common), item)) {
        member = member->same_hash;
    }
    return member ? &member->common : NULL;
}

struct rl_membership *rl_mode_find(struct rl_mode *mode, struct rl_item *item)
{
    if (rl_item_kind_of(item) == RL_ITEM_SOURCE) return find_source(mode, item);
    return rl_item_membership_in(item, mode);
}

static void insert_source(struct rl_mode *mode, struct rl_source_membership *member)
{
    member->hash = rl_source_hash(rl_membership_item(&member->common));
    member->common.place = RL_NO_SLOT;
    member->same_hash = NULL;
    struct rl_source_membership *resident = SPLAY_INSERT(rl_source_tree, &mode->sources, member);
    if (resident) {
        member->same_hash = resident->same_hash;
        resident->same_hash = member;
    }
    TAILQ_INSERT_TAIL(&mode->members[RL_ITEM_SOURCE], &member->common, link);
    if (!rl_mode_is_record(mode)) rl_source_entered(member);
}

static void erase_source(struct rl_mode *mode, struct rl_source_membership *member)
{
    struct rl_source_membership *first = find_hash(&mode->sources, member);
    if (first == member) {
        SPLAY_REMOVE(rl_source_tree, &mode->sources, member);
        if (member->same_hash) SPLAY_INSERT(rl_source_tree, &mode->sources, member->same_hash);
    } else {
        while (first->same_hash != member) first = first->same_hash;
        first->same_hash = member->same_hash;
    }
    if (!rl_mode_is_record(mode)) rl_source_left(member);
}

static void insert_observer(struct rl_mode *mode, struct rl_membership *member)
{
    struct rl_membership_list *list = &mode->members[RL_ITEM_OBSERVER];
    RLIndex order = rl_observer_of(rl_membership_item(member))->order;
    struct rl_membership *before = TAILQ_LAST(list, rl_membership_list);
    while (before && rl_observer_of(rl_membership_item(before))->order > order) {
        before = TAILQ_PREV(before, rl_membership_list, link);
    }
    if (before) {
        TAILQ_INSERT_AFTER(list, before, member, link);
    } else {
        TAILQ_INSERT_HEAD(list, member, link);
    }
    atomic_fetch_or(&mode->observed, rl_observer_of(rl_membership_item(member))->activities);
}

static void forget_observer(struct rl_mode *mode)
{
    RLOptionFlags observed = atomic_load(&mode->observed) & RL_OBSERVED_BY_TRACER;
    struct rl_membership *member;
    TAILQ_FOREACH(member, &mode->members[RL_ITEM_OBSERVER], link) {
        observed |= rl_observer_of(rl_membership_item(member))->activities;
    }
    atomic_store(&mode->observed, observed);
}

/* The common items keep their timers in a queue too, in which none is ever due. */
static void insert_timer(struct rl_mode *mode, struct rl_membership *member)
{
    struct rl_timer_queue *queue = &mode->timers;
    const struct rl_timer *timer = rl_timer_of(rl_membership_item(member));
    if (rl_mode_is_record(mode)) {
        rl_timer_queue_insert(queue, member, RL_NEVER_NS, queue->additions);
        return;
    }
    rl_timer_queue_insert(queue, member, timer->deadline_ns, rl_loop_count_placement(mode->loop));
    if (timer->tolerance_ns > 0) queue->tolerant++;
    rl_mode_timers_changed(mode);
}

static void erase_timer(struct rl_mode *mode, struct rl_membership *member)
{
    rl_timer_queue_remove(&mode->timers, member);
    if (rl_mode_is_record(mode)) return;
    if (rl_timer_of(rl_membership_item(member))->tolerance_ns > 0) mode->timers.tolerant--;
    rl_mode_timers_changed(mode);
}

struct rl_membership **rl_mode_copy_members(const struct rl_mode *mode, enum rl_item_kind kind,
                                            size_t *ret_count)
{
    *ret_count = mode->member_counts[kind];
    if (*ret_count == 0) return NULL;
    struct rl_membership **members = rl_allocate_list(*ret_count, sizeof *members);
    if (kind == RL_ITEM_TIMER) {
        rl_timer_queue_copy(&mode->timers, members);
        return members;
    }
    size_t count = 0;
    struct rl_membership *member;
    TAILQ_FOREACH(member, &mode->members[kind], link) {
        RL_ASSERT(count < *ret_count);
        members[count++] = member;
    }
    RL_ASSERT(count == *ret_count);
    return members;
}

/* Only sources have more than the common part. */
static struct rl_membership *allocate_membership(struct rl_item *item)
{
    bool is_source = rl_item_kind_of(item) == RL_ITEM_SOURCE;
    size_t size = is_source ? sizeof(struct rl_source_membership) : sizeof(struct rl_membership);
    struct rl_distant_membership *made =
        rl_allocate(offsetof(struct rl_distant_membership, member) + size);
    made->item = item;
    return &made->member.common;
}

static struct rl_membership *make_membership(struct rl_mode *mode, struct rl_item *item)
{
    struct rl_membership *embedded = rl_item_home(item);
    struct rl_membership *member = embedded->mode ? allocate_membership(item) : embedded;
    rl_object_retain(&item->object);
    member->mode = mode;
    return member;
}

/*
 * Frees an allocated membership, and leaves an embedded one unlinked, so that the item can use it
 * again.
 */
static void free_membership(struct rl_membership *member)
{
    if (member->is_home) {
        member->mode = NULL;
    } else {
        free(rl_membership_distant(member));
    }
}

/* The caller holds the loop's lock. Atomic, as other threads read the count without it. */
static void count_members(struct rl_mode *mode, enum rl_item_kind kind, int change)
{
    atomic_size_t *counter = &mode->member_counts[kind];
    size_t count = atomic_load_explicit(counter, memory_order_relaxed) + (size_t)change;
    atomic_store_explicit(counter, count, memory_order_relaxed);
}

bool rl_mode_insert(struct rl_mode *mode, struct rl_item *item)
{
    enum rl_item_kind kind = rl_item_kind_of(item);
    bool is_there = kind == RL_ITEM_SOURCE ? find_source(mode, item) != NULL
                                           : rl_item_membership_in(item, mode) != NULL;
    if (is_there) return false;
    struct rl_membership *member = make_membership(mode, item);
    member->next_of_item = item->memberships;
    item->memberships = member;
    count_members(mode, kind, 1);
    mode->exists = true;
    switch (kind) {
    case RL_ITEM_SOURCE: insert_source(mode, rl_source_membership_of(member)); break;
    case RL_ITEM_OBSERVER: insert_observer(mode, member); break;
    default: insert_timer(mode, member); break;
    }
    return true;
}

void rl_mode_erase(struct rl_membership *membership)
{
    struct rl_mode *mode = membership->mode;
    enum rl_item_kind kind = rl_item_kind_of(rl_membership_item(membership));
    struct rl_membership **link = &rl_membership_item(membership)->memberships;
    while (*link != membership) link = &(*link)->next_of_item;
    *link = membership->next_of_item;

    count_members(mode, kind, -1);
    if (kind != RL_ITEM_TIMER) TAILQ_REMOVE(&mode->members[kind], membership, link);
    switch (kind) {
    case RL_ITEM_SOURCE: erase_source(mode, rl_source_membership_of(membership)); break;
    case RL_ITEM_OBSERVER: forget_observer(mode); break;
    default: erase_timer(mode, membership); break;
    }
    free_membership(membership);
}

void rl_mode_arm_overdue(struct rl_mode *mode)
{
    if (rl_clock_stopped()) return;
    struct rl_wait_set *set = &mode->wait_set;
    const struct rl_timer_queue_entry *next = rl_timer_queue_next(&mode->timers);
    if (!next || next->deadline_ns > rl_clock_now_ns()) return;
    if (rl_wait_set_open(set)) rl_wait_set_arm(set, next->deadline_ns);
}

/* A timer that is never due still is a timer. */
static int64_t first_deadline(const struct rl_mode *mode)
{
    const struct rl_timer_queue_entry *first = rl_timer_queue_first(&mode->timers);
    if (!first) return RL_NEVER_NS;
    return first->deadline_ns < RL_NEVER_NS ? first->deadline_ns : RL_NEVER_NS - 1;
}

/* Apart, so that a change that the kernel need not hear of saves no registers. */
static __attribute__((noinline)) void tell_wait_set(struct rl_mode *mode)
{
    struct rl_wait_set *set = &mode->wait_set;
    if (set->is_asleep) {
        int64_t deadline_ns = rl_timer_queue_hard_deadline(&mode->timers);
        /* Without a port, only the time-out of another wait ends the sleep in time. */
        if (!rl_wait_set_arm(set, deadline_ns)) rl_wake_ring(set->wake);
    } else if (set->armed_ns != 0 && mode->timers.count == 0) {
        rl_wait_set_arm(set, RL_NEVER_NS);
    } else if (set->descriptors > 0) {
        rl_mode_arm_overdue(mode);
    }
}

void rl_mode_timers_changed(struct rl_mode *mode)
{
    const struct rl_wait_set *set = &mode->wait_set;
    int64_t first_ns = first_deadline(mode);
    atomic_store_explicit(&mode->first_deadline_ns, first_ns, memory_order_relaxed);
    if (set->is_asleep || set->armed_ns != 0 || set->descriptors > 0) tell_wait_set(mode);
}

static void verify_member(struct rl_mode *mode, enum rl_item_kind kind,
                          const struct rl_membership *member, size_t *tolerant)
{
    struct rl_item *item = rl_membership_item(member);
    RL_ASSERT(member->mode == mode && rl_item_kind_of(item) == kind);
    RL_ASSERT(kind != RL_ITEM_SOURCE || find_source(mode, item) != NULL);
    /* A timer that is only among the common items is guarded by its own lock. */
    if (kind != RL_ITEM_TIMER || rl_mode_is_record(mode)) return;
    *tolerant += rl_timer_of(item)->tolerance_ns > 0;
}

void rl_mode_verify(struct rl_mode *mode)
{
    size_t tolerant = 0;
    rl_timer_queue_verify(&mode->timers);
    RL_ASSERT(mode->timers.count == mode->member_counts[RL_ITEM_TIMER]);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
        for (size_t i = 0; i < count; i++) verify_member(mode, kind, members[i], &tolerant);
        free(members);
    }
    if (rl_mode_is_record(mode)) return;
    RL_ASSERT(tolerant == mode->timers.tolerant);
    RL_ASSERT(mode->first_deadline_ns == first_deadline(mode));
}
