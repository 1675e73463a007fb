import Dispatch
import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// Objects that are not `Sendable` stay on their thread, even if other threads hold references of
/// the engine.
@Suite("What belongs to a thread") struct SoundnessTests {
    @Test(
        "cannot be given to another one",
        arguments: [
            Snippet(
                "by a selector whose method changes what it captured",
                """
                final class Player {}
                var count = 0
                let play = RLSelector<Player>("play") { _ in { count += 1 } }
                print(play, count)
                """,
                "mutation of captured var 'count' in concurrently-executing code"
            ),
            Snippet(
                "as the target of a thread",
                """
                final class Loader { func load() {} }
                let load = RLSelector("load", Loader.load)
                RLThread(target: Loader(), selector: load, object: nil).start()
                """,
                "type 'Loader' does not conform to the 'Sendable' protocol"
            ),
            Snippet(
                "as the target of a detached thread",
                """
                final class Loader { func load() {} }
                let load = RLSelector("load", Loader.load)
                RLThread.detachNewThreadSelector(load, toTarget: Loader(), with: nil)
                """,
                "type 'Loader' does not conform to the 'Sendable' protocol"
            ),
            Snippet(
                "in a timer of the main thread's loop",
                """
                final class Model { var count = 0 }
                RLThread.detachNewThread {
                    let model = Model()
                    let timer = RLTimer(timeInterval: 1, repeats: true) { _ in model.count += 1 }
                    RLRunLoop.main.add(timer, forMode: .default)
                    model.count += 1
                }
                """,
                "main actor-isolated static property 'main' can not be referenced from a Sendable"
            ),
            Snippet(
                "in an observer of the main thread's loop",
                """
                var count = 0
                RLRunLoop.main.observe(.beforeWaiting) { _, _ in count += 1 }
                count += 1
                """,
                "main actor-isolated static property 'main' can not be referenced from a nonisolated"
            ),
            Snippet(
                "in a delayed request of the main thread's loop",
                """
                var count = 0
                RLRunLoop.main.perform(afterDelay: 1) { count += 1 }
                count += 1
                """,
                "main actor-isolated static property 'main' can not be referenced from a nonisolated"
            ),
            Snippet(
                "in a request of the main thread's loop",
                """
                var count = 0
                RLRunLoop.main.perform { count += 1 }
                count += 1
                """,
                "sending 'count' risks causing data races"
            ),
            Snippet(
                "by a stream in the main thread's loop",
                """
                let input = RLInputStream(data: Data([1]))
                input.schedule(in: .main, forMode: .default)
                """,
                "main actor-isolated static property 'main' can not be referenced from a nonisolated"
            ),
            Snippet(
                "by the main thread's loop under another name",
                """
                let loop = RLRunLoop.main
                loop.add(RLTimer(timeInterval: 1, repeats: true) { _ in }, forMode: .default)
                """,
                "'add(_:forMode:)' is unavailable: on the main actor, declare `let loop: RLRunLoop = .main`"
            ),
            Snippet(
                "as a component of a port's message",
                """
                final class Model { var count = 0 }
                RLPort().send(before: .distantFuture, components: [Model()])
                """,
                "type 'Model' does not conform to the 'Sendable' protocol"
            ),
            Snippet(
                "as what comes out of a port",
                "_ = RLPort().withDelegate { $0 }",
                "type 'any RLPortDelegate' does not conform to the 'Sendable' protocol"
            ),
            Snippet(
                "by a port's delegate, out of the closure that has it",
                "RLPort().withDelegate { delegate in _ = Task { _ = delegate } }",
                "risks causing data races"
            ),
            Snippet(
                "by the sender of an idle queue",
                """
                var count = 0
                let sender = RLIdleQueue().sender
                sender.add { count += 1 }
                """,
                "mutation of captured var 'count' in concurrently-executing code"
            ),
            Snippet(
                "by an observer of notifications",
                """
                var count = 0
                RLNotificationCenter.default.addObserver(forName: nil) { _ in count += 1 }
                """,
                "mutation of captured var 'count' in concurrently-executing code"
            ),
            Snippet(
                "by a task of a permanent thread",
                """
                var count = 0
                RLPermanentThread().execute { count += 1 }
                """,
                "mutation of captured var 'count' in concurrently-executing code"
            ),
        ]
    )
    func refused(_ snippet: Snippet) throws {
        let errors = try snippet.errors()
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains(snippet.diagnosis) ?? false, "\(errors)")
    }

    @Test(
        "can still be given to another one, as Docs/ThreadSafety.md lists",
        arguments: [
            Snippet(
                "by a task that gets what a timer has",
                """
                final class Model { var count = 0 }
                let model = Model()
                RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in model.count += 1 }
                Task.detached { model.count += 1 }
                """,
                ""
            ),
            Snippet(
                "by two look-ups in the dictionary of a thread",
                """
                final class Model { var count = 0 }
                RLThread.current.threadDictionary["model"] = Model()
                let first = RLThread.current.threadDictionary["model"] as? Model
                let second = RLThread.current.threadDictionary["model"] as? Model
                Task.detached { first?.count += 1 }
                second?.count += 1
                """,
                ""
            ),
            Snippet(
                "by an actor that is assumed in work of its queue",
                """
                final class Model { var count = 0 }
                final class QueueExecutor: SerialExecutor {
                    let queue = DispatchQueue(label: "keeper")
                    func enqueue(_ job: consuming ExecutorJob) {
                        let job = UnownedJob(job)
                        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                    }
                    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
                }
                actor Keeper {
                    let model = Model()
                    let executor = QueueExecutor()
                    nonisolated var unownedExecutor: UnownedSerialExecutor {
                        executor.asUnownedSerialExecutor()
                    }
                    nonisolated func give() {
                        executor.queue.async {
                            self.assumeIsolated { keeper in
                                let model = keeper.model
                                RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
                                    model.count += 1
                                }
                            }
                        }
                    }
                }
                """,
                "",
                importing: "Dispatch\nimport RunLoopKit"
            ),
        ]
    )
    func unseen(_ snippet: Snippet) throws {
        #expect(try snippet.errors() == [])
    }

    @Test("is not called by another one: the process stops with a line", arguments: Door.allCases)
    func stops(_ door: Door) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [door = door as Door] in
            onFreshThread { door.open() }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: \(door.call): "), "\(output)")
        #expect(door.remedy.isEmpty || output.contains(door.remedy), "\(output)")
    }

    @Test("is released there when another one ends the timer, the request or the observer")
    func releases() {
        for isRun in [true, false] {
            let threads = Log<pthread_t>()
            let own = onFreshThread {
                let end = endAnywhere(RLRunLoop.current, Traveler(threads))
                onFreshThread { end() }
                #expect(threads.entries.isEmpty)
                // Otherwise the end of the thread releases it.
                if isRun {
                    RLRunLoop.current.run(mode: .default, before: .distantPast)
                    #expect(threads.entries.count == 1)
                }
                return pthread_self()
            }
            #expect(threads.entries == [own])
        }
    }

    @Test("is reported to have no effect when the other thread has ended") func tooLate() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread {
                nonisolated(unsafe) var loop: RLRunLoop?
                onFreshThread { loop = RLRunLoop.current }
                let timer = RLTimer(timeInterval: 1, repeats: false) { _ in }
                loop?.add(timer, forMode: .default)
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: RLRunLoop.add(_:forMode:): "), "\(output)")
        #expect(output.contains("a thread that has ended: the call is ignored; keep"), "\(output)")
    }

    @Test("may be forgotten by another one: a stream's delegate") func delegateRace() {
        for _ in 0..<50 {
            let gate = Gate()
            onFreshThread {
                let input = RLInputStream(data: Data(repeating: 1, count: 100_000))
                let reader = SlowReader()
                input.delegate = reader
                // With the engine's function, so that the object does not know the loop.
                let own = RLRunLoopGetCurrent()
                RLReadStreamScheduleWithRunLoop(input.getRLReadStream(), own, .defaultMode)
                input.open()
                nonisolated(unsafe) let shared = input
                let other = RLThread {
                    gate.wait()
                    shared.delegate = nil
                }
                other.start()
                for number in 0..<20 {
                    if number == 5 { gate.open() }
                    RLRunLoop.current.run(mode: .default, before: .distantPast)
                }
                other.join()
                #expect(input.delegate == nil)
                withExtendedLifetime(reader) {}
            }
        }
    }
}

