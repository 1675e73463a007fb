import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// The content of a message; it is released with the message, once.
private final class Parcel: Sendable {
    static let made = Tally()
    static let gone = Tally()

    init() {
        Self.made.add()
    }

    deinit {
        Self.gone.add()
    }
}

/// Replies to requests, and invalidates its port after some messages.
private final class Receiver: RLPortDelegate {
    private var left: Int

    init(messages: Int) {
        left = messages
    }

    func handle(_ message: RLPortMessage) {
        message.sendPort?.send(before: .distantPast, components: [Parcel()])
        left -= 1
        if left == 0 { message.receivePort?.invalidate() }
    }
}

@Suite("Hostile use of ports") struct HostilePortTests {
    @Test("on many threads leaves no port and no part of a message behind") func storm() {
        let ports = Tally()
        let known = Guarded<[RLPort]>([])
        let isOver = Flag()
        let lives = (0..<3).map { _ -> @Sendable () -> Void in
            {
                for number in 0..<60 * hostileRounds {
                    onFreshThread { live(number, known, ports) }
                }
            }
        }
        let senders = (0..<3).map { number -> @Sendable () -> Void in
            {
                var turn = number
                while !isOver.isSet {
                    turn += 1
                    guard let port = known.withLock({ pick(turn, of: $0) }) else { continue }
                    port.send(
                        before: turn % 5 == 0 ? Date(timeIntervalSinceNow: 0.001) : .distantPast,
                        components: [Parcel()],
                        from: turn % 3 == 0 ? port : nil
                    )
                    if turn % 97 == 0 { port.invalidate() }
                }
            }
        }
        let sending = RLThread { onFreshThreads(senders) }
        sending.start()
        onFreshThreads(lives)
        isOver.set()
        sending.join()
        known.withLock { $0 = [] }
        #expect(Parcel.made.count > 0 && Parcel.gone.count == Parcel.made.count)
        #expect(ports.count == 180 * hostileRounds)
    }
}

private func pick(_ turn: Int, of ports: [RLPort]) -> RLPort? {
    ports.isEmpty ? nil : ports[turn % ports.count]
}

/// A loop with a port to which others may hold longer references.
@Sendable private func live(
    _ number: Int,
    _ known: Guarded<[RLPort]>,
    _ ports: Tally
) {
    let port = CountedPort(ports)
    let receiver = Receiver(messages: number % 7 + 1)
    port.setDelegate(receiver)
    RLRunLoop.current.add(port, forMode: .common)
    known.withLock { $0 = $0.suffix(4) + [port] }
    for _ in 0..<4 {
        RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
    }
    switch number % 4 {
    case 0: port.invalidate()
    case 1: RLRunLoop.current.remove(port, forMode: .common)
    case 2: port.setDelegate(nil)
    default: break
    }
    withExtendedLifetime(receiver) {}
}

/// A port whose deallocation is counted.
private final class CountedPort: RLPort, @unchecked Sendable {
    // Proof: the subclass only adds a constant of a Sendable type.
    private let ends: Tally

    init(_ ends: Tally) {
        self.ends = ends
        super.init()
    }

    deinit {
        ends.add()
    }
}
