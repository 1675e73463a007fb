import CRunLoop.Testing
import CRunLoopDiagnostics
import Glibc
public import RunLoopKit

/// What a test leaves behind in a run loop.
///
/// ```swift
/// let leftovers = RLLoopLeftovers(of: RLRunLoopGetCurrent())
/// useTimers()
/// assert(leftovers.find() == [])
/// ```
///
/// What was there at first does not count, nor does what the library itself keeps in the loop: the
/// observers of an `RLNotificationQueue`, `RLTransaction` or `RLIdleQueue`.
public struct RLLoopLeftovers: Sendable {
    private let loop: RLRunLoopRef
    // Kept, so that no other item gets the address of one that has gone.
    private let known: [HeldItem]
    private let knownClosures: [String]

    /// Remembers what is in a loop.
    ///
    /// - Parameter loop: The loop, of any thread.
    public init(of loop: RLRunLoopRef) {
        self.loop = loop
        known = items(of: loop).map(\.item)
        knownClosures = closures(of: loop)
    }

    /// Looks at the loop again.
    ///
    /// - Returns: A line for each source, observer and timer that has come and is there still, with
    ///   its mode, its descriptor and its description, and one for each closure that is queued and
    ///   was not called, with its mode and the name of its function; in debug builds also with the
    ///   function that added it. Functions have their file and line, if there are debug information
    ///   and libdw to read it.
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
        return lines.map(withPlaces)
    }
}

/// Adds its place in the source to each function that a description names, as in
/// `callout = closure #1 in load at Session.swift:77 (0x55d0c2a4)`.
private func withPlaces(_ description: String) -> String {
    description.replacing(/(callout = .+?)( \(0x([0-9a-f]+))/) { match in
        let place = UInt64(match.output.3, radix: 16).flatMap(place(at:))
        return match.output.1 + (place.map { " at \($0)" } ?? "") + match.output.2
    }
}

private func place(at address: UInt64) -> String? {
    var count = 0
    let frames = RLSourceLinesCopyFrames(RLSourceLinesGetOwn(), address, &count)
    defer { free(frames) }
    guard let frames, count > 0, let file = frames[count - 1].file else { return nil }
    let name = String(cString: file).split(separator: "/").last ?? ""
    return "\(name):\(frames[count - 1].line)"
}

/// An item in a mode.
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

/// A reference to an item.
///
/// `@unchecked`: the engine counts references atomically.
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

/// The items of all modes of a loop.
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

/// A line for each closure that is queued in a loop.
private func closures(of loop: RLRunLoopRef) -> [String] {
    let lines = RLTestingCopyBlocks(loop)
    return (0..<RLArrayGetCount(lines)).map { index in
        // The array is of strings, and references are pointers.
        String(unsafeBitCast(RLArrayGetValueAtIndex(lines, index), to: RLStringRef.self))
    }
}
