/*
 * Vertical blanks of displays, as reported by the kernel's display drivers (DRM). For
 * RunLoopDisplay; programs use RLDisplayLink. Ours, no CF counterpart.
 *
 * A descriptor is for one thread at a time. Functions that return an `int` return a negative errno
 * value when they fail.
 */

#ifndef CRUNLOOPDISPLAY_H
#define CRUNLOOPDISPLAY_H

#include <CRunLoop/RLBase.h>

#include <stddef.h>
#include <stdint.h>

RL_EXTERN_C_BEGIN

/** A vertical blank: the moment at which a display begins a frame. */
typedef struct {
    /** CLOCK_MONOTONIC. */
    int64_t nanoseconds;
    /** The driver's count of blanks, which is separate for each display, and wraps. */
    uint32_t sequence;
    /** The ticket of RLVerticalBlankRequest; 0 from RLVerticalBlankQuery. */
    uint64_t ticket;
} RLVerticalBlank;

/**
 * Opens a device, such as `/dev/dri/card0`, without becoming its master.
 *
 * - Returns: A descriptor that does not block, closed on exec; the caller closes it. ENOTTY if it
 *   is no display, EOPNOTSUPP if its times are those of another clock.
 */
RL_EXPORT int RLVerticalBlankOpen(const char *path);

/**
 * Queries the last vertical blank. EINVAL if the display does not exist or is off.
 *
 * - Parameters:
 *   - descriptor: The device.
 *   - pipe: The display of the device, from 0 on; at most RLVerticalBlankMostPipe.
 *   - ret_blank: Receives it.
 */
RL_EXPORT int RLVerticalBlankQuery(int descriptor, unsigned pipe, RLVerticalBlank *ret_blank);

/** The highest display number of a request. */
enum { RLVerticalBlankMostPipe = 31 };

/**
 * Makes the device readable at a vertical blank, or at the next one if that has passed.
 *
 * - Parameters:
 *   - descriptor: The device.
 *   - pipe: As in RLVerticalBlankQuery.
 *   - sequence: The number of the blank.
 *   - ticket: Returned with the blank; 32 bits on 32-bit systems.
 */
RL_EXPORT int RLVerticalBlankRequest(int descriptor, unsigned pipe, uint32_t sequence,
                                     uint64_t ticket);

/**
 * Parses the first record of the bytes read from a device.
 *
 * - Parameters:
 *   - bytes: The bytes.
 *   - length: The number of bytes.
 *   - ret_blank: Receives the blank, if the record is one.
 *   - ret_is_blank: Receives whether it is one; devices report other events too.
 * - Returns: The length of the record; 0 if it is not complete; -EPROTO if it is none.
 */
RL_EXPORT int RLVerticalBlankParse(const void *bytes, size_t length, RLVerticalBlank *ret_blank,
                                   Boolean *ret_is_blank);

/** The two system calls by which a device is reached; they fail with `errno` set. */
typedef struct {
    int (*open)(const char *path, int flags);
    int (*control)(int descriptor, unsigned long request, void *argument);
} RLVerticalBlankSystem;

/**
 * Replaces the system calls for tests, in the whole process; null restores the kernel's.
 *
 * - Parameter system: Copied. Set it before a device is in use.
 * - Returns: Whether the hook is there: not in builds without RL_TESTING (release builds).
 */
RL_EXPORT Boolean RLVerticalBlankSetSystem(const RLVerticalBlankSystem *system);

RL_EXTERN_C_END

#endif
