import CRunLoop.Wrapping
import CoreRunLoop
import FoundationEssentials
import Glibc

/// A read stream or a write stream of the engine.
struct EngineStream {
    private let stream: RLStreamRef

    init(_ reader: RLReadStreamRef) {
        stream = unsafeBitCast(reader, to: RLStreamRef.self)
    }

    init(_ writer: RLWriteStreamRef) {
        stream = unsafeBitCast(writer, to: RLStreamRef.self)
    }

    func open() {
        _ = RLStreamOpen(stream)
    }

    func close() {
        RLStreamClose(stream)
    }

    /// Closes the stream permanently, even before it is opened.
    func end() {
        RLStreamEnd(stream)
    }

    /// The ID of another thread whose loop serves the stream, or 0.
    var foreignThread: pid_t {
        RLStreamGetForeignThreadNumber(stream)
    }

    var status: RLStreamStatus {
        RLStreamGetStatus(stream)
    }

    var wasOpened: Bool {
        status != .notOpen
    }

    var error: RLStreamError {
        RLStreamGetError(stream)
    }

    var errorDescription: String {
        RLStreamCopyError(stream).map { String(RLErrorCopyDescription($0)) } ?? ""
    }

    var description: String {
        withExtendedLifetime(stream) { String(RLCopyDescription(pointer)) }
    }

    /// Valid only during the lifetime of the stream.
    private var pointer: RLTypeRef {
        unsafeBitCast(stream, to: RLTypeRef.self)
    }

    func schedule(in loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        RLStreamScheduleWithRunLoop(stream, loop, mode.rawValue)
    }

    func remove(from loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        RLStreamUnscheduleFromRunLoop(stream, loop, mode.rawValue)
    }

    var nameOfSetClient: String {
        let isReader = withExtendedLifetime(stream) {
            RLGetTypeID(pointer) == RLReadStreamGetTypeID()
        }
        return isReader ? "RLReadStreamSetClient" : "RLWriteStreamSetClient"
    }

    func setReadinessHandler(_ handler: @escaping @Sendable (RLStreamEventType) -> Void) {
        let events: RLStreamEventType = [
            .hasBytesAvailable, .canAcceptBytes, .endEncountered, .errorOccurred, .interrupted,
            .replaced,
        ]
        setClient(StreamHandler(handler), events.rawValue)
    }

    func setClient(_ relay: StreamRelay?) {
        setClient(relay, RLStream.Event.all.rawValue)
    }

    private func setClient(_ client: StreamClient?, _ events: RLOptionFlags) {
        var context = client?.context ?? RLStreamClientContext()
        let read: RLReadStreamClientCallBack = { _, event, info in
            StreamClient.notify(event, info)
        }
        let write: RLWriteStreamClientCallBack = { _, event, info in
            StreamClient.notify(event, info)
        }
        withExtendedLifetime(client) {
            _ = RLStreamSetClient(
                stream,
                events,
                client == nil ? nil : read,
                client == nil ? nil : write,
                &context
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
        guard let copy = RLStreamCopyProperty(stream, key) else { return nil }
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
            RLStreamSetProperty(stream, key, object?.unsafeTypeReference)
        }
    }
}

extension RLStream.Event {
    fileprivate static let all: RLStream.Event = [
        .openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .errorOccurred, .endEncountered,
    ]
}
