import CoreRunLoop

/// Tells of the end of a loop's thread: async code that waits for the loop has no other way to
/// know.
package struct LoopEnd: Sendable {
    private let source: RLRunLoopSourceRef
    private let whenOver: @Sendable () -> Void

    // Never run: a source in it is only told when the loop is torn down.
    private static let mode: RLRunLoopMode = "RLLoopEndMode"

    /// Makes a watch, which ``watch(_:)`` begins.
    ///
    /// - Parameter whenOver: Called when the thread ends, or has ended; also by ``forget()``, and
    ///   perhaps more than once.
    package init(_ whenOver: @escaping @Sendable () -> Void) {
        self.whenOver = whenOver
        source = RLRunLoopSourceCreate(cancel: { _, _ in whenOver() }, perform: {})
    }

    /// Watches a loop, of any thread.
    package func watch(_ loop: RLRunLoopRef) {
        RLRunLoopAddSource(loop, source, Self.mode)
        if !RLRunLoopContainsSource(loop, source, Self.mode) { whenOver() }
    }

    /// Ends the watch.
    package func forget() {
        RLRunLoopSourceInvalidate(source)
    }
}
