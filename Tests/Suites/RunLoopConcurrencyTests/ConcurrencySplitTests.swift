import ProcessKit
import Testing

/// The compiler's errors for programs that would pass values to other threads.
@Suite("The split between threads, for async code,") struct ConcurrencySplitTests {
    private static func snippet(
        _ description: String,
        _ lines: String,
        _ diagnosis: String = ""
    ) -> Snippet {
        Snippet(
            description,
            """
            final class Model { var count = 0 }
            actor Meter {
                nonisolated let executor: RLRunLoopExecutor
                nonisolated var unownedExecutor: UnownedSerialExecutor {
                    executor.asUnownedSerialExecutor()
                }
                var model = Model()

                init(_ loop: RLRunLoopRef) { executor = RLRunLoopExecutor(loop: loop) }
            }
            \(lines)
            """,
            diagnosis,
            importing: "RunLoopConcurrency\nimport RunLoopKit"
        )
    }

    @Test(
        "is seen by the compiler",
        arguments: [
            snippet(
                "a value that a run to completion shares with its caller",
                """
                let model = Model()
                _ = try? RLRunLoop.current.runToCompletion { model.count += 1 }
                """,
                "capture of 'model' with non-Sendable type 'Model' in a '@Sendable' closure"
            ),
            snippet(
                "a value that comes out of a run to completion, and may stay there too",
                "_ = try? RLRunLoop.current.runToCompletion { Model() }",
                "type 'Model' does not conform to the 'Sendable' protocol"
            ),
            snippet(
                "a run to completion where the thread may change",
                "Task { @MainActor in try RLRunLoop.main.runToCompletion {} }",
                "'runToCompletion' is unavailable from asynchronous contexts"
            ),
            snippet(
                "a port that is read on another thread's loop",
                """
                let loop = RLRunLoop.current
                let port = RLPort()
                RLThread.detachNewThread { _ = port.messages(in: loop) }
                """,
                "capture of 'loop' with non-Sendable type 'RLRunLoop' in a '@Sendable' closure"
            ),
            snippet(
                "what is an actor's in a callback of its loop, which may be another loop's",
                """
                func watch(_ meter: Meter, _ loop: RLRunLoopRef) {
                    RLRunLoopPerformBlock(loop, .defaultMode) { meter.model.count += 1 }
                }
                """,
                "actor-isolated property 'model'"
            ),
            snippet(
                "what a callback takes from an actor",
                """
                func watch(_ meter: Meter) {
                    let model = meter.assumeIsolated { $0.model }
                    model.count += 1
                }
                """,
                "type 'Model' does not conform to the 'Sendable' protocol"
            ),
            snippet(
                "a reader of a descriptor in two tasks",
                """
                func read(_ loop: RLRunLoopRef) async {
                    let readiness = RLDescriptorReadiness(0, .read, on: loop)
                    let iterator = readiness.makeAsyncIterator()
                    Task {
                        var iterator = iterator
                        _ = await iterator.next()
                    }
                    print(iterator)
                }
                """,
                "risks causing data races"
            ),
        ]
    )
    func refused(_ snippet: Snippet) throws {
        let errors = try snippet.errors()
        #expect(!errors.isEmpty)
        #expect(errors.allSatisfy { $0.contains(snippet.diagnosis) }, "\(errors)")
    }

    @Test(
        "leaves what is allowed alone",
        arguments: [
            snippet(
                "what is an actor's in a callback that assumes its isolation",
                """
                func watch(_ meter: Meter, _ loop: RLRunLoopRef) {
                    RLRunLoopPerformBlock(loop, .defaultMode) {
                        meter.assumeIsolated { $0.model.count += 1 }
                    }
                }
                """
            ),
            snippet(
                "sequences, clocks and executors in any task",
                """
                func use(_ loop: RLRunLoopRef) {
                    let readiness = RLDescriptorReadiness(0, .read, on: loop)
                    let activities = RLRunLoopActivities(loop, .exit)
                    let clock = RLRunLoopClock(loop: loop)
                    Task.detached(executorPreference: RLRunLoopExecutor(loop: loop)) {
                        for await _ in readiness {}
                        for await _ in activities {}
                        try await clock.sleep(for: .seconds(1))
                    }
                }
                """
            ),
        ]
    )
    func allowed(_ snippet: Snippet) throws {
        let errors = try snippet.errors()
        #expect(errors.isEmpty, "\(errors)")
    }
}
