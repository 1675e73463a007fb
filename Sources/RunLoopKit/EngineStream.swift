// The engine's streams of both directions under one face, for what both can do.

import CoreRunLoop
import FoundationEssentials

/// A stream of the engine.
enum EngineStream {
    case reader(RLReadStreamRef)
    case writer(RLWriteStreamRef)

    func open() {
        switch self {
        case .reader(let stream): _ = RLReadStreamOpen(stream)
        case .writer(let stream): _ = RLWriteStreamOpen(stream)
        }
    }

    func close() {
        switch self {
        case .reader(let stream): RLReadStreamClose(stream)
        case .writer(let stream): RLWriteStreamClose(stream)
        }
    }

    var status: RLStreamStatus {
        switch self {
        case .reader(let stream): RLReadStreamGetStatus(stream)
        case .writer(let stream): RLWriteStreamGetStatus(stream)
        }
    }

    var error: RLStreamError {
        switch self {
        case .reader(let stream): RLReadStreamGetError(stream)
        case .writer(let stream): RLWriteStreamGetError(stream)
        }
    }

    var description: String {
        switch self {
        case .reader(let stream): stream.description
        case .writer(let stream): stream.description
        }
    }

    func schedule(in loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        switch self {
        case .reader(let stream): RLReadStreamScheduleWithRunLoop(stream, loop, mode)
        case .writer(let stream): RLWriteStreamScheduleWithRunLoop(stream, loop, mode)
        }
    }

    func remove(from loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        switch self {
        case .reader(let stream): RLReadStreamUnscheduleFromRunLoop(stream, loop, mode)
        case .writer(let stream): RLWriteStreamUnscheduleFromRunLoop(stream, loop, mode)
        }
    }

    /// Has a relay called with all events; nil for nobody.
    func setClient(_ relay: StreamRelay?) {
        let events = RLStream.Event.all.rawValue
        var context = relay?.context ?? RLStreamClientContext()
        withExtendedLifetime(relay) {
            switch self {
            case .reader(let stream):
                let call: RLReadStreamClientCallBack = { _, event, info in
                    StreamRelay.of(info)?.tell(event)
                }
                _ = RLReadStreamSetClient(stream, events, relay.map { _ in call }, &context)
            case .writer(let stream):
                let call: RLWriteStreamClientCallBack = { _, event, info in
                    StreamRelay.of(info)?.tell(event)
                }
                _ = RLWriteStreamSetClient(stream, events, relay.map { _ in call }, &context)
            }
        }
    }
}

// Properties, as Swift's values and the engine's objects.
extension EngineStream {
    func property(_ name: String) -> Any? {
        let key = RLStringCreate(name)
        let copy =
            switch self {
            case .reader(let stream): RLReadStreamCopyProperty(stream, key)
            case .writer(let stream): RLWriteStreamCopyProperty(stream, key)
            }
        guard let copy else { return nil }
        defer { RLRelease(copy) }
        return value(of: copy)
    }

    private func value(of object: RLTypeRef) -> Any? {
        // What the number of a type says about an object is what it can be cast to.
        switch RLGetTypeID(object) {
        case RLDataGetTypeID():
            return unsafeBitCast(object, to: RLDataRef.self).withUnsafeBytes { Data($0) }
        case RLBooleanGetTypeID():
            return RLBooleanGetValue(unsafeBitCast(object, to: RLBooleanRef.self))
        case RLNumberGetTypeID():
            return Int(exactly: unsafeBitCast(object, to: RLNumberRef.self))
        default:
            return nil
        }
    }

    func setProperty(_ value: Bool, _ name: String) -> Bool {
        let key = RLStringCreate(name)
        let object: RLBooleanRef = value ? kRLBooleanTrue : kRLBooleanFalse
        return withExtendedLifetime(object) {
            switch self {
            case .reader(let stream): RLReadStreamSetProperty(stream, key, object.typeReference)
            case .writer(let stream): RLWriteStreamSetProperty(stream, key, object.typeReference)
            }
        }
    }
}

extension StreamRelay {
    /// A context under which the engine holds the relay; to be used while the caller holds it.
    fileprivate var context: RLStreamClientContext {
        var context = RLStreamClientContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.retain = { info in
            info.map { Unmanaged<StreamRelay>.fromOpaque($0).retain().toOpaque() }
        }
        context.release = { info in
            info.map { Unmanaged<StreamRelay>.fromOpaque($0).release() }
        }
        return context
    }

    fileprivate static func of(_ info: UnsafeMutableRawPointer?) -> StreamRelay? {
        // The engine holds its info during the call.
        info.map { Unmanaged<StreamRelay>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension RLStream.Event {
    fileprivate static let all: RLStream.Event = [
        .openCompleted, .hasBytesAvailable, .hasSpaceAvailable, .errorOccurred, .endEncountered,
    ]
}
