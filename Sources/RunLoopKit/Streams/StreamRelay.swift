@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping

/// The client of an engine's stream, which notifies the delegate but does not retain the stream.
final class StreamRelay: StreamClient {
    private weak var stream: RLStream?
    // Whether two threads may use the stream. False for subclasses, whose members may not be
    // thread-safe.
    private let isShareable: Bool

    init(for stream: RLStream) {
        self.stream = stream
        let type = type(of: stream)
        isShareable = type == RLInputStream.self || type == RLOutputStream.self
    }

    /// The threads on which the delegate may be called.
    private enum Reach {
        case nowhere
        /// On the threads of the stream's loops, and on its queue.
        case owners
        case everywhere
    }

    private struct State {
        var reach = Reach.nowhere
        weak var delegate: (any RLStreamDelegate)?
        // The number of times that the delegate was set, including to nil.
        var setCount = 0
        var settersLoop: RLRunLoopRef?
        // The number of the serial queue whose code set the delegate, or 0.
        var settersQueue: UInt = 0
        // Whether the client has confined the delegate to the stream's serial queue.
        var isGivenToQueue = false
        // The loops in which the stream object was scheduled: usually only the first.
        var loop: RLRunLoopRef?
        var otherLoops: [RLRunLoopRef] = []
        #if DEBUG
            // Used for a diagnostic.
            var hadDelegate = false
            var wasNotified = false
        #endif

        mutating func allow(_ added: RLRunLoopRef) {
            if loop == nil { loop = added }
            if loop === added || otherLoops.contains(where: { $0 === added }) { return }
            otherLoops.append(added)
        }

        // The loop must be running, because work of another queue may have created the loop of a
        // libdispatch thread. The main thread runs no such work, so its loop need not be running:
        // other code may serve the main queue.
        private func isIn(_ loop: RLRunLoopRef) -> Bool {
            RLRunLoopIsCurrent(loop)
                && (loop === RLRunLoopGetMain() || RLRunLoopCopyCurrentMode(loop) != nil)
        }

        var allowsCaller: Bool {
            settersLoop.map(isIn) == true
                || (loop !== settersLoop && loop.map(isIn) == true)
                || otherLoops.contains(where: isIn)
                || isOnItsQueue
        }

        private var isOnItsQueue: Bool {
            if settersQueue == 0 && !isGivenToQueue { return false }
            let queue = RLDispatchGetSerialQueueNumber()
            return queue != 0 && (isGivenToQueue || queue == settersQueue)
        }
    }

    // Locked: one thread may set the delegate to nil while another is about to call it.
    private let state = Locked(State())

    var delegate: (any RLStreamDelegate)? {
        var found: (any RLStreamDelegate)?
        state.withLock { found = $0.delegate }
        return found
    }

    func confines(_ delegate: (any RLStreamDelegate)?) -> Bool {
        delegate != nil && !(isShareable && delegate is any RLSendableStreamDelegate)
    }

    var isConfined: Bool {
        state.withLock { $0.reach == .owners }
    }

    func forbids(_ loop: RLRunLoopRef) -> Bool {
        state.withLock { state in
            state.reach == .owners && state.settersLoop !== loop && state.loop !== loop
                && !state.otherLoops.contains { $0 === loop }
        }
    }

    func setDelegate(_ delegate: (any RLStreamDelegate)?) {
        let isConfined = confines(delegate)
        if isConfined { checkGiver("RLStream.delegate") }
        let loop = isConfined ? RLRunLoopGetCurrent() : nil
        let queue = loop.map { Self.queue(ofCallerWith: $0) } ?? 0
        // Released without the lock, because this may be the last reference to the former loop.
        var formerLoop = loop
        state.withLock { state in
            state.reach = delegate == nil ? .nowhere : isConfined ? .owners : .everywhere
            state.delegate = delegate
            state.setCount += 1
            swap(&state.settersLoop, &formerLoop)
            state.settersQueue = queue
            #if DEBUG
                if delegate != nil { state.hadDelegate = true }
            #endif
        }
    }

    /// Returns the number of the serial queue on which the caller runs, or 0.
    ///
    /// `sync` runs work on the waiting thread. If that is the main thread or a thread whose loop
    /// runs, its code does not count as code of the queue.
    private static func queue(ofCallerWith loop: RLRunLoopRef) -> UInt {
        if loop === RLRunLoopGetMain() { return RLDispatchGetMainQueueNumber() }
        return RLRunLoopCopyCurrentMode(loop) == nil ? RLDispatchGetSerialQueueNumber() : 0
    }

    var setting: (count: Int, hasDelegate: Bool) {
        state.withLock { ($0.setCount, $0.reach != .nowhere) }
    }

    #if DEBUG
        var hasUnusedDelegate: Bool {
            state.withLock { $0.hadDelegate && !$0.wasNotified }
        }
    #endif

    func setGivenToQueue(_ isGiven: Bool) {
        state.withLock { $0.isGivenToQueue = isGiven }
    }

    /// Permits calls of the delegate on the thread of a loop.
    func allow(_ loop: RLRunLoopRef) {
        state.withLock { $0.allow(loop) }
    }

    override func notify(_ event: RLStreamEventType) {
        var delegate: (any RLStreamDelegate)?
        // The delegate and the permission are read under the same lock, because another thread may
        // set a delegate for itself.
        let (reach, isAllowed) = state.withLock { state in
            #if DEBUG
                state.wasNotified = true
            #endif
            delegate = state.delegate
            return (state.reach, state.reach != .owners || state.allowsCaller)
        }
        if reach == .nowhere { return }
        if !isAllowed { stopCaller() }
        // The stream and the delegate live until the delegate has returned.
        guard let stream else { return }
        guard let delegate else {
            hint(
                "RLStream.delegate",
                "\(RLStream.Event(rawValue: UInt(event.rawValue))) of \(stream) is dropped, as the "
                    + "delegate was released: keep a reference, as a stream does not retain its delegate"
            )
            return
        }
        noteType(of: delegate)
        delegate.stream(stream, handle: RLStream.Event(rawValue: UInt(event.rawValue)))
    }

    /// Called if a C function has scheduled the engine's stream on another thread or queue.
    private func stopCaller() -> Never {
        let remedy =
            isShareable
            ? "schedule the stream's object there, or conform the delegate to "
                + "RLSendableStreamDelegate"
            : "schedule the stream's object there, as subclasses are confined to their thread"
        stopProcess(
            "RLStream.delegate",
            "would be called on thread \(describeCurrentThread()), but is confined to "
                + "another thread or queue: \(remedy), or use RLReadStreamSetClient or "
                + "RLWriteStreamSetClient"
        )
    }
}
