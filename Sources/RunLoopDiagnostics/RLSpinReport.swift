public import RunLoopKit

/// A loop that is kept busy for nothing, or that gets more and more timers.
public struct RLSpinReport: Sendable, CustomStringConvertible {
    /// The cause.
    public enum Cause: Sendable, Equatable {
        /// A descriptor of a version-1 or version-2 source is always ready, as nobody reads what
        /// makes it so.
        case descriptor(CInt)
        /// A version-0 source is signalled again and again, as by itself.
        case source
        /// A timer is always due.
        case timer
        /// Blocks are added again and again, as by themselves.
        case blocks
        /// The main dispatch queue always has work.
        case mainQueue
        /// The loop is woken again and again, with nothing to do.
        case wakeUps
        /// The loop is run again and again without a sleep.
        case runs
        /// The number of timers has only grown.
        case growingTimers(from: Int, to: Int)
        /// Something else.
        case unknown
    }

    /// The cause.
    public let cause: Cause

    /// The loop.
    public let loop: RLRunLoopRef

    /// The kernel's number of its thread.
    public let thread: Int32

    /// The mode in which it spins or grows, or nil if it ran in none.
    public let mode: RLRunLoopMode?

    /// How many passes a second the loop makes.
    public let passesPerSecond: Int

    /// How many times a second the loop calls the cause; 0 for growing timers.
    public let callsPerSecond: Int

    /// The source or timer as `po` shows it; for growing timers, the last one.
    ///
    /// Nil if the cause is neither.
    public let item: String?

    /// As it was seen first.
    let busyItem: LoopItem?

    /// What the descriptor is, such as a pipe, and how many bytes wait in it.
    ///
    /// Nil if the cause is no descriptor.
    public let descriptor: String?

    /// The client's function that is called; for growing timers, that of most of them.
    ///
    /// Nil if it was not caught at work.
    public let callback: RLBacktrace.Frame?

    /// A headline, and a line for each detail.
    public var description: String {
        var lines = ["\(describePlace(thread, mode)): \(what)"]
        if let descriptor { lines.append("  descriptor \(printable(descriptor))") }
        if let callback { lines.append("  calls \(callback)") }
        if let item { lines.append("  \(printable(item))") }
        return lines.joined(separator: "\n")
    }

    private var what: String {
        let rate = "\(passesPerSecond) passes and \(callsPerSecond) calls a second"
        switch cause {
        case .descriptor(let number):
            return "descriptor \(number) is always ready and never read: \(rate)"
        case .source: return "a source is signalled again and again: \(rate)"
        case .timer: return "a timer is always due: \(rate)"
        case .blocks: return "blocks are added again and again: \(rate)"
        case .mainQueue: return "the main queue always has work: \(rate)"
        case .wakeUps: return "woken again and again for nothing: \(rate)"
        case .runs: return "run again and again without a sleep: \(rate)"
        case .growingTimers(let first, let last):
            return "the timers only grow in number, from \(first) to \(last)"
        case .unknown: return "does not come to sleep: \(rate)"
        }
    }
}
