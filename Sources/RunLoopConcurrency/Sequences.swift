import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc
public import RunLoopKit

/// Returns the activities of a run loop as an asynchronous sequence.
///
/// CF has no counterpart.
///
/// The loop does not wait for the reader. If more than `limit` activities are unread, the oldest
/// activities are dropped. The observer is removed when the sequence is released or the iterating
/// task is cancelled. The sequence ends when the loop's thread ends.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - activities: The activities.
///   - mode: The mode; by default all common modes.
///   - limit: The maximum number of unread activities.
/// - Returns: The sequence.
public func RLRunLoopActivities(
    _ loop: RLRunLoopRef,
    _ activities: RLRunLoopActivity,
    mode: RLRunLoopMode = .commonModes,
    limit: Int = 64
) -> AsyncStream<RLRunLoopActivity> {
    let (stream, continuation) = AsyncStream.makeStream(
        of: RLRunLoopActivity.self,
        bufferingPolicy: .bufferingNewest(limit)
    )
    let observer = RLRunLoopObserverCreate(activities: activities) { _, activity in
        continuation.yield(activity)
    }
    let loopEnd = LoopEnd { continuation.finish() }
    continuation.onTermination = { _ in
        loopEnd.forget()
        RLRunLoopObserverInvalidate(observer)
    }
    RLRunLoopAddObserver(loop, observer, mode)
    loopEnd.watch(loop)
    return stream
}

/// An asynchronous sequence of the events for which a descriptor is ready.
///
/// The loop polls the descriptor only while a reader waits for the next element. So a slow reader
/// costs nothing, and elements do not accumulate. The sequence neither reads nor closes the
/// descriptor. It ends after a hang-up or an error if no bytes are left to read, and when the
/// loop's thread ends. Stop iterating when a read returns EOF. Regular files are always ready. For
/// a number that is not an open descriptor, the sequence ends immediately.
///
/// ```swift
/// for try await ready in RLDescriptorReadiness(socket, .read, on: loop) { receive(socket) }
/// ```
///
/// CF has no counterpart.
public struct RLDescriptorReadiness: AsyncSequence, Sendable {
    /// The events for which the descriptor is ready.
    public typealias Element = RLRunLoopDescriptorEvents

    private let descriptor: CInt
    private let events: RLRunLoopDescriptorEvents
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode

    /// Creates a sequence for a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which must stay open as long as the sequence is used.
    ///   - events: The events to wait for.
    ///   - loop: The loop that polls the descriptor; it may belong to any thread.
    ///   - mode: The mode; by default all common modes.
    public init(
        _ descriptor: CInt,
        _ events: RLRunLoopDescriptorEvents,
        on loop: RLRunLoopRef,
        mode: RLRunLoopMode = .commonModes
    ) {
        self.descriptor = descriptor
        self.events = events
        self.loop = loop
        self.mode = mode
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watch: DescriptorWatch(descriptor, events, loop, mode))
    }

    /// An iterator for one reader.
    ///
    /// If a second task waits with the iterator or a copy of it, the process stops. Releasing the
    /// iterator removes the descriptor from the loop.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let watch: DescriptorWatch

        /// Waits for readiness; returns nil after the last element, and if the task is cancelled.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async -> RLRunLoopDescriptorEvents? {
            await watch.next()
        }
    }
}

/// A version-2 source.
///
/// It is in its loop only while a task waits, because a loop always polls a source for hang-ups.
private final class DescriptorWatch: Sendable {
    private struct State {
        var waiter: Suspension<RLRunLoopDescriptorEvents?>?
        var isOver = false
        // Changed with the lock held, in the same step as the loop.
        var isSourceInLoop = false
    }

    private let state = Locked(State())
    private let source = Locked<RLRunLoopSourceRef?>(nil)
    private let loopEnd = Locked<LoopEnd?>(nil)
    private let descriptor: CInt
    private let events: RLRunLoopDescriptorEvents
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode

