// The network thread and the connections of its clients.

import CRunLoopNetworking
import FoundationEssentials
import Glibc
public import RunLoopKit

extension RLPermanentThread {
    /// The default thread for requests.
    ///
    /// The thread starts at its first use and never ends. Its loop sleeps while there is no work.
    ///
    /// AFNetworking: +[AFURLConnectionOperation networkRequestThread].
    public static let networkRequestThread = RLPermanentThread(name: "network requests")
}

final class NetworkThread {
    enum Owner: Hashable {
        case client(Int)
        /// Operations without a client share connections if they have the same modes.
        case operations([RLRunLoop.Mode])

        private static let count = Locked(0)

        /// Returns an owner with a number; unlike an address, a number is never reused.
        static func newClient() -> Owner {
            count.withLock { count in
                count += 1
                return .client(count)
            }
        }
    }

    private(set) var isOver = false
    private var connections: [Owner: Connections] = [:]

    /// The value in the thread's dictionary, which is emptied when the thread ends.
    private final class Entry {
        let thread = NetworkThread()

        deinit {
            thread.end()
        }
    }

    private static let key = "RunLoopNetworking.NetworkThread"

    static func current() -> NetworkThread {
        let dictionary = RLThread.current.ownDictionary
        if let known = dictionary[key] as? Entry { return known.thread }
        let made = Entry()
        dictionary[key] = made
        return made.thread
    }

    func connections(
        of owner: Owner,
        _ configuration: RLHTTPClientConfiguration,
        _ modes: [RLRunLoop.Mode]
    ) -> Connections {
        if connections[owner]?.isInherited == true { drop(owner, .cancelled) }
        if let known = connections[owner] { return known }
        let made = Connections(configuration, modes)
        connections[owner] = made
        return made
    }

    func cancel(_ request: any ExchangeOwner, of owner: Owner) {
        connections[owner]?.exchange(of: request)?.finish(.failure(.cancelled))
    }

    func resume(_ request: any ExchangeOwner, of owner: Owner) {
        connections[owner]?.resume(request)
    }

    func drop(_ owner: Owner, _ error: RLHTTPError) {
        connections.removeValue(forKey: owner)?.close(error)
    }

    private func end() {
        isOver = true
        for owner in connections.keys { drop(owner, .threadEnded) }
    }
}

/// The connections of an owner and its running and queued requests, confined to the network thread.
final class Connections {
    private let configuration: RLHTTPClientConfiguration
    private let modes: [RLRunLoop.Mode]
    private let process = getpid()
    private var group: RLTransferGroup?
    // The exchanges, by owner.
    private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    private var runningCount = 0
    // The queued exchanges, by position in the queue, so that removal needs no search.
    private var waiting: [Int: HTTPExchange] = [:]
    private var queueHead = 0
    private var queueTail = 0
    private var isClosed = false
    // The timer, which fires at the earliest deadline.
    private var timer: RLTimer?
    private var timerIsDue: ContinuousClock.Instant?
    // A source performs the tasks, so a run that returns after a source also returns after a
    // response.
    private var tasks: [() -> Void] = []
    // The remaining tasks of this pass, in reverse. If a task runs the loop, the nested run
    // performs the remaining tasks.
    private var due: [() -> Void] = []
    private var source: RLRunLoopSourceRef?

    init(_ configuration: RLHTTPClientConfiguration, _ modes: [RLRunLoop.Mode]) {
        self.configuration = configuration
        self.modes = modes
    }

    /// Whether this process is a child that was forked after the connections were created.
    var isInherited: Bool {
        group.map { RLTransferGroupIsInherited($0) } ?? (process != getpid())
    }

    func add(_ exchange: HTTPExchange) {
        exchanges[ObjectIdentifier(exchange.owner)] = exchange
        enqueue(exchange)
        beginNext()
        watch(exchange)
    }

    private func enqueue(_ exchange: HTTPExchange) {
        exchange.wait(for: self, at: queueTail)
        waiting[queueTail] = exchange
        queueTail += 1
    }

    func exchange(of owner: any ExchangeOwner) -> HTTPExchange? {
        exchanges[ObjectIdentifier(owner)]
    }

    func resume(_ owner: any ExchangeOwner) {
        guard let exchange = exchange(of: owner) else { return }
        exchange.resume()
        // Requeues a request that was skipped during its pause.
        if exchange.queueIndex < queueHead, waiting.removeValue(forKey: exchange.queueIndex) != nil
        {
            enqueue(exchange)
        }
        beginNext()
    }

