package import CRunLoop.Wrapping

/// A wait of the calling thread, for the line of debug builds about waits for each other.
package struct MutualWait: Sendable {
    #if DEBUG
        // Only the engine uses it, under its lock.
        private nonisolated(unsafe) let reference: RLMutualWaitRef?
    #endif

    /// Begins a wait, which ``end()`` must end.
    package init(_ call: StaticString, for otherSide: @autoclosure () -> RLMutualWaitParties) {
        #if DEBUG
            let call = UnsafeRawPointer(call.utf8Start).assumingMemoryBound(to: CChar.self)
            reference = RLMutualWaitBegin(call, otherSide())
        #endif
    }

    /// Notes that the other side has begun the work that the wait is for.
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
