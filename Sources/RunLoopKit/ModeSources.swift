import CoreRunLoop

/// The sources by which requests in several modes ring at a loop: one for each mode that has some.
///
/// They are in the loop only as long as there are requests: a request keeps a loop from running out
/// of work, the possibility of one does not.
struct ModeSources: Sendable {
    let loop: RLRunLoopRef
    private var sources: [RLRunLoop.Mode: RLRunLoopSourceRef] = [:]

    init(loop: RLRunLoopRef) {
        self.loop = loop
    }

    /// Makes the loop perform in each of some modes, the next time it runs in one.
    mutating func signal(_ modes: [RLRunLoop.Mode], perform: @escaping @Sendable () -> Void) {
        for mode in modes {
            let source = sources[mode] ?? RLRunLoopSourceCreate(perform: perform)
            if sources.updateValue(source, forKey: mode) == nil {
                RLRunLoopAddSource(loop, source, mode.mode)
            }
            RLRunLoopSourceSignal(source)
        }
    }

    /// Whether a mode is among others, of which the common ones may be one, as long as they have a
    /// source.
    ///
    /// That is in exactly the common modes.
    func isListed(_ mode: RLRunLoop.Mode, in modes: [RLRunLoop.Mode]) -> Bool {
        if modes.contains(mode) { return true }
        guard modes.contains(.common), let source = sources[.common] else { return false }
        return RLRunLoopContainsSource(loop, source, mode.mode)
    }

    /// Takes sources out of the loop whose modes have no requests any more.
    mutating func keepOnly(_ wanted: Set<RLRunLoop.Mode>) {
        for (mode, source) in sources where !wanted.contains(mode) {
            RLRunLoopSourceInvalidate(source)
            sources[mode] = nil
        }
    }
}
