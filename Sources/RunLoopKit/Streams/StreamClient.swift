@_spi(Boxes) import CoreRunLoop

/// A client of an engine's stream, which retains the client.
class StreamClient: ContextBox {
    /// Called on the thread or queue that serves the stream.
    func notify(_ event: RLStreamEventType) {}

    /// Valid only while the caller retains the client.
    final var context: RLStreamClientContext {
        var context = RLStreamClientContext()
        context.info = info
        context.retain = { UnsafeMutableRawPointer(mutating: ContextBox.retain($0)) }
        context.release = { ContextBox.release($0) }
        return context
    }

    static func notify(_ event: RLStreamEventType, _ info: UnsafeMutableRawPointer?) {
        guard let info else { return }
        // The engine retains the client during the call.
        Unmanaged<StreamClient>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.notify(event) }
    }
}

/// A client that calls a closure.
final class StreamHandler: StreamClient {
    private struct Handler {
        let body: @Sendable (RLStreamEventType) -> Void
    }

    private let handler: Handler

    init(_ body: @escaping @Sendable (RLStreamEventType) -> Void) {
        handler = Handler(body: body)
    }

    override var function: UnsafeRawPointer? { functionAddress(in: handler) }

    override func notify(_ event: RLStreamEventType) {
        noteFunction(handler)
        handler.body(event)
    }
}
