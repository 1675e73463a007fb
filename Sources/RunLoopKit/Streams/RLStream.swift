@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import Synchronization

/// Receives the events of a stream.
///
/// Foundation: StreamDelegate.
public protocol RLStreamDelegate: AnyObject {
    /// Handles an event of the stream.
    ///
    /// Called with one event at a time on the thread of the loop in which the stream is scheduled,
    /// or on the dispatch queue of its engine's stream (``RLStream/delegate``). Changing the queue
    /// or loop does not wait for a running call, so that two calls may overlap then. The method may
    /// read, write, unschedule and close the stream. A delegate without this method is not called.
    ///
    /// Foundation: stream(_:handle:).
    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event)
}

extension RLStreamDelegate {
    /// Does nothing: the method is optional, as in Foundation.
    public func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {}
}

/// A delegate that may be called on any thread, such as those of a dispatch queue.
///
/// It is a protocol of its own because Swift cannot test for `Sendable` at run time.
///
/// Ours, no Foundation counterpart: Foundation calls each delegate on any thread.
public protocol RLSendableStreamDelegate: RLStreamDelegate, Sendable {}

/// The base class of streams of both directions: opening, closing, and a delegate that receives
/// events in a run loop.
///
/// ```swift
/// let input = RLInputStream(data: Data("hello".utf8))
/// input.delegate = reader
/// input.schedule(in: .current, forMode: .default)
/// input.open()
/// ```
///
/// Any thread may open, read, write, schedule and close a stream, while its loop serves it. Only
/// the ``delegate`` is confined to a thread. The compiler does not let the object be sent to other
/// threads, but the engine's streams, which ``RLInputStream/getRLReadStream()`` and
/// ``RLOutputStream/getRLWriteStream()`` return. A stream that is in no loop can be read and
/// written too, and blocks.
///
/// The loop does not retain the stream: when the last reference is released, it is closed.
///
/// Foundation: Stream.
open class RLStream {
    let engine: EngineStream
    // Any thread may use the stream: all mutable state is atomic or locked.
    //
    // Created for the first delegate or loop; a stream that is only written often has neither.
    private let relay = LazyReference<StreamRelay>()
    // Created for the first task that reads or writes.
    private let turns = LazyReference<StreamTurns>()
    #if DEBUG
        // For a diagnostic: whether a loop or queue serves the stream.
        private let isServed = Atomic(false)
    #endif

    init(_ engine: EngineStream) {
        self.engine = engine
    }

    private func makeRelay() -> StreamRelay {
        relay.load() ?? relay.storeIfNil(StreamRelay(for: self))
    }

    final func makeTurns() -> StreamTurns {
        turns.load() ?? turns.storeIfNil(StreamTurns())
    }

    deinit {
        #if DEBUG
            hintAtUnusedDelegate()
        #endif
        engine.setClient(nil)
        engine.end()
    }

    #if DEBUG
        /// Logs that the delegate has received no event, unless the stream was closed.
        private func hintAtUnusedDelegate() {
            guard relay.load()?.hasUnusedDelegate == true, engine.status != .closed else { return }
            let isServed = isServed.load(ordering: .relaxed)
            if !isServed && !engine.wasOpened { return }
            hint(
                "RLStream.delegate",
                !isServed
                    ? "the stream was released without having been in a run loop, so that its delegate "
                        + "received no event: call schedule(in:forMode:) before open()"
                    : !engine.wasOpened
                        ? "the stream was released without having been opened, so that its delegate "
                            + "received no event: call open()"
                        : "the stream was released before its delegate received an event: keep the "
                            + "stream, and run its loop, until you close it"
            )
        }
    #endif

    private static let remedy = "use RLReadStreamSetClient or RLWriteStreamSetClient"

    /// Stops the process if the stream is only in loops of other threads, to which its delegate is
    /// confined.
    private func checkThread(_ call: StaticString) {
        let thread = engine.foreignThread
        if thread != 0 { stopForeignUse(call, of: "stream", thread: thread, Self.remedy) }
    }

