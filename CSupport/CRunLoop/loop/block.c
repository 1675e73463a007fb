/*
 * Queuing and running blocks.
 *
 * Clients push blocks without a lock, in front of a chain of what has come. The loop's thread takes
 * the whole chain, with the loop locked, and turns it around: no block is ever taken out of it
 * alone, so a block that is freed and made again at its address cannot confuse a client.
 */

#include "loop/block.h"

#include "loop/block_entry.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/mode.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLSet.h>

#include <stdlib.h>

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
static inline bool get_names(RLTypeRef mode, struct name_list *list)
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

static struct rl_mode *const *modes_of(const struct rl_block *block)
{
    return block->has_list ? block->modes.list : &block->modes.one;
}

static bool names(const struct rl_block *block, const struct rl_mode *mode)
{
    struct rl_mode *const *modes = modes_of(block);
    for (size_t i = 0; i < block->mode_count; i++) {
        if (modes[i] == mode) return true;
    }
    return false;
}

static void add_mode(struct rl_block *block, struct rl_mode *mode)
{
    if (names(block, mode)) return;
    struct rl_mode **modes = block->has_list ? block->modes.list : &block->modes.one;
    modes[block->mode_count++] = mode;
}

/* With the loop locked; makes modes that there are not yet. */
static void add_name(struct rl_block *block, struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = rl_loop_make_named(loop, name);
    if (mode) {
        add_mode(block, mode);
    } else {
        block->fits_common_modes = true;
    }
}

/* Names modes that every loop has; no lock is needed for these. */
static bool add_known_name(struct rl_block *block, struct rl_loop *loop, RLStringRef name)
{
    if (name == loop->default_mode->name) {
        add_mode(block, loop->default_mode);
        return true;
    }
    block->fits_common_modes = name == kRLRunLoopCommonModes;
    return block->fits_common_modes;
}

static void add_names(struct rl_block *block, struct rl_loop *loop, const struct name_list *list)
{
    if (list->count == 1 && add_known_name(block, loop, list->names[0])) return;
    block->has_list = list->count > 1;
    if (block->has_list) {
        block->modes.list = rl_allocate_list(list->count, sizeof block->modes.list[0]);
    }
    rl_lock(&loop->lock);
    for (size_t i = 0; i < list->count; i++) add_name(block, loop, list->names[i]);
    rl_unlock(&loop->lock);
}

