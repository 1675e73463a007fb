@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import Synchronization

/// An object that receives the events of a stream.
///
/// Foundation: StreamDelegate.
public protocol RLStreamDelegate: AnyObject {
    /// Handles an event of the stream.
    ///
    /// Called with one event at a time, on the thread of the loop in which the stream is scheduled,
    /// or on the stream's dispatch queue (see ``RLStream/delegate``). Changing the queue or loop
    /// does not wait for a running call, so two calls may then overlap. The method may read, write,
    /// unschedule and close the stream. The method is optional.
    ///
    /// Foundation: stream(_:handle:).
    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event)
}

extension RLStreamDelegate {
    /// Does nothing: the method is optional, as in Foundation.
    public func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {}
}

/// A delegate that may be called on any thread, for example on the threads of a dispatch queue.
///
/// The protocol exists because Swift cannot check conformance to `Sendable` at run time.
///
/// Foundation has no counterpart: Foundation calls any delegate on any thread.
public protocol RLSendableStreamDelegate: RLStreamDelegate, Sendable {}

/// The base class of ``RLInputStream`` and ``RLOutputStream``.
///
/// A stream can be opened, closed, and scheduled in a run loop, where its delegate receives events.
///
/// ```swift
/// let input = RLInputStream(data: Data("hello".utf8))
/// input.delegate = reader
/// input.schedule(in: .current, forMode: .default)
/// input.open()
/// ```
///
/// Streams are thread-safe: any thread may open, read, write, schedule and close a stream, even
/// while a loop serves it. Only the ``delegate`` is confined to a thread. The compiler does not
/// permit sending the object to another thread; send the engine's stream instead, which
/// ``RLInputStream/getRLReadStream()`` or ``RLOutputStream/getRLWriteStream()`` returns. A stream
/// that is not in a loop can be read and written with blocking calls.
///
/// The loop does not retain the stream. When the last reference is released, the stream is closed.
///
/// Foundation: Stream.
open class RLStream {
    let engine: EngineStream
    // Thread-safe: all mutable state is atomic or locked.
    //
    // Created when a delegate is set or the stream is scheduled; blocking calls need no relay.
    private let relay = LazyReference<StreamRelay>()
    // Created when the first task reads or writes.
    private let turns = LazyReference<StreamTurns>()
    #if DEBUG
        // Whether a loop or queue serves the stream, for a diagnostic.
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

    /// Stops the process if the stream is only in loops of other threads, because its delegate is
    /// confined to those threads.
    private func checkThread(_ call: StaticString) {
        let thread = engine.foreignThread
        if thread != 0 { stopForeignUse(call, of: "stream", thread: thread, Self.remedy) }
    }

    /// The delegate, which receives the events.
    ///
    /// The stream does not retain the delegate.
    ///
    /// A new delegate receives events for the stream's current state. While the delegate is nil,
    /// events are dropped, including events that are due in the same pass.
    ///
    /// The delegate may be called on the thread that set it, and on the threads in whose loops this
    /// object was scheduled. A stream with a dispatch queue (`RLReadStreamSetDispatchQueue`) calls
    /// the delegate on the queue in two cases: the delegate is an ``RLSendableStreamDelegate``, or
    /// the queue is serial and code on the queue set the delegate. Otherwise an event stops the
    /// process with a message, because two threads might use the delegate at the same time. For a
    /// stream of a subclass, ``RLSendableStreamDelegate`` is not sufficient. Code that the main
    /// thread or a thread with a running loop executes counts as code of that thread, even inside
    /// `sync` of a queue.
    ///
    /// In Swift 5 mode, where the compiler does not check threads, `RLReadStreamSetDispatchQueue`
    /// and `RLWriteStreamSetDispatchQueue` also accept a stream object, and then confine its
    /// delegate to the serial queue, as in Foundation.
    ///
    /// While the stream is only in loops of other threads, reading or setting a confined delegate
    /// stops the process with a message. Any thread may set nil or an ``RLSendableStreamDelegate``.
    /// Setting the delegate does not wait for a running call.
    ///
    /// Awaited reads and writes take the delegate's place: afterwards it receives no events, until
    /// it is set again. Setting a delegate while a task waits for the stream stops the process.
    ///
    /// Foundation: delegate. In Foundation, a stream without a delegate is its own delegate.
    open var delegate: (any RLStreamDelegate)? {
        get {
            guard let relay = relay.load() else { return nil }
            // The thread is checked first, because reading the delegate might release the delegate
            // on this thread.
            if relay.isConfined { checkThread("RLStream.delegate.getter") }
            return relay.delegate
        }
        set {
            if newValue != nil && turns.load()?.isAwaited == true {
                stopProcess(
                    "RLStream.delegate",
                    "a task waits for \(self): cancel the task before you set a delegate, or use "
                        + "only tasks"
                )
            }
            let relay = makeRelay()
            if relay.confines(newValue) { checkThread("RLStream.delegate") }
            relay.setDelegate(newValue)
            // Another thread may set a delegate concurrently: repeat, so that the thread that sets
            // the engine's client last has read the newest delegate. No lock is held, because the
            // closure of a former client may be released here.
            var setting = relay.setting
            while true {
                engine.setClient(setting.hasDelegate ? relay : nil)
                let count = setting.count
                setting = relay.setting
                if setting.count == count { break }
            }
        }
    }

