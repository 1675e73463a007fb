/*
 * Time in ticks, which are nanoseconds here: mach_timebase_info reports that. mach_absolute_time is
 * CLOCK_MONOTONIC, which stands still while the machine sleeps; mach_continuous_time is
 * CLOCK_BOOTTIME, which does not.
 */

#ifndef CRUNLOOP_APPLE_MACH_MACH_TIME_H
#define CRUNLOOP_APPLE_MACH_MACH_TIME_H

#include <errno.h>
#include <mach/kern_return.h>
#include <stdint.h>
#include <time.h>

#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/** The fraction that turns ticks into nanoseconds. */
struct mach_timebase_info {
    /** Multiply with this. */
    uint32_t numer;
    /** Divide by this. */
    uint32_t denom;
};
/** @see mach_timebase_info */
typedef struct mach_timebase_info *mach_timebase_info_t;
/** @see mach_timebase_info */
typedef struct mach_timebase_info mach_timebase_info_data_t;

#if defined(__cplusplus)
extern "C" {
#endif
#if defined(CLOCK_MONOTONIC)
#define rl_apple_clock_gettime clock_gettime
#define rl_apple_clock_nanosleep clock_nanosleep
#else
/* Strict modes of C hide the functions of POSIX, under their own names. */
extern int rl_apple_clock_gettime(int clock, struct timespec *now) __asm__("clock_gettime");
extern int rl_apple_clock_nanosleep(int clock, int flags, const struct timespec *until,
                                    struct timespec *left) __asm__("clock_nanosleep");
#endif
#if defined(__cplusplus)
}
#endif

/** The time of one of the kernel's clocks in nanoseconds. */
__attribute__((unused)) static inline uint64_t rl_apple_nanoseconds(int clock)
{
    struct timespec now = {0, 0};
    rl_apple_clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** The time since an arbitrary moment, without the time that the machine was suspended. */
__attribute__((unused)) static inline uint64_t mach_absolute_time(void)
{
    return rl_apple_nanoseconds(1 /* CLOCK_MONOTONIC */);
}

/** Like mach_absolute_time at the kernel's last tick: cheaper, and some milliseconds old. */
__attribute__((unused)) static inline uint64_t mach_approximate_time(void)
{
    return rl_apple_nanoseconds(6 /* CLOCK_MONOTONIC_COARSE */);
}

/** The time since an arbitrary moment, with the time that the machine was suspended. */
__attribute__((unused)) static inline uint64_t mach_continuous_time(void)
{
    return rl_apple_nanoseconds(7 /* CLOCK_BOOTTIME */);
}

/** The same as mach_continuous_time. */
__attribute__((unused)) static inline uint64_t mach_continuous_approximate_time(void)
{
    return mach_continuous_time();
}

/** Returns the fraction of a nanosecond that a tick is. Always KERN_SUCCESS. */
__attribute__((unused)) static inline kern_return_t mach_timebase_info(mach_timebase_info_t info)
{
    info->numer = 1;
    info->denom = 1;
    return KERN_SUCCESS;
}

/**
 * Blocks the calling thread until mach_absolute_time is at the deadline. KERN_ABORTED if a signal
 * handler ran before.
 */
__attribute__((unused)) static inline kern_return_t mach_wait_until(uint64_t deadline)
{
    struct timespec until;
    until.tv_sec = (time_t)(deadline / 1000000000u);
    until.tv_nsec = (long)(deadline % 1000000000u);
    int error =
        rl_apple_clock_nanosleep(1 /* CLOCK_MONOTONIC */, 1 /* TIMER_ABSTIME */, &until, NULL);
    return error == 0 ? KERN_SUCCESS : KERN_ABORTED;
}

#if defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

#endif
