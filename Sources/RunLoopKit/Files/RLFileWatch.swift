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
/// Read saved settings when they are complete: moved to the path, or written there and closed.
///
/// ```swift
/// let watch = try RLFileWatch(path: "/etc/app.conf")
/// watch.observe(in: .current) { events in
///     if !events.isDisjoint(with: [.movedIntoPlace, .closed, .overflowed]) { readSettings() }
/// }
/// ```
///
/// The file need not exist, but its directory must. A file that is moved away is watched until
/// another one has the path: later writes are reported as ``Events/modified``.
///
/// Links are followed, in the directory's path too, and followed again when one changes: another
/// target is a new file at the path. A link may dangle. This user must be able to read the
/// directories of the links and of the file. For files of the network and of `/proc`, only changes
/// by system calls on this machine are reported.
///
/// All watches of one mode of a loop share one inotify instance, and one more has the watches that
/// no loop observes yet. If the kernel's queue overflows, each of them reports
/// ``Events/overflowed``.
///
/// A loop that observes retains the watch until ``invalidate()``, or until its thread ends.
///
/// Ours, no Foundation counterpart.
public final class RLFileWatch: Sendable {
    /// The changes; in a sequence, all since the last element.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The bytes of the file changed; of a directory, its entries or those of a file in it.
        public static let modified = Events(rawValue: 1)
        /// The owner, mode, times or number of links of the file changed.
        public static let attributes = Events(rawValue: 2)
        /// A descriptor that was open for writing was closed.
        public static let closed = Events(rawValue: 4)
        /// Another file has the path, and is watched from now on.
        ///
        /// Without ``movedIntoPlace`` it was created there and may still be empty: ``closed``
        /// follows when its writer ends.
        public static let created = Events(rawValue: 8)
        /// Together with ``created``: the file was moved to the path, or a link or directory of the
        /// path changed, so that the file may be complete.
        public static let movedIntoPlace = Events(rawValue: 256)
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
        ///
        /// If a link leads to the directory, ``deleted`` is reported instead, and the watch waits
        /// for another directory.
        public static let ended = Events(rawValue: 128)

        /// Everything but ``attributes``.
        public static let changes: Events = [
            .modified, .closed, .created, .movedIntoPlace, .deleted, .moved,
        ]
    }

    /// The absolute path; its links are not resolved.
    public let path: String

    private let core = FileWatchCore()

    /// Begins to watch.
    ///
    /// Events are queued until a loop or a task takes them.
    ///
    /// - Parameters:
    ///   - path: The path of a file or directory; a relative one is made absolute now.
    ///   - events: The events to report.
    /// - Throws: The system's error, such as `ENOENT` if there is no such directory. At the limits
    ///   of inotify, `ENOSPC` and `EMFILE`, the description names the limit.
    public init(path: String, events: Events = .changes) throws(RLSystemError) {
        self.path = try core.begin(path, events)
    }

    deinit {
        invalidate()
    }

    /// Whether the watch can still report changes.
    public var isValid: Bool {
        core.isValid
    }

    /// Ends the watch: the handler is released, and sequences of changes end.
    public func invalidate() {
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
        core.move(to: runLoop.loop, mode.mode)
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
            let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
            core.end(with: loop)
            core.move(to: loop, mode.mode)
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

        /// Creates an iterator.
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
    /// The path, or `invalid`.
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
                32: "moved", 64: "overflowed", 128: "ended", 256: "movedIntoPlace",
            ]
        )
    }
}
