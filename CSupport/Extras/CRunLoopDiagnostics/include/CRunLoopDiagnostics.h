/*
 * The C part of monitors of run loops: heartbeats of loops, backtraces of other threads, output of
 * programs, requests from signal handlers, dumps of all loops. Ours, no CF counterpart.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOPDIAGNOSTICS_H
#define CRUNLOOPDIAGNOSTICS_H

#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLRunLoopWrapping.h>

RL_EXTERN_C_BEGIN

/**
 * The heartbeat of one loop: the current stretch of its work and the time of its beginning. A
 * stretch lies between two activities; a loop that sleeps or does not run is in no stretch. Counted
 * by references, which RLHeartbeatRetain and RLHeartbeatRelease change; null is not allowed.
 */
typedef struct RLHeartbeat *RLHeartbeatRef;

/** A loop's state. */
typedef struct {
    /** The number of the stretch, or of the rest between two stretches. Grows with each beat. */
    UInt64 stretch;
    /**
     * The time at which the stretch began, in nanoseconds of CLOCK_MONOTONIC; 0 if the loop is at
     * rest.
     */
    UInt64 began_ns;
    /** The activity with which it began. */
    RLRunLoopActivity activity;
    /** The number of stretches at or over the threshold. */
    UInt64 slow;
    /**
     * The number of slow stretches when the loop last rested after a quick one: later slow
     * stretches are consecutive.
     */
    UInt64 slow_before;
    /**
     * The duration in nanoseconds of the stretch of RLHeartbeatFollow; 0 until the stretch has
     * ended.
     */
    UInt64 followed_ns;
} RLHeartbeatReading;

/**
 * Makes the heartbeat of a loop, which begins with RLHeartbeatObserve.
 *
 * - Parameters:
 *   - loop: The loop, of any thread; retained.
 *   - threshold_ns: The duration in nanoseconds at which a stretch counts as slow.
 * - Returns: One reference for the caller.
 */
RL_EXPORT RLHeartbeatRef RLHeartbeatCreate(RLRunLoopRef loop, UInt64 threshold_ns);

/** Adds a reference and returns the argument. */
RL_EXPORT RLHeartbeatRef RLHeartbeatRetain(RLHeartbeatRef heartbeat);

/** Releases a reference; the last one frees the heartbeat. */
RL_EXPORT void RLHeartbeatRelease(RLHeartbeatRef heartbeat);

/** Counts beats in a mode too, or in all common modes. */
RL_EXPORT void RLHeartbeatObserve(RLHeartbeatRef heartbeat, RLRunLoopMode mode);

/**
 * Ends the heartbeat for good, and removes its observers from the loop. A thread that blocked the
 * signal of backtraces before blocks it again when its loop next runs in a common mode.
 */
RL_EXPORT void RLHeartbeatStop(RLHeartbeatRef heartbeat);

/** The loop's current state. Never waits for the loop. */
RL_EXPORT RLHeartbeatReading RLHeartbeatRead(RLHeartbeatRef heartbeat);

/**
 * Records the duration of a stretch when it ends, for `followed_ns` of later readings. Replaces the
 * stretch that was followed before, and clears `followed_ns`.
 *
 * - Parameters:
 *   - heartbeat: The heartbeat. Only one thread at a time may follow its stretches.
 *   - stretch: The number of the current stretch, from RLHeartbeatRead. An earlier stretch has
 *     ended already, so `followed_ns` stays 0.
 */
RL_EXPORT void RLHeartbeatFollow(RLHeartbeatRef heartbeat, UInt64 stretch);

/** Arguments of RLBacktraceUseSignal instead of a signal's number. */
enum {
    /** A real-time signal that is not in use. */
    kRLBacktraceSignalAutomatic = 0,
    /** No signal: no backtraces are taken, and nothing is interrupted. */
    kRLBacktraceSignalNone = -1
};

