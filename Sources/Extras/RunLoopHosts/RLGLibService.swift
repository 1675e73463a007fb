import CRunLoopHosts
import CoreRunLoop
public import RunLoopKit

extension RLRunLoop {
    /// Serves a GLib context from this run loop.
    ///
    /// No other code may run the context while it is served.
    ///
    /// ```swift
    /// RLRunLoop.main.serveGLib()
    /// RLRunLoop.main.run()
    /// ```
    ///
    /// The run loop waits for the context's sources and dispatches ready sources. Other threads may
    /// attach sources to the context or wake it up; both wake up the run loop.
    ///
    /// - Parameters:
    ///   - context: The `GMainContext`; nil for the thread's default context.
    ///   - modes: The modes in which the context is served.
    /// - Returns: The service, which ``RLGLibService/invalidate()`` ends. You need not retain it.
    @available(*, noasync)
    @discardableResult
    public func serveGLib(
        _ context: OpaquePointer? = nil,
        in modes: [Mode] = [.common]
    ) -> RLGLibService {
        guard let source = RLGLibSourceCreate(context) else {
            stopProcess(
                "RLRunLoop.serveGLib(_:in:)",
                "cannot serve GLib: the line above states the cause"
            )
        }
        for mode in modes { RLRunLoopAddSource(getRLRunLoop(), source, mode.mode) }
        return RLGLibService(source)
    }
}

/// Attaches a GLib context to a run loop, which then serves the context.
///
/// Foundation has no counterpart.
public final class RLGLibService {
    private let source: RLRunLoopSourceRef

    init(_ source: RLRunLoopSourceRef) {
        self.source = source
    }

    /// Ends the service.
    ///
    /// Call this function on the run loop's thread.
    public func invalidate() {
        RLRunLoopSourceInvalidate(source)
    }

    /// Whether the context is served.
    public var isValid: Bool {
        RLRunLoopSourceIsValid(source)
    }
}

extension RLGLibService: CustomStringConvertible {
    /// The address, and whether the service is valid.
    public var description: String {
        describe(self, isValid ? "serves" : "ended")
    }
}
