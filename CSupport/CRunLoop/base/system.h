/*
 * What the C library is to offer: before all of its headers, in every file that uses more of it
 * than C has, times or file sizes. No header has a type whose size depends on this, as some files
 * do without it.
 */

#ifndef RL_SYSTEM_H
#define RL_SYSTEM_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

/* Machines of 32 bits, too, have files of more than 2 GB and years after 2038. */
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
#if !defined(_TIME_BITS)
#define _TIME_BITS 64
#endif

#include <sys/types.h>

_Static_assert(sizeof(off_t) == 8 && sizeof(time_t) == 8, "this C library cannot do that");

#endif