/**
 * Sets the signal by which backtraces are taken, for the whole process, from now on.
 *
 * By default it is the highest real-time signal below SIGRTMAX with the default action that no
 * thread blocks or waits for and no signalfd receives. Threads that block most real-time signals,
 * such as those of dispatch and of Swift's tasks, do not count, the main thread excepted. The
 * library handles the signal from RLBacktraceBegin to RLBacktraceEnd and during
 * RLThreadGetBacktrace. Afterwards it has the default action again. If other code changes its
 * handler or sends it, a line is printed on standard error, and backtraces fail until
 * RLBacktraceEnd or until this function is called.
 *
 * A thread that is sent the signal returns with EINTR from nanosleep, clock_nanosleep, usleep,
 * poll, select, epoll_wait, sigtimedwait, sem_timedwait, semop, msgrcv, and from recv, send, accept
 * and connect on sockets with a time-out; sleep returns what is left. Calls without a time-out
 * (read, write, recv, accept, wait, sem_wait, locks) continue, as do pthread_cond_timedwait and
 * pthread_mutex_timedlock. If a process cannot handle this, use kRLBacktraceSignalNone.
 *
 * - Parameter signal: SIGUSR1, SIGUSR2, a real-time signal, or one of the constants.
 * - Returns: 0; -EINVAL if it is not such a signal, -EBUSY if it is in use.
 */
RL_EXPORT int RLBacktraceUseSignal(int signal);

/**
 * The signal with which backtraces are taken while it is held, and otherwise 0. Async-signal-safe.
 */
RL_EXPORT int RLBacktraceGetSignal(void);

/**
 * Reserves the signal of backtraces, so that threads may unblock it and it does not change.
 *
 * - Returns: 0, or -EAGAIN if no signal is free or the client wants none. RLBacktraceEnd must
 *   follow in either case.
 */
RL_EXPORT int RLBacktraceBegin(void);

/** Releases the signal of backtraces, which gets its default action after the last release. */
RL_EXPORT void RLBacktraceEnd(void);

/**
 * Takes the backtrace of a thread of this process, while it runs or waits, by a signal to it: see
 * RLBacktraceUseSignal.
 *
 * One backtrace is taken at a time; other callers wait. The handler is async-signal-safe: the
 * unwinder is loaded before, and from version 2.35 of the C library on takes no lock.
 *
 * - Parameters:
 *   - thread: The kernel's number of the thread; also the calling one.
 *   - frames: Receives an address in each function, the innermost first: of the instruction that
 *     is being executed, or of the call.
 *   - capacity: The number of addresses that fit; 128 at most are taken.
 *   - seconds: The time-out for the thread's handler.
 * - Returns: The number of addresses; or -ESRCH if there is no such thread, -EPERM if it blocks the
 *   signal, -ETIMEDOUT after the time-out, -EAGAIN if no signal is free or the client wants none,
 *   -EBUSY if other code has taken it.
 */
RL_EXPORT RLIndex RLThreadGetBacktrace(SInt32 thread, const void **frames, RLIndex capacity,
                                       RLTimeInterval seconds);

/**
 * Unblocks the signal of RLThreadGetBacktrace in the calling thread. Threads started by those of
 * dispatch or of Swift's tasks block all signals. A loop does this itself while it beats and the
 * signal is held. Chooses a signal if none is held, which is used for backtraces as long as other
 * code does not use it.
 */
RL_EXPORT void RLThreadAllowBacktrace(void);

/** The processor time of a thread of this process in nanoseconds; 0 if it has ended. */
RL_EXPORT UInt64 RLThreadGetProcessorTime(SInt32 thread);

/**
 * Turns a signal into requests: its handler only increments a counter. A child after fork has no
 * requests, and the handlers that the signals had before.
 *
 * - Parameter signal: The number of the signal. Its handler is replaced.
 * - Returns: An event counter to wait for, which is reserved for the signal permanently; -EINVAL if
 *   the signal cannot be caught, -EBUSY if it makes requests already, or another negative errno.
 */
RL_EXPORT int RLSignalRequestBegin(int signal);

/** Restores the handler that the signal had before RLSignalRequestBegin. */
RL_EXPORT void RLSignalRequestEnd(int signal);

/** Waits until the counter is not 0, and resets it. */
RL_EXPORT void RLRequestWait(int descriptor);

/** Adds one to a counter. Async-signal-safe. */
RL_EXPORT void RLRequestSignal(int descriptor);

/**
 * The folders in which programs are searched, as in `PATH`; null without that. Also null in a
 * process with more privileges than its user, for security.
 */
RL_EXPORT const char *RLProgramGetSearchPath(void);