    /// The delegate, which receives events; not retained.
    ///
    /// A new delegate receives events for the current state. While it is nil, events are dropped,
    /// including those due in the same pass.
    ///
    /// It is called on the thread that has set it, and on those in whose loops the stream was
    /// scheduled. A stream with a dispatch queue (`RLReadStreamSetDispatchQueue`) calls the
    /// delegate on that queue in two cases: it is an ``RLSendableStreamDelegate``, or the queue is
    /// serial and the delegate was set by code that ran on it. Any other delegate stops the process
    /// with a line, because two threads might use it at once. So does a delegate that was set
    /// elsewhere on a subclass's stream. Code on the main thread or within a running loop counts as
    /// that thread's, also inside `sync` of a queue.
    ///
    /// In Swift 5 mode, where the compiler does not check threads, `RLReadStreamSetDispatchQueue`
    /// and `RLWriteStreamSetDispatchQueue` with a stream's object give the delegate to a serial
    /// queue, as in Foundation.
    ///
    /// While the stream is in loops of other threads only, reading or setting such a delegate stops
    /// the process with a message. Nil, and an ``RLSendableStreamDelegate``, may be set on any
    /// thread. Setting does not wait for a running call.
    ///
    /// Foundation: delegate. There a stream without a delegate is its own delegate; here it has
    /// none.
    open var delegate: (any RLStreamDelegate)? {
        get {
            guard let relay = relay.load() else { return nil }
            // Checked first: reading the delegate might release it here.
            if relay.isConfined { checkThread("RLStream.delegate.getter") }
            return relay.delegate
        }
        set {
            let relay = makeRelay()
            if relay.confines(newValue) { checkThread("RLStream.delegate") }
            relay.setDelegate(newValue)
            // Another thread may set a delegate concurrently: whichever sets the engine's client
            // last has read the last delegate. Without a lock, as a former client's closure may be
            // released here.
            var setting = relay.setting
            while true {
                engine.setClient(setting.hasDelegate ? relay : nil)
                let count = setting.count
                setting = relay.setting
                if setting.count == count { break }
            }
        }
    }

    /// Opens the stream, or begins to; an event reports the result.
    ///
    /// A stream can be opened only once.
    ///
    /// Foundation: open().
    open func open() {
        engine.open()
    }

    /// Closes the stream for good and removes it from all loops.
    ///
    /// No more events are delivered. The two streams of a connection share its socket, which is
    /// closed with the second one: until then the peer receives no end. To half-close the
    /// connection, call ``RLOutputStream/finishWriting()``.
    ///
    /// Foundation: close().
    open func close() {
        engine.close()
    }

    /// Delivers events to the delegate while the loop runs in a mode, or in any common mode.
    ///
    /// A stream may be in several modes. Pending events are delivered then. Has no effect on a
    /// closed stream.
    ///
    /// Another thread may call it, unless the ``delegate`` belongs to another thread than the
    /// loop's: that stops the process with a message.
    ///
    /// Foundation: schedule(in:forMode:).
    ///
    /// - Parameters:
    ///   - aRunLoop: The loop.
    ///   - mode: The mode.
    open func schedule(in aRunLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        let loop = aRunLoop.loop
        if RLRunLoopIsCurrent(loop) {
            checkGiver("RLStream.schedule(in:forMode:)")
            let relay = makeRelay()
            if relay.isConfined { checkThread("RLStream.schedule(in:forMode:)") }
            relay.allow(loop)
        } else if RLRunLoopHasEnded(loop) || relay.load()?.forbids(loop) == true {
            checkThreadUnlessEnded(of: loop, "RLStream.schedule(in:forMode:)", Self.remedy)
        }
        #if DEBUG
            isServed.store(true, ordering: .relaxed)
        #endif
        engine.schedule(in: loop, mode.mode)
    }

    /// Stops delivering events in a mode; events are kept until the stream is scheduled again.
    ///
    /// Foundation: remove(from:forMode:).
    ///
    /// - Parameters:
    ///   - aRunLoop: The loop, of any thread.
    ///   - mode: The mode.
    open func remove(from aRunLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        engine.remove(from: aRunLoop.loop, mode.mode)
    }

    /// Records that a dispatch queue serves the stream instead of loops.
    public final func willServeOnQueue() {
        #if DEBUG
            isServed.store(true, ordering: .relaxed)
        #endif
    }

    /// Confines the delegate to the queue that serves the stream, or ends that.
    final func giveDelegate(toQueue isGiven: Bool) {
        makeRelay().setGivenToQueue(isGiven)
    }

    /// Records that a loop serves the stream.
    ///
    /// If it is the calling thread's, it may call the delegate.
    public final func willSchedule(in runLoop: RLRunLoopRef) {
        if RLRunLoopIsCurrent(runLoop) { makeRelay().allow(runLoop) }
        #if DEBUG
            isServed.store(true, ordering: .relaxed)
        #endif
    }

    /// The status of the stream.
    ///
    /// Foundation: streamStatus.
    open var streamStatus: Status {
        Status(rawValue: UInt(engine.status.rawValue)) ?? .error
    }

    /// The error with which the stream failed, a `POSIXError` or an ``RLStreamTLSError``; nil if it
    /// did not fail.
    ///
    /// Foundation: streamError.
    open var streamError: (any Error)? {
        let error = engine.error
        let number = error.error
        guard number != 0 else { return nil }
        if error.domain == kRLStreamErrorDomainSSL {
            return RLStreamTLSError(code: Int(number), description: engine.errorDescription)
        }
        return POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
    }

    /// The socket or other descriptor of the stream; nil if it has none, or if that is closed.
    ///
    /// The streams own it, unless they were made with it. Do not close it, and do not read it
    /// beside the stream: a later read would block.
    ///
    /// Foundation: property(forKey:) with the key socketNativeHandle of CF, which is data.
    public final var socket: CInt? {
        let data = engine.property(String(kRLStreamPropertySocketNativeHandle)) as? Data
        let handle = data?.withUnsafeBytes { $0.loadUnaligned(as: CInt.self) }
        return handle.flatMap { $0 < 0 ? nil : $0 }
    }

