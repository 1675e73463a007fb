/*
 * For libraries that wrap run loops in objects of their own. Programs do not need it.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLRUNLOOPWRAPPING_H
#define CRUNLOOP_RLRUNLOOPWRAPPING_H

#include <CRunLoop/RLEventSources.h>
#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>

RL_EXTERN_C_BEGIN

/**
 * The object that a library has set for a loop, not retained; null if there is none.
 *
 * It lives as long as the loop's thread. So another thread may use only that of the main loop,
 * which keeps it for good.
 *
 * - CF: none in public; Foundation keeps its wrapper with the loop in the same way.
 */
RL_EXPORT void *RLRunLoopGetCounterpart(RLRunLoopRef loop);

/**
 * The object that a library has set for the calling thread's loop, not retained; null if there is
 * no object, or no loop yet.
 *
 * - CF: none in public.
 */
RL_EXPORT void *RLRunLoopGetCurrentCounterpart(void);

/**
 * Sets the object of a loop, if it has none yet.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - counterpart: The object. The loop takes over the caller's reference if it takes the object.
 *   - release: Releases the reference: called once, on the loop's thread, when that ends and the
 *     loop has been torn down; never for the main loop.
 * - Returns: The object that the loop has now: `counterpart`, or the one that was set before; null
 *   if the loop's thread has ended.
 * - CF: none in public.
 */
RL_EXPORT void *RLRunLoopSetCounterpart(RLRunLoopRef loop, void *counterpart,
                                        void (*release)(void *counterpart));

/**
 * Sets a function that debug builds of the engine call on a loop's thread before the loop sleeps,
 * except with a test's clock and in the child of a fork.
 *
 * - Parameter check: Called with the seconds until the loop's first timer or the limit of its run,
 *   or infinity. It returns what is not served meanwhile, such as a timer of another loop of that
 *   thread, and the remedy: the engine then logs once that the loop sleeps with it. Null if
 *   there is nothing.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopSetSleepCheck(const char *(*check)(RLRunLoopRef loop,
                                                           RLTimeInterval seconds));

/** A function that waits for the end of a loop: RLRunLoopWatchEnd. */
typedef struct rl_end_watch *RLRunLoopEndWatch;

/**
 * Calls a function once when the thread of a loop ends: on that thread, after the loop has stopped
 * accepting items and before it is emptied. In the child of a fork it is not called for the loops
 * of threads that the child does not have.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - callback: The function. It owns what `info` refers to.
 *   - info: What it is called with.
 * - Returns: The watch, which the caller gives to RLRunLoopForgetEnd, even after the function has
 *   been called. Null if the thread has ended: then the function is not called.
 * - CF: none.
 */
RL_EXPORT RLRunLoopEndWatch RLRunLoopWatchEnd(RLRunLoopRef loop, void (*callback)(void *info),
                                              void *info);

/**
 * Ends a watch of RLRunLoopWatchEnd, and frees it.
 *
 * - Returns: Whether the function is not called any more, so that the caller still owns what `info`
 *   refers to; false if it has been called, or is being called.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopForgetEnd(RLRunLoopRef loop, RLRunLoopEndWatch watch);

/**
 * Whether the thread of a loop has ended, or is about to: the loop takes nothing more.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopHasEnded(RLRunLoopRef loop);

/**
 * Whether a loop is that of the calling thread. Unlike a comparison with RLRunLoopGetCurrent it
 * makes no loop for threads without one.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopIsCurrent(RLRunLoopRef loop);

/**
 * Returns the hash of a mode's name. What is no RLString stops the process with a line that names
 * RLRunLoopMode of the Swift module.
 *
 * - CF: none.
 */
RL_EXPORT RLHashCode RLRunLoopModeGetHash(RLRunLoopMode mode);

/**
 * Whether nothing can happen in a mode, so that a run in it would end at once with
 * kRLRunLoopRunFinished. For the main loop that depends on the calling thread (MODE-20).
 *
 * - CF: none in public; Foundation asks the same before it runs a loop.
 */
