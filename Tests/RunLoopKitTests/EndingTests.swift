import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// What is dropped may hold objects whose ends use what has just dropped them.
@Suite("An object that goes") struct EndingTests {
    @Test("may remove an observer when its own one was removed") func observers() async {
        // In a process of its own, as in the next one: who waits for itself would wait for ever.
        await #expect(processExitsWith: .success) {
            alarm(60)
            let log = Log<String>()
            let center = RLNotificationCenter()
            let other = center.addObserver(forName: nil) { _ in log.add("other") }
            let token = center.addObserver(forName: nil) {
                [last = LastWill { center.removeObserver(other) }] _ in last.hold()
            }
            center.removeObserver(token)
            center.post(name: .init("any"), object: nil)
            _exit(log.entries.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("may ask for the port whose message it was in") func ports() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let log = Log<String>()
            let port = RLPort()
            port.send(
                before: .distantPast,
                components: [LastWill { [weak port] in log.add("\(port?.isValid ?? true)") }]
            )
            port.invalidate()
            _exit(log.entries == ["false"] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

/// Does something when the last reference to it is gone.
private final class LastWill: Sendable {
    private let will: @Sendable () -> Void

    init(_ will: @escaping @Sendable () -> Void) {
        self.will = will
    }

    func hold() {}

    deinit {
        will()
    }
}