    init(
        _ descriptor: CInt,
        _ events: RLRunLoopDescriptorEvents,
        _ loop: RLRunLoopRef,
        _ mode: RLRunLoopMode
    ) {
        self.descriptor = descriptor
        self.events = events
        self.loop = loop
        self.mode = mode
        let made = RLRunLoopSourceCreate(
            descriptor: descriptor,
            events: { events },
            perform: { [weak self] ready in self?.deliver(ready) }
        )
        source.withLock { $0 = made }
        let end = LoopEnd { [weak self] in self?.end() }
        loopEnd.withLock { $0 = end }
        end.watch(loop)
    }

    deinit {
        loopEnd.withLock { $0 }?.forget()
        RLRunLoopSourceInvalidate(source.withLock { $0 })
    }

    func next(isolation: isolated (any Actor)? = #isolation) async -> RLRunLoopDescriptorEvents? {
        await withTaskCancellationHandler {
            // The closure captures `isolation` and so has the isolation of this function.
            return await withUnsafeContinuation { continuation in
                let task = Suspension(continuation, isolation)
                let isOver = state.withLock { state in
                    if state.waiter != nil {
                        stopProcess(
                            "RLDescriptorReadiness.Iterator.next()",
                            "two tasks wait with copies of one iterator: make an iterator "
                                + "for each task"
                        )
                    }
                    if !state.isOver { state.waiter = task }
                    return state.isOver
                }
                if isOver { return task.resume(returning: nil) }
                beginWaiting()
            }
        } onCancel: {
            end()
        }
    }

    private func beginWaiting() {
        switch DescriptorState(of: descriptor, for: events) {
        case .invalid: end()
        case .watchable: addSource()
        case .ready:
            RLRunLoopPerformBlock(loop, mode) { [weak self, loop] in
                self?.lookAgain()
                // Otherwise a run with only this block would sleep in its empty mode (BLK-12).
                RLRunLoopWakeUp(loop)
            }
            RLRunLoopWakeUp(loop)
        }
    }

    /// Checks again, because other code may have read from the descriptor before the loop's pass.
    private func lookAgain() {
        guard case .ready(let ready) = DescriptorState(of: descriptor, for: events) else {
            return addSource()
        }
        deliver(ready)
    }

    private func addSource() {
        state.withLock { state in
            if !state.isSourceInLoop { RLRunLoopAddSource(loop, source.withLock { $0 }, mode) }
            state.isSourceInLoop = true
        }
    }

    /// Resumes the waiting task; if the task waits again during this call, the source stays in the
    /// loop.
    private func deliver(_ ready: RLRunLoopDescriptorEvents) {
        deliverEvent { endWait(ready) }
        state.withLock { state in
            guard state.waiter == nil, state.isSourceInLoop else { return }
            RLRunLoopRemoveSource(loop, source.withLock { $0 }, mode)
            state.isSourceInLoop = false
        }
    }

    private func endWait(_ ready: RLRunLoopDescriptorEvents) {
        // If bytes are left, the reader reads until EOF.
        let isLast = !ready.isDisjoint(with: [.hangUp, .error]) && !ready.contains(.read)
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if isLast { state.isOver = true }
            return state.waiter
        }
        waiter?.resume(returning: ready)
    }

    private func end() {
        let waiter = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waiter
        }
        RLRunLoopSourceInvalidate(source.withLock { $0 })
        waiter?.resume(returning: nil)
    }
}

