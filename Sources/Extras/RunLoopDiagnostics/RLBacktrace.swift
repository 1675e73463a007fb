import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// A backtrace of a thread: its functions, the innermost first, with names.
///
/// Foundation: Thread.callStackSymbols, but of any thread.
public struct RLBacktrace: Sendable, CustomStringConvertible {
    /// One function.
    public struct Frame: Sendable, CustomStringConvertible {
        /// An address in the function: of the current instruction, or of the call.
        ///
        /// An inlined function has the address of the function that it is inlined into.
        public let address: UInt

        /// The function's name, or nil if it is not known.
        ///
        /// Swift and C++ names are demangled.
        public let symbol: String?

        /// The offset of the address in the function, or in the program or library.
        public let offset: UInt64

        /// The path of the program or library, or nil if the address is in neither.
        public let image: String?

        /// The path of the source file, as given to the compiler.
        ///
        /// Known in the reports of an ``RLStallMonitor`` that finds lines, if there is debug
        /// information.
        public let file: String?

        /// The line in the source file: of the call, or of the current instruction.
        ///
        /// If the address is that of a function, the line is where the function is declared. Nil if
        /// the file is.
        public let line: Int?

        /// Whether the compiler has inlined the function into that of the next frame.
        public let isInlined: Bool

        /// Finds the name of the function at an address, in the table of names of its file.
        public init(address: UInt) {
            var offset: UInt64 = 0
            var image: UnsafeMutablePointer<CChar>?
            let pointer = UnsafeRawPointer(bitPattern: address)
            let symbol = RLSymbolCopyName(pointer, &offset, &image)
            self.init(
                address: address,
                symbol: symbol.map { String(cString: $0) },
                offset: offset,
                image: image.map { String(cString: $0) }
            )
            free(symbol)
            free(image)
        }

        init(
            address: UInt,
            symbol: String?,
            offset: UInt64,
            image: String?,
            place: SourcePlace? = nil
        ) {
            self.address = address
            self.symbol = symbol
            self.offset = offset
            self.image = image
            file = place?.file
            line = place?.line
            isInlined = place?.isInlined ?? false
        }

        /// The frame in the form `12  program  main + 34 at /home/me/program/main.swift:56`,
        /// without the number.
        public var description: String {
            printable(program) + "  " + printable(name) + printable(place.map { " at \($0)" } ?? "")
        }
    }

    /// The reason for which a thread has no backtrace.
    public enum Failure: Error, Sendable {
        /// There is no thread of that number in this process.
        case noSuchThread
        /// The thread blocks the signal.
        case signalIsBlocked
        /// The thread did not handle the signal in time.
        case noAnswer
        /// All real-time signals are in use, or the choice is to use none.
        case noSignal
        /// Other code uses the signal.
        case signalIsTaken
        /// The thread had left the examined callback before it handled the signal.
        case wentOn
    }

    /// The functions, the innermost first.
    public let frames: [Frame]

    /// Takes the backtrace of a thread, whatever it does.
    ///
    /// The thread receives the signal of backtraces, which interrupts some calls: see ``use(_:)``.
    /// The names of its functions are looked up after it continues.
    ///
    /// - Parameters:
    ///   - thread: The kernel's thread ID, as in `RLRunLoopStatistics`.
    ///   - timeout: The time-out for the thread's answer.
    /// - Throws: ``Failure`` if the thread has no backtrace.
    public init(ofThread thread: Int32, timeout: Duration = .milliseconds(200)) throws(Failure) {
        frames = try Self.addresses(ofThread: thread, timeout).map(Frame.init(address:))
    }

    /// Returns the frames with their places in the source, and with inlined functions.
    func located(by symbolizer: Symbolizer) -> Self {
        let places = symbolizer.places(at: frames.map(\.address))
        return Self(frames: frames.flatMap { $0.located(places[$0.address] ?? []) })
    }

    init(frames: [Frame]) {
        self.frames = frames
    }

    /// Takes the return addresses of a thread without symbolizing them.
    static func addresses(
        ofThread thread: Int32,
        _ timeout: Duration
    ) throws(Failure) -> [UInt] {
        var addresses = [UnsafeRawPointer?](repeating: nil, count: 128)
        let seconds = Double(timeout.nanoseconds) / 1e9
        let count = RLThreadGetBacktrace(thread, &addresses, addresses.count, seconds)
        switch -CInt(count) {
        case ESRCH: throw .noSuchThread
        case EPERM: throw .signalIsBlocked
        case ETIMEDOUT: throw .noAnswer
        case EAGAIN: throw .noSignal
        case EBUSY: throw .signalIsTaken
        default: return addresses.prefix(max(0, count)).map { UInt(bitPattern: $0) }
        }
    }

