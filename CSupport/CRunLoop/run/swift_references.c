/*
 * The reference functions that Swift calls, with the exact types that its importer wants. Swift
 * calls them for empty optionals too.
 *
 * Swift counts references often, and always of objects of the right type. So the functions of the
 * types that come up in every call check nothing.
 */

#include "base/object.h"

#include <CRunLoop/CRunLoop.h>

static inline void retain_unchecked(RLTypeRef object)
{
    rl_object_retain((struct rl_object *)(uintptr_t)object);
}

static inline void release_unchecked(RLTypeRef object)
{
    rl_object_release((struct rl_object *)(uintptr_t)object);
}

/* Literals are not counted. */
static inline bool is_counted_string(RLStringRef string)
{
    return string && rl_is(string, RL_TYPE_STRING);
}

void rl_swift_retain_string(RLStringRef string)
{
    if (is_counted_string(string)) retain_unchecked(string);
}

void rl_swift_release_string(RLStringRef string)
{
    if (is_counted_string(string)) release_unchecked(string);
}

/* Defines both functions of a type. */
#define SWIFT_COUNTS(name, type, retain, release)                                                  \
    void rl_swift_retain_##name(type object)                                                       \
    {                                                                                              \
        if (object) retain(object);                                                                \
    }                                                                                              \
    void rl_swift_release_##name(type object)                                                      \
    {                                                                                              \
        if (object) release(object);                                                               \
    }

SWIFT_COUNTS(array, RLArrayRef, RLRetain, RLRelease)
SWIFT_COUNTS(data, RLDataRef, RLRetain, RLRelease)
SWIFT_COUNTS(set, RLSetRef, RLRetain, RLRelease)
SWIFT_COUNTS(dictionary, RLDictionaryRef, RLRetain, RLRelease)
SWIFT_COUNTS(date, RLDateRef, RLRetain, RLRelease)
SWIFT_COUNTS(error, RLErrorRef, RLRetain, RLRelease)
SWIFT_COUNTS(allocator, RLAllocatorRef, RLRetain, RLRelease)
SWIFT_COUNTS(url, RLURLRef, RLRetain, RLRelease)
SWIFT_COUNTS(number, RLNumberRef, RLRetain, RLRelease)
SWIFT_COUNTS(boolean, RLBooleanRef, RLRetain, RLRelease)
SWIFT_COUNTS(null, RLNullRef, RLRetain, RLRelease)
SWIFT_COUNTS(run_loop, RLRunLoopRef, retain_unchecked, release_unchecked)
SWIFT_COUNTS(source, RLRunLoopSourceRef, retain_unchecked, release_unchecked)
SWIFT_COUNTS(observer, RLRunLoopObserverRef, retain_unchecked, release_unchecked)
SWIFT_COUNTS(timer, RLRunLoopTimerRef, retain_unchecked, release_unchecked)
SWIFT_COUNTS(mach_port, RLMachPortRef, RLRetain, RLRelease)
SWIFT_COUNTS(message_port, RLMessagePortRef, RLRetain, RLRelease)
SWIFT_COUNTS(notification_center, RLNotificationCenterRef, RLRetain, RLRelease)
SWIFT_COUNTS(file_descriptor, RLFileDescriptorRef, RLRetain, RLRelease)
SWIFT_COUNTS(socket, RLSocketRef, RLRetain, RLRelease)
SWIFT_COUNTS(read_stream, RLReadStreamRef, RLRetain, RLRelease)
SWIFT_COUNTS(write_stream, RLWriteStreamRef, RLRetain, RLRelease)
SWIFT_COUNTS(host, RLHostRef, RLRetain, RLRelease)
SWIFT_COUNTS(time_zone, RLTimeZoneRef, RLRetain, RLRelease)
SWIFT_COUNTS(tracer, RLRunLoopTracerRef, RLRetain, RLRelease)
SWIFT_COUNTS(recording, RLRunLoopRecordingRef, RLRetain, RLRelease)
