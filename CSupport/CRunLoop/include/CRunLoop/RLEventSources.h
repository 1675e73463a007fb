/*
 * Sources for what the system tells: signals, processes that end, files that change.
 * Ours, no CF counterpart.
 *
 * Each is a version-2 source on a descriptor of its own (signalfd, pidfd, inotify), which is closed
 * when the source is invalidated or destroyed, and in programs that the process executes. No
 * thread stands behind them: events wait in the kernel until a loop serves the source. They are
 * the process's that made them; a child that was forked and goes on without executing a program
 * invalidates its copies.
 *
 * A callback is called on the loop's thread with no lock held. It may run the loop, which then
 * delivers what comes next, and may invalidate the source: nothing more is delivered then. All
 * functions may be called from any thread.
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
    /** Called when the source is made; what it returns becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the source is destroyed. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLEventSourceContext;

/** A signal that arrived. */
typedef struct {
    /** Which one, as in `<signal.h>`. */
    SInt32 number;
    /** Why it was sent: `SI_USER`, `SI_QUEUE`, `CLD_EXITED` and so on. */
    SInt32 code;
    /** The process that sent it, or 0 for the kernel. */
    SInt32 processID;
    /** The user who sent it. */
    UInt32 userID;
    /** Of SIGCHLD: the exit status or the number of the signal. */
    SInt32 status;
    /** Of a signal sent by `sigqueue`: the number that came with it. */
    SInt32 value;
} RLSignalEvent;

/** Called for each signal; `event` is valid during the call. */
typedef void (*RLSignalCallBack)(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info);

/**
 * Makes a source that receives signals, which then interrupt nothing and run no handler.
 *
 * The signals are blocked in the calling thread, as they must be in all threads: otherwise the
 * kernel delivers them to one that has them unblocked. Threads inherit what is blocked, so make the
 * source early, before other threads start. They stay blocked after the source is gone, so that a
 * signal that arrives late does not end the process, and in programs that are executed, unless the
 * caller unblocks them (`posix_spawnattr_setsigmask`).
 *
 * The kernel keeps a signal below `SIGRTMIN` once, however often it is sent before it is read. Of
 * two sources for one signal, the first that is served has it.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
 *   - signals: The numbers. One that does not exist, SIGKILL and SIGSTOP stop the process with a
 *     line.
 *   - count: How many, at least 1.
 *   - callback: What to call; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null without a descriptor for it, with `errno` set.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef
RLSignalSourceCreate(RLAllocatorRef allocator, RLIndex order, const SInt32 *signals, RLIndex count,
                     RLSignalCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** What a wait status cannot be. */
RL_ENUM_CONSTANTS(SInt32) {
    /** The wait status of a process that is no child, or that somebody else has reaped. */
    kRLProcessStatusUnknown = -1
};

/**
 * Called once, when the process has ended; `status` is a wait status, or kRLProcessStatusUnknown.
 */
typedef void (*RLProcessCallBack)(RLRunLoopSourceRef source, SInt32 processID, SInt32 status,
                                  void *info);

/**
 * Makes a source that tells when a process has ended: a child, which it can reap, or another.
 *
 * The source is invalid when its callback is called, so that it is in no loop any more. A process
 * that ended and has not been reaped is told of as well; its number is not in danger of being used
 * again, as the source holds on to the process and not to the number.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
 *   - processID: The process.
 *   - reaps: Whether the source takes the child's wait status away, as `waitpid` does, before its
 *     callback. Otherwise the child stays a zombie, and waiting for it is the client's.
 *   - callback: What to call; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null with `errno` set: ESRCH if there is no such
 *   process.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef RLProcessSourceCreate(
    RLAllocatorRef allocator, RLIndex order, SInt32 processID, Boolean reaps,
    RLProcessCallBack callback, RLEventSourceContext *context) RL_RETURNS_RETAINED;

/** What may happen to a file. The values are those of inotify. */
RL_OPTIONS(UInt32, RLFileEvents) {
    /** It was read. */
    kRLFileEventAccess = 0x001,
    /** Its bytes changed. */
    kRLFileEventModify = 0x002,
    /** Its owner, mode, times or number of links changed. */
    kRLFileEventAttributes = 0x004,
    /** It was closed by somebody who could write to it. */
    kRLFileEventCloseWrite = 0x008,
    /** It was closed by somebody who could not write to it. */
    kRLFileEventCloseOther = 0x010,
    /** It was opened. */
    kRLFileEventOpen = 0x020,
    /** It was moved out of the directory that is watched. */
    kRLFileEventMovedFrom = 0x040,
    /** It was moved into the directory that is watched. */
    kRLFileEventMovedTo = 0x080,
    /** It was made in the directory that is watched. */
    kRLFileEventCreate = 0x100,
    /** It was deleted from the directory that is watched. */
    kRLFileEventDelete = 0x200,
    /** What is watched was deleted itself. */
    kRLFileEventDeleteSelf = 0x400,
    /** What is watched was moved itself. */
    kRLFileEventMoveSelf = 0x800,
    /** Told unasked: the file system was unmounted. */
    kRLFileEventUnmount = 0x2000,
    /** Told unasked, with watch -1: so much happened that events were lost. Look anew. */
    kRLFileEventOverflow = 0x4000,
    /** Told unasked: the watch has ended; nothing follows for it. */
    kRLFileEventWatchEnded = 0x8000,
    /** With others: what it happened to is a directory. */
    kRLFileEventIsDirectory = 0x40000000
};

/** Something that happened to a file. */
typedef struct {
    /** The watch that RLFileSourceAddWatch returned, or -1 for an overflow. */
    SInt32 watch;
    /** What happened. */
    RLFileEvents events;
    /** The same for both halves of a move, and otherwise 0. */
    UInt32 cookie;
    /**
     * The name within the directory that is watched, as the file system has it; null if it happened
     * to what is watched itself.
     */
    const char *name;
} RLFileEvent;

/** Called for each event; `event` and its name are valid during the call. */
typedef void (*RLFileEventCallBack)(RLRunLoopSourceRef source, const RLFileEvent *event,
                                    void *info);

/**
 * Makes a source that tells of changes of files, and watches none yet.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Stored, without effect.
 *   - callback: What to call; not null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A source that the caller owns, or null without a descriptor for it, with `errno` set.
 * - CF: none.
 */
RL_EXPORT RLRunLoopSourceRef RLFileSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                                RLFileEventCallBack callback,
                                                RLEventSourceContext *context) RL_RETURNS_RETAINED;

/**
 * Watches a file, or a directory and what is directly in it.
 *
 * A watch is on the file and not on its name: it follows a move, and ends when the file is gone. A
 * file that is watched already keeps its watch, which from now on tells of `events` only.
 *
 * - Parameters:
 *   - source: A source that RLFileSourceCreate made; another one stops the process with a line.
 *   - path: Where it is; links are followed.
 *   - events: What to tell of; at least one thing.
 * - Returns: The number of the watch, or a negative `errno` value, EBADF if the source is invalid.
 * - CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddWatch(RLRunLoopSourceRef source, const char *path,
                                      RLFileEvents events);

/**
 * Ends a watch; kRLFileEventWatchEnded follows. Whether there was one. @see RLFileSourceAddWatch
 * - CF: none.
 */
RL_EXPORT Boolean RLFileSourceRemoveWatch(RLRunLoopSourceRef source, SInt32 watch);

RL_EXTERN_C_END

#endif
