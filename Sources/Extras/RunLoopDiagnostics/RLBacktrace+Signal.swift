import CRunLoopDiagnostics
import Glibc
import RunLoopKit

extension RLBacktrace {
    /// The signal by which backtraces are taken.
    public enum SignalChoice: Sendable, Equatable {
        /// A real-time signal that is not in use.
        case automatic
        /// This one: SIGUSR1, SIGUSR2 or a real-time signal.
        case signal(CInt)
        /// No signal: no backtraces are taken, and no call is interrupted.
        ///
        /// Stall monitors and dumps work all the same, but report no stacks.
        case none
    }

    /// The reason for which a signal cannot be used.
    public struct SignalFailure: Error, CustomStringConvertible {
        /// EBUSY if the signal is in use, EINVAL if it is not suitable.
        public let number: CInt

        /// The text and the name of the error number.
        public var description: String {
            describeError(number)
        }
    }

    /// Sets the signal by which backtraces are taken, for the whole process, from now on.
    ///
    /// The default is the highest real-time signal below SIGRTMAX that has no handler and is not
    /// ignored, and that no thread blocks or waits for and no signalfd receives. Threads that block
    /// most real-time signals, such as libdispatch's and Swift's own, do not count, except
    /// the main one.
    ///
    /// The library handles the signal while an ``RLStallMonitor`` is active and while a backtrace
    /// or a dump is made. Afterwards it has its default action again. If other code changes its
    /// handler or sends it, a line is printed on standard error, and backtraces fail with
    /// ``Failure/signalIsTaken`` until the handler is restored or this is called.
    ///
    /// It interrupts calls that are not restarted after a signal: `nanosleep`, `usleep`, `poll`,
    /// `select`, `epoll_wait`, `sigtimedwait`, `sem_timedwait`, `semop`, `msgrcv`, and `recv`,
    /// `send`, `accept` and `connect` on sockets with a time-out, end with EINTR, `sleep` early.
    /// Calls without a time-out and those of `pthread_cond_timedwait` continue. If your program
    /// cannot cope with that, choose ``SignalChoice/none``.
    ///
    /// - Throws: ``SignalFailure`` if the signal cannot be used; the former choice stays.
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

    /// The signal with which backtraces are taken while it is ours, and otherwise nil.
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
