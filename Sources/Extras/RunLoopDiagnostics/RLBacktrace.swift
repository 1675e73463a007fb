import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// A backtrace of a thread: the active functions with their names, innermost first.
///
/// Foundation: Thread.callStackSymbols, but of any thread.
public struct RLBacktrace: Sendable, CustomStringConvertible {
    /// A frame of a function.
    public struct Frame: Sendable, CustomStringConvertible {
        /// The address of the current instruction, or of the call.
        ///
        /// The frame of an inlined function has the address of the frame that it is inlined into.
        public let address: UInt

        /// The function's name; nil if it is unknown.
        ///
        /// Swift and C++ names are demangled.
        public let symbol: String?

        /// The offset of the address from the beginning of the function or, without a name, of the
        /// image.
        public let offset: UInt64

        /// The path of the program or library; nil if the address is in neither.
        public let image: String?

        /// The path of the source file, as given to the compiler.
        ///
        /// Set only in the reports of an ``RLStallMonitor`` with
        /// ``RLStallMonitor/Configuration/findsLines``, if there is debug information.
        public let file: String?

        /// The line of the call or of the current instruction in the source file; nil if ``file``
        /// is nil.
        ///
        /// If the address is the beginning of a function, this is the line of its declaration.
        public let line: Int?

        /// Whether the compiler has inlined the function into the function of the next frame.
        public let isInlined: Bool

        /// Looks up the function at an address in the symbol table of its file.
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

    /// The reason why a thread has no backtrace.
    public enum Failure: Error, Sendable {
        /// This process has no thread with this ID.
        case noSuchThread
        /// The thread blocks the signal.
        case signalIsBlocked
        /// The thread did not handle the signal in time.
        case noAnswer
        /// All real-time signals are in use, or ``SignalChoice/none`` is chosen.
        case noSignal
        /// Other code uses the signal.
        case signalIsTaken
        /// The thread had left the examined callback before it handled the signal.
        case wentOn
    }

    /// The frames, innermost first.
    public let frames: [Frame]

    /// Takes the backtrace of a running thread.
    ///
    /// The thread receives the signal of backtraces, which interrupts some calls: see ``use(_:)``.
    /// The names of its functions are looked up after the thread has continued.
    ///
    /// - Parameters:
    ///   - thread: The kernel's thread ID, as in `RLRunLoopStatistics`.
    ///   - timeout: The longest time until the thread handles the signal.
    /// - Throws: ``Failure`` if the thread has no backtrace.
    public init(ofThread thread: Int32, timeout: Duration = .milliseconds(200)) throws(Failure) {
        frames = try Self.addresses(ofThread: thread, timeout).map(Frame.init(address:))
    }

    /// Adds files, lines and inlined functions.
    func located(by symbolizer: Symbolizer) -> Self {
        let places = symbolizer.places(at: frames.map(\.address))
        return Self(frames: frames.flatMap { $0.located(places[$0.address] ?? []) })
    }

    init(frames: [Frame]) {
        self.frames = frames
    }

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
    /// Threads that are started by threads of libdispatch or Swift block all signals. A thread
    /// whose loop an ``RLStallMonitor`` watches needs no call: the monitor unblocks the signal
    /// until the monitor is stopped.
    public static func allowOnCurrentThread() {
        RLThreadAllowBacktrace()
    }

    /// The callback: the client's function that the loop called.
    ///
    /// Nil if the thread was not in a callback.
    public var callback: Frame? {
        // Frames of Swift's runtime may be between the loop and the client.
        calledFrames.last { !$0.isOfRuntime }
    }

    /// The innermost function in the program or library that contains the callback.
    ///
    /// This function computes, or has called another library or the system. Functions of Swift's
    /// runtime do not count. Nil if the thread was not in a callback.
    public var guilty: Frame? {
        calledFrames.first { $0.image == callback?.image && !$0.isOfRuntime }
    }

    /// One line for each frame; inlined frames have no number.
    public var description: String {
        lines.map(\.description).joined(separator: "\n")
    }

    var lines: [ReportLine] {
        var number = 0
        return frames.map { frame in
            let column = frame.isInlined ? "" : String(number)
            if !frame.isInlined { number += 1 }
            let space = String(repeating: " ", count: max(1, 4 - column.count))
            return frame.line(after: column + space, isOnStack: true)
        }
    }

    var isInCallback: Bool { frames.contains(where: \.callsClients) }

