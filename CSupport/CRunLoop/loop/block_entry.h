/*
 * The entries of the queues of blocks, and their memory.
 *
 * A queued block used to cost two pieces of memory that one thread takes and another one gives back,
 * which is what the C library is slowest at. An entry has room for the copy of a small block, and
 * entries come from a sheet of the thread that queues: it takes one after the other without asking
 * anybody, and the last one who gives back an entry of a sheet frees it.
 */

#ifndef RL_BLOCK_ENTRY_H
#define RL_BLOCK_ENTRY_H

#include "loop/block_layout.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <bsd/sys/queue.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rl_mode;

struct rl_block {
    /* In a list, or in the chain of those that have come. */
    STAILQ_ENTRY(rl_block) link;
    /* Behind this entry, or on the heap. */
    void (^body)(void);
    /* The modes that it names: a mode lives as long as its loop, and so does the queue. */
    union {
        struct rl_mode *one;
        struct rl_mode **list;
    } modes;
    uint32_t mode_count;
    /* The modes are in a list on the heap. */
    bool has_list : 1;
    bool fits_common_modes : 1;
    /* Another thread than the loop's has queued it. */
    bool is_foreign : 1;
    /* Where in its sheet it is. */
    uint16_t place;
    /* Room for a block that captured four words or less. */
    union {
        struct rl_block_layout block;
        char bytes[sizeof(struct rl_block_layout) + 4 * sizeof(void *)];
    } room;
};

/* An entry with nothing in it but its place. */
struct rl_block *rl_block_entry_take(void);

/* Gives an entry back; any thread. */
void rl_block_entry_give_back(struct rl_block *entry);

/* Copies a client's block into the entry if it fits, else to the heap. */
void rl_block_entry_set_body(struct rl_block *entry, void (^body)(void));

/* Makes a block of a function and its argument, which holds nothing. */
void rl_block_entry_set_function(struct rl_block *entry, void (*function)(void *info), void *info);

/* What such a block calls. */
void rl_block_entry_call_function(void *block);

static inline bool rl_block_entry_is_function(const void *block)
{
    const struct rl_block_layout *layout = block;
    return layout->invoke == (const void *)(uintptr_t)rl_block_entry_call_function;
}

/* The function of a block, or that of which it was made. */
static inline const void *rl_block_entry_function_of(const void *block)
{
    const struct rl_block_layout *layout = block;
    if (!rl_block_entry_is_function(block)) return layout->invoke;
    return *(void *const *)(const void *)((const char *)block + kRLRunLoopClosureWords);
}

/* What that is called with. */
const void *rl_block_entry_argument_of(const void *block);

/* Makes a block around a closure, whose words it takes over. */
void rl_block_entry_set_closure(struct rl_block *entry, const RLRunLoopClosure *closure);

/* Gives up what the body holds. */
void rl_block_entry_release_body(struct rl_block *entry);

#endif
