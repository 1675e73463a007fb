import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// Where the functions of another process are in their source, as debug information has it.
///
/// The lookups of several threads take turns.
package final class SourceLines: @unchecked Sendable {
    /// A function that is at work at an address, and where.
    package struct Place: Sendable {
        /// The function's name, without which it may be known.
        package let function: String?
        /// The path of the file; nil if the place is not known.
        package let file: String?
        /// The line; nil if the place is not known.
        package let line: Int?
        /// How far the address is from the beginning of the function.
        package let offset: UInt64
        /// Whether it is inlined into the function of the next place.
        package let isInlined: Bool

        /// As in `/home/me/app/Document.swift:42`, or nil.
        package var text: String? {
            guard let file, let line else { return nil }
            return "\(file):\(line)"
        }

        /// As in `Document.swift:42`, or nil.
        package var shortText: String? {
            guard let file, let line else { return nil }
            return "\(file.split(separator: "/").last ?? ""):\(line)"
        }
    }

    // Proof of `@unchecked Sendable`: a constant, and the functions that take it are thread-safe.
    private let reference: RLSourceLinesRef?
    private let known = Locked<[UInt: [Place]]>([:])

    /// Those of another process.
    package init(ofProcess number: Int32) {
        reference = RLSourceLinesCreate(number)
    }

    deinit {
        RLSourceLinesDestroy(reference)
    }

    /// Forgets what is not so any more, if the process has loaded or unloaded a library.
    package func update() {
        if RLSourceLinesUpdate(reference) { known.withLock { $0 = [:] } }
    }

    /// The functions at an address, the innermost first; those inlined into the last one included.
    ///
    /// Empty if nothing is known.
    package func places(at address: UInt) -> [Place] {
        if let places = known.withLock({ $0[address] }) { return places }
        let places = Self.lookUp(address, reference)
        known.withLock { $0[address] = places }
        return places
    }

    /// The functions at an address of this process, as it is now or was when a few look-ups began.
    static func ownPlaces(
        at address: UInt,
        _ lines: RLSourceLinesRef? = RLSourceLinesGetOwn()
    ) -> [Place] {
        lookUp(address, lines)
    }

    private static func lookUp(_ address: UInt, _ lines: RLSourceLinesRef?) -> [Place] {
        var count = 0
        let frames = RLSourceLinesCopyFrames(lines, UInt64(address), &count)
        defer { free(frames) }
        return UnsafeBufferPointer(start: frames, count: count).map(Place.init)
    }

    /// The place of the function at an address, without what is inlined into it.
    package func place(at address: UInt) -> Place? {
        places(at: address).last
    }
}

extension SourceLines.Place {
    fileprivate init(_ frame: RLSourceFrame) {
        function = frame.function.map { name in
            let readable = RLSymbolCopyReadableName(name)
            defer { free(readable) }
            return readable.map { String(cString: $0) } ?? String(cString: name)
        }
        file = frame.file.map { String(cString: $0) }
        line = frame.line > 0 ? Int(frame.line) : nil
        offset = frame.offset
        isInlined = frame.isInlined
    }
}
