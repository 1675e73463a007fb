import CRunLoop.Wrapping
import CoreRunLoop

/// Has a loop make passes in some modes while something is promised for the end of a pass.
///
/// A mode with nothing in it makes no pass, run or hosted, and observers do not count. So this is a
/// source in the mode. It is never signalled, as serving it would end runs that wait for a source.
struct KeepAliveSource: Sendable {
    private let loop: RLRunLoopRef
    private let source = RLRunLoopSourceCreate {}
    // The modes that the source is in.
    private var modes: Set<RLRunLoop.Mode> = []

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
    }

    mutating func keep(in mode: RLRunLoop.Mode) {
        if modes.insert(mode).inserted { RLRunLoopAddSource(loop, source, mode.mode) }
    }

    /// Lets go of all modes but those that a closure names.
    ///
    /// A run that is about to sleep with nothing left to wait for ends.
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

/// Whether a loop runs with nothing to wait for.
///
/// The loop itself asks this only at the end of a pass.
func isCurrentModeEmpty(_ loop: RLRunLoopRef) -> Bool {
    RLRunLoopCopyCurrentMode(loop).map { RLRunLoopModeIsEmpty(loop, $0.rawValue) } ?? false
}
