import Synchronization

/// An object that is made when it is first needed, by any thread, and kept.
///
/// `AtomicLazyReference` of the standard library is not inlined, and takes a thousand instructions.
struct LazyReference<Object: AnyObject>: ~Copyable {
    private let reference = Atomic<Unmanaged<Object>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    /// The object, if it was made.
    func load() -> Object? {
        reference.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Keeps an object, unless another thread was faster; returns the object that is kept.
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
