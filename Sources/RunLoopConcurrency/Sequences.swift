// Events of a loop, for async code. RLTimer.fires is the sequence of a timer's firings.

import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc
public import RunLoopKit

/// The activities of a run loop, as a sequence for async code.
///
/// Ours, no CF counterpart.
///
/// The loop does not wait for the reader: of more than `limit` unread activities, the oldest are
/// dropped. The observer is removed when the sequence is released or its task is cancelled. The
/// sequence ends with the loop's thread.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - activities: The activities.
///   - mode: The mode; by default all common ones.
///   - limit: The greatest number of unread activities.
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

/// The readiness of a descriptor, as a sequence for async code.
///
/// The loop polls the descriptor only while a reader waits for the next element, so that a slow
/// reader costs nothing and no elements accumulate. It neither reads nor closes the descriptor. The
/// sequence ends after a hang-up or an error with nothing to read, and with the loop's thread. Stop
/// iterating when a read reports the end. Regular files are always ready. A number that is not an
/// open descriptor ends the sequence.
///
/// ```swift
/// for try await ready in RLDescriptorReadiness(socket, .read, on: loop) { receive(socket) }
/// ```
///
/// Ours, no CF counterpart.
public struct RLDescriptorReadiness: AsyncSequence, Sendable {
    /// The events that the descriptor is ready for.
    public typealias Element = RLRunLoopDescriptorEvents

    private let descriptor: CInt
    private let events: RLRunLoopDescriptorEvents
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode

    /// Watches a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; keep it open as long as the sequence is used.
    ///   - events: The events to wait for.
    ///   - loop: The loop that polls it, of any thread.
    ///   - mode: The mode; by default all common ones.
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

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watch: DescriptorWatch(descriptor, events, loop, mode))
    }

    /// The iterator of one reader: a second task that waits with it, or with a copy, stops the
    /// process.
    ///
    /// Releasing it removes the descriptor from the loop.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let watch: DescriptorWatch

        /// Waits until the descriptor is ready; nil after the last element, and if the task is
        /// cancelled.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async -> RLRunLoopDescriptorEvents? {
            await watch.next()
        }
    }
}

/// A version-2 source that is in its loop only while a task waits: the loop always reports
/// hang-ups, even with no other events requested.
private final class DescriptorWatch: Sendable {
    private struct State {
        var waiter: Suspension<RLRunLoopDescriptorEvents?>?
        var isOver = false
        // Changed with the lock held, as is the loop.
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
            // Capturing it isolates the closure like this function.
            return await withUnsafeContinuation { continuation in
                let task = Suspension(continuation, isolation)
                let isOver = state.withLock { state in
                    if state.waiter != nil {
                        stopProcess(
                            "RLDescriptorReadiness.Iterator.next()",
                            "two tasks wait with copies of one iterator: make one for each"
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
            RLRunLoopPerformBlock(loop, mode) { [weak self] in self?.lookAgain() }
            RLRunLoopWakeUp(loop)
        }
    }

    /// Checks the descriptor again in the loop's mode: other code may have read meanwhile.
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

    /// Ends the wait; a task of the loop that waits again meanwhile finds the source in the loop.
    private func deliver(_ ready: RLRunLoopDescriptorEvents) {
        deliverEvent { endWait(ready) }
        state.withLock { state in
            guard state.waiter == nil, state.isSourceInLoop else { return }
            RLRunLoopRemoveSource(loop, source.withLock { $0 }, mode)
            state.isSourceInLoop = false
        }
    }

    private func endWait(_ ready: RLRunLoopDescriptorEvents) {
        // If bytes are left, the reader reaches EOF itself.
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
    /// The messages to the port, as a sequence for async code.
    ///
    /// The sequence becomes the port's delegate and adds the port to the loop. When the iteration
    /// ends or its task is cancelled, the delegate is removed. The loop retains the port; the
    /// sequence does not. The sequence ends with the port, with the loop's thread, and when the
    /// port gets another delegate: each message goes to one reader, the newest sequence.
    ///
    /// - Parameters:
    ///   - runLoop: The calling thread's loop.
    ///   - mode: The mode.
    /// - Returns: The sequence. Unread messages are kept without a limit.
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
            // The queue keeps the delegate, which the port does not.
            withExtendedLifetime(reader) {}
        }
        runLoop.add(self, forMode: mode)
        loopEnd.watch(runLoop.getRLRunLoop())
        // The port may have become invalid before the delegate was set.
        if !isValid { queue.finish() }
        return messages
    }
}

/// A port's message, for use on any thread.
///
/// Foundation: PortMessage, which unlike a letter must stay on its thread.
public struct RLPortLetter: Sendable {
    /// A number that identifies the kind of message to the receiver.
    public let msgid: UInt32
    /// The port for a reply; nil if the sender expects none.
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

/// Signals to the process, as a sequence for async code.
///
/// Ours, no CF counterpart.
///
/// ```swift
/// for await _ in RLSignals([SIGINT, SIGTERM]) { break }
/// ```
///
/// From this call on it replaces default actions and handlers in all threads. The source is removed
/// when the sequence is released or its task is cancelled; the signals stay blocked, also in
/// programs that the process executes: unblock them there by `posix_spawnattr_setsigmask`. The
/// sequence ends with the loop's thread.
///
/// Of several sequences and sources of one signal, the first that is served receives it: make one,
/// and forward its elements.
///
/// - Parameters:
///   - signals: The numbers, at least one. An unknown number, `SIGKILL` and `SIGSTOP` stop the
///     process with a message.
///   - loop: The loop that receives them, of any thread; nil for the one that the calling thread
///     runs, as for an actor of that loop, else the main one.
///   - mode: The mode; by default all common ones.
/// - Returns: The sequence. Unread signals are queued without a limit. The kernel merges equal
///   signals that are pending. If it has no descriptors left, the sequence ends at once, and a line
///   is logged.
public func RLSignals(
    _ signals: [CInt],
    on loop: RLRunLoopRef? = nil,
    mode: RLRunLoopMode = .commonModes
) -> AsyncStream<RLSignalEvent> {
    let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
    let (stream, continuation) = AsyncStream.makeStream(of: RLSignalEvent.self)
    let source = RLSignalSourceCreate(signals: signals) { _, event in continuation.yield(event) }
    guard let source else {
        warn("RLSignals", "the sequence ends: \(describeError(errno))")
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
