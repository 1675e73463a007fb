import FoundationEssentials
import Glibc
import RunLoopKit
import Testing

/// An empty directory, deleted with this object.
final class Folder: Sendable {
    private let root: String

    init() throws {
        var template = Array("/tmp/CoreRunLoop-watch-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { template in
            template.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
        }
        root = try #require(made)
    }

    deinit {
        removeAll()
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func write(_ name: String, _ text: String) { put(text, name, O_CREAT | O_TRUNC) }

    func append(_ name: String, _ text: String) { put(text, name, O_APPEND) }

    /// Creates a link, or replaces an existing one atomically.
    func link(_ name: String, to target: String) {
        symlink(target, path("link"))
        rename("link", to: name)
    }

    func makeFolder(_ name: String) { mkdir(path(name), 0o700) }

    func rename(_ name: String, to other: String) { Glibc.rename(path(name), path(other)) }

    func remove(_ name: String) { unlink(path(name)) }

    func removeAll() { try? FileManager.default.removeItem(atPath: root) }

    private func put(_ text: String, _ name: String, _ flags: CInt) {
        let file = open(path(name), O_WRONLY | flags, 0o600)
        Glibc.write(file, text, text.utf8.count)
        close(file)
    }
}

/// Changes a file more often than the kernel's queue has entries.
func overflowQueue(_ file: CInt) {
    let limit = try? String(
        contentsOfFile: "/proc/sys/fs/inotify/max_queued_events",
        encoding: .utf8
    )
    let most = limit.flatMap { Int($0.prefix { $0.isNumber }) } ?? 16384
    // The kernel coalesces equal successive events: these alternate.
    for _ in 0...most / 2 {
        write(file, "b", 1)
        fchmod(file, 0o600)
    }
}

func runLoopUntil(_ condition: () -> Bool) {
    while !condition() {
        guard RLRunLoop.current.run(mode: .default, before: .distantFuture) else {
            if condition() { return }
            Issue.record("the loop has nothing to do")
            return
        }
    }
}
