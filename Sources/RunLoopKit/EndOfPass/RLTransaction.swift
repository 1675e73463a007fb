import CoreRunLoop
import Synchronization

/// An object whose changes are committed together, such as a view that is redrawn.
///
/// Core Animation has no counterpart.
public protocol RLCommitting: AnyObject {
    /// Applies the changes made since the last commit.
    func commitChanges()
}

/// Commits changed objects once at the end of a pass, before the loop sleeps or its run ends.
///
/// Callbacks change objects and mark them any number of times. When the loop has served everything
/// that is ready, the transaction commits each marked object once, in the order in which the
/// objects were first marked. A commit may mark objects, including the object that is being
/// committed. The transaction commits these objects in another round, before the loop sleeps. After
/// ``roundLimit`` rounds, it defers the remaining objects to the next pass, which starts
/// immediately.
///
/// ```swift
/// final class Gauge: RLCommitting {
///     var value = 0 {
///         didSet { RLTransaction.current.setNeedsCommit(self) }
///     }
///
///     func commitChanges() { print("value: \(value)") }
/// }
/// ```
///
/// An observer of `beforeWaiting` and `exit` in the common modes, with ``order``, performs the
/// commits. Observers with a lower order are called first; for example, an observer with order 0
/// can combine the events of the pass, as gesture recognizers do. If a pass does not reach
/// `beforeWaiting` because sources still have work, its changes are committed in a later pass. If
/// a commit runs the loop, as a modal panel does, the nested run commits the remaining objects.
///
/// A transaction is confined to its thread.
///
/// Core Animation: the implicit CATransaction.
public final class RLTransaction: ThreadBelonging {
    /// The order of the observer that commits.
    ///
    /// Core Animation: its observer has the same order (NSAP-2).
    public static let order = 2_000_000

    /// The maximum number of rounds of commits in a pass.
    public static let roundLimit = 32

    private struct Marked {
        let object: AnyObject
        var commit: () -> Void
    }

    private let loop: RLRunLoopRef
    private var passEnd: PassEndObserver?
    // Keeps runs from finishing before objects that were marked outside a pass are committed.
    private var keepAlive: KeepAliveSource
    private var marked: [Marked] = [] {
        didSet { hasMarked.store(!marked.isEmpty, ordering: .relaxed) }
    }
    // Any thread may read this flag.
    private let hasMarked = Atomic(false)
    // The remaining commits of the current round, the next last, which a nested run of the loop
    // performs. Each object is released after its commit: a slice would release all when it is
    // replaced, where their destructors could neither mark objects nor run the loop.
    private var round: [Marked] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var completions: [() -> Void] = []
    private var isCommitting = false
    private var wasWarned = false

    private init(_ loop: RLRunLoopRef) {
        self.loop = loop
        keepAlive = KeepAliveSource(loop)
        passEnd = PassEndObserver(loop, modes: [.common], order: Self.order) {
            [unowned self] activity in
            commitAll(activity)
        }
    }

    package func letGo() {
        if !marked.isEmpty || !completions.isEmpty {
            hint(
                "RLTransaction",
                "thread \(describeCurrentThread()) ended with \(marked.count) uncommitted "
                    + "object(s) and \(completions.count) pending completion(s): run its loop "
                    + "or call flush() before the thread ends"
            )
        }
        // Released at the end of this function: destructors may mark objects.
        let left = (round, marked, completions)
        round = []
        marked = []
        places = [:]
        completions = []
        withExtendedLifetime(left) {}
    }

    /// The calling thread's transaction.
    ///
    /// Core Animation: the thread's implicit transaction.
    @available(*, noasync)
    public static var current: RLTransaction {
        let current = RLRunLoop.current
        if let transaction = current.transaction { return transaction }
        let transaction = RLTransaction(current.loop)
        current.transaction = transaction
        current.belongings.insert(transaction)
        return transaction
    }

    /// Marks an object as changed.
    ///
    /// The object is committed once, however often it is marked, and is retained until then.
    ///
    /// UIKit: setNeedsDisplay() and setNeedsLayout() of a view.
    public func setNeedsCommit(_ object: some RLCommitting) {
        setNeedsCommit(object) { object.commitChanges() }
    }

