@_spi(Boxes) import CoreRunLoop

class SourceBox<Event>: ThreadBox {
    private struct Action {
        let handler: (RLRunLoopSource, Event) -> Void
    }

    private var action: Action?
    private let handler: UnsafeRawPointer?
    // The source that owns the box.
    unowned(unsafe) var reference: RLRunLoopSourceRef?

    init(_ loop: RLRunLoop, _ handler: @escaping (RLRunLoopSource, Event) -> Void) {
        let action = Action(handler: handler)
        self.action = action
        self.handler = functionAddress(in: action)
        super.init()
        belong(to: loop)
    }

    override var function: UnsafeRawPointer? { handler }

    override func releaseContent() {
        // The content is released at the end of this function: destructors may use the source.
        let given = action
        action = nil
        withExtendedLifetime(given) {}
    }

    /// Returns the box that `info` points to, which the engine retains.
    static func of(_ info: UnsafeMutableRawPointer?) -> Self? {
        info.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }

    func call(_ event: Event) {
        checkItsThread(
            "RLRunLoopSource",
            "use RLRunLoopSourceCreate or RLSignalSourceCreate, whose closures are @Sendable"
        )
        guard let action, let reference, let loop else { return }
        noteFunction(action)
        action.handler(RLRunLoopSource(reference, loop, self), event)
    }
}

final class DescriptorBox: SourceBox<RLRunLoopDescriptorEvents> {
    // Any thread may read these two constants.
    let descriptor: CInt
    let events: RLRunLoopDescriptorEvents

    init(
        _ loop: RLRunLoop,
        _ descriptor: CInt,
        _ events: RLRunLoopDescriptorEvents,
        _ handler: @escaping (RLRunLoopSource, RLRunLoopDescriptorEvents) -> Void
    ) {
        self.descriptor = descriptor
        self.events = events
        super.init(loop, handler)
    }
}
