import FoundationEssentials
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// Each member that another thread may not use, and how often the others say that one did.
@Suite("A member of another thread's loop") struct ForeignUseTests {
    @Test("stops the process with a line if it cannot be safe", arguments: ForeignMember.allCases)
    func stops(_ member: ForeignMember) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as ForeignMember] in
            onFreshThread { member.use() }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: \(member.call): called on thread "), "\(output)")
        #expect(output.contains(": \(member.remedy), which may be called from"), "\(output)")
    }

    @Test("may use what has left the loop, and what is in the loop of a thread that has ended")
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
                // Its end takes the stream out of the loop.
            }
            log.add("\(input.streamStatus == .open), \(timer.tolerance)")
            timer.invalidate()
        }
        #expect(log.entries == ["true, 1.0"])
    }
}

/// A member, by what the line says of it.
enum ForeignMember: String, CaseIterable, Codable {
    case run = "RLRunLoop.run()"
    case runUntil = "RLRunLoop.run(until:)"
    case runOnce = "RLRunLoop.run(mode:before:)"
    case runFor = "RLRunLoop.run(mode:for:)"
    case acceptInput = "RLRunLoop.acceptInput(forMode:before:)"
    case limitDate = "RLRunLoop.limitDate(forMode:)"
    case pump = "RLRunLoop.pump(for:mode:)"
    case serve = "RLRunLoop.serveInMainQueue(mode:)"
    case cancelPerform = "RLRunLoop.cancelPerform(_:target:argument:)"
    case cancelPerforms = "RLRunLoop.cancelPerformSelectors(withTarget:)"
    case fire = "RLTimer.fire()"
    case enqueue = "RLNotificationQueue.enqueue"
    case dequeue = "RLNotificationQueue.dequeueNotifications"
    case mark = "RLTransaction.setNeedsCommit"
    case isMarked = "RLTransaction.needsCommit"
    case complete = "RLTransaction.addCompletion"
    case flush = "RLTransaction.flush()"
    case addIdle = "RLIdleQueue.add(_:)"
    case countIdle = "RLIdleQueue.count"
    case removeIdle = "RLIdleQueue.removeAll()"
    case setIdle = "RLIdleQueue.sliceBudget"
    case add = "RLRunLoop.add(_:forMode:)"
    case addPort = "RLRunLoop.add(_:forMode:) of ports"
    case remove = "RLRunLoop.remove(_:forMode:)"
    case removePort = "RLRunLoop.remove(_:forMode:) of ports"
    case observe = "RLRunLoop.observe(_:in:repeats:order:handler:)"
    case performLater = "RLRunLoop.perform(afterDelay:inModes:block:)"
    case performInOrder = "RLRunLoop.perform(_:target:argument:order:modes:)"
    case setBusyPoll = "RLRunLoop.busyPollInterval"
    case schedule = "RLStream.schedule(in:forMode:)"
    case unschedule = "RLStream.remove(from:forMode:)"
    case setDate = "RLTimer.fireDate"
    case setTolerance = "RLTimer.tolerance"
    case invalidate = "RLTimer.invalidate()"
    case openStream = "RLStream.open()"
    case closeStream = "RLStream.close()"
    case askStream = "RLStream.streamStatus"
    case askError = "RLStream.streamError"
    case getDelegate = "RLStream.delegate.getter"
    case setDelegate = "RLStream.delegate"
    case getProperty = "RLStream.property(forKey:)"
    case setProperty = "RLStream.setProperty(_:forKey:)"
    case read = "RLInputStream.read(_:maxLength:)"
    case isReadable = "RLInputStream.hasBytesAvailable"
    case write = "RLOutputStream.write(_:maxLength:)"
    case isWritable = "RLOutputStream.hasSpaceAvailable"
    case scheduleElsewhere = "RLStream.schedule(in:forMode:) of one that is scheduled"

    /// The object that the line names.
    var call: Substring { rawValue.split(separator: " of ")[0] }

    func use() {
        nonisolated(unsafe) let loop = RLRunLoop.current
        nonisolated(unsafe) let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
        nonisolated(unsafe) let queue = RLNotificationQueue.default
        nonisolated(unsafe) let transaction = RLTransaction.current
        nonisolated(unsafe) let idle = RLIdleQueue()
        loop.add(timer, forMode: .default)
        // In one of its modes it stays scheduled.
        let input = RLInputStream(data: Data([1]))
        let output = RLOutputStream(toMemory: ())
        for stream in [input, output] {
            stream.schedule(in: loop, forMode: .default)
            stream.schedule(in: loop, forMode: RLRunLoop.Mode("other"))
            stream.remove(from: loop, forMode: RLRunLoop.Mode("other"))
        }
        nonisolated(unsafe) let streams = (input, output)
        onFreshThread {
            useStreams(loop, streams.0, streams.1)
            change(loop, timer)
            useRunning(loop)
            useOthers(loop, timer, queue)
            switch self {
            case .mark: transaction.setNeedsCommit(timer) {}
            case .isMarked: _ = transaction.needsCommit
            case .complete: transaction.addCompletion {}
            case .flush: transaction.flush()
            case .addIdle: idle.add {}
            case .countIdle: _ = idle.count
            case .removeIdle: idle.removeAll()
            case .setIdle: idle.sliceBudget = .zero
            default: break
            }
        }
    }

