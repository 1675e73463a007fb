import CRunLoop.Testing
import CRunLoop.Wrapping
import CoreRunLoop
import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// Calls that are legal or invisible to the compiler, but useless or dangerous.
private enum Misuse: String, CaseIterable, Codable {
    case lostDelegate, nobodyToSendTo, streamInNoLoop, lostStreamDelegate, commonModes
    case askMode
    case timerInNoLoop, invalidTimer, stopOfRun, noModes, noModesOfThread
    case noModesOfObserver, dateNotANumber
    case threadNotStarted, lateStackSize, lateName, portWithoutDelegate, unreadPort, noPath, noFile
    case streamNeverOpened, streamNobodyKeeps, streamUnserved, notificationUnserved
    case completionUnserved, timerInDeadMode

    /// The beginning of the diagnostic of debug builds.
    var line: String {
        switch self {
        case .lostDelegate: "RunLoopKit: RLPort.setDelegate(_:): message 7 for <RLPort 0x"
        case .nobodyToSendTo: "RunLoopKit: RLPortMessage.send(before:): message 7 is not sent"
        case .streamInNoLoop:
            "RunLoopKit: RLStream.delegate: the stream was released without having been in"
        case .lostStreamDelegate: "RunLoopKit: RLStream.delegate: openCompleted of "
        case .commonModes: "CoreRunLoop: RLRunLoop.run(mode:before:): run loop 0x"
        case .askMode: "RunLoopKit: RLRunLoop.currentMode: called on thread "
        default: lineOfPointlessUse
        }
    }

    private var lineOfPointlessUse: String {
        switch self {
        case .timerInNoLoop: "RunLoopKit: RLTimer.init: the timer was released"
        case .invalidTimer: "RunLoopKit: RLRunLoop.add(_:forMode:): <RLTimer 0x"
        case .stopOfRun: "RunLoopKit: RLRunLoop.run(): RLRunLoopStop() has ended a pass"
        case .noModes: "RunLoopKit: RLRunLoop.perform(inModes:block:): the list of modes is empty"
        case .noModesOfObserver:
            "RunLoopKit: RLRunLoop.observe(_:in:repeats:order:handler:): the list of modes is empty"
        case .dateNotANumber: "RunLoopKit: RLTimer.fireDate: the date is NaN"
        case .noModesOfThread: "RunLoopKit: RLThread.perform(waitUntilDone:modes:_:): the list of "
        case .threadNotStarted:
            "RunLoopKit: RLThread.init: the thread was released without"
        case .lateStackSize: "RunLoopKit: RLThread.stackSize: has no effect, as the thread"
        case .lateName: "RunLoopKit: RLThread.name: called on thread "
        case .portWithoutDelegate: "RunLoopKit: RLPort: message 7 for <RLPort 0x"
        case .unreadPort: "RunLoopKit: RLPort.send: the port was released with 1 unread"
        case .noPath: "RunLoopKit: RLStream.init: the stream is nil, as the path is empty"
        case .noFile: "RunLoopKit: RLInputStream.init(url:): the stream is nil, as http:"
        default: lineOfVainWait
        }
    }

    private var lineOfVainWait: String {
        switch self {
        case .streamNeverOpened:
            "RunLoopKit: RLStream.delegate: the stream was released without having been opened"
        case .streamNobodyKeeps:
            "RunLoopKit: RLStream.delegate: the stream was released before its "
        case .streamUnserved: "CoreRunLoop: RLRunLoopAddSource: thread "
        case .notificationUnserved: "RunLoopKit: RLNotificationQueue.enqueue: thread "
        case .completionUnserved: "RunLoopKit: RLTransaction: thread "
        case .timerInDeadMode: "CoreRunLoop: RLRunLoopAddTimer: thread "
        default: ""
        }
    }

    func commit() {
        switch self {
        case .lostDelegate: sendToNobody()
        case .nobodyToSendTo:
            let message = RLPortMessage(sendPort: nil, receivePort: nil, components: nil)
            message.msgid = 7
            message.send(before: .distantFuture)
        case .streamInNoLoop:
            let reader = Reader()
            let input = RLInputStream(data: Data([1]))
            input.delegate = reader
            input.open()
        case .lostStreamDelegate:
            let input = RLInputStream(data: Data([1]))
            do {
                let reader = Reader()
                input.delegate = reader
            }
            input.schedule(in: .current, forMode: .default)
            input.open()
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        case .commonModes: RLRunLoop.current.run(mode: .common, before: .distantFuture)
        case .askMode: askElsewhere()
        default: usePointlessly()
        }
    }

