@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import FoundationEssentials
import Glibc

/// Is told what happens to a stream.
///
/// Foundation: StreamDelegate.
public protocol RLStreamDelegate: AnyObject {
    /// Something has happened to a stream.
    ///
    /// Called on the thread of the loop in which the stream is scheduled, with one event at a time.
    /// The stream may be read, written, unscheduled and closed in it. A delegate that does not have
    /// it is not told.
    ///
    /// Foundation: stream(_:handle:).
    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event)
}

extension RLStreamDelegate {
    /// Does nothing: the method is optional, as Foundation has it.
    public func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {}
}

/// What streams of both directions have in common: opening, closing, and a delegate that a run loop
/// tells what happens.
///
/// ```swift
/// let input = RLInputStream(data: Data("hello".utf8))
/// input.delegate = reader
/// input.schedule(in: .current, forMode: .default)
/// input.open()
/// ```
///
/// A stream belongs to the thread in whose loop it is scheduled; one that is in no loop can be read
/// and written too, and waits then. The loop does not keep it: when the last reference goes, it is
/// closed. ``RLInputStream/getRLReadStream()`` and ``RLOutputStream/getRLWriteStream()`` give the
/// engine's streams, which may be used from any thread.
///
/// Foundation: Stream.
open class RLStream {
    let engine: EngineStream
    private let relay = StreamRelay()

    init(_ engine: EngineStream) {
        self.engine = engine
        relay.stream = self
    }

    deinit {
        engine.setClient(nil)
        engine.close()
    }

    /// Who is told what happens; not held.
    ///
    /// A new delegate is told of what is the case. With nil, events are dropped: also those that
    /// were to come in the same pass.
    ///
    /// Foundation: delegate. There a stream without one is its own delegate, here it has none.
    open var delegate: (any RLStreamDelegate)? {
        get { relay.delegate }
        set {
            relay.setDelegate(newValue)
            engine.setClient(newValue == nil ? nil : relay)
        }
    }

    /// Opens the stream, or begins to; the delegate is told how that ends.
    ///
    /// A stream is opened once.
    ///
    /// Foundation: open().
    open func open() {
        engine.open()
    }

    /// Closes the stream for good and takes it out of all loops; nothing is told any more.
    ///
    /// Foundation: close().
    open func close() {
        engine.close()
    }

    /// Has the delegate told of what happens when the loop runs in a mode, or in any common mode.
    ///
    /// A stream may be in several modes. What happened before and was not told comes then. Without
    /// effect on a closed stream.
    ///
    /// Foundation: schedule(in:forMode:).
    ///
    /// - Parameters:
    ///   - aRunLoop: The calling thread's loop.
    ///   - mode: The mode.
    open func schedule(in aRunLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        noteForeignUse(of: aRunLoop.loop, "RLStream.schedule(in:forMode:)")
        relay.allow(aRunLoop)
        engine.schedule(in: aRunLoop.loop, mode.mode)
    }

    /// Has the delegate told no longer in a mode; what happens meanwhile is kept.
    ///
    /// Foundation: remove(from:forMode:).
    ///
    /// - Parameters:
    ///   - aRunLoop: The calling thread's loop.
    ///   - mode: The mode.
    open func remove(from aRunLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        noteForeignUse(of: aRunLoop.loop, "RLStream.remove(from:forMode:)")
        engine.remove(from: aRunLoop.loop, mode.mode)
    }

    /// What the stream is at.
    ///
    /// Foundation: streamStatus.
    open var streamStatus: Status {
        Status(rawValue: UInt(engine.status.rawValue)) ?? .error
    }

    /// Why the stream failed, or nil if it did not: a `POSIXError`.
    ///
    /// Foundation: streamError.
    open var streamError: (any Error)? {
        let number = engine.error.error
        guard number != 0 else { return nil }
        return POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
    }

    /// A property of the stream, or nil if it has none of the name.
    ///
    /// Foundation: property(forKey:).
    open func property(forKey key: PropertyKey) -> Any? {
        engine.property(key.rawValue)
    }

    /// Sets a property.
    ///
    /// Foundation: setProperty(_:forKey:).
    ///
    /// - Parameters:
    ///   - property: The value, a `Bool`, an `Int`, a `String` or an
    ///     ``RLStreamSocketSecurityLevel``; every other one is refused.
    ///   - key: The name.
    /// - Returns: Whether it can be set.
    @discardableResult
    open func setProperty(_ property: Any?, forKey key: PropertyKey) -> Bool {
        switch property {
        case let value as Bool:
            return engine.setProperty(value, key.rawValue)
        case let value as Int:
            return engine.setProperty(value, key.rawValue)
        case let value as RLStreamSocketSecurityLevel:
            return engine.setProperty(value.rawValue, key.rawValue)
        case let value as String:
            return engine.setProperty(value, key.rawValue)
        default:
            // The engine has something to say of some keys, whatever the value is.
            return engine.setNoProperty(key.rawValue) && false
        }
    }
}

/// A stream is for the thread in whose loop it is scheduled.
@available(*, unavailable, message: "the engine's stream may be passed to any thread")
extension RLStream: Sendable {}

