#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/mode.h"
#include "loop/source.h"

/* --- By equality ------------------------------------------------------------------------------ */

static int compare_hashes(struct rl_source_membership *first, struct rl_source_membership *second)
{
    return first->hash < second->hash ? -1 : first->hash > second->hash;
}

/* A splay tree needs no parent links and colors: 16 bytes less per source than a red-black tree. */
void rl_source_tree_SPLAY(struct rl_source_tree *tree, struct rl_source_membership *key);
SPLAY_GENERATE(rl_source_tree, rl_source_membership, node, compare_hashes)

static struct rl_source_membership *find_hash(struct rl_source_tree *tree,
                                              struct rl_source_membership *key)
{
    if (SPLAY_EMPTY(tree)) return NULL;
    rl_source_tree_SPLAY(tree, key);
    return compare_hashes(key, SPLAY_ROOT(tree)) == 0 ? SPLAY_ROOT(tree) : NULL;
}

/*
 * The tree has only the first source with each hash. The other sources with this hash are in a list
 * behind the first.
 */
static struct rl_membership *find_equal(struct rl_mode *mode, const struct rl_item *item)
{
    struct rl_source_membership key = {.hash = rl_source_hash(item)};
    struct rl_source_membership *member = find_hash(&mode->source_tree, &key);
    while (member && !rl_source_is_equal(member->common.item, item)) {
        member = member->same_hash;
    }
    return member ? &member->common : NULL;
}

/* --- Descriptors and signals ------------------------------------------------------------------ */

static uint32_t kernel_interest(RLRunLoopDescriptorEvents events)
{
    uint32_t interest = 0;
    if (events & kRLRunLoopDescriptorRead) interest |= RL_KERNEL_READ;
    if (events & kRLRunLoopDescriptorWrite) interest |= RL_KERNEL_WRITE;
    if (events & kRLRunLoopDescriptorPriority) interest |= RL_KERNEL_PRIORITY;
    return interest;
}

static uint32_t interest_of(const struct rl_source *source)
{
    if (rl_source_version(source) == 1) return RL_KERNEL_READ;
    RLRunLoopDescriptorEvents (*get_events)(void *) = source->more->context.v2.getEvents;
    if (!get_events) return RL_KERNEL_READ;
    RLRunLoopDescriptorEvents events = RL_CALLOUT(get_events, source->info);
    return source->more->owner && events == 0 ? RL_KERNEL_NOTHING : kernel_interest(events);
}

static enum rl_wait_reader reader_of(const struct rl_source *source)
{
    if (rl_source_version(source) == 1) return RL_READ_AS_PORT;
    const struct rl_source_owner *owner = source->more->owner;
    if (!owner) return RL_READ_BY_CLIENT;
    return owner->checks_events ? RL_READ_BY_ENGINE : RL_READ_THROUGH_ENGINE;
}

static int descriptor_of(const struct rl_source *source)
{
    int (*get)(void *) = rl_source_version(source) == 1 ? source->more->context.v1.getPort
                                                        : source->more->context.v2.getDescriptor;
    return get ? RL_CALLOUT(get, source->info) : -1;
}

static void start_waiting(struct rl_source_membership *member)
{
    struct rl_source *source = rl_source_of(member->common.item);
    struct rl_mode *mode = member->common.mode;
    if (rl_source_version(source) == 0) {
        bool is_signalled = atomic_load(&source->signal_state) == RL_SIGNALLED;
        if (is_signalled) rl_source_link_signalled(member);
        return;
    }
    int fd = descriptor_of(source);
    if (fd >= 0 && !rl_wait_set_has_sources(&mode->wait_set)) rl_mode_arm_overdue(mode);
    member->slot =
        rl_wait_set_add(&mode->wait_set, source, fd, interest_of(source), reader_of(source));
}

static void stop_waiting(struct rl_source_membership *member)
{
    struct rl_source *source = rl_source_of(member->common.item);
    rl_source_unlink_signalled(member);
    if (rl_source_version(source) == 0) return;
    /* CF calls `getPort` on removal too, and clients rely on this call (PORT-1). */
    (void)descriptor_of(source);
    rl_wait_set_remove(&member->common.mode->wait_set, source, member->slot);
}

static void update_interest(struct rl_membership *membership)
{
    const struct rl_source_membership *member = (struct rl_source_membership *)membership;
    struct rl_source *source = rl_source_of(membership->item);
    if (rl_mode_is_common_list(membership->mode)) return;
    rl_wait_set_change(&membership->mode->wait_set, member->slot, interest_of(source));
}

void RLRunLoopSourceUpdateEvents(RLRunLoopSourceRef source)
{
    RL_EXPECT(source, RL_TYPE_SOURCE);
    struct rl_source *self = (struct rl_source *)(void *)source;
    if (rl_source_version(self) != 2) return;
    rl_item_for_each_membership(&self->item, update_interest);
}

/* --- The functions of the kind ---------------------------------------------------------------- */

static void link_source(struct rl_membership *membership)
{
    struct rl_source_membership *member = (struct rl_source_membership *)membership;
    struct rl_mode *mode = membership->mode;
    member->hash = rl_source_hash(membership->item);
    member->slot = RL_NO_SLOT;
    member->same_hash = NULL;
    struct rl_source_membership *resident =
        SPLAY_INSERT(rl_source_tree, &mode->source_tree, member);
    if (resident) {
        member->same_hash = resident->same_hash;
        resident->same_hash = member;
    }
    TAILQ_INSERT_TAIL(&mode->sources, member, link);
    if (!rl_mode_is_common_list(mode)) start_waiting(member);
}

static void unlink_source(struct rl_membership *membership)
{
    struct rl_source_membership *member = (struct rl_source_membership *)membership;
    struct rl_mode *mode = membership->mode;
    TAILQ_REMOVE(&mode->sources, member, link);
    struct rl_source_membership *first = find_hash(&mode->source_tree, member);
    if (first == member) {
        SPLAY_REMOVE(rl_source_tree, &mode->source_tree, member);
        if (member->same_hash) SPLAY_INSERT(rl_source_tree, &mode->source_tree, member->same_hash);
    } else {
        while (first->same_hash != member) first = first->same_hash;
        first->same_hash = member->same_hash;
    }
    if (!rl_mode_is_common_list(mode)) stop_waiting(member);
}

/* Only version 0 has `schedule`. */
static void notify_entered(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name)
{
    struct rl_source *source = rl_source_of(item);
    const struct rl_source_more *more = rl_source_more(source);
    if (more->owner && more->owner->entered) more->owner->entered(source->info, loop);
    if (rl_source_version(source) != 0 || !more->context.v0.schedule) return;
    RL_CALLOUT(more->context.v0.schedule, source->info, (RLRunLoopRef)(void *)loop, mode_name);
}

/* Only version 0 has `cancel`. */
static void notify_left(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name)
{
    struct rl_source *source = rl_source_of(item);
    const struct rl_source_more *more = rl_source_more(source);
    if (more->owner && more->owner->left) more->owner->left(source->info, loop);
    if (rl_source_version(source) != 0 || !more->context.v0.cancel) return;
    RL_CALLOUT(more->context.v0.cancel, source->info, (RLRunLoopRef)(void *)loop, mode_name);
}

const struct rl_item_functions rl_source_functions = {
    .membership_size = sizeof(struct rl_source_membership),
    .embedded_offset = offsetof(struct rl_source, embedded),
    .find_equal = find_equal,
    .link = link_source,
    .unlink = unlink_source,
    .entered = notify_entered,
    .left = notify_left,
};
