import CRunLoop.Testing
import Glibc
public import RunLoopKit

/// Finds the items that a test leaves in a run loop.
///
/// ```swift
/// let leftovers = RLLoopLeftovers(of: RLRunLoopGetCurrent())
/// useTimers()
/// assert(leftovers.find() == [])
/// ```
///
/// Items that were in the loop before the recording do not count. The library's own observers of an
/// `RLNotificationQueue`, `RLTransaction` or `RLIdleQueue` do not count either.
///
/// XCTest has no counterpart.
public struct RLLoopLeftovers: Sendable {
    private let loop: RLRunLoopRef
    // The items are retained, so that no new item can reuse the address of a known item.
    private let known: [HeldItem]
    private let knownClosures: [String]

    /// Records the items of a loop of any thread.
    public init(of loop: RLRunLoopRef) {
        self.loop = loop
        known = items(of: loop).map(\.item)
        knownClosures = closures(of: loop)
    }

    /// Compares the loop with the recorded items.
    ///
    /// - Returns: A line for each source, observer and timer that was added and is still in the
    ///   loop, with its mode, its descriptor and its description, and a line for each queued
    ///   closure, with its mode and the name of its function.
    public func find() -> [String] {
        var seen = Set(known.map(\.address))
        var lines = items(of: loop).compactMap { item in
            seen.insert(item.item.address).inserted ? item.description : nil
        }
        var known = knownClosures
        for line in closures(of: loop) {
            if let index = known.firstIndex(of: line) {
                known.remove(at: index)
            } else {
                lines.append(line)
            }
        }
        return lines
    }
}

private struct FoundItem {
    let item: HeldItem
    let mode: RLRunLoopMode
    let kind: RLRunLoopItemKind
    let descriptor: Int32

    var description: String {
        let name =
            switch kind {
            case kRLRunLoopItemTimer: "timer"
            case kRLRunLoopItemObserver: "observer"
            default: "source"
            }
        let watched = descriptor >= 0 ? " for descriptor \(descriptor)" : ""
        let words = RLCopyDescription(item.address).map { String($0) } ?? ""
        return "\(name)\(watched) in mode \(mode): \(words)"
    }
}

/// Owns a reference to an item; `@unchecked`, because the engine counts references atomically.
private final class HeldItem: @unchecked Sendable {
    let address: RLTypeRef

    init(_ address: RLTypeRef) {
        self.address = address
        _ = RLRetain(address)
    }

    deinit {
        RLRelease(address)
    }
}

private func items(of loop: RLRunLoopRef) -> [FoundItem] {
    var found: [FoundItem] = []
    for mode in RLRunLoopCopyAllModes(loop).map([RLRunLoopMode].init) ?? [] {
        loop.visitItems(of: mode) { state in
            guard let item = state.item, !PermanentObservers.contains(item) else { return }
            found.append(
                FoundItem(
                    item: HeldItem(item),
                    mode: mode,
                    kind: state.kind,
                    descriptor: state.descriptor
                )
            )
        }
    }
    return found
}

private func closures(of loop: RLRunLoopRef) -> [String] {
    let lines = RLTestingCopyBlocks(loop)
    return (0..<RLArrayGetCount(lines)).map { index in
        // The array only contains strings, and references are pointers.
        String(unsafeBitCast(RLArrayGetValueAtIndex(lines, index), to: RLStringRef.self))
    }
}
