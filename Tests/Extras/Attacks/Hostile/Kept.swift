import FoundationEssentials
import RunLoopDisplay
import RunLoopKit
import RunLoopNetworking

/// What other threads keep of a thread, with an object in it that is not `Sendable`.
enum Kept: CaseIterable {
    case link, removedLink, httpTask

    /// Gives the object to something of the calling thread, and returns what others keep of that.
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

    /// Whether it, and what it holds, goes with its last reference: on the thread that has it.
    var goesWithItsHolder: Bool { self == .removedLink }

    /// Whether a run in default mode performs it.
    var isPerformedByRuns: Bool { false }
}

private let silentServer = try? HostileServer { $0.waitForEnd() }

/// What has its last reference where its own callback lets go of it.
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
