/* Every function and every constant with an address. */

#include "CompletenessKit/CompletenessKit.h"

#include <CRunLoop/CRunLoop.h>

/* A row of the list; selects nothing, and so does not compile, if the type is another one. */
#define FUNCTION(name, result, ...)                                                                \
    {#name, (const void *)_Generic(&(name), result (*)(__VA_ARGS__): &(name))}
#define CONSTANT(name, type) {#name, _Generic(&(name), const type *: &(name))}

/* Callbacks and handlers, as CF's headers spell them but for the prefix. */
typedef void (*observer_callback)(RLRunLoopObserverRef, RLRunLoopActivity, void *);
typedef void (*timer_callback)(RLRunLoopTimerRef, void *);
typedef void (^block)(void);
typedef void (^observer_handler)(RLRunLoopObserverRef, RLRunLoopActivity);
typedef void (^timer_handler)(RLRunLoopTimerRef);

static const struct completeness_symbol symbols[] = {
    /* Objects and time */
    CONSTANT(kRLAllocatorDefault, RLAllocatorRef),
    CONSTANT(kRLAllocatorSystemDefault, RLAllocatorRef),
    CONSTANT(kRLAbsoluteTimeIntervalSince1970, double),
    FUNCTION(RLAbsoluteTimeGetCurrent, double, void),
    FUNCTION(RLRetain, const void *, const void *),
    FUNCTION(RLRelease, void, const void *),
    FUNCTION(RLEqual, Boolean, const void *, const void *),
    FUNCTION(RLHash, unsigned long, const void *),
    FUNCTION(RLGetTypeID, unsigned long, const void *),
    FUNCTION(RLCopyDescription, RLStringRef, const void *),
    FUNCTION(RLShow, void, const void *),

    /* Loops */
    CONSTANT(kRLRunLoopDefaultMode, RLStringRef),
    CONSTANT(kRLRunLoopCommonModes, RLStringRef),
    FUNCTION(RLRunLoopGetTypeID, unsigned long, void),
    FUNCTION(RLRunLoopGetCurrent, RLRunLoopRef, void),
    FUNCTION(RLRunLoopGetMain, RLRunLoopRef, void),
    FUNCTION(RLRunLoopCopyCurrentMode, RLStringRef, RLRunLoopRef),
    FUNCTION(RLRunLoopCopyAllModes, RLArrayRef, RLRunLoopRef),
    FUNCTION(RLRunLoopAddCommonMode, void, RLRunLoopRef, RLStringRef),
    FUNCTION(RLRunLoopGetNextTimerFireDate, double, RLRunLoopRef, RLStringRef),
    FUNCTION(RLRunLoopRun, void, void),
    FUNCTION(RLRunLoopRunInMode, RLRunLoopRunResult, RLStringRef, double, Boolean),
    FUNCTION(RLRunLoopIsWaiting, Boolean, RLRunLoopRef),
    FUNCTION(RLRunLoopWakeUp, void, RLRunLoopRef),
    FUNCTION(RLRunLoopStop, void, RLRunLoopRef),
    FUNCTION(RLRunLoopPerformBlock, void, RLRunLoopRef, const void *, block),
    FUNCTION(RLRunLoopPerformFunction, void, RLRunLoopRef, const void *, void (*)(void *), void *),
    FUNCTION(RLRunLoopContainsSource, Boolean, RLRunLoopRef, RLRunLoopSourceRef, RLStringRef),
    FUNCTION(RLRunLoopAddSource, void, RLRunLoopRef, RLRunLoopSourceRef, RLStringRef),
    FUNCTION(RLRunLoopRemoveSource, void, RLRunLoopRef, RLRunLoopSourceRef, RLStringRef),
    FUNCTION(RLRunLoopContainsObserver, Boolean, RLRunLoopRef, RLRunLoopObserverRef, RLStringRef),
    FUNCTION(RLRunLoopAddObserver, void, RLRunLoopRef, RLRunLoopObserverRef, RLStringRef),
    FUNCTION(RLRunLoopRemoveObserver, void, RLRunLoopRef, RLRunLoopObserverRef, RLStringRef),
    FUNCTION(RLRunLoopContainsTimer, Boolean, RLRunLoopRef, RLRunLoopTimerRef, RLStringRef),
    FUNCTION(RLRunLoopAddTimer, void, RLRunLoopRef, RLRunLoopTimerRef, RLStringRef),
    FUNCTION(RLRunLoopRemoveTimer, void, RLRunLoopRef, RLRunLoopTimerRef, RLStringRef),

    /* Sources */
    FUNCTION(RLRunLoopSourceGetTypeID, unsigned long, void),
    FUNCTION(RLRunLoopSourceCreate, RLRunLoopSourceRef, RLAllocatorRef, long,
             RLRunLoopSourceContext *),
    FUNCTION(RLRunLoopSourceGetOrder, long, RLRunLoopSourceRef),
    FUNCTION(RLRunLoopSourceInvalidate, void, RLRunLoopSourceRef),
    FUNCTION(RLRunLoopSourceIsValid, Boolean, RLRunLoopSourceRef),
    FUNCTION(RLRunLoopSourceGetContext, void, RLRunLoopSourceRef, RLRunLoopSourceContext *),
    FUNCTION(RLRunLoopSourceSignal, void, RLRunLoopSourceRef),
    FUNCTION(RLRunLoopSourceSignalAndWakeUp, void, RLRunLoopSourceRef, RLRunLoopRef),

    /* Observers */
    FUNCTION(RLRunLoopObserverGetTypeID, unsigned long, void),
    FUNCTION(RLRunLoopObserverCreate, RLRunLoopObserverRef, RLAllocatorRef, unsigned long, Boolean,
             long, observer_callback, RLRunLoopObserverContext *),
    FUNCTION(RLRunLoopObserverCreateWithHandler, RLRunLoopObserverRef, RLAllocatorRef,
             unsigned long, Boolean, long, observer_handler),
    FUNCTION(RLRunLoopObserverGetActivities, unsigned long, RLRunLoopObserverRef),
    FUNCTION(RLRunLoopObserverDoesRepeat, Boolean, RLRunLoopObserverRef),
    FUNCTION(RLRunLoopObserverGetOrder, long, RLRunLoopObserverRef),
    FUNCTION(RLRunLoopObserverInvalidate, void, RLRunLoopObserverRef),
    FUNCTION(RLRunLoopObserverIsValid, Boolean, RLRunLoopObserverRef),
    FUNCTION(RLRunLoopObserverGetContext, void, RLRunLoopObserverRef, RLRunLoopObserverContext *),

    /* Timers */
    FUNCTION(RLRunLoopTimerGetTypeID, unsigned long, void),
    FUNCTION(RLRunLoopTimerCreate, RLRunLoopTimerRef, RLAllocatorRef, double, double, unsigned long,
             long, timer_callback, RLRunLoopTimerContext *),
    FUNCTION(RLRunLoopTimerCreateWithHandler, RLRunLoopTimerRef, RLAllocatorRef, double, double,
             unsigned long, long, timer_handler),
    FUNCTION(RLRunLoopTimerGetNextFireDate, double, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerSetNextFireDate, void, RLRunLoopTimerRef, double),
    FUNCTION(RLRunLoopTimerGetInterval, double, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerDoesRepeat, Boolean, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerGetOrder, long, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerInvalidate, void, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerIsValid, Boolean, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerGetContext, void, RLRunLoopTimerRef, RLRunLoopTimerContext *),
    FUNCTION(RLRunLoopTimerGetTolerance, double, RLRunLoopTimerRef),
    FUNCTION(RLRunLoopTimerSetTolerance, void, RLRunLoopTimerRef, double),
};

const struct completeness_symbol *completeness_symbols(long *ret_count)
{
    *ret_count = sizeof(symbols) / sizeof(symbols[0]);
    return symbols;
}
