#include "base/hint.h"
#include "loop/block.h"
#include "loop/block_entry.h"
#include "loop/loop.h"
#include "loop/own_loop.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLSet.h>

#include <stdlib.h>

struct name_list {
    size_t count;
    const void **names;
    const void *single;
    /* True if `names` must be freed. */
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

/* Aborts if the object is not an RL object. CF crashes in this case, when it reads the type. */
static bool is_name(RLTypeRef name, const char *function)
{
    enum rl_type type = rl_type_of(name);
    if (name && type == RL_TYPE_NONE) rl_expect_failed(name, RL_TYPE_STRING, function, "mode");
    return type == RL_TYPE_STRING;
}

/* Returns false if a value is not a string. The caller frees the list in either case. */
static inline bool get_names(RLTypeRef mode, struct name_list *list, const char *function)
{
    enum rl_type type = rl_type_of(mode);
    *list = (struct name_list){.count = 1, .names = &list->single, .single = mode};
    if (type == RL_TYPE_STRING) return true;
    if (type != RL_TYPE_ARRAY && type != RL_TYPE_SET) return is_name(mode, function);
    copy_names(mode, type, list);
    for (size_t i = 0; i < list->count; i++) {
        if (!is_name(list->names[i], function)) return false;
    }
    return true;
}

static void add_mode(struct rl_block *block, struct rl_mode *mode)
{
    if (rl_block_names(block, mode)) return;
    struct rl_mode **modes = block->has_list ? block->modes.list : &block->modes.one;
    modes[block->mode_count++] = mode;
}

/* Creates the mode if needed. Call this with the loop locked. */
static void add_name(struct rl_block *block, struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = rl_loop_make_named(loop, name);
    if (mode) {
        add_mode(block, mode);
    } else {
        block->fits_common_modes = true;
    }
}

/* Handles the default mode and the common modes, without a lock. Returns false for other names. */
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
    /* A loop whose thread has ended refuses the block, so no mode is made. */
    size_t count = loop->is_torn_down ? 0 : list->count;
    for (size_t i = 0; i < count; i++) add_name(block, loop, list->names[i]);
    rl_unlock(&loop->lock);
}

typedef void (*filler)(struct rl_block *entry, const void *what);

static void fill_with_block(struct rl_block *entry, const void *block)
{
    rl_block_entry_set_body(entry, (void (^)(void))block);
}

static void fill_with_function(struct rl_block *entry, const void *call)
{
    entry->storage.call = *(const struct rl_block_call *)call;
}

static void fill_with_words(struct rl_block *entry, const void *call)
{
    fill_with_function(entry, call);
    entry->passes_words = true;
}

/* Releases the block if the loop is closed. Always inlined, because clients queue blocks often. */
static inline __attribute__((always_inline)) void
queue_entry(struct rl_loop *loop, const struct name_list *list, filler fill, const void *what)
{
    struct rl_block *entry = rl_block_entry_take();
    fill(entry, what);
    entry->is_foreign = !rl_loop_is_current(loop);
    add_names(entry, loop, list);
    rl_block_push(loop, entry);
}

/*
 * Returns false, without effect, if `what` is null, if `mode` has no valid names, or if the loop is
 * the main loop and its thread has ended.
 */
static inline bool queue_call(RLRunLoopRef loop, RLTypeRef mode, filler fill, const void *what,
                              const char *function)
{
    struct rl_loop *self = rl_loop_checked(loop, function);
    struct name_list list;
    bool has_names = get_names(mode, &list, function);
    bool is_meant = has_names && what && !rl_loop_refuses_main(self, function);
    RL_HINT(!has_names, function,
            "the block is dropped: argument `mode` must be a string, or an array or a set of "
            "strings");
    if (is_meant) {
        RL_HINT(!rl_loop_is_current(self) && atomic_load(&self->is_torn_down), function,
                "the block is dropped, as run loop %p belongs to thread %d, which has ended: keep "
                "the thread running, or use another loop",
                (void *)self, (int)self->thread_id);
        RL_HINT(list.count == 0, function,
                "the list of modes is empty, so the block will never be called: pass at least one "
                "mode");
        queue_entry(self, &list, fill, what);
    }
    if (list.is_copy) free(list.names);
    return is_meant;
}

void RLRunLoopPerformBlock(RLRunLoopRef loop, RLTypeRef mode, void (^block)(void))
{
    queue_call(loop, mode, fill_with_block, (const void *)block, __func__);
}

void RLRunLoopPerformFunction(RLRunLoopRef loop, RLTypeRef mode, void (*function)(void *info),
                              void *info)
{
    struct rl_block_call call = {.function = function, .words = {info}};
    queue_call(loop, mode, fill_with_function, function ? &call : NULL, __func__);
}

Boolean RLRunLoopPerformClosure(RLRunLoopRef loop, RLTypeRef mode, void (*call)(void *words),
                                void (*release)(const void *words), const void *words)
{
    struct rl_block_call closure = {.function = call, .release = release};
    memcpy(closure.words, words, sizeof closure.words);
    return queue_call(loop, mode, fill_with_words, &closure, "RLRunLoopPerformBlock");
}

/*
 * The function of the block that RLRunLoopReleaseLater queues. A run begins in a mode that has only
 * this block, calls it, and would then sleep in the empty mode (BLK-12). The wake-up makes the run
 * check the mode again, and end.
 */
static void wake_own_loop(void *info)
{
    (void)info;
    rl_loop_wake_up(rl_own_loop);
}

void RLRunLoopReleaseLater(RLRunLoopRef loop, const void *info, void (*release)(const void *info))
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    struct rl_block_call call = {wake_own_loop, release, {(void *)(uintptr_t)info}};
    struct name_list common = {.count = 1, .names = &common.single};
    common.single = kRLRunLoopCommonModes;
    queue_entry(self, &common, fill_with_function, &call);
    rl_loop_wake_up(self);
}
