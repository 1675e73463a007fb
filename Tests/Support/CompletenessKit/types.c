/* Every type with its members, and every enumeration with its values; checked when compiled. */

#include <CRunLoop/CRunLoop.h>

#define SAME(type, expected)                                                                       \
    _Static_assert(__builtin_types_compatible_p(type, expected), #type " is not " #expected)
#define MEMBER(type, member, expected) SAME(__typeof__(((type *)0)->member), expected)
#define VALUE(name, type, expected)                                                                \
    _Static_assert((name) == (expected), #name " is not " #expected);                              \
    _Static_assert(sizeof(type) == sizeof(name), #name " is no " #type)

/* Scalars */
SAME(RLIndex, long);
SAME(RLOptionFlags, unsigned long);
SAME(RLHashCode, unsigned long);
SAME(RLTypeID, unsigned long);
SAME(RLTimeInterval, double);
SAME(RLAbsoluteTime, double);
SAME(RLTypeRef, const void *);

/* References */
SAME(RLRunLoopMode, RLStringRef);
_Static_assert(sizeof(RLAllocatorRef) == sizeof(void *), "an allocator is a reference");
_Static_assert(sizeof(RLStringRef) == sizeof(void *), "a string is a reference");
_Static_assert(sizeof(RLArrayRef) == sizeof(void *), "an array is a reference");
_Static_assert(sizeof(RLSetRef) == sizeof(void *), "a set is a reference");
_Static_assert(sizeof(RLDataRef) == sizeof(void *), "data are a reference");
_Static_assert(sizeof(RLRunLoopRef) == sizeof(void *), "a run loop is a reference");
_Static_assert(sizeof(RLRunLoopSourceRef) == sizeof(void *), "a source is a reference");
_Static_assert(sizeof(RLRunLoopObserverRef) == sizeof(void *), "an observer is a reference");
_Static_assert(sizeof(RLRunLoopTimerRef) == sizeof(void *), "a timer is a reference");

/* Enumerations */
VALUE(kRLRunLoopRunFinished, RLRunLoopRunResult, 1);
VALUE(kRLRunLoopRunStopped, RLRunLoopRunResult, 2);
VALUE(kRLRunLoopRunTimedOut, RLRunLoopRunResult, 3);
VALUE(kRLRunLoopRunHandledSource, RLRunLoopRunResult, 4);
VALUE(kRLRunLoopEntry, RLRunLoopActivity, 1UL << 0);
VALUE(kRLRunLoopBeforeTimers, RLRunLoopActivity, 1UL << 1);
VALUE(kRLRunLoopBeforeSources, RLRunLoopActivity, 1UL << 2);
VALUE(kRLRunLoopBeforeWaiting, RLRunLoopActivity, 1UL << 5);
VALUE(kRLRunLoopAfterWaiting, RLRunLoopActivity, 1UL << 6);
VALUE(kRLRunLoopExit, RLRunLoopActivity, 1UL << 7);
VALUE(kRLRunLoopAllActivities, RLRunLoopActivity, 0x0FFFFFFFUL);

/* Callbacks */
SAME(RLRunLoopObserverCallBack, void (*)(RLRunLoopObserverRef, RLRunLoopActivity, void *));
SAME(RLRunLoopTimerCallBack, void (*)(RLRunLoopTimerRef, void *));

/* Contexts; all begin alike */
#define CONTEXT(type)                                                                              \
    MEMBER(type, version, long);                                                                   \
    MEMBER(type, info, void *);                                                                    \
    MEMBER(type, retain, const void *(*)(const void *));                                           \
    MEMBER(type, release, void (*)(const void *));                                                 \
    MEMBER(type, copyDescription, RLStringRef (*)(const void *))
#define SOURCE_CONTEXT(type)                                                                       \
    CONTEXT(type);                                                                                 \
    MEMBER(type, equal, Boolean (*)(const void *, const void *));                                  \
    MEMBER(type, hash, unsigned long (*)(const void *))

SOURCE_CONTEXT(RLRunLoopSourceContext);
MEMBER(RLRunLoopSourceContext, schedule, void (*)(void *, RLRunLoopRef, RLStringRef));
MEMBER(RLRunLoopSourceContext, cancel, void (*)(void *, RLRunLoopRef, RLStringRef));
MEMBER(RLRunLoopSourceContext, perform, void (*)(void *));

/* The port is a descriptor here, and a Mach port on Apple's systems. */
SOURCE_CONTEXT(RLRunLoopSourceContext1);
MEMBER(RLRunLoopSourceContext1, getPort, int (*)(void *));
MEMBER(RLRunLoopSourceContext1, perform, void (*)(void *));

CONTEXT(RLRunLoopObserverContext);
CONTEXT(RLRunLoopTimerContext);
