import CoreRunLoop
import Glibc

/// A path that is watched with inotify: its symbolic links, its directories, and the file.
struct WatchedPath: Sendable {
    let path: String
    let queue: FileEventQueue

    private let names: [String]
    private let events: RLFileWatch.Events
    private var chain = Chain()

    /// The watched elements from the root to the file.
    private struct Chain {
        var uses: Set<FileUse> = []
        /// The directory entry of the file, or of the first missing element.
        var last: FileUse?
        /// The file, or the previous file if no file has the path now.
        var file: FileUse?
        var exists = false
        var hasDirectory = true
        /// An errno value or 0; a missing file is not an error.
        var error: CInt = 0
    }

    private enum Element: Equatable {
        case link(String)
        case other
        case missing(CInt)
    }

    /// The kernel's limit for symbolic links in a path.
    private static let mostLinks = 40

    private static let ofEntry: RLFileEvents = [.create, .delete, .movedFrom, .movedTo]

    init(
        _ path: String,
        _ events: RLFileWatch.Events,
        in queue: FileEventQueue,
        for user: FileWatchCore
    ) throws(RLSystemError) {
        let names = path.split(separator: "/")
        guard let name = names.last, name != ".", name != "..", !path.utf8.contains(0) else {
            throw RLSystemError(code: EINVAL, watching: path)
        }
        var folder: [Substring] = []
        if !path.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else {
                throw RLSystemError(code: errno, watching: path)
            }
            defer { free(current) }
            folder = String(cString: current).split(separator: "/")
        }
        self.names = (folder + names).filter { $0 != "." }.map { String($0) }
        self.path = "/" + self.names.joined(separator: "/")
        self.events = events
        self.queue = queue
        chain = follow(for: user)
        guard chain.error == 0 && chain.hasDirectory else {
            let code = chain.error
            removeUses(of: user)
            throw RLSystemError(code: code, watching: path)
        }
    }

    /// Returns the same path watched by another queue, and an errno value or 0.
    func moved(to queue: FileEventQueue, for user: FileWatchCore) -> (WatchedPath, CInt) {
        let moved = WatchedPath(copying: self, in: queue, for: user)
        return (moved, moved.chain.error)
    }

    private init(copying other: WatchedPath, in queue: FileEventQueue, for user: FileWatchCore) {
        (path, names, events, self.queue) = (other.path, other.names, other.events, queue)
        chain = follow(for: user)
    }

    func end(for user: FileWatchCore) {
        removeUses(of: user)
        queue.leave()
    }

    private func removeUses(of user: FileWatchCore) {
        for use in chain.uses { queue.remove(use, of: user) }
    }

    /// Converts an event of the engine to changes of the path; a nil `use` means an overflow.
    mutating func take(
        _ event: RLFileEvents,
        of use: FileUse?,
        for user: FileWatchCore
    ) -> RLFileWatch.Events {
        guard let use else {
            followAgain(for: user)
            return chain.hasDirectory ? .overflowed : [.overflowed, .ended]
        }
        guard chain.uses.contains(use) else { return [] }
        switch use.part {
        case .content:
            return RLFileWatch.Events(ofFile: event).intersection(events)
        case .place:
            if event.isDisjoint(with: [.moveSelf, .watchEnded, .unmount]) { return [] }
        case .entry:
            if event.isDisjoint(with: Self.ofEntry) { return [] }
        }
        let former = chain
        followAgain(for: user)
        if !chain.hasDirectory { return .ended }
        var happened: RLFileWatch.Events = []
        if use == former.last && use == chain.last {
            happened = RLFileWatch.Events(ofEntry: event)
        } else if chain.exists && (chain.file != former.file || !former.exists) {
            happened = [.created, .movedIntoPlace]
        } else if former.exists && !chain.exists {
            happened = .deleted
        }
        return happened.intersection(events)
    }

    private mutating func followAgain(for user: FileWatchCore) {
        let former = chain
        chain = follow(for: user)
        if chain.file == nil, let file = former.file {
            chain.file = file
            chain.uses.insert(file)
        }
        // Continues to watch elements beyond the error, because they may still change.
        if chain.error != 0 { chain.uses.formUnion(former.uses) }
        for use in former.uses.subtracting(chain.uses) { queue.remove(use, of: user) }
        if chain.error != 0 && chain.hasDirectory {
            warn("RLFileWatch", RLSystemError(code: chain.error, watching: path).description)
        }
    }

    /// Watches each element before examining it, so that no change is missed.
    private func follow(for user: FileWatchCore) -> Chain {
        var made = Chain()
        func watch(_ part: FileUse.Part, _ events: RLFileEvents, at path: String) -> FileUse? {
            let number = queue.add(part, events, at: path, for: user)
            if number < 0 {
                made.error = -number
                return nil
            }
            let use = FileUse(queue: queue.id, watch: number, part: part)
            made.uses.insert(use)
            return use
        }
        func watchFile(at path: String) {
            let wanted = events.ofFile
            // The file is always watched, because the number of the watch identifies the file.
            made.file = watch(.content, wanted.isEmpty ? .moveSelf : wanted, at: path)
            made.exists = made.file != nil || made.error == EACCES
            if made.error == ENOENT || wanted.isEmpty { made.error = 0 }
        }
        var rest = Array(names.reversed())
        var folder = ""
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                folder = String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex))
                continue
            }
            let path = "\(folder)/\(name)"
            var element = Self.look(at: path)
            var entry: FileUse?
            for _ in 0..<Self.mostLinks {
                let isDirectory = element == .other && !rest.isEmpty
                if isDirectory {
                    // An unreadable directory cannot be watched for moves.
                    if watch(.place, .moveSelf, at: path) == nil && made.error == EACCES {
                        made.error = 0
                    }
                } else {
                    entry = watch(.entry(name), Self.ofEntry, at: folder.isEmpty ? "/" : folder)
                }
                let now = Self.look(at: path)
                if now == element { break }
                (element, made.error) = (now, 0)
            }
            switch element {
            case .link(let target):
                links += 1
                if links > Self.mostLinks { made.error = ELOOP }
                if made.error != 0 { return made }
                if target.hasPrefix("/") { folder = "" }
                rest += target.split(separator: "/").filter { $0 != "." }.reversed().map {
                    String($0)
                }
            case .other:
                if made.error != 0 { return made }
                if rest.isEmpty {
                    made.last = entry
                    watchFile(at: path)
                    return made
                }
                folder = path
            case .missing(let code):
                made.last = entry
                if rest.isEmpty && (code == ENOENT || entry == nil) { return made }
                // If the path leads, or led, through a symbolic link, the directory may appear.
                let isAwaited = links > 0 || entry.map { chain.uses.contains($0) } ?? false
                made.hasDirectory = isAwaited && [ENOENT, ENOTDIR].contains(code)
                if !made.hasDirectory { made.error = code } else if entry != nil { made.error = 0 }
                return made
            }
        }
        // The last element is a link to a parent directory.
        watchFile(at: folder.isEmpty ? "/" : folder)
        return made
    }

    private static func look(at path: String) -> Element {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let bytes = buffer.baseAddress else { return .missing(ENOMEM) }
            let length = readlink(path, bytes, buffer.count - 1)
            if length < 0 { return errno == EINVAL ? .other : .missing(errno) }
            bytes[length] = 0
            return .link(String(cString: bytes))
        }
    }
}

extension RLFileWatch.Events {
    /// For a directory, changes of its entries count as changes of its content.
    fileprivate var ofFile: RLFileEvents {
        var wanted: RLFileEvents = []
        if contains(.modified) { wanted.formUnion(Self.modifying) }
        if contains(.attributes) { wanted.insert(.attributes) }
        if contains(.closed) { wanted.insert(.closeWrite) }
        return wanted
    }

    fileprivate init(ofFile events: RLFileEvents) {
        self = []
        if !events.isDisjoint(with: Self.modifying) { insert(.modified) }
        if events.contains(.attributes) { insert(.attributes) }
        if events.contains(.closeWrite) { insert(.closed) }
    }

    fileprivate init(ofEntry events: RLFileEvents) {
        self = []
        if events.contains(.create) { insert(.created) }
        if events.contains(.movedTo) { formUnion([.created, .movedIntoPlace]) }
        if events.contains(.delete) { insert(.deleted) }
        if events.contains(.movedFrom) { insert(.moved) }
    }

    private static let modifying: RLFileEvents = [
        .modify, .create, .delete, .movedFrom, .movedTo,
    ]
}
