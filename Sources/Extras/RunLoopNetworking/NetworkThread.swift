// The thread on which requests run, and what runs on it.

import CRunLoopNetworking
import FoundationEssentials
public import RunLoopKit

extension RLPermanentThread {
    /// The default thread of requests.
    ///
    /// It is started at its first use and never ends. Its loop sleeps while there is no work.
    ///
    /// AFNetworking: +[AFURLConnectionOperation networkRequestThread].
    public static let networkRequestThread = RLPermanentThread(name: "network requests")
}

/// All clients' connections on this thread, with the requests on them.
final class NetworkThread {
    /// The owner of connections.
    enum Owner: Hashable {
        case client(Int)
        /// Operations without a client share those of their modes.
        case operations([RLRunLoop.Mode])

        private static let count = Locked(0)

        /// A client by a number: unlike its address never used again.
        static func newClient() -> Owner {
            count.withLock { count in
                count += 1
                return .client(count)
            }
        }
    }

    /// Whether the thread has ended.
    private(set) var isOver = false
    private var connections: [Owner: Connections] = [:]

    /// The value in the thread's dictionary, which is emptied at the thread's end.
    private final class Entry {
        let thread = NetworkThread()

        deinit {
            thread.end()
        }
    }

    private static let key = "RunLoopNetworking.NetworkThread"

    /// That of the calling thread.
    static func current() -> NetworkThread {
        let dictionary = RLThread.current.ownDictionary
        if let known = dictionary[key] as? Entry { return known.thread }
        let made = Entry()
        dictionary[key] = made
        return made.thread
    }

    /// The connections of an owner, which are made if there are none.
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

    /// Closes the connections of a client that has gone.
    func drop(_ owner: Owner, _ error: RLHTTPError) {
        connections.removeValue(forKey: owner)?.close(error)
    }

    private func end() {
        isOver = true
        for owner in connections.keys { drop(owner, .threadEnded) }
    }
}

/// The connections of a client, and its requests: those under way and those that wait for them.
final class Connections {
    private let configuration: RLHTTPClientConfiguration
    private let modes: [RLRunLoop.Mode]
    private var group: RLTransferGroup?
    // By their owners.
    private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    private var runningCount = 0
    // By their turns, so that none has to be looked for among all others.
    private var waiting: [Int: HTTPExchange] = [:]
    private var nextTurn = 0
    private var turnCount = 0
    private var isClosed = false
    // Fires when the first request may have no time left.
    private var timer: RLTimer?
    private var timerIsDue: ContinuousClock.Instant?
    // Performed by a source: that ends runs which are to return after one, as a response does.
    private var tasks: [() -> Void] = []
    // Those of a pass that are left, the next one last: one may run the loop, which goes on here.
    private var due: [() -> Void] = []
    private var source: RLRunLoopSourceRef?

    init(_ configuration: RLHTTPClientConfiguration, _ modes: [RLRunLoop.Mode]) {
        self.configuration = configuration
        self.modes = modes
    }

    /// Whether the process has forked since.
    var isInherited: Bool {
        group.map { RLTransferGroupIsInherited($0) } ?? false
    }

    /// Begins a request, or has it wait for its turn.
    func add(_ exchange: HTTPExchange) {
        exchanges[ObjectIdentifier(exchange.owner)] = exchange
        enqueue(exchange)
        beginNext()
        watch(exchange)
    }

    private func enqueue(_ exchange: HTTPExchange) {
        exchange.wait(for: self, turn: turnCount)
        waiting[turnCount] = exchange
        turnCount += 1
    }

    func exchange(of owner: any ExchangeOwner) -> HTTPExchange? {
        exchanges[ObjectIdentifier(owner)]
    }

    func resume(_ owner: any ExchangeOwner) {
        guard let exchange = exchange(of: owner) else { return }
        exchange.resume()
        // One whose turn came during the pause gets another one.
        if exchange.turn < nextTurn, waiting.removeValue(forKey: exchange.turn) != nil {
            enqueue(exchange)
        }
        beginNext()
    }

    /// Takes out a request that is over.
    func remove(_ exchange: HTTPExchange) {
        exchanges[ObjectIdentifier(exchange.owner)] = nil
        if waiting.removeValue(forKey: exchange.turn) != nil { return }
        runningCount -= 1
        beginNext()
    }

    /// Takes the first one out that waits and is not held.
    private func dequeue() -> HTTPExchange? {
        while nextTurn < turnCount {
            defer { nextTurn += 1 }
            if waiting[nextTurn]?.isHeld == false { return waiting.removeValue(forKey: nextTurn) }
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
                // Nobody is told of the end by the call that begins a request.
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

    func close(_ error: RLHTTPError) {
        isClosed = true
        for exchange in exchanges.values { exchange.finish(.failure(error)) }
        timer?.invalidate()
        if let group { RLTransferGroupDestroy(group) }
        group = nil
        performTasks()
        if let source { RLRunLoopSourceInvalidate(source) }
    }

    // --- What waits for the loop ---

    /// Performs a closure in the next pass in one of the modes, or when it is closed.
    func performLater(_ task: @escaping () -> Void) {
        tasks.append(task)
        let source = source ?? makeSource()
        RLRunLoopSourceSignal(source)
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    private func makeSource() -> RLRunLoopSourceRef {
        var context = RLRunLoopSourceContext()
        // `close` invalidates the source.
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
        while isClosed || !isInherited, let task = due.popLast() {
            if !due.isEmpty, let source { RLRunLoopSourceSignal(source) }
            task()
        }
    }

    // --- Limits of time ---

    /// Has the timer fire when the time of a request is over, if that is earlier than now.
    func watch(_ exchange: HTTPExchange) {
        guard let deadline = exchange.deadline else { return }
        if let timerIsDue, timerIsDue <= deadline { return }
        timerIsDue = deadline
        let fireDate = Date(
            timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent()
                + ContinuousClock.now.duration(to: deadline).seconds
        )
        if let timer { return timer.fireDate = fireDate }
        // It is set again each time.
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