/// The ways in which another thread could reach foreign objects.
enum Door: String, CaseIterable, Codable {
    case timer, observer, stream, streamOnQueue, streamOfOtherQueue, streamOfConcurrentQueue
    case streamOfSyncedQueue, streamOfFormerThread
    case streamOfSubclass, secondStream, portDelegate, threadDictionary
    case sentDictionary, running, notifications, selectorOfActor

    /// The function that the diagnostic names.
    var call: String {
        switch self {
        case .timer: "RLTimer"
        case .observer: "RLRunLoopObserver"
        case .stream, .streamOnQueue, .streamOfOtherQueue, .streamOfConcurrentQueue,
            .streamOfSyncedQueue, .streamOfFormerThread, .streamOfSubclass, .secondStream:
            "RLStream.delegate"
        case .portDelegate: "RLPort.withDelegate(_:)"
        case .threadDictionary: "RLThread.threadDictionary"
        case .sentDictionary: "RLThreadDictionary"
        case .running: "RLRunLoop.run(until:)"
        case .notifications: "RLNotificationQueue.enqueue"
        case .selectorOfActor: "RLSelector"
        }
    }

    /// The remedy that the diagnostic names.
    var remedy: String {
        switch self {
        case .streamOfSubclass: "as subclasses are confined to their thread"
        case .stream, .streamOnQueue: "conform the delegate to RLSendableStreamDelegate"
        case .selectorOfActor: "await it in a task"
        default: ""
        }
    }

