import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc

/// Watches the file at a path, and detects its replacement by another file, such as a rotated log
/// or saved settings.
///
/// ```swift
/// let watch = try RLFileWatch(path: "/var/log/messages")
/// watch.observe(in: .current) { events in
///     if !events.isDisjoint(with: [.created, .overflowed]) { readToEnd(); openAgain() }
///     readToEnd()
/// }
/// ```
///
/// Read a settings file when it is complete: after it was moved to the path, or written and closed.
///
/// ```swift
/// let watch = try RLFileWatch(path: "/etc/app.conf")
/// watch.observe(in: .current) { events in
///     if !events.isDisjoint(with: [.movedIntoPlace, .closed, .overflowed]) { readSettings() }
/// }
/// ```
///
/// The file need not exist, but its directory must. A file that is moved away is watched until
/// another file has the path; writes to the moved file are reported as ``Events/modified``.
///
/// Symbolic links are followed, also in the directory's path. When a link changes, the watch
/// follows the link again, and the new target counts as a new file at the path. A link may dangle.
/// The user must have permission to read the directories of the links and of the file. On network
/// file systems and in `/proc`, only changes by system calls on this machine are reported.
///
/// All watches of one mode of a loop share an inotify instance; watches that no loop observes yet
/// share another instance. If the kernel's queue of an instance overflows, all watches of the
/// instance report ``Events/overflowed``.
///
/// A loop that observes the watch retains it until ``invalidate()``, or until the loop's thread
/// ends.
///
/// Foundation has no counterpart.
public final class RLFileWatch: Sendable {
    /// A set of changes.
    ///
    /// In a sequence, an element contains all changes since the previous element.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The bytes of the file changed.
        ///
        /// For a directory, its entries changed, or the bytes of a file in it.
        public static let modified = Events(rawValue: 1)
        /// The owner, mode, times or number of links of the file changed.
        public static let attributes = Events(rawValue: 2)
        /// A descriptor that was open for writing was closed.
        public static let closed = Events(rawValue: 4)
        /// Another file now has the path, and is watched from now on.
        ///
        /// Without ``movedIntoPlace``, the file was created at the path and may still be empty:
        /// ``closed`` follows when the writer closes it.
        public static let created = Events(rawValue: 8)
        /// Reported together with ``created``: the file was moved to the path, or a link or
        /// directory of the path changed.
        ///
        /// The file may be complete.
        public static let movedIntoPlace = Events(rawValue: 256)
        /// The path was deleted.
        ///
        /// The file still exists while a process has it open.
        public static let deleted = Events(rawValue: 16)
        /// The file was moved to another path.
        public static let moved = Events(rawValue: 32)
        /// Events were lost because the kernel's queue was full: read the file again.
        ///
        /// Reported even if not requested.
        public static let overflowed = Events(rawValue: 64)
        /// The path's directory was deleted or moved, or the watch failed and logged the reason.
        ///
        /// This is the last event, and is reported even if not requested. If the path reaches the
        /// directory through a symbolic link, ``deleted`` is reported instead, and the watch waits
        /// for another directory.
        public static let ended = Events(rawValue: 128)

        /// All changes except ``attributes``.
        public static let changes: Events = [
            .modified, .closed, .created, .movedIntoPlace, .deleted, .moved,
        ]
    }

    /// The absolute path; its links are not resolved.
    public let path: String

    private let core = FileWatchCore()

    /// Creates a watch, which starts immediately.
    ///
    /// Events are queued until a loop or a task receives them.
    ///
    /// - Parameters:
    ///   - path: The path of a file or directory. A relative path is resolved against the current
    ///     directory immediately.
    ///   - events: The events to report.
    /// - Throws: The system's error, such as `ENOENT` if the directory does not exist. If a limit
    ///   of inotify is reached (`ENOSPC` or `EMFILE`), the description names the limit.
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

    /// Ends the watch, releases the handler, and ends sequences of changes.
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
    ///   - handler: Called on the loop's thread with each event. On the main loop, the closure may
    ///     be isolated to the main actor.
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

    /// Returns the changes as an asynchronous sequence.
    ///
    /// ```swift
    /// for await events in watch.changes() { print(events) }
    /// ```
    ///
    /// Changes that occur while the reader is busy are merged into one element, so elements do not
    /// accumulate. The sequence ends after ``invalidate()``, when the loop's thread ends, and when
    /// the task is cancelled.
    ///
    /// - Parameters:
    ///   - loop: The loop that waits for changes; it may belong to any thread. Nil selects the loop
    ///     that the calling thread runs, for example in an actor on that loop, or else the main
    ///     loop. Later calls use the loop of the first call.
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
    /// The sequence that ``RLFileWatch/changes(on:mode:)`` returns.
    public struct Changes: AsyncSequence, Sendable {
        /// The changes since the last element.
        public typealias Element = Events
        /// The sequence never throws.
        public typealias Failure = Never

        fileprivate let watch: RLFileWatch

        /// Creates an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(watch: watch)
        }

        /// An iterator over the changes.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let watch: RLFileWatch

            /// Waits for changes, and returns nil at the end of the sequence.
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
