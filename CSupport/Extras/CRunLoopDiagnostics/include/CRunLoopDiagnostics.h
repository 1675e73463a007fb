/*
 * The C part of run loop monitors: heartbeats of loops, backtraces of other threads, the output of
 * programs, requests from signal handlers, and dumps of all loops. These functions have no CF
 * counterpart. They are thread-safe, unless stated otherwise.
 */

#ifndef CRUNLOOPDIAGNOSTICS_H
#define CRUNLOOPDIAGNOSTICS_H

#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLRunLoopWrapping.h>

RL_EXTERN_C_BEGIN

/**
 * The heartbeat of one loop: the number and the start time of the current stretch. A stretch is a
 * period of work between two activities of the loop. While a loop sleeps or does not run, there is
 * no stretch. Reference-counted by RLHeartbeatRetain and RLHeartbeatRelease. Null is not allowed.
 */
typedef struct RLHeartbeat *RLHeartbeatRef;

/** The state of a loop at one moment. */
typedef struct {
    /** The number of the current stretch or idle period. It increases with each beat. */
    UInt64 stretch;
    /**
     * The time at which the stretch began, in nanoseconds of CLOCK_MONOTONIC; 0 if the loop is
     * idle.
     */
    UInt64 began_ns;
    /** The activity with which the stretch began. */
    RLRunLoopActivity activity;
    /** The number of stretches so far whose duration reached the threshold. */
    UInt64 slow;
    /**
     * The value of `slow` at the end of the last period of work, from idle to idle, that had no
     * slow stretch.
     */
    UInt64 slow_before;
    /**
     * The duration in nanoseconds of the stretch that RLHeartbeatFollow has selected; 0 until that
     * stretch has ended.
     */
    UInt64 followed_ns;
} RLHeartbeatReading;

/**
 * Creates the heartbeat of a loop. It starts when RLHeartbeatObserve is called.
 *
 * - Parameters:
 *   - loop: The loop of any thread. It is retained.
 *   - threshold_ns: The duration in nanoseconds at which a stretch counts as slow.
 * - Returns: A heartbeat that the caller must release.
 */
RL_EXPORT RLHeartbeatRef RLHeartbeatCreate(RLRunLoopRef loop, UInt64 threshold_ns);

/** Retains a heartbeat and returns it. */
RL_EXPORT RLHeartbeatRef RLHeartbeatRetain(RLHeartbeatRef heartbeat);

/** Releases a heartbeat. The last release frees it. */
RL_EXPORT void RLHeartbeatRelease(RLHeartbeatRef heartbeat);

/** Observes the loop also in `mode`, or in the common modes if `mode` is kRLRunLoopCommonModes. */
RL_EXPORT void RLHeartbeatObserve(RLHeartbeatRef heartbeat, RLRunLoopMode mode);

/**
 * Stops the heartbeat permanently, and removes its observers from the loop. If the heartbeat has
 * unblocked the backtrace signal in the loop's thread, the thread blocks it again when the loop
 * next runs in a common mode.
 */
RL_EXPORT void RLHeartbeatStop(RLHeartbeatRef heartbeat);

/** Returns the current state of the loop, without waiting for the loop. */
RL_EXPORT RLHeartbeatReading RLHeartbeatRead(RLHeartbeatRef heartbeat);

/**
 * Selects a stretch whose duration is recorded in `followed_ns` when it ends. Replaces the previous
 * selection, and sets `followed_ns` to 0.
 *
 * - Parameters:
 *   - heartbeat: The heartbeat. Only one thread at a time may call this function.
 *   - stretch: The number of the current stretch, from RLHeartbeatRead. If the stretch has ended
 *     already, `followed_ns` stays 0.
 */
RL_EXPORT void RLHeartbeatFollow(RLHeartbeatRef heartbeat, UInt64 stretch);

/** Values that RLBacktraceUseSignal accepts instead of a signal number. */
enum {
    /** Select an unused real-time signal. */
    kRLBacktraceSignalAutomatic = 0,
    /** Use no signal: backtraces fail, and no system call is interrupted. */
    kRLBacktraceSignalNone = -1
};

