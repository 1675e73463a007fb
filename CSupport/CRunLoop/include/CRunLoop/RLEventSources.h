/*
 * Sources for system events: signals, ended processes, changed files. Ours, no CF counterpart.
 *
 * Each source is a version-2 source with its own descriptor (signalfd, pidfd, inotify). The
 * descriptor is closed when the source is invalidated or destroyed, and on exec. There is no helper
 * thread: the kernel queues events until a loop serves the source. The sources belong to the
 * process that created them; a forked child that does not call exec should invalidate its copies.
 *
 * Callbacks are called on the loop's thread, with no lock held. A callback may run the loop, which
 * then delivers further events. A callback may invalidate the source, which then delivers no more
 * events. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLEVENTSOURCES_H
#define CRUNLOOP_RLEVENTSOURCES_H

#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

/** The client data of an event source; each function may be null. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Retains the info. Called when the source is created. The result becomes the info. */
    const void *(*retain)(const void *info);
    /** Releases the info. Called when the source is destroyed. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLEventSourceContext;

/** A received signal. */
typedef struct {
    /** The signal's number, as in `<signal.h>`. */
    SInt32 number;
    /** The reason, such as `SI_USER`, `SI_QUEUE` or `CLD_EXITED`. */
    SInt32 code;
    /** The ID of the process that sent the signal, or 0 for the kernel. */
    SInt32 processID;
    /** The ID of the user who sent the signal. */
    UInt32 userID;
    /**
     * For SIGCHLD: the exit status of the child, or the number of the signal that ended or stopped
     * it.
     */
    SInt32 status;
    /** For a signal sent by `sigqueue`: the value of the call. */
    SInt32 value;
} RLSignalEvent;

/** Called for each signal; `event` is valid until the callback returns. */
typedef void (*RLSignalCallBack)(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info);

/**
 * Creates a source that receives signals, whichever thread they are delivered to.
 *
 * The source takes the place of the signals' handlers and default actions. The call blocks the
 * signals in the calling thread. If another thread receives a signal, a handler forwards the signal
 * to the source, and blocks the signal in that thread. The signals stay blocked after the source is
 * destroyed, so a late signal does not end the process. Executed programs inherit the blocked
 * signals, unless the caller unblocks them (`posix_spawnattr_setsigmask`).
 *
 * A signal below `SIGRTMIN` that is sent several times before the source reads it is delivered
 * once. If two sources have the same signal, the source that is served first receives the signal.
 *
 * - Parameters:
 *  - allocator: Ignored.
 *  - order: Stored, but has no effect.
 *  - numbers: The signals. An unknown number, SIGKILL and SIGSTOP stop the process with a message.
 *  - count: The number of signals, at least 1.
 *  - callback: The callback; not null.
 *  - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set if the kernel has no
 *   descriptors left.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef
RLSignalSourceCreate(RLAllocatorRef allocator, RLIndex order, const SInt32 *numbers, RLIndex count,
                     RLSignalCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** A special value of a status. */
RL_ENUM_CONSTANTS(SInt32) {
    /** The status reported for a process that is not a child, or that other code has reaped. */
    kRLProcessStatusUnknown = -1
};

/**
 * Called once, when the process has ended; `status` is a wait status, as `waitpid` stores it, or
 * kRLProcessStatusUnknown.
 */
typedef void (*RLProcessCallBack)(RLRunLoopSourceRef source, SInt32 processID, SInt32 status,
                                  void *info);

/**
 * Creates a source that reports the end of a process. The process may be a child, which the source
 * can reap, or any other process.
 *
 * The source is already invalid, and in no loop, when its callback is called. A process that has
 * already ended but was not reaped is reported too. The source refers to the process itself, so
 * reuse of the process ID is harmless.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, but has no effect.
 *   - processID: The ID of the process.
 *   - reaps: Whether the source reaps the child, as `waitpid` does, before it calls the callback.
 *     Otherwise the child stays a zombie until the client waits for it.
 *   - callback: The callback; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set, such as ESRCH if there is no
 *   such process.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef RLProcessSourceCreate(
    RLAllocatorRef allocator, RLIndex order, SInt32 processID, Boolean reaps,
    RLProcessCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** The events of a file. The values are inotify's. */
