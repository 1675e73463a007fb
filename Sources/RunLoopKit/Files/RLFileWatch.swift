import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc

/// Watches the file at a path, and its replacement by another file, such as a rotated log or saved
/// settings.
///
/// ```swift
/// let watch = try RLFileWatch(path: "/var/log/messages")
/// watch.observe(in: .current) { events in
///     if !events.isDisjoint(with: [.created, .overflowed]) { readToEnd(); openAgain() }
///     readToEnd()
/// }
/// ```
///
/// The file need not exist, but its directory must. A file that is moved away is watched until
/// another one has the path: later writes are reported as ``Events/modified``. Links in the
/// directory's path are followed once, when the watch begins. For files of the network and of
/// `/proc`, only changes by system calls on this machine are reported.
///
/// A loop that observes retains the watch until ``invalidate()``, or until its thread ends.
///
/// Ours, no Foundation counterpart.
public final class RLFileWatch: Sendable {
    /// The changes; in a sequence, all since the last element.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The bytes of the file changed; of a directory, its entries or those of a file in it.
        public static let modified = Events(rawValue: 1)
        /// The owner, mode, times or number of links of the file changed.
        public static let attributes = Events(rawValue: 2)
        /// A descriptor that was open for writing was closed.
        public static let closed = Events(rawValue: 4)
        /// Another file has the path, created or moved there, and is watched from now on.
        public static let created = Events(rawValue: 8)
        /// The path was deleted.
        ///
        /// An open file still exists.
        public static let deleted = Events(rawValue: 16)
        /// The file was moved: it has another path.
        public static let moved = Events(rawValue: 32)
        /// Always reported: events were lost, because the queue was full.
        ///
        /// Read the state of the file again.
        public static let overflowed = Events(rawValue: 64)
        /// Always reported: the directory was deleted or moved, and this is the last event.
        public static let ended = Events(rawValue: 128)

        /// Everything but ``attributes``.
        public static let changes: Events = [.modified, .closed, .created, .deleted, .moved]
    }

    /// The path, without links in its directory.
    public let path: String

    private let source: RLRunLoopSourceRef
    private let core = FileWatchCore()

    /// Begins to watch.
    ///
    /// Events are queued until a loop or a task takes them.
    ///
    /// - Parameters:
    ///   - path: The path of a file or directory; a relative one is made absolute now.
    ///   - events: The events to report.
    /// - Throws: The system's error, such as `ENOENT` if there is no such directory.
    public init(path: String, events: Events = .changes) throws(RLSystemError) {
        let made = RLFileSourceCreate { [core] source, event, _ in core.take(event, from: source) }
        guard let made else { throw RLSystemError(code: errno, to: "watch \(path)") }
        source = made
        do throws(RLSystemError) {
            let watched = try WatchedPath(path, events, by: made)
            self.path = watched.path
            core.begin(watched)
        } catch {
            RLRunLoopSourceInvalidate(made)
            throw error
        }
    }

    deinit {
        invalidate()
    }

    /// Whether it can still report something.
    public var isValid: Bool {
        RLRunLoopSourceIsValid(source)
    }

    /// Ends the watch: the handler is released, and sequences of changes end.
    public func invalidate() {
        RLRunLoopSourceInvalidate(source)
        core.end()
    }

    /// Reports changes in a mode of the calling thread's loop.
    ///
    /// The loop retains the watch and the handler until ``invalidate()``.
    ///
    /// - Parameters:
    ///   - runLoop: The calling thread's loop.
    ///   - mode: The mode.
    ///   - handler: Called on the loop's thread with each event. Closures of the main actor are
    ///     called on it.
    public func observe(
        in runLoop: RLRunLoop,
        forMode mode: RLRunLoop.Mode = .common,
        handler: @escaping (Events) -> Void
    ) {
        let call: StaticString = "RLFileWatch.observe(in:forMode:handler:)"
        checkGiver(call)
        checkThread(of: runLoop.loop, call, remedy: "use changes(on:mode:)")
        guard core.beginUse(.handler, call) else { return }
        let observer = FileObserver(self, handler)
        guard runLoop.belongings.insert(observer) else { return invalidate() }
        core.observe(by: observer, of: runLoop)
        if isValid { RLRunLoopAddSource(runLoop.loop, source, mode.mode) } else { core.end() }
    }

    /// The changes, as a sequence for async code.
    ///
    /// ```swift
    /// for await events in watch.changes() { print(events) }
    /// ```
    ///
    /// Changes while the reader is busy are merged into one element, so that elements do not
    /// accumulate. The sequence ends with ``invalidate()``, with the loop's thread, and if the task
    /// is cancelled.
    ///
    /// - Parameters:
    ///   - loop: The loop that waits, of any thread; nil for the one that the calling thread runs,
    ///     as for an actor of that loop, else the main one. Later calls use the first one's.
    ///   - mode: The mode.
    /// - Returns: The sequence, which retains the watch.
    public func changes(
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> Changes {
        if core.beginUse(.tasks, "RLFileWatch.changes(on:mode:)") {
            let loop = loop ?? loopOfCaller()
            core.end(with: loop, source)
            RLRunLoopAddSource(loop, source, mode.mode)
        }
        return Changes(watch: self)
    }

    fileprivate func takeUnread(isolation: isolated (any Actor)? = #isolation) async -> Events? {
        await core.unread.take()
    }
}