RL_EXPORT Boolean RLRunLoopModeIsEmpty(RLRunLoopRef loop, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop as RLRunLoopRunInMode does, unless nothing can happen in the mode.
 *
 * - Returns: Why the run ended, an RLRunLoopRunResult; or 0, at once, if the mode is empty, in
 *   the sense of RLRunLoopModeIsEmpty, or if the loop is another thread's.
 * - CF: none in public; Foundation asks first and then runs.
 */
RL_EXPORT SInt32 RLRunLoopRunUnlessEmpty(RLRunLoopRef loop, RLRunLoopMode mode,
                                         RLTimeInterval seconds,
                                         Boolean returnAfterSourceHandled) RL_SWIFT_BLOCKING;

/**
 * Runs the calling thread's loop in the default mode until it is stopped, even if nothing is left
 * in the mode.
 *
 * RLRunLoopStop ends it if it is the innermost run, RLRunLoopStopWithCode also if others are nested
 * in it: as soon as they have ended.
 *
 * - Returns: The code of the stop; 0 for that of RLRunLoopStop.
 * - CF: none in public; NSApplication's run is of this kind.
 */
RL_EXPORT SInt32 RLRunLoopRunUntilStopped(void) RL_SWIFT_BLOCKING;

/**
 * Stops the innermost run of a loop, as RLRunLoopStop does, and the innermost one of
 * RLRunLoopRunUntilStopped. If none is under way, it waits for the next, which then makes no pass.
 * Of several stops for one run the first has the code. May be called in a signal handler.
 *
 * - CF: none in public.
 */
RL_EXPORT void RLRunLoopStopWithCode(RLRunLoopRef loop, SInt32 code);

/**
 * Queues a closure of another language, as RLRunLoopPerformBlock queues a block. A closure is two
 * words, which the queue may move in memory.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: As for RLRunLoopPerformBlock.
 *   - call: Calls the closure, on the thread that runs the loop. It gets the address of the words.
 *   - release: Gives up what the words hold: called once, with their address, when a block would be
 *     released.
 *   - words: The closure's function and its context, which the queue takes over.
 * - Returns: Whether it was queued: false if RLRunLoopPerformBlock would do nothing.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopPerformClosure(RLRunLoopRef loop, RLTypeRef mode,
                                          void (*call)(void *words),
                                          void (*release)(const void *words), const void *words);

/**
 * Wakes a loop up for a block that the calling thread has just queued, unless it runs on this
 * thread or a wake-up is under way. For anything else call RLRunLoopWakeUp: this makes nothing
 * visible to the loop's thread, as queuing has done that.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopWakeUpForQueued(RLRunLoopRef loop);

/**
 * Releases an object on the thread of a loop, in the loop's next pass in a common mode, or when the
 * thread ends; at once if it has ended. Wakes the loop.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopReleaseLater(RLRunLoopRef loop, const void *info,
                                     void (*release)(const void *info));

/**
 * The number of the thread in whose loop a timer is; 0 if it is in none. Another thread may change
 * it at once.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLRunLoopTimerGetThreadNumber(RLRunLoopTimerRef timer);

/**
 * Whether a timer is in the loop of another thread, which lives, than the calling one. It asks the
 * kernel for nothing if the timer is in none or in that of the calling thread.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTimerIsForeign(RLRunLoopTimerRef timer);

/**
 * Calls the callback of a timer on the calling thread, as if it fired; its schedule stays. Does
 * nothing with an invalid timer.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTimerCallOut(RLRunLoopTimerRef timer);

/**
 * The info of a timer, retained by its context; null if the timer is invalid or its context does
 * not have the given `release`, which the caller calls with the result. Any thread may invalidate
 * the timer meanwhile.
 *
 * - CF: none.
 */
RL_EXPORT void *RLRunLoopTimerRetainInfo(RLRunLoopTimerRef timer,
                                         void (*release)(const void *info));

/**
 * Sets the time of a timer's next firing, by the clock of its loop (RLRunLoopGetClockNanoseconds)
 * or, if it is in none, by that of RLClockGetNanoseconds. Setting the wall clock has no effect on
 * this. Otherwise as RLRunLoopTimerSetNextFireDate.
 *
 * - Parameters:
 *   - timer: The timer.
 *   - nanoseconds: The moment; one that has passed counts as now.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTimerSetNextFireTime(RLRunLoopTimerRef timer, SInt64 nanoseconds);

/**
 * The monotonic clock by which timers of the calling thread's loop are due, in nanoseconds:
 * CLOCK_MONOTONIC, unless the loop uses the clock of a test.
 *
 * - CF: none; mach_absolute_time on Apple's systems.
 */
RL_EXPORT SInt64 RLClockGetNanoseconds(void);

/**
 * The monotonic clock by which timers of a loop are due, in nanoseconds: as RLClockGetNanoseconds
 * on the loop's thread.
 *
 * - CF: none.
 */
RL_EXPORT SInt64 RLRunLoopGetClockNanoseconds(RLRunLoopRef loop);

/**
 * Makes an observer reentrant: it is also called in runs that its own callout makes, unlike CF's
 * (OBS-6). Call it before the observer is in a loop.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopObserverAllowNesting(RLRunLoopObserverRef observer);

/**
 * The calling thread's loop if it runs, so that the caller is in a callback of it, or in an actor
 * that the loop executes; on other threads, such as Swift's own, the main loop. CF: none.
 */
RL_EXPORT RLRunLoopRef RLRunLoopGetRunningOrMain(void) RL_RETURNS_NOT_RETAINED;

/** Whether a loop uses the clock of a test (RLTesting.h). CF: none. */
RL_EXPORT Boolean RLRunLoopHasTestClock(RLRunLoopRef loop);

/**
 * Runs the work that is on the main dispatch queue at this moment, without running the loop. To be
 * called on the main thread; elsewhere, and in work of the queue itself, it does nothing. Without
 * libdispatch the process stops.
 *
 * - Returns: Whether there was any.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopDrainMainQueue(void);

/**
 * Makes a port for a version-1 source: an event counter, closed on exec, that does not block.
 *
 * - Returns: A descriptor that the caller closes, after the source; a negative errno if there is
 *   none.
 * - CF: none; mach_port_allocate on Apple's systems.
 */
RL_EXPORT int RLRunLoopPortCreate(void);

/**
 * Makes a port of RLRunLoopPortCreate ready. Async-signal-safe. CF: none; mach_msg with an empty
 * message.
 */
RL_EXPORT void RLRunLoopPortSignal(int port);

/**
 * Writes to a descriptor as write(2) does, but raises neither SIGPIPE nor SIGXFSZ.
 * Async-signal-safe.
 *
 * - Parameters:
 *   - descriptor: The descriptor. It may be closed.
 *   - bytes: The bytes.
 *   - length: Their number, 0 or more.
 * - Returns: The number of bytes written, or a negative `errno` value.
 * - CF: none.
 */
RL_EXPORT RLIndex RLWriteWithoutSignal(int descriptor, const void *bytes, RLIndex length);

/**
 * Makes a thread as `pthread_create` does, which blocks all signals but those of its own faults,
 * SIGPIPE and SIGPROF, as libdispatch's threads do. Programs that it executes inherit the mask,
 * unless `posix_spawnattr_setsigmask` sets another.
 *
 * - Parameters:
 *   - ret_thread: A `pthread_t`, which gets the thread.
 *   - attributes: A `pthread_attr_t`, or null.
 *   - function: The function of the thread.
 *   - info: What it is called with.
 * - Returns: 0, or an `errno` value.
 * - CF: none.
 */
RL_EXPORT int RLThreadCreate(void *ret_thread, const void *attributes,
                             void *(*function)(void *info), void *info);

/**
 * Joins a thread if it has ended, and does not wait.
 *
 * - Parameter thread: A `pthread_t`, of a thread that no other thread joins.
 * - Returns: Whether the thread is joined.
 * - CF: none.
 */
RL_EXPORT Boolean RLThreadTryJoin(const void *thread);

/**
 * Unblocks one signal, of a library that handles it, in threads that RLThreadCreate makes from now
 * on. CF: none.
 */
RL_EXPORT void RLThreadKeepUnblocked(int signal);

/** The kernel's number of the calling thread, as RLRunLoopStatistics has it. CF: none. */
RL_EXPORT SInt32 RLThreadGetNumber(void);

/**
 * A number that only the calling thread has, and no later one gets. The kernel is not asked for it.
 * Unlike the kernel's number it is not that of a thread after this one. CF: none.
 */
RL_EXPORT UInt64 RLThreadGetSerialNumber(void);

/** A wait of the calling thread, for the hint at waits for each other. CF: none. */
typedef struct rl_mutual_wait *RLMutualWaitRef;

/** The other side of a wait. CF: none. */
typedef struct {
    /** The kernel's number of the thread that is waited for, or 0 for a queue. */
    SInt32 thread;
    /** The number of the serial queue that is waited for; 0 for none, or a concurrent one. */
    uintptr_t queue;
    /** Whether the calling thread serves the main queue while it waits. */
    Boolean servesMainQueue;
} RLMutualWaitParties;

/**
 * Notes that the calling thread begins to wait. If waits of this process have formed a cycle for
 * half a second, a debug build logs a line; release builds do nothing.
 *
 * - Parameters:
 *   - call: The function that waits, which stays valid for good.
 *   - parties: The other side.
 * - Returns: The wait, for RLMutualWaitEnd; null in release builds.
 * - CF: none.
 */
RL_EXPORT RLMutualWaitRef RLMutualWaitBegin(const char *call, RLMutualWaitParties parties);

/**
 * Notes that the other side has begun the work that a wait is for: within the waits that exist now,
 * which therefore do not stop it. Null is ignored. CF: none.
 */
RL_EXPORT void RLMutualWaitServe(RLMutualWaitRef wait);

/** Notes that a wait is over, and frees it. Null is ignored. CF: none. */
RL_EXPORT void RLMutualWaitEnd(RLMutualWaitRef wait);

/**
 * Returns whether RLRunLoopDrainMainQueue would perform work of the main queue on the calling
 * thread. CF: none.
 */
RL_EXPORT Boolean RLRunLoopCanDrainMainQueue(void);

/* libdispatch's: a dispatch_queue_t points to one. */
struct dispatch_queue_s;

/**
 * Sets the dispatch queue of a stream together with an object that a library has for the queue.
 *
 * - Parameters:
 *   - stream: A stream to read or to write.
 *   - queue: As for RLReadStreamSetDispatchQueue, but not null.
 *   - counterpart: The object; its reference is taken over.
 *   - release: Gives the reference up, on any thread, when the stream has another queue.
 * - CF: none.
 */
RL_EXPORT void RLStreamSetDispatchQueueWithCounterpart(RLTypeRef stream,
                                                       struct dispatch_queue_s *queue,
                                                       void *counterpart,
                                                       void (*release)(void *counterpart));

/**
 * Calls a function at once with the object that was set with the stream's queue. The object stays
 * as long as the call. Does nothing if the stream has no queue, or one without an object.
 *
 * - CF: none.
 */
RL_EXPORT void RLStreamUseDispatchQueueCounterpart(RLTypeRef stream,
                                                   void (*use)(void *counterpart, void *context),
                                                   void *context);

/**
 * The number of a thread that lives and has a stream of either direction in its loop; 0 if there is
 * none, and if the stream is in the calling thread's loop.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLStreamGetForeignThreadNumber(RLTypeRef stream);

/**
 * Whether an open write stream writes into a buffer of the client's that is full: there is no room,
 * and none comes.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLStreamIsFull(RLTypeRef stream);

/** An event that a library may ask for when it sets the client of a stream. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /** The stream was closed. The client is called by the thread that closes it. */
    kRLStreamEventClosed = 32
};

