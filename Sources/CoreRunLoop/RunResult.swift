public import CRunLoop

extension RLRunLoopRunResult: @retroactive CustomStringConvertible {
    /// The name of the result, such as `"handledSource"`.
    public var description: String {
        switch self {
        case .finished: "finished"
        case .stopped: "stopped"
        case .timedOut: "timedOut"
        case .handledSource: "handledSource"
        }
    }
}