    /// Unblocks the signal of backtraces in the calling thread.
    ///
    /// Threads that libdispatch's or Swift's threads start block all signals. For the thread
    /// of a loop that an ``RLStallMonitor`` watches no call is needed; it blocks the signal again
    /// after that was stopped.
    public static func allowOnCurrentThread() {
        RLThreadAllowBacktrace()
    }

    /// The callback: the client's function next to the loop's own.
    ///
    /// Nil if the thread was in no callback.
    public var callback: Frame? {
        // Frames of Swift's runtime may be between the loop and the client.
        calledFrames.last { !$0.isOfRuntime }
    }

    /// The innermost function of the program or library that the callback belongs to.
    ///
    /// It computes, or calls into the system. Functions of Swift's library do not count. Nil if the
    /// thread was in no callback.
    public var guilty: Frame? {
        calledFrames.first { $0.image == callback?.image && !$0.isOfRuntime }
    }

    /// One line for each frame; frames inlined into the next one have no number.
    public var description: String {
        lines.map(\.description).joined(separator: "\n")
    }

    /// The lines of the description.
    var lines: [ReportLine] {
        var number = 0
        return frames.map { frame in
            let column = frame.isInlined ? "" : String(number)
            if !frame.isInlined { number += 1 }
            let space = String(repeating: " ", count: max(1, 4 - column.count))
            return frame.line(after: column + space, isOnStack: true)
        }
    }

    /// Whether the thread was in a callback of a loop.
    var isInCallback: Bool { frames.contains(where: \.callsClients) }

    /// The frames above the loop's innermost call to a client, without forwarding functions.
    var calledFrames: [Frame] {
        let door = frames.firstIndex(where: \.callsClients)
        // The library notes a closure for the tracer before it calls the closure.
        guard let door, !frames[..<door].contains(where: { $0.symbol == noteOfClosure }) else {
            return []
        }
        let called = frames[..<door].indices.filter { place in
            let callee = place > 0 ? frames[place - 1].symbol : nil
            return !frames[place].onlyPassesOn || frames[place].hasInlined(butCalls: callee)
        }
        return called.map { frames[$0] }
    }
}

extension RLBacktrace.Frame {
    /// Returns the frame with its place in the source, preceded by the functions inlined there.
    func located(_ places: [SourcePlace]) -> [Self] {
        guard let own = places.last else { return [self] }
        let inlined = places.dropLast().map { place in
            Self(address: address, symbol: place.function, offset: 0, image: image, place: place)
        }
        let name = symbol ?? own.function
        return inlined
            + [Self(address: address, symbol: name, offset: offset, image: image, place: own)]
    }

    /// The place in the form `/home/me/app/Document.swift:42`; nil if it is unknown.
    var place: String? {
        guard let file, let line else { return nil }
        return "\(file):\(line)"
    }

    /// A line of a report: the prefix and the frame's function.
    func line(after beginning: String, isOnStack: Bool = false) -> ReportLine {
        let isNamed = symbol != nil
        return ReportLine(
            text: beginning + printable(program) + "  ",
            function: isNamed ? printable(name + (place.map { " at \($0)" } ?? "")) : nil,
            address: address,
            isOnStack: isOnStack
        )
    }

    /// The last part of the image's path.
    private var program: String { image?.split(separator: "/").last.map(String.init) ?? "?" }

    /// The name in the form `main + 34`.
    private var name: String {
        guard let symbol else { return hexadecimal(address) }
        return isInlined ? "[inlined] \(symbol)" : "\(symbol) + \(offset)"
    }

    /// Whether this is a function of the engine that calls clients.
    fileprivate var callsClients: Bool {
        guard let symbol else { return false }
        return symbol.hasPrefix("__RLRUNLOOP_IS_") || callersOfClients.contains(symbol)
    }

    /// Whether this is a function of a sanitizer or of Swift's runtime, whose generic functions are
    /// compiled into the program.
    fileprivate var isOfRuntime: Bool {
        symbol.map(Self.isOfRuntime) ?? false
    }

