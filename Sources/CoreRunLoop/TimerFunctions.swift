public import CRunLoop
package import CRunLoop.Wrapping

/// Makes a timer that calls a closure whenever it fires.
///
/// The timer does nothing until it is added to a mode. Firings that fall due while its thread is
/// busy are merged into one, and the schedule keeps its grid. The timer holds `handler` until it
/// is invalidated or destroyed, whichever comes first.
///
/// CF: CFRunLoopTimerCreateWithHandler.
///
/// - Parameters:
///   - fireDate: The date of the first firing, in seconds since 2001; one in the past is due at
///     once.
///   - interval: The seconds between firings. With `0`, the timer fires once and is then invalid.
///   - order: Stored, without effect.
///   - handler: Called on the thread that runs the loop, with no lock held.
/// - Returns: A valid timer that is in no mode.
public func RLRunLoopTimerCreate(
    fireDate: RLAbsoluteTime,
    interval: RLTimeInterval = 0,
    order: RLIndex = 0,
    handler: @escaping @Sendable (RLRunLoopTimerRef) -> Void
) -> RLRunLoopTimerRef {
    var storage: UnsafeMutableRawPointer?
    let timer = RLRunLoopTimerCreateWithStorage(
        fireDate,
        interval,
        order,
        MemoryLayout<StoredHandler>.size,
        { timer, storage in
            guard let timer, let storage else { return }
            // The first word of a closure is its function.
            RLRunLoopNoteCalloutFunction(storage.load(as: UnsafeRawPointer?.self))
            call(storage.assumingMemoryBound(to: StoredHandler.self).pointee, timer)
        },
        StoredHandler.functions.address,
        &storage
    )
    guard let timer, let storage else { preconditionFailure("the engine made no timer") }
    storage.initializeMemory(as: StoredHandler.self, to: StoredHandler(body: handler))
    return timer
}

/// A closure in a timer, which is its only owner: called where it lies, it need not be retained for
/// the call.
private struct StoredHandler: ~Copyable {
    let body: @Sendable (RLRunLoopTimerRef) -> Void

    static let functions = StorageFunctions(
        RLRunLoopStorageFunctions(
            release: { storage in
                guard let storage = UnsafeMutableRawPointer(mutating: storage) else { return }
                _ = storage.assumingMemoryBound(to: StoredHandler.self).move()
            },
            keep: nil,
            letGo: nil
        )
    )
}

/// What is done with the storage of timers, at an address that stays.
package struct StorageFunctions: Sendable {
    // Never changed, and never freed.
    nonisolated(unsafe) package let address: UnsafePointer<RLRunLoopStorageFunctions>

    package init(_ functions: RLRunLoopStorageFunctions) {
        let address = UnsafeMutablePointer<RLRunLoopStorageFunctions>.allocate(capacity: 1)
        address.initialize(to: functions)
        self.address = UnsafePointer(address)
    }
}

/// Borrowed, so that nothing is copied out.
@inline(__always)
private func call(_ handler: borrowing StoredHandler, _ timer: RLRunLoopTimerRef) {
    handler.body(timer)
}
