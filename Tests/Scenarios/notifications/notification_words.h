/*
 * Words for scenarios about notification centers: an observer is a block that is called.
 */

#ifndef SCENARIOKIT_NOTIFICATION_WORDS_H
#define SCENARIOKIT_NOTIFICATION_WORDS_H

#include "words.h"

#include <CRunLoop/RLNotificationCenter.h>

/** What an observer does with a notification. */
typedef void (^notification_body)(RLStringRef name, const void *object, RLDictionaryRef info);

static inline void notification_called(RLNotificationCenterRef center, void *observer,
                                       RLStringRef name, const void *object, RLDictionaryRef info)
{
    check(RLGetTypeID(center) == RLNotificationCenterGetTypeID());
    ((notification_body)observer)(name, object, info);
}

static inline RLNotificationCenterRef local_center(void)
{
    return RLNotificationCenterGetLocalCenter();
}

/** Makes an observer, which lives as long as the scenario and is removed at its end. */
static inline const void *make_listener(notification_body body)
{
    const void *observer = copied((const void *)body);

    at_return(^{
        RLNotificationCenterRemoveEveryObserver(local_center(), observer);
        release_block(observer);
    });
    return observer;
}

static inline RLStringRef name_or_null(const char *name)
{
    return name ? mode_named(name) : NULL;
}

/** Adds an observer to the local center; null names and objects are all. */
static inline void listen_to(const void *observer, const char *name, const void *object)
{
    RLNotificationCenterAddObserver(local_center(), observer, notification_called,
                                    name_or_null(name), object,
                                    RLNotificationSuspensionBehaviorDrop);
}

static inline void stop_observing(const void *observer, const char *name, const void *object)
{
    RLNotificationCenterRemoveObserver(local_center(), observer, name_or_null(name), object);
}

/** Posts to the local center. */
static inline void post(const char *name, const void *object)
{
    RLNotificationCenterPostNotification(local_center(), mode_named(name), object, NULL, false);
}

/** An observer that notes its letter and the name. */
static inline const void *noting(const char *letter)
{
    return make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
        char text[64];

        RLStringGetCString(name, text, sizeof(text), kRLStringEncodingUTF8);
        note("%s got %s", letter, text);
    });
}

static inline RLNotificationCenterRef distributed_center(void)
{
    return RLNotificationCenterGetDistributedCenter();
}

/** Adds a listener to a center; the scenarios' processes end with it. */
static inline void listen_far(RLNotificationCenterRef center, const char *name, const char *object,
                              int behavior, notification_body body)
{
    const void *observer = make_listener(body);

    RLNotificationCenterAddObserver(center, observer, notification_called, name_or_null(name),
                                    name_or_null(object), behavior);
    at_return(^{ RLNotificationCenterRemoveEveryObserver(center, observer); });
}

#endif
