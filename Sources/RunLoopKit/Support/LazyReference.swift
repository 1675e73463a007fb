import Synchronization

/// A reference that any thread can set once, on first use; retains its object.
///
/// The standard library's `AtomicLazyReference` is not inlined, and a call takes a thousand
/// instructions.
struct LazyReference<Object: AnyObject>: ~Copyable {
    private let reference = Atomic<Unmanaged<Object>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    func load() -> Object? {
        reference.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Stores an object unless another thread was first, and returns the stored object.
    func storeIfNil(_ object: Object) -> Object {
        let kept = Unmanaged.passRetained(object)
        let (isStored, found) = reference.compareExchange(
            expected: nil,
            desired: kept,
            ordering: .acquiringAndReleasing
        )
        if isStored { return object }
        kept.release()
        return found?.takeUnretainedValue() ?? object
    }
}
