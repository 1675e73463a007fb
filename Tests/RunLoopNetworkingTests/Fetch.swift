import Dispatch
import RunLoopNetworking
import ThreadKit

/// An operation with closures that write down what happens, on a queue of its own.
final class Fetch: Sendable {
    let operation: RLHTTPRequestOperation
    private let record: Record

    /// What the closures write down; they hold it, and not the operation.
    private final class Record: Sendable {
        let log = Log<String>()
        let results = Log<Result<RLHTTPResponse, RLHTTPError>>()
        let progress = Log<RLHTTPProgress>()
        let hasBegunToReceive = Gate()
        let isComplete = Gate()
    }

    init(
        _ request: RLHTTPRequest,
        on thread: RLPermanentThread = .networkRequestThread,
        modes: [RLRunLoop.Mode] = [.common],
        onProgress: (@Sendable (RLHTTPProgress) -> Void)? = nil,
        onCompletion: (@Sendable () -> Void)? = nil
    ) {
        let queue = DispatchQueue(label: "fetch")
        let record = Record()
        self.record = record
        operation = RLHTTPRequestOperation(
            request,
            on: thread,
            runLoopModes: modes,
            callbackQueue: queue,
            progress: { progress in
                dispatchPrecondition(condition: .onQueue(queue))
                record.log.add("progress")
                record.progress.add(progress)
                onProgress?(progress)
                record.hasBegunToReceive.open()
            },
            completion: { result in
                dispatchPrecondition(condition: .onQueue(queue))
                record.log.add("completion")
                record.results.add(result)
                onCompletion?()
                record.isComplete.open()
            }
        )
    }

    /// `progress` and `completion`, in the order in which they were called.
    var calls: [String] { record.log.entries }

    /// All that was told of progress.
    var progress: [RLHTTPProgress] { record.progress.entries }

    /// All that completed it.
    var results: [Result<RLHTTPResponse, RLHTTPError>] { record.results.entries }

    /// The error with which it has failed, if it has.
    var error: RLHTTPError? {
        if case .failure(let error) = results.first { error } else { nil }
    }

    /// Starts the operation and waits for its end.
    func run() -> RLHTTPResponse? {
        operation.start()
        return waitForCompletion()
    }

    func waitForProgress() {
        record.hasBegunToReceive.wait()
    }

    @discardableResult
    func waitForCompletion() -> RLHTTPResponse? {
        record.isComplete.wait()
        return try? results.first?.get()
    }
}
