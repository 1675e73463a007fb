/*
 * The entries of the block queues, and their memory.
 *
 * Memory allocators are slowest if one thread frees memory that another thread allocated. So an
 * entry contains storage for the copy of a small block, and belongs to a slab of the thread that
 * queues it. The thread takes the entries of its slab in turn, without a lock. The slab is freed
 * with its last entry.
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
    /*
     * The block, in the entry or on the heap. Null if the entry has a function instead of a block.
     */
    void (^body)(void);
    /*
     * The modes in which the block may run. The pointers stay valid, as modes live as long as their
     * loop.
     */
    union {
        struct rl_mode *one;
        struct rl_mode **list;
    } modes;
    uint32_t mode_count;
    /* The modes are in `modes.list`, which is on the heap. */
    bool has_list : 1;
    bool fits_common_modes : 1;
    bool is_foreign : 1;
    /* The function gets the address of `words` as its info, instead of the first word. */
    bool passes_words : 1;
    uint16_t place;
    struct rl_hint_moment queued;
    /* A block with at most four captured words, or a function with its arguments. */
    union {
        struct rl_block_layout block;
        char bytes[sizeof(struct rl_block_layout) + 4 * sizeof(void *)];
        struct rl_block_call {
            void (*function)(void *info);
            /*
             * Releases the info when the entry is freed, called or not. Null if the info is not
             * retained.
             */
            void (*release)(const void *info);
            /* The info in the first word, or two words of which the address is the info. */
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

/* Frees an entry. Thread-safe. */
void rl_block_entry_give_back(struct rl_block *entry);

/* Copies a client's block into the entry if the block fits, otherwise to the heap. */
void rl_block_entry_set_body(struct rl_block *entry, void (^body)(void));

/*
 * Returns the function that the entry calls. If the words hold a closure of another language,
 * returns the closure's function.
 */
static inline const void *rl_block_entry_function_of(const struct rl_block *entry)
{
    if (entry->body) return rl_block_function_of((const void *)entry->body);
    const struct rl_block_call *call = &entry->storage.call;
    return entry->passes_words ? call->words[0] : (const void *)(uintptr_t)call->function;
}

/* Returns the info of an entry that has a function instead of a block. */
static inline void *rl_block_entry_info_of(const struct rl_block *entry)
{
    void *const *words = entry->storage.call.words;
    return entry->passes_words ? (void *)(uintptr_t)words : words[0];
}

/*
 * Returns the first captured value of a block, or null if it captured nothing. For functions and
 * closures, returns the info.
 */
static inline const void *rl_block_entry_captured_by(const struct rl_block *entry)
{
    if (entry->body) return rl_block_captured_by((const void *)entry->body);
    return entry->storage.call.words[entry->passes_words ? 1 : 0];
}

/* Releases the block of an entry, or the info if the entry has a function. */
void rl_block_entry_release_body(struct rl_block *entry);

#endif
