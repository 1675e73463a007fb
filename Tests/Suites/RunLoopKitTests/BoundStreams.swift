import RunLoopKit
import Testing

/// Two streams of the kit with a buffer between them.
func makeBoundStreams(_ size: Int) -> (RLInputStream, RLOutputStream)? {
    var input: RLInputStream?
    var output: RLOutputStream?
    RLStream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
    guard let input, let output else {
        Issue.record("no streams")
        return nil
    }
    return (input, output)
}

/// Two streams of the engine with a buffer of 16 bytes between them.
typealias BoundPair = (reader: RLReadStreamRef, writer: RLWriteStreamRef)

/// The ways to end a wait for bytes or space.
enum EndOfWait: CaseIterable {
    case cancellation, thread, close, peer

    /// Lets many tasks wait, and ends each wait in this way.
    ///
    /// - Parameters:
    ///   - opensReader: Whether the stream of the reader is open before.
    ///   - wait: Waits with a stream of a pair, on a loop, and returns its outcome.
    ///   - close: Closes the stream.
    ///   - end: Ends the other one.
    /// - Returns: The outcomes, or the types of the errors.
    /// - Throws: If there is no pair of streams.
    func outcomes(
        opensReader: Bool = true,
        wait: @escaping @Sendable (BoundPair, RLRunLoopRef) async throws -> String,
        close: (BoundPair) async -> Void,
        end: (BoundPair) -> Void
    ) async throws -> Set<String> {
        var outcomes: Set<String> = []
        for _ in 0..<50 {
            let worker = RLPermanentThread(name: "waiting")
            let loop = worker.runLoop
            let pair = try #require(RLStreamCreateBoundPair(bufferSize: 16))
            if opensReader { RLReadStreamOpen(pair.reader) }
            RLWriteStreamOpen(pair.writer)
            let task = Task {
                do {
                    return try await wait(pair, loop)
                } catch {
                    return "\(type(of: error))"
                }
            }
            if Bool.random() { await Task.yield() }
            switch self {
            case .cancellation: task.cancel()
            case .thread: worker.stop()
            case .close: await close(pair)
            case .peer: end(pair)
            }
            outcomes.insert(await task.value)
            RLReadStreamClose(pair.reader)
            RLWriteStreamClose(pair.writer)
            worker.stop()
            worker.join()
        }
        return outcomes
    }
}
