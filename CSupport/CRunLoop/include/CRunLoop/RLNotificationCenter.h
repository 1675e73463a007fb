/*
 * Notification centers: a thread posts a notification, and all observers of its name are called.
 *
 * The local center is for the code of one process. Posting calls the observers at once, on the
 * thread that posts, in the order in which they were added. An observer that is removed meanwhile
 * is no longer called. One that is added meanwhile is called from the next notification on.
 *
 * The distributed center is for the processes of one user. Each process that has added an observer
 * receives while its main loop runs in a common mode. Objects are strings, and user info is a
 * property list: strings, numbers, Booleans, data, dates, and arrays and dictionaries of these
 * with strings as keys. They are copied, and limited to 64 KiB in all: a larger notification is not
 * posted, and a line is logged. Other objects stop the process with a line.
 *
 * A post is sent to each process directly and in order, by message ports in the folder of
 * RLMessagePort.h. It reaches 256 processes. It waits a second at most for processes with a full
 * queue, and only once for each until that has space again. A process with a full queue, or without
 * descriptors, misses the notification. Any process of the user can forge notifications.
 *
 * Darwin's center is the distributed one for names alone. It does not reach other users.
 *
 * A center retains neither observers nor objects: it compares their addresses, and passes them on.
 * It copies names. An observer that was added several times is called as often.
 *
 * All functions may be called from any thread, also in callbacks. No lock is held while a callback
 * is called, so that a callback may still run on another thread when its observer has been removed.
 * After a fork, the child has the same observers; those of other centers than the local one are
 * called only after the child has added one itself. A null center, or an argument of another type,
 * stops the process with a line that names the function.
 */

#ifndef CRUNLOOP_RLNOTIFICATIONCENTER_H
#define CRUNLOOP_RLNOTIFICATIONCENTER_H

#include <CRunLoop/RLDictionary.h>

RL_EXTERN_C_BEGIN

/** The name of a notification; any string. CF: CFNotificationName. */
typedef RLStringRef RLNotificationName RL_REFINED_FOR_SWIFT;

#if defined(__swift__)
/** A notification center. CF: CFNotificationCenterRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_notification_center, rl_swift_release_notification_center)
    RL_SWIFT_NAME(RLNotificationCenterRef) RLOpaqueNotificationCenter {
    uintptr_t _reserved;
};

#define RLNotificationCenterRef struct RLOpaqueNotificationCenter *
#else
/** A reference to a notification center. CF: CFNotificationCenterRef. */
typedef struct __CFNotificationCenter *RLNotificationCenterRef;
#endif

/**
 * Called with a notification: the center, the observer, the name, object and user info. The name,
 * and objects that the poster does not retain, are valid until the callback returns. CF:
 * CFNotificationCallback.
 */
typedef void (*RLNotificationCallback)(RLNotificationCenterRef center, void *observer,
                                       RLNotificationName name, const void *object,
                                       RLDictionaryRef userInfo);

/**
 * The treatment of notifications for an observer while the distributed center is suspended. Other
 * centers ignore it. CF: CFNotificationSuspensionBehavior.
 */
RL_CLOSED_ENUM(RLIndex, RLNotificationSuspensionBehavior) {
    /** They are dropped. CF: CFNotificationSuspensionBehaviorDrop. */
    RLNotificationSuspensionBehaviorDrop = 1,
    /**
     * Only the last notification of a name and object is pending. CF:
     * CFNotificationSuspensionBehaviorCoalesce.
     */
    RLNotificationSuspensionBehaviorCoalesce = 2,
    /** All notifications are pending, up to 1,024 or 1 MiB: then the oldest is lost. CF:
     * CFNotificationSuspensionBehaviorHold.
     */
    RLNotificationSuspensionBehaviorHold = 3,
    /**
     * They are delivered, after all pending ones. CF:
     * CFNotificationSuspensionBehaviorDeliverImmediately.
     */
    RLNotificationSuspensionBehaviorDeliverImmediately = 4
};

