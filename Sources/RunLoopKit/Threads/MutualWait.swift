package import CRunLoop.Wrapping

/// A wait of the calling thread, which debug builds use to detect deadlocks.
package struct MutualWait: Sendable {
    #if DEBUG
        // Only the engine uses the reference, with its lock held.
        private nonisolated(unsafe) let reference: RLMutualWaitRef?
    #endif

    /// Begins a wait; balance each call with ``end()``.
    package init(_ call: StaticString, for otherSide: @autoclosure () -> RLMutualWaitParties) {
        #if DEBUG
            let call = UnsafeRawPointer(call.utf8Start).assumingMemoryBound(to: CChar.self)
            reference = RLMutualWaitBegin(call, otherSide())
        #endif
    }

    /// Records that the other side has started the awaited work.
    package func serve() {
        #if DEBUG
            RLMutualWaitServe(reference)
        #endif
    }

    package func end() {
        #if DEBUG
            RLMutualWaitEnd(reference)
        #endif
    }
}
