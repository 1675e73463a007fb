import CRunLoop.Wrapping
import RunLoopKit

/// A cache of short function names for traces.
final class TraceNames: Sendable {
    static let shared = TraceNames()

    /// The maximum number of names, which is large because a flame graph has many addresses.
    static let most = 32768

    private let frames: Locked<[UInt: RLBacktrace.Frame]>
    /// Whether the addresses belong to this process, so their names can be looked up.
    private let areOwn: Bool

    private let sources: [UInt: UInt]

    init() {
        frames = Locked([:])
        sources = [:]
        areOwn = true
    }

    /// Caches the given names, which are of another process, or have files and lines.
    init(_ frames: [UInt: RLBacktrace.Frame], sources: [UInt: UInt] = [:]) {
        self.frames = Locked(frames)
        self.sources = sources
        areOwn = false
    }

    var count: Int { frames.withLock { $0.count } }

    /// Returns the frame of an address, which has no name if the function is unknown.
    func frame(at address: UInt) -> RLBacktrace.Frame {
        frames.withLock { frames in
            if let known = frames[address] { return known }
            guard areOwn else {
                return RLBacktrace.Frame(address: address, symbol: nil, offset: 0, image: nil)
            }
            let frame = RLBacktrace.Frame(address: address)
            if frames.count >= Self.most { frames.removeAll() }
            frames[address] = frame
            return frame
        }
    }

    /// The name without modules, arguments and the compiler's additions.
    func shortName(at address: UInt) -> String {
        let frame = frame(at: address)
        if let symbol = frame.symbol { return Self.shortened(symbol) }
        let file = frame.image?.split(separator: "/").last.map { String($0) + "+" } ?? ""
        return address == 0 ? "?" : file + hexadecimal(UInt(frame.offset))
    }

    func name(of callout: RLRunLoopTrace.Callout) -> String {
        // libdispatch's function that drains the queue does not identify the client.
        callout.phase == kRLRunLoopPhaseMainQueue ? "main queue" : shortName(at: callout.function)
    }

    /// Returns the file and the line; nil if they are unknown or do not identify the client.
    func place(of callout: RLRunLoopTrace.Callout) -> String? {
        hasPlace(of: callout) ? frame(at: callout.function).place : nil
    }

    /// Returns the file and the line, as in ` at Document.swift:42`; empty if they are unknown.
    func suffix(of callout: RLRunLoopTrace.Callout) -> String {
        place(of: callout).map { printable(" at \($0.split(separator: "/").last ?? "")") } ?? ""
    }

    private func hasPlace(of callout: RLRunLoopTrace.Callout) -> Bool {
        callout.phase != kRLRunLoopPhaseMainQueue && hasPlace(callout.function)
    }

    /// Returns the address whose file and line to look up: if the function forwards to a closure,
    /// the address of the closure.
    func source(of address: UInt) -> UInt {
        guard areOwn else { return sources[address] ?? address }
        let closure = RLSymbolGetClosure(UnsafeRawPointer(bitPattern: address))
        return UInt(bitPattern: closure)
    }

    func located(_ callouts: [RLRunLoopTrace.Callout], by symbolizer: Symbolizer) -> TraceNames {
        let functions = Set(callouts.map(\.function)).map { ($0, source(of: $0)) }
        let places = symbolizer.places(at: functions.map(\.1))
        let frames = functions.map { function, source -> (UInt, RLBacktrace.Frame) in
            let frame = frame(at: function)
            return (function, frame.located(places[source] ?? []).last ?? frame)
        }
        return TraceNames(Dictionary(uniqueKeysWithValues: frames))
    }

    /// Returns false for the function that runs all Swift jobs, and for functions of this package.
    func hasPlace(_ address: UInt) -> Bool {
        let frame = frame(at: address)
        return frame.symbol != Self.jobs && !frame.isOfPackage
    }

    /// Returns the function of a callback; for a Swift closure that was passed as a block, the
    /// function of the closure.
    func target(of callout: RLRunLoopTrace.Callout) -> UInt {
        guard callout.captured != 0, isThunk(callout.function) else { return callout.function }
        // The first captured word may be data instead of a function.
        return frame(at: callout.captured).symbol == nil ? callout.function : callout.captured
    }

    private func isThunk(_ address: UInt) -> Bool {
        let beginnings = ["reabstraction thunk", "thunk for", "@objc"]
        return beginnings.contains { frame(at: address).symbol?.hasPrefix($0) ?? false }
    }

    private static let jobs = "rl_swift_concurrency_jobs"

    // The prefix of the name of a type's metadata.
    private static let metadata = "type metadata for "

    /// Shortens `closure #1 @Sendable (A.B) -> () in runloop.(Ticker in _8A…).init(Swift.String) ->
    /// runloop.(…)` to `closure #1 in Ticker.init`.
    static func shortened(_ symbol: String) -> String {
        if symbol == jobs { return "Swift concurrency jobs" }
        // Other languages' names are returned unchanged.
        guard symbol.contains("(") || symbol.contains(" in ") || symbol.contains(metadata) else {
            return symbol
        }
        var symbol = withoutSpecialization(symbol)
        if let method = methodOfWitness(symbol) { return method }
        for made in ["partial apply forwarder for ", "@objc ", "full ", metadata]
        where symbol.hasPrefix(made) {
            symbol = symbol.dropFirst(made.count)
        }
        var parts = split(withoutFiles(String(symbol)))
        let last = withoutExtension(parts.removeLast())
        let names = parts.map { String($0.prefix(while: { $0 != "@" && $0 != "(" })) }
        let ends = names.map { $0.trimmingSpaces } + [withoutModule(withoutSignature(last))]
        return ends.joined(separator: " in ")
    }

