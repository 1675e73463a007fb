/* Calls on items of loops: timers, observers, sources, and objects with a source. */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLRunLoopWrapping.h>

/* The functions of an item. */
struct membership_functions {
    void (*change)(RLRunLoopRef loop, void *item, RLRunLoopMode mode);
};

static bool is_timer(const void *object)
{
    return RLGetTypeID(object) == RLRunLoopTimerGetTypeID();
}

static bool is_observer(const void *object)
{
    return RLGetTypeID(object) == RLRunLoopObserverGetTypeID();
}

/* The object if it is an item, or its source; retained. Null if it has none. */
static void *copy_item(struct racer *self)
{
    RLRunLoopSourceRef (*copy_source)(void *) = self->race->kind->copy_source;
    return copy_source ? (void *)copy_source(self->object)
                       : (void *)(uintptr_t)RLRetain(self->object);
}

static void add(struct racer *self)
{
    void *item = copy_item(self);
    RLRunLoopRef loop = some_loop(self);
    RLRunLoopMode mode = some_mode(self);
    if (!item) return;
    atomic_store(&self->race->is_served, true);
    if (is_timer(item)) {
        RLRunLoopAddTimer(loop, item, mode);
    } else if (is_observer(item)) {
        RLRunLoopAddObserver(loop, item, mode);
    } else {
        RLRunLoopAddSource(loop, item, mode);
        RLRunLoopWakeUp(loop);
    }
    RLRelease(item);
}

static void take_out(struct racer *self)
{
    void *item = copy_item(self);
    RLRunLoopRef loop = some_loop(self);
    RLRunLoopMode mode = some_mode(self);
    if (!item) return;
    if (is_timer(item)) {
        RLRunLoopRemoveTimer(loop, item, mode);
    } else if (is_observer(item)) {
        RLRunLoopRemoveObserver(loop, item, mode);
    } else {
        RLRunLoopRemoveSource(loop, item, mode);
    }
    RLRelease(item);
}

static void contains(struct racer *self)
{
    void *item = copy_item(self);
    if (!item) return;
    if (is_timer(item)) {
        RLRunLoopContainsTimer(some_loop(self), item, some_mode(self));
    } else if (is_observer(item)) {
        RLRunLoopContainsObserver(some_loop(self), item, some_mode(self));
    } else {
        RLRunLoopContainsSource(some_loop(self), item, some_mode(self));
    }
    RLRelease(item);
}

static void describe(struct racer *self)
{
    RLRelease(RLCopyDescription(self->object));
}

static void compare(struct racer *self)
{
    RLEqual(self->object, self->race->kind->name ? self->object : NULL);
    RLHash(self->object);
    RLRelease(RLRetain(self->object));
}

static void run(struct racer *self)
{
    RLRunLoopMode mode = flip(self) ? kRLRunLoopDefaultMode : second_mode;
    RLRunLoopRunInMode(mode, some_milliseconds(self), flip(self));
}

static void stop(struct racer *self)
{
    RLRunLoopStop(some_loop(self));
}

static void ignore_item(const RLRunLoopItemState *state, void *info)
{
    RLRelease(RLRetain(state->item));
}

static void look(struct racer *self)
{
    RLRunLoopRef loop = some_loop(self);
    RLRunLoopVisitItems(loop, flip(self) ? kRLRunLoopDefaultMode : second_mode, ignore_item, NULL);
    RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode);
    RLTestingVerifyLoop(loop);
}

static void dump(struct racer *self)
{
    RLRelease(RLCopyDescription(some_loop(self)));
}

const struct call common_calls[] = {
    {"add", add, false},
    {"add", add, false},
    {"remove", take_out, false},
    {"contains", contains, false},
    {"describe", describe, false},
    {"compare", compare, false},
    {"run", run, false},
    {"run", run, false},
    {"stop", stop, false},
    {"look at a loop", look, false},
    {"describe a loop", dump, false},
    {NULL, NULL, false},
};
