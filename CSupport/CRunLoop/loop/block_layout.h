/* The layout of blocks, which their ABI specifies, and the blocks runtime. */

#ifndef RL_BLOCK_LAYOUT_H
#define RL_BLOCK_LAYOUT_H

#include <stdbool.h>
#include <string.h>

enum {
    /* The block is on the heap and reference-counted. */
    RL_BLOCK_IS_COUNTED = 1 << 24,
    /* The descriptor has `copy` and `dispose`. */
    RL_BLOCK_HAS_HELPERS = 1 << 25,
    /* The runtime neither copies nor frees the block. */
    RL_BLOCK_IS_GLOBAL = 1 << 28
};

struct rl_block_descriptor {
    unsigned long reserved;
    /* The size in bytes, including the captured values. */
    unsigned long size;
    void (*copy)(void *copy, const void *original);
    void (*dispose)(const void *block);
};

struct rl_block_layout {
    void *isa;
    int flags;
    int reserved;
    const void *invoke;
    const struct rl_block_descriptor *descriptor;
    /* The captured values follow the header. */
};

static inline const void *rl_block_function_of(const void *block)
{
    return ((const struct rl_block_layout *)block)->invoke;
}

/* Returns the first captured value, or null if the block captured nothing. */
static inline const void *rl_block_captured_by(const void *block)
{
    const struct rl_block_layout *layout = block;
    const void *captured = NULL;
    bool has_captured = layout->descriptor->size >= sizeof *layout + sizeof captured;
    if (has_captured) memcpy(&captured, layout + 1, sizeof captured);
    return captured;
}

/* The functions `retain` and `release` for blocks. rl_block_copy aborts if there is no memory. */
const void *rl_block_copy(const void *block);
void rl_block_release(const void *block);

#endif
