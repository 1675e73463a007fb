/*
 * Vertical blanks of displays, as the kernel's display drivers (DRM) report them. RunLoopDisplay
 * uses these functions; programs use RLDisplayLink. They have no CF counterpart.
 *
 * Only one thread at a time may use a descriptor. Functions that return an `int` return a negative
 * errno value on failure.
 */

#ifndef CRUNLOOPDISPLAY_H
#define CRUNLOOPDISPLAY_H

#include <CRunLoop/RLBase.h>

#include <stddef.h>
#include <stdint.h>

RL_EXTERN_C_BEGIN

/** A vertical blank: the moment at which a display begins a frame. */
typedef struct {
    /** The time in nanoseconds of CLOCK_MONOTONIC. */
    int64_t nanoseconds;
    /** The driver's count of blanks. Each display has its own count, which wraps around. */
    uint32_t sequence;
    /** The ticket that was passed to RLVerticalBlankRequest; 0 from RLVerticalBlankQuery. */
    uint64_t ticket;
} RLVerticalBlank;

/**
 * Opens a display device, such as `/dev/dri/card0`, without becoming its DRM master.
 *
 * - Returns: A nonblocking close-on-exec descriptor that the caller closes; -ENOTTY if the file is
 *   not a display device, -EOPNOTSUPP if the device does not use CLOCK_MONOTONIC.
 */
RL_EXPORT int RLVerticalBlankOpen(const char *path);

/**
 * Queries the last vertical blank. Returns 0 on success, or -EINVAL if the display does not exist
 * or is off.
 *
 * - Parameters:
 *  - descriptor: The device.
 *  - pipe: The number of the display, from 0 to RLVerticalBlankMostPipe.
 *  - ret_blank: Receives the blank.
 */
RL_EXPORT int RLVerticalBlankQuery(int descriptor, unsigned pipe, RLVerticalBlank *ret_blank);

/** The highest display number that a request can have. */
enum { RLVerticalBlankMostPipe = 31 };

/**
 * Makes the device readable at a vertical blank, or at the next blank if the requested blank has
 * passed. Returns 0 on success.
 *
 * - Parameters:
 *   - descriptor: The device.
 *   - pipe: The number of the display.
 *   - sequence: The sequence number of the blank.
 *   - ticket: Returned with the blank. Only 32 bits are kept on 32-bit systems.
 */
RL_EXPORT int RLVerticalBlankRequest(int descriptor, unsigned pipe, uint32_t sequence,
                                     uint64_t ticket);

/**
 * Parses the first record of the bytes read from a device.
 *
 * - Parameters:
 *   - bytes: The bytes.
 *   - length: The number of bytes.
 *   - ret_blank: Receives the blank, if the record is a blank.
 *   - ret_is_blank: Receives false for other events of the device.
 * - Returns: The length of the record, 0 if the record is incomplete, or -EPROTO if it is invalid.
 */
RL_EXPORT int RLVerticalBlankParse(const void *bytes, size_t length, RLVerticalBlank *ret_blank,
                                   Boolean *ret_is_blank);

/** The two system calls that access a device. On failure they return -1 and set `errno`. */
typedef struct {
    int (*open)(const char *path, int flags);
    int (*control)(int descriptor, unsigned long request, void *argument);
} RLVerticalBlankSystem;

/**
 * Replaces the system calls for tests, in the whole process. Null restores the real system calls.
 *
 * - Parameter system: The functions, which are copied. Set them before a device is used.
 * - Returns: False in builds without RL_TESTING, such as release builds, which do not support this.
 */
RL_EXPORT Boolean RLVerticalBlankSetSystem(const RLVerticalBlankSystem *system);

RL_EXTERN_C_END

#endif
