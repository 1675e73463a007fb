import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

@Suite("A file watch") struct FileWatchTests {
    @Test("reports what happens to its path, and follows it from file to file") func rotation()
        throws
    {
        let folder = try Folder()
        let watch = try RLFileWatch(path: folder.path("log"), events: [.changes, .attributes])
        onFreshThread {
            var seen: RLFileWatch.Events = []
            watch.observe(in: .current) { seen.formUnion($0) }
            func expect(
                _ events: RLFileWatch.Events,
                after deed: () -> Void,
                at place: SourceLocation = #_sourceLocation
            ) {
                seen = []
                deed()
                runLoopUntil { seen.isSuperset(of: events) }
                #expect(seen == events, sourceLocation: place)
            }
            let log = folder.path("log"), old = folder.path("old")
            // Other names are not reported; otherwise their events would come first.
            folder.write("other", "words")
            var first: CInt = -1
            expect([.created]) { first = open(log, O_CREAT | O_WRONLY, 0o600) }
            expect([.modified]) { write(first, "a", 1) }
            expect([.attributes]) { fchmod(first, 0o644) }
            expect([.moved]) { rename(log, old) }
            // The writer still has the old file open.
            expect([.modified]) { write(first, "b", 1) }
            var second: CInt = -1
            expect([.created]) { second = open(log, O_CREAT | O_WRONLY, 0o600) }
            expect([.modified, .closed]) {
                write(second, "new", 3)
                close(second)
            }
            write(first, "c", 1)
            close(first)
            expect([.attributes, .deleted]) { unlink(log) }
            // A file that replaces another one, as editors do.
            folder.write("next", "x")
            expect([.created, .movedIntoPlace]) { rename(folder.path("next"), log) }
            expect([.modified, .closed]) { folder.append("log", "y") }
            folder.write("next", "z")
            expect([.created, .movedIntoPlace]) { rename(folder.path("next"), log) }
            expect([.modified, .closed]) { folder.append("log", "z") }
            watch.invalidate()
        }
    }

    @Test("reports only the requested changes") func selection() throws {
        let folder = try Folder()
        folder.write("file", "a")
        let watch = try RLFileWatch(path: folder.path("file"), events: [.deleted])
        onFreshThread {
            var seen: [RLFileWatch.Events] = []
            watch.observe(in: .current) { seen.append($0) }
            folder.append("file", "b")
            folder.remove("file")
            runLoopUntil { !seen.isEmpty }
            #expect(seen == [.deleted])
            watch.invalidate()
        }
    }

    @Test("of a directory reports what changes in it") func directory() throws {
        let folder = try Folder()
        mkdir(folder.path("settings"), 0o700)
        let watch = try RLFileWatch(path: folder.path("settings/"), events: [.modified])
        #expect(watch.path == folder.path("settings"))
        onFreshThread {
            var seen: [RLFileWatch.Events] = []
            watch.observe(in: .current) { seen.append($0) }
            folder.write("settings/a", "")
            runLoopUntil { !seen.isEmpty }
            #expect(seen.first == .modified)
            watch.invalidate()
        }
    }

    @Test("is over when its directory is gone, or has another path", arguments: [false, true])
    func gone(isMoved: Bool) throws {
        let folder = try Folder()
        mkdir(folder.path("inner"), 0o700)
        let watch = try RLFileWatch(path: folder.path("inner/file"))
        let released = Log<String>()
        onFreshThread {
            var seen: [RLFileWatch.Events] = []
            watch.observe(in: .current) { [token = Token(released)] events in
                token.hold()
                seen.append(events)
            }
            if isMoved {
                rename(folder.path("inner"), folder.path("other"))
            } else {
                rmdir(folder.path("inner"))
            }
            runLoopUntil { !seen.isEmpty }
            #expect(seen == [.ended] && !watch.isValid && released.entries == ["released"])
        }
    }

