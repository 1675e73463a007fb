import FoundationEssentials
import RunLoopConcurrency
import RunLoopKit

/// The ways to defer a closure until the calling thread's loop is idle or about to sleep, for an
/// empty loop.
public enum Deferral: CaseIterable, Sendable {
    case soonNotification, idleNotification, idleWork, idleWorkOfOthers, commit, completion
    case autorelease, job, block, delayedPerform, orderedPerform, timer, source

    /// Defers a closure.
    ///
    /// - Parameter done: Called once, on this thread.
    /// - Returns: An object to keep until then, and to release on this thread.
    public func callAsFunction(_ done: @escaping @Sendable () -> Void) -> AnyObject? {
        let loop = RLRunLoop.current
        switch self {
        case .soonNotification: return post(.asap, done)
        case .idleNotification: return post(.whenIdle, done)
        case .idleWork:
            let queue = RLIdleQueue()
            queue.add(done)
            return queue
        case .idleWorkOfOthers:
            let queue = RLIdleQueue()
            queue.sender.add(done)
            return queue
        case .commit:
            RLTransaction.current.setNeedsCommit(loop, by: done)
        case .completion:
            RLTransaction.current.addCompletion(done)
        case .autorelease:
            loop.installAutoreleasePool()
            loop.perform { RLAutorelease(LastCall(done)) }
        case .job:
            let executor = RLRunLoopExecutor(
                loop: loop.getRLRunLoop(),
                orphans: .runElsewhere
            )
            Task(executorPreference: executor) { done() }
            return executor
        case .block:
            loop.perform(done)
        case .delayedPerform:
            loop.perform(afterDelay: 0, block: done)
        case .orderedPerform:
            let target = Target(done)
            loop.perform(.call, target: target, argument: nil, order: 0, modes: [.default])
            return target
        case .timer:
            let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in done() }
            loop.add(timer, forMode: .default)
        case .source:
            let source = RLRunLoopSourceCreate(perform: done)
            RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
            RLRunLoopSourceSignal(source)
            return SourceEnd(source)
        }
        return nil
    }

    private func post(
        _ style: RLNotificationQueue.PostingStyle,
        _ done: @escaping () -> Void
    ) -> AnyObject {
        let queue = RLNotificationQueue { _ in done() }
        queue.enqueue(RLNotification(name: .init("Deferral")), postingStyle: style)
        return queue
    }
}

/// Calls a closure in `deinit`.
private final class LastCall {
    private let done: () -> Void

    init(_ done: @escaping () -> Void) {
        self.done = done
    }

    deinit {
        done()
    }
}

private final class Target {
    private let done: () -> Void

    init(_ done: @escaping () -> Void) {
        self.done = done
    }

    func call() {
        done()
    }
}

extension RLSelector where Target == DeferralKit.Target {
    fileprivate static let call = RLSelector("call", Target.call)
}

/// Invalidates a source in `deinit`.
private final class SourceEnd {
    private let source: RLRunLoopSourceRef

    init(_ source: RLRunLoopSourceRef) {
        self.source = source
    }

    deinit {
        RLRunLoopSourceInvalidate(source)
    }
}