RL_OPTIONS(UInt32, RLFileEvents) {
    /** The file was read. */
    kRLFileEventAccess = 0x001,
    /** The contents of the file changed. */
    kRLFileEventModify = 0x002,
    /** The owner, mode, times or number of links of the file changed. */
    kRLFileEventAttributes = 0x004,
    /** A descriptor that was open for writing was closed. */
    kRLFileEventCloseWrite = 0x008,
    /** A descriptor that was open for reading only was closed. */
    kRLFileEventCloseOther = 0x010,
    /** The file was opened. */
    kRLFileEventOpen = 0x020,
    /** A file was moved out of the watched directory. */
    kRLFileEventMovedFrom = 0x040,
    /** A file was moved into the watched directory. */
    kRLFileEventMovedTo = 0x080,
    /** A file was created in the watched directory. */
    kRLFileEventCreate = 0x100,
    /** A file was deleted from the watched directory. */
    kRLFileEventDelete = 0x200,
    /** The watched file or directory itself was deleted. */
    kRLFileEventDeleteSelf = 0x400,
    /** The watched file or directory itself was moved. */
    kRLFileEventMoveSelf = 0x800,
    /** The file system was unmounted. Always reported. */
    kRLFileEventUnmount = 0x2000,
    /**
     * Events were lost, because the queue was full: read the state of all watched files again.
     * Always reported, with watch -1.
     */
    kRLFileEventOverflow = 0x4000,
    /** The watch has ended, and delivers no more events. Always reported. */
    kRLFileEventWatchEnded = 0x8000,
    /** The event concerns a directory. Set in addition to other events. */
    kRLFileEventIsDirectory = 0x40000000
};

/** A change of a file. */
typedef struct {
    /** The watch that RLFileSourceAddWatch returned, or -1 for an overflow. */
    SInt32 watch;
    /** The events that happened. */
    RLFileEvents events;
    /** A number that is equal in the two events of a move; 0 for other events. */
    UInt32 cookie;
    /**
     * The name in the watched directory, in the bytes of the file system; null if the event
     * concerns the watched file or directory itself.
     */
    const char *name;
} RLFileEvent;

/** Called for each event; `event` and its name are valid until the callback returns. */
typedef void (*RLFileEventCallBack)(RLRunLoopSourceRef source, const RLFileEvent *event,
                                    void *info);

/**
 * Creates a source that reports changes of files. It watches no files at first.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, but has no effect.
 *   - callback: The callback; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set if the kernel has no
 *   descriptors left.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef RLFileSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                                RLFileEventCallBack callback,
                                                RLEventSourceContext *context) RL_RETURNS_RETAINED;

/**
 * Watches a file, or a directory and its direct entries. A watch refers to the file and not to its
 * name: the watch follows a move, and ends when the file is deleted. If the file is already
 * watched, its watch is kept, and reports only `events` from now on.
 *
 * - Parameters:
 *   - source: A source of RLFileSourceCreate; any other source stops the process with a message.
 *   - path: The path; symbolic links are followed.
 *   - events: The events to report, at least one.
 * - Returns: The number of the watch, or a negative `errno` value, such as -EBADF if the source is
 *   invalid.
 * - CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddWatch(RLRunLoopSourceRef source, const char *path,
                                      RLFileEvents events);

/**
 * Ends a watch. kRLFileEventWatchEnded follows.
 *
 * - Returns: Whether the source had the watch.
 * - CF: none.
 */
RL_EXPORT Boolean RLFileSourceRemoveWatch(RLRunLoopSourceRef source, SInt32 watch);

RL_EXTERN_C_END

#endif