/**
 * Closes a stream of either direction for good, also one that was not opened.
 *
 * - CF: none.
 */
RL_EXPORT void RLStreamEnd(RLTypeRef stream);

/**
 * The number of the serial dispatch queue whose work the calling thread does.
 *
 * On the main thread outside of all queues it is the main queue's. It is 0 on a concurrent queue,
 * on another thread outside of all queues, and without libdispatch. In `dispatch_sync` it is the
 * number of the queue, on whichever thread. No two queues of a process have the same one, not even
 * one after the other.
 *
 * - CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetSerialQueueNumber(void);

/**
 * The number of the main queue, as RLDispatchGetSerialQueueNumber() gives it; 0 without
 * libdispatch.
 *
 * - CF: none.
 */
RL_EXPORT uintptr_t RLDispatchGetMainQueueNumber(void);

/**
 * The number of a queue, as RLDispatchGetSerialQueueNumber() gives it; 0 for a concurrent one. CF:
 * none.
 */
RL_EXPORT uintptr_t RLDispatchGetQueueNumber(struct dispatch_queue_s *queue);

/**
 * The name of the function at an address: a symbol of the program or of a library, one that is not
 * exported included, as long as the file has not been stripped. Data has a name too, such as the
 * metadata of a class of Swift's.
 *
 * - Parameters:
 *   - address: Any address in the function.
 *   - ret_offset: Receives the distance of the address from the beginning of the function, or from
 *     that of the file if there is no name.
 *   - ret_file: Receives the path of the program or library, or null; to be freed by the caller.
 * - Returns: The name, readable if it was one of Swift's or C++'s; to be freed by the caller. Null
 *   if there is none.
 */
