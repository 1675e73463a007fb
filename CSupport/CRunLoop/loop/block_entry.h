/*
 * The entries of the block queues, and their memory.
 *
 * Allocators are slowest if one thread frees memory that another thread has allocated. So an entry
 * has storage for the copy of a small block, and belongs to a slab of the thread that queues the
 * block. The thread takes the entries of its slab in turn, without a lock. The slab is freed
 * together with its last entry.
 */

#ifndef RL_BLOCK_ENTRY_H
#define RL_BLOCK_ENTRY_H

#include "base/hint.h"
#include "loop/block_layout.h"

#include <bsd/sys/queue.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rl_mode;

struct rl_block {
    /* The link in a list, or in the stack of incoming blocks. */
    STAILQ_ENTRY(rl_block) link;
    /* The block, in the entry or on the heap. Null if the entry has a function instead. */
    void (^body)(void);
    /* The modes are borrowed, because modes live as long as their loop. */
    union {
        struct rl_mode *one;
        struct rl_mode **list;
    } modes;
    uint32_t mode_count;
    /* True if `modes.list` is used; the list is on the heap. */
    bool has_list : 1;
    bool fits_common_modes : 1;
    bool is_foreign : 1;
    /* True if the info is the address of `words`, false if it is the first word. */
    bool passes_words : 1;
    uint16_t place;
    struct rl_hint_moment queued;
    /* Storage for a block with at most four captured words, or a function with its arguments. */
    union {
        struct rl_block_layout block;
        char bytes[sizeof(struct rl_block_layout) + 4 * sizeof(void *)];
        struct rl_block_call {
            void (*function)(void *info);
            /* Called with the info when the entry is freed, called or not. May be null. */
            void (*release)(const void *info);
            void *words[2];
        } call;
    } storage;
};

static inline struct rl_mode *const *rl_block_modes(const struct rl_block *block)
{
    return block->has_list ? block->modes.list : &block->modes.one;
}

static inline bool rl_block_names(const struct rl_block *block, const struct rl_mode *mode)
{
    struct rl_mode *const *modes = rl_block_modes(block);
    for (size_t i = 0; i < block->mode_count; i++) {
        if (modes[i] == mode) return true;
    }
    return false;
}

struct rl_block *rl_block_entry_take(void);

/* Thread-safe. */
void rl_block_entry_give_back(struct rl_block *entry);

/* Copies the block into the entry if it fits, otherwise to the heap. */
void rl_block_entry_set_body(struct rl_block *entry, void (^body)(void));

/* Returns the code address of the block, function or closure. */
static inline const void *rl_block_entry_function_of(const struct rl_block *entry)
{
    if (entry->body) return rl_block_function_of((const void *)entry->body);
    const struct rl_block_call *call = &entry->storage.call;
    return entry->passes_words ? call->words[0] : (const void *)(uintptr_t)call->function;
}

/* Call this only if the entry has a function instead of a block. */
static inline void *rl_block_entry_info_of(const struct rl_block *entry)
{
    void *const *words = entry->storage.call.words;
    return entry->passes_words ? (void *)(uintptr_t)words : words[0];
}

/* Returns a block's first captured value or null, or the info of a function or closure. */
static inline const void *rl_block_entry_captured_by(const struct rl_block *entry)
{
    if (entry->body) return rl_block_captured_by((const void *)entry->body);
    return entry->storage.call.words[entry->passes_words ? 1 : 0];
}

/* Call this only if the entry has a block. */
void rl_block_entry_release_body(struct rl_block *entry);

#endif
