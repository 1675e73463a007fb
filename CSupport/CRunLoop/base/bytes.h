/* Memory for large buffers, which the kernel copies into and out of sockets. */

#ifndef RL_BYTES_H
#define RL_BYTES_H

#include <stddef.h>
#include <stdlib.h>

/* Smaller buffers are copied equally fast at any address. */
enum { RL_MANY_BYTES = 4096 };

/*
 * Returns memory for `size` bytes, which free(3) frees; null if there is none. It is aligned to a
 * cache line. malloc(3) aligns less, and then some processors take five times as long to copy.
 */
static inline void *rl_allocate_many_bytes(size_t size)
{
    enum { LINE = 64 };
    return aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
}

#endif