    /// Opens the stream, or starts to open it; an event reports the result.
    ///
    /// A stream can be opened only once.
    ///
    /// Foundation: open().
    open func open() {
        engine.open()
    }

    /// Closes the stream permanently and removes it from all loops.
    ///
    /// No more events are delivered. The two streams of a connection share a socket, which is
    /// closed when both streams are closed; until then the peer receives no EOF. To half-close the
    /// connection, call ``RLOutputStream/finishWriting()``. Closing an unopened stream only removes
    /// it from its loops and its queue: an awaited read or write can still open the stream.
    ///
    /// Foundation: close().
    open func close() {
        engine.close()
    }

    /// Delivers events to the delegate while the loop runs in a mode, or in any common mode.
    ///
    /// Pending events are delivered too. A stream may be scheduled in several modes. A no-op for a
    /// closed stream.
    ///
    /// Any thread may call this function. If the ``delegate`` is confined to a thread other than
    /// the loop's, the call stops the process with a message.
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

    /// Stops delivering events in a mode.
    ///
    /// Events stay pending until the stream is scheduled again.
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

    /// Confines the delegate to the queue that serves the stream, or ends this confinement.
    final func giveDelegate(toQueue isGiven: Bool) {
        makeRelay().setGivenToQueue(isGiven)
    }

    /// Records that a loop serves the stream.
    ///
    /// If the loop is the calling thread's loop, it may call the delegate.
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

    /// The error with which the stream failed: a `POSIXError` or an ``RLStreamTLSError``.
    ///
    /// Nil if the stream did not fail.
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

    /// The socket or other descriptor of the stream.
    ///
    /// Nil if the stream has no descriptor, or if the descriptor is closed.
    ///
    /// The streams own the descriptor, unless they were created with it. Do not close the
    /// descriptor. Do not read from it directly, because a later read of the stream would block.
    ///
    /// Foundation: property(forKey:) with CF's key socketNativeHandle, whose value is data.
    public final var socket: CInt? {
        let data = engine.property(String(kRLStreamPropertySocketNativeHandle)) as? Data
        let handle = data?.withUnsafeBytes { $0.loadUnaligned(as: CInt.self) }
        return handle.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns the value of a property: a `Bool`, an `Int`, `Data`, a `String`, an
    /// ``RLStreamSocketSecurityLevel`` or an ``RLStreamNetworkServiceTypeValue``.
    ///
    /// Returns nil if the stream does not have the property.
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
    ///   - property: The value: a `Bool`, an `Int`, a `Double`, a `String`, an
    ///     ``RLStreamSocketSecurityLevel``, ``RLStreamTLSSettings`` or an
    ///     ``RLStreamNetworkServiceTypeValue``. Values of other types are rejected.
    ///   - key: The name.
    /// - Returns: Whether the property was set.
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
        /// The stream has not been opened.
        case notOpen = 0
        /// The stream is being opened.
        case opening
        /// The stream is open.
        case open
        /// The stream is being read. Never reported.
        case reading
        /// The stream is being written. Never reported.
        case writing
        /// All bytes were read, or ``RLOutputStream/finishWriting()`` has sent EOF.
        case atEnd
        /// The stream was closed.
        case closed
        /// The stream failed; see ``RLStream/streamError``.
        case error
    }