    /// What the line says that another thread can do, with what it has.
    var remedy: String {
        switch self {
        case .mark, .isMarked, .complete, .flush, .enqueue, .dequeue:
            "call it there, by RLRunLoopPerformBlock"
        case .addIdle, .countIdle, .removeIdle, .setIdle: "use its sender"
        case .openStream, .closeStream, .askStream, .askError, .getDelegate, .setDelegate,
            .getProperty, .setProperty, .read, .isReadable, .write, .isWritable, .scheduleElsewhere:
            "use getRLReadStream() or getRLWriteStream() and the functions of streams"
        case .fire, .setDate, .setTolerance, .invalidate:
            "use getRLRunLoopTimer() and the RLRunLoopTimer functions"
        default: "use getRLRunLoop() and the RLRunLoop functions"
        }
    }

    private func useRunning(_ loop: RLRunLoop) {
        switch self {
        case .run: loop.run()
        case .runUntil: loop.run(until: .distantPast)
        case .runOnce: loop.run(mode: .default, before: .distantPast)
        case .runFor: loop.run(mode: .default, for: .zero)
        case .acceptInput: loop.acceptInput(forMode: .default, before: .distantPast)
        case .limitDate: _ = loop.limitDate(forMode: .default)
        case .pump: loop.pump()
        case .serve: loop.serveInMainQueue()
        default: break
        }
    }

    private func change(_ loop: RLRunLoop, _ timer: RLTimer) {
        switch self {
        case .add: loop.add(RLTimer(timeInterval: 1, repeats: true) { _ in }, forMode: .default)
        case .addPort: loop.add(RLPort(), forMode: .default)
        case .remove: loop.remove(timer, forMode: .default)
        case .removePort: loop.remove(RLPort(), forMode: .default)
        case .observe: loop.observe(.exit) { _, _ in }
        case .performLater: loop.perform(afterDelay: 1000) {}
        case .performInOrder: loop.perform(.nothing, target: Idler(), modes: [.default])
        case .setBusyPoll: loop.busyPollInterval = 0
        case .setDate: timer.fireDate = .distantFuture
        case .setTolerance: timer.tolerance = 1
        case .invalidate: timer.invalidate()
        default: break
        }
    }

    private func useStreams(_ loop: RLRunLoop, _ input: RLInputStream, _ output: RLOutputStream) {
        var byte: UInt8 = 1
        switch self {
        case .schedule: RLInputStream(data: Data()).schedule(in: loop, forMode: .default)
        case .unschedule: input.remove(from: loop, forMode: .default)
        case .scheduleElsewhere: input.schedule(in: .current, forMode: .default)
        case .openStream: input.open()
        case .closeStream: output.close()
        case .askStream: _ = input.streamStatus
        case .askError: _ = output.streamError
        case .getDelegate: _ = input.delegate
        case .setDelegate: input.delegate = nil
        case .getProperty: _ = output.property(forKey: .dataWrittenToMemoryStreamKey)
        case .setProperty: input.setProperty(nil, forKey: .networkServiceType)
        case .read: _ = input.read(&byte, maxLength: 1)
        case .isReadable: _ = input.hasBytesAvailable
        case .write: _ = output.write(&byte, maxLength: 1)
        case .isWritable: _ = output.hasSpaceAvailable
        default: break
        }
    }

    private func useOthers(_ loop: RLRunLoop, _ timer: RLTimer, _ queue: RLNotificationQueue) {
        let note = RLNotification(name: .init("note"))
        switch self {
        case .cancelPerform: loop.cancelPerform(.nothing, target: Idler(), argument: nil)
        case .cancelPerforms: loop.cancelPerformSelectors(withTarget: timer)
        case .fire: timer.fire()
        case .enqueue: queue.enqueue(note, postingStyle: .whenIdle)
        case .dequeue: queue.dequeueNotifications(matching: note, coalesceMask: .onName)
        default: break
        }
    }
}

private final class Idler: RLObject, Sendable {
    func nothing() {}
}

extension RLSelector where Target == Idler {
    fileprivate static let nothing = RLSelector("nothing", Idler.nothing)
}