    func open() {
        switch self {
        case .timer:
            let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in }
            serve(timer.getRLRunLoopTimer())
        case .observer:
            let own = RLRunLoop.current
            let observer = own.observe(.entry) { _, _ in }.reference
            RLRunLoopRemoveObserver(own.getRLRunLoop(), observer, .commonModes)
            onFreshThread {
                RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, .defaultMode)
                runOnce()
            }
        case .stream:
            let input = RLInputStream(data: Data([1]))
            let reader = SlowReader()
            input.delegate = reader
            let reference = input.getRLReadStream()
            onFreshThread {
                RLReadStreamScheduleWithRunLoop(reference, RLRunLoopGetCurrent(), .defaultMode)
                RLReadStreamOpen(reference)
                runOnce()
            }
            withExtendedLifetime((input, reader)) {}
        case .streamOnQueue:
            let input = RLInputStream(data: Data([1]))
            let reader = SlowReader()
            input.delegate = reader
            giveQueue(DispatchQueue(label: "events"), to: input)
        case .streamOfOtherQueue:
            // One thread does the work of both queues, and has had a loop since the delegate was
            // set.
            let target = DispatchQueue(label: "target")
            let setting = DispatchQueue(label: "setting", target: target)
            let events = DispatchQueue(label: "events", target: target)
            let kept = Log<Kept>()
            setting.async { kept.add(beginReading(on: events)) }
            waitForEnd()
        case .streamOfConcurrentQueue:
            let queue = DispatchQueue(label: "events", attributes: .concurrent)
            queue.sync {
                let input = RLInputStream(data: Data([1]))
                let reader = SlowReader()
                input.delegate = reader
                giveQueue(queue, to: input)
            }
        case .streamOfSyncedQueue:
            // The loop's thread does the queue's work, and continues with its own.
            let queue = DispatchQueue(label: "events")
            let kept = Log<Kept>()
            onFreshThread {
                RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) {
                    queue.sync { kept.add(beginReading(on: queue)) }
                }
                RLRunLoopRunInMode(.defaultMode, 10, true)
            }
            waitForEnd()
        case .streamOfFormerThread:
            let input = RLInputStream(data: Data([1]))
            let first = SlowReader()
            input.delegate = first
            nonisolated(unsafe) let shared = input
            let kept = Log<Kept>()
            onFreshThread {
                let second = SlowReader()
                shared.delegate = second
                kept.add(Kept(shared, second))
            }
            let reference = input.getRLReadStream()
            RLReadStreamScheduleWithRunLoop(reference, RLRunLoopGetCurrent(), .defaultMode)
            RLReadStreamOpen(reference)
            runOnce()
            withExtendedLifetime((first, kept)) {}
        case .streamOfSubclass:
            final class Counted: RLInputStream {}
            final class Listener: RLSendableStreamDelegate {}
            let input = Counted(data: Data([1]))
            let listener = Listener()
            input.delegate = listener
            giveQueue(DispatchQueue(label: "events"), to: input)
        case .secondStream:
            let input = RLInputStream(data: Data([1]))
            input.schedule(in: .current, forMode: .default)
            let reference = input.getRLReadStream()
            let kept = Log<Kept>()
            onFreshThread {
                let reader = SlowReader()
                let other = RLInputStream(reference)
                other.delegate = reader
                kept.add(Kept(other, reader))
            }
            input.open()
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            withExtendedLifetime(kept) {}
        case .portDelegate:
            let port = RLPort()
            let receiver = Receiver()
            port.setDelegate(receiver)
            onFreshThread { port.withDelegate { _ in } }
            withExtendedLifetime(receiver) {}
        case .threadDictionary:
            let thread = RLThread.current
            onFreshThread { thread.threadDictionary.removeAllObjects() }
        case .sentDictionary:
            nonisolated(unsafe) let dictionary = RLThread.current.threadDictionary
            onFreshThread { dictionary["key"] = 1 }
        case .running:
            nonisolated(unsafe) let loop = RLRunLoop.current
            onFreshThread { loop.run(until: .distantFuture) }
        case .notifications:
            nonisolated(unsafe) let queue = RLNotificationQueue.default
            onFreshThread { queue.enqueue(.init(name: .init("late")), postingStyle: .asap) }
        case .selectorOfActor:
            let write = RLSelector("write", Archive.write)
            Archive().perform(write, on: RLPermanentThread(), waitUntilDone: true)
        }
    }

    private func giveQueue(_ queue: DispatchQueue, to input: RLInputStream) -> Never {
        RLReadStreamSetDispatchQueue(input.getRLReadStream(), queue)
        input.open()
        waitForEnd()
    }

    /// The queue aborts the process.
    private func waitForEnd() -> Never {
        while true { pause() }
    }

    private func serve(_ timer: RLRunLoopTimerRef) {
        onFreshThread {
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
            runOnce()
        }
    }
}

