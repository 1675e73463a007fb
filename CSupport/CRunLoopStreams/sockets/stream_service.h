/* The types of service that clients can request, and the marks of their packets. */

#ifndef RL_STREAM_SERVICE_H
#define RL_STREAM_SERVICE_H

#include <CRunLoop/RLStream.h>

struct rl_service_type {
    const RLStringRef *name;
    /* A differentiated services code point, for routers and wireless networks. */
    int code_point;
    /* The priority in the system's own queues. */
    int priority;
};

const struct rl_service_type *rl_service_type_find(RLTypeRef value);

#endif
