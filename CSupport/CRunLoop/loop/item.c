/*
 * Adding, removing and invalidating, for all kinds of items.
 *
 * Everything is done to the structures first, with the locks held, and written down in a list of
 * consequences; the client's `schedule` and `cancel` and the last releases follow without locks.
 */

#include "loop/item.h"

#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/own_loop.h"
#include "loop/source.h"

#include <stdlib.h>

/* What remains to be done for memberships that began or ended; everything in it is retained. */
struct consequences {
    struct consequence {
        struct rl_item *item;
        RLStringRef mode_name;
        bool gives_up_loop;
    } *list;
    size_t count;
    size_t capacity;
    struct consequence inline_list[4];
};

/* Without clearing the places for the list, of which most need one or none. */
static inline void begin(struct consequences *list)
{
    list->list = NULL;
    list->count = list->capacity = 0;
}

static bool is_source(const struct rl_item *item)
{
    return rl_item_kind_of(item) == RL_ITEM_SOURCE;
}

/* The consequence that has been noted, with nothing in it yet to be given up. */
static struct consequence *note(struct consequences *list, struct rl_item *item,
                                const struct rl_mode *mode)
{
    /* Who is told of the mode: only sources. */
    RLStringRef name = is_source(item) ? mode->name : NULL;
    size_t inline_count = sizeof list->inline_list / sizeof list->inline_list[0];
    if (list->count == list->capacity) {
        bool was_inline = list->capacity <= inline_count;
        list->capacity = list->capacity ? list->capacity * 2 : inline_count;
        if (list->capacity > inline_count) {
            list->list = rl_reallocate(was_inline ? NULL : list->list,
                                       list->capacity * sizeof list->list[0]);
            if (was_inline) memcpy(list->list, list->inline_list, sizeof list->inline_list);
        } else {
            list->list = list->inline_list;
        }
    }
    struct consequence *next = &list->list[list->count++];
    *next = (struct consequence){.item = item, .mode_name = name ? RLRetain(name) : NULL};
    return next;
}

/* Whether the item is in a mode of the loop in which it can run. */
static bool is_in_loop(const struct rl_item *item, const struct rl_loop *loop)
{
    const struct rl_membership *member = item->memberships;
    for (; member; member = member->next_of_item) {
        if (member->mode->loop == loop && !rl_mode_is_record(member->mode)) return true;
    }
    return false;
}

/* With the loop and the item locked. */
static void enter(struct rl_mode *mode, struct rl_item *item, struct consequences *list)
{
    bool is_record = rl_mode_is_record(mode);
    bool is_first = is_source(item) && !is_record && !is_in_loop(item, mode->loop);
    if (!rl_mode_insert(mode, item) || is_record) return;
    if (!is_source(item)) {
        atomic_store_explicit(&item->loop, mode->loop, memory_order_relaxed);
        return;
    }
    if (is_first) RLRetain(mode->loop);
    note(list, (struct rl_item *)(uintptr_t)RLRetain(item), mode);
}

/* With the loop and the item locked. The membership's reference goes to the list. */
static void leave(struct rl_membership *membership, struct consequences *list)
{
    struct rl_mode *mode = membership->mode;
    struct rl_item *item = rl_membership_item(membership);
    bool is_record = rl_mode_is_record(mode);
    rl_mode_erase(membership);
    struct consequence *consequence = note(list, item, mode);
    if (is_record || is_in_loop(item, mode->loop)) return;
    if (is_source(item)) {
        consequence->gives_up_loop = true;
    } else {
        atomic_store_explicit(&item->loop, NULL, memory_order_relaxed);
    }
}

/* What every consequence holds. */
static void give_up(const struct consequence *consequence)
{
    rl_object_release(&consequence->item->object);
    if (consequence->mode_name) RLRelease(consequence->mode_name);
}

static void finish(struct consequences *list, struct rl_loop *loop,
                   void (*call)(struct rl_source *, struct rl_loop *, RLStringRef))
{
    size_t surplus = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct consequence *next = &list->list[i];
        if (next->mode_name) {
            call(rl_source_of(next->item), loop, next->mode_name);
        }
        if (next->gives_up_loop) surplus++;
        give_up(next);
    }
    if (list->list != list->inline_list) free(list->list);
    while (surplus-- > 0) RLRelease(loop);
}

/* Whether the item may enter modes of the loop, with both locked. */
static bool may_enter(const struct rl_item *item, const struct rl_loop *loop)
{
    if (!atomic_load(&item->is_valid) || loop->is_torn_down) return false;
    return is_source(item) || item->loop == NULL || item->loop == loop;
}

