@_spi(Boxes) public import CoreRunLoop

/// An observer of a run loop, created by ``RLRunLoop/observe(_:in:repeats:order:handler:)``.
///
/// The loop retains the observer until the observer is invalidated; this value is only a reference.
/// Other threads may use the value, for example to invalidate the observer. The handler is confined
/// to the loop's thread, which also releases it.
///
/// CF: CFRunLoopObserver.
public struct RLRunLoopObserver: Hashable, Sendable {
    /// The engine's observer.
    ///
    /// Do not add the observer to the loop of another thread: if that thread calls the observer,
    /// the process stops with a message. For other loops use `RLRunLoopObserverCreate`, whose
    /// handler is `@Sendable`.
    public let reference: RLRunLoopObserverRef

    /// The observed activities.
    public let activities: RLRunLoopActivity

    init(
        _ loop: RLRunLoop,
        _ activities: RLRunLoopActivity,
        _ repeats: Bool,
        _ order: Int,
        _ handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void
    ) {
        let box = ObserverBox(loop, handler)
        let made = withExtendedLifetime(box) {
            var context = RLRunLoopObserverContext()
            context.info = box.info
            context.retain = ThreadBox.beginUse
            context.release = ThreadBox.endUse
            context.copyDescription = ContextBox.copyDescription
            return RLRunLoopObserverCreate(
                nil,
                activities.rawValue,
                repeats,
                order,
                { observer, activity, info in
                    guard let observer, let info else { return }
                    // The engine retains the box during the call.
                    let box = Unmanaged<ObserverBox>.fromOpaque(info).takeUnretainedValue()
                    box.call(RLRunLoopObserver(observer), activity)
                },
                &context
            )
        }
        guard let made else {
            stopProcess(
                "RLRunLoop.observe",
                "internal error: no observer was created: please report it"
            )
        }
        self.reference = made
        self.activities = activities
    }

    private init(_ reference: RLRunLoopObserverRef) {
        self.reference = reference
        self.activities = RLRunLoopActivity(
            rawValue: RLRunLoopObserverGetActivities(reference)
        )
    }

    /// Returns whether two values refer to the same observer.
    public static func == (first: RLRunLoopObserver, second: RLRunLoopObserver) -> Bool {
        first.reference === second.reference
    }

    /// Hashes the identity of the observer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reference)
    }

    /// Whether the observer can be called again.
    public var isValid: Bool {
        RLRunLoopObserverIsValid(reference)
    }

    /// The order among the observers of a mode.
    ///
    /// Observers with a lower order are called first.
    public var order: Int {
        RLRunLoopObserverGetOrder(reference)
    }

    /// Removes the observer from its loop permanently and releases its handler.
    public func invalidate() {
        RLRunLoopObserverInvalidate(reference)
    }
}

private final class ObserverBox: ThreadBox {
    private var action: Action?
    private let handler: UnsafeRawPointer?

    private struct Action {
        let handler: (RLRunLoopObserver, RLRunLoopActivity) -> Void
    }

    init(
        _ loop: RLRunLoop,
        _ handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void
    ) {
        let action = Action(handler: handler)
        self.action = action
        self.handler = functionAddress(in: action)
        super.init()
        belong(to: loop)
    }

    override var function: UnsafeRawPointer? { handler }

    override func releaseContent() {
        // The content is released at the end of this function: destructors may use the observer.
        let given = action
        action = nil
        withExtendedLifetime(given) {}
    }

    func call(_ observer: RLRunLoopObserver, _ activity: RLRunLoopActivity) {
        checkItsThread(
            "RLRunLoopObserver",
            "use RLRunLoopObserverCreate, whose closure is @Sendable"
        )
        guard let action else { return }
        noteFunction(action)
        action.handler(observer, activity)
    }
}

extension RLRunLoopObserver: CustomStringConvertible {
    /// The activities, the order, and whether the observer is valid.
    public var description: String {
        "<RLRunLoopObserver: \(activities), order \(order), \(isValid ? "valid" : "invalid")>"
    }
}