/**
 * Runs a program and returns its standard output. It inherits no other descriptor and no
 * environment variable, blocks and ignores no signal, and has its own session. Its end causes no
 * SIGCHLD, and no `wait` of the client returns for it. The output is complete when the program has
 * ended, even if a process that it started holds its standard output.
 *
 * - Parameters:
 *   - path: The program.
 *   - arguments: Its arguments, its name first, with null behind them.
 *   - capacity: The greatest number of bytes that it may write.
 *   - seconds: The time limit, after which its process group is killed.
 *   - ret_length: Receives the number of bytes.
 * - Returns: To be freed by the caller; null if it cannot be started, takes longer or writes more.
 */
RL_EXPORT char *RLProgramCopyOutput(const char *path, const char *const *arguments,
                                    RLIndex capacity, RLTimeInterval seconds, RLIndex *ret_length);

/**
 * A text with the state of all loops of the process: for each, its thread, its activity and the
 * time of that, its mode, the current callback with a backtrace down to the loop, and the numbers
 * of items in its modes. Functions have names and offsets. Names are printed as RLTextCopyPrintable
 * has them.
 *
 * The loops continue to run; a loop in a callback receives the signal of RLThreadGetBacktrace.
 *
 * - Returns: The text, in UTF-8, to be freed by the caller.
 */
RL_EXPORT char *RLRunLoopCopyDump(void);

/** A line of a dump. */
typedef struct {
    /** The line without its end, or its part before the name of a function. */
    const char *text;
    /** The name and the offset in the function, as in `main + 34`; null if it is not known. */
    const char *function;
    /** An address in the function; null if the line names none. */
    const void *address;
    /** Whether it is a function on a stack. */
    Boolean isOnStack;
} RLDumpLine;

/**
 * Visits the lines of RLRunLoopCopyDump.
 *
 * - Parameters:
 *   - visit: Called for each line, which lives until it returns.
 *   - info: Passed to `visit`.
 */
RL_EXPORT void RLRunLoopVisitDump(void (*visit)(const RLDumpLine *line, void *info), void *info);

/** The handler of RLRunLoopDumpOnSignalWithHandler; the text lives until it returns. */
typedef void (*RLRunLoopDumpCallBack)(const char *text, void *info);

/**
 * Writes a dump of all loops whenever a signal, such as SIGUSR2, arrives.
 *
 * The signal's handler only makes a request, so that the signal may arrive at any time. A thread
 * without a loop writes the dump. Signals that arrive during a dump count as one request. The
 * thread does not block the signal, so that all other threads may.
 *
 * - Parameters:
 *   - signal: The number of the signal. Its handler is replaced.
 *   - descriptor: The descriptor to write to, such as STDERR_FILENO. Keep it open until the end of
 *     the dumps. Writing to a pipe without a reader does nothing.
 * - Returns: 0, -EINVAL if the signal cannot be caught, -EBUSY if it makes requests already, -EBADF
 *   if the descriptor is negative, or another negative errno.
 */
RL_EXPORT int RLRunLoopDumpOnSignal(int signal, int descriptor);

/**
 * Calls a function with a dump of all loops whenever a signal arrives.
 *
 * - Parameters:
 *   - signal: As for RLRunLoopDumpOnSignal.
 *   - handler: Called on the thread that makes dumps.
 *   - release: Called with the info when the dumps have ended; may be null.
 *   - info: Passed to `handler` and `release`. It is the caller's if this fails.
 * - Returns: As RLRunLoopDumpOnSignal; -EINVAL also without a handler.
 */
RL_EXPORT int RLRunLoopDumpOnSignalWithHandler(int signal, RLRunLoopDumpCallBack handler,
                                               void (*release)(void *info), void *info);

/**
 * Ends the dumps of a signal, and restores its former handler. Waits for a dump in progress, unless
 * its own handler calls this. Does nothing if the signal makes no requests.
 */
RL_EXPORT void RLRunLoopEndDumpOnSignal(int signal);

/**
 * Keeps the loop of a thread out of dumps: that of the inspector of RunLoopDiagnostics.
 *
 * - Parameter thread: The kernel's number of the thread; 0 for none any more.
 */
RL_EXPORT void RLDiagnosticsHideThread(SInt32 thread);

RL_EXTERN_C_END

#endif
