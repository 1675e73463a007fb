import FoundationEssentials
import RunLoopKit
import Testing
import ThreadKit

/// An object of a loop that another thread releases: its content is released on the loop's thread.
@Suite("A release on another thread") struct ForeignReleaseTests {
    enum Kind: CaseIterable {
        case idleQueue, notificationQueue, lineReader

        func make() -> AnyObject {
            switch self {
            case .idleQueue: return RLIdleQueue()
            case .notificationQueue: return RLNotificationQueue { _ in }
            case .lineReader:
                return RLLineReader(RLInputStream(data: Data())) { _ in
                } whenOver: { _ in
                }
            }
        }
    }

    @Test("does not make a run sleep in an empty mode: MODE-18 BLK-12", arguments: Kind.allCases)
    func release(_ kind: Kind) {
        onFreshThread {
            // The only reference, so only the other thread uses the object.
            nonisolated(unsafe) let object = Unmanaged.passRetained(kind.make())
            onOtherThread { object.release() }
            #expect(RLRunLoopRunInMode(.defaultMode, 100, false) == .finished)
        }
    }

    @Test("of a handler does not make a run sleep in an empty mode: MODE-18 BLK-12")
    func handlers() throws {
        let listener = try RLListener(port: 0)
        let folder = try Folder()
        folder.write("watched", "")
        let watch = try RLFileWatch(path: folder.path("watched"))
        onFreshThread {
            listener.accept(in: .current) { _ in }
            onOtherThread { listener.invalidate() }
            #expect(RLRunLoopRunInMode(.defaultMode, 100, false) == .finished)
            watch.observe(in: .current) { _ in }
            onOtherThread { watch.invalidate() }
            #expect(RLRunLoopRunInMode(.defaultMode, 100, false) == .finished)
        }
    }
}

private func onOtherThread(_ body: @escaping @Sendable () -> Void) {
    let other = RLThread(block: body)
    other.start()
    other.join()
}
