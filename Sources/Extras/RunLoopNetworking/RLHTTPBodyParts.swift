public import FoundationEssentials
import RunLoopKit

/// The parts of a body in the order of arrival, for one task.
///
/// Back-pressure: while 256 KiB are unread, the client does not read from the connection. The
/// sequence ends with the body, or throws an ``RLHTTPError``. Releasing the last reference to the
/// sequence cancels the request.
///
/// Foundation: URLSession.AsyncBytes, in pieces instead of single bytes.
public struct RLHTTPBodyParts: AsyncSequence, Sendable {
    /// Some bytes of the body.
    public typealias Element = Data
    /// The failure is an ``RLHTTPError``.
    public typealias Failure = any Error

    private let holder: Holder

    init(_ operation: RLHTTPRequestOperation, _ parts: PartQueue) {
        holder = Holder(operation, parts)
    }

    /// Iterates over the remaining parts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let holder: Holder

        /// Waits for the next part and returns it; nil at the end.
        ///
        /// Cancelling the task cancels the request. Throws an ``RLHTTPError``.
        public mutating func next() async throws -> Data? {
            try await holder.next()
        }
    }

    /// Returns an iterator over the remaining parts, which all iterators share.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(holder: holder)
    }

    fileprivate final class Holder: Sendable {
        private let operation: RLHTTPRequestOperation
        private let parts: PartQueue

        init(_ operation: RLHTTPRequestOperation, _ parts: PartQueue) {
            self.operation = operation
            self.parts = parts
        }

        deinit {
            operation.cancel()
        }

        func next() async throws -> Data? {
            let operation = operation
            let (part, isResumed) = try await withTaskCancellationHandler {
                try await parts.next()
            } onCancel: {
                operation.cancel()
            }
            if isResumed { operation.resume() }
            return part
        }
    }
}

/// Passes parts from the network thread to a task.
final class PartQueue: Sendable {
    static let mostBytes = 262_144

    private typealias Waiter = CheckedContinuation<(Data?, Bool), any Error>

    private struct Situation {
        var parts: [Data] = []
        var byteCount = 0
        var isPaused = false
        var end: Result<RLHTTPResponse, RLHTTPError>?
        var waiter: Waiter?
    }

    private let situation = Locked(Situation())
    private let headOutcome = Outcome<RLHTTPResponse>()

    func head() async throws -> RLHTTPResponse {
        try await headOutcome.value()
    }

    func begin(_ head: RLHTTPResponse) {
        headOutcome.come(.success(head))
    }

    /// Adds bytes; returns false if the queue is full, so that libcurl repeats the bytes later.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let part = Data(bytes)
        let (isTaken, waiter): (Bool, Waiter?) = situation.withLock { situation in
            if let waiter = situation.waiter {
                situation.waiter = nil
                return (true, waiter)
            }
            if situation.byteCount >= Self.mostBytes {
                situation.isPaused = true
                return (false, nil)
            }
            situation.parts.append(part)
            situation.byteCount += part.count
            return (true, nil)
        }
        waiter?.resume(returning: (part, false))
        return isTaken
    }

    func end(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        let waiter: Waiter? = situation.withLock { situation in
            situation.end = result
            defer { situation.waiter = nil }
            return situation.waiter
        }
        headOutcome.come(result)
        waiter?.resume(with: result.map { _ in (nil, false) }.mapError { $0 })
    }

    // Returns the next part, or nil at the end. If the flag is true, the caller must resume the
    // transfer, which is paused.
    func next() async throws -> (Data?, Bool) {
        try await withCheckedThrowingContinuation { waiter in
            let answer: Result<(Data?, Bool), RLHTTPError>? = situation.withLock { situation in
                if situation.parts.isEmpty {
                    if let end = situation.end { return end.map { _ in (nil, false) } }
                    if situation.waiter != nil {
                        stopProcess(
                            "RLHTTPBodyParts",
                            "two tasks wait for the next part of a body: iterate over it "
                                + "in one task"
                        )
                    }
                    situation.waiter = waiter
                    return nil
                }
                let part = situation.parts.removeFirst()
                situation.byteCount -= part.count
                let isResumed = situation.isPaused && situation.byteCount < Self.mostBytes / 2
                if isResumed { situation.isPaused = false }
                return .success((part, isResumed))
            }
            if let answer { waiter.resume(with: answer.mapError { $0 }) }
        }
    }
}

final class PartSink: BodySink {
    private let parts: PartQueue

    init(_ parts: PartQueue) {
        self.parts = parts
    }

    func begin(_ head: RLHTTPResponse) throws(RLHTTPError) {
        parts.begin(head)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool {
        parts.add(bytes)
    }

    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse {
        response
    }
}
