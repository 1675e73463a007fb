import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// The compiler's errors for small programs, and the diagnostics of debug builds where the compiler
/// cannot check.
@Suite("The split between threads") struct SplitTests {
    @Test(
        "is seen by the compiler",
        arguments: [
            Snippet(
                "a loop in another thread's block",
                """
                let loop = RLRunLoop.current
                RLThread.detachNewThread { loop.run() }
                """,
                "capture of 'loop' with non-Sendable type 'RLRunLoop' in a '@Sendable' closure"
            ),
            Snippet(
                "a timer in another thread's block",
                """
                let timer = RLTimer(timeInterval: 1, repeats: true) { _ in }
                RLThread.detachNewThread { timer.invalidate() }
                """,
                "capture of 'timer' with non-Sendable type 'RLTimer' in a '@Sendable' closure"
            ),
            Snippet(
                "a loop in a block that other threads may have queued",
                """
                let loop = RLRunLoop.current
                loop.perform { loop.run(mode: .default, before: .distantPast) }
                """,
                "capture of 'loop' with non-Sendable type 'RLRunLoop' in a '@Sendable' closure"
            ),
            Snippet(
                "a loop in a task, and here too",
                """
                let loop = RLRunLoop.current
                Task.detached { print(loop.currentMode as Any) }
                print(loop.currentMode as Any)
                """,
                "risks causing data races"
            ),
            Snippet(
                "a component of a message in a task, and here too",
                """
                final class Clerk: RLPortDelegate {
                    func handle(_ message: RLPortMessage) {
                        let part = message.components?.first
                        Task.detached { print(part as Any) }
                        print(message.components as Any)
                    }
                }
                """,
                "risks causing data races"
            ),
            Snippet(
                "a loop of whatever thread a task is on",
                "Task { print(RLRunLoop.current) }",
                "'current' is unavailable from asynchronous contexts"
            ),
            Snippet(
                "a loop where something sendable is wanted",
                """
                func send(_ value: some Sendable) {}
                send(RLRunLoop.current)
                """,
                "conformance of 'RLRunLoop' to 'Sendable' is unavailable: use getRLRunLoop()"
            ),
            Snippet(
                "a notification queue in another thread's block",
                """
                let queue = RLNotificationQueue.default
                RLThread.detachNewThread { print(queue) }
                """,
                "capture of 'queue' with non-Sendable type 'RLNotificationQueue'"
            ),
            Snippet(
                "the engine's name of the default mode",
                "_ = RLRunLoop.Mode.defaultMode",
                "'defaultMode' has been renamed to 'default'"
            ),
            Snippet(
                "the engine's name of the common modes",
                "RLRunLoop.current.perform(inModes: [.commonModes]) {}",
                "'commonModes' has been renamed to 'common'"
            ),
            Snippet(
                "Foundation's name of the default mode",
                "RLRunLoopRunInMode(.default, 1, false)",
                "'default' has been renamed to 'defaultMode'"
            ),
            Snippet(
                "Foundation's name of the common modes",
                "_ = RLRunLoopMode.common",
                "'common' has been renamed to 'commonModes'"
            ),
            Snippet(
                "a timer of a task's thread",
                "Task { _ = RLTimer.scheduledTimer(withTimeInterval: 1.5, repeats: true) { _ in } }",
                "use RLTimer.fires(every:on:), or Task.sleep"
            ),
            Snippet(
                "the name that Foundation's default mode had in Swift 3",
                "_ = RLRunLoop.Mode.defaultRunLoopMode",
                "'defaultRunLoopMode' has been renamed to 'default'"
            ),
            Snippet(
                "streams as Apple's functions store them",
                """
                var reader: Unmanaged<CFReadStream>?, writer: Unmanaged<CFWriteStream>?
                CFStreamCreateBoundPair(nil, &reader, &writer, 16)
                """,
                "declare CFReadStream? and CFWriteStream?, without takeRetainedValue()",
                importing: "CFCompatibility"
            ),
            Snippet(
                "a reply as Apple's function stores it",
                """
                var reply: Unmanaged<CFData>?
                _ = CFMessagePortSendRequest(nil, 1, nil, 1, 1, nil, &reply)
                """,
                "declare CFData?, without takeRetainedValue()",
                importing: "CFCompatibility"
            ),
            Snippet(
                "an object that is not sendable, performed on a thread",
                """
                final class Player: RLObject { func play() {} }
                let play = RLSelector("play", Player.play)
                Player().perform(play, on: .main, waitUntilDone: false)
                """,
                "type 'Player' does not conform to the 'Sendable' protocol"
            ),
        ]
    )
    func refused(_ snippet: Snippet) throws {
        let errors = try snippet.errors()
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains(snippet.diagnosis) ?? false, "\(errors)")
    }

    @Test(
        "leaves what is allowed alone",
        arguments: [
            Snippet(
                "a pair of which only one stream is wanted",
                """
                var reader: CFReadStream?, writer: CFWriteStream?
                CFStreamCreatePairWithSocket(nil, 0, &reader, nil)
                CFStreamCreatePairWithSocketToHost(nil, nil, 1, nil, &writer)
                _ = CFMessagePortSendRequest(nil, 1, nil, 1, 1, nil, nil)
                """,
                "",
                importing: "CFCompatibility"
            ),
            Snippet(
                "references of the engine in another thread's block",
                """
                let loop = RLRunLoop.current.getRLRunLoop()
                let timer = RLTimer(timeInterval: 1, repeats: true) { _ in }.getRLRunLoopTimer()
                RLThread.detachNewThread {
                    RLRunLoopTimerInvalidate(timer)
                    RLRunLoopStop(loop)
                }
                """,
                ""
            ),
            Snippet(
                "the main loop's perform from another thread",
                """
                RLThread.detachNewThread {
                    RLRunLoop.main.perform { print(RLRunLoop.current) }
                    RLRunLoop.main.perform(inModes: [.common]) {}
                    let loop = RLRunLoop.main
                    print(RLRunLoop.current == loop, loop.currentMode as Any, loop.getRLRunLoop())
                }
                """,
                ""
            ),
            Snippet(
                "all of the main loop on the main actor",
                """
                final class Model { var count = 0 }
                @MainActor func watch(_ model: Model) {
                    let timer = RLTimer(timeInterval: 1, repeats: true) { _ in model.count += 1 }
                    RLRunLoop.main.add(timer, forMode: .common)
                    RLRunLoop.main.observe(.beforeWaiting) { _, _ in model.count += 1 }
                    RLRunLoop.main.perform(afterDelay: 1) { RLRunLoop.main.add(timer, forMode: .default) }
                    let loop: RLRunLoop = .main
                    loop.remove(timer, forMode: .common)
                    RLInputStream(data: Data()).schedule(in: .main, forMode: .common)
                    timer.invalidate()
                }
                """,
                ""
            ),
            Snippet(
                "the main loop in Swift 5 mode, as in Foundation",
                """
                final class Model { var count = 0 }
                let model = Model()
                let timer = RLTimer(timeInterval: 1, repeats: true) { _ in model.count += 1 }
                RLRunLoop.main.add(timer, forMode: .common)
                let loop = RLRunLoop.main
                loop.add(timer, forMode: .default)
                RLInputStream(data: Data()).schedule(in: .main, forMode: .common)
                RLRunLoop.main.run(mode: .default, before: .distantPast)
                """,
                "",
                mode: "5"
            ),
            Snippet(
                "values that are not sendable in blocks of one's own thread",
                """
                final class Model { var count = 0 }
                func watch(_ model: Model) {
                    RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in model.count += 1 }
                    RLRunLoop.current.observe(.beforeWaiting) { _, _ in model.count += 1 }
                    RLRunLoop.current.perform(afterDelay: 1) { model.count += 1 }
                }
                watch(Model())
                """,
                ""
            ),
            Snippet(
                "observers and requests, which may be ended anywhere",
                """
                let observer = RLRunLoop.current.observe(.exit) { _, _ in }
                let request = RLRunLoop.current.perform(afterDelay: 1) {}
                RLThread.detachNewThread {
                    observer.invalidate()
                    request.cancel()
                }
                """,
                ""
            ),
        ]
    )
    func allowed(_ snippet: Snippet) throws {
        #expect(try snippet.errors() == [])
    }

    #if DEBUG
        @Test("stops debug builds where the compiler cannot see it") func stops() async {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) {
                runOnAnotherThread()
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let line = output.split(separator: "\n").first { $0.hasPrefix("RunLoopKit:") } ?? ""
            #expect(line.hasPrefix("RunLoopKit: RLRunLoop.run(until:): called on thread "))
            #expect(line.contains(", but the loop belongs to thread "))
            #expect(line.contains("pass getRLRunLoop()"))
        }

        @Test("stops debug builds where a timer got to another thread") func stopsTimers() async {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) {
                onFreshThread { fireOnAnotherThread() }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(output.contains("RunLoopKit: RLTimer.fire(): called on thread "))
            #expect(output.contains(", but the timer belongs to thread "))
            #expect(output.contains("use getRLRunLoopTimer()"))
        }

        @Test("reports what was to be performed on a loop that never ran") func reports() async {
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardErrorContent]
            ) {
                onFreshThread { Forgotten().perform(.remember, afterDelay: 0) }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(
                output.contains(
                    "ended before its run loop performed 1 request(s), such as remember: "
                )
            )
        }
    #endif

    @Test("stops what is started twice, or waits for itself") func misuse() async {
        await #expect(processExitsWith: .failure) {
            let thread = RLThread {}
            thread.start()
            thread.start()
        }
        await #expect(processExitsWith: .failure) { RLThread {}.join() }
        await #expect(processExitsWith: .failure) { onFreshThread { RLThread.current.join() } }
    }
}

/// Code that the compiler would reject without `nonisolated(unsafe)`.
private func runOnAnotherThread() {
    nonisolated(unsafe) let loop = RLRunLoop.current
    onFreshThread { loop.run(until: .distantFuture) }
}

private func fireOnAnotherThread() {
    nonisolated(unsafe) let timer = RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) {
        _ in
    }
    onFreshThread { timer.fire() }
}

private final class Forgotten: RLObject {
    func remember() {}
}

extension RLSelector where Target == Forgotten {
    fileprivate static let remember = RLSelector("remember", Forgotten.remember)
}