/* With the loop and the item locked. */
static void enter_common(struct rl_loop *loop, struct rl_item *item, struct consequences *list)
{
    enter(&loop->common_items, item, list);
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        if (mode->is_common) enter(mode, item, list);
    }
}

void rl_item_add(struct rl_loop *loop, struct rl_item *item, RLRunLoopMode mode_name)
{
    struct consequences list;
    begin(&list);
    rl_lock(&loop->lock);
    rl_lock(&item->object.lock);
    if (may_enter(item, loop)) {
        struct rl_mode *named = rl_loop_make_named(loop, mode_name);
        if (named) {
            enter(named, item, &list);
        } else {
            enter_common(loop, item, &list);
        }
    }
    rl_unlock(&item->object.lock);
    rl_unlock(&loop->lock);
    finish(&list, loop, rl_source_schedule);
}

/*
 * The membership of the item, or of the source equal to it that is there in its place. The
 * resident, whose lock is another one, is returned locked.
 */
static struct rl_membership *find_and_lock(struct rl_mode *mode,
                                           struct rl_item *item) RL_UNCHECKED_LOCKING
{
    rl_lock(&item->object.lock);
    struct rl_membership *member = rl_item_membership_in(item, mode);
    if (member || !is_source(item)) return member;
    rl_unlock(&item->object.lock);
    member = rl_mode_find(mode, item);
    rl_lock(member ? &rl_membership_item(member)->object.lock : &item->object.lock);
    return member;
}

static void remove_from(struct rl_mode *mode, struct rl_item *item,
                        struct consequences *list) RL_UNCHECKED_LOCKING
{
    struct rl_membership *member = find_and_lock(mode, item);
    struct rl_item *locked = member ? rl_membership_item(member) : item;
    /* Kept alive by the list: the lock is inside. */
    if (member) leave(member, list);
    rl_unlock(&locked->object.lock);
}

static void remove_common(struct rl_loop *loop, struct rl_item *item, struct consequences *list)
{
    size_t before = list->count;
    remove_from(&loop->common_items, item, list);
    if (list->count == before) return;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        if (mode->is_common) remove_from(mode, item, list);
    }
}

void rl_item_remove(struct rl_loop *loop, struct rl_item *item, RLRunLoopMode mode_name)
{
    struct consequences list;
    begin(&list);
    rl_lock(&loop->lock);
    if (rl_loop_is_common_name(mode_name)) {
        remove_common(loop, item, &list);
    } else {
        struct rl_mode *mode = rl_loop_find_mode(loop, mode_name);
        if (mode) remove_from(mode, item, &list);
    }
    rl_unlock(&loop->lock);
    finish(&list, loop, rl_source_cancel);
}

/* A timer that is in no mode of the loop is not in it, be it a common item or not (MODE-13). */
static bool may_be_contained(struct rl_item *item, const struct rl_loop *loop)
{
    if (rl_item_kind_of(item) != RL_ITEM_TIMER) return true;
    rl_lock(&item->object.lock);
    bool is_here = item->loop == loop;
    rl_unlock(&item->object.lock);
    return is_here;
}

bool rl_item_is_contained(struct rl_loop *loop, struct rl_item *item,
                          RLRunLoopMode mode_name) RL_UNCHECKED_LOCKING
{
    bool is_contained = false;
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_is_common_name(mode_name) ? &loop->common_items
                                                             : rl_loop_find_mode(loop, mode_name);
    if (mode && may_be_contained(item, loop)) {
        struct rl_membership *member = find_and_lock(mode, item);
        is_contained = member != NULL;
        rl_unlock(member ? &rl_membership_item(member)->object.lock : &item->object.lock);
    }
    rl_unlock(&loop->lock);
    return is_contained;
}

void rl_item_add_common_items(struct rl_loop *loop, struct rl_mode *mode)
{
    struct consequences list;
    begin(&list);
    rl_lock(&loop->lock);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(&loop->common_items, kind, &count);
        for (size_t i = 0; i < count; i++) {
            struct rl_item *item = rl_membership_item(members[i]);
            rl_lock(&item->object.lock);
            if (may_enter(item, loop)) enter(mode, item, &list);
            rl_unlock(&item->object.lock);
        }
        free(members);
    }
    rl_unlock(&loop->lock);
    finish(&list, loop, rl_source_schedule);
}

/* Removes the item from every mode of a loop, with both locked. */
static void leave_loop(struct rl_item *item, struct rl_loop *loop, struct consequences *list)
{
    struct rl_membership *member = item->memberships;
    while (member) {
        struct rl_membership *next = member->next_of_item;
        if (member->mode->loop == loop) leave(member, list);
        member = next;
    }
}