/** Options for posting. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /** Also to observers that are suspended. CF: kCFNotificationDeliverImmediately. */
    kRLNotificationDeliverImmediately = 1UL << 0,
    /** Has no effect: there are no sessions. CF: kCFNotificationPostToAllSessions. */
    kRLNotificationPostToAllSessions = 1UL << 1
};

/** The type number of notification centers. CF: CFNotificationCenterGetTypeID. */
RL_EXPORT RLTypeID RLNotificationCenterGetTypeID(void);

/** The center of this process; always the same one. CF: CFNotificationCenterGetLocalCenter. */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetLocalCenter(void) RL_RETURNS_NOT_RETAINED;

/**
 * The center of the user's processes; always the same one.
 * CF: CFNotificationCenterGetDistributedCenter.
 */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetDistributedCenter(void)
    RL_RETURNS_NOT_RETAINED;

/**
 * The center of the user's processes for names alone; always the same one.
 * CF: CFNotificationCenterGetDarwinNotifyCenter.
 */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetDarwinNotifyCenter(void)
    RL_RETURNS_NOT_RETAINED;

/**
 * Suspends or resumes the distributed center in this process. While it is suspended, each
 * observer's suspension behavior applies. After resuming, the main loop delivers pending
 * notifications. Other centers ignore it. Ours, no CF counterpart:
 * DistributedNotificationCenter.suspended.
 */
RL_EXPORT void RLNotificationCenterSetSuspended(RLNotificationCenterRef center, Boolean suspended);

/**
 * Adds an observer.
 *
 * - Parameters:
 *   - center: The center.
 *   - observer: Passed to the callback, and identifies the observer for removal; may be null.
 *   - callBack: The callback; not null.
 *   - name: The name of the notifications, copied; null for every name. Not null for Darwin's
 * center.
 *   - object: The object of the notifications; null for every object. A string, which is copied,
 *     for the distributed center; Darwin's center ignores it.
 *   - suspensionBehavior: The handling of notifications while the distributed center is suspended.
 * - CF: CFNotificationCenterAddObserver.
 */
RL_EXPORT void RLNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer,
                                               RLNotificationCallback callBack, RLStringRef name,
                                               const void *object,
                                               RLNotificationSuspensionBehavior suspensionBehavior);

/**
 * Removes an observer, as often as it was added with this name and object.
 *
 * - Parameters:
 *   - center: The center.
 *   - observer: The observer.
 *   - name: The name; null for every name.
 *   - object: The object; null for every object.
 * - CF: CFNotificationCenterRemoveObserver.
 */
RL_EXPORT void RLNotificationCenterRemoveObserver(RLNotificationCenterRef center,
                                                  const void *observer, RLNotificationName name,
                                                  const void *object) RL_SWIFT_SECOND_CHOICE;

/** Removes an observer entirely. CF: CFNotificationCenterRemoveEveryObserver. */
RL_EXPORT void RLNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center,
                                                       const void *observer);

/**
 * Posts a notification.
 *
 * - Parameters:
 *   - center: The center.
 *   - name: The name; not null.
 *   - object: The object of the notification; may be null. A string for the distributed center.
 *   - userInfo: Additional information; may be null. Darwin's center ignores it, and the object.
 *   - deliverImmediately: Stands for kRLNotificationDeliverImmediately.
 * - CF: CFNotificationCenterPostNotification.
 */
RL_EXPORT void
RLNotificationCenterPostNotification(RLNotificationCenterRef center, RLNotificationName name,
                                     const void *object, RLDictionaryRef userInfo,
                                     Boolean deliverImmediately) RL_SWIFT_SECOND_CHOICE;

/**
 * Posts a notification with options, which only the distributed center has. CF:
 * CFNotificationCenterPostNotificationWithOptions.
 */
RL_EXPORT void RLNotificationCenterPostNotificationWithOptions(
    RLNotificationCenterRef center, RLNotificationName name, const void *object,
    RLDictionaryRef userInfo, RLOptionFlags options) RL_SWIFT_SECOND_CHOICE;

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_notification_center(RLNotificationCenterRef center);
/** @see rl_swift_retain_notification_center */
RL_EXPORT void rl_swift_release_notification_center(RLNotificationCenterRef center);

RL_EXTERN_C_END

#endif