extension RLStream {
    /// What a stream is at.
    ///
    /// Foundation: Stream.Status.
    public enum Status: UInt, Sendable {
        /// It was not opened.
        case notOpen = 0
        /// It connects.
        case opening
        /// It is open.
        case open
        /// It is being read; not reported here.
        case reading
        /// It is being written; not reported here.
        case writing
        /// Everything was read.
        case atEnd
        /// It was closed.
        case closed
        /// It failed; see ``RLStream/streamError``.
        case error
    }

    /// What has happened to a stream.
    ///
    /// Foundation: Stream.Event.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The stream is open.
        ///
        /// Foundation: openCompleted.
        public static let openCompleted = Event(rawValue: 1)

        /// There is something to read; comes again after a read that left something.
        ///
        /// Foundation: hasBytesAvailable.
        public static let hasBytesAvailable = Event(rawValue: 2)

        /// There is room to write; comes again after a write.
        ///
        /// Foundation: hasSpaceAvailable.
        public static let hasSpaceAvailable = Event(rawValue: 4)

        /// The stream failed; see ``RLStream/streamError``.
        ///
        /// Foundation: errorOccurred.
        public static let errorOccurred = Event(rawValue: 8)

        /// Everything was read.
        ///
        /// Foundation: endEncountered.
        public static let endEncountered = Event(rawValue: 16)
    }

    /// The name of a property of streams.
    ///
    /// Foundation: Stream.PropertyKey.
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a key from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        private init(_ name: RLStringRef!) {
            self.init(String(name))
        }

        /// Which security a stream over a socket has, an ``RLStreamSocketSecurityLevel``: there is
        /// none yet, and to set it returns false, with a line on standard error.
        ///
        /// Foundation: socketSecurityLevelKey.
        public static let socketSecurityLevelKey = PropertyKey(kRLStreamPropertySocketSecurityLevel)

        /// What a stream into memory of its own has written so far, `Data`.
        ///
        /// Foundation: dataWrittenToMemoryStreamKey.
        public static let dataWrittenToMemoryStreamKey = PropertyKey(kRLStreamPropertyDataWritten)

        /// Where in a file the stream is: a number of bytes, `Int`; may be set before the stream is
        /// opened and while it is open, unless it appends.
        ///
        /// Foundation: fileCurrentOffsetKey.
        public static let fileCurrentOffsetKey = PropertyKey(kRLStreamPropertyFileCurrentOffset)

        /// Whether a stream to a file appends, `Bool`; to be set before it is opened.
        ///
        /// CF: kCFStreamPropertyAppendToFile.
        public static let appendToFileKey = PropertyKey(kRLStreamPropertyAppendToFile)

        /// The descriptor of a stream over a socket, `Data` that holds a `CInt`.
        ///
        /// CF: kCFStreamPropertySocketNativeHandle.
        public static let socketNativeHandleKey = PropertyKey(kRLStreamPropertySocketNativeHandle)

        /// Whether the descriptor is closed with both streams, `Bool`.
        ///
        /// CF: kCFStreamPropertyShouldCloseNativeSocket.
        public static let shouldCloseNativeSocketKey = PropertyKey(
            kRLStreamPropertyShouldCloseNativeSocket
        )
    }
}

extension RLStream: Equatable, Hashable {
    /// Whether two references are to one stream.
    public static func == (first: RLStream, second: RLStream) -> Bool {
        first === second
    }

    /// Feeds a hasher with the identity of the stream.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension RLStream: CustomStringConvertible {
    /// The description of the engine's stream.
    public var description: String {
        engine.description
    }
}

/// What the engine calls for a stream; it does not hold the stream.
final class StreamRelay: ContextBox {
    weak var stream: RLStream?

    private struct State {
        weak var delegate: (any RLStreamDelegate)?
        // The threads that may call it: the one that has set it, and those in whose loops the
        // stream's object was scheduled.
        var homes: Set<UnsafeMutableRawPointer> = []
    }

    // A thread may set the delegate to nil while another one is about to call it.
    private let state = Locked(State())

    var delegate: (any RLStreamDelegate)? {
        var found: (any RLStreamDelegate)?
        state.withLock { found = $0.delegate }
        return found
    }

    func setDelegate(_ delegate: (any RLStreamDelegate)?) {
        let home = delegate == nil ? nil : RLRunLoop.currentHome
        state.withLock { state in
            state.delegate = delegate
            if let home { state.homes.insert(home) }
        }
    }

    /// Has the delegate called on the thread of a loop too.
    func allow(_ loop: RLRunLoop) {
        let home = loop.home
        state.withLock { _ = $0.homes.insert(home) }
    }

    /// Tells the delegate; on the thread of a loop in which the stream is scheduled.
    func tell(_ event: RLStreamEventType) {
        checkThread()
        // Both live at least until the delegate has returned.
        guard let stream, let delegate = stream.delegate else { return }
        delegate.stream(stream, handle: RLStream.Event(rawValue: UInt(event.rawValue)))
    }

    /// The engine's stream may be scheduled on any thread, and served on a dispatch queue.
    private func checkThread() {
        let home = RLRunLoopGetCurrentCounterpart()
        let isHome = state.withLock { state in home.map(state.homes.contains) ?? false }
        if isHome { return }
        stopProcess(
            "RLStream.delegate",
            "it is not for thread \(describeCurrentThread()), to which the engine's stream has brought "
                + "its events: schedule the stream's object there, or use RLReadStreamSetClient and "
                + "RLWriteStreamSetClient, whose closures are @Sendable"
        )
    }
}