/* The loop of one of the item's modes, retained; null if it is in none. */
static struct rl_loop *copy_a_loop(struct rl_item *item)
{
    rl_lock(&item->object.lock);
    struct rl_loop *loop = item->memberships ? item->memberships->mode->loop : NULL;
    if (loop) rl_object_retain(&loop->object);
    rl_unlock(&item->object.lock);
    return loop;
}

void rl_item_leave_all(struct rl_item *item)
{
    struct rl_loop *loop;
    while ((loop = copy_a_loop(item))) {
        struct consequences list;
        begin(&list);
        rl_lock(&loop->lock);
        rl_lock(&item->object.lock);
        leave_loop(item, loop, &list);
        rl_unlock(&item->object.lock);
        rl_unlock(&loop->lock);
        finish(&list, loop, rl_source_cancel);
        RLRelease(loop);
    }
}

/*
 * Takes an observer or timer out of a loop, with both locked. Returns how many references the modes
 * had.
 */
static unsigned leave_quietly(struct rl_item *item, const struct rl_loop *loop)
{
    unsigned references = 0;
    struct rl_membership *member = item->memberships, *next;
    for (; member; member = next) {
        next = member->next_of_item;
        if (member->mode->loop != loop) continue;
        rl_mode_erase(member);
        references++;
    }
    atomic_store_explicit(&item->loop, NULL, memory_order_relaxed);
    return references;
}

bool rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions)
{
    void *given_up = NULL;
    unsigned references = 0;
    struct rl_loop *loop = rl_item_lock_with_loop(item);
    bool was_valid = atomic_load_explicit(&item->is_valid, memory_order_relaxed);
    if (was_valid) {
        atomic_store_explicit(&item->is_valid, false, memory_order_release);
        if (loop) references = leave_quietly(item, loop);
        given_up = rl_info_give_up(&item->pins, info);
    }
    /* The common items of a loop may be all that it is in. */
    bool is_left = !was_valid || !item->memberships;
    rl_item_unlock_with_loop(item, loop);
    if (RL_UNLIKELY(!is_left)) rl_item_leave_all(item);
    while (references-- > 0) rl_object_release(&item->object);
    if (given_up && functions->release) rl_callout_release(functions->release, given_up);
    return was_valid;
}

void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *))
{
    /* Loops cannot be locked after the item, so they are visited one by one from a list. */
    struct rl_loop **loops = NULL;
    size_t count = 0;
    rl_lock(&item->object.lock);
    struct rl_membership *member = item->memberships;
    for (; member; member = member->next_of_item) {
        struct rl_loop *loop = member->mode->loop;
        bool is_known = false;
        for (size_t i = 0; i < count; i++) is_known |= loops[i] == loop;
        if (is_known) continue;
        rl_object_retain(&loop->object);
        loops = rl_reallocate(loops, (count + 1) * sizeof loops[0]);
        loops[count++] = loop;
    }
    rl_unlock(&item->object.lock);
    for (size_t i = 0; i < count; i++) {
        rl_lock(&loops[i]->lock);
        rl_lock(&item->object.lock);
        for (member = item->memberships; member; member = member->next_of_item) {
            if (member->mode->loop == loops[i]) visit(member);
        }
        rl_unlock(&item->object.lock);
        rl_unlock(&loops[i]->lock);
        RLRelease(loops[i]);
    }
    free(loops);
}

size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places)
{
    struct rl_place *places = NULL;
    size_t count = 0;
    rl_lock(&item->object.lock);
    for (struct rl_membership *each = item->memberships; each; each = each->next_of_item) {
        const struct rl_mode *mode = each->mode;
        if (rl_mode_is_record(mode)) continue;
        places = rl_reallocate(places, (count + 1) * sizeof places[0]);
        rl_object_retain(&mode->loop->object);
        places[count++] = (struct rl_place){mode->loop, RLRetain(mode->name)};
    }
    rl_unlock(&item->object.lock);
    *ret_places = places;
    return count;
}

void rl_item_free_places(struct rl_place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        RLRelease(places[i].loop);
        RLRelease(places[i].mode);
    }
    free(places);
}

/* Locks an item with a loop if it is in it; else none of them. */
static bool try_lock_with(struct rl_item *item, struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    rl_lock(&loop->lock);
    rl_lock(&item->object.lock);
    if (RL_LIKELY(atomic_load_explicit(&item->loop, memory_order_relaxed) == loop)) return true;
    rl_unlock(&item->object.lock);
    rl_unlock(&loop->lock);
    return false;
}

