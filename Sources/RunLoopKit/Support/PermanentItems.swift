import CoreRunLoop

/// The library's own observers, which tests must not count as the client's observers.
package enum PermanentObservers {
    // The addresses of the observers, which are unique while the owners retain the observers.
    private static let addresses = Locked<Set<UInt>>([])

    /// Records an observer, which its owner retains until `remove`.
    static func insert(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.insert(UInt(bitPattern: pointer)) }
        }
    }

    static func remove(_ observer: RLRunLoopObserverRef) {
        observer.withTypeReference { pointer in
            addresses.withLock { _ = $0.remove(UInt(bitPattern: pointer)) }
        }
    }

    package static func contains(_ item: RLTypeRef) -> Bool {
        addresses.withLock { $0.contains(UInt(bitPattern: item)) }
    }
}