    /// A property of the stream, or nil if it has no such property: a `Bool`, an `Int`, `Data`, a
    /// `String`, an ``RLStreamSocketSecurityLevel`` or an ``RLStreamNetworkServiceTypeValue``.
    ///
    /// Foundation: property(forKey:).
    open func property(forKey key: PropertyKey) -> Any? {
        let value = engine.property(key.rawValue)
        guard let name = value as? String else { return value }
        switch key {
        case .socketSecurityLevelKey: return RLStreamSocketSecurityLevel(rawValue: name)
        case .networkServiceType: return RLStreamNetworkServiceTypeValue(rawValue: name)
        default: return name
        }
    }

    /// Sets a property.
    ///
    /// Foundation: setProperty(_:forKey:).
    ///
    /// - Parameters:
    ///   - property: The value, a `Bool`, an `Int`, a `Double`, a `String`, an
    ///     ``RLStreamSocketSecurityLevel``, ``RLStreamTLSSettings`` or
    ///     ``RLStreamNetworkServiceTypeValue``; any other value is refused.
    ///   - key: The name.
    /// - Returns: Whether it can be set.
    @discardableResult
    open func setProperty(_ property: Any?, forKey key: PropertyKey) -> Bool {
        engine.setProperty(property, key.rawValue)
    }
}

/// A stream's delegate is confined to its thread.
@available(*, unavailable, message: "the engine's stream may be passed to any thread")
extension RLStream: Sendable {}

extension RLStream {
    /// The status of a stream.
    ///
    /// Foundation: Stream.Status.
    public enum Status: UInt, Sendable {
        /// It has not been opened.
        case notOpen = 0
        /// It is being opened.
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

    /// The events of a stream.
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

        /// Bytes are available.
        ///
        /// The event comes again after a read that left some.
        ///
        /// Foundation: hasBytesAvailable.
        public static let hasBytesAvailable = Event(rawValue: 2)

        /// A write would not block.
        ///
        /// The event repeats after a write that left space.
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

        /// The security level of a stream over a socket, an ``RLStreamSocketSecurityLevel``.
        ///
        /// Set it on one of the two streams of a connection, before opening it or later (STARTTLS).
        ///
        /// Foundation: socketSecurityLevelKey.
        public static let socketSecurityLevelKey = PropertyKey(kRLStreamPropertySocketSecurityLevel)

        /// The TLS settings of a stream over a socket, ``RLStreamTLSSettings``.
        ///
        /// Set them on one of the two streams of a connection, before opening it or later
        /// (STARTTLS).
        ///
        /// CF: kCFStreamPropertySSLSettings.
        public static let sslSettingsKey = PropertyKey(kRLStreamPropertySSLSettings)

        /// The purpose of a stream over a socket, an ``RLStreamNetworkServiceTypeValue``, which
        /// determines the code point of its packets.
        ///
        /// Set it on one of the two streams of a connection, before opening it or later. It is nil
        /// until then.
        ///
        /// Foundation: networkServiceType.
        public static let networkServiceType = PropertyKey(kRLStreamNetworkServiceType)

        /// The bytes written so far by a stream into memory of its own, `Data`.
        ///
        /// Foundation: dataWrittenToMemoryStreamKey.
        public static let dataWrittenToMemoryStreamKey = PropertyKey(kRLStreamPropertyDataWritten)

        /// The stream's offset in its file, in bytes, `Int`.
        ///
        /// It may be set before the stream is opened and while it is open, unless the stream
        /// appends.
        ///
        /// Foundation: fileCurrentOffsetKey.
        public static let fileCurrentOffsetKey = PropertyKey(kRLStreamPropertyFileCurrentOffset)

        /// Whether a stream to a file appends, `Bool`; set it before opening.
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

        /// The time-out for establishing a connection, in seconds, `Double`; 0 for none.
        ///
        /// It starts when the first of the two streams of a connection is opened, and covers name
        /// lookup, connecting and the TLS handshake. When it expires, both streams fail with
        /// `POSIXError(.ETIMEDOUT)`. The default is 60 for the server's side of TLS and 0
        /// otherwise.
        ///
        /// Ours, no CF counterpart; in C kRLStreamPropertyConnectTimeout.
        public static let connectTimeoutKey = PropertyKey(kRLStreamPropertyConnectTimeout)
    }
}

extension RLStream.Event: CustomStringConvertible {
    /// The names of the events, such as `"hasBytesAvailable"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [
                1: "openCompleted", 2: "hasBytesAvailable", 4: "hasSpaceAvailable",
                8: "errorOccurred", 16: "endEncountered",
            ]
        )
    }
}

extension RLStream: RLObjectProtocol {}

extension RLStream: CustomStringConvertible {
    /// The description of the engine's stream.
    public var description: String {
        engine.description
    }
}