static void count(struct rl_loop *loop, const struct rl_block *block)
{
    loop->blocks.count++;
    if (block->fits_common_modes) loop->blocks.pending_common++;
    struct rl_mode *const *modes = modes_of(block);
    for (size_t i = 0; i < block->mode_count; i++) modes[i]->pending_blocks++;
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

/* Stands for the blocks that have come where the queue is closed. */
static struct rl_block closed;

/* Returns false if the queue is closed. */
static bool push(struct rl_loop *loop, struct rl_block *block)
{
    _Atomic(struct rl_block *) *incoming = &loop->incoming_blocks;
    struct rl_block *first = atomic_load_explicit(incoming, memory_order_relaxed);
    do {
        if (first == &closed) return false;
        STAILQ_NEXT(block, link) = first;
    } while (!atomic_compare_exchange_weak(incoming, &first, block));
    return true;
}

static void discard(struct rl_block *block)
{
    rl_block_entry_release_body(block);
    if (block->has_list) free(block->modes.list);
    rl_block_entry_give_back(block);
}

/* Fills an entry with what is to be called. */
typedef void (*filler)(struct rl_block *entry, const void *what);

static void fill_with_block(struct rl_block *entry, const void *block)
{
    rl_block_entry_set_body(entry, (void (^)(void))block);
}

static void fill_with_function(struct rl_block *entry, const void *call)
{
    entry->room.call = *(const struct rl_block_call *)call;
}

static void fill_with_words(struct rl_block *entry, const void *call)
{
    fill_with_function(entry, call);
    entry->passes_words = true;
}

/*
 * Queues what is to be called, or releases it if the queue is closed. Returns false, with nothing
 * done, if it is null, or for no mode.
 */
static inline bool perform(RLRunLoopRef loop, RLTypeRef mode, filler fill, const void *what,
                           const char *function)
{
    struct rl_loop *self = rl_loop_checked(loop, function);
    struct name_list list;
    bool is_meant = get_names(mode, &list) && what && !rl_loop_refuses_main(self, function);
    if (is_meant) {
        struct rl_block *entry = rl_block_entry_take();
        fill(entry, what);
        entry->is_foreign = !rl_loop_is_current(self);
        add_names(entry, self, &list);
        if (push(self, entry)) {
            rl_loop_call_host(self);
        } else {
            discard(entry);
        }
    }
    free_names(&list);
    return is_meant;
}

void RLRunLoopPerformBlock(RLRunLoopRef loop, RLTypeRef mode, void (^block)(void))
{
    perform(loop, mode, fill_with_block, (const void *)block, __func__);
}

void RLRunLoopPerformFunction(RLRunLoopRef loop, RLTypeRef mode, void (*function)(void *info),
                              void *info)
{
    struct rl_block_call call = {.function = function, .words = {info}};
    perform(loop, mode, fill_with_function, function ? &call : NULL, __func__);
}

Boolean RLRunLoopPerformClosure(RLRunLoopRef loop, RLTypeRef mode, void (*call)(void *words),
                                void (*release)(const void *words), const void *words)
{
    struct rl_block_call closure = {.function = call, .release = release};
    memcpy(closure.words, words, sizeof closure.words);
    return perform(loop, mode, fill_with_words, &closure, "RLRunLoopPerformBlock");
}

static void do_nothing(void *info)
{
    (void)info;
}

void RLRunLoopReleaseLater(RLRunLoopRef loop, const void *info, void (*release)(const void *info))
{
    struct rl_block_call call = {do_nothing, release, {(void *)(uintptr_t)info}};
    perform(loop, kRLRunLoopCommonModes, fill_with_function, &call, __func__);
    RLRunLoopWakeUp(loop);
}

/* Takes the blocks that have come, in order, with the loop locked; how many. */
static size_t take_incoming(struct rl_loop *loop, struct rl_block_list *list)
{
    const struct rl_block *first = atomic_load(&loop->incoming_blocks);
    if (!first || first == &closed) return 0;
    size_t taken = 0;
    struct rl_block *block = atomic_exchange(&loop->incoming_blocks, NULL);
    while (block) {
        struct rl_block *earlier = STAILQ_NEXT(block, link);
        STAILQ_INSERT_HEAD(list, block, link);
        block = earlier;
        taken++;
    }
    return taken;
}

static bool fits(const struct rl_block *block, const struct rl_mode *mode)
{
    return names(block, mode) || (block->fits_common_modes && mode->is_common);
}

/* Puts the blocks that have come into the queue, with the loop locked, on its thread. */
static void accept_incoming(struct rl_loop *loop)
{
    struct rl_block_list list = STAILQ_HEAD_INITIALIZER(list);
    take_incoming(loop, &list);
    const struct rl_block *block;
    STAILQ_FOREACH(block, &list, link) count(loop, block);
    STAILQ_CONCAT(&loop->blocks.list, &list);
}

/* Whether one that has come fits. It stays where it is as long as the loop is locked. */
static bool fits_incoming(const struct rl_mode *mode)
{
    const struct rl_block *block = atomic_load(&mode->loop->incoming_blocks);
    while (block && block != &closed && !fits(block, mode)) block = STAILQ_NEXT(block, link);
    return block && block != &closed;
}

bool rl_block_is_pending_locked(const struct rl_mode *mode)
{
    /*
     * The loop's thread looks without the lock: what another one moved it might find in neither
     * place.
     */
    if (!rl_loop_is_current(mode->loop)) return rl_loop_counts_blocks(mode) || fits_incoming(mode);
    accept_incoming(mode->loop);
    return rl_loop_counts_blocks(mode);
}

bool rl_block_is_pending(const struct rl_mode *mode)
{
    if (!rl_loop_may_have_blocks(mode)) return false;
    rl_lock(&mode->loop->lock);
    bool is_pending = rl_block_is_pending_locked(mode);
    rl_unlock(&mode->loop->lock);
    return is_pending;
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

bool rl_block_has_come_from_elsewhere(const struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (!rl_loop_may_have_blocks(mode)) return false;
    bool has_come = false;
    rl_lock(&loop->lock);
    accept_incoming(loop);
    const struct rl_block *block;
    STAILQ_FOREACH(block, &loop->blocks.list, link) {
        has_come |= block->is_foreign && fits(block, mode);
    }
    rl_unlock(&loop->lock);
    return has_come;
}

/* Takes the whole queue, so that nothing of it is visible while it runs (BLK-9); how many. */
static size_t detach(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    if (!rl_loop_may_have_blocks(mode)) return 0;
    struct rl_block_list all = STAILQ_HEAD_INITIALIZER(all);
    size_t taken = 0;
    rl_lock(&loop->lock);
    if (STAILQ_EMPTY(&loop->blocks.list)) {
        /* Those that do not fit are counted when they are put back: most blocks never are. */
        taken = take_incoming(loop, &all);
    } else if (rl_block_is_pending_locked(mode)) {
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

/*
 * Takes out the block behind `previous`, or the first one; nested drains have left none in front.
 */
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
        rl_callout_block(loop, block);
        take_out_after(detached, previous);
        discard(block);
    }
    put_back(loop, waiting_count);
}

void rl_block_close(struct rl_loop *loop)
{
    struct rl_block *none;
    do {
        accept_incoming(loop);
        none = NULL;
    } while (!atomic_compare_exchange_strong(&loop->incoming_blocks, &none, &closed));
}

void rl_block_reopen(struct rl_loop *loop)
{
    struct rl_block *expected = &closed;
    atomic_compare_exchange_strong(&loop->incoming_blocks, &expected, NULL);
}

void rl_block_take_all(struct rl_loop *loop, struct rl_block_list *list)
{
    rl_lock(&loop->lock);
    accept_incoming(loop);
    STAILQ_CONCAT(list, &loop->blocks.detached);
    STAILQ_CONCAT(list, &loop->blocks.list);
    uncount_all(loop);
    rl_unlock(&loop->lock);
}

void rl_block_discard(struct rl_block_list *list)
{
    struct rl_block *block;
    while ((block = STAILQ_FIRST(list))) {
        STAILQ_REMOVE_HEAD(list, link);
        discard(block);
    }
}

bool rl_block_queue_is_empty(const struct rl_loop *loop)
{
    const struct rl_block *first = atomic_load(&loop->incoming_blocks);
    return (!first || first == &closed) && STAILQ_EMPTY(&loop->blocks.list) &&
           STAILQ_EMPTY(&loop->blocks.detached);
}