    private func askElsewhere() {
        nonisolated(unsafe) let loop = RLRunLoop.current
        onFreshThread {
            _ = loop.currentMode
            // This call is thread-safe.
            _ = RLRunLoop.main.currentMode
        }
    }

    private func usePointlessly() {
        switch self {
        case .timerInNoLoop: _ = RLTimer(timeInterval: 1, repeats: true) { _ in }
        case .invalidTimer:
            let timer = RLTimer(timeInterval: 1, repeats: true) { _ in }
            timer.invalidate()
            RLRunLoop.current.add(timer, forMode: .default)
        case .stopOfRun:
            let loop = RLRunLoop.current
            RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
                RLRunLoopStop(loop.getRLRunLoop())
            }
            loop.run()
        case .noModes: RLRunLoop.current.perform(inModes: []) {}
        case .noModesOfObserver: RLRunLoop.current.observe(.entry, in: []) { _, _ in }
        case .dateNotANumber:
            let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in }
            timer.fireDate = Date(timeIntervalSinceNow: .nan)
            // Otherwise the end of the thread would report an unused timer.
            timer.invalidate()
        case .noModesOfThread: RLThread.current.perform(modes: []) {}
        case .portWithoutDelegate, .unreadPort: sendToPort()
        case .noPath: _ = RLInputStream(fileAtPath: "")
        case .noFile: _ = URL(string: "http://example.com").flatMap { RLInputStream(url: $0) }
        case .streamNeverOpened, .streamNobodyKeeps, .streamUnserved, .notificationUnserved,
            .completionUnserved, .timerInDeadMode:
            waitInVain()
        default: useThread()
        }
    }

    private func waitInVain() {
        switch self {
        case .streamNeverOpened, .streamNobodyKeeps:
            let reader = Reader()
            let input = RLInputStream(data: Data([1]))
            input.delegate = reader
            input.schedule(in: .current, forMode: .default)
            if self == .streamNobodyKeeps { input.open() }
        case .streamUnserved:
            let reader = Reader()
            let input = RLInputStream(data: Data([1]))
            input.delegate = reader
            input.schedule(in: .current, forMode: .default)
            input.open()
            keptStreams.append((input, reader))
        case .notificationUnserved:
            let note = RLNotification(name: .init("note"))
            RLNotificationQueue.default.enqueue(note, postingStyle: .asap)
        case .completionUnserved: RLTransaction.current.addCompletion {}
        case .timerInDeadMode:
            let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in }
            RLRunLoop.current.add(timer, forMode: RLRunLoop.Mode("never"))
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        default: break
        }
    }

    private func useThread() {
        let thread = RLThread {}
        if self == .threadNotStarted { return }
        thread.start()
        thread.join()
        if self == .lateStackSize { thread.stackSize = 1 << 20 }
        if self == .lateName { thread.name = "late" }
    }

    private func sendToPort() {
        let port = RLPort()
        port.send(before: .distantFuture, msgid: 7)
        if self == .unreadPort { return }
        RLRunLoop.current.add(port, forMode: .default)
        RLRunLoop.current.run(mode: .default, before: .distantPast)
    }

    private func sendToNobody() {
        let port = RLPort()
        do {
            let reader = PortReader()
            port.setDelegate(reader)
        }
        RLRunLoop.current.add(port, forMode: .default)
        port.send(before: .distantFuture, msgid: 7)
        RLRunLoop.current.run(mode: .default, before: .distantPast)
    }
}

private final class Reader: RLStreamDelegate {}

// Used by one thread after another.
private nonisolated(unsafe) var keptStreams: [(RLInputStream, Reader)] = []

private final class PortReader: RLPortDelegate {
    func handle(_ message: RLPortMessage) {}
}