/**
 * Sets the signal that RLThreadGetBacktrace sends, for the whole process.
 *
 * By default, this is the highest real-time signal below SIGRTMAX that has the default action, that
 * no thread blocks or waits for, and that no signalfd receives. This check ignores threads that
 * block most real-time signals, such as the threads of dispatch and of Swift's tasks, but not the
 * main thread. The library installs a handler from RLBacktraceBegin to RLBacktraceEnd and during
 * RLThreadGetBacktrace, and then restores the default action. If other code replaces the handler or
 * sends the signal, a line is printed on standard error, and backtraces fail until RLBacktraceEnd
 * or this function is called.
 *
 * In the thread that receives the signal, the following calls fail with EINTR: nanosleep,
 * clock_nanosleep, usleep, poll, select, epoll_wait, sigtimedwait, sem_timedwait, semop, msgrcv,
 * and recv, send, accept and connect on sockets with a timeout; sleep returns the remaining
 * seconds. Calls without a timeout (read, write, recv, accept, wait, sem_wait, locks) are
 * restarted, as are pthread_cond_timedwait and pthread_mutex_timedlock. If a program cannot handle
 * this, use kRLBacktraceSignalNone.
 *
 * - Parameter signal: SIGUSR1, SIGUSR2, a real-time signal, or one of the constants.
 * - Returns: 0, -EINVAL if `signal` has no such value, or -EBUSY if the signal is in use.
 */
RL_EXPORT int RLBacktraceUseSignal(int signal);

/** Returns the backtrace signal while it is reserved, otherwise 0. Async-signal-safe. */
RL_EXPORT int RLBacktraceGetSignal(void);

/**
 * Reserves the backtrace signal: it stays the same until RLBacktraceEnd, so a thread that blocks
 * signals can unblock it.
 *
 * - Returns: 0, or -EAGAIN if no signal is free or the client has selected kRLBacktraceSignalNone.
 *   Balance each call with RLBacktraceEnd, even if it fails.
 */
RL_EXPORT int RLBacktraceBegin(void);

/**
 * Ends a reservation of the backtrace signal. The last call restores the signal's default action.
 */
RL_EXPORT void RLBacktraceEnd(void);

/**
 * Takes the backtrace of a thread of this process, which may be running or blocked, by sending it a
 * signal (see RLBacktraceUseSignal).
 *
 * Only one backtrace is taken at a time; other callers block. The handler is async-signal-safe: the
 * unwinder is loaded in advance, and takes no lock with glibc 2.35 or later.
 *
 * - Parameters:
 *   - thread: The kernel's id of the thread, which may be the calling thread.
 *   - frames: Receives an address in each function, the innermost first: the address of the current
 *     instruction, or of the call.
 *   - capacity: The number of addresses for which `frames` has space. At most 128 are stored.
 *   - seconds: The time limit for the handler, in seconds.
 * - Returns: The number of addresses, -ESRCH if the thread does not exist, -EPERM if it blocks the
 *   signal, -ETIMEDOUT after the time limit, -EAGAIN if no signal is free or backtraces are
 *   disabled, or -EBUSY if other code uses the signal.
 */
RL_EXPORT RLIndex RLThreadGetBacktrace(SInt32 thread, const void **frames, RLIndex capacity,
                                       RLTimeInterval seconds);

/**
 * Unblocks the signal of RLThreadGetBacktrace in the calling thread. A thread that was started by a
 * thread of dispatch or of Swift's tasks blocks all signals, so it needs this call. A loop with a
 * heartbeat makes this call while the signal is reserved. If no signal is reserved, this call
 * selects the signal of later backtraces, unless other code uses that signal by then.
 */
RL_EXPORT void RLThreadAllowBacktrace(void);

/**
 * Returns the processor time of a thread of this process in nanoseconds, or 0 if the thread has
 * ended.
 */
RL_EXPORT UInt64 RLThreadGetProcessorTime(SInt32 thread);

/**
 * Converts a signal to requests: installs a handler that only increments an eventfd. A forked child
 * has no requests, and its signals have their former handlers.
 *
 * - Parameter signal: The number of the signal. Its handler is replaced.
 * - Returns: The eventfd, for RLRequestWait. It belongs to the signal and stays open. -EINVAL if
 *   the signal cannot be caught, -EBUSY if it already makes requests, or another negative errno
 *   value.
 */
RL_EXPORT int RLSignalRequestBegin(int signal);

/** Restores the handler that the signal had before RLSignalRequestBegin. */
RL_EXPORT void RLSignalRequestEnd(int signal);

/** Blocks until the eventfd is not 0, and resets it to 0. */
RL_EXPORT void RLRequestWait(int descriptor);

/** Adds one to an eventfd. Async-signal-safe. */
RL_EXPORT void RLRequestSignal(int descriptor);

/**
 * Returns the directories in which programs are searched, in the format of `PATH`. Returns null if
 * `PATH` is not set, or if the process has more privileges than its user.
 */
RL_EXPORT const char *RLProgramGetSearchPath(void);

