/*
 * Notification centers: a thread posts a notification, and all observers of its name are called.
 *
 * The local center is for the code of one process. A post calls the observers at once, on the
 * thread that posts, in the order in which they were added. An observer that is removed during a
 * post is no longer called. An observer that is added during a post is first called for the next
 * notification.
 *
 * The distributed center is for the processes of one user. A process that has added an observer
 * receives notifications while its main loop runs in a common mode. Objects are strings, and user
 * info is a property list: strings, numbers, Booleans, data, dates, and arrays and dictionaries of
 * these with strings as keys. Object and user info are copied, and may have 64 KiB in total. A
 * larger notification is not posted, and a line is logged. Objects of other types stop the process
 * with a message.
 *
 * A process sends its notifications in order and directly to at most 256 processes, by message
 * ports (RLMessagePort.h). If the queue of a process is full, the post waits for at most a second;
 * later posts do not wait for this process until its queue has space again. A process with a full
 * queue, or without free descriptors, misses the notification. Any process of the user can forge
 * notifications.
 *
 * Darwin's center also reaches the processes of the user, and no other processes. Its notifications
 * have only names.
 *
 * A center does not retain observers: it compares their addresses, and passes them to callbacks.
 * The local center does not retain objects either, and compares their addresses. The distributed
 * center copies objects, and compares their characters. Names are copied. An observer that was
 * added several times is called several times.
 *
 * All functions may be called from any thread, and in callbacks. No lock is held while a callback
 * is called, so a callback may still be running on another thread after its observer was removed.
 * After a fork, the child has the same observers; observers of the distributed center and of
 * Darwin's center are called only after the child itself has added an observer. A null center, or
 * an argument of another type, stops the process with a message that names the function.
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
 * The callback of an observer, called with a notification. The name, and objects that the poster
 * does not retain, are valid until the callback returns. CF: CFNotificationCallback.
 */
typedef void (*RLNotificationCallback)(RLNotificationCenterRef center, void *observer,
                                       RLNotificationName name, const void *object,
                                       RLDictionaryRef userInfo);

/**
 * The behavior of an observer while the distributed center is suspended. Other centers ignore the
 * behavior. CF: CFNotificationSuspensionBehavior.
 */
RL_CLOSED_ENUM(RLIndex, RLNotificationSuspensionBehavior) {
    /** Notifications are dropped. CF: CFNotificationSuspensionBehaviorDrop. */
    RLNotificationSuspensionBehaviorDrop = 1,
    /**
     * Only the last notification of each name and object is kept until the center resumes.
     * CF: CFNotificationSuspensionBehaviorCoalesce.
     */
    RLNotificationSuspensionBehaviorCoalesce = 2,
    /**
     * All notifications are kept until the center resumes, up to 1,024 or 1 MiB. Beyond this limit,
     * the oldest notifications are lost. CF: CFNotificationSuspensionBehaviorHold.
     */
    RLNotificationSuspensionBehaviorHold = 3,
    /**
     * Notifications are delivered despite the suspension, after all pending notifications.
     * CF: CFNotificationSuspensionBehaviorDeliverImmediately.
     */
    RLNotificationSuspensionBehaviorDeliverImmediately = 4
};

/** Options for posting. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /**
     * Delivers the notification to suspended observers, too. CF: kCFNotificationDeliverImmediately.
     */
    kRLNotificationDeliverImmediately = 1UL << 0,
    /** Has no effect: there are no sessions. CF: kCFNotificationPostToAllSessions. */
    kRLNotificationPostToAllSessions = 1UL << 1
};

/** Returns the type ID of notification centers. CF: CFNotificationCenterGetTypeID. */
RL_EXPORT RLTypeID RLNotificationCenterGetTypeID(void);

/**
 * Returns the local center, for the code of this process; not retained.
 * CF: CFNotificationCenterGetLocalCenter.
 */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetLocalCenter(void) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the distributed center, for the processes of the user; not retained.
 * CF: CFNotificationCenterGetDistributedCenter.
 */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetDistributedCenter(void)
    RL_RETURNS_NOT_RETAINED;

/**
 * Returns Darwin's center, for the processes of the user; its notifications have only names. Not
 * retained. CF: CFNotificationCenterGetDarwinNotifyCenter.
 */
RL_EXPORT RLNotificationCenterRef RLNotificationCenterGetDarwinNotifyCenter(void)
    RL_RETURNS_NOT_RETAINED;

/**
 * Suspends or resumes the distributed center in this process. While it is suspended, each
 * observer's suspension behavior applies. After the center resumes, the main loop delivers pending
 * notifications. Has no effect on other centers. Ours, no CF counterpart:
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
 *   - name: The name of the notifications, copied; null for every name. Must not be null for
 *     Darwin's center.
 *   - object: The object of the notifications; null for every object. For the distributed center, a
 *     string, which is copied. Darwin's center ignores the object.
 *   - suspensionBehavior: The behavior of the observer while the distributed center is suspended.
 * - CF: CFNotificationCenterAddObserver.
 */
RL_EXPORT void RLNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer,
                                               RLNotificationCallback callBack, RLStringRef name,
                                               const void *object,
                                               RLNotificationSuspensionBehavior suspensionBehavior);

/**
 * Removes all registrations of an observer for a name and object. A null name stands for every
 * name, a null object for every object. CF: CFNotificationCenterRemoveObserver.
 */
RL_EXPORT void RLNotificationCenterRemoveObserver(RLNotificationCenterRef center,
                                                  const void *observer, RLNotificationName name,
                                                  const void *object) RL_SWIFT_SECOND_CHOICE;

/** Removes all registrations of an observer. CF: CFNotificationCenterRemoveEveryObserver. */
RL_EXPORT void RLNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center,
                                                       const void *observer);

/**
 * Posts a notification.
 *
 * - Parameters:
 *   - center: The center.
 *   - name: The name; not null.
 *   - object: The object of the notification; may be null. For the distributed center, a string.
 *   - userInfo: Additional information; may be null. Darwin's center ignores the user info and the
 *     object.
 *   - deliverImmediately: Whether to deliver to suspended observers, too
 *     (kRLNotificationDeliverImmediately).
 * - CF: CFNotificationCenterPostNotification.
 */
RL_EXPORT void
RLNotificationCenterPostNotification(RLNotificationCenterRef center, RLNotificationName name,
                                     const void *object, RLDictionaryRef userInfo,
                                     Boolean deliverImmediately) RL_SWIFT_SECOND_CHOICE;

/**
 * Posts a notification with options. Only the distributed center has options.
 * CF: CFNotificationCenterPostNotificationWithOptions.
 */
RL_EXPORT void RLNotificationCenterPostNotificationWithOptions(
    RLNotificationCenterRef center, RLNotificationName name, const void *object,
    RLDictionaryRef userInfo, RLOptionFlags options) RL_SWIFT_SECOND_CHOICE;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_notification_center(RLNotificationCenterRef center);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_notification_center(RLNotificationCenterRef center);

RL_EXTERN_C_END

#endif
