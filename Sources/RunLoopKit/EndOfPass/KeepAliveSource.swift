import CRunLoop.Wrapping
import CoreRunLoop

/// A source that keeps runs from finishing while work is pending for the end of a pass.
///
/// A run in an empty mode makes no passes, and observers do not make a mode nonempty. The source is
/// never signalled, because serving the source would end runs that return after a source.
struct KeepAliveSource: Sendable {
    private let loop: RLRunLoopRef
    private let source = RLRunLoopSourceCreate {}
    private var modes: Set<RLRunLoop.Mode> = []

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
    }

    mutating func keep(in mode: RLRunLoop.Mode) {
        if modes.insert(mode).inserted { RLRunLoopAddSource(loop, source, mode.mode) }
    }

    /// Removes the source; at `beforeWaiting`, also ends a run whose mode becomes empty.
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

/// Returns whether the loop's current mode is empty, which the loop checks only after a pass.
func isCurrentModeEmpty(_ loop: RLRunLoopRef) -> Bool {
    RLRunLoopCopyCurrentMode(loop).map { RLRunLoopModeIsEmpty(loop, $0.rawValue) } ?? false
}
