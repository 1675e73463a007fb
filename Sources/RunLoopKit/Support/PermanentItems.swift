import CoreRunLoop

/// The observers that this library keeps in loops as long as their owners live.
///
/// Tests must not count them as the client's.
package enum PermanentObservers {
    // Addresses of observers. No other object gets one while the owner holds its observer.
    private static let addresses = Locked<Set<UInt>>([])

    /// Marks an observer, which the owner holds until it takes the mark back.
    static func insert(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.insert(UInt(bitPattern: pointer)) }
        }
    }

    /// Takes the mark back.
    static func remove(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.remove(UInt(bitPattern: pointer)) }
        }
    }

    /// Whether the item at an address is such an observer.
    package static func contains(_ item: RLTypeRef) -> Bool {
        addresses.withLock { $0.contains(UInt(bitPattern: item)) }
    }
}