extension RLFileWatch {
    /// The changes of a file: ``RLFileWatch/changes(on:mode:)``.
    public struct Changes: AsyncSequence, Sendable {
        /// Events since the last element.
        public typealias Element = Events
        /// It ends without an error.
        public typealias Failure = Never

        fileprivate let watch: RLFileWatch

        /// Makes an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(watch: watch)
        }

        /// One reader.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let watch: RLFileWatch

            /// Waits for a change; nil at the end.
            public mutating func next(
                isolation: isolated (any Actor)? = #isolation
            ) async -> Events? {
                await watch.takeUnread()
            }
        }
    }
}

extension RLFileWatch: CustomStringConvertible {
    /// The path, or that the watch is invalid.
    public var description: String {
        describe(self, isValid ? path : "invalid")
    }
}

extension RLFileWatch.Events: CustomStringConvertible {
    /// The names of the events, such as `"modified"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [
                1: "modified", 2: "attributes", 4: "closed", 8: "created", 16: "deleted",
                32: "moved", 64: "overflowed", 128: "ended",
            ]
        )
    }
}

/// The handler of a watch, and the watch, which a loop keeps.
private final class FileObserver: ThreadBelonging {
    private struct Content {
        let handler: (RLFileWatch.Events) -> Void
        let watch: RLFileWatch
    }

    // Nil when it is released.
    private var content: Content?

    init(_ watch: RLFileWatch, _ handler: @escaping (RLFileWatch.Events) -> Void) {
        content = Content(handler: handler, watch: watch)
    }

    func call(_ events: RLFileWatch.Events) {
        guard let content else { return }
        noteFunction(content)
        content.handler(events)
    }

    func letGo() {
        // Released at the end of this function, as its end may call code that uses the watch.
        let given = content
        content = nil
        given?.watch.invalidate()
    }
}

/// From the events of the engine to those of a path, and to who wants them.
private final class FileWatchCore: Sendable {
    enum Use {
        case none, handler, tasks
    }

    private struct State {
        var path: WatchedPath?
        var use = Use.none
        // Used by its thread only.
        var observer: FileObserver?
        var owner: RLRunLoopRef?
        var belongings: ThreadBelongings?
        var loopEnd: LoopEnd?
    }

    let unread = Mailbox<RLFileWatch.Events>()
    private let state = Locked(State())

    func begin(_ path: WatchedPath) {
        state.withLock { $0.path = path }
    }

    /// Whether the use begins: false if tasks take changes already.
    func beginUse(_ use: Use, _ call: StaticString) -> Bool {
        let former = state.withLock { state in
            defer { state.use = use }
            return state.use
        }
        if former == .none { return true }
        if former == .tasks && use == .tasks { return false }
        stopProcess("\(call)", "the watch reports its changes already")
    }

    func observe(by observer: FileObserver, of runLoop: RLRunLoop) {
        // Proof: only the thread of the loop uses it.
        nonisolated(unsafe) let observer = observer
        let (loop, belongings) = (runLoop.loop, runLoop.belongings)
        state.withLock { state in
            state.observer = observer
            state.owner = loop
            state.belongings = belongings
        }
    }

    /// Ends the watch with the thread of a loop.
    func end(with loop: RLRunLoopRef, _ source: RLRunLoopSourceRef) {
        let loopEnd = LoopEnd { [weak self] in
            RLRunLoopSourceInvalidate(source)
            self?.end()
        }
        state.withLock { $0.loopEnd = loopEnd }
        loopEnd.watch(loop)
    }

    /// On the thread of the loop that has the source.
    func take(_ event: RLFileEvent, from source: RLRunLoopSourceRef) {
        var observer: FileObserver?
        let events = state.withLock { state in
            observer = state.observer
            return state.path?.take(event, from: source) ?? []
        }
        if events.isEmpty { return }
        if let observer {
            observer.call(events)
        } else {
            unread.put(events) { $0.union($1) }
        }
        if events.contains(.ended) {
            RLRunLoopSourceInvalidate(source)
            end()
        }
    }

    /// Lets go of everything.
    func end() {
        var ended = State()
        state.withLock { state in
            ended.use = state.use
            swap(&state, &ended)
        }
        ended.loopEnd?.forget()
        if let observer = ended.observer, let loop = ended.owner {
            ended.belongings?.letGo(of: observer, on: loop)
        }
        unread.finish()
    }
}
