/* The types of service that clients can request, and how their packets are marked. */

#ifndef RL_STREAM_SERVICE_H
#define RL_STREAM_SERVICE_H

#include <CRunLoop/RLStream.h>

struct rl_service_type {
    const RLStringRef *name;
    /* The DSCP (differentiated services code point), which routers and wireless networks read. */
    int code_point;
    /* The priority in the queues of this system. */
    int priority;
};

const struct rl_service_type *rl_service_type_find(RLTypeRef value);

#endif
