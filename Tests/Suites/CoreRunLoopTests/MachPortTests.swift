import CoreRunLoop
import Glibc
import Testing
import ThreadKit

@Suite("A Mach port") struct MachPortTests {
    @Test("gets what other threads send, and answers") func conversation() throws {
        let log = Log<String>()
        let port = try #require(
            RLMachPortCreate { _, message in
                log.add("\(message.messageID): \(String(decoding: message.bytes, as: UTF8.self))")
                guard let reply = message.replyPort else { return }
                RLMachPortSend(reply, messageID: 2, bytes: Array("answer".utf8), timeout: 10)
            }
        )
        onFreshThreads([
            {
                serve(port)
                RLRunLoopRunInMode(.defaultMode, .infinity, true)
            },
            {
                let answers = RLMachPortCreate { _, message in
                    log.add(
                        "\(message.messageID): \(String(decoding: message.bytes, as: UTF8.self))"
                    )
                }
                guard let answers else { return }
                serve(answers)
                let result = RLMachPortSend(
                    port,
                    messageID: 1,
                    bytes: Array("question".utf8),
                    replyPort: answers,
                    timeout: .infinity
                )
                #expect(result == kRLMachPortSuccess)
                RLRunLoopRunInMode(.defaultMode, .infinity, true)
                RLMachPortInvalidate(answers)
            },
        ])
        #expect(log.entries == ["1: question", "2: answer"])
        #expect(RLMachPortIsValid(port))
        RLMachPortInvalidate(port)
        #expect(
            RLMachPortSend(port, messageID: 3, timeout: 10) == kRLMachPortInvalidDestination
        )
    }

    @Test("releases its closure when it is invalidated, and notifies") func end() throws {
        final class Probe: Sendable {}
        weak var probe: Probe?
        let port: RLMachPortRef
        do {
            let captured = Probe()
            probe = captured
            port = try #require(RLMachPortCreate { _, _ in _ = captured })
        }
        #expect(probe != nil && RLMachPortGetPort(port) >= 0)
        #expect(port.description.hasPrefix("<RLMachPort "))
        RLMachPortInvalidate(port)
        #expect(probe == nil && !RLMachPortIsValid(port))
        #expect(RLMachPortCreateRunLoopSource(nil, port, 0) == nil)
    }

    @Test("receives from a descriptor that the client made") func pair() {
        onFreshThread {
            var receiver: RLMachPortName = -1
            var sender: RLMachPortName = -1
            #expect(RLMachPortCreatePair(&receiver, &sender))
            let log = Log<Int>()
            let port = RLMachPortCreateWithPort(receiver) { _, message in
                log.add(message.bytes.count)
            }
            #expect(RLMachPortCreateWithPort(receiver) { _, _ in } == nil)
            if let port { serve(port) }
            let large = [UInt8](repeating: 1, count: 100_000)
            for bytes in [[], [1], large] {
                #expect(RLMachPortSend(sender, messageID: 1, bytes: bytes, timeout: 0) == 0)
            }
            close(sender)
            while RLMachPortIsValid(port) { RLRunLoopRunInMode(.defaultMode, .infinity, true) }
            #expect(log.entries == [0, 1, 100_000])
            close(receiver)
        }
    }
}

private func serve(_ port: RLMachPortRef) {
    let source = RLMachPortCreateRunLoopSource(nil, port, 0)
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
}
