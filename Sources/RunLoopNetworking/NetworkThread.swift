// The thread on which requests run, and what runs on it.

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

/// The exchanges of the calling thread, which keeps them until they are over.
final class Exchanges {
    private var running: [ObjectIdentifier: HTTPExchange] = [:]
    private var exitToken: RLNotificationCenter.Token?

    private static let key = "RunLoopNetworking.Exchanges"

    /// Those of the calling thread.
    static func ofThread() -> Exchanges {
        let thread = RLThread.current
        if let known = thread.threadDictionary[key] as? Exchanges { return known }
        let made = Exchanges()
        thread.threadDictionary[key] = made
        let name = RLThread.willExitNotification
        made.exitToken = RLNotificationCenter.default.addObserver(forName: name, object: thread) {
            _ in
            // It is posted on the thread that ends.
            (RLThread.current.threadDictionary[key] as? Exchanges)?.threadEnds()
        }
        return made
    }

    func begin(_ operation: RLHTTPRequestOperation) {
        guard let exchange = operation.makeExchange() else { return }
        let key = ObjectIdentifier(operation)
        running[key] = exchange
        exchange.begin { [unowned self] in running[key] = nil }
    }

    func cancel(_ operation: RLHTTPRequestOperation) {
        running[ObjectIdentifier(operation)]?.finish(.failure(.cancelled))
    }

    private func threadEnds() {
        // The next thread may be at the same address.
        if let exitToken { RLNotificationCenter.default.removeObserver(exitToken) }
        for exchange in running.values { exchange.finish(.failure(.threadEnded)) }
    }
}