extension RLPort {
    /// Returns the messages to the port as an asynchronous sequence.
    ///
    /// The call replaces the port's delegate and adds the port to the loop. When the iteration ends
    /// or the iterating task is cancelled, the delegate is removed. The loop retains the port; the
    /// sequence does not. The sequence ends when the port becomes invalid, when the loop's thread
    /// ends, and when the port gets another delegate. So if several sequences are created for a
    /// port, only the newest sequence receives messages.
    ///
    /// - Parameters:
    ///   - runLoop: The calling thread's loop.
    ///   - mode: The mode.
    /// - Returns: The sequence. The number of unread messages is not limited.
    public func messages(
        in runLoop: RLRunLoop,
        forMode mode: RLRunLoop.Mode = .common
    ) -> RLEventSequence<RLPortLetter> {
        let (messages, queue) = RLEventSequence<RLPortLetter>.make()
        let reader = PortReader(queue)
        setDelegate(reader)
        let loopEnd = LoopEnd { queue.finish() }
        queue.whenOver {
            loopEnd.forget()
            // Retains the delegate, because the port does not.
            withExtendedLifetime(reader) {}
        }
        runLoop.add(self, forMode: mode)
        loopEnd.watch(runLoop.getRLRunLoop())
        // The port may have become invalid before the delegate was set.
        if !isValid { queue.finish() }
        return messages
    }
}

/// A message to a port, which any thread may use.
///
/// Foundation: PortMessage, which must stay on its thread.
public struct RLPortLetter: Sendable {
    /// A number that identifies the kind of message to the receiver.
    public let msgid: UInt32
    /// The port for a reply, or nil if the sender expects no reply.
    public let sendPort: RLPort?
    /// The port that received the message.
    public let receivePort: RLPort?
    /// The components of the message.
    public let components: [any Sendable]
}

private final class PortReader: RLPortReader {
    private let queue: EventQueue

    init(_ queue: EventQueue) {
        self.queue = queue
    }

    func handle(_ message: RLPortMessage) {
        let letter = RLPortLetter(
            msgid: message.msgid,
            sendPort: message.sendPort,
            receivePort: message.receivePort,
            components: message.sendableComponents(for: "RLPort.messages(in:forMode:)") ?? []
        )
        deliverEvent { queue.yield(EventBox(letter)) }
    }

    func portHasNoMore() {
        queue.finish()
    }
}

/// Returns the signals to the process as an asynchronous sequence.
///
/// CF has no counterpart.
///
/// ```swift
/// for await _ in RLSignals([SIGINT, SIGTERM]) { break }
/// ```
///
/// The call immediately replaces the signals' default actions and handlers in all threads. When the
/// sequence is released or the iterating task is cancelled, the source is removed, but the signals
/// stay blocked, also in programs that the process executes: unblock them in such programs with
/// `posix_spawnattr_setsigmask`. The sequence ends when the loop's thread ends.
///
/// If several sequences and sources observe a signal, only the first that is served receives the
/// signal. So create one sequence, and forward its elements.
///
/// - Parameters:
///   - signals: The signal numbers, at least one. An unknown number, `SIGKILL` or `SIGSTOP` stops
///     the process with a message.
///   - loop: The loop that receives the signals; it may belong to any thread. Nil selects the loop
///     that the calling thread runs, for example in an actor on that loop, or else the main loop.
///   - mode: The mode; by default all common modes.
/// - Returns: The sequence. The number of unread signals is not limited. The kernel coalesces equal
///   pending signals. If no file descriptor is available, the sequence ends immediately, and a
///   warning is logged.
public func RLSignals(
    _ signals: [CInt],
    on loop: RLRunLoopRef? = nil,
    mode: RLRunLoopMode = .commonModes
) -> AsyncStream<RLSignalEvent> {
    let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
    let (stream, continuation) = AsyncStream.makeStream(of: RLSignalEvent.self)
    let source = RLSignalSourceCreate(signals: signals) { _, event in continuation.yield(event) }
    guard let source else {
        warn(
            "RLSignals",
            "cannot create a signalfd, so the sequence ends: \(describeError(errno)): raise "
                + "the limit of open files"
        )
        continuation.finish()
        return stream
    }
    let loopEnd = LoopEnd { continuation.finish() }
    continuation.onTermination = { _ in
        loopEnd.forget()
        RLRunLoopSourceInvalidate(source)
    }
    RLRunLoopAddSource(loop, source, mode)
    RLRunLoopWakeUp(loop)
    loopEnd.watch(loop)
    return stream
}
