/*
 * The observers of each center in the order of addition, guarded by the center's lock, and the
 * queue of notifications while the distributed center is suspended.
 *
 * A thread that posts walks the list, and calls observers without the lock. During a call, the
 * thread increments the observer's use count. While the count is not 0, a removed observer stays in
 * the list, so its link stays valid. The last thread that decrements the count of a removed
 * observer unlinks the observer. An observer that was added after the post has a greater number
 * than the post, and is skipped.
 */

#include "notifications/notification_center.h"

#include "base/fork.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "messages/type_numbers.h"
#include "notifications/distributed.h"
#include "values/value.h"

#include <bsd/sys/queue.h>
#include <stdlib.h>

struct observation {
    TAILQ_ENTRY(observation) link;
    uint64_t number;
    /* The number of posts that are calling this observer. */
    unsigned uses;
    bool is_removed;
    const void *observer;
    RLNotificationCallback callback;
    /* The name to observe, or null for every name. The hash makes most comparisons fast. */
    RLStringRef name;
    RLHashCode hash;
    /* Null observes every object. Only the distributed center retains the object. */
    const void *object;
    RLNotificationSuspensionBehavior behavior;
};

TAILQ_HEAD(observation_list, observation);

/*
 * A notification is delivered to observers whose number is less than `end` and whose behavior is in
 * `behaviors`.
 */
struct notification {
    TAILQ_ENTRY(notification) link;
    RLStringRef name;
    RLHashCode hash;
    const void *object;
    RLDictionaryRef user_info;
    /* The size in bytes, as received. */
    size_t size;
    uint64_t end;
    unsigned behaviors;
};

TAILQ_HEAD(notification_list, notification);

struct center {
    struct rl_object object;
    struct rl_lock lock;
    const char *kind;
    struct observation_list observations;
    uint64_t next_number;
    /* The state of the distributed center, and the notifications that wait for its resumption. */
    bool is_suspended;
    struct notification_list waiting;
    unsigned waiting_count;
    size_t waiting_bytes;
};

#define CENTER(center, its_kind)                                                                   \
    {.object = RL_STANDARD_OBJECT(RL_TYPE_NOTIFICATION_CENTER),                                    \
     .kind = (its_kind),                                                                           \
     .observations = TAILQ_HEAD_INITIALIZER((center).observations),                                \
     .waiting = TAILQ_HEAD_INITIALIZER((center).waiting)}

static struct center local = CENTER(local, "local"),
                     distributed = CENTER(distributed, "distributed"),
                     darwin = CENTER(darwin, "Darwin");

static struct center *checked_center(RLNotificationCenterRef center, const char *function)
{
    rl_expect(center, RL_TYPE_NOTIFICATION_CENTER, function, "center");
    rl_fork_set_up();
    return (struct center *)(void *)center;
}

RLNotificationCenterRef RLNotificationCenterGetLocalCenter(void)
{
    return (RLNotificationCenterRef)(void *)&local;
}

RLNotificationCenterRef RLNotificationCenterGetDistributedCenter(void)
{
    return (RLNotificationCenterRef)(void *)&distributed;
}

RLNotificationCenterRef RLNotificationCenterGetDarwinNotifyCenter(void)
{
    return (RLNotificationCenterRef)(void *)&darwin;
}

/* Objects of distributed notifications are strings. Darwin's center ignores objects. */
static const void *checked_object(const struct center *self, RLStringRef name, const void *object,
                                  const char *function)
{
    if (name) rl_expect_string(name, function, "name");
    if (self == &darwin) return NULL;
    if (self == &distributed && object) rl_expect_string(object, function, "object");
    return object;
}

static bool is_object(const struct center *self, const void *first, const void *second)
{
    if (first == second || self == &local) return first == second;
    return first && second && rl_string_equal(first, second);
}

/* --- Adding and removing --------------------------------------------------------------------- */

void RLNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer,
                                     RLNotificationCallback callBack, RLStringRef name,
                                     const void *object,
                                     RLNotificationSuspensionBehavior suspensionBehavior)
{
    struct center *self = checked_center(center, __func__);
    if (!callBack) rl_client_error(__func__, "argument `callBack` must not be null");
    object = checked_object(self, name, object, __func__);
    if (self == &darwin) rl_expect_string(name, __func__, "name");
    struct observation *made = rl_allocate(sizeof *made);
    made->observer = observer;
    made->callback = callBack;
    made->object = object && self != &local ? RLStringCreateCopy(NULL, object) : object;
    made->behavior = suspensionBehavior;
    if (name) made->name = RLStringCreateCopy(NULL, name);
    if (name) made->hash = RLHash(made->name);
    rl_lock(&self->lock);
    made->number = self->next_number++;
    TAILQ_INSERT_TAIL(&self->observations, made, link);
    rl_unlock(&self->lock);
    if (self != &local) rl_distributed_listen();
}

static void free_observations(const struct center *self, struct observation_list *list)
{
    struct observation *each;
    while ((each = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, each, link);
        if (each->name) RLRelease(each->name);
        if (each->object && self != &local) RLRelease(each->object);
        free(each);
    }
}

/* Does nothing while a post is calling the observer. */
static void take_out_if_unused(struct center *self, struct observation *each,
                               struct observation_list *ret_freed) RL_REQUIRES(self->lock)
{
    if (!each->is_removed || each->uses > 0) return;
    TAILQ_REMOVE(&self->observations, each, link);
    TAILQ_INSERT_TAIL(ret_freed, each, link);
}

static bool has_name(const struct observation *each, RLStringRef name, RLHashCode hash)
{
    return each->name && each->hash == hash && rl_string_equal(each->name, name);
}

static void remove_observer(struct center *self, const void *observer, RLStringRef name,
                            const void *object)
{
    RLHashCode hash = name ? RLHash(name) : 0;
    struct observation_list freed = TAILQ_HEAD_INITIALIZER(freed);
    struct observation *each, *next;
    rl_lock(&self->lock);
    for (each = TAILQ_FIRST(&self->observations); each; each = next) {
        next = TAILQ_NEXT(each, link);
        if (each->observer != observer) continue;
        if (object && !is_object(self, each->object, object)) continue;
        if (name && !has_name(each, name, hash)) continue;
        each->is_removed = true;
        take_out_if_unused(self, each, &freed);
    }
    rl_unlock(&self->lock);
    free_observations(self, &freed);
}

void RLNotificationCenterRemoveObserver(RLNotificationCenterRef center, const void *observer,
                                        RLNotificationName name, const void *object)
{
    struct center *self = checked_center(center, __func__);
    remove_observer(self, observer, name, checked_object(self, name, object, __func__));
}

void RLNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center, const void *observer)
{
    remove_observer(checked_center(center, __func__), observer, NULL, NULL);
}

/* --- Calling --------------------------------------------------------------------------------- */

/* An unknown behavior counts as Coalesce. */
static unsigned bit_of(RLNotificationSuspensionBehavior behavior)
{
    bool is_known = behavior >= RLNotificationSuspensionBehaviorDrop &&
                    behavior <= RLNotificationSuspensionBehaviorDeliverImmediately;
    return 1U << (is_known ? behavior : RLNotificationSuspensionBehaviorCoalesce);
}

enum {
    EVERY_BEHAVIOR = ~0U,
    COALESCE = 1U << RLNotificationSuspensionBehaviorCoalesce,
    HOLD = 1U << RLNotificationSuspensionBehaviorHold,
    IMMEDIATELY = 1U << RLNotificationSuspensionBehaviorDeliverImmediately
};

static bool observes_post(const struct center *self, const struct observation *each,
                          const struct notification *posted)
{
    return !each->is_removed && each->number < posted->end &&
           (bit_of(each->behavior) & posted->behaviors) &&
           (!each->object || is_object(self, each->object, posted->object)) &&
           (!each->name || has_name(each, posted->name, posted->hash));
}

/* The caller has incremented the observer's use count. */
static void call_observer(struct center *self, const struct observation *each,
                          const struct notification *posted)
{
    RL_CALLOUT(each->callback, (RLNotificationCenterRef)(void *)self,
               (void *)(uintptr_t)each->observer, posted->name, posted->object, posted->user_info);
}

static void call_observers(struct center *self, const struct notification *posted)
{
    struct observation_list freed = TAILQ_HEAD_INITIALIZER(freed);
    rl_lock(&self->lock);
    struct observation *each = TAILQ_FIRST(&self->observations);
    while (each && each->number < posted->end) {
        if (observes_post(self, each, posted)) {
            each->uses++;
            rl_unlock(&self->lock);
            call_observer(self, each, posted);
            rl_lock(&self->lock);
            each->uses--;
        }
        struct observation *next = TAILQ_NEXT(each, link);
        take_out_if_unused(self, each, &freed);
        each = next;
    }
    rl_unlock(&self->lock);
    free_observations(self, &freed);
}

