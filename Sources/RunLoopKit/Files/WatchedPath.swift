import CoreRunLoop
import Glibc

/// A path that inotify watches: the file that has it, and its directory, which learns of another
/// file with this path.
struct WatchedPath: Sendable {
    /// The path without links in its directory.
    let path: String

    private let folder: String
    private let name: String
    private let events: RLFileWatch.Events
    private let directory: Int32
    private var file: Int32 = -1

    /// Events of a directory, besides those of the file itself.
    private static let ofDirectory: RLFileEvents = [
        .create, .delete, .movedFrom, .movedTo, .moveSelf,
    ]

    /// Begins to watch.
    init(_ path: String, _ events: RLFileWatch.Events, by source: RLRunLoopSourceRef)
        throws(RLSystemError)
    {
        let deed = "watch \(path)"
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last, name != ".", name != "..", !path.utf8.contains(0) else {
            throw RLSystemError(code: EINVAL, to: deed)
        }
        let isAbsolute = path.hasPrefix("/")
        let parent = (isAbsolute ? "/" : "./") + parts.dropLast().joined(separator: "/")
        guard let resolved = realpath(parent, nil) else {
            throw RLSystemError(code: errno, to: deed)
        }
        defer { free(resolved) }
        directory = RLFileSourceAddWatch(source, resolved, Self.ofDirectory)
        if directory < 0 { throw RLSystemError(code: -directory, to: deed) }
        folder = String(cString: resolved)
        self.path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        self.name = String(name)
        self.events = events
        let error = watchFile(source)
        if error != 0 && error != ENOENT { throw RLSystemError(code: error, to: deed) }
    }

    /// Watches the file that has the path now; an error, or 0.
    private mutating func watchFile(_ source: RLRunLoopSourceRef) -> CInt {
        let wanted = events.ofFile
        if wanted.isEmpty { return 0 }
        let former = file
        file = RLFileSourceAddWatch(source, path, wanted)
        if former >= 0 && former != file { RLFileSourceRemoveWatch(source, former) }
        return file < 0 ? -file : 0
    }

    /// Makes of an event of the engine what has happened to the path; nothing for other names.
    mutating func take(
        _ event: RLFileEvent,
        from source: RLRunLoopSourceRef
    ) -> RLFileWatch.Events {
        if event.events.contains(.overflow) {
            _ = watchFile(source)
            // The directory's own end may be among what is lost.
            let directoryNow = RLFileSourceAddWatch(source, folder, Self.ofDirectory)
            return directoryNow == directory ? .overflowed : [.overflowed, .ended]
        }
        if event.watch == directory { return takeOfDirectory(event, source) }
        guard event.watch == file else { return [] }
        return RLFileWatch.Events(ofFile: event.events).intersection(events)
    }

    private mutating func takeOfDirectory(
        _ event: RLFileEvent,
        _ source: RLRunLoopSourceRef
    ) -> RLFileWatch.Events {
        if !event.events.isDisjoint(with: [.watchEnded, .moveSelf]) { return .ended }
        guard let other = event.name, strcmp(other, name) == 0 else { return [] }
        var happened: RLFileWatch.Events = []
        if !event.events.isDisjoint(with: [.create, .movedTo]) {
            let error = watchFile(source)
            // It may have gone again, which is the next event.
            if error != 0 && error != ENOENT {
                warn(
                    "RLFileWatch",
                    "cannot watch \(path) again: \(String(cString: strerror(error)))"
                )
            }
            happened.insert(.created)
        }
        if event.events.contains(.delete) { happened.insert(.deleted) }
        if event.events.contains(.movedFrom) { happened.insert(.moved) }
        return happened.intersection(events)
    }
}

extension RLFileWatch.Events {
    /// The events of the engine for those of the file itself; of a directory, entries count as its
    /// content.
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

    private static let modifying: RLFileEvents = [
        .modify, .create, .delete, .movedFrom, .movedTo,
    ]
}