    @Test("describes its errors in words") func errors() throws {
        let missing = #expect(throws: RLSystemError.self) {
            _ = try RLFileWatch(path: "/nonexistent/folder/file")
        }
        #expect(missing?.code == ENOENT)
        #expect(
            missing?.description
                == "cannot watch /nonexistent/folder/file: No such file or directory"
        )
        for path in ["", "/", "a/..", "a\0b"] {
            let error = #expect(throws: RLSystemError.self) { _ = try RLFileWatch(path: path) }
            #expect(error?.code == EINVAL)
        }
    }

    @Test("needs a descriptor") func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            while dup(0) >= 0 {}
            do throws(RLSystemError) {
                _ = try RLFileWatch(path: "/tmp/file")
                _exit(1)
            } catch {
                _exit(error.code == EMFILE ? 0 : 2)
            }
        }
    }

    @Test("reports lost events in a flood, and continues", .timeLimit(.minutes(15)))
    func flood() async {
        // In its own process: other tests share the queue.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            folder.write("file", "a")
            let watch = try RLFileWatch(path: folder.path("file"), events: [.changes, .attributes])
            onFreshThread {
                let file = open(folder.path("file"), O_WRONLY)
                overflowQueue(file)
                var isLost = false, isSeen = false
                watch.observe(in: .current) { events in
                    if isLost && events.contains(.modified) { isSeen = true }
                    if events.contains(.overflowed) {
                        isLost = true
                        write(file, "c", 1)
                    }
                }
                runLoopUntil { isSeen }
                close(file)
                watch.invalidate()
            }
        }
    }

    @Test("is over if the end of its directory is lost in a flood", .timeLimit(.minutes(15)))
    func lostEnd() async {
        // In its own process: other tests share the queue.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            folder.write("file", "a")
            let watch = try RLFileWatch(path: folder.path("file"), events: [.changes, .attributes])
            onFreshThread {
                let file = open(folder.path("file"), O_WRONLY)
                overflowQueue(file)
                folder.removeAll()
                var last: RLFileWatch.Events = []
                watch.observe(in: .current) { last = $0 }
                runLoopUntil { last.contains(.overflowed) }
                #expect(last == [.overflowed, .ended] && !watch.isValid)
                close(file)
            }
        }
    }

    @Test("may be invalidated by its handler, and by other threads meanwhile")
    func invalidation() throws {
        let folder = try Folder()
        for _ in 0..<20 {
            let watch = try RLFileWatch(path: folder.path("file"))
            let released = Log<String>()
            onFreshThread {
                var count = 0
                let other = RLThread { watch.invalidate() }
                watch.observe(in: .current) { [token = Token(released)] _ in
                    token.hold()
                    count += 1
                    if count == 1 { other.start() }
                    if count == 3 { watch.invalidate() }
                }
                for _ in 0..<4 {
                    folder.write("file", "a")
                    folder.remove("file")
                }
                runLoopUntil { !watch.isValid }
                other.join()
                #expect((1...3).contains(count))
            }
            #expect(released.entries == ["released"])
        }
    }

    @Test("is kept by its loop, and ends with the thread") func threadEnd() throws {
        let folder = try Folder()
        let released = Log<String>()
        onFreshThread {
            guard let watch = try? RLFileWatch(path: folder.path("file")) else { return }
            watch.observe(in: .current) { [token = Token(released)] _ in token.hold() }
        }
        #expect(released.entries == ["released"])
    }

    @Test("continues in the parent when a child that fork made drops its copy") func fork() throws {
        let folder = try Folder()
        let watch = try RLFileWatch(path: folder.path("file"))
        onFreshThread {
            var seen: [RLFileWatch.Events] = []
            watch.observe(in: .current) { seen.append($0) }
            let child = forkProcess()
            if child == 0 {
                watch.invalidate()
                _exit(watch.isValid ? 1 : 0)
            }
            var status: CInt = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            folder.write("file", "")
            runLoopUntil { !seen.isEmpty }
            #expect(seen.first == .created)
            watch.invalidate()
        }
    }

    @Test("stops the process if it is to report twice, or in the loop of another thread")
    func misuse() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let watch = try RLFileWatch(path: "/tmp/file")
            onFreshThread {
                watch.observe(in: .current) { _ in }
                watch.observe(in: .current) { _ in }
            }
        }
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let watch = try RLFileWatch(path: "/tmp/file")
            onFreshThread {
                nonisolated(unsafe) let loop = RLRunLoop.current
                onFreshThread { watch.observe(in: loop) { _ in } }
            }
        }
    }
}

@Suite("The changes of a file, as a sequence") struct FileChangeTests {
    @Test("are coalesced while no task reads them", .timeLimit(.minutes(15))) func union()
        async throws
    {
        let folder = try Folder()
        let worker = RLPermanentThread(name: "watching")
        let watch = try RLFileWatch(path: folder.path("file"))
        let changes = watch.changes(on: worker.runLoop)
        folder.write("file", "a")
        folder.remove("file")
        var seen: RLFileWatch.Events = []
        for await events in changes {
            seen.formUnion(events)
            if seen.contains(.deleted) { break }
        }
        // Changes before the loop saw the new file are not reported separately.
        #expect(seen.isSuperset(of: [.created, .deleted]) && !seen.contains(.moved))
        folder.write("file", "b")
        for await events in watch.changes() where events.contains(.created) { watch.invalidate() }
        #expect(!watch.isValid)
        worker.stop()
        worker.join()
    }

    /// The ways to end a wait.
    enum End: CaseIterable {
        case cancellation, thread, invalidation, directory
    }

    @Test("are not waited for in vain", .timeLimit(.minutes(15)), arguments: End.allCases)
    func ends(_ end: End) async throws {
        for _ in 0..<30 {
            let folder = try Folder()
            let worker = RLPermanentThread(name: "watching")
            let watch = try RLFileWatch(path: folder.path("file"))
            let changes = watch.changes(on: worker.runLoop)
            let task = Task {
                var seen: RLFileWatch.Events = []
                for await events in changes { seen.formUnion(events) }
                return seen
            }
            if Bool.random() { await Task.yield() }
            switch end {
            case .cancellation: task.cancel()
            case .thread: worker.stop()
            case .invalidation: watch.invalidate()
            case .directory: folder.removeAll()
            }
            #expect(await task.value == (end == .directory ? .ended : []))
            #expect(watch.isValid == (end == .cancellation))
            worker.stop()
            worker.join()
        }
    }
}
