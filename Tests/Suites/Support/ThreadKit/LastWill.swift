/// Does something when the last reference to it is gone.
public final class LastWill: Sendable {
    private let will: @Sendable () -> Void

    /// Makes one of a closure.
    public init(_ will: @escaping @Sendable () -> Void) {
        self.will = will
    }

    /// For closures that are to keep it.
    public func hold() {}

    deinit {
        will()
    }
}

/// A ``LastWill`` for one thread.
public final class Mourner {
    private let will: () -> Void

    /// Makes one of a closure.
    public init(_ will: @escaping () -> Void) {
        self.will = will
    }

    /// For closures that are to keep it.
    public func hold() {}

    deinit {
        will()
    }
}
