/*
 * The event loop that an interpreter needs: handlers of files, one timer, waiting for an event, and
 * alerts of other threads. Nothing in it names CoreFoundation but a pointer declared in advance.
 */

#ifndef NOTIFIER_H
#define NOTIFIER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct __CFRunLoop *CFRunLoopRef;

enum { NOTIFIER_READABLE = 1 << 1, NOTIFIER_WRITABLE = 1 << 2 };

typedef void NotifierFileProc(void *data, int mask);
typedef void NotifierTimerProc(void *data);
typedef void NotifierAlertProc(void *data);
typedef struct Notifier Notifier;

/* For the calling thread. */
Notifier *NotifierCreate(NotifierAlertProc *alert, void *data);
void NotifierFinalize(Notifier *notifier);

void NotifierCreateFileHandler(Notifier *notifier, int fd, int mask, NotifierFileProc *proc,
                               void *data);
void NotifierDeleteFileHandler(Notifier *notifier, int fd);

/* Calls `proc` once, after a number of milliseconds; a negative number cancels the call. */
void NotifierSetTimer(Notifier *notifier, int milliseconds, NotifierTimerProc *proc, void *data);

/* From any thread: has the notifier's thread call its alert, waking it. */
void NotifierAlert(Notifier *notifier);

/*
 * Waits for one event, for a number of milliseconds, or forever if the number is negative. Returns
 * whether there was an event.
 */
int NotifierWaitForEvent(Notifier *notifier, int milliseconds);

CFRunLoopRef NotifierGetRunLoop(Notifier *notifier);

#ifdef __cplusplus
}
#endif

#endif
