/*
 * The notifier on a run loop. Its own thread selects the files of all handlers, and signals a
 * source when one is ready; a pipe notifies it of changes.
 */

#include "notifier.h"

#include <CoreFoundation/CoreFoundation.h>

#include <sys/select.h>

enum { kMostHandlers = 8 };

typedef struct {
    int fd;
    int mask;
    int ready;
    NotifierFileProc *proc;
    void *data;
} FileHandler;

struct Notifier {
    CFRunLoopRef loop;
    CFRunLoopSourceRef source;
    CFRunLoopTimerRef timer;
    NotifierAlertProc *alert;
    void *alertData;
    NotifierTimerProc *timerProc;
    void *timerData;
    int events;

    /* Under the lock. */
    pthread_mutex_t lock;
    FileHandler handlers[kMostHandlers];
    int count;
    Boolean alerted;
    Boolean ends;

    int trigger[2];
    pthread_t thread;
};

static const CFTimeInterval kForever = 5.05e8;

/* --- The thread that selects ---------------------------------------------------------------- */

static int FillSets(Notifier *notifier, fd_set *reading, fd_set *writing)
{
    int most = notifier->trigger[0];
    FD_ZERO(reading);
    FD_ZERO(writing);
    FD_SET(notifier->trigger[0], reading);
    for (int i = 0; i < notifier->count; i++) {
        const FileHandler *handler = &notifier->handlers[i];
        /* A ready file must be served before the next select. */
        int wanted = handler->mask & ~handler->ready;
        if (wanted & NOTIFIER_READABLE) FD_SET(handler->fd, reading);
        if (wanted & NOTIFIER_WRITABLE) FD_SET(handler->fd, writing);
        if (handler->fd > most) most = handler->fd;
    }
    return most + 1;
}

static Boolean TakeSets(Notifier *notifier, const fd_set *reading, const fd_set *writing)
{
    Boolean found = false;
    for (int i = 0; i < notifier->count; i++) {
        FileHandler *handler = &notifier->handlers[i];
        if (FD_ISSET(handler->fd, reading)) handler->ready |= NOTIFIER_READABLE & handler->mask;
        if (FD_ISSET(handler->fd, writing)) handler->ready |= NOTIFIER_WRITABLE & handler->mask;
        found = found || handler->ready != 0;
    }
    return found;
}

static void *NotifierThread(void *argument)
{
    Notifier *notifier = (Notifier *)argument;
    Boolean ends = false;
    while (!ends) {
        fd_set reading, writing;
        pthread_mutex_lock(&notifier->lock);
        int limit = FillSets(notifier, &reading, &writing);
        pthread_mutex_unlock(&notifier->lock);
        if (select(limit, &reading, &writing, NULL, NULL) < 0) abort();

        if (FD_ISSET(notifier->trigger[0], &reading)) {
            char bytes[16];
            if (read(notifier->trigger[0], bytes, sizeof bytes) < 0) abort();
        }
        pthread_mutex_lock(&notifier->lock);
        ends = notifier->ends;
        if (TakeSets(notifier, &reading, &writing)) {
            CFRunLoopSourceSignal(notifier->source);
            CFRunLoopWakeUp(notifier->loop);
        }
        pthread_mutex_unlock(&notifier->lock);
    }
    return NULL;
}

static void Trigger(Notifier *notifier)
{
    if (write(notifier->trigger[1], "", 1) != 1) abort();
}

/* --- The loop ------------------------------------------------------------------------------- */

static Boolean TakeReady(Notifier *notifier, FileHandler *taken)
{
    for (int i = 0; i < notifier->count; i++) {
        if (notifier->handlers[i].ready == 0) continue;
        *taken = notifier->handlers[i];
        notifier->handlers[i].ready = 0;
        return true;
    }
    return false;
}

static void NotifierPerform(void *info)
{
    Notifier *notifier = (Notifier *)info;
    FileHandler taken;
    pthread_mutex_lock(&notifier->lock);
    Boolean alerted = notifier->alerted;
    notifier->alerted = false;
    pthread_mutex_unlock(&notifier->lock);
    if (alerted) {
        notifier->events++;
        notifier->alert(notifier->alertData);
    }

    pthread_mutex_lock(&notifier->lock);
    while (TakeReady(notifier, &taken)) {
        pthread_mutex_unlock(&notifier->lock);
        notifier->events++;
        taken.proc(taken.data, taken.ready);
        pthread_mutex_lock(&notifier->lock);
    }
    pthread_mutex_unlock(&notifier->lock);
    Trigger(notifier);
}

