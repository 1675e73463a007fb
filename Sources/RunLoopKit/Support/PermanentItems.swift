import CoreRunLoop

/// The observers that the library keeps in loops for the lifetime of their owners.
///
/// Tests must not count them as the client's.
package enum PermanentObservers {
    // Addresses of observers; unique while the owners retain the observers.
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

    /// Whether the item at an address is registered.
    package static func contains(_ item: RLTypeRef) -> Bool {
        addresses.withLock { $0.contains(UInt(bitPattern: item)) }
    }
}