@Suite("A silent misuse") struct HintTests {
    #if DEBUG
        @Test("is reported once, in debug builds", arguments: Misuse.allCases)
        private func isReported(_ misuse: Misuse) async {
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardErrorContent]
            ) { [misuse = misuse as Misuse] in
                // `ScenarioKit` installs a handler, which this removes.
                RLTestingSetHintHandler(nil)
                onFreshThread {
                    misuse.commit()
                    misuse.commit()
                }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let lines = output.split(separator: "\n").filter { $0.contains("RunLoop") }
            #expect(lines.count == 1, "\(output)")
            #expect(lines.first?.hasPrefix(misuse.line) == true, "\(output)")
        }
    #endif

    @Test("does not include releasing a second object of a timer") func secondObject()
        async
    {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread {
                let timer = RLTimer(timeInterval: 60, repeats: true) { _ in }
                _ = RLTimer(timer.getRLRunLoopTimer())
                RLRunLoop.current.add(timer, forMode: .default)
                _ = RLTimer(timer.getRLRunLoopTimer())
                let date = RLAbsoluteTimeGetCurrent() + 60
                _ = RLTimer(RLRunLoopTimerCreate(fireDate: date) { _ in })
                timer.invalidate()
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.isEmpty, "\(output)")
    }

    @Test("is stopped if the engine stops for it: a timer whose interval is NaN")
    func notANumber() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread { _ = RLTimer(timeInterval: .nan, repeats: true) { _ in } }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: RLTimer.init: interval is NaN"), "\(output)")
    }

    @Test("is stopped where an object would get to another thread: what a timer keeps")
    func userInfo() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread {
                nonisolated(unsafe) let timer = RLTimer(timeInterval: 60, repeats: true) { _ in }
                RLRunLoop.current.add(timer, forMode: .default)
                onFreshThread { _ = timer.userInfo }
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: RLTimer.userInfo: called on thread "), "\(output)")
    }

    @Test("is not a port that gets no descriptor: it is invalid, with a line") func noDescriptor()
        async
    {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread { useWithoutDescriptors() }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains("RunLoopKit: RLPort.init(): cannot create a descriptor: "),
            "\(output)"
        )
    }
}

/// Makes a port with the descriptor limit reached.
private func useWithoutDescriptors() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let whole = limit.rlim_cur
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let port = RLPort()
    limit.rlim_cur = whole
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if port.isValid || port.send(before: .distantFuture) { exit(EXIT_FAILURE) }
    RLRunLoop.current.add(port, forMode: .default)
}

@Suite("The description of") struct DescriptionTests {
    @Test("a thread has its name and what it is at") func thread() {
        let thread = RLThread {}
        thread.name = "parser"
        #expect("\(thread)".hasPrefix("<RLThread 0x"))
        #expect("\(thread)".hasSuffix(": \"parser\", thread 0, not started>"))
        let worker = RLPermanentThread(name: "worker")
        #expect("\(worker)".contains("takes tasks, <RLThread 0x"))
        worker.stop()
        worker.join()
        #expect("\(worker)".contains(": stopped, "))
    }

    @Test("a port has its state and its messages") func port() {
        let port = RLPort()
        port.send(before: .distantFuture)
        #expect("\(port)".hasSuffix(": valid, 1 message(s) waiting>"))
        port.invalidate()
        #expect("\(port)".hasSuffix(": invalid, 0 message(s) waiting>"))
        let message = RLPortMessage(sendPort: port, receivePort: nil, components: [Data()])
        #expect("\(message)".contains("msgid 0, 1 component(s), to <RLPort 0x"))
        #expect("\(message)".hasSuffix(", from nobody>"))
    }

    @Test("a notification center has the number of its observers") func center() {
        let center = RLNotificationCenter()
        #expect("\(center)".hasPrefix("<RLNotificationCenter 0x"))
        #expect("\(center)".hasSuffix(": 0 observer(s)>"))
        let token = center.addObserver(forName: nil, object: nil) { _ in }
        #expect("\(center)".hasSuffix(": 1 observer(s)>"))
        center.removeObserver(token)
        #expect("\(center)".hasSuffix(": 0 observer(s)>"))
    }

    @Test("an autorelease pool has its state") func pool() {
        onFreshThread {
            let pool = RLAutoreleasePool()
            #expect("\(pool)".hasSuffix(": open>"))
            pool.drain()
            #expect("\(pool)".hasSuffix(": drained>"))
        }
    }

    @Test("what belongs to a thread names it") func confined() {
        onFreshThread {
            let number = "of thread \(RLThreadGetNumber()) ("
            #expect("\(RLNotificationQueue.default)".contains(number))
            #expect("\(RLTransaction.current)".contains("nothing to commit, " + number))
            #expect("\(RLIdleQueue())".contains("0 piece(s) of work waiting, " + number))
            let observer = RLRunLoop.current.observe(.beforeWaiting) { _, _ in }
            #expect("\(observer)" == "<RLRunLoopObserver: beforeWaiting, order 0, valid>")
            observer.invalidate()
            #expect("\(observer)".hasSuffix("invalid>"))
        }
    }

    @Test("a set of options has their names") func options() {
        #expect(
            "\(RLStream.Event([.openCompleted, .hasSpaceAvailable]))"
                == "openCompleted, hasSpaceAvailable"
        )
        #expect("\(RLNotificationQueue.NotificationCoalescing.none)" == "none")
        #expect("\(RLStream.Status.atEnd)" == "atEnd")
    }
}
