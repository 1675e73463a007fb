/*
 * The part of the kernel's <drm/drm.h> that this module uses. The kernel's interface is stable, but
 * not every build machine has the header: on some systems it belongs to libdrm. If the header
 * exists, static assertions compare the definitions.
 */

#ifndef RL_DRM_H
#define RL_DRM_H

#include <stdint.h>
#include <sys/ioctl.h>

struct rl_drm_capability {
    uint64_t number;
    uint64_t value;
};

union rl_drm_wait {
    struct {
        uint32_t type;
        uint32_t sequence;
        unsigned long ticket;
    } request;
    struct {
        uint32_t type;
        uint32_t sequence;
        long seconds;
        long microseconds;
    } reply;
};

struct rl_drm_event {
    uint32_t type;
    /* The length in bytes, including this field and the type. */
    uint32_t length;
};

struct rl_drm_blank {
    struct rl_drm_event event;
    uint64_t ticket;
    uint32_t seconds;
    uint32_t microseconds;
    uint32_t sequence;
    uint32_t display;
};

#define RL_DRM_GET_CAPABILITY _IOWR('d', 0x0c, struct rl_drm_capability)
#define RL_DRM_DROP_MASTER _IO('d', 0x1f)
#define RL_DRM_WAIT _IOWR('d', 0x3a, union rl_drm_wait)

enum {
    RL_DRM_MONOTONIC_TIMES = 0x6,
    RL_DRM_BLANK_EVENT = 0x1,
    /* Flags of requests. If RL_DRM_WAIT_RELATIVE is not set, a sequence number is absolute. */
    RL_DRM_WAIT_RELATIVE = 0x1,
    RL_DRM_WAIT_PIPE_SHIFT = 1,
    RL_DRM_WAIT_SEND_EVENT = 0x4000000,
    RL_DRM_WAIT_NEXT_IF_MISSED = 0x10000000,
};

#if defined(__has_include)
#if __has_include(<drm/drm.h>)
#include <drm/drm.h>

_Static_assert(RL_DRM_GET_CAPABILITY == DRM_IOCTL_GET_CAP, "the kernel's number");
_Static_assert(RL_DRM_DROP_MASTER == DRM_IOCTL_DROP_MASTER, "the kernel's number");
_Static_assert(RL_DRM_WAIT == DRM_IOCTL_WAIT_VBLANK, "the kernel's number");
_Static_assert(RL_DRM_MONOTONIC_TIMES == DRM_CAP_TIMESTAMP_MONOTONIC, "the kernel's number");
_Static_assert(RL_DRM_BLANK_EVENT == DRM_EVENT_VBLANK, "the kernel's number");
_Static_assert(RL_DRM_WAIT_RELATIVE == (int)_DRM_VBLANK_RELATIVE, "the kernel's flag");
_Static_assert(RL_DRM_WAIT_SEND_EVENT == (int)_DRM_VBLANK_EVENT, "the kernel's flag");
_Static_assert(RL_DRM_WAIT_NEXT_IF_MISSED == (int)_DRM_VBLANK_NEXTONMISS, "the kernel's flag");
_Static_assert(31 << RL_DRM_WAIT_PIPE_SHIFT == (int)_DRM_VBLANK_HIGH_CRTC_MASK,
               "the kernel's bits");
_Static_assert(sizeof(struct rl_drm_blank) == sizeof(struct drm_event_vblank), "the kernel's size");
#endif
#endif

#endif
