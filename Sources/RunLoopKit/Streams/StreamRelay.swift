@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping

/// Called by the engine for a stream, which it does not hold.
final class StreamRelay: ContextBox {
    private weak var stream: RLStream?
    // Whether two threads may use the stream. What subclasses add may not be made for that.
    private let isShareable: Bool

    init(for stream: RLStream) {
        self.stream = stream
        let type = type(of: stream)
        isShareable = type == RLInputStream.self || type == RLOutputStream.self
    }

    /// The place where the delegate may be called.
    private enum Reach {
        case nowhere
        /// On the threads of loops, and on a queue.
        case owners
        case everywhere
    }

    private struct State {
        var reach = Reach.nowhere
        weak var delegate: (any RLStreamDelegate)?
        // The number of times a delegate was set, or set to nil.
        var setCount = 0
        // The loop of the thread that has set the delegate.
        var settersLoop: RLRunLoopRef?
        // The serial queue that has set it, by its number; 0 for none.
        var settersQueue: UInt = 0
        // The client has given the delegate to the queue of the stream, if that is serial.
        var isGivenToQueue = false
        // The loops in which the stream's object was scheduled: the first, nearly always the only
        // one, and others.
        var loop: RLRunLoopRef?
        var otherLoops: [RLRunLoopRef] = []
        #if DEBUG
            // For a line.
            var hadDelegate = false
            var wasTold = false
        #endif

        mutating func allow(_ added: RLRunLoopRef) {
            if loop == nil { loop = added }
            if loop === added || otherLoops.contains(where: { $0 === added }) { return }
            otherLoops.append(added)
        }

        /// Whether the thread belongs to one of the loops and is in it now.
        ///
        /// A thread of libdispatch may have a loop from other work, for another queue. The main
        /// thread never does such work, and other code may serve its queue.
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

    // A thread may set the delegate to nil while another one is about to call it.
    private let state = Locked(State())

    var delegate: (any RLStreamDelegate)? {
        var found: (any RLStreamDelegate)?
        state.withLock { found = $0.delegate }
        return found
    }

    /// Whether only some threads may call a delegate.
    func confines(_ delegate: (any RLStreamDelegate)?) -> Bool {
        delegate != nil && !(isShareable && delegate is any RLSendableStreamDelegate)
    }

    /// Whether there is a delegate that only some threads may call.
    var isConfined: Bool {
        state.withLock { $0.reach == .owners }
    }

    /// Whether the delegate may not be called on the thread of a loop.
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
        // The former loop, if nobody else has it any more, is to end without the lock.
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

    /// The number of the serial queue to which the caller belongs for good; 0 for none.
    ///
    /// Work of `sync` is done on the thread that waits for it: the main thread, or one whose loop
    /// runs, is its own before it is the queue's.
    private static func queue(ofCallerWith loop: RLRunLoopRef) -> UInt {
        if loop === RLRunLoopGetMain() { return RLDispatchGetMainQueueNumber() }
        return RLRunLoopCopyCurrentMode(loop) == nil ? RLDispatchGetSerialQueueNumber() : 0
    }

    /// The number of times a delegate was set, and whether there is one to tell.
    var setting: (count: Int, hasDelegate: Bool) {
        state.withLock { ($0.setCount, $0.reach != .nowhere) }
    }

    #if DEBUG
        /// Whether the stream had a delegate, and the engine has told it nothing.
        var neverTold: Bool {
            state.withLock { $0.hadDelegate && !$0.wasTold }
        }
    #endif

    /// Has the delegate called on the serial queue of the stream too, or no more.
    func setGivenToQueue(_ isGiven: Bool) {
        state.withLock { $0.isGivenToQueue = isGiven }
    }

    /// Has the delegate called on the thread of a loop too.
    func allow(_ loop: RLRunLoopRef) {
        state.withLock { $0.allow(loop) }
    }

    /// Tells the delegate; where the engine's stream is served.
    func tell(_ event: RLStreamEventType) {
        var delegate: (any RLStreamDelegate)?
        // In one step: what another thread sets after it is for that thread.
        let (reach, isAllowed) = state.withLock { state in
            #if DEBUG
                state.wasTold = true
            #endif
            delegate = state.delegate
            return (state.reach, state.reach != .owners || state.allowsCaller)
        }
        if reach == .nowhere { return }
        if !isAllowed { stopCaller() }
        // Stream and delegate live at least until the delegate has returned.
        guard let stream else { return }
        guard let delegate else {
            hint(
                "RLStream.delegate",
                "\(RLStream.Event(rawValue: UInt(event.rawValue))) of \(stream) is told to nobody, as "
                    + "the delegate is gone: a stream does not hold it, so keep it elsewhere"
            )
            return
        }
        noteType(of: delegate)
        delegate.stream(stream, handle: RLStream.Event(rawValue: UInt(event.rawValue)))
    }

    /// The engine's stream may be scheduled on any thread, and served on a dispatch queue.
    private func stopCaller() -> Never {
        let remedy =
            isShareable
            ? "schedule the stream's object there, have the delegate conform to "
                + "RLSendableStreamDelegate"
            : "a subclass's stream stays on its thread, whatever its delegate conforms to; schedule "
                + "the stream's object there"
        stopProcess(
            "RLStream.delegate",
            "it is not for thread \(describeCurrentThread()), to which the engine's stream has brought "
                + "its events: \(remedy), or use RLReadStreamSetClient and RLWriteStreamSetClient, "
                + "whose closures are @Sendable"
        )
    }
}
