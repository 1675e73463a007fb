public import CRunLoop

extension RLRunLoopActivity: @retroactive CustomStringConvertible {
    /// The names of the activities in the order of a pass, such as `"beforeTimers, beforeSources"`.
    public var description: String {
        let names: [(RLRunLoopActivity, String)] = [
            (.entry, "entry"), (.beforeTimers, "beforeTimers"), (.beforeSources, "beforeSources"),
            (.beforeWaiting, "beforeWaiting"), (.afterWaiting, "afterWaiting"), (.exit, "exit"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
