/*
 * Memory for many bytes, such as the kernel copies in and out of sockets.
 */

#ifndef RL_BYTES_H
#define RL_BYTES_H

#include <stddef.h>
#include <stdlib.h>

/* Fewer bytes are copied equally fast from any address. */
enum { RL_MANY_BYTES = 4096 };

/*
 * Returns memory for so many bytes, which free(3) frees; null if there is none. It begins with a
 * cache line. Little memory of malloc(3) begins even with half of one, and some processors take
 * five times as long to copy to or from all other memory.
 */
static inline void *rl_allocate_many_bytes(size_t size)
{
    enum { LINE = 64 };
    return aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
}

#endif