static struct notification notification_of(struct center *self, RLStringRef name,
                                           const void *object, RLDictionaryRef info)
{
    rl_lock(&self->lock);
    uint64_t end = self->next_number;
    rl_unlock(&self->lock);
    return (struct notification){.name = name,
                                 .hash = RLHash(name),
                                 .object = object,
                                 .user_info = info,
                                 .end = end,
                                 .behaviors = EVERY_BEHAVIOR};
}

/* --- Posting --------------------------------------------------------------------------------- */

static void post_to(RLNotificationCenterRef center, RLStringRef name, const void *object,
                    RLDictionaryRef info, bool is_immediate, const char *function)
{
    struct center *self = checked_center(center, function);
    rl_expect_string(name, function, "name");
    object = checked_object(self, name, object, function);
    if (info) rl_expect(info, RL_TYPE_DICTIONARY, function, "userInfo");
    if (self == &local) {
        struct notification posted = notification_of(self, name, object, info);
        call_observers(self, &posted);
    } else if (self == &darwin) {
        rl_distributed_post(RL_NOTIFICATION_IS_DARWIN, name, NULL, NULL, function);
    } else {
        rl_distributed_post(is_immediate ? RL_NOTIFICATION_IS_IMMEDIATE : 0, name, object, info,
                            function);
    }
}

void RLNotificationCenterPostNotification(RLNotificationCenterRef center, RLNotificationName name,
                                          const void *object, RLDictionaryRef userInfo,
                                          Boolean deliverImmediately)
{
    post_to(center, name, object, userInfo, deliverImmediately, __func__);
}

void RLNotificationCenterPostNotificationWithOptions(RLNotificationCenterRef center,
                                                     RLNotificationName name, const void *object,
                                                     RLDictionaryRef userInfo,
                                                     RLOptionFlags options)
{
    post_to(center, name, object, userInfo, options & kRLNotificationDeliverImmediately, __func__);
}

/* --- The queue ------------------------------------------------------------------------------- */

/* If a limit is exceeded, the oldest notification is dropped. */
enum { MOST_WAITING = 1024, MOST_WAITING_BYTES = 1 << 20 };

static void free_notification(struct notification *posted)
{
    if (!posted) return;
    RLRelease(posted->name);
    if (posted->object) RLRelease(posted->object);
    if (posted->user_info) RLRelease(posted->user_info);
    free(posted);
}

static void take_out_waiting(struct center *self, struct notification *each,
                             struct notification_list *ret_taken) RL_REQUIRES(self->lock)
{
    TAILQ_REMOVE(&self->waiting, each, link);
    self->waiting_count--;
    self->waiting_bytes -= each->size;
    TAILQ_INSERT_TAIL(ret_taken, each, link);
}

/* Delivers the queued notifications until the center is suspended, or all if `is_forced`. */
static void deliver_waiting(struct center *self, bool is_forced)
{
    for (;;) {
        struct notification_list taken = TAILQ_HEAD_INITIALIZER(taken);
        rl_lock(&self->lock);
        bool is_due = is_forced || !self->is_suspended;
        struct notification *first = is_due ? TAILQ_FIRST(&self->waiting) : NULL;
        if (first) take_out_waiting(self, first, &taken);
        rl_unlock(&self->lock);
        if (!first) return;
        call_observers(self, first);
        free_notification(first);
    }
}

static unsigned behaviors_for(struct center *self, const struct notification *posted)
{
    unsigned behaviors = 0;
    const struct observation *each;
    rl_lock(&self->lock);
    TAILQ_FOREACH(each, &self->observations, link) {
        if (observes_post(self, each, posted)) behaviors |= bit_of(each->behavior);
    }
    rl_unlock(&self->lock);
    return behaviors;
}

/*
 * Queues a notification. For observers that coalesce, it replaces queued notifications of the same
 * name and object.
 */
