import Synchronization

/// A number that several threads count up.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    /// Counts one more, and returns how many that makes.
    @discardableResult
    func countUp() -> Int {
        number.add(1, ordering: .sequentiallyConsistent).newValue
    }

    func reset() {
        number.store(0, ordering: .sequentiallyConsistent)
    }
}