static void NotifierTimerFired(CFRunLoopTimerRef timer, void *info)
{
    Notifier *notifier = (Notifier *)info;
    CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + kForever);
    notifier->events++;
    notifier->timerProc(notifier->timerData);
}

Notifier *NotifierCreate(NotifierAlertProc *alert, void *data)
{
    Notifier *notifier = (Notifier *)calloc(1, sizeof *notifier);
    CFRunLoopSourceContext sourceContext;
    CFRunLoopTimerContext timerContext = {0, notifier, NULL, NULL, NULL};
    memset(&sourceContext, 0, sizeof sourceContext);
    sourceContext.info = notifier;
    sourceContext.perform = NotifierPerform;

    notifier->alert = alert;
    notifier->alertData = data;
    notifier->loop = CFRunLoopGetCurrent();
    notifier->source = CFRunLoopSourceCreate(NULL, LONG_MIN, &sourceContext);
    notifier->timer = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent() + kForever, kForever, 0,
                                           0, NotifierTimerFired, &timerContext);
    CFRunLoopAddSource(notifier->loop, notifier->source, kCFRunLoopCommonModes);
    CFRunLoopAddTimer(notifier->loop, notifier->timer, kCFRunLoopCommonModes);
    pthread_mutex_init(&notifier->lock, NULL);
    if (pipe(notifier->trigger) != 0) abort();
    pthread_create(&notifier->thread, NULL, NotifierThread, notifier);
    return notifier;
}

void NotifierFinalize(Notifier *notifier)
{
    pthread_mutex_lock(&notifier->lock);
    notifier->ends = true;
    pthread_mutex_unlock(&notifier->lock);
    Trigger(notifier);
    pthread_join(notifier->thread, NULL);

    CFRunLoopSourceInvalidate(notifier->source);
    CFRelease(notifier->source);
    CFRunLoopTimerInvalidate(notifier->timer);
    CFRelease(notifier->timer);
    close(notifier->trigger[0]);
    close(notifier->trigger[1]);
    pthread_mutex_destroy(&notifier->lock);
    free(notifier);
}

void NotifierCreateFileHandler(Notifier *notifier, int fd, int mask, NotifierFileProc *proc,
                               void *data)
{
    pthread_mutex_lock(&notifier->lock);
    FileHandler *handler = &notifier->handlers[notifier->count++];
    handler->fd = fd;
    handler->mask = mask;
    handler->ready = 0;
    handler->proc = proc;
    handler->data = data;
    pthread_mutex_unlock(&notifier->lock);
    Trigger(notifier);
}

void NotifierDeleteFileHandler(Notifier *notifier, int fd)
{
    pthread_mutex_lock(&notifier->lock);
    for (int i = 0; i < notifier->count; i++) {
        if (notifier->handlers[i].fd != fd) continue;
        notifier->handlers[i] = notifier->handlers[--notifier->count];
        break;
    }
    pthread_mutex_unlock(&notifier->lock);
    Trigger(notifier);
}

void NotifierSetTimer(Notifier *notifier, int milliseconds, NotifierTimerProc *proc, void *data)
{
    CFTimeInterval wait = milliseconds < 0 ? kForever : milliseconds / 1000.0;
    notifier->timerProc = proc;
    notifier->timerData = data;
    CFRunLoopTimerSetNextFireDate(notifier->timer, CFAbsoluteTimeGetCurrent() + wait);
}

void NotifierAlert(Notifier *notifier)
{
    pthread_mutex_lock(&notifier->lock);
    notifier->alerted = true;
    CFRunLoopSourceSignal(notifier->source);
    CFRunLoopWakeUp(notifier->loop);
    pthread_mutex_unlock(&notifier->lock);
}

int NotifierWaitForEvent(Notifier *notifier, int milliseconds)
{
    CFAbsoluteTime end =
        CFAbsoluteTimeGetCurrent() + (milliseconds < 0 ? kForever : milliseconds / 1000.0);
    notifier->events = 0;
    while (notifier->events == 0) {
        CFTimeInterval left = end - CFAbsoluteTimeGetCurrent();
        SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, left > 0 ? left : 0, true);
        if (result != kCFRunLoopRunHandledSource && left <= 0) break;
    }
    return notifier->events > 0;
}

CFRunLoopRef NotifierGetRunLoop(Notifier *notifier)
{
    return notifier->loop;
}