static void enqueue_notification(struct center *self, const struct notification *posted)
{
    struct notification *copy = rl_allocate(sizeof *copy), *each, *next;
    *copy = *posted;
    RLRetain(copy->name);
    if (copy->object) RLRetain(copy->object);
    if (copy->user_info) RLRetain(copy->user_info);
    struct notification_list lost = TAILQ_HEAD_INITIALIZER(lost);
    rl_lock(&self->lock);
    for (each = TAILQ_FIRST(&self->waiting); each; each = next) {
        next = TAILQ_NEXT(each, link);
        bool is_same = (posted->behaviors & COALESCE) && each->hash == posted->hash &&
                       rl_string_equal(each->name, posted->name) &&
                       is_object(self, each->object, posted->object);
        if (is_same) each->behaviors &= ~(unsigned)COALESCE;
        if (each->behaviors == 0) take_out_waiting(self, each, &lost);
    }
    while ((each = TAILQ_FIRST(&self->waiting)) &&
           (self->waiting_count >= MOST_WAITING ||
            self->waiting_bytes + copy->size > MOST_WAITING_BYTES)) {
        take_out_waiting(self, each, &lost);
    }
    TAILQ_INSERT_TAIL(&self->waiting, copy, link);
    self->waiting_count++;
    self->waiting_bytes += copy->size;
    rl_unlock(&self->lock);
    while ((each = TAILQ_FIRST(&lost))) {
        TAILQ_REMOVE(&lost, each, link);
        free_notification(each);
    }
}

static void resume_center(void *center)
{
    deliver_waiting(center, false);
}

void rl_notification_center_deliver(unsigned flags, RLStringRef name, RLStringRef object,
                                    RLDictionaryRef info, size_t size)
{
    bool is_darwin = flags & RL_NOTIFICATION_IS_DARWIN;
    struct center *self = is_darwin ? &darwin : &distributed;
    struct notification posted =
        notification_of(self, name, is_darwin ? NULL : object, is_darwin ? NULL : info);
    posted.size = size;
    rl_lock(&self->lock);
    bool is_suspended = self->is_suspended && !(flags & RL_NOTIFICATION_IS_IMMEDIATE);
    rl_unlock(&self->lock);
    unsigned behaviors = is_suspended ? behaviors_for(self, &posted) : EVERY_BEHAVIOR;
    if (behaviors & IMMEDIATELY) {
        deliver_waiting(self, true);
        posted.behaviors = is_suspended ? IMMEDIATELY : EVERY_BEHAVIOR;
        call_observers(self, &posted);
    }
    posted.behaviors = behaviors & (HOLD | COALESCE);
    if (!is_suspended || !posted.behaviors) return;
    enqueue_notification(self, &posted);
    /* A callback or another thread may have resumed the center in the meantime. */
    resume_center(self);
}

void RLNotificationCenterSetSuspended(RLNotificationCenterRef center, Boolean suspended)
{
    struct center *self = checked_center(center, __func__);
    if (self != &distributed) return;
    rl_lock(&self->lock);
    self->is_suspended = suspended;
    bool has_waiting = !TAILQ_EMPTY(&self->waiting);
    rl_unlock(&self->lock);
    if (!suspended && has_waiting) rl_distributed_perform(resume_center, self);
}

/* --- Forks, descriptions --------------------------------------------------------------------- */

/* These locks are the last in the lock order. */
static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&local.lock);
    rl_lock(&distributed.lock);
    rl_lock(&darwin.lock);
    rl_distributed_prepare_fork();
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_distributed_unlock_after_fork();
    rl_unlock(&darwin.lock);
    rl_unlock(&distributed.lock);
    rl_unlock(&local.lock);
}

RL_REGISTER_FORK_TABLE(70, prepare_fork, unlock_after_fork, unlock_after_fork)

static RLStringRef describe_center(RLTypeRef object)
{
    struct center *self = (struct center *)(uintptr_t)object;
    const struct observation *each;
    long count = 0;
    rl_lock(&self->lock);
    TAILQ_FOREACH(each, &self->observations, link) count += !each->is_removed;
    rl_unlock(&self->lock);
    return rl_string_format("<RLNotificationCenter %p>{%s, observers = %ld}", object, self->kind,
                            count);
}

static const struct rl_class notification_center_class = {
    .name = "RLNotificationCenter",
    .copy_description = describe_center,
};

RL_REGISTER_CLASS(RLNotificationCenter, RL_TYPE_NOTIFICATION_CENTER, notification_center_class)
RL_DEFINE_SWIFT_COUNTS(notification_center, RLNotificationCenterRef)
