import CoreRunLoop

/// The library's own observers, which stay in loops for the lifetime of their owners.
///
/// Tests must not count them as the client's observers.
package enum PermanentObservers {
    // The addresses of the observers, which are unique while the owners retain the observers.
    private static let addresses = Locked<Set<UInt>>([])

    /// Registers an observer, which the owner retains until `remove`.
    static func insert(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.insert(UInt(bitPattern: pointer)) }
        }
    }

    /// Unregisters an observer.
    static func remove(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.remove(UInt(bitPattern: pointer)) }
        }
    }

    /// Returns whether the item at an address is registered.
    package static func contains(_ item: RLTypeRef) -> Bool {
        addresses.withLock { $0.contains(UInt(bitPattern: item)) }
    }
}
