import Dispatch
public import RunLoopNetworking
import ThreadKit

/// An operation whose closures record their calls, on a queue of its own.
public final class Fetch: Sendable {
    /// The operation, which the object starts with ``run()``.
    public let operation: RLHTTPRequestOperation
    private let record: Record

    /// The recorded calls; the closures retain them and not the operation.
    private final class Record: Sendable {
        let log = Log<String>()
        let results = Log<Result<RLHTTPResponse, RLHTTPError>>()
        let progress = Log<RLHTTPProgress>()
        let hasBegunToReceive = Gate()
        let isComplete = Gate()
    }

    /// Makes an operation; the caller starts it.
    public init(
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

    /// The calls of `progress` and `completion`, in order.
    public var calls: [String] { record.log.entries }

    /// The arguments of all calls of `progress`.
    public var progress: [RLHTTPProgress] { record.progress.entries }

    /// The arguments of all calls of `completion`.
    public var results: [Result<RLHTTPResponse, RLHTTPError>] { record.results.entries }

    /// The error of the operation; nil if it has none.
    public var error: RLHTTPError? {
        if case .failure(let error) = results.first { error } else { nil }
    }

    /// Starts the operation and waits for its end.
    public func run() -> RLHTTPResponse? {
        operation.start()
        return waitForCompletion()
    }

    /// Waits until bytes were received.
    public func waitForProgress() {
        record.hasBegunToReceive.wait()
    }

    /// Waits for the end; nil if the operation has failed.
    @discardableResult
    public func waitForCompletion() -> RLHTTPResponse? {
        record.isComplete.wait()
        return try? results.first?.get()
    }
}
