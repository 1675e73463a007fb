import FoundationEssentials
import RunLoopDisplay
import RunLoopKit
import RunLoopNetworking

/// The objects of a thread to which other threads hold references, with a captured object that is
/// not `Sendable`.
enum Kept: CaseIterable {
    case link, removedLink, httpTask

    /// Passes the object to an object of the calling thread, and returns the reference for other
    /// threads.
    func arm(_ debt: Debt) -> Claim {
        let loop = RLRunLoop.current
        if self == .httpTask {
            guard let request = try? silentServer?.request() else { return .object(loop) }
            return .object(RLHTTPLoopClient().send(request) { _ in debt.hold() })
        }
        let link = RLDisplayLink { _ in debt.hold() }
        link.isPaused = true
        link.add(to: loop, forMode: .default)
        if self == .removedLink { link.remove(from: loop, forMode: .default) }
        return .object(link)
    }

    /// Whether the last reference deallocates it with its captured object, on the thread that
    /// releases it.
    var goesWithItsHolder: Bool { self == .removedLink }

    var isPerformedByRuns: Bool { false }
}

private let silentServer = try? HostileServer { $0.waitForEnd() }

/// Objects whose own callback releases the last reference.
enum Caller: CaseIterable {
    case link

    func arm(_ debt: Debt) {
        let slot = Slot()
        let link = RLDisplayLink { link in
            link.invalidate()
            debt.hold()
            slot.content = nil
        }
        slot.content = link
        link.add(to: .current, forMode: .default)
    }
}

private final class Slot {
    var content: RLDisplayLink?
}
