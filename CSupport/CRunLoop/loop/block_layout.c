#include "loop/block_layout.h"

#include "base/check.h"

/* Declared here, because C compilers on Linux do not find the header of the blocks runtime. */
void *_Block_copy(const void *block);
void _Block_release(const void *block);

const void *rl_block_copy(const void *block)
{
    const void *copy = _Block_copy(block);
    if (!copy) {
        rl_client_error("_Block_copy", "no memory for the copy of a block: raise the memory limit "
                                       "of the process, or use less memory");
    }
    return copy;
}

void rl_block_release(const void *block)
{
    _Block_release(block);
}
