/*
 * The observers of each center, in the order of adding, under the center's lock; and calling them.
 *
 * A thread that posts goes through the list and calls observers without the lock. Meanwhile it uses
 * the one that it calls, which so stays in the list, removed or not, and leads to the next one. The
 * last user of one that was removed takes it out. Observers that were added since have a greater
 * number than the post.
 */

#include "notifications/notification_center.h"

#include "base/fork.h"
#include "loop/callout.h"
#include "values/value.h"

#include <bsd/sys/queue.h>
#include <stdlib.h>

struct observation {
    TAILQ_ENTRY(observation) link;
    uint64_t number;
    /* How many posts are calling this one. */
    unsigned uses;
    bool is_removed;
    const void *observer;
    RLNotificationCallback callback;
    /* Null for every name; its hash decides most comparisons. */
    RLStringRef name;
    RLHashCode hash;
    /* Null for every object. */
    const void *object;
};

TAILQ_HEAD(observation_list, observation);

struct center {
    struct rl_object object;
    struct rl_lock lock;
    const char *kind;
    struct observation_list observations;
    uint64_t next_number;
};

static struct center local = {
    .object = RL_STANDARD_OBJECT(RL_TYPE_NOTIFICATION_CENTER),
    .kind = "local",
    .observations = TAILQ_HEAD_INITIALIZER(local.observations),
};

static struct center *checked_center(RLNotificationCenterRef center, const char *function)
{
    rl_expect(center, RL_TYPE_NOTIFICATION_CENTER, function, "center");
    return (struct center *)(void *)center;
}

RLNotificationCenterRef RLNotificationCenterGetLocalCenter(void)
{
    return (RLNotificationCenterRef)(void *)&local;
}

/* --- Adding and removing --------------------------------------------------------------------- */

void RLNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer,
                                     RLNotificationCallback callBack, RLStringRef name,
                                     const void *object,
                                     RLNotificationSuspensionBehavior suspensionBehavior)
{
    (void)suspensionBehavior;
    struct center *self = checked_center(center, __func__);
    if (!callBack) rl_client_error(__func__, "argument `callBack` is null");
    if (name) rl_expect_string(name, __func__, "name");
    rl_fork_set_up();
    struct observation *made = rl_allocate(sizeof *made);
    made->observer = observer;
    made->callback = callBack;
    made->object = object;
    if (name) made->name = RLStringCreateCopy(NULL, name);
    if (name) made->hash = RLHash(made->name);
    rl_lock(&self->lock);
    made->number = self->next_number++;
    TAILQ_INSERT_TAIL(&self->observations, made, link);
    rl_unlock(&self->lock);
}

/* Frees what was taken out of a center, without its lock. */
static void free_observations(struct observation_list *list)
{
    struct observation *each;
    while ((each = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, each, link);
        if (each->name) RLRelease(each->name);
        free(each);
    }
}

/* Moves a removed observer from the center to a list, unless a post is calling it. */
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
        if (each->observer != observer || (object && each->object != object)) continue;
        if (name && !has_name(each, name, hash)) continue;
        each->is_removed = true;
        take_out_if_unused(self, each, &freed);
    }
    rl_unlock(&self->lock);
    free_observations(&freed);
}

void RLNotificationCenterRemoveObserver(RLNotificationCenterRef center, const void *observer,
                                        RLNotificationName name, const void *object)
{
    struct center *self = checked_center(center, __func__);
    if (name) rl_expect_string(name, __func__, "name");
    remove_observer(self, observer, name, object);
}

void RLNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center, const void *observer)
{
    remove_observer(checked_center(center, __func__), observer, NULL, NULL);
}

/* --- Posting --------------------------------------------------------------------------------- */

struct notification {
    RLStringRef name;
    RLHashCode hash;
    const void *object;
    RLDictionaryRef user_info;
};

static bool matches(const struct observation *each, const struct notification *posted)
{
    return !each->is_removed && (!each->object || each->object == posted->object) &&
           (!each->name || has_name(each, posted->name, posted->hash));
}

/* Calls an observer that the caller uses. */
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
    uint64_t end = self->next_number;
    struct observation *each = TAILQ_FIRST(&self->observations);
    while (each && each->number < end) {
        if (matches(each, posted)) {
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
    free_observations(&freed);
}

static void post_to(RLNotificationCenterRef center, RLStringRef name, const void *object,
                    RLDictionaryRef info, const char *function)
{
    struct center *self = checked_center(center, function);
    rl_expect_string(name, function, "name");
    if (info) rl_expect(info, RL_TYPE_DICTIONARY, function, "userInfo");
    call_observers(self, &(struct notification){name, RLHash(name), object, info});
}

void RLNotificationCenterPostNotification(RLNotificationCenterRef center, RLNotificationName name,
                                          const void *object, RLDictionaryRef userInfo,
                                          Boolean deliverImmediately)
{
    (void)deliverImmediately;
    post_to(center, name, object, userInfo, __func__);
}

void RLNotificationCenterPostNotificationWithOptions(RLNotificationCenterRef center,
                                                     RLNotificationName name, const void *object,
                                                     RLDictionaryRef userInfo,
                                                     RLOptionFlags options)
{
    (void)options;
    post_to(center, name, object, userInfo, __func__);
}

/* --- Forks, descriptions --------------------------------------------------------------------- */

void rl_notification_centers_prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&local.lock);
}

void rl_notification_centers_unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&local.lock);
}

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

const struct rl_class rl_notification_center_class = {
    .name = "RLNotificationCenter",
    .copy_description = describe_center,
};
