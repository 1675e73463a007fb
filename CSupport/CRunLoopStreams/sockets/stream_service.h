/*
 * The types of service that clients can ask a connection for, and how its packets are marked then.
 */

#ifndef RL_STREAM_SERVICE_H
#define RL_STREAM_SERVICE_H

#include <CRunLoop/RLStream.h>

struct rl_service_type {
    /* One of the constants. */
    const RLStringRef *name;
    /* A differentiated services code point, for routers and wireless networks. */
    int code_point;
    /* For the system's own queues. */
    int priority;
};

/* Returns the type that a client's value names, or null. */
const struct rl_service_type *rl_service_type_find(RLTypeRef value);

#endif