/* Apart, as hardly anything but the thread's own loop is asked for. */
static __attribute__((noinline)) struct rl_loop *
lock_with_any_loop(struct rl_item *item) RL_UNCHECKED_LOCKING
{
    for (;;) {
        rl_lock(&item->object.lock);
        struct rl_loop *loop = atomic_load(&item->loop);
        if (!loop) return NULL;
        bool is_own = loop == rl_own_loop;
        if (!is_own) rl_object_retain(&loop->object);
        rl_unlock(&item->object.lock);
        if (try_lock_with(item, loop)) return loop;
        if (!is_own) RLRelease(loop);
    }
}

struct rl_loop *rl_item_lock_with_loop(struct rl_item *item)
{
    /* This thread's loop cannot go away meanwhile; any other has to be kept. */
    struct rl_loop *own = rl_own_loop;
    if (own && atomic_load(&item->loop) == own && try_lock_with(item, own)) return own;
    return lock_with_any_loop(item);
}

void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    rl_unlock(&item->object.lock);
    if (!loop) return;
    rl_unlock(&loop->lock);
    if (loop != rl_own_loop) RLRelease(loop);
}

/* Takes the next source of a mode out, those of version 0 first. */
static bool purge_one(struct rl_mode *mode, bool of_version_0, struct consequences *list)
{
    struct rl_membership *member;
    TAILQ_FOREACH(member, &mode->members[RL_ITEM_SOURCE], link) {
        struct rl_item *item = rl_membership_item(member);
        if ((rl_source_version(rl_source_of(item)) == 0) != of_version_0) continue;
        rl_lock(&item->object.lock);
        leave(member, list);
        rl_unlock(&item->object.lock);
        return true;
    }
    return false;
}

static void purge_mode(struct rl_loop *loop, struct rl_mode *mode)
{
    /* None can enter any more. */
    if (mode->member_counts[RL_ITEM_SOURCE] == 0) return;
    for (int of_version_0 = 1; of_version_0 >= 0; of_version_0--) {
        bool is_more = true;
        while (is_more) {
            struct consequences list;
            begin(&list);
            rl_lock(&loop->lock);
            is_more = purge_one(mode, of_version_0, &list);
            rl_unlock(&loop->lock);
            finish(&list, loop, rl_source_cancel);
        }
    }
}

void rl_item_purge_sources(struct rl_loop *loop)
{
    purge_mode(loop, &loop->common_items);
    /* Modes are never removed from the list, and new ones cannot get sources any more. */
    rl_lock(&loop->lock);
    struct rl_mode *mode = TAILQ_FIRST(&loop->modes);
    rl_unlock(&loop->lock);
    while (mode) {
        purge_mode(loop, mode);
        rl_lock(&loop->lock);
        mode = TAILQ_NEXT(mode, link);
        rl_unlock(&loop->lock);
    }
}

static void leave_mode(struct rl_mode *mode, enum rl_item_kind kind, struct consequences *list)
{
    size_t count;
    struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
    for (size_t i = 0; i < count; i++) {
        struct rl_item *item = rl_membership_item(members[i]);
        rl_lock(&item->object.lock);
        leave(members[i], list);
        rl_unlock(&item->object.lock);
    }
    free(members);
}

void rl_item_purge_observers_and_timers(struct rl_loop *loop)
{
    struct consequences list;
    begin(&list);
    rl_lock(&loop->lock);
    for (int kind = RL_ITEM_OBSERVER; kind < RL_ITEM_KINDS; kind++) {
        leave_mode(&loop->common_items, kind, &list);
        struct rl_mode *mode;
        TAILQ_FOREACH(mode, &loop->modes, link) leave_mode(mode, kind, &list);
    }
    rl_unlock(&loop->lock);
    for (size_t i = 0; i < list.count; i++) give_up(&list.list[i]);
    if (list.list != list.inline_list) free(list.list);
}

void *rl_item_pin_info(struct rl_item *item, void *info,
                       const struct rl_client_functions *functions)
{
    if (functions->retain) rl_info_pin(&item->pins);
    return info;
}

void *rl_item_retain_pinned_info(struct rl_item *item, void *pinned,
                                 const struct rl_client_functions *functions)
{
    if (!functions->retain) return pinned;
    void *retained = rl_callout_retain(functions->retain, pinned);
    bool owes_release = rl_info_unpin(&item->pins, &item->object.lock);
    if (owes_release && functions->release) rl_callout_release(functions->release, pinned);
    return retained;
}

void rl_item_release_retained_info(void *retained, const struct rl_client_functions *functions)
{
    if (functions->retain && functions->release && retained) {
        rl_callout_release(functions->release, retained);
    }
}

void rl_item_give_up_info(struct rl_item *item, void **info,
                          const struct rl_client_functions *functions)
{
    rl_lock(&item->object.lock);
    void *given_up = rl_info_give_up(&item->pins, info);
    rl_unlock(&item->object.lock);
    if (given_up && functions->release) rl_callout_release(functions->release, given_up);
}