RL_EXPORT char *RLSymbolCopyName(const void *address, UInt64 *ret_offset, char **ret_file);

/**
 * The function whose source a function has: of one that Swift's compiler has made to pass calls on
 * to a closure, the closure; of others, the function itself.
 *
 * - Parameter address: The address of the function.
 */
RL_EXPORT const void *RLSymbolGetClosure(const void *address);

/**
 * A name of a function as people write it: names of C++ are demangled if its runtime is in the
 * process, and those of the language that RLSymbolSetLanguage has set. Other names stay as they
 * are.
 *
 * - Parameter name: The name as it is linked.
 * - Returns: To be freed by the caller.
 */
RL_EXPORT char *RLSymbolCopyReadableName(const char *name);

/** The functions of a language other than C and C++ for the names of its functions. CF: none. */
typedef struct {
    /**
     * Returns the readable form of a mangled name, which the caller releases by `free`; null for a
     * name of another language.
     */
    char *(*copyReadableName)(const char *name);
    /** Shortens a readable name in place, for a description. */
    void (*shortenName)(char *name);
} RLLanguage;

/**
 * Sets the language whose names descriptions and traces show in their readable form.
 *
 * Without it the names of its functions stay mangled. A later call replaces the language.
 *
 * - Parameter language: Stays valid for good. Its functions may be called on any thread.
 * - CF: none.
 */