    func remove(_ exchange: HTTPExchange) {
        exchanges[ObjectIdentifier(exchange.owner)] = nil
        if waiting.removeValue(forKey: exchange.queueIndex) != nil { return }
        runningCount -= 1
        beginNext()
    }

    /// Removes and returns the next request that is not paused.
    private func dequeue() -> HTTPExchange? {
        while queueHead < queueTail {
            defer { queueHead += 1 }
            if waiting[queueHead]?.isHeld == false { return waiting.removeValue(forKey: queueHead) }
        }
        return nil
    }

    private func beginNext() {
        if isInherited { return }
        if RLTransferIsInCall() { return performLater { [self] in beginNext() } }
        while !isClosed, runningCount < max(1, configuration.requestsAtATime),
            let exchange = dequeue()
        {
            runningCount += 1
            do throws(RLHTTPError) {
                try exchange.begin(in: try openGroup(), modes: modes)
            } catch {
                // Deferred: the call that starts a request returns before the completion is called.
                performLater { exchange.finish(.failure(error)) }
            }
        }
    }

    private func openGroup() throws(RLHTTPError) -> RLTransferGroup {
        if let group { return group }
        if let problem = RLTransferGetProblem() {
            throw .libraryMissing(String(cString: problem))
        }
        let made = RLTransferGroupCreate(
            max(0, configuration.connectionsPerHost),
            max(0, configuration.idleConnections)
        )
        guard let made else { throw .noMemory }
        for mode in modes where !RLTransferGroupAddMode(made, mode.mode.rawValue) {
            RLTransferGroupDestroy(made)
            throw .noMemory
        }
        group = made
        return made
    }

    /// In a forked child, the parent's requests end without a result.
    func close(_ error: RLHTTPError) {
        isClosed = true
        if isInherited {
            let dropped = (tasks, due)
            (tasks, due) = ([], [])
            // The `deinit` of a captured object may run the loop, after the accesses above.
            withExtendedLifetime(dropped) {}
        }
        for exchange in exchanges.values { exchange.finish(isInherited ? nil : .failure(error)) }
        timer?.invalidate()
        if let group { RLTransferGroupDestroy(group) }
        group = nil
        performTasks()
        if let source { RLRunLoopSourceInvalidate(source) }
    }

    // --- Tasks for the next pass ---

    /// Performs a closure in the loop's next pass in one of the modes, or in `close`.
    func performLater(_ task: @escaping () -> Void) {
        tasks.append(task)
        let source = source ?? makeSource()
        RLRunLoopSourceSignal(source)
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    private func makeSource() -> RLRunLoopSourceRef {
        var context = RLRunLoopSourceContext()
        // Unretained: `close` invalidates the source.
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.perform = { info in
            guard let info else { return }
            Unmanaged<Connections>.fromOpaque(info).takeUnretainedValue().performTasks()
        }
        let made: RLRunLoopSourceRef = RLRunLoopSourceCreate(nil, 0, &context)
        for mode in modes { RLRunLoopAddSource(RLRunLoopGetCurrent(), made, mode.mode) }
        source = made
        return made
    }

    private func performTasks() {
        due.insert(contentsOf: tasks.reversed(), at: 0)
        tasks = []
        while !isInherited, let task = due.popLast() {
            if !due.isEmpty, let source { RLRunLoopSourceSignal(source) }
            task()
        }
    }

    // --- Time-outs ---

    /// Makes the timer fire at the request's deadline or earlier.
    func watch(_ exchange: HTTPExchange) {
        guard let deadline = exchange.deadline else { return }
        if let timerIsDue, timerIsDue <= deadline { return }
        timerIsDue = deadline
        let fireDate = Date(
            timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent()
                + ContinuousClock.now.duration(to: deadline).seconds
        )
        if let timer { return timer.fireDate = fireDate }
        // Repeating, because a timer that fires once could not be rescheduled.
        let timer = RLTimer(fire: fireDate, interval: 1e9, repeats: true) { [weak self] _ in
            self?.endLateOnes()
        }
        for mode in modes { RLRunLoop.current.add(timer, forMode: mode) }
        self.timer = timer
    }

    private func endLateOnes() {
        if isInherited { return }
        timerIsDue = nil
        let now = ContinuousClock.now
        for exchange in exchanges.values {
            if let deadline = exchange.deadline, deadline <= now {
                performLater { exchange.finish(.failure(.timedOut)) }
            } else {
                watch(exchange)
            }
        }
    }
}