    /// The events of a stream.
    ///
    /// Foundation: Stream.Event.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The stream is open.
        ///
        /// Foundation: openCompleted.
        public static let openCompleted = Event(rawValue: 1)

        /// Bytes are available.
        ///
        /// The event is reported again after a read that left some bytes.
        ///
        /// Foundation: hasBytesAvailable.
        public static let hasBytesAvailable = Event(rawValue: 2)

        /// A write would not block.
        ///
        /// The event is reported again after a write that left space.
        ///
        /// Foundation: hasSpaceAvailable.
        public static let hasSpaceAvailable = Event(rawValue: 4)

        /// The stream failed; see ``RLStream/streamError``.
        ///
        /// Foundation: errorOccurred.
        public static let errorOccurred = Event(rawValue: 8)

        /// All bytes were read, or ``RLOutputStream/finishWriting()`` has sent EOF.
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

        /// Creates a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a key from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        private init(_ name: RLStringRef!) {
            self.init(String(name))
        }

        /// The security level of a stream over a socket.
        ///
        /// The value is an ``RLStreamSocketSecurityLevel``. Set it on one of the two streams of a
        /// connection, before or after opening the stream (STARTTLS).
        ///
        /// Foundation: socketSecurityLevelKey.
        public static let socketSecurityLevelKey = PropertyKey(kRLStreamPropertySocketSecurityLevel)

        /// The TLS settings of a stream over a socket.
        ///
        /// The value is an ``RLStreamTLSSettings``. Set it on one of the two streams of a
        /// connection, before or after opening the stream (STARTTLS).
        ///
        /// CF: kCFStreamPropertySSLSettings.
        public static let sslSettingsKey = PropertyKey(kRLStreamPropertySSLSettings)

        /// The purpose of a stream over a socket, which determines the code point (DSCP) of its
        /// packets.
        ///
        /// The value is an ``RLStreamNetworkServiceTypeValue``, or nil until the property is set.
        /// Set it on one of the two streams of a connection, before or after opening the stream.
        ///
        /// Foundation: networkServiceType.
        public static let networkServiceType = PropertyKey(kRLStreamNetworkServiceType)

        /// The bytes that a stream has so far written into memory that it allocates.
        ///
        /// The value is `Data`.
        ///
        /// Foundation: dataWrittenToMemoryStreamKey.
        public static let dataWrittenToMemoryStreamKey = PropertyKey(kRLStreamPropertyDataWritten)

        /// The stream's offset in its file, in bytes.
        ///
        /// The value is an `Int`. It may be set before the stream is opened and while it is open,
        /// unless the stream appends.
        ///
        /// Foundation: fileCurrentOffsetKey.
        public static let fileCurrentOffsetKey = PropertyKey(kRLStreamPropertyFileCurrentOffset)

        /// Whether a stream to a file appends.
        ///
        /// The value is a `Bool`; set it before opening the stream.
        ///
        /// CF: kCFStreamPropertyAppendToFile.
        public static let appendToFileKey = PropertyKey(kRLStreamPropertyAppendToFile)

        /// The descriptor of a stream over a socket.
        ///
        /// The value is `Data` that contains a `CInt`.
        ///
        /// CF: kCFStreamPropertySocketNativeHandle.
        public static let socketNativeHandleKey = PropertyKey(kRLStreamPropertySocketNativeHandle)

        /// Whether closing both streams closes the descriptor.
        ///
        /// The value is a `Bool`.
        ///
        /// CF: kCFStreamPropertyShouldCloseNativeSocket.
        public static let shouldCloseNativeSocketKey = PropertyKey(
            kRLStreamPropertyShouldCloseNativeSocket
        )

        /// The time limit for establishing a connection.
        ///
        /// The value is a `Double` in seconds; 0 means no limit.
        ///
        /// The time starts when the first of the two streams of a connection is opened, and
        /// includes name resolution, connecting and the TLS handshake. When the limit is reached,
        /// both streams fail with `POSIXError(.ETIMEDOUT)`. The default is 60 for the server's side
        /// of TLS and 0 otherwise.
        ///
        /// CF has no counterpart. In C, the key is kRLStreamPropertyConnectTimeout.
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
