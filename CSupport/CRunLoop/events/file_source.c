#include "base/check.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "events/event_source.h"
#include "loop/callout.h"
#include "loop/report.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>

_Static_assert(kRLFileEventAccess == IN_ACCESS && kRLFileEventModify == IN_MODIFY &&
                   kRLFileEventAttributes == IN_ATTRIB &&
                   kRLFileEventCloseWrite == IN_CLOSE_WRITE &&
                   kRLFileEventCloseOther == IN_CLOSE_NOWRITE && kRLFileEventOpen == IN_OPEN &&
                   kRLFileEventMovedFrom == IN_MOVED_FROM && kRLFileEventMovedTo == IN_MOVED_TO &&
                   kRLFileEventCreate == IN_CREATE && kRLFileEventDelete == IN_DELETE &&
                   kRLFileEventDeleteSelf == IN_DELETE_SELF &&
                   kRLFileEventMoveSelf == IN_MOVE_SELF && kRLFileEventUnmount == IN_UNMOUNT &&
                   kRLFileEventOverflow == IN_Q_OVERFLOW && kRLFileEventWatchEnded == IN_IGNORED &&
                   (UInt32)kRLFileEventIsDirectory == IN_ISDIR,
               "the values are inotify's");

/* LONGEST_SIZE fits the longest name. The kernel pads names to a multiple of EVENT_SIZE. */
enum {
    EVENT_SIZE = sizeof(struct inotify_event),
    LONGEST_SIZE = EVENT_SIZE + (NAME_MAX / EVENT_SIZE + 1) * EVENT_SIZE
};

RL_CALLOUT_FUNCTION void rl_callout_file(RLFileEventCallBack function, RLRunLoopSourceRef source,
                                         const RLFileEvent *event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, event, info);
    RL_STAY_ON_THE_STACK;
}

static void deliver_file_event(struct rl_event_source *self, const struct inotify_event *entry)
{
    RLFileEvent event = {
        .watch = entry->wd,
        .events = (RLFileEvents)entry->mask,
        .cookie = entry->cookie,
        .name = entry->len > 0 ? entry->name : NULL,
    };
    rl_callout_file(self->callback.file, self->source, &event, self->client.info);
}

/* Uses the smallest buffer that is large enough. A larger buffer would receive several events. */
static ssize_t read_one(struct rl_event_source *self, struct inotify_event *ret_entry)
{
    ssize_t length = -EINVAL;
    for (size_t size = EVENT_SIZE; size <= LONGEST_SIZE && length == -EINVAL; size += EVENT_SIZE) {
        length = rl_event_source_read(self, ret_entry, size);
    }
    return length;
}

/* Returns the size of the event, or 0 if there was none. */
static int deliver_next(struct rl_event_source *self)
{
    _Alignas(struct inotify_event) char entry[LONGEST_SIZE];
    ssize_t size = read_one(self, (struct inotify_event *)(void *)entry);
    if (size <= 0) return 0;
    deliver_file_event(self, (const struct inotify_event *)(const void *)entry);
    return (int)size;
}

static void perform_file_source(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    for (int i = 0; i < RL_EVENTS_AT_ONCE && deliver_next(info) > 0; i++) continue;
}

static const struct rl_event_source_kind kind = {.name = "RLFileSource",
                                                 .perform = perform_file_source};

RLRunLoopSourceRef RLFileSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                      RLFileEventCallBack callback, RLEventSourceContext *context)
{
    (void)allocator;
    rl_event_source_expect_callback((const void *)(uintptr_t)callback, __func__);
    int descriptor = rl_kernel_keep(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    RL_HINT(descriptor < 0, __func__,
            "cannot create an inotify instance: %s: raise the limit of open files or "
            "fs.inotify.max_user_instances; returning NULL",
            strerror(errno));
    if (descriptor < 0) return NULL;
    struct rl_event_source self = {.descriptor = descriptor, .callback.file = callback};
    return rl_event_source_create(&self, &kind, order, context);
}

static SInt32 add_watch(RLRunLoopSourceRef source, const char *path, RLFileEvents events,
                        UInt32 flags, const char *function)
{
    struct rl_event_source *self = rl_event_source_checked(source, &kind, function);
    if (!path) rl_client_error(function, "argument `path` must not be null");
    UInt32 mask = (UInt32)events & IN_ALL_EVENTS;
    if (mask == 0) {
        rl_client_error(function, "argument `events` contains no known event: pass at least one, "
                                  "such as kRLFileEventModify");
    }
    rl_lock(&self->lock);
    int descriptor = atomic_load(&self->descriptor);
    int watch = descriptor < 0 ? -EBADF : inotify_add_watch(descriptor, path, mask | flags);
    if (descriptor >= 0 && watch < 0) watch = -errno;
    rl_unlock(&self->lock);
    return watch;
}

SInt32 RLFileSourceAddWatch(RLRunLoopSourceRef source, const char *path, RLFileEvents events)
{
    return add_watch(source, path, events, 0, __func__);
}

SInt32 RLFileSourceAddEvents(RLRunLoopSourceRef source, const char *path, RLFileEvents events)
{
    return add_watch(source, path, events, IN_MASK_ADD, __func__);
}

void RLFileSourceDeliver(RLRunLoopSourceRef source)
{
    struct rl_event_source *self = rl_event_source_checked(source, &kind, __func__);
    int descriptor = atomic_load(&self->descriptor);
    int size = 0;
    /* Delivers only the events that are queued now, as new events could arrive without end. */
    if (descriptor < 0 || ioctl(descriptor, FIONREAD, &size) < 0) return;
    for (int taken; size > 0 && (taken = deliver_next(self)) > 0; size -= taken) continue;
}

Boolean RLFileSourceRemoveWatch(RLRunLoopSourceRef source, SInt32 watch)
{
    struct rl_event_source *self = rl_event_source_checked(source, &kind, __func__);
    rl_lock(&self->lock);
    int descriptor = atomic_load(&self->descriptor);
    bool was_watched = descriptor >= 0 && inotify_rm_watch(descriptor, watch) == 0;
    rl_unlock(&self->lock);
    return was_watched;
}