    /// Whether this is a forwarding function between the loop and its client: of this package, of
    /// libdispatch, or made by the compiler.
    var onlyPassesOn: Bool {
        symbol.map(Self.onlyPassesOn) ?? false
    }

    /// Whether this is a function of this package.
    var isOfPackage: Bool {
        symbol.map { Self.isOfPackage(withoutSpecialization($0)) } ?? false
    }

    fileprivate func hasInlined(butCalls callee: String?) -> Bool {
        symbol.map { Self.hasInlined($0, butCalls: callee) } ?? false
    }

    static func isOfRuntime(_ symbol: String) -> Bool {
        let name = withoutSpecialization(symbol)
        // With static linking, Swift's modules have the same image as the client.
        let modules = [
            "Swift", "FoundationEssentials", "Foundation", "Dispatch", "Synchronization",
        ]
        let beginnings = [
            "swift_", "_swift_", "__swift_", "swift::", "__interceptor_", "___interceptor_",
            "__tsan", "__asan",
            "__sanitizer", "__ubsan",
        ]
        return beginnings.contains(where: name.hasPrefix)
            || modules.contains { module in
                ["\(module).", "static \(module).", "(extension in \(module))"]
                    .contains(where: name.hasPrefix)
            }
    }

    static func onlyPassesOn(_ symbol: String) -> Bool {
        let name = withoutSpecialization(symbol)
        let made = [
            "reabstraction thunk", "partial apply", "@objc", "thunk for", "protocol witness for",
            "_dispatch_", "dispatch_",
        ]
        return made.contains(where: name.hasPrefix) || isOfPackage(name)
    }

    private static func isOfPackage(_ name: Substring) -> Bool {
        ownNames.contains { name.hasPrefix($0) || name.contains(" in " + $0) }
    }

    /// Whether the optimizer has inlined the client's function into a forwarding function of the
    /// compiler.
    ///
    /// Otherwise the forwarder calls the client's function.
    static func hasInlined(_ symbol: String, butCalls callee: String?) -> Bool {
        let name = withoutSpecialization(symbol)
        guard let target = targetOfForwarder(name), !onlyPassesOn(String(target)) else {
            return false
        }
        let isWitness = name.hasPrefix(witnessPrefix)
        let expected = isWitness ? name : withoutSpecialization(String(target))
        return callee.map { TraceNames.shortened(String(withoutSpecialization($0))) }
            != TraceNames.shortened(String(expected))
    }
}

private let noteOfClosure = "RLRunLoopNoteCalloutFunction"

private let witnessPrefix = "protocol witness for "

/// The target of a forwarding function of the compiler; nil for other functions.
///
/// For a protocol witness, the target is the conforming type.
private func targetOfForwarder(_ name: Substring) -> Substring? {
    if name.hasPrefix(witnessPrefix) {
        return name.firstRange(of: " in conformance ").map { name[$0.upperBound...] }
    }
    for made in ["partial apply forwarder for ", "@objc "] where name.hasPrefix(made) {
        return name.dropFirst(made.count)
    }
    return nil
}

/// The original of a specialized function: the text after ` of ` in `generic specialization
/// <Swift.Int> of A.f<B>(B) -> ()`.
func withoutSpecialization(_ symbol: String) -> Substring {
    var name = symbol[...]
    if name.hasPrefix("merged ") { name = name.dropFirst("merged ".count) }
    while name.hasPrefix("generic ") || name.hasPrefix("function signature ") {
        guard let end = name.firstRange(of: "> of ")?.upperBound else { return name }
        name = name[end...]
    }
    return name
}

/// Functions of the engine, between the loop and the client, that call the client: the callbacks of
/// the engine's own sources, and blocks.
private let callersOfClients: Set = [
    "rl_callout_signal", "rl_callout_process", "rl_callout_file", "rl_callout_message",
    "rl_callout_file_descriptor", "rl_callout_mach_port", "rl_callout_socket",
    "rl_callout_host", "rl_callout_read_stream", "rl_callout_write_stream", "call_timer_block",
    "call_observer_block",
]

/// Prefixes of this package's symbols; closures follow `in`.
private let ownNames = ["CoreRunLoop", "RunLoopKit", "RunLoopConcurrency", "RunLoopNetworking"]
    .flatMap {
        ["\($0).", "static \($0).", "(extension in \($0)):", "static (extension in \($0)):"]
    }
