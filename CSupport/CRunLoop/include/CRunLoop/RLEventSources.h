/*
 * Sources for system events: signals, ended processes, changed files. Ours, no CF counterpart.
 *
 * Each is a version-2 source on a descriptor of its own (signalfd, pidfd, inotify), which is closed
 * when the source is invalidated or destroyed, and on exec. There is no helper thread: events are
 * queued in the kernel until a loop serves the source. The sources belong to the process that made
 * them; a child of fork without exec should invalidate its copies.
 *
 * A callback is called on the loop's thread with no lock held. It may run the loop, which then
 * delivers further events. It may invalidate the source, which then delivers none. All functions
 * may be called from any thread.
 */

#ifndef CRUNLOOP_RLEVENTSOURCES_H
#define CRUNLOOP_RLEVENTSOURCES_H

#include <CRunLoop/RLRunLoopSource.h>

RL_EXTERN_C_BEGIN

/** The client data of an event source; each function may be null. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the source is made. The result becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the source is destroyed. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLEventSourceContext;

/** A signal that arrived. */
typedef struct {
    /** The signal's number, as in `<signal.h>`. */
    SInt32 number;
    /** The reason: `SI_USER`, `SI_QUEUE`, `CLD_EXITED` and so on. */
    SInt32 code;
    /** The process that sent it, or 0 for the kernel. */
    SInt32 processID;
    /** The user who sent it. */
    UInt32 userID;
    /** For SIGCHLD: the exit status or the number of the signal. */
    SInt32 status;
    /** For a signal sent by `sigqueue`: the value sent with it. */
    SInt32 value;
} RLSignalEvent;

/** Called for each signal; `event` is valid during the call. */
typedef void (*RLSignalCallBack)(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info);

/**
 * Makes a source that receives signals, whatever thread they are delivered to.
 *
 * The source replaces handlers and default actions. This call blocks the signals in the calling
 * thread. Any other thread that receives one blocks it then, in a handler that forwards it to the
 * source. The signals stay blocked after the source is destroyed, so that a late signal does not
 * end the process. They also stay blocked in executed programs, unless the caller unblocks them
 * (`posix_spawnattr_setsigmask`).
 *
 * A signal below `SIGRTMIN` that is sent several times before it is read arrives once. If two
 * sources are for one signal, the first that is served receives it.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
 *   - numbers: The signals. An unknown number, SIGKILL and SIGSTOP stop the process with a message.
 *   - count: The number of signals, at least 1.
 *   - callback: The callback; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set if the kernel has no
 *   descriptors left.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef
RLSignalSourceCreate(RLAllocatorRef allocator, RLIndex order, const SInt32 *numbers, RLIndex count,
                     RLSignalCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** Not a value of any wait status. */
RL_ENUM_CONSTANTS(SInt32) {
    /** The status reported for a process that is not a child, or that other code has reaped. */
    kRLProcessStatusUnknown = -1
};

/**
 * Called once, when the process has ended; `status` is a wait status, or kRLProcessStatusUnknown.
 */
typedef void (*RLProcessCallBack)(RLRunLoopSourceRef source, SInt32 processID, SInt32 status,
                                  void *info);

/**
 * Makes a source that reports the end of a process: of a child, which it can reap, or of another
 * process.
 *
 * The source is invalid, and in no loop, when its callback is called. A process that has ended
 * already but was not reaped is reported too. The source refers to the process itself, so that
 * reuse of its number is harmless.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
 *   - processID: The process.
 *   - reaps: Whether the source reaps the child, as `waitpid` does, before it calls the callback.
 *     Otherwise the child stays a zombie until the client waits for it.
 *   - callback: The callback; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set: ESRCH if there is no such
 *   process.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef RLProcessSourceCreate(
    RLAllocatorRef allocator, RLIndex order, SInt32 processID, Boolean reaps,
    RLProcessCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** The events of a file. The values are those of inotify. */
RL_OPTIONS(UInt32, RLFileEvents) {
    /** It was read. */
    kRLFileEventAccess = 0x001,
    /** Its bytes changed. */
    kRLFileEventModify = 0x002,
    /** Its owner, mode, times or number of links changed. */
    kRLFileEventAttributes = 0x004,
    /** A descriptor that was open for writing was closed. */
    kRLFileEventCloseWrite = 0x008,
    /** A descriptor that was open for reading only was closed. */
    kRLFileEventCloseOther = 0x010,
    /** It was opened. */
    kRLFileEventOpen = 0x020,
    /** It was moved out of the watched directory. */
    kRLFileEventMovedFrom = 0x040,
    /** It was moved into the watched directory. */
    kRLFileEventMovedTo = 0x080,
    /** It was created in the watched directory. */
    kRLFileEventCreate = 0x100,
    /** It was deleted from the watched directory. */
    kRLFileEventDelete = 0x200,
    /** The watched file or directory itself was deleted. */
    kRLFileEventDeleteSelf = 0x400,
    /** The watched file or directory itself was moved. */
    kRLFileEventMoveSelf = 0x800,
    /** Always reported: the file system was unmounted. */
    kRLFileEventUnmount = 0x2000,
    /**
     * Always reported, with watch -1: events were lost, because the queue was full. Read the state
     * of the files again.
     */
    kRLFileEventOverflow = 0x4000,
    /** Always reported: the watch has ended, and this is its last event. */
    kRLFileEventWatchEnded = 0x8000,
    /** Set in addition to others: the event concerns a directory. */
    kRLFileEventIsDirectory = 0x40000000
};

/** A change of a file. */
typedef struct {
    /** The watch that RLFileSourceAddWatch returned, or -1 for an overflow. */
    SInt32 watch;
    /** The events that happened. */
    RLFileEvents events;
    /** The same for both halves of a move, and otherwise 0. */
    UInt32 cookie;
    /**
     * The name within the watched directory, as the file system has it; null if the event concerns
     * the watched file or directory itself.
     */
    const char *name;
} RLFileEvent;

/** Called for each event; `event` and its name are valid during the call. */
typedef void (*RLFileEventCallBack)(RLRunLoopSourceRef source, const RLFileEvent *event,
                                    void *info);

/**
 * Makes a source that reports changes of files. It watches none at first.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
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
 * Watches a file, or a directory and its direct entries. A watch is for the file and not for its
 * name: it follows a move, and ends when the file is deleted. A file that is watched already keeps
 * its watch, which reports only `events` from now on.
 *
 * - Parameters:
 *   - source: A source that RLFileSourceCreate made; another one stops the process with a message.
 *   - path: The path; links are followed.
 *   - events: The events to report, at least one.
 * - Returns: The number of the watch, or a negative `errno` value, EBADF if the source is invalid.
 * - CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddWatch(RLRunLoopSourceRef source, const char *path,
                                      RLFileEvents events);

/**
 * Ends a watch; kRLFileEventWatchEnded follows. Returns whether there was one. @see
 * RLFileSourceAddWatch
 * - CF: none.
 */
RL_EXPORT Boolean RLFileSourceRemoveWatch(RLRunLoopSourceRef source, SInt32 watch);

RL_EXTERN_C_END

#endif
