import CRunLoop.Wrapping
import CoreRunLoop

/// Keeps a loop making passes in some modes while work is pending for the end of a pass.
///
/// An empty mode makes no passes, and observers do not count. Hence a source in the mode. It is
/// never signalled, as serving it would end runs that return after a source.
struct KeepAliveSource: Sendable {
    private let loop: RLRunLoopRef
    private let source = RLRunLoopSourceCreate {}
    // The modes of the source.
    private var modes: Set<RLRunLoop.Mode> = []

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
    }

    mutating func keep(in mode: RLRunLoop.Mode) {
        if modes.insert(mode).inserted { RLRunLoopAddSource(loop, source, mode.mode) }
    }

    /// Removes the source from all modes except those that a closure returns.
    ///
    /// A run that is about to sleep in an empty mode ends.
    mutating func letGo(
        at activity: RLRunLoopActivity = [],
        except kept: () -> Set<RLRunLoop.Mode> = { [] }
    ) {
        if modes.isEmpty { return }
        let kept = kept()
        for mode in modes where !kept.contains(mode) {
            RLRunLoopRemoveSource(loop, source, mode.mode)
        }
        if kept.isEmpty {
            modes.removeAll(keepingCapacity: true)
        } else {
            modes.formIntersection(kept)
        }
        if activity == .beforeWaiting && isCurrentModeEmpty(loop) { RLRunLoopWakeUp(loop) }
    }
}

/// Whether a loop runs in an empty mode.
///
/// The loop itself checks this only at the end of a pass.
func isCurrentModeEmpty(_ loop: RLRunLoopRef) -> Bool {
    RLRunLoopCopyCurrentMode(loop).map { RLRunLoopModeIsEmpty(loop, $0.rawValue) } ?? false
}
