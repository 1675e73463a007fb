/*
 * Vertical blanks: the ioctl DRM_IOCTL_WAIT_VBLANK and the records that the device returns. The
 * only state of this file is the set of system calls, which a test may replace.
 */

#define _GNU_SOURCE

#include "drm.h"

#include <CRunLoopDisplay.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* The size in bytes of the kernel's queue for a descriptor. No record is longer. */
enum { MOST_EVENT_BYTES = 4096 };

static int open_device(const char *path, int flags)
{
    return open(path, flags);
}

static int control_device(int descriptor, unsigned long request, void *argument)
{
    return ioctl(descriptor, request, argument);
}

static const RLVerticalBlankSystem kernel = {.open = open_device, .control = control_device};

#if defined(RL_TESTING)

static RLVerticalBlankSystem used = {.open = open_device, .control = control_device};

Boolean RLVerticalBlankSetSystem(const RLVerticalBlankSystem *system)
{
    used = system ? *system : kernel;
    return true;
}

static const RLVerticalBlankSystem *system_calls(void)
{
    return &used;
}

#else

Boolean RLVerticalBlankSetSystem(const RLVerticalBlankSystem *system)
{
    (void)system;
    return false;
}

static const RLVerticalBlankSystem *system_calls(void)
{
    return &kernel;
}

#endif

static int request_device(int descriptor, unsigned long request, void *argument)
{
    int result;
    do {
        result = system_calls()->control(descriptor, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

/* Before Linux 4.15, drivers could be configured to use the wall clock. */
static int check_clock(int descriptor)
{
    struct rl_drm_capability times = {.number = RL_DRM_MONOTONIC_TIMES};
    int result = request_device(descriptor, RL_DRM_GET_CAPABILITY, &times);
    if (result < 0) return result;
    return times.value == 1 ? 0 : -EOPNOTSUPP;
}

int RLVerticalBlankOpen(const char *path)
{
    int descriptor;
    do {
        descriptor = system_calls()->open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
    int result = check_clock(descriptor);
    if (result < 0) {
        close(descriptor);
        return result;
    }
    /*
     * The first process that opens a device becomes its DRM master, so a compositor that starts
     * later could not draw. If another process is the master, this call fails without harm.
     */
    request_device(descriptor, RL_DRM_DROP_MASTER, NULL);
    return descriptor;
}

static int64_t nanoseconds_of(int64_t seconds, int64_t microseconds)
{
    return seconds * 1000000000 + microseconds * 1000;
}

int RLVerticalBlankQuery(int descriptor, unsigned pipe, RLVerticalBlank *ret_blank)
{
    union rl_drm_wait wait = {
        .request.type = RL_DRM_WAIT_RELATIVE | pipe << RL_DRM_WAIT_PIPE_SHIFT,
    };
    int result = request_device(descriptor, RL_DRM_WAIT, &wait);
    if (result < 0) return result;
    *ret_blank = (RLVerticalBlank){
        .nanoseconds = nanoseconds_of(wait.reply.seconds, wait.reply.microseconds),
        .sequence = wait.reply.sequence,
    };
    return 0;
}

int RLVerticalBlankRequest(int descriptor, unsigned pipe, uint32_t sequence, uint64_t ticket)
{
    union rl_drm_wait wait = {
        .request =
            {
                .type = RL_DRM_WAIT_SEND_EVENT | RL_DRM_WAIT_NEXT_IF_MISSED |
                        pipe << RL_DRM_WAIT_PIPE_SHIFT,
                .sequence = sequence,
                .ticket = (unsigned long)ticket,
            },
    };
    return request_device(descriptor, RL_DRM_WAIT, &wait);
}

int RLVerticalBlankParse(const void *bytes, size_t length, RLVerticalBlank *ret_blank,
                         Boolean *ret_is_blank)
{
    struct rl_drm_event event;
    *ret_is_blank = false;
    if (length < sizeof event) return 0;
    memcpy(&event, bytes, sizeof event);
    if (event.length < sizeof event || event.length > MOST_EVENT_BYTES) return -EPROTO;
    if (length < event.length) return 0;
    struct rl_drm_blank blank;
    if (event.type == RL_DRM_BLANK_EVENT) {
        if (event.length < sizeof blank) return -EPROTO;
        memcpy(&blank, bytes, sizeof blank);
        *ret_is_blank = true;
        *ret_blank = (RLVerticalBlank){
            .nanoseconds = nanoseconds_of(blank.seconds, blank.microseconds),
            .sequence = blank.sequence,
            .ticket = blank.ticket,
        };
    }
    return (int)event.length;
}
