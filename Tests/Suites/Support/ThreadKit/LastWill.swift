/// Calls a closure in `deinit`.
public final class LastWill: Sendable {
    private let will: @Sendable () -> Void

    /// Makes an object that calls a closure in `deinit`.
    public init(_ will: @escaping @Sendable () -> Void) {
        self.will = will
    }

    /// Does nothing; the call makes a closure capture the object.
    public func hold() {}

    deinit {
        will()
    }
}

/// A ``LastWill`` for one thread.
public final class Mourner {
    private let will: () -> Void

    /// Makes an object that calls a closure in `deinit`.
    public init(_ will: @escaping () -> Void) {
        self.will = will
    }

    /// Does nothing; the call makes a closure capture the object.
    public func hold() {}

    deinit {
        will()
    }
}
