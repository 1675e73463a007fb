import CRunLoopDiagnostics
public import Glibc
import RunLoopKit

/// A text with the state of all run loops of the process.
///
/// For each loop, the text has the thread, the activity and its duration, the mode, the current
/// callback with a backtrace, and the numbers of sources, timers and observers in the modes.
///
/// ```swift
/// try RLRunLoopDump.write(at: SIGUSR2)     // kill -USR2 shows what hangs
/// ```
///
/// Foundation has no counterpart.
public struct RLRunLoopDump: Sendable, CustomStringConvertible {
    /// The reason why a signal cannot trigger dumps.
    public struct Failure: Error, CustomStringConvertible {
        /// The error number, such as EBUSY if the signal already triggers dumps.
        public let number: CInt

        /// The text and the name of the error number.
        public var description: String {
            describeError(number)
        }
    }

    /// The text of the dump, with several lines for each loop.
    public let description: String

    /// Creates a dump of all loops without stopping them.
    ///
    /// A loop that is in a callback receives the signal of ``RLBacktrace``.
    public init() {
        let text = RLRunLoopCopyDump()
        description = text.map { String(cString: $0) } ?? ""
        free(text)
    }

    static func lines() -> [ReportLine] {
        var lines: [ReportLine] = []
        let visit: @convention(c) (UnsafePointer<RLDumpLine>?, UnsafeMutableRawPointer?) -> Void = {
            line,
            info in
            guard let line = line?.pointee, let info else { return }
            let made = ReportLine(
                text: String(cString: line.text),
                function: line.function.map { String(cString: $0) },
                address: line.address.map { UInt(bitPattern: $0) },
                isOnStack: line.isOnStack
            )
            info.assumingMemoryBound(to: [ReportLine].self).pointee.append(made)
        }
        withUnsafeMutablePointer(to: &lines) { RLRunLoopVisitDump(visit, $0) }
        return lines
    }

    private init(_ text: UnsafePointer<CChar>) {
        description = String(cString: text)
    }

    /// Writes a dump whenever a signal arrives.
    ///
    /// The signal handler only wakes up a separate thread, which makes the dump, so the signal may
    /// arrive at any time. Signals that arrive during a dump are coalesced.
    ///
    /// - Parameters:
    ///   - signal: The signal, such as SIGUSR2. Its handler is replaced.
    ///   - descriptor: The descriptor for the dumps. Keep it open until ``end(at:)``.
    /// - Throws: ``Failure`` if the signal cannot be caught or already triggers dumps.
    public static func write(
        at signal: CInt,
        to descriptor: CInt = STDERR_FILENO
    ) throws(Failure) {
        let result = RLRunLoopDumpOnSignal(signal, descriptor)
        if result < 0 { throw Failure(number: -result) }
    }

    /// Calls a handler with a dump whenever a signal arrives.
    ///
    /// - Parameters:
    ///   - signal: The signal. Its handler is replaced.
    ///   - handler: Called on the thread that makes the dumps; released by ``end(at:)``.
    /// - Throws: ``Failure`` if the signal cannot be caught or already triggers dumps.
    public static func take(
        at signal: CInt,
        handler: @escaping @Sendable (RLRunLoopDump) -> Void
    ) throws(Failure) {
        // The function consumes the reference to the box, unless it fails.
        let box = Unmanaged.passRetained(DumpHandler(handler))
        let result = RLRunLoopDumpOnSignalWithHandler(
            signal,
            { text, info in
                guard let text, let info else { return }
                // The box is retained during the call.
                let box = Unmanaged<DumpHandler>.fromOpaque(info).takeUnretainedValue()
                box.handler(RLRunLoopDump(text))
            },
            { info in info.map { Unmanaged<DumpHandler>.fromOpaque($0).release() } },
            box.toOpaque()
        )
        guard result < 0 else { return }
        box.release()
        throw Failure(number: -result)
    }

    /// Ends the dumps of a signal, and restores its former handler.
    ///
    /// Waits for a dump in progress, unless the dump's handler calls this method.
    public static func end(at signal: CInt) {
        RLRunLoopEndDumpOnSignal(signal)
    }
}

private final class DumpHandler: Sendable {
    let handler: @Sendable (RLRunLoopDump) -> Void

    init(_ handler: @escaping @Sendable (RLRunLoopDump) -> Void) {
        self.handler = handler
    }
}
