// The thread on which requests run, and what runs on it.

import CRunLoopNetworking
import FoundationEssentials
public import RunLoopKit

extension RLPermanentThread {
    /// The thread on which requests run that are not given another one.
    ///
    /// It is started when it is first used, and stays: its loop sleeps while there is nothing to
    /// do.
    ///
    /// AFNetworking: +[AFURLConnectionOperation networkRequestThread].
    public static let networkRequestThread = RLPermanentThread(name: "network requests")
}

/// What a thread has of clients: for each its connections, with the requests on them.
final class NetworkThread {
    /// Whose connections they are.
    enum Owner: Hashable {
        case client(Int)
        /// Operations without a client share those of their modes.
        case operations([RLRunLoop.Mode])
    }

    private var connections: [Owner: Connections] = [:]
    private var exitToken: RLNotificationCenter.Token?

    private static let key = "RunLoopNetworking.NetworkThread"

    /// That of the calling thread.
    static func current() -> NetworkThread {
        let thread = RLThread.current
        if let known = thread.threadDictionary[key] as? NetworkThread { return known }
        let made = NetworkThread()
        thread.threadDictionary[key] = made
        let name = RLThread.willExitNotification
        made.exitToken = RLNotificationCenter.default.addObserver(forName: name, object: thread) {
            _ in
            // It is posted on the thread that ends.
            (RLThread.current.threadDictionary[key] as? NetworkThread)?.threadEnds()
        }
        return made
    }

    func begin(_ operation: RLHTTPRequestOperation) {
        guard let exchange = operation.makeExchange() else { return }
        let owner = operation.owner
        if connections[owner]?.isInherited == true { drop(owner, .cancelled) }
        let own = connections[owner] ?? Connections(operation.configuration, operation.runLoopModes)
        connections[owner] = own
        own.add(exchange, ObjectIdentifier(operation))
    }

    func finish(_ operation: RLHTTPRequestOperation, _ error: RLHTTPError) {
        let own = connections[operation.owner]
        own?.exchanges[ObjectIdentifier(operation)]?.finish(.failure(error))
    }

    func resume(_ operation: RLHTTPRequestOperation) {
        connections[operation.owner]?.resume(ObjectIdentifier(operation))
    }

    /// Closes the connections of a client that has gone.
    func drop(_ owner: Owner, _ error: RLHTTPError) {
        connections.removeValue(forKey: owner)?.close(error)
    }

    private func threadEnds() {
        // The next thread may be at the same address.
        if let exitToken { RLNotificationCenter.default.removeObserver(exitToken) }
        for owner in connections.keys { drop(owner, .threadEnded) }
    }
}

/// The connections of a client, and its requests: those under way and those that wait for them.
final class Connections {
    private let configuration: RLHTTPClientConfiguration
    private let modes: [RLRunLoop.Mode]
    private var group: RLTransferGroup?
    private(set) var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    private var runningCount = 0
    private var waiting: [HTTPExchange] = []
    private var isClosed = false
    private var isBeginning = false
    // Fires when the first request may have no time left.
    private var timer: RLTimer?
    private var timerIsDue: ContinuousClock.Instant?

    init(_ configuration: RLHTTPClientConfiguration, _ modes: [RLRunLoop.Mode]) {
        self.configuration = configuration
        self.modes = modes
    }

    /// Whether the process has forked since.
    var isInherited: Bool {
        group.map { RLTransferGroupIsInherited($0) } ?? false
    }

    /// Begins a request, or has it wait for its turn.
    func add(_ exchange: HTTPExchange, _ key: ObjectIdentifier) {
        exchanges[key] = exchange
        exchange.await(
            watch: { [unowned self, unowned exchange] in watch(exchange) },
            whenOver: { [unowned self, unowned exchange] in
                exchanges[key] = nil
                if let index = waiting.firstIndex(where: { $0 === exchange }) {
                    waiting.remove(at: index)
                } else {
                    runningCount -= 1
                    beginNext()
                }
            }
        )
        let rank = exchange.request.priority.rawValue
        let index = waiting.firstIndex { $0.request.priority.rawValue < rank }
        waiting.insert(exchange, at: index ?? waiting.endIndex)
        beginNext()
        watch(exchange)
    }

    func resume(_ key: ObjectIdentifier) {
        exchanges[key]?.resume()
        beginNext()
    }

    private func beginNext() {
        // A request that fails at once comes back here; the loop below goes on with the next one.
        if isBeginning || isInherited { return }
        isBeginning = true
        defer { isBeginning = false }
        while !isClosed, runningCount < max(1, configuration.requestsAtATime),
            let index = waiting.firstIndex(where: { !$0.isHeld })
        {
            let exchange = waiting.remove(at: index)
            runningCount += 1
            do throws(RLHTTPError) {
                exchange.begin(in: try openGroup(), modes: modes)
            } catch {
                exchange.finish(.failure(error))
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
            max(0, configuration.idleConnections),
            configuration.keepsCookies
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
    }

    // --- Limits of time ---

    /// Has the timer fire when the time of a request is over, if that is earlier than now.
    private func watch(_ exchange: HTTPExchange) {
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
                exchange.finish(.failure(.timedOut))
            } else {
                watch(exchange)
            }
        }
    }
}
