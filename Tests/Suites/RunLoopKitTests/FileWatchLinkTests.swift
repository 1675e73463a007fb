import Dispatch
import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

@Suite("A file watch behind links") struct FileWatchLinkTests {
    struct Step: Sendable {
        let events: RLFileWatch.Events
        let change: @Sendable (Folder) -> Void

        init(_ events: RLFileWatch.Events, _ change: @escaping @Sendable (Folder) -> Void) {
            (self.events, self.change) = (events, change)
        }
    }

    static let written: RLFileWatch.Events = [.modified, .closed]
    static let replaced: RLFileWatch.Events = [.created, .movedIntoPlace]
    static let created: RLFileWatch.Events = [.created, .modified, .closed]

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: String
        let prepare: @Sendable (Folder) -> Void
        let steps: [Step]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a mounted ConfigMap",
            path: "config",
            prepare: { folder in
                for number in 1...3 {
                    folder.makeFolder("..\(number)")
                    folder.write("..\(number)/config", "\(number)")
                }
                folder.link("..data", to: "..1")
                folder.link("config", to: "..data/config")
            },
            steps: (2...3).flatMap { number -> [Step] in
                [
                    Step(
                        replaced,
                        { folder in
                            folder.link("..data", to: "..\(number)")
                            folder.remove("..\(number - 1)/config")
                            rmdir(folder.path("..\(number - 1)"))
                        }
                    ),
                    Step(written, { $0.append("..\(number)/config", "x") }),
                ]
            }
        ),
        Case(
            testDescription: "a log that is rotated at its target",
            path: "log",
            prepare: { folder in
                folder.makeFolder("real")
                folder.write("real/log", "1")
                folder.link("log", to: "real/log")
            },
            steps: [
                Step([.moved], { $0.rename("real/log", to: "real/old") }),
                Step(written, { $0.append("real/old", "2") }),
                Step([.created], { close(open($0.path("real/log"), O_CREAT | O_RDONLY, 0o600)) }),
                Step(written, { $0.append("real/log", "3") }),
            ]
        ),
        Case(
            testDescription: "a target that is saved by a rename",
            path: "a/settings",
            prepare: { folder in
                for name in ["a", "b", "c"] { folder.makeFolder(name) }
                folder.write("c/settings", "1")
                folder.link("b/settings", to: folder.path("c/settings"))
                folder.link("a/settings", to: "../b/settings")
            },
            steps: [1, 2].flatMap { _ -> [Step] in
                [
                    Step(
                        replaced,
                        { folder in
                            folder.write("c/new", "2")
                            folder.rename("c/new", to: "c/settings")
                        }
                    ),
                    Step(written, { $0.append("c/settings", "3") }),
                ]
            }
        ),
        Case(
            testDescription: "a dangling link whose target is created, with its directory",
            path: "log",
            prepare: { $0.link("log", to: "real/log") },
            steps: [
                // Another directory first: if it were reported, its event would come first.
                Step([], { $0.makeFolder("other") }),
                Step([], { $0.makeFolder("real") }),
                Step([.created], { close(open($0.path("real/log"), O_CREAT | O_RDONLY, 0o600)) }),
                Step(written, { $0.append("real/log", "2") }),
                Step([.deleted], { $0.remove("real/log") }),
            ]
        ),
        Case(
            testDescription: "a link in the path of the directory",
            path: "current/settings",
            prepare: { folder in
                for number in 1...2 {
                    folder.makeFolder("release\(number)")
                    folder.write("release\(number)/settings", "\(number)")
                }
                folder.link("current", to: "release1")
            },
            steps: [
                Step(replaced, { $0.link("current", to: "release2") }),
                Step(written, { $0.append("release2/settings", "x") }),
                Step([.deleted], { $0.remove("current") }),
                Step(replaced, { $0.link("current", to: "release1") }),
                Step(written, { $0.append("release1/settings", "x") }),
                Step([.deleted], { $0.link("current", to: "missing") }),
                Step(replaced, { $0.rename("release2", to: "missing") }),
            ]
        ),
        Case(
            testDescription: "a link to itself, and back",
            path: "file",
            prepare: { folder in
                folder.write("target", "1")
                folder.link("file", to: "target")
            },
            steps: [
                Step([.deleted], { $0.link("file", to: "file") }),
                Step(replaced, { $0.link("file", to: "target") }),
                Step(replaced, { $0.rename("target", to: "file") }),
                Step(written, { $0.append("file", "x") }),
            ]
        ),
        Case(
            testDescription: "directories above the file that others replace",
            path: "a/b/file",
            prepare: { folder in
                for name in ["a", "a/b", "new", "new/b"] { folder.makeFolder(name) }
                folder.write("a/b/file", "1")
                folder.write("new/b/file", "2")
            },
            steps: [
                Step(
                    replaced,
                    { folder in
                        folder.rename("a", to: "old")
                        folder.rename("new", to: "a")
                    }
                ),
                Step(written, { $0.append("a/b/file", "x") }),
            ]
        ),
    ]

    @Test("reports each replacement", .timeLimit(.minutes(15)), arguments: cases.indices)
    func replacements(_ index: Int) throws {
        let example = Self.cases[index]
        let folder = try Folder()
        example.prepare(folder)
        let watch = try RLFileWatch(path: folder.path(example.path))
        #expect(watch.path == folder.path(example.path))
        onFreshThread {
            var seen: RLFileWatch.Events = []
            watch.observe(in: .current) { seen.formUnion($0) }
            for (number, step) in Self.cases[index].steps.enumerated() {
                seen = []
                step.change(folder)
                if step.events.isEmpty {
                    // The change does not concern the path.
                    RLRunLoop.current.run(mode: .default, before: .distantPast)
                } else {
                    runLoopUntil { seen.isSuperset(of: step.events) }
                }
                #expect(seen == step.events, "\(example.testDescription), step \(number)")
            }
            watch.invalidate()
        }
    }

    @Test("refuses a link to itself, and a missing directory without a link") func refusals() throws
    {
        let folder = try Folder()
        folder.link("loop", to: "loop")
        let loop = #expect(throws: RLSystemError.self) {
            _ = try RLFileWatch(path: folder.path("loop"))
        }
        #expect(loop?.code == ELOOP)
        folder.write("file", "")
        let file = #expect(throws: RLSystemError.self) {
            _ = try RLFileWatch(path: folder.path("file/settings"))
        }
        #expect(file?.code == ENOTDIR)
    }

    @Test("finds the last of 10,000 targets", .timeLimit(.minutes(15))) func flood() throws {
        let folder = try Folder()
        for name in ["even", "odd", "last"] { folder.write(name, name) }
        folder.link("file", to: "even")
        let watch = try RLFileWatch(path: folder.path("file"))
        onFreshThread {
            var seen: RLFileWatch.Events = []
            watch.observe(in: .current) { seen.formUnion($0) }
            let other = RLThread {
                for number in 1...10_000 {
                    folder.link("file", to: number % 2 == 0 ? "even" : "odd")
                }
                folder.link("file", to: "last")
            }
            other.start()
            runLoopUntil { seen.isSuperset(of: Self.replaced) }
            other.join()
            // Writes are missed while the queue still contains earlier events of the links.
            while !seen.isSuperset(of: Self.written) {
                folder.append("last", "x")
                #expect(RLRunLoop.current.run(mode: .default, before: .distantFuture))
            }
            watch.invalidate()
        }
    }
}

