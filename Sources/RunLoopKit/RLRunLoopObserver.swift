public import CoreRunLoop

/// An observer of a run loop, as ``RLRunLoop/observe(_:in:repeats:order:handler:)`` makes them.
///
/// The loop keeps it until it is invalidated; this value is only its name. It may be passed to other
/// threads, for example to be invalidated there.
///
/// CF: CFRunLoopObserver.
public struct RLRunLoopObserver: Hashable, Sendable {
    /// The engine's observer.
    public let reference: RLRunLoopObserverRef

    /// The activities of which it is told.
    public let activities: RLRunLoopActivity

    init(
        _ activities: RLRunLoopActivity,
        _ repeats: Bool,
        _ order: Int,
        _ handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void
    ) {
        let box = ObserverBox(handler)
        let made = withExtendedLifetime(box) {
            var context = box.context
            return RLRunLoopObserverCreate(
                kRLAllocatorDefault,
                activities.rawValue,
                repeats,
                order,
                { observer, activity, info in
                    guard let observer, let info else { return }
                    // The engine holds its info during the call.
                    let box = Unmanaged<ObserverBox>.fromOpaque(info).takeUnretainedValue()
                    noteFunction(ObserverBlock(handler: box.handler))
                    box.handler(RLRunLoopObserver(observer), activity)
                },
                &context
            )
        }
        guard let made else { stopProcess("RLRunLoop.observe", "the engine made no observer") }
        self.reference = made
        self.activities = activities
    }

    private init(_ reference: RLRunLoopObserverRef) {
        self.reference = reference
        self.activities = RLRunLoopActivity(
            rawValue: RLRunLoopObserverGetActivities(reference)
        )
    }

    /// Whether two values name one observer.
    public static func == (first: RLRunLoopObserver, second: RLRunLoopObserver) -> Bool {
        first.reference === second.reference
    }

    /// Feeds a hasher with the observer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reference)
    }

    /// Whether it will be called again.
    public var isValid: Bool {
        RLRunLoopObserverIsValid(reference)
    }

    /// The place among the observers of a mode; lower ones are called first.
    public var order: Int {
        RLRunLoopObserverGetOrder(reference)
    }

    /// Takes it out of its loop for good and releases its handler.
    public func invalidate() {
        RLRunLoopObserverInvalidate(reference)
    }
}

/// Holds a handler for the engine.
///
/// It is called only on the thread of the loop to which it is added, which is that of the call to
/// `observe`.
private final class ObserverBox {
    let handler: (RLRunLoopObserver, RLRunLoopActivity) -> Void

    init(_ handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void) {
        self.handler = handler
    }

    var context: RLRunLoopObserverContext {
        var context = RLRunLoopObserverContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.retain = { info in
            info.map { UnsafeRawPointer(Unmanaged<ObserverBox>.fromOpaque($0).retain().toOpaque()) }
        }
        context.release = { info in
            info.map { Unmanaged<ObserverBox>.fromOpaque($0).release() }
        }
        return context
    }
}

/// Holds an observer's handler for `noteFunction`.
private struct ObserverBlock {
    let handler: (RLRunLoopObserver, RLRunLoopActivity) -> Void
}
