/*
 * Queuing and running blocks.
 */

#include "block.h"

#include "callout.h"
#include "host.h"
#include "loop.h"
#include "mode.h"

#include <CRunLoop/RLSet.h>

#include <stdlib.h>

struct rl_block {
    STAILQ_ENTRY(rl_block) link;
    void (^body)(void);
    bool fits_common_modes;
    /* The modes that it names: a mode lives as long as its loop, and so does the queue. */
    size_t mode_count;
    struct rl_mode *modes[];
};

/* The names that a client gave: one, or those of an array or a set. */
struct name_list {
    size_t count;
    const void **names;
    /* Where they are if there is but one. */
    const void *single;
    /* Whether `names` is to be freed. */
    bool is_copy;
};

static void copy_names(RLTypeRef mode, enum rl_type type, struct name_list *list)
{
    bool is_set = type == RL_TYPE_SET;
    list->count = (size_t)(is_set ? RLSetGetCount(mode) : RLArrayGetCount(mode));
    list->names = rl_allocate(list->count * sizeof list->names[0]);
    list->is_copy = true;
    if (is_set) {
        RLSetGetValues(mode, list->names);
    } else {
        RLArrayGetValues(mode, RLRangeMake(0, (RLIndex)list->count), list->names);
    }
}

/* False if there is anything but names; the list is to be freed in any case. */
static bool get_names(RLTypeRef mode, struct name_list *list)
{
    enum rl_type type = rl_type_of(mode);
    *list = (struct name_list){.count = 1, .names = &list->single, .single = mode};
    if (type == RL_TYPE_STRING) return true;
    if (type != RL_TYPE_ARRAY && type != RL_TYPE_SET) return false;
    copy_names(mode, type, list);
    for (size_t i = 0; i < list->count; i++) {
        if (rl_type_of(list->names[i]) != RL_TYPE_STRING) return false;
    }
    return true;
}

static void free_names(struct name_list *list)
{
    if (list->is_copy) free(list->names);
}

static bool names(const struct rl_block *block, const struct rl_mode *mode)
{
    for (size_t i = 0; i < block->mode_count; i++) {
        if (block->modes[i] == mode) return true;
    }
    return false;
}

static void add_name(struct rl_block *block, struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = rl_loop_make_named(loop, name);
    if (!mode) {
        block->fits_common_modes = true;
        return;
    }
    if (!names(block, mode)) block->modes[block->mode_count++] = mode;
}

static void count(struct rl_loop *loop, const struct rl_block *block)
{
    loop->blocks.count++;
    if (block->fits_common_modes) loop->blocks.pending_common++;
    for (size_t i = 0; i < block->mode_count; i++) block->modes[i]->pending_blocks++;
}

/* All blocks leave the queue: nothing is counted one by one, as their number may be large. */
static void uncount_all(struct rl_loop *loop)
{
    loop->blocks.count = 0;
    if (loop->blocks.pending_common > 0) loop->blocks.pending_common = 0;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        if (mode->pending_blocks > 0) mode->pending_blocks = 0;
    }
}

static void queue(struct rl_loop *loop, const struct name_list *list, void (^body)(void))
{
    struct rl_block *queued = rl_allocate(sizeof *queued + list->count * sizeof queued->modes[0]);
    queued->body = (void (^)(void))rl_callout_copy_block((const void *)body);
    rl_lock(&loop->lock);
    for (size_t i = 0; i < list->count; i++) add_name(queued, loop, list->names[i]);
    STAILQ_INSERT_TAIL(&loop->blocks.list, queued, link);
    count(loop, queued);
    rl_unlock(&loop->lock);
    rl_host_notice(loop);
}

void RLRunLoopPerformBlock(RLRunLoopRef loop, RLTypeRef mode, void (^block)(void))
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    struct name_list list;
    bool is_meant = get_names(mode, &list) && block;
    if (is_meant && !rl_loop_refuses_main(self, __func__)) queue(self, &list, block);
    free_names(&list);
}

bool rl_block_is_pending(const struct rl_mode *mode)
{
    return mode->pending_blocks > 0 || (mode->is_common && mode->loop->blocks.pending_common > 0);
}

void rl_block_queue_init(struct rl_block_queue *queue)
{
    STAILQ_INIT(&queue->list);
    STAILQ_INIT(&queue->detached);
}

/* Puts a list in front of another. */
static void prepend(struct rl_block_list *list, struct rl_block_list *front)
{
    STAILQ_CONCAT(front, list);
    STAILQ_CONCAT(list, front);
}

static bool fits(const struct rl_block *block, const struct rl_mode *mode)
{
    return names(block, mode) || (block->fits_common_modes && mode->is_common);
}

/* Takes the whole queue, so that nothing of it is visible while it runs (BLK-9); how many. */
static size_t detach(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (!rl_block_is_pending(mode)) return 0;
    struct rl_block_list all = STAILQ_HEAD_INITIALIZER(all);
    size_t taken = 0;
    rl_lock(&loop->lock);
    if (rl_block_is_pending(mode)) {
        STAILQ_CONCAT(&all, &loop->blocks.list);
        taken = loop->blocks.count;
        uncount_all(loop);
    }
    rl_unlock(&loop->lock);
    prepend(&loop->blocks.detached, &all);
    return taken;
}

/* Puts blocks that did not fit back, before those that were queued meanwhile. */
static void put_back(struct rl_loop *loop, size_t waiting_count)
{
    if (waiting_count == 0) return;
    struct rl_block_list waiting = STAILQ_HEAD_INITIALIZER(waiting);
    rl_lock(&loop->lock);
    for (size_t i = 0; i < waiting_count; i++) {
        struct rl_block *block = STAILQ_FIRST(&loop->blocks.detached);
        STAILQ_REMOVE_HEAD(&loop->blocks.detached, link);
        STAILQ_INSERT_TAIL(&waiting, block, link);
        count(loop, block);
    }
    prepend(&loop->blocks.list, &waiting);
    rl_unlock(&loop->lock);
}

static void discard(struct rl_block *block)
{
    rl_callout_release_block((const void *)block->body);
    free(block);
}

/* Takes out the block behind `previous`, or the first one; nested drains have left none in front. */
static void take_out_after(struct rl_block_list *list, struct rl_block *previous)
{
    if (previous) {
        STAILQ_REMOVE_AFTER(list, previous, link);
    } else {
        STAILQ_REMOVE_HEAD(list, link);
    }
}

void rl_block_drain(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    struct rl_block_list *detached = &loop->blocks.detached;
    size_t waiting_count = 0;
    struct rl_block *previous = NULL;
    for (size_t left = detach(mode); left > 0; left--) {
        struct rl_block *block = previous ? STAILQ_NEXT(previous, link) : STAILQ_FIRST(detached);
        /* Asked on its turn: an earlier block may have made the mode a common one. */
        if (!fits(block, mode)) {
            previous = block;
            waiting_count++;
            continue;
        }
        rl_callout_block(loop, block->body);
        take_out_after(detached, previous);
        discard(block);
    }
    put_back(loop, waiting_count);
}

void rl_block_discard_all(struct rl_loop *loop)
{
    struct rl_block_list *lists[] = {&loop->blocks.detached, &loop->blocks.list};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct rl_block *block;
        while ((block = STAILQ_FIRST(lists[i]))) {
            STAILQ_REMOVE_HEAD(lists[i], link);
            discard(block);
        }
    }
}
