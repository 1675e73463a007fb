@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping

/// What the engine calls for a stream; it does not hold the stream.
final class StreamRelay: ContextBox {
    private weak var stream: RLStream?
    // Whether two threads may use the stream. What subclasses add may not be made for that.
    private let isShareable: Bool

    init(for stream: RLStream) {
        self.stream = stream
        let type = type(of: stream)
        isShareable = type == RLInputStream.self || type == RLOutputStream.self
    }

    /// Where the delegate may be called.
    private enum Reach {
        case nowhere
        /// On the threads of loops, and on a queue.
        case owners
        case everywhere
    }

    private struct State {
        var reach = Reach.nowhere
        weak var delegate: (any RLStreamDelegate)?
        // The same one, if it may be called everywhere.
        weak var sendable: (any RLSendableStreamDelegate)?
        // The loops of the threads that may call the delegate: that of the thread that has set it,
        // and those in which the stream's object was scheduled. Nearly always one.
        var loop: RLRunLoopRef?
        var otherLoops: [RLRunLoopRef] = []
        // The serial queue that has set the delegate, by its number; 0 for none.
        var queue: UInt = 0
        // For a line of debug builds.
        var hadDelegate = false
        var wasTold = false

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
            loop.map(isIn) == true || otherLoops.contains(where: isIn)
                || (queue != 0 && queue == RLDispatchGetSerialQueueNumber())
        }
    }

    // A thread may set the delegate to nil while another one is about to call it.
    private let state = Locked(State())

    var delegate: (any RLStreamDelegate)? {
        var found: (any RLStreamDelegate)?
        state.withLock { found = $0.delegate }
        return found
    }

    func setDelegate(_ delegate: (any RLStreamDelegate)?) {
        let sendable = isShareable ? delegate as? any RLSendableStreamDelegate : nil
        let loop = delegate == nil || sendable != nil ? nil : RLRunLoopGetCurrent()
        let queue = loop == nil ? 0 : RLDispatchGetSerialQueueNumber()
        state.withLock { state in
            state.reach = delegate == nil ? .nowhere : sendable == nil ? .owners : .everywhere
            state.delegate = delegate
            state.sendable = sendable
            if let loop { state.allow(loop) }
            state.queue = queue
            if delegate != nil { state.hadDelegate = true }
        }
    }

    /// Whether the stream ever had a delegate.
    var hadDelegate: Bool {
        state.withLock { $0.hadDelegate }
    }

    /// Whether the engine has ever told something.
    var wasTold: Bool {
        state.withLock { $0.wasTold }
    }

    /// Has the delegate called on the thread of a loop too.
    func allow(_ loop: RLRunLoopRef) {
        state.withLock { $0.allow(loop) }
    }

    /// Tells the delegate; where the engine's stream is served.
    func tell(_ event: RLStreamEventType) {
        var sendable: (any RLSendableStreamDelegate)?
        let reach = state.withLock { state in
            state.wasTold = true
            sendable = state.sendable
            return state.reach
        }
        if reach == .nowhere { return }
        if reach == .owners { checkCaller() }
        // Stream and delegate live at least until the delegate has returned.
        guard let stream else { return }
        // What another thread has set since is for that thread.
        guard let delegate = reach == .owners ? stream.delegate : sendable else {
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
    private func checkCaller() {
        if state.withLock({ $0.allowsCaller }) { return }
        stopProcess(
            "RLStream.delegate",
            "it is not for thread \(describeCurrentThread()), to which the engine's stream has brought "
                + "its events: schedule the stream's object there, have the delegate conform to "
                + "RLSendableStreamDelegate, or use RLReadStreamSetClient and RLWriteStreamSetClient, "
                + "whose closures are @Sendable"
        )
    }
}