/**
 * Runs a program and returns its standard output. The program inherits no other descriptor and no
 * environment variable, blocks and ignores no signal, and has its own session. Its end causes no
 * SIGCHLD in this process, and no `wait` call of the client returns it. The output is complete when
 * the program ends, even if a child of the program still has the pipe open.
 *
 * - Parameters:
 *   - path: The path of the program.
 *   - arguments: A null-terminated array of arguments, whose first element is the name of the
 *     program.
 *   - capacity: The maximum number of bytes that the program may write.
 *   - seconds: The time limit in seconds, after which the process group of the program is killed.
 *   - ret_length: Receives the number of bytes of the output.
 * - Returns: The output, which the caller frees with free(); null if the program cannot be started
 *   or exceeds a limit.
 */
RL_EXPORT char *RLProgramCopyOutput(const char *path, const char *const *arguments,
                                    RLIndex capacity, RLTimeInterval seconds, RLIndex *ret_length);

/**
 * Returns a text with the state of all loops of the process: for each loop its thread, its activity
 * and the activity's duration, its mode, the current callback with a backtrace up to the loop, and
 * the number of items in each mode. A function is printed by its name and offset. Names are printed
 * as by RLTextCopyPrintable.
 *
 * The loops continue to run. A thread whose loop is in a callback receives the signal of
 * RLThreadGetBacktrace.
 *
 * - Returns: The text in UTF-8, which the caller frees with free().
 */
RL_EXPORT char *RLRunLoopCopyDump(void);

/** A line of a dump. */
typedef struct {
    /** The line without its newline, or the part before the name of a function. */
    const char *text;
    /** The name of a function and the offset in it, as in `main + 34`; null if they are unknown. */
    const char *function;
    /** An address in the function; null if the line has no function. */
    const void *address;
    /** Whether the line is for a function on a stack. */
    Boolean isOnStack;
} RLDumpLine;

/**
 * Calls a function with each line of the text that RLRunLoopCopyDump returns.
 *
 * - Parameters:
 *   - visit: Called for each line, on this thread. The line is only valid during the call.
 *   - info: Passed to `visit`.
 */
RL_EXPORT void RLRunLoopVisitDump(void (*visit)(const RLDumpLine *line, void *info), void *info);

/**
 * The type of the handler of RLRunLoopDumpOnSignalWithHandler. The text is only valid during the
 * call.
 */
typedef void (*RLRunLoopDumpCallBack)(const char *text, void *info);

/**
 * Writes a dump of all loops whenever a signal, such as SIGUSR2, arrives.
 *
 * The handler of the signal only makes a request, so the signal may arrive at any time. A separate
 * thread without a loop writes the dump. Signals that arrive during a dump count as one request.
 * This thread does not block the signal, so all other threads may block it.
 *
 * - Parameters:
 *   - signal: The number of the signal. Its handler is replaced.
 *   - descriptor: The descriptor to write to, such as STDERR_FILENO. Keep it open until the dumps
 *     are ended. A dump to a pipe without a reader has no effect.
 * - Returns: 0, -EINVAL if the signal cannot be caught, -EBUSY if it already makes requests, -EBADF
 *   if the descriptor is negative, or another negative errno value.
 */
RL_EXPORT int RLRunLoopDumpOnSignal(int signal, int descriptor);

/**
 * Calls a function with a dump of all loops whenever a signal arrives.
 *
 * - Parameters:
 *  - signal: The number of the signal. Its handler is replaced.
 *  - handler: Called with each dump, on the thread that makes the dumps.
 *  - release: Called with `info` after the dumps have ended; may be null.
 *  - info: Passed to `handler` and `release`. If this function fails, `release` is not called.
 * - Returns: The same values as RLRunLoopDumpOnSignal; also -EINVAL if `handler` is null.
 */
RL_EXPORT int RLRunLoopDumpOnSignalWithHandler(int signal, RLRunLoopDumpCallBack handler,
                                               void (*release)(void *info), void *info);

/**
 * Ends the dumps of a signal, and restores its former handler. Blocks until a dump in progress is
 * finished, unless the handler of that dump makes this call. Has no effect if the signal makes no
 * requests.
 */
RL_EXPORT void RLRunLoopEndDumpOnSignal(int signal);

/**
 * Excludes the loop of one thread from dumps. RunLoopDiagnostics uses this for its inspector.
 *
 * - Parameter thread: The kernel's id of the thread, or 0 to exclude no thread.
 */
RL_EXPORT void RLDiagnosticsHideThread(SInt32 thread);

RL_EXTERN_C_END

#endif
