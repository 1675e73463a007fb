import CRunLoopDiagnostics
import Glibc
import RunLoopKit

extension RLBacktrace {
    /// The signal with which backtraces are taken.
    public enum SignalChoice: Sendable, Equatable {
        /// A real-time signal that is not in use.
        case automatic
        /// The given signal: SIGUSR1, SIGUSR2 or a real-time signal.
        case signal(CInt)
        /// No signal: no backtraces are taken, and no call is interrupted.
        ///
        /// Stall monitors and dumps still work, but without backtraces.
        case none
    }

    /// The reason why a signal cannot be used.
    public struct SignalFailure: Error, CustomStringConvertible {
        /// The error number: EBUSY if the signal is in use, EINVAL if it is not suitable.
        public let number: CInt

        /// The text and the name of the error number.
        public var description: String {
            describeError(number)
        }
    }

    /// Sets the signal with which this process takes backtraces from now on.
    ///
    /// The default is the highest unused real-time signal below SIGRTMAX. A signal is unused if it
    /// has no handler and is not ignored, if no thread blocks it or waits for it, and if no
    /// signalfd receives it. Threads that block most real-time signals, such as threads of
    /// libdispatch and Swift, do not count, except the main thread.
    ///
    /// The library handles the signal while an ``RLStallMonitor`` is active and while a backtrace
    /// or a dump is made. Afterwards, the default action is restored. If other code changes the
    /// handler or sends the signal, a line is printed on standard error. Backtraces then fail with
    /// ``Failure/signalIsTaken`` until the handler is restored or this function is called.
    ///
    /// The signal interrupts calls that the kernel does not restart: `nanosleep`, `usleep`, `poll`,
    /// `select`, `epoll_wait`, `sigtimedwait`, `sem_timedwait`, `semop`, `msgrcv`, and `recv`,
    /// `send`, `accept` and `connect` on sockets with a time-out, fail with EINTR; `sleep` returns
    /// early. Calls without a time-out continue, and so does `pthread_cond_timedwait`. If your
    /// program does not handle EINTR, choose ``SignalChoice/none``.
    ///
    /// - Throws: ``SignalFailure`` if the signal cannot be used; the former choice then remains.
    public static func use(_ choice: SignalChoice) throws(SignalFailure) {
        let number =
            switch choice {
            case .automatic: CInt(kRLBacktraceSignalAutomatic)
            case .signal(let number): number > 0 ? number : CInt.max
            case .none: CInt(kRLBacktraceSignalNone)
            }
        let result = RLBacktraceUseSignal(number)
        if result < 0 { throw SignalFailure(number: -result) }
    }

    /// The signal of backtraces while the library handles it; otherwise nil.
    public static var signal: CInt? {
        let number = RLBacktraceGetSignal()
        return number > 0 ? number : nil
    }
}

/// Reserves the signal of backtraces for the lifetime of the object.
final class BacktraceSignalHold: Sendable {
    init() {
        _ = RLBacktraceBegin()
    }

    deinit {
        RLBacktraceEnd()
    }
}
