/* Allocation of large buffers that the kernel copies to and from sockets. */

#ifndef RL_BYTES_H
#define RL_BYTES_H

#include <stddef.h>
#include <stdlib.h>

/* Below this size, the alignment does not change the speed of a copy. */
enum { RL_MANY_BYTES = 4096 };

/*
 * Returns memory for `size` bytes, aligned to a cache line, or null if there is no memory. Free the
 * memory with free(3). malloc(3) aligns less, which makes copies up to five times slower on some
 * processors.
 */
static inline void *rl_allocate_many_bytes(size_t size)
{
    enum { LINE = 64 };
    return aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
}

#endif
