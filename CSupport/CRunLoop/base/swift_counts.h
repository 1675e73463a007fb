/*
 * Defines the retain and release functions for Swift's C importer, which requires these exact
 * types. Swift also passes nil. Use these macros next to RL_REGISTER_CLASS.
 */

#ifndef RL_SWIFT_COUNTS_H
#define RL_SWIFT_COUNTS_H

#include "base/object.h"

/* Swift retains and releases often, and always passes valid objects, so there are no checks. */
static inline void rl_retain_unchecked(RLTypeRef object)
{
    rl_object_retain((struct rl_object *)(uintptr_t)object);
}

static inline void rl_release_unchecked(RLTypeRef object)
{
    rl_object_release((struct rl_object *)(uintptr_t)object);
}

#define RL_DEFINE_SWIFT_COUNTS_BY(name, type, retain, release)                                     \
    void rl_swift_retain_##name(type object)                                                       \
    {                                                                                              \
        if (object) retain(object);                                                                \
    }                                                                                              \
    void rl_swift_release_##name(type object)                                                      \
    {                                                                                              \
        if (object) release(object);                                                               \
    }

#define RL_DEFINE_SWIFT_COUNTS(name, type)                                                         \
    RL_DEFINE_SWIFT_COUNTS_BY(name, type, RLRetain, RLRelease)

#define RL_DEFINE_SWIFT_COUNTS_UNCHECKED(name, type)                                               \
    RL_DEFINE_SWIFT_COUNTS_BY(name, type, rl_retain_unchecked, rl_release_unchecked)

#endif
