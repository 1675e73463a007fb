import CoreRunLoop

/// The reason for the end of a process.
///
/// The nearest counterpart in Foundation is Process.TerminationReason with terminationStatus.
public enum RLProcessEnd: Hashable, Sendable {
    /// The process exited with a code from 0 to 255.
    case exited(CInt)
    /// A signal ended the process.
    case signaled(CInt)
    /// The process is not a child, or other code has reaped it.
    case unknown

    /// Creates a value from a wait status of `waitpid`, or from `kRLProcessStatusUnknown`.
    public init(waitStatus status: CInt) {
        let signal = status & 0x7F
        if status == kRLProcessStatusUnknown {
            self = .unknown
        } else {
            self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
        }
    }
}

extension RLProcessEnd: CustomStringConvertible {
    /// The end in words: `"exited with 0"`, `"ended by signal 15"`.
    public var description: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signaled(let signal): "ended by signal \(signal)"
        case .unknown: "ended"
        }
    }
}
