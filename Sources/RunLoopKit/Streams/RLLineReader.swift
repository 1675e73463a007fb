import CRunLoop.Wrapping
import CoreRunLoop

/// Reads lines from a stream, and calls a closure with each line on the thread of the stream's
/// loop.
///
/// ```swift
/// reader = RLLineReader(connection.input) { line in
///     print(line)
/// } whenOver: { error in
///     print(error ?? "the end")
/// }
/// connection.input.schedule(in: .current, forMode: .common)
/// connection.input.open()
/// ```
///
/// The stream may be of any kind, such as a file or a connection with TLS. A line ends with `\n` or
/// `\r\n`, which the reader removes; the last line may lack this end. Bytes that are not UTF-8
/// become U+FFFD, the replacement character.
///
/// The reader is the stream's delegate and retains the stream. The stream does not retain the
/// reader: keep it in a property. Releasing the reader stops reading. The closures are confined to
/// the thread that creates the reader, and are released on that thread when reading ends.
///
/// In async code use ``RLInputStream/lines(maximumLength:on:mode:)``.
///
/// Foundation has no counterpart.
public final class RLLineReader {
    private let stream: RLInputStream
    private let lines: Lines
    private let loop: RLRunLoop

    /// Creates a reader as the delegate of a stream.
    ///
    /// Schedule and open the stream afterwards.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - maximumLength: The maximum number of bytes in a line without its end. A negative number
    ///     stops the process.
    ///   - line: Called with each line.
    ///   - whenOver: Called once after the last line, with nil at EOF, the stream's error, or an
    ///     ``RLLineLengthError``. It is not called if the stream is closed or the reader is
    ///     released before.
    public init(
        _ stream: RLInputStream,
        maximumLength: Int = 65536,
        line: @escaping (String) -> Void,
        whenOver: @escaping ((any Error)?) -> Void
    ) {
        checkGiver("RLLineReader.init")
        self.stream = stream
        loop = RLRunLoop.wrapper(of: RLRunLoopGetCurrent())
        let buffer = LineBuffer(maximumLength: maximumLength, "RLLineReader.init")
        lines = Lines(buffer, Lines.Closures(line: line, whenOver: whenOver))
        if !loop.belongings.insert(lines) { lines.letGo() }
        stream.delegate = lines
    }

    deinit {
        loop.belongings.letGo(of: lines, on: loop.loop)
    }
}

/// A reader is confined to the thread that creates it.
@available(*, unavailable, message: "lines(maximumLength:on:mode:) is for tasks on any thread")
extension RLLineReader: Sendable {}

private final class Lines: RLStreamDelegate, ThreadBelonging {
    struct Closures {
        let line: (String) -> Void
        let whenOver: ((any Error)?) -> Void
    }

    private var buffer: LineBuffer
    private var closures: Closures?

    init(_ buffer: LineBuffer, _ closures: Closures) {
        self.buffer = buffer
        self.closures = closures
    }

    func letGo() {
        // The content is released at the end of this function: destructors may use the reader.
        let given = closures
        closures = nil
        withExtendedLifetime(given) {}
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        guard let input = stream as? RLInputStream else { return }
        switch event {
        case .hasBytesAvailable: read(input)
        case .endEncountered: end(input)
        case .errorOccurred: end(with: input.streamError)
        default: break
        }
    }

    private func read(_ input: RLInputStream) {
        guard closures != nil else { return }
        let count = LineBuffer.readChunk(of: input) { buffer.append($0) }
        if count < 0 { return end(with: input.streamError) }
        callWithLines()
    }

    /// Calls the closure with each complete line.
    ///
    /// The closure may end the reader, or may run the loop, which also reads lines.
    private func callWithLines() {
        do throws(RLLineLengthError) {
            while let closures, let line = try buffer.takeLine() {
                noteFunction(closures)
                closures.line(line)
            }
        } catch {
            end(with: error)
        }
    }

    private func end(_ input: RLInputStream) {
        callWithLines()
        do throws(RLLineLengthError) {
            if let closures, let line = try buffer.takeRest() { closures.line(line) }
            end(with: nil)
        } catch {
            end(with: error)
        }
    }

    private func end(with error: (any Error)?) {
        guard let closures else { return }
        self.closures = nil
        closures.whenOver(error)
    }
}