RL_EXPORT void RLSymbolSetLanguage(const RLLanguage *language);

/**
 * Text that is safe to show in a line of a terminal or of a log: names of threads, modes and
 * programs can have any bytes.
 *
 * Control characters, ends of lines, what changes the direction of text, and bytes that are not
 * UTF-8 become visible, as in `\n`, `\u{1b}` and `\xff`. Backslashes stay as they are.
 *
 * - Parameters:
 *   - text: The text, which may have NUL bytes, and has one behind its end.
 *   - length: How many bytes it has without the last NUL.
 * - Returns: The text in UTF-8, with a NUL at its end; to be freed by the caller.
 */
RL_EXPORT char *RLTextCopyPrintable(const char *text, RLIndex length);

/**
 * A description of the closure that a library's callout calls in the end, for the description of a
 * context: `<closure>{callout = closure #1 in main (0x55d0c2a4)}`.
 *
 * - Parameter function: The address of the function, or null if it is not known.
 * - Returns: A new string.
 */
RL_EXPORT RLStringRef RLRunLoopCopyClosureDescription(const void *function) RL_RETURNS_RETAINED;

/**
 * Watches a file as RLFileSourceAddWatch does, but a file that is watched already reports `events`
 * in addition, so that users of one source can share its watches.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddEvents(RLRunLoopSourceRef source, const char *path,
                                       RLFileEvents events);

/**
 * Calls the callback of a source of RLFileSourceCreate on the calling thread for the events that
 * are queued at the call. An invalid source has none.
 *
 * - CF: none.
 */
RL_EXPORT void RLFileSourceDeliver(RLRunLoopSourceRef source);

RL_EXTERN_C_END

#endif