    /// Marks an object as changed, and sets the closure that commits it.
    ///
    /// - Parameters:
    ///   - object: The object, which identifies the change. It is retained until the commit.
    ///   - commit: Called once. The closure replaces an earlier closure for the same object.
    public func setNeedsCommit(_ object: AnyObject, by commit: @escaping () -> Void) {
        checkGiver("RLTransaction.setNeedsCommit")
        checkThread("RLTransaction.setNeedsCommit")
        if let place = places[ObjectIdentifier(object)] {
            let replaced = marked[place].commit
            marked[place].commit = commit
            // Releases the replaced closure last, as its destructor may mark objects.
            return withExtendedLifetime(replaced) {}
        }
        places[ObjectIdentifier(object)] = marked.count
        marked.append(Marked(object: object, commit: commit))
        keepAwake()
    }

    /// Whether any object is marked.
    ///
    /// May be read on any thread.
    public var needsCommit: Bool {
        hasMarked.load(ordering: .relaxed)
    }

    /// Calls a closure once, when no marked objects are left.
    ///
    /// Core Animation: CATransaction.setCompletionBlock(_:).
    public func addCompletion(_ completion: @escaping () -> Void) {
        checkGiver("RLTransaction.addCompletion")
        checkThread("RLTransaction.addCompletion")
        completions.append(completion)
        keepAwake()
    }

    /// Commits marked objects immediately.
    ///
    /// A no-op inside a commit: objects that a commit marks are committed in the next round.
    ///
    /// Core Animation: CATransaction.flush().
    public func flush() {
        checkThread("RLTransaction.flush()")
        if !isCommitting { commitAll([]) }
    }

    private func checkThread(_ call: StaticString) {
        RunLoopKit.checkThread(
            of: loop,
            call,
            remedy: "call it on that thread with RLRunLoopPerformBlock"
        )
    }

    private func keepAwake() {
        if passEnd?.keepAwake() ?? false { keepAlive.keep(in: .common) }
    }

    private func commitAll(_ activity: RLRunLoopActivity) {
        let isNested = isCommitting
        isCommitting = true
        var rounds = 0
        while rounds < Self.roundLimit && commitRound() { rounds += 1 }
        isCommitting = isNested
        if marked.isEmpty && completions.isEmpty { return keepAlive.letGo(at: activity) }
        warnOfRest()
        if activity == .beforeWaiting { RLRunLoopWakeUp(loop) }
    }

    /// Calls the completions only if no object is marked; returns whether any closure was called.
    private func commitRound() -> Bool {
        if round.isEmpty {
            swap(&round, &marked)
            round.reverse()
            places.removeAll(keepingCapacity: true)
        }
        if !round.isEmpty {
            while let entry = round.popLast() { entry.commit() }
            return true
        }
        var called: [() -> Void] = []
        swap(&called, &completions)
        for completion in called { completion() }
        return !called.isEmpty
    }

    /// Warns once: a commit that always marks objects would otherwise log a warning in each pass.
    private func warnOfRest() {
        if wasWarned { return }
        wasWarned = true
        let names = Set(marked.map { "\(type(of: $0.object))" }).sorted().joined(separator: ", ")
        warn(
            "RLTransaction",
            marked.isEmpty
                ? "after \(Self.roundLimit) rounds, completions are still pending, and are called in the "
                    + "next pass: check for completions that add completions"
                : "after \(Self.roundLimit) rounds, commits still mark objects of type \(names); the "
                    + "rest are committed in the next pass: check for commits that mark their own objects"
        )
    }
}

@available(*, unavailable)
extension RLTransaction: Sendable {}

extension RLTransaction: CustomStringConvertible {
    /// Whether any object is marked, and the transaction's thread.
    public var description: String {
        let state = needsCommit ? "needs a commit" : "nothing to commit"
        return describe(self, "\(state), of thread \(describeThread(threadNumber(of: loop)))")
    }
}
