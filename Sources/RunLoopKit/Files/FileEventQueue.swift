import CRunLoop.Wrapping
import CoreRunLoop
import Glibc

/// A reason to watch an inode.
struct FileUse: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        /// Changes of an entry of a directory.
        case entry(String)
        /// Changes of the bytes or attributes of a file, or of any entry of a directory.
        case content
        /// The move or deletion of a directory.
        case place
    }

    let queue: Int
    let watch: Int32
    let part: Part
}

/// An inotify instance for all watches in one mode of a loop, or for all watches without a loop.
///
/// inotify has one watch per inode, so uses of the same inode are counted.
final class FileEventQueue: Identifiable, Sendable {
    private struct Place: Hashable {
        let loop: RLRunLoopRef?
        let mode: RLRunLoopMode?
        // A forked child shares its parent's instance, and must not modify that instance.
        let process = getpid()
    }

    private struct Registry {
        var queues: [Place: (queue: FileEventQueue, members: Int)] = [:]
        var lastNumber = 0
    }

    private struct Users {
        var byUse: [FileUse: [ObjectIdentifier: FileWatchCore]] = [:]
        var usesOfWatch: [Int32: Int] = [:]
    }

    private static let registry = Locked(Registry())

    let id: Int

    let isDetached: Bool

    private let place: Place
    private let source: RLRunLoopSourceRef
    private let users: Locked<Users>
    private let delivery = Locked(())

    /// Finds or creates the queue of a mode; balance each call with ``leave()``.
    static func join(
        _ loop: RLRunLoopRef? = nil,
        _ mode: RLRunLoopMode? = nil,
        toWatch path: String
    ) -> Result<FileEventQueue, RLSystemError> {
        let place = Place(loop: loop, mode: mode)
        return registry.withLock { registry in
            if let (queue, members) = registry.queues[place] {
                registry.queues[place] = (queue, members + 1)
                return .success(queue)
            }
            registry.lastNumber += 1
            let number = registry.lastNumber
            let made = Result { () throws(RLSystemError) in
                try FileEventQueue(number, place, toWatch: path)
            }
            if case .success(let queue) = made { registry.queues[place] = (queue, 1) }
            return made
        }
    }

    private init(_ number: Int, _ place: Place, toWatch path: String) throws(RLSystemError) {
        let users = Locked(Users())
        let made = RLFileSourceCreate { _, event, name in
            Self.deliver(event, name, of: number, to: users)
        }
        guard let made else { throw RLSystemError(code: errno, watching: path) }
        (id, self.place, source) = (number, place, made)
        (self.users, isDetached) = (users, place.loop == nil)
        if let loop = place.loop, let mode = place.mode { RLRunLoopAddSource(loop, made, mode) }
    }

    /// Balances a call of ``join``; the last member closes the queue.
    ///
    /// A detached queue stays open, because the kernel needs milliseconds to close an instance.
    func leave() {
        let isOver = Self.registry.withLock { registry in
            registry.queues[place]?.members -= 1
            if isDetached || registry.queues[place]?.members != 0 { return false }
            registry.queues[place] = nil
            return true
        }
        if isOver { RLRunLoopSourceInvalidate(source) }
    }

    /// Adds a use of an inode; returns the number of the watch, or a negative errno value.
    func add(
        _ part: FileUse.Part,
        _ events: RLFileEvents,
        at path: String,
        for user: FileWatchCore
    ) -> Int32 {
        users.withLock { users in
            let watch = RLFileSourceAddEvents(source, path, events)
            if watch < 0 { return watch }
            let use = FileUse(queue: id, watch: watch, part: part)
            if users.byUse[use, default: [:]].updateValue(user, forKey: ObjectIdentifier(user))
                == nil
            {
                users.usesOfWatch[watch, default: 0] += 1
            }
            return watch
        }
    }

    func remove(_ use: FileUse, of user: FileWatchCore) {
        users.withLock { users in
            guard users.byUse[use]?.removeValue(forKey: ObjectIdentifier(user)) != nil else {
                return
            }
            if users.byUse[use]?.isEmpty == true { users.byUse[use] = nil }
            users.usesOfWatch[use.watch, default: 0] -= 1
            if users.usesOfWatch[use.watch] != 0 { return }
            users.usesOfWatch[use.watch] = nil
            if place.process == getpid() { RLFileSourceRemoveWatch(source, use.watch) }
        }
    }

    /// Delivers all events, including events that another thread has read.
    func deliver() {
        delivery.withLock { _ in RLFileSourceDeliver(source) }
    }

    private static func deliver(
        _ event: RLFileEvent,
        _ name: String?,
        of number: Int,
        to users: Locked<Users>
    ) {
        func use(_ part: FileUse.Part) -> FileUse {
            FileUse(queue: number, watch: event.watch, part: part)
        }
        let receivers: [(FileUse?, FileWatchCore)] = users.withLock { users in
            if event.events.contains(.overflow) {
                var all: [ObjectIdentifier: FileWatchCore] = [:]
                for some in users.byUse.values { all.merge(some) { first, _ in first } }
                return all.values.map { (nil, $0) }
            }
            let other = use(name.map { .entry($0) } ?? .place)
            return [other, use(.content)].flatMap { use in
                users.byUse[use, default: [:]].values.map { (use, $0) }
            }
        }
        // Called without the lock, because a handler may end another watch.
        for (use, user) in receivers { user.take(event.events, of: use, in: number) }
    }
}

extension RLSystemError {
    init(code: CInt, watching path: String) {
        var limit: String?
        if code == ENOSPC { limit = "fs.inotify.max_user_watches" }
        if code == EMFILE {
            // EMFILE stands for two limits. If another descriptor can be opened, the limit of
            // instances is exceeded.
            let spare = open("/", O_DIRECTORY | O_CLOEXEC)
            if spare >= 0 {
                close(spare)
                limit = "fs.inotify.max_user_instances"
            }
        }
        guard let limit else {
            self.init(code: code, to: "watch \(path)")
            return
        }
        self.init(code: code, description: "cannot watch \(path): raise the limit \(limit)")
    }
}
