import CRunLoop.Wrapping
@_spi(Boxes) import CoreRunLoop
import FoundationEssentials
import Glibc

/// A read stream or a write stream of the engine.
///
/// A structure, because Swift 6.3 leaks imported objects in payloads of enumeration cases.
struct EngineStream {
    private let reader: RLReadStreamRef?
    private let writer: RLWriteStreamRef?

    init(_ reader: RLReadStreamRef) {
        self.reader = reader
        self.writer = nil
    }

    init(_ writer: RLWriteStreamRef) {
        self.reader = nil
        self.writer = writer
    }

    private func either<Result>(
        _ read: (RLReadStreamRef) -> Result,
        _ write: (RLWriteStreamRef) -> Result
    ) -> Result {
        if let reader { return read(reader) }
        guard let writer else {
            stopProcess("RLStream", "internal error: there is no stream: please report it")
        }
        return write(writer)
    }

    func open() {
        _ = either(RLReadStreamOpen, RLWriteStreamOpen)
    }

    func close() {
        either(RLReadStreamClose, RLWriteStreamClose)
    }

    /// Closes the stream permanently, even before it is opened.
    func end() {
        either({ RLStreamEnd($0.unsafeTypeReference) }, { RLStreamEnd($0.unsafeTypeReference) })
    }

    /// The ID of another thread whose loop serves the stream, or 0.
    var foreignThread: pid_t {
        either(
            { RLStreamGetForeignThreadNumber($0.unsafeTypeReference) },
            { RLStreamGetForeignThreadNumber($0.unsafeTypeReference) }
        )
    }

    var status: RLStreamStatus {
        either(RLReadStreamGetStatus, RLWriteStreamGetStatus)
    }

    var wasOpened: Bool {
        status != .notOpen
    }

    var error: RLStreamError {
        either(RLReadStreamGetError, RLWriteStreamGetError)
    }

    var errorDescription: String {
        let error = either(RLReadStreamCopyError, RLWriteStreamCopyError)
        return error.map { String(RLErrorCopyDescription($0)) } ?? ""
    }

    var description: String {
        either(\.description, \.description)
    }

    func schedule(in loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        either(
            { RLReadStreamScheduleWithRunLoop($0, loop, mode) },
            { RLWriteStreamScheduleWithRunLoop($0, loop, mode) }
        )
    }

    func remove(from loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        either(
            { RLReadStreamUnscheduleFromRunLoop($0, loop, mode) },
            { RLWriteStreamUnscheduleFromRunLoop($0, loop, mode) }
        )
    }

    func setReadinessHandler(_ handler: @escaping @Sendable (RLStreamEventType) -> Void) {
        let events: RLStreamEventType = [
            .hasBytesAvailable, .canAcceptBytes, .endEncountered, .errorOccurred, .interrupted,
            .replaced,
        ]
        either(
            { RLReadStreamSetClient($0, events: events) { _, event in handler(event) } },
            { RLWriteStreamSetClient($0, events: events) { _, event in handler(event) } }
        )
    }

    var nameOfSetClient: String {
        reader != nil ? "RLReadStreamSetClient" : "RLWriteStreamSetClient"
    }

    func setClient(_ relay: StreamRelay?) {
        let events = RLStream.Event.all.rawValue
        var context = relay?.context ?? RLStreamClientContext()
        let read: RLReadStreamClientCallBack = { _, event, info in
            StreamRelay.notify(event, info)
        }
        let write: RLWriteStreamClientCallBack = { _, event, info in
            StreamRelay.notify(event, info)
        }
        withExtendedLifetime(relay) {
            _ = either(
                { RLReadStreamSetClient($0, events, relay == nil ? nil : read, &context) },
                { RLWriteStreamSetClient($0, events, relay == nil ? nil : write, &context) }
            )
        }
    }
}

extension RLStreamEventType {
    static let interrupted = Self(rawValue: RLOptionFlags(kRLStreamEventInterrupted))
    static let replaced = Self(rawValue: RLOptionFlags(kRLStreamEventReplaced))
}

// Properties, converted between Swift's values and the engine's objects.
extension EngineStream {
    func property(_ name: String) -> Any? {
        let key = RLStringCreate(name)
        let copy = either(
            { RLReadStreamCopyProperty($0, key) },
            { RLWriteStreamCopyProperty($0, key) }
        )
        guard let copy else { return nil }
        defer { RLRelease(copy) }
        return value(of: copy)
    }

    private func value(of object: RLTypeRef) -> Any? {
        // The type ID guarantees the cast.
        switch RLGetTypeID(object) {
        case RLDataGetTypeID():
            return unsafeBitCast(object, to: RLDataRef.self).withUnsafeBytes { Data($0) }
        case RLBooleanGetTypeID():
            return RLBooleanGetValue(unsafeBitCast(object, to: RLBooleanRef.self))
        case RLNumberGetTypeID():
            let number = unsafeBitCast(object, to: RLNumberRef.self)
            return RLNumberIsFloatType(number) ? seconds(of: number) : Int(exactly: number)
        case RLStringGetTypeID():
            return String(unsafeBitCast(object, to: RLStringRef.self))
        default:
            return nil
        }
    }

    private func seconds(of number: RLNumberRef) -> Double {
        var seconds = 0.0
        _ = RLNumberGetValue(number, .doubleType, &seconds)
        return seconds
    }

    /// Returns false for a value of an unsupported type.
    func setProperty(_ value: Any?, _ name: String) -> Bool {
        switch value {
        case let value as Bool:
            let object: RLBooleanRef = value ? kRLBooleanTrue : kRLBooleanFalse
            return set(object, name)
        case let value as Int: return set(RLNumberCreate(value), name)
        case let value as Double:
            return set(withUnsafePointer(to: value) { RLNumberCreate(nil, .doubleType, $0) }, name)
        case let value as RLStreamSocketSecurityLevel:
            return set(RLStringCreate(value.rawValue), name)
        case let value as RLStreamNetworkServiceTypeValue:
            return set(RLStringCreate(value.rawValue), name)
        case let value as RLStreamTLSSettings: return set(value.dictionary, name)
        case let value as String: return set(RLStringCreate(value), name)
        default:
            // Makes the engine log its diagnostic for the key.
            return set(kRLNull, name) && false
        }
    }

    private func set(_ object: (some RLReference)?, _ name: String) -> Bool {
        let key = RLStringCreate(name)
        return withExtendedLifetime(object) {
            either(
                { RLReadStreamSetProperty($0, key, object?.unsafeTypeReference) },
                { RLWriteStreamSetProperty($0, key, object?.unsafeTypeReference) }
            )
        }
    }
}

extension StreamRelay {
    /// Valid only while the caller retains the relay.
    fileprivate var context: RLStreamClientContext {
        var context = RLStreamClientContext()
        context.info = info
        context.retain = { UnsafeMutableRawPointer(mutating: ContextBox.retain($0)) }
        context.release = { ContextBox.release($0) }
        return context
    }

    fileprivate static func notify(_ event: RLStreamEventType, _ info: UnsafeMutableRawPointer?) {
        guard let info else { return }
        // The engine retains the relay during the call.
        Unmanaged<StreamRelay>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.notify(event) }
    }
}

extension RLStream.Event {
    fileprivate static let all: RLStream.Event = [
        .openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .errorOccurred, .endEncountered,
    ]
}
