// The objects of RunLoopKit. It has no sources of its own, so that a C source is used. Repeated
// runs retain the loop object, as C code needs none.

import CoreRunLoop
import FoundationEssentials
import RunLoopKit

enum Kit {
    private static let kitMode = RLRunLoop.Mode(mode)

    static func poll(_ times: Int) {
        Closures.addBell()
        let loop = RLRunLoop.current
        for _ in 0..<times { loop.run(mode: kitMode, before: .distantPast) }
    }

    static func once(_ times: Int) {
        Closures.addBell()
        let loop = RLRunLoop.current
        let limit = Date(timeIntervalSinceNow: 1000)
        for _ in 0..<times {
            RLRunLoopSourceSignal(bell)
            loop.run(mode: kitMode, before: limit)
        }
    }

    static func post(_ times: Int) {
        begin(times)
        Closures.addBell()
        RLRunLoop.current.perform(inModes: [kitMode]) { postAgain() }
        RLRunLoop.current.run(mode: kitMode, before: .distantFuture)
    }

    private static func postAgain() {
        countDown()
        RLRunLoop.current.perform(inModes: [kitMode]) { postAgain() }
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    /// Posts blocks with a captured value.
    static func postValues(_ times: Int) {
        begin(times)
        Closures.addBell()
        let value = 1
        RLRunLoop.current.perform(inModes: [kitMode]) { postAgain(value: value) }
        RLRunLoop.current.run(mode: kitMode, before: .distantFuture)
    }

    private static func postAgain(value: Int) {
        countDown(by: value)
        RLRunLoop.current.perform(inModes: [kitMode]) { postAgain(value: value) }
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    private static func makeTimer(_ date: RLAbsoluteTime) -> RLTimer {
        let date = Date(timeIntervalSinceReferenceDate: date)
        let timer = RLTimer(fire: date, interval: 0, repeats: false) { _ in }
        RLRunLoop.current.add(timer, forMode: kitMode)
        return timer
    }

    static func churn(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        var timer = makeTimer(farDate(0, after: now))
        for number in 0..<times {
            timer.invalidate()
            timer = makeTimer(farDate(number, after: now))
        }
    }

    static func move(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        let timer = makeTimer(farDate(0, after: now))
        for number in 0..<times {
            timer.fireDate = Date(timeIntervalSinceReferenceDate: farDate(number, after: now))
        }
    }

    /// The wrappers are released at once, as most are: the loop retains the engine's timers.
    static func due(_ times: Int) {
        begin(times)
        let now = Date()
        for _ in 0..<times {
            let timer = RLTimer(fire: now, interval: 0, repeats: false) { _ in countDown() }
            RLRunLoop.current.add(timer, forMode: kitMode)
        }
        RLRunLoop.current.run(mode: kitMode, before: .distantFuture)
    }

    /// Fires timers that their creator retains.
    static func fireKept(_ times: Int) {
        begin(times)
        let now = Date()
        let timers = (0..<times).map { _ in
            let timer = RLTimer(fire: now, interval: 0, repeats: false) { _ in countDown() }
            RLRunLoop.current.add(timer, forMode: kitMode)
            return timer
        }
        _ = withExtendedLifetime(timers) {
            RLRunLoop.current.run(mode: kitMode, before: .distantFuture)
        }
    }

    /// Messages that a thread sends to itself.
    static func messages(_ times: Int) {
        let port = RLPort()
        let reader = Reader()
        port.setDelegate(reader)
        let loop = RLRunLoop.current
        loop.add(port, forMode: kitMode)
        for _ in 0..<times {
            port.send(before: .distantFuture, msgid: 1)
            loop.run(mode: kitMode, before: .distantFuture)
        }
    }

    /// Events of a stream, each of which reads a byte.
    static func events(_ times: Int) {
        let reader = Reader()
        let stream = RLInputStream(data: Data(count: times))
        stream.delegate = reader
        stream.schedule(in: .current, forMode: kitMode)
        stream.open()
        while reader.count < times {
            RLRunLoop.current.run(mode: kitMode, before: .distantFuture)
        }
    }

    private final class Reader: RLPortDelegate, RLStreamDelegate {
        private(set) var count = 0

        func handle(_ message: RLPortMessage) { count += 1 }

        func stream(_ stream: RLStream, handle event: RLStream.Event) {
            guard event == .hasBytesAvailable, let input = stream as? RLInputStream else { return }
            var byte: UInt8 = 0
            count += input.read(&byte, maxLength: 1)
        }
    }

    static func ticks(_ times: Int) {
        begin(times)
        let timer = RLTimer(fire: Date(), interval: 1e-4, repeats: true) { _ in countDown() }
        RLRunLoop.current.add(timer, forMode: kitMode)
        while !isOver { RLRunLoop.current.run(mode: kitMode, before: .distantFuture) }
    }
}
