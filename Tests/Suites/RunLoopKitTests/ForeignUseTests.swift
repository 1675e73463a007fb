import FoundationEssentials
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// Calls each public member on another thread, as `ForeignCall` lists them.
///
/// `.ci/surface` compares the list with the library.
@Suite("A member of another thread's object") struct ForeignUseTests {
    @Test(
        "works beside the loop that uses the object, if it is safe",
        arguments: ForeignCall.all.filter { $0.line == nil }.map(\.name)
    )
    func works(_ name: String) async {
        guard let call = ForeignCall.all.first(where: { $0.name == name }) else { return }
        // Not on a task's thread, as some calls block until a task runs.
        await withCheckedContinuation { continuation in
            RLThread.detachNewThread {
                ForeignField.use { field in
                    for _ in 0..<10 { call.use(field) }
                }
                continuation.resume()
            }
        }
    }

    @Test(
        "stops the process with a line if it cannot be safe",
        arguments: ForeignCall.all.filter { $0.line != nil }.map(\.name)
    )
    func stops(_ name: String) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [name = name as String] in
            guard let call = ForeignCall.all.first(where: { $0.name == name }) else { return }
            ForeignField.use { call.use($0) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = ForeignCall.all.first { $0.name == name }?.line
        #expect(output.contains("RunLoop: ") || output.contains("RunLoopKit: "), "\(output)")
        #expect(output.contains(" \(line?.0 ?? "?")"), "\(output)")
        #expect(output.contains(line?.1 ?? "?"), "\(output)")
    }

    @Test(
        "may use objects that have left the loop, and objects in the loop of a thread that has ended"
    )
    func handsOver() {
        let log = Log<String>()
        onFreshThread {
            nonisolated(unsafe) let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
            nonisolated(unsafe) let input = RLInputStream(data: Data([1]))
            let own = RLRunLoop.current
            own.add(timer, forMode: .default)
            own.remove(timer, forMode: .default)
            for mode in [RLRunLoop.Mode.default, .common] {
                input.schedule(in: own, forMode: mode)
            }
            for mode in [RLRunLoop.Mode.default, .common] { input.remove(from: own, forMode: mode) }
            onFreshThread {
                timer.tolerance = 1
                input.schedule(in: .current, forMode: .default)
                input.open()
                // Deallocation unschedules the stream.
            }
            log.add("\(input.streamStatus == .open), \(timer.tolerance)")
            timer.invalidate()
        }
        #expect(log.entries == ["true, 1.0"])
    }

    @Test("fires and ends the timer of a running loop, which releases the block (TMR-31)")
    func timer() {
        let log = Log<String>()
        let hasFired = Gate()
        onFreshThread {
            let loop = RLRunLoop.current
            let token = ThreadToken(log)
            nonisolated(unsafe) let timer = RLTimer(
                fire: .distantFuture,
                interval: 1000,
                repeats: true
            ) { _ in
                token.hold()
                hasFired.open()
            }
            loop.add(timer, forMode: .default)
            let keeper = loop.addSource { _ in }
            let other = RLThread {
                timer.fireDate = .now
                hasFired.wait()
                timer.invalidate()
                log.add("\(timer.isValid)")
            }
            other.start()
            while log.entries.isEmpty { loop.run(mode: .default, for: .milliseconds(10)) }
            other.join()
            keeper.invalidate()
        }
        #expect(log.entries.sorted() == ["false", "released on its thread"])
    }
}

/// An object of the thread that made it; logs the thread of its deallocation.
private final class ThreadToken {
    private let log: Log<String>
    private let thread = RLThread.current

    init(_ log: Log<String>) {
        self.log = log
    }

    func hold() {}

    deinit {
        log.add(RLThread.current === thread ? "released on its thread" : "released elsewhere")
    }
}