    /// Shortens `protocol witness for A.Delegate.stream(B.C) -> () in conformance app.Reader :
    /// A.Delegate in app` to `Reader.stream`.
    private static func methodOfWitness(_ symbol: Substring) -> String? {
        let beginning = "protocol witness for "
        guard symbol.hasPrefix(beginning) else { return nil }
        let parts = split(withoutFiles(String(symbol.dropFirst(beginning.count))))
        let conformance = "conformance "
        guard parts.count > 1, parts[1].hasPrefix(conformance) else { return nil }
        var type = parts[1].dropFirst(conformance.count)
        // Skips the constraints of a generic type.
        if type.first == "<", let end = type.firstRange(of: "> ") { type = type[end.upperBound...] }
        type = type.prefix { $0 != " " }
        let method = withoutSignature(parts[0]).split(separator: ".").last ?? parts[0]
        return "\(withoutModule(withoutSignature(type))).\(method)"
    }

    /// Splits at ` in ` outside of parentheses.
    private static func split(_ symbol: String) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var start = symbol.startIndex
        for index in symbol.indices {
            switch symbol[index] {
            case "(", "<": depth += 1
            case ")": depth -= 1
            // Skips the end of an arrow.
            case ">" where symbol[..<index].last != "-": depth -= 1
            case " " where depth == 0 && symbol[index...].hasPrefix(" in "):
                parts.append(symbol[start..<index])
                start = symbol.index(index, offsetBy: 4)
            default: break
            }
        }
        return parts + [symbol[start...]]
    }

    /// Shortens `static (extension in A):B.C< where D: E>.f` to `B.C.f`.
    private static func withoutExtension(_ name: Substring) -> Substring {
        let name = name.hasPrefix("static ") ? name.dropFirst("static ".count) : name
        guard name.hasPrefix("(extension in "), let end = name.firstRange(of: "):") else {
            return name
        }
        let rest = name[end.upperBound...]
        guard let condition = rest.firstRange(of: "< where "),
            let behind = rest[condition.upperBound...].firstRange(of: ">.")
        else { return rest }
        return rest[..<condition.lowerBound] + rest[behind.lowerBound...].dropFirst()
    }

    // Shortens `A.B.f<A>(C.D) -> ()` to `A.B.f`. The caller has already shortened `A.B.(f in
    // _…)()`.
    private static func withoutSignature(_ name: Substring) -> Substring {
        let first = name.dropFirst().firstIndex { $0 == "(" || $0 == "<" }
        let arrow = name.range(of: " -> ")?.lowerBound
        return name[..<min(first ?? name.endIndex, arrow ?? name.endIndex)]
    }

    private static func withoutModule(_ name: Substring) -> String {
        guard let dot = name.firstIndex(of: "."), name.index(after: dot) < name.endIndex else {
            return String(name)
        }
        return String(name[name.index(after: dot)...])
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var rest = self[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}

extension RLRunLoopTrace {
    package func located(by symbolizer: Symbolizer) -> RLRunLoopTrace {
        let callouts = recordings.flatMap(\.spans).compactMap { span in
            if case .callout(let callout) = span.kind { callout } else { nil }
        }
        var copy = self
        copy.names = names.located(callouts, by: symbolizer)
        return copy
    }
}

/// Removes modules and arguments, for tables.
package func shortFunctionName(_ symbol: String) -> String {
    TraceNames.shortened(symbol)
}

extension RLRunLoopTrace.Span.Kind {
    var isCallout: Bool {
        if case .callout = self { true } else { false }
    }
}

extension RLRunLoopTrace.Callout {
    /// The short name of the function: without modules, arguments and the compiler's additions.
    public var name: String { TraceNames.shared.name(of: self) }

    /// The name of the called item's kind, such as `timer`.
    public var kindName: String {
        switch phase {
        case kRLRunLoopPhaseObserver: "observer"
        case kRLRunLoopPhaseBlock: "block"
        case kRLRunLoopPhaseSource0: "source 0"
        case kRLRunLoopPhaseSource1: "port or descriptor"
        case kRLRunLoopPhaseTimer: "timer"
        case kRLRunLoopPhaseMainQueue: "main queue"
        default: "callback"
        }
    }
}

extension RLRunLoopTrace.WakeReason: CustomStringConvertible {
    /// The name of the reason, such as `timer`.
    public var description: String {
        switch self {
        case .timeout: "time-out"
        case .wakeUp: "wake-up"
        case .timer: "timer"
        case .mainQueue: "main queue"
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        case .host: "host"
        }
    }
}

extension RLRunLoopTrace.Recording {
    var title: String {
        let name = isMain ? "main loop" : "loop of thread"
        return "\(name) \(thread)" + (threadName.map { " “\(printable($0))”" } ?? "")
    }
}
