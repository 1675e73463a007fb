package import CRunLoop.Wrapping

/// A wait of the calling thread, for the detection of deadlocks in debug builds.
package struct MutualWait: Sendable {
    #if DEBUG
        // Only used by the engine, under its lock.
        private nonisolated(unsafe) let reference: RLMutualWaitRef?
    #endif

    /// Registers a wait; balance with ``end()``.
    package init(_ call: StaticString, for otherSide: @autoclosure () -> RLMutualWaitParties) {
        #if DEBUG
            let call = UnsafeRawPointer(call.utf8Start).assumingMemoryBound(to: CChar.self)
            reference = RLMutualWaitBegin(call, otherSide())
        #endif
    }

    /// Records that the other side has begun the awaited work.
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
