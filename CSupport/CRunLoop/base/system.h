/*
 * Feature macros. A file that uses times, file sizes or more than standard C includes this header
 * before any other. Some files do not include this header, so no header of the engine may declare a
 * type whose size depends on these macros.
 */

#ifndef RL_SYSTEM_H
#define RL_SYSTEM_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

/* On 32-bit machines, required for files over 2 GB and for years after 2038. */
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
#if !defined(_TIME_BITS)
#define _TIME_BITS 64
#endif

/*
 * The thread sanitizer sees synchronization only in functions of the C library. It delays signal
 * handlers unless the thread blocks in such a function.
 */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RL_NEEDS_KNOWN_CALLS
#endif
#endif

#include <sys/types.h>

_Static_assert(sizeof(off_t) == 8 && sizeof(time_t) == 8, "this C library cannot do that");

#endif