/// An actor without a loop, and its closures.
@globalActor public actor ArchiveActor {
    /// The shared instance.
    public static let shared = ArchiveActor()
}

@ArchiveActor private final class Archive: RLObject {
    nonisolated init() {}
    func write() {}
}

private func beginReading(on queue: DispatchQueue) -> Kept {
    let input = RLInputStream(data: Data([1]))
    let reader = SlowReader()
    input.delegate = reader
    RLReadStreamSetDispatchQueue(input.getRLReadStream(), queue)
    input.open()
    return Kept(input, reader)
}

private func runOnce() {
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) {}
    RLRunLoopRunInMode(.defaultMode, 10, true)
}

/// Makes a timer, an observer and a request that hold an object; the returned closure invalidates
/// them.
private func endAnywhere(_ loop: RLRunLoop, _ traveler: Traveler) -> @Sendable () -> Void {
    let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in traveler.hold() }
        .getRLRunLoopTimer()
    let observer = loop.observe(.exit) { _, _ in traveler.hold() }
    let request = loop.perform(afterDelay: 1000) { traveler.hold() }
    return {
        RLRunLoopTimerInvalidate(timer)
        observer.invalidate()
        request.cancel()
    }
}

/// Holds a stream and its delegate; `@unchecked`: nobody uses them.
private final class Kept: @unchecked Sendable {
    private let kept: (RLInputStream, SlowReader)

    init(_ stream: RLInputStream, _ reader: SlowReader) {
        kept = (stream, reader)
    }
}

/// Logs the thread of its deallocation.
private final class Traveler {
    private let threads: Log<pthread_t>

    init(_ threads: Log<pthread_t>) {
        self.threads = threads
    }

    func hold() {}

    deinit {
        threads.add(pthread_self())
    }
}

private final class SlowReader: RLStreamDelegate {
    private let onEvent: () -> Void

    init(onEvent: @escaping () -> Void = {}) {
        self.onEvent = onEvent
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        onEvent()
        guard eventCode == .hasBytesAvailable, let input = aStream as? RLInputStream else { return }
        var buffer: [UInt8] = [0]
        _ = input.read(&buffer, maxLength: 1)
    }
}

private final class Receiver: RLPortDelegate {
    func handle(_ message: RLPortMessage) {}
}