@Suite("File watches share inotify instances") struct FileWatchSharingTests {
    @Test("so that there may be 5,000") func many() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            onFreshThread {
                var seen = Set<Int>()
                let watches = (0..<5000).compactMap { number in
                    let watch = try? RLFileWatch(path: folder.path("\(number)"))
                    watch?.observe(in: .current) { _ in seen.insert(number) }
                    return watch
                }
                // The loop's instance, and that of watches that no loop observes.
                guard watches.count == 5000, inotifyInstances() == 2 else { _exit(1) }
                for number in 0..<5000 { folder.write("\(number)", "x") }
                runLoopUntil { seen.count == 5000 }
                for watch in watches { watch.invalidate() }
                guard inotifyInstances() == 1 else { _exit(2) }
                folder.removeAll()
                _exit(0)
            }
        }
    }

    @Test("and keep the events until they are observed, in order") func kept() throws {
        let folder = try Folder()
        let watches = try (0..<2).map { _ in try RLFileWatch(path: folder.path("file")) }
        folder.write("file", "a")
        folder.rename("file", to: "other")
        folder.rename("other", to: "file")
        folder.remove("file")
        for watch in watches {
            onFreshThread {
                var seen: [RLFileWatch.Events] = []
                watch.observe(in: .current) { seen.append($0) }
                #expect(seen.isEmpty)
                runLoopUntil { seen.last == .deleted }
                #expect(seen == [.created, .moved, [.created, .movedIntoPlace], .deleted])
                watch.invalidate()
            }
        }
    }

    @Test("of a directory, a file in it, and different events", .timeLimit(.minutes(15)))
    func sharedInode() throws {
        let folder = try Folder()
        folder.write("file", "a")
        onFreshThread {
            var seen: [String] = []
            func observe(_ name: String, _ events: RLFileWatch.Events) throws -> RLFileWatch {
                let watch = try RLFileWatch(path: folder.path(name), events: events)
                watch.observe(in: .current) { seen.append("\(name) \($0)") }
                return watch
            }
            guard let whole = try? observe("", [.modified]),
                let bytes = try? observe("file", [.modified]),
                let mode = try? observe("file", [.attributes])
            else {
                Issue.record("no watch")
                return
            }
            chmod(folder.path("file"), 0o640)
            runLoopUntil { seen == ["file attributes"] }
            mode.invalidate()
            folder.append("file", "b")
            runLoopUntil { seen.count == 3 }
            #expect(Set(seen) == ["file attributes", "file modified", " modified"])
            bytes.invalidate()
            // The directory is still watched for the other watch.
            folder.write("other", "c")
            runLoopUntil { seen.count > 3 }
            #expect(seen[3] == " modified")
            whole.invalidate()
        }
    }

    @Test("but not the modes in which they are served") func modes() throws {
        let folder = try Folder()
        let plain = try RLFileWatch(path: folder.path("file"))
        let special = try RLFileWatch(path: folder.path("file"))
        onFreshThread {
            var seen: [String] = []
            plain.observe(in: .current) { _ in seen.append("plain") }
            special.observe(in: .current, forMode: .init("special")) { _ in seen.append("special") }
            folder.write("file", "")
            runLoopUntil { !seen.isEmpty }
            #expect(!seen.contains("special"))
            seen = []
            #expect(RLRunLoop.current.run(mode: .init("special"), before: .distantFuture))
            #expect(seen.contains("special") && !seen.contains("plain"))
            for watch in [plain, special] { watch.invalidate() }
        }
    }

    @Test("and end each other in their handlers", .timeLimit(.minutes(15)))
    func endOthers() throws {
        let folder = try Folder()
        let watches = try (0..<20).map { _ in try RLFileWatch(path: folder.path("file")) }
        let released = Log<String>()
        onFreshThread {
            var calls = 0
            for watch in watches {
                watch.observe(in: .current) { [token = Token(released)] _ in
                    token.hold()
                    calls += 1
                    for watch in watches { watch.invalidate() }
                }
            }
            folder.write("file", "")
            runLoopUntil { calls > 0 }
            #expect(calls == 1 && released.entries.count == 20)
        }
    }

    @Test("on two threads at once", .timeLimit(.minutes(15))) func threads() throws {
        let folder = try Folder()
        folder.link("file", to: "0")
        let isOver = Log<String>()
        // A change before a watch is observed, and one after. Unbounded changes would overflow the
        // queue.
        let changes = DispatchSemaphore(value: 0)
        let threads = (0..<2).map { _ in
            RLThread {
                defer {
                    isOver.add("over")
                    changes.signal()
                }
                for _ in 0..<50 {
                    changes.signal()
                    guard let watch = try? RLFileWatch(path: folder.path("file")) else {
                        Issue.record("no watch")
                        return
                    }
                    var isSeen = false
                    watch.observe(in: .current) { _ in isSeen = true }
                    changes.signal()
                    runLoopUntil { isSeen }
                    watch.invalidate()
                }
            }
        }
        for thread in threads { thread.start() }
        var number = 0
        while isOver.entries.count < 2 {
            changes.wait()
            number += 1
            folder.link("file", to: "\(number)")
            folder.write("\(number)", "x")
            folder.remove("\(number)")
        }
        for thread in threads { thread.join() }
    }

    @Test("and all report an overflow", .timeLimit(.minutes(15))) func overflows() throws {
        let folder = try Folder()
        folder.write("flooded", "a")
        folder.write("first", "b")
        folder.write("second", "c")
        folder.link("quiet", to: "first")
        let flooded = try RLFileWatch(
            path: folder.path("flooded"),
            events: [.modified, .attributes]
        )
        let quiet = try RLFileWatch(path: folder.path("quiet"))
        onFreshThread {
            var seen: RLFileWatch.Events = []
            flooded.observe(in: .current) { _ in }
            quiet.observe(in: .current) { seen.formUnion($0) }
            let file = open(folder.path("flooded"), O_WRONLY)
            overflowQueue(file)
            close(file)
            // The overflow loses this event too.
            folder.link("quiet", to: "second")
            runLoopUntil { seen.contains(.overflowed) }
            seen = []
            folder.append("second", "d")
            runLoopUntil { seen.isSuperset(of: [.modified, .closed]) }
            for watch in [flooded, quiet] { watch.invalidate() }
        }
    }

    @Test("or end without descriptors") func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let watch = try RLFileWatch(path: folder.path("file"))
            onFreshThread {
                let loop = RLRunLoop.current
                loop.run(mode: .default, before: .distantPast)
                while dup(0) >= 0 {}
                var seen: [RLFileWatch.Events] = []
                watch.observe(in: loop) { seen.append($0) }
                runLoopUntil { !seen.isEmpty }
                _exit(seen == [.ended] && !watch.isValid ? 0 : 1)
            }
        }
    }

    @Test(
        "and name the limit that is reached",
        .enabled(if: hasUserNamespaces, "user namespaces are not allowed here"),
        arguments: ["instances", "watches"]
    )
    func limits(_ kind: String) throws {
        let probe = try ChildProcess.pathOfProduct("kit-probe")
        // A user namespace has its own limits.
        let script = "echo 0 > /proc/sys/user/max_inotify_\(kind) && exec \(probe) watch"
        let run = try ChildProcess(path: "/usr/bin/env", ["unshare", "-Ur", "sh", "-c", script])
        let code = kind == "instances" ? EMFILE : ENOSPC
        let refusal =
            "\(code): cannot watch /tmp/file: raise the limit fs.inotify.max_user_\(kind)\n"
        #expect(run.output.hasSuffix(refusal))
    }
}

private let hasUserNamespaces: Bool = {
    let script = "echo 1 > /proc/sys/user/max_inotify_instances"
    let run = try? ChildProcess(path: "/usr/bin/env", ["unshare", "-Ur", "sh", "-c", script])
    return run?.exitCode == 0
}()

private func inotifyInstances() -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)"
        )
        return target == "anon_inode:inotify"
    }
}
