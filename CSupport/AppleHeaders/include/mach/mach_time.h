/*
 * Time in ticks. A tick is one nanosecond, as mach_timebase_info returns. mach_absolute_time is
 * CLOCK_MONOTONIC, which stops while the machine is suspended; mach_continuous_time is
 * CLOCK_BOOTTIME, which does not stop.
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

/** The fraction numer/denom that converts ticks to nanoseconds. */
struct mach_timebase_info {
    /** The numerator. */
    uint32_t numer;
    /** The denominator. */
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
/* POSIX functions under other names, because strict C modes hide their declarations. */
extern int rl_apple_clock_gettime(int clock, struct timespec *now) __asm__("clock_gettime");
extern int rl_apple_clock_nanosleep(int clock, int flags, const struct timespec *until,
                                    struct timespec *left) __asm__("clock_nanosleep");
#endif
#if defined(__cplusplus)
}
#endif

/** Returns the time of a kernel clock in nanoseconds. */
__attribute__((unused)) static inline uint64_t rl_apple_nanoseconds(int clock)
{
    struct timespec now = {0, 0};
    rl_apple_clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/**
 * Returns the number of ticks since an arbitrary time, excluding the time while the machine was
 * suspended.
 */
__attribute__((unused)) static inline uint64_t mach_absolute_time(void)
{
    return rl_apple_nanoseconds(1 /* CLOCK_MONOTONIC */);
}

/**
 * Like mach_absolute_time, but returns the time of the last kernel tick: it is faster, and up to
 * some milliseconds late.
 */
__attribute__((unused)) static inline uint64_t mach_approximate_time(void)
{
    return rl_apple_nanoseconds(6 /* CLOCK_MONOTONIC_COARSE */);
}

/**
 * Returns the number of ticks since an arbitrary time, including the time while the machine was
 * suspended.
 */
__attribute__((unused)) static inline uint64_t mach_continuous_time(void)
{
    return rl_apple_nanoseconds(7 /* CLOCK_BOOTTIME */);
}

/** Same as mach_continuous_time. */
__attribute__((unused)) static inline uint64_t mach_continuous_approximate_time(void)
{
    return mach_continuous_time();
}

/**
 * Sets `info` to the fraction that converts ticks to nanoseconds, here 1/1. Always returns
 * KERN_SUCCESS.
 */
__attribute__((unused)) static inline kern_return_t mach_timebase_info(mach_timebase_info_t info)
{
    info->numer = 1;
    info->denom = 1;
    return KERN_SUCCESS;
}

/**
 * Blocks the calling thread until mach_absolute_time reaches the deadline. Returns KERN_SUCCESS, or
 * KERN_ABORTED if a signal handler has interrupted the wait.
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