    /// The frames above the library's innermost call of client code, without forwarding functions.
    var calledFrames: [Frame] {
        let door = frames.firstIndex(where: \.callsClients)
        // If `noteOfClosure` is active, the library has not called the closure yet.
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
    func located(_ places: [SourcePlace]) -> [Self] {
        guard let own = places.last else { return [self] }
        let inlined = places.dropLast().map { place in
            Self(address: address, symbol: place.function, offset: 0, image: image, place: place)
        }
        let name = symbol ?? own.function
        return inlined
            + [Self(address: address, symbol: name, offset: offset, image: image, place: own)]
    }

    /// The file and the line, as in `/home/me/app/Document.swift:42`; nil if they are unknown.
    var place: String? {
        guard let file, let line else { return nil }
        return "\(file):\(line)"
    }

    func line(after beginning: String, isOnStack: Bool = false) -> ReportLine {
        let isNamed = symbol != nil
        return ReportLine(
            text: beginning + printable(program) + "  ",
            function: isNamed ? printable(name + (place.map { " at \($0)" } ?? "")) : nil,
            address: address,
            isOnStack: isOnStack
        )
    }

    private var program: String { image?.split(separator: "/").last.map(String.init) ?? "?" }

    /// The function and the offset, as in `main + 34`.
    private var name: String {
        guard let symbol else { return hexadecimal(address) }
        return isInlined ? "[inlined] \(symbol)" : "\(symbol) + \(offset)"
    }

    /// Whether the function belongs to the engine and calls clients.
    fileprivate var callsClients: Bool {
        guard let symbol else { return false }
        return symbol.hasPrefix("__RLRUNLOOP_IS_") || callersOfClients.contains(symbol)
    }

    /// Whether the function belongs to Swift's runtime, by its name.
    ///
    /// The image does not decide, because generic functions may be compiled into the program.
    fileprivate var isOfRuntime: Bool {
        symbol.map(Self.isOfRuntime) ?? false
    }

    /// Whether the function is in this package, in libdispatch, or generated by the compiler.
    var onlyPassesOn: Bool {
        symbol.map(Self.onlyPassesOn) ?? false
    }

    var isOfPackage: Bool {
        symbol.map { Self.isOfPackage(withoutSpecialization($0)) } ?? false
    }

    fileprivate func hasInlined(butCalls callee: String?) -> Bool {
        symbol.map { Self.hasInlined($0, butCalls: callee) } ?? false
    }

    static func isOfRuntime(_ symbol: String) -> Bool {
        let name = withoutSpecialization(symbol)
        // With static linking, Swift's modules are in the client's image.
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

    /// Whether the optimizer has inlined the client's function into a forwarding function.
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

/// The target of a compiler's forwarding function; for a protocol witness, the conforming type.
private func targetOfForwarder(_ name: Substring) -> Substring? {
    if name.hasPrefix(witnessPrefix) {
        return name.firstRange(of: " in conformance ").map { name[$0.upperBound...] }
    }
    for made in ["partial apply forwarder for ", "@objc "] where name.hasPrefix(made) {
        return name.dropFirst(made.count)
    }
    return nil
}

/// Returns the text after ` of ` in `generic specialization <Swift.Int> of A.f<B>(B) -> ()`.
func withoutSpecialization(_ symbol: String) -> Substring {
    var name = symbol[...]
    if name.hasPrefix("merged ") { name = name.dropFirst("merged ".count) }
    while name.hasPrefix("generic ") || name.hasPrefix("function signature ") {
        guard let end = name.firstRange(of: "> of ")?.upperBound else { return name }
        name = name[end...]
    }
    return name
}

/// The engine's functions that call the clients of its own sources, and blocks of timers and
/// observers.
private let callersOfClients: Set = [
    "rl_callout_signal", "rl_callout_process", "rl_callout_file", "rl_callout_message",
    "rl_callout_file_descriptor", "rl_callout_mach_port", "rl_callout_socket",
    "rl_callout_host", "rl_callout_read_stream", "rl_callout_write_stream", "call_timer_block",
    "call_observer_block",
]

/// The prefixes of this package's symbols; in the symbol of a closure, the prefix follows ` in `.
private let ownNames = ["CoreRunLoop", "RunLoopKit", "RunLoopConcurrency", "RunLoopNetworking"]
    .flatMap {
        ["\($0).", "static \($0).", "(extension in \($0)):", "static (extension in \($0)):"]
    }
